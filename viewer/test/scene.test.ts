import { describe, expect, it } from "vitest";
import { atLimit, railOf } from "../src/scene/axes";
import { bones } from "../src/bones";
import type { RobotData } from "../src/model";
import { FIRST_VIEW, fitView, orbit } from "../src/scene/camera";
import { arm, close } from "./make";
import { niceStep } from "../src/scene/grid";

describe("fitView", () => {
  const lens = { halfAngle: Math.PI / 4, aspect: 1 };

  it("fits a flat square into the view", () => {
    const square = [[0, 1, 1], [0, -1, 1], [0, 1, -1], [0, -1, -1]] as const;
    const { eye, target } = fitView(square, [1, 0, 0], lens);
    close(eye, [1, 0, 0]);
    close(target, [0, 0, 0]);
    // The narrower side is limiting.
    close(fitView(square, [1, 0, 0], { ...lens, aspect: 0.5 }).eye, [2, 0, 0]);
  });

  it("accounts for depth and targets the middle", () => {
    const { eye, target } = fitView([[2, 1, 1], [0, -3, 0]], [1, 0, 0], lens);
    // Both points are seen under the same slope.
    expect(eye[0] - 2).toBeCloseTo(Math.abs(1 - eye[1]), 12);
    expect(eye[0]).toBeCloseTo(Math.abs(-3 - eye[1]), 12);
    expect(target[0]).toBe(1);
  });
});

it("fitView centers vertically if the width is limiting", () => {
  const points = [[0, 3, 0], [0, -3, 0], [1, 0, 0.5], [-1, 0, 0]] as const;
  const { eye } = fitView(points, [1, 0, 0], { halfAngle: Math.PI / 4, aspect: 1 });
  const heights = points.map(([x, , z]) => (z - eye[2]) / (eye[0] - x));
  expect(Math.max(...heights)).toBeCloseTo(-Math.min(...heights), 9);
});

describe("orbit", () => {
  it("rotates about Z at the same distance and height", () => {
    const [x, y, z] = orbit([3, 0, 4], Math.PI / 2, 0);
    expect([x, y, z].map((v) => Math.round(v * 1e9) / 1e9)).toEqual([0, 3, 4]);
  });

  it("stops before the pole", () => {
    const [x, y, z] = orbit(FIRST_VIEW, 0, 10);
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 12);
    expect(z).toBeLessThan(1);
    expect(Math.sign(x)).toBe(Math.sign(FIRST_VIEW[0]));
  });
});

describe("a rail", () => {
  const ends = (lower: number | null, upper: number | null): number[] => {
    const [low, high] = railOf({ lower, upper }, 0.1);
    return [low![2], high![2]];
  };
  const plates = (lower: number | null, upper: number | null): number[] =>
    [...new Set(railOf({ lower, upper }, 0.1).slice(2).map(([, , z]) => z))];

  it("spans the limits, with a plate at each", () => {
    expect(ends(-0.2, 3)).toEqual([-0.2, 3]);
    expect(plates(-0.2, 3)).toEqual([-0.2, 3]);
    // Reversed limits are drawn at their positions.
    expect(plates(1, -1)).toEqual([1, -1]);
  });

  it("extends beyond zero if a limit is missing", () => {
    expect(ends(null, null)).toEqual([-0.1, 0.1]);
    expect(plates(null, null)).toEqual([]);
    expect(ends(0.5, null)).toEqual([0.5, 0.6]);
    expect(plates(0.5, null)).toEqual([0.5]);
    expect(ends(null, -1)).toEqual([-1.1, -1]);
    expect(plates(null, -1)).toEqual([-1]);
  });
});

it("detects a joint at or beyond its limit", () => {
  const at = (lower: number | null, upper: number | null) => (position: number) => atLimit({ lower, upper }, position);
  expect([-2, -1, 0, 1, 2].map(at(-1, 1))).toEqual([true, true, false, true, true]);
  expect([-2, 0, 1, 2].map(at(1, -1))).toEqual([true, false, true, true]);
  expect([-9, 0, 1].map(at(null, 1))).toEqual([false, false, true]);
  expect([-9, 9].map(at(null, null))).toEqual([false, false]);
});

it("grid cells are 1, 2 or 5 times a power of ten", () => {
  expect([0.034, 0.7, 1, 2.4, 99].map((v) => Number(niceStep(v).toPrecision(6)))).toEqual([0.02, 0.5, 1, 2, 50]);
});

describe("bones", () => {
  const lack = (link: number) => ({ link, place: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] as const });
  const shape = (link: number) => ({ ...lack(link), mesh: 0, material: -1, name: "" });
  const chain = (visual: number[], missing: number[]): RobotData => ({
    ...arm(3),
    shapes: { visual: visual.map(shape), collision: [] },
    missing: { visual: missing.map(lack), collision: [] },
  });

  it("stand for missing shapes of links without others", () => {
    expect(bones(chain([0, 3], [1, 3]), "visual")).toEqual([{ link: 1, end: [1, 0, 0] }]);
    expect(bones(chain([0, 3], [1, 3]), "collision")).toEqual([]);
  });

  it("pass through links without any shape if no shape can be shown", () => {
    expect(bones(chain([], [1]), "visual").map(({ link }) => link)).toEqual([1, 2]);
    expect(bones(chain([], []), "visual")).toEqual([]);
  });
});
