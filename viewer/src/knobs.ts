// Sliders: one for each position of a joint, and of the base.

import { KINDS } from "./kinds";
import { BASE, sizeOf } from "./mechanism";
import type { Vector3 } from "./model";
import { fromRpy, type Quaternion, toRpy } from "./quaternion";
import type { State } from "./state";
import { clamp, sliderRange } from "./units";

export interface Knob {
  /** The name of the joint, with a suffix if it has several positions: "wrist", "hip.roll". */
  readonly name: string;
  /** The label of the slider. */
  readonly label: string;
  readonly joint: number;
  readonly turns: boolean;
  /** The range of the slider, in rad or m. */
  readonly range: readonly [number, number];
  /** The limits, in rad or m; null if there is none. */
  readonly limits: { readonly lower: number | null; readonly upper: number | null };
  read(): number;
  /** Set the position, clamped to the limits; a value that is not finite is ignored. */
  write(position: number): void;
}

const AXES = ["x", "y", "z"] as const;
const TURNS = ["roll", "pitch", "yaw"] as const;
const NO_LIMITS = { lower: null, upper: null } as const;
const NEAR: readonly [number, number] = [-1, 1];
const HALF_TURN: readonly [number, number] = [-Math.PI, Math.PI];
const TILT: readonly [number, number] = [-Math.PI / 2, Math.PI / 2];

/** The sliders of a joint, or of the base; none for joints that do not move independently. */
export function knobsOf(state: State, joint: number): Knob[] {
  const { mechanism, robot } = state;
  const data = joint === BASE ? null : robot.joints[joint]!;
  const kind = data?.kind ?? "free";
  const name = data?.name ?? "base";
  if (sizeOf(kind) === 1 && data) {
    return [
      {
        name, label: name, joint, turns: KINDS[kind].angular, range: sliderRange(data), limits: data,
        read: () => state.of(joint)[0]!,
        write: (position) => {
          const within = clamp(data, position);
          if (within !== null) {
            state.move(joint, [within]);
          }
        },
      },
    ];
  }
  const part = (label: string, turns: boolean, range: Knob["range"], index: number): Knob => ({
    name: `${name}.${label}`, label: `${name} ${label}`, joint, turns, range, limits: NO_LIMITS,
    read: () => state.of(joint)[index]!,
    write: (position) => {
      if (clamp(NO_LIMITS, position) !== null) {
        state.move(joint, state.of(joint).with(index, position));
      }
    },
  });
  const start = mechanism.of(robot.start, joint);
  const slides = (count: number): Knob[] =>
    AXES.slice(0, count).map((label, index) => {
      const at = start[index]!;
      return part(label, false, [at + NEAR[0], at + NEAR[1]], index);
    });
  switch (kind) {
    case "universal":
      return [0, 1].map((index) => ({
        ...part(`angle ${index + 1}`, true, sliderRange(data!), index), limits: data!,
        write: (position) => {
          const within = clamp(data!, position);
          if (within !== null) {
            state.move(joint, state.of(joint).with(index, within));
          }
        },
      }));
    case "planar":
      return [...slides(2), part("angle", true, HALF_TURN, 2)];
    case "ball":
      return turnKnobs(state, joint, name);
    case "free":
      return [...slides(3), ...turnKnobs(state, joint, name)];
    default:
      return [];
  }
}

/** Roll, pitch and yaw of the quaternion of a joint. */
function turnKnobs(state: State, joint: number, name: string): Knob[] {
  // Euler angles are not unique: the angles that were set are kept until the orientation changes.
  let kept: Vector3 = [0, 0, 0];
  const angles = (): Vector3 => {
    const now = state.of(joint).slice(-4) as unknown as Quaternion;
    const was = fromRpy(kept);
    if (Math.abs(now.reduce((sum, value, index) => sum + value * was[index]!, 0)) < 1 - 1e-12) {
      kept = toRpy(now);
    }
    return kept;
  };
  return TURNS.map((label, index) => ({
    name: `${name}.${label}`, label: `${name} ${label}`, joint, turns: true, range: index === 1 ? TILT : HALF_TURN,
    limits: NO_LIMITS,
    read: () => angles()[index]!,
    write: (position) => {
      if (Number.isFinite(position)) {
        kept = angles().map((value, other) => (other === index ? position : value)) as unknown as Vector3;
        state.move(joint, [...state.of(joint).slice(0, -4), ...fromRpy(kept)]);
      }
    },
  }));
}
