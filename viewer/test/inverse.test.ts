import { expect, it } from "vitest";
import { dragged } from "../src/inverse";
import { errorOf } from "../src/loops";
import { Mechanism } from "../src/mechanism";
import type { RobotData, Vector3 } from "../src/model";
import { apply } from "../src/pose";
import { arm, close, fourBar } from "./make";

const TIP: Vector3 = [1, 0, 0];

interface Pulled {
  readonly at: Vector3;
  readonly positions: readonly number[];
}

function pull(robot: RobotData, link: number, target: Vector3, base = false): Pulled {
  const mechanism = new Mechanism(robot);
  let positions: readonly number[] = robot.start;
  for (let move = 0; move < 6; move++) {
    positions = dragged(mechanism, robot.loops, positions, { link, point: TIP }, target, base);
  }
  return { at: apply(mechanism.forward(positions)[link]!, TIP), positions };
}

it("reaches the target", () => {
  const bent = { ...arm(3), start: [0, 0, 0, 1, 0, 0, 0, 0.2, 0.3, 0.4] };
  close(pull(bent, 3, [1.2, 1.1, 0]).at, [1.2, 1.1, 0], 4);
});

it("gets as close as possible", () => {
  const { at } = pull(arm(2), 2, [0, 5, 0]);
  close(at, [0, 2, 0], 2);
});

it("respects limits", () => {
  const { positions } = pull(arm(2, { lower: -0.3, upper: 0.3 }), 2, [0, 2, 0]);
  close(positions.slice(7), [0.3, 0.3], 6);
});

it("moves the base if no joint moves the link", () => {
  const loose: RobotData = { ...arm(2), base: "free" };
  const { at, positions } = pull(loose, 0, [3, 4, 5], true);
  close(at, [3, 4, 5], 5);
  expect(positions.slice(7)).toEqual([0, 0]);
  close(pull(loose, 0, [3, 4, 5], false).at, TIP);
});

it("keeps loops closed", () => {
  const bar = fourBar();
  const mechanism = new Mechanism(bar);
  const { at, positions } = pull(bar, 3, [2.6, 0.8, 0]);
  close(at, [2.6, 0.8, 0], 3);
  expect(errorOf(bar.loops, mechanism.forward(positions))).toBeLessThan(1e-7);
});
