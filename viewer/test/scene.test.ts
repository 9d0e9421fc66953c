import { describe, expect, it } from "vitest";
import { FIRST_VIEW, fitView, orbit } from "../src/scene/camera";
import { close } from "./make";
import { niceStep } from "../src/scene/grid";

describe("fitView", () => {
  const lens = { halfAngle: Math.PI / 4, aspect: 1 };

  it("brings a flat square just into view", () => {
    const square = [[0, 1, 1], [0, -1, 1], [0, 1, -1], [0, -1, -1]] as const;
    const { eye, target } = fitView(square, [1, 0, 0], lens);
    close(eye, [1, 0, 0]);
    close(target, [0, 0, 0]);
    // The narrower side counts.
    close(fitView(square, [1, 0, 0], { ...lens, aspect: 0.5 }).eye, [2, 0, 0]);
  });

  it("minds what comes nearer, and looks between", () => {
    const { eye, target } = fitView([[2, 1, 1], [0, -3, 0]], [1, 0, 0], lens);
    // Each sees the eye under its own slope.
    expect(eye[0] - 2).toBeCloseTo(Math.abs(1 - eye[1]), 12);
    expect(eye[0]).toBeCloseTo(Math.abs(-3 - eye[1]), 12);
    expect(target[0]).toBe(1);
  });
});

describe("orbit", () => {
  it("turns about Z at the same distance and height", () => {
    const [x, y, z] = orbit([3, 0, 4], Math.PI / 2, 0);
    expect([x, y, z].map((v) => Math.round(v * 1e9) / 1e9)).toEqual([0, 3, 4]);
  });

  it("stops short of the top", () => {
    const [x, y, z] = orbit(FIRST_VIEW, 0, 10);
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 12);
    expect(z).toBeLessThan(1);
    expect(Math.sign(x)).toBe(Math.sign(FIRST_VIEW[0]));
  });
});

it("grid cells are 1, 2 or 5 times a power of ten", () => {
  expect([0.034, 0.7, 1, 2.4, 99].map((v) => Number(niceStep(v).toPrecision(6)))).toEqual([0.02, 0.5, 1, 2, 50]);
});
