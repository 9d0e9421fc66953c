import { describe, expect, it } from "vitest";
import { driverOf, turnedBy, turnedTo } from "../src/hand";
import { dragged } from "../src/inverse";
import { chain, Mechanism } from "../src/mechanism";
import type { Vector3 } from "../src/model";
import { apply } from "../src/pose";
import { arm, joint, link, robot } from "./make";

/** Seen along Z, 100 pixels per meter. */
const above = ([x, y]: Vector3): readonly [number, number] => [100 * x, 100 * y];

describe("a hand", () => {
  it("turns the nearest joint that has one position", () => {
    const made = robot(
      [link("a", -1, -1), link("b", 0, 0), link("c", 1, 1), link("d", 0, 2)],
      [joint("j", "revolute", 1), joint("f", "fixed", 2), joint("s", "ball", 3)],
    );
    expect([0, 1, 2, 3].map((at) => turnedBy(made, at))).toEqual([null, 0, 0, null]);
  });

  it("turns a leader through its follower", () => {
    const made = { ...arm(2), followers: [{ joint: 1, leader: 0, ratio: 2, offset: 0 }] };
    expect([driverOf(made, 0), driverOf(made, 1)]).toEqual([0, 0]);
    expect(driverOf({ ...made, followers: [{ joint: 1, leader: null, ratio: 2, offset: 0 }] }, 1)).toBeNull();
  });

  it("brings the grabbed point under the pointer, within the limits", () => {
    const made = arm(3);
    const mechanism = new Mechanism(made);
    const last = made.links.length - 1;
    const grip = { link: last, point: [0.3, 0.2, 0.1] as Vector3 };
    const at = (value: number): readonly [number, number] =>
      above(apply(mechanism.forward(mechanism.with(made.start, 0, [value]))[last]!, grip.point));
    for (const value of [0.4, -0.3, 0.05]) {
      const before = at(0);
      const wanted = at(value);
      if (Math.hypot(wanted[0] - before[0], wanted[1] - before[1]) < 1) {
        continue;
      }
      const found = turnedTo(mechanism, made.start, 0, grip, above, wanted);
      const reached = at(found);
      expect(Math.hypot(reached[0] - wanted[0], reached[1] - wanted[1])).toBeLessThan(1);
    }
  });

  it("pulls a chain from its root on", () => {
    const made = arm(4);
    const mechanism = new Mechanism(made);
    const last = made.links.length - 1;
    const held = new Set(chain(made, last - 2));
    const target = apply(mechanism.forward(made.start)[last]!, [0.5, 0.3, 0.2]);
    const found = dragged(mechanism, [], made.start, { link: last, point: [0.5, 0, 0] }, target, false, held);
    for (const each of held) {
      expect(mechanism.of(found, each)).toEqual(mechanism.of(made.start, each));
    }
    expect(found).not.toEqual(made.start);
  });
});
