import { describe, expect, it } from "vitest";
import { type Cloud, cutAt, edgesWithin, extent, generator, mirrored, obstacle, outermost, primes, rampAt, sampled, shades, spacing, withinCut } from "../src/cloud";
import { capture, restore } from "../src/snapshot";
import { State } from "../src/state";
import { arm, close, fourBar, joint, link, robot } from "./make";

const CORNERS = new Float32Array([0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 3]);

it("computes the extent of each axis", () => {
  expect([0, 1, 2].map((axis) => extent(CORNERS, axis, 3))).toEqual([[0, 1], [0, 2], [0, 3]]);
});

it("finds the vertices of the hull", () => {
  const inside = Array.from({ length: 50 }, (_, i) => [0.5 + 0.004 * i, 0.5, 0.5 - 0.004 * i]).flat();
  const cube = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].flatMap((z) => [x, y, z])));
  expect(outermost(new Float32Array([...inside, ...cube]), 120).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 8 }, (_, i) => 50 + i),
  );
  expect(outermost(new Float32Array(), 10)).toEqual([]);
});

it("colors show the distance or a coordinate", () => {
  expect([...shades(CORNERS, "z", [0, 0, 0])]).toEqual([0, 0, 0, 3]);
  close([...shades(CORNERS, "distance", [1, 0, 0])], [1, 0, Math.hypot(1, 2), Math.hypot(0, 2, 3)], 6);
  expect(rampAt(0)).toEqual([59 / 255, 81 / 255, 139 / 255]);
  expect(rampAt(2)).toEqual([253 / 255, 231 / 255, 37 / 255]);
  expect(rampAt(0.5)).toEqual([39 / 255, 173 / 255, 129 / 255]);
});

it("a cut hides the points beyond it", () => {
  expect([...withinCut(CORNERS, null)]).toEqual([0, 1, 2, 3]);
  expect(cutAt(CORNERS, { axis: 1, share: 0.5 })).toBe(1);
  expect([...withinCut(CORNERS, { axis: 1, share: 0.5 })]).toEqual([0, 1]);
  expect([...withinCut(CORNERS, { axis: 1, share: 1 })]).toEqual([0, 1, 2, 3]);
});

describe("spacing", () => {
  it("is the distance between neighbors of a grid", () => {
    const grid = Array.from({ length: 1000 }, (_, i) => [i % 10, Math.floor(i / 10) % 10, Math.floor(i / 100)]);
    expect(spacing(new Float32Array(grid.flat().map((v) => v * 0.1)))).toBeCloseTo(0.1, 6);
  });

  it("is 0 for coincident points and for no points", () => {
    expect(spacing(new Float32Array(30))).toBe(0);
    expect(spacing(new Float32Array())).toBe(0);
  });
});

it("computes terms of the Halton sequence", () => {
  close([1, 2, 3, 4, 5].map((term) => mirrored(term, 2)), [0.5, 0.25, 0.75, 0.125, 0.625]);
  close([1, 2, 3, 4].map((term) => mirrored(term, 3)), [1 / 3, 2 / 3, 1 / 9, 4 / 9]);
  expect(primes(5)).toEqual([2, 3, 5, 7, 11]);
});

describe("sampled", () => {
  it("covers the joint limits and samples only ancestors of the link", () => {
    const two = arm(2, { lower: 0, upper: Math.PI / 2 });
    const { points, samples, method } = sampled(two, { kind: "link", index: 2 }, 500);
    expect([points.length, samples, method]).toEqual([1500, 500, "halton"]);
    for (let at = 0; at < points.length; at += 3) {
      expect(Math.hypot(points[at]!, points[at + 1]!)).toBeCloseTo(1, 6);
      expect(Math.min(points[at]!, points[at + 1]!)).toBeGreaterThanOrEqual(-1e-6);
    }
    // The first sample is the middle of all ranges.
    close([...points.subarray(0, 3)], [Math.SQRT1_2, Math.SQRT1_2, 0], 6);
  });

  it("samples the origin of a frame with coupled joints", () => {
    const frames = [{ name: "tip", link: 2, pose: [1, 0, 0, 1, 0, 0, 0] as const, trace: false, properties: [], at: null }];
    const followers = [{ joint: 1, leader: 0, ratio: -1, offset: 0 }];
    const two = { ...arm(2, { lower: 0, upper: 1 }), frames, followers };
    const { points } = sampled(two, { kind: "frame", index: 0 }, 50);
    for (let at = 0; at < points.length; at += 3) {
      // The second link keeps its orientation.
      expect(Math.hypot(points[at]! - 1, points[at + 1]!)).toBeCloseTo(1, 6);
    }
  });

  it("is uniform random for many joints", () => {
    const many = sampled(arm(60, { lower: -1, upper: 1 }), { kind: "link", index: 1 }, 100);
    expect(many.method).toBe("uniform");
    expect(many.points).toEqual(sampled(arm(60, { lower: -1, upper: 1 }), { kind: "link", index: 1 }, 100).points);
    const chance = generator(7);
    const drawn = Array.from({ length: 4000 }, chance);
    expect(drawn.reduce((sum, value) => sum + value) / 4000).toBeCloseTo(0.5, 1);
    expect(Math.max(...drawn)).toBeLessThan(1);
  });

  it("does not move a prismatic joint without limits", () => {
    const slide = robot([link("base", -1, -1), link("car", 0, 0)], [joint("lift", "prismatic", 1, { initial: 0.5 })]);
    expect([...sampled(slide, { kind: "link", index: 1 }, 2).points]).toEqual([0, 0, 0.5, 0, 0, 0.5]);
  });

  it("is unavailable for closed loops", () => {
    expect(obstacle(arm(1))).toBeNull();
    expect(obstacle(fourBar())).toContain("--workspace");
  });
});

it("samples the workspace again when the model is reloaded", () => {
  const state = new State(arm(2));
  state.reach({ kind: "link", index: 2 });
  state.see({ shade: "y", cut: { axis: 1, share: 0.25 } });
  const next = new State(arm(3));
  restore(next, capture(state));
  expect(next.cloud?.item).toEqual({ kind: "link", index: 2 });
  expect(next.look).toEqual({ shade: "y", cut: { axis: 1, share: 0.25 } });
  // Points of the model are not sampled by the page.
  state.surround({ ...state.cloud!, own: false });
  const third = new State(arm(3));
  restore(third, capture(state));
  expect(third.cloud).toBeNull();
});

it("emits changes of the workspace, and removes the cut of a new one", () => {
  const state = new State(arm(1));
  const told: string[] = [];
  state.on("cloud", () => told.push("cloud"));
  state.on("look", () => told.push("look"));
  state.reach({ kind: "link", index: 1 });
  state.see({ cut: { axis: 0, share: 0.25 }, shade: "x" });
  state.surround(null);
  expect(told).toEqual(["cloud", "look", "cloud"]);
  expect(state.look).toEqual({ shade: "x", cut: null });
});

it("keeps the edges between points that a cut keeps", () => {
  const cloud = { points: CORNERS, edges: Uint32Array.of(0, 1, 1, 3, 2, 0) } as unknown as Cloud;
  expect([...edgesWithin(cloud, null)]).toEqual([0, 1, 1, 3, 2, 0]);
  expect([...edgesWithin(cloud, { axis: 2, share: 0.5 })]).toEqual([0, 1, 2, 0]);
  expect([...edgesWithin({ ...cloud, edges: null }, null)]).toEqual([]);
});
