import { describe, expect, it } from "vitest";
import { FIRST_VIEW, fitDistance, orbit } from "../src/scene/camera";
import { niceStep } from "../src/scene/grid";

describe("fitDistance", () => {
  const lens = { halfAngle: Math.PI / 4, aspect: 1 };

  it("brings a flat square just into view", () => {
    expect(fitDistance([0, 1, 1], [1, 0, 0], lens)).toBeCloseTo(1, 12);
  });

  it("counts what comes nearer", () => {
    expect(fitDistance([2, 1, 1], [1, 0, 0], lens)).toBeCloseTo(3, 12);
  });

  it("minds the narrower side", () => {
    expect(fitDistance([0, 1, 1], [1, 0, 0], { ...lens, aspect: 0.5 })).toBeCloseTo(2, 12);
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
