import { describe, expect, it } from "vitest";
import { solveSymmetric } from "../src/linear";
import { closed, errorOf, gap, loopRows, movedClosed } from "../src/loops";
import { Mechanism } from "../src/mechanism";
import type { LoopData, RobotData } from "../src/model";
import { turn } from "../src/pose";
import { fromPose } from "../src/quaternion";
import { close, fourBar, HERE, joint, link, robot } from "./make";

function walk(bar: RobotData, name: string, path: readonly number[]): { worst: number; reached: number[] } {
  const mechanism = new Mechanism(bar);
  const at = bar.joints.findIndex((each) => each.name === name);
  let positions: readonly number[] = bar.start;
  let worst = 0;
  const reached: number[] = [];
  for (const angle of path) {
    positions = movedClosed(mechanism, bar.loops, positions, at, [angle]);
    worst = Math.max(worst, errorOf(bar.loops, mechanism.forward(positions)));
    reached.push(mechanism.of(positions, at)[0]!);
  }
  return { worst, reached };
}

const turns = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);

describe("solveSymmetric", () => {
  it("solves a positive definite system", () => {
    close(solveSymmetric([[4, 1], [1, 3]], [1, 2])!, [1 / 11, 7 / 11]);
  });

  it("returns null otherwise", () => {
    expect(solveSymmetric([[1, 2], [2, 1]], [1, 1])).toBeNull();
  });
});

describe("a loop", () => {
  it("stays closed over the whole range of a joint", () => {
    for (const name of ["crank", "rod", "rocker"]) {
      const path = [...turns(1.5, Math.PI, 40), ...turns(Math.PI, -Math.PI, 120)];
      const { worst, reached } = walk(fourBar(), name, path);
      expect(worst).toBeLessThan(1e-7);
      expect(reached[40]).toBeCloseTo(Math.PI, 9);
      expect(reached.at(-1)).toBeCloseTo(-Math.PI, 9);
    }
  });

  it("stops a joint at the end of its feasible range", () => {
    // The rod of 1.5 is too short for a full turn of the crank.
    const bar = fourBar(1.5);
    const mechanism = new Mechanism(bar);
    const start = closed(mechanism, bar.loops, bar.start);
    expect(errorOf(bar.loops, mechanism.forward(start))).toBeLessThan(1e-9);
    const { worst, reached } = walk({ ...bar, start }, "crank", [Math.PI]);
    expect(worst).toBeLessThan(1e-6);
    // At the end the rod and the rocker are collinear: 1 + 4 - 4 cos = 2.5².
    expect(Math.cos(reached[0]!)).toBeCloseTo((5 - 2.5 ** 2) / 4, 2);
  });

  it("keeps joints within their limits", () => {
    const bar = fourBar();
    const joints = bar.joints.map((each) => (each.name === "rocker" ? { ...each, lower: 1, upper: 2 } : each));
    const { worst, reached } = walk({ ...bar, joints }, "crank", turns(1.6, 3, 20));
    expect(worst).toBeLessThan(1e-7);
    expect(reached.at(-1)).toBeCloseTo(2, 2);
  });

  it("does not open further if it is open initially", () => {
    const bar = fourBar();
    const lifted = bar.loops.map((each): LoopData => ({ ...each, poseB: [1, 0, 0.04, 1, 0, 0, 0] }));
    const open = { ...bar, loops: lifted };
    const { worst, reached } = walk(open, "crank", turns(1.6, -1, 30));
    expect(worst).toBeCloseTo(0.04, 6);
    expect(reached.at(-1)).toBeCloseTo(-1, 9);
  });

  it("follows coupled joints", () => {
    const bar = { ...fourBar(), followers: [{ joint: 2, leader: 0, ratio: 1, offset: 0 }] };
    const { worst } = walk(bar, "crank", turns(1.6, 2.5, 10));
    expect(worst).toBeLessThan(1e-7);
  });
});

describe("the gap", () => {
  const two = robot([link("a", -1, -1), link("b", 0, 0)], [joint("j", "free", 1)]);
  const mechanism = new Mechanism(two);
  const loop = (holds: LoopData["holds"]): LoopData => ({
    name: "l", a: 0, b: 1, poseA: HERE, poseB: HERE, axis: [0, 0, 1], holds, properties: [], at: null,
  });
  const at = (xyz: number[], axis: [number, number, number], angle: number): readonly number[] =>
    [...HERE, ...xyz, ...fromPose(turn(axis, angle))];

  it("measures only constrained directions", () => {
    const poses = mechanism.forward(at([3, 4, 12], [0, 0, 1], 0.5));
    expect(gap(loop([true, true, true, true]), poses)).toEqual({ distance: 13, angle: expect.closeTo(0.5, 12) });
    expect(gap(loop([false, true, false, true]), poses)).toEqual({ distance: 5, angle: 0 });
    expect(gap(loop([true, false, false, false]), poses)).toEqual({ distance: 12, angle: 0 });
    const leaning = mechanism.forward(at([0, 0, 0], [1, 0, 0], 0.25));
    expect(gap(loop([true, true, false, true]), leaning).angle).toBeCloseTo(0.25, 12);
    expect(gap(loop([true, true, true, false]), leaning).angle).toBeCloseTo(0, 12);
  });

  it("closes for each kind of constraint", () => {
    for (const holds of [[true, true, true, true], [true, true, false, true], [true, true, false, false]] as const) {
      const loops = [loop([...holds])];
      const poses = mechanism.forward(closed(mechanism, loops, at([0.3, -0.2, 0.5], [0.6, 0, 0.8], 1.1)));
      expect(errorOf(loops, poses)).toBeLessThan(1e-9);
    }
    expect(loopRows(loop([true, true, true, true]), mechanism.forward(two.start))).toHaveLength(6);
  });
});
