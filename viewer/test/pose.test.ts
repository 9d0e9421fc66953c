import { describe, expect, it } from "vitest";
import {
  apply, axisFrame, compose, fromNumbers, IDENTITY, inverse, rotate, rows, slide, turn, unit,
} from "../src/pose";
import { between, fromPose, fromRpy, fromVector, multiply, toPose, toRpy, uniform } from "../src/quaternion";
import { chanceFrom, close } from "./make";

describe("poses", () => {
  it("rotate and translate along an axis", () => {
    close(apply(turn([0, 0, 1], Math.PI / 2), [1, 0, 0]), [0, 1, 0]);
    close(apply(turn([1, 0, 0], Math.PI / 2), [0, 1, 0]), [0, 0, 1]);
    close(apply(slide([0, 0.6, 0.8], 10), [1, 2, 3]), [1, 8, 11]);
  });

  it("convert from a position and a quaternion", () => {
    const half = Math.SQRT1_2;
    close(fromNumbers([1, 2, 3, half, 0, 0, half]), compose(slide([1, 2, 3], 1), turn([0, 0, 1], Math.PI / 2)));
    close(rows(IDENTITY), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });

  it("compose", () => {
    const there = compose(slide([1, 0, 0], 5), turn([0, 0, 1], Math.PI));
    close(apply(there, [1, 0, 0]), [4, 0, 0]);
  });

  it("have an inverse", () => {
    const there = compose(slide([1, 2, 3], 1), turn(unit([1, 2, -1]), 0.7));
    close(compose(there, inverse(there)), IDENTITY);
    close(apply(inverse(there), apply(there, [4, 5, 6])), [4, 5, 6]);
  });

  it("have a frame for each axis, as in the library", () => {
    close(axisFrame([0, 0, 1]), IDENTITY);
    // If the axis is X, Y is projected.
    close(axisFrame([1, 0, 0]), [0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
    const axis = unit([1, 2, 3]);
    close(rotate(axisFrame(axis), [0, 0, 1]), axis);
  });
});

describe("quaternions", () => {
  it("agree with poses", () => {
    const chance = chanceFrom(3);
    for (let i = 0; i < 20; i++) {
      const [a, b] = [0, 1].map(() => uniform([chance(), chance(), chance()]));
      close(toPose(multiply(a!, b!)), compose(toPose(a!), toPose(b!)));
      const back = fromPose(toPose(a!));
      expect(Math.abs(back.reduce((sum, v, k) => sum + v * a![k]!, 0))).toBeCloseTo(1, 12);
      close(toPose(fromRpy(toRpy(a!))), toPose(a!), 9);
    }
    close(toPose(fromVector([0, 0, 0.4])), turn([0, 0, 1], 0.4));
  });

  it("convert to roll, pitch and yaw, also at gimbal lock", () => {
    close(toRpy(fromRpy([0.3, -0.2, 2])), [0.3, -0.2, 2]);
    const [roll, pitch, yaw] = toRpy(fromRpy([0.3, Math.PI / 2, 0.1]));
    expect([pitch, yaw]).toEqual([expect.closeTo(Math.PI / 2, 6), 0]);
    expect(roll).toBeCloseTo(0.2, 6);
  });

  it("interpolate along the shorter arc", () => {
    const [from, to] = [fromVector([0, 0, 3]), fromVector([0, 0, -3])];
    close(toPose(between(from, to, 0.5)), turn([0, 0, 1], Math.PI));
    close(toPose(between(from, from, 0.5)), toPose(from));
  });
});
