import { describe, expect, it } from "vitest";
import {
  clamp, counted, digits, kilograms, lengthText, limits, propertyText, shown, sliderRange, unitOf,
} from "../src/units";

const hinge = (lower: number | null, upper: number | null) => ({ kind: "revolute" as const, lower, upper });
const rail = (lower: number | null, upper: number | null) => ({ kind: "prismatic" as const, lower, upper });

describe("the slider's range", () => {
  it("is the limits", () => {
    expect(sliderRange(hinge(-1, 2))).toEqual([-1, 2]);
    expect(sliderRange(hinge(2, -1))).toEqual([-1, 2]);
  });

  it("is half a turn or 1 m to each side without limits", () => {
    expect(sliderRange(hinge(null, null))).toEqual([-Math.PI, Math.PI]);
    expect(sliderRange(rail(null, null))).toEqual([-1, 1]);
  });

  it("keeps a single limit", () => {
    expect(sliderRange(rail(0, null))).toEqual([0, 2]);
    expect(sliderRange(rail(-0.5, null))).toEqual([-0.5, 1.5]);
    expect(sliderRange(rail(5, null))).toEqual([5, 7]);
    expect(sliderRange(rail(null, -5))).toEqual([-7, -5]);
  });
});

describe("clamp", () => {
  it("clamps to the limits", () => {
    expect(clamp(hinge(-1, 2), 3)).toBe(2);
    expect(clamp(hinge(-1, 2), -3)).toBe(-1);
    expect(clamp(hinge(2, -1), 3)).toBe(2);
    expect(clamp(hinge(null, 2), -300)).toBe(-300);
    expect(clamp(hinge(null, null), 100)).toBe(100);
  });

  it("returns null for NaN", () => {
    expect(clamp(hinge(-1, 2), Number.NaN)).toBeNull();
    expect(clamp(hinge(null, null), Number.POSITIVE_INFINITY)).toBeNull();
  });
});

describe("formatting", () => {
  it("rounds degrees and meters", () => {
    expect(shown(unitOf(hinge(null, null)), Math.PI / 6)).toBe("30");
    expect(shown(unitOf(hinge(null, null)), -0.0001)).toBe("0");
    expect(shown(unitOf(rail(null, null)), 0.12345)).toBe("0.1235");
  });

  it("formats limits", () => {
    expect(limits(hinge(-Math.PI / 4, Math.PI / 6))).toBe("−45 … 30°");
    expect(limits(rail(0, 0.5))).toBe("0 … 0.5 m");
    expect(limits(rail(0, null))).toBe("≥ 0 m");
    expect(limits(hinge(null, Math.PI))).toBe("≤ 180°");
    expect(limits(hinge(null, null))).toBe("no limits");
  });

  it("formats counts", () => {
    expect(counted(1, "link")).toBe("1 link");
    expect(counted(2, "link")).toBe("2 links");
    expect(kilograms(40.000000001)).toBe("40 kg");
  });

  it("supports radians", () => {
    expect(limits(hinge(-1, 0.5), "rad")).toBe("−1 … 0.5 rad");
    expect(shown(unitOf(hinge(null, null), "rad"), 0.123456)).toBe("0.1235");
    expect(shown(unitOf(rail(null, null), "rad"), 0.1)).toBe("0.1");
  });

  it("limits the digits", () => {
    expect(["0.1", 1e-7, 123456789, -0, -12.5].map((v) => digits(Number(v), 4))).toEqual([
      "0.1", "1e−7", "1.235e+8", "0", "−12.5",
    ]);
    expect([lengthText(0.0123456), lengthText(1.5)]).toEqual(["12.346 mm", "1.5 m"]);
  });
});

describe("properties", () => {
  it("use the selected angle unit", () => {
    const limit = propertyText(["limit", { range: [-Math.PI, null] }, "rad"], "deg");
    expect(limit).toEqual({ rows: [["−180 … ∞"]], unit: "°" });
    expect(propertyText(["speed", Math.PI, "rad/s"], "deg")).toEqual({ rows: [["180"]], unit: "°/s" });
    expect(propertyText(["speed", 2, "rad/s"], "rad")).toEqual({ rows: [["2"]], unit: "rad/s" });
  });

  it("are texts, numbers or rows of numbers", () => {
    expect(propertyText(["a", "<b>", ""], "deg").rows).toEqual([["<b>"]]);
    expect(propertyText(["a", true, ""], "deg").rows).toEqual([["yes"]]);
    expect(propertyText(["a", [1, -2], "m"], "deg").rows).toEqual([["1", "−2"]]);
    expect(propertyText(["a", [[1, 2], [3, 4]], "kg·m²"], "deg").rows).toEqual([["1", "2"], ["3", "4"]]);
  });
});
