// MPK's normalized vector t of a robot, as NormalizedSpace of the library.

import type { Positions } from "./mechanism";
import type { State } from "./state";

/** t at the present positions; null if the robot has none. */
export function normalizedOf({ robot, mechanism, positions }: State): readonly number[] | null {
  const { coordinates } = robot;
  if (!coordinates.length) {
    return null;
  }
  return coordinates.map(({ default: usual, cyclic, drives }) => {
    const lead = drives.find(([joint, zero, one]) => one !== zero && !mechanism.follows(joint));
    if (!lead) {
      return usual;
    }
    const [joint, zero, one] = lead;
    const at = mechanism.of(positions, joint)[0]!;
    // From the nearer end, so that both are exact.
    const t = Math.abs(at - zero) <= Math.abs(one - at) ? (at - zero) / (one - zero) : 1 - (one - at) / (one - zero);
    return cyclic && (t < 0 || t > 1) ? t - Math.floor(t) : t;
  });
}

/** The positions of t; joints without a coordinate are at their initial positions. */
export function fromNormalized({ robot, mechanism }: State, t: readonly number[]): Positions {
  return robot.coordinates.reduce((out, { default: usual, drives }, index) => {
    const value = t[index]!;
    return drives.reduce((now, [joint, zero, one]) => {
      const at = value <= 0.5 ? zero + value * (one - zero) : one - (1 - value) * (one - zero);
      return value === usual ? now : mechanism.with(now, joint, [at]);
    }, out);
  }, robot.start);
}
