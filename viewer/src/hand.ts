// A joint turned by hand: the grabbed point of a link follows the pointer as well as that one joint can make it.

import { chain, type Mechanism, moves, type Positions } from "./mechanism";
import type { Grip } from "./inverse";
import type { RobotData, Vector3 } from "./model";
import { apply, type Pose } from "./pose";
import { clamp } from "./units";

/** Where a point of the robot's world is on the screen, in pixels; null behind the eye. */
export type Screen = (point: Vector3) => readonly [number, number] | null;

// How far a joint goes to find out where the point moves, in rad or m, and the farthest that it goes at once.
const PROBE = 1e-4;
const [LONGEST, TIMES] = [0.5, 6];
// Pixels per rad or m below which the point hardly moves on the screen: the joint moves less then.
const SLOW = 12;

/** The joint that a drag of a link turns: the nearest one above it that has one position, if no other is nearer. */
export function turnedBy(robot: RobotData, link: number): number | null {
  const near = chain(robot, link).find((joint) => robot.joints[joint]!.kind !== "fixed" && robot.joints[joint]!.kind !== "track");
  return near !== undefined && moves(robot.joints[near]!.kind) ? near : null;
}

/** The joint that moves a joint: itself, or the leader that it follows; null if nothing does. */
export function driverOf({ followers }: Pick<RobotData, "followers">, joint: number): number | null {
  const led = followers.find((each) => each.joint === joint);
  if (!led) {
    return joint;
  }
  return led.leader === null ? null : driverOf({ followers }, led.leader);
}

/** The position of a joint at which the grabbed point is nearest to a place on the screen. */
export function turnedTo(
  mechanism: Mechanism, start: Positions, joint: number, grip: Grip, screen: Screen, at: readonly [number, number],
): number {
  const data = mechanism.tree.joints[joint]!;
  const seen = (value: number): readonly [number, number] | null => {
    const poses: readonly Pose[] = mechanism.forward(mechanism.follow(mechanism.with(start, joint, [value])));
    return screen(apply(poses[grip.link]!, grip.point));
  };
  const first = mechanism.of(start, joint)[0]!;
  let value = first;
  for (let step = 0; step < TIMES; step++) {
    const [now, next] = [seen(value), seen(value + PROBE)];
    if (!now || !next) {
      break;
    }
    const [x, y] = [(next[0] - now[0]) / PROBE, (next[1] - now[1]) / PROBE];
    const amount = (x * (at[0] - now[0]) + y * (at[1] - now[1])) / (x * x + y * y + SLOW * SLOW);
    value = clamp(data, value + Math.max(-LONGEST, Math.min(LONGEST, amount))) ?? value;
    if (Math.abs(amount) < 1e-6) {
      break;
    }
  }
  return value;
}
