// Loop closure: gaps between anchors, and positions at which the loops are closed.

import { KINDS } from "./kinds";
import { BASE, type Mechanism, type Positions } from "./mechanism";
import type { LoopData, Vector3 } from "./model";
import {
  axisFrame,
  compose,
  cross,
  dot,
  fromNumbers,
  inverse,
  minus,
  origin,
  type Pose,
  rotate,
  scaled,
  unit,
} from "./pose";
import { between, fromPose, type Quaternion } from "./quaternion";
import { type Row, length, solve } from "./solve";

/** Both anchors of a loop in the world. */
export interface Anchors {
  readonly a: Pose;
  readonly b: Pose;
}

export function anchors(loop: LoopData, poses: readonly Pose[]): Anchors {
  return {
    a: compose(poses[loop.a]!, fromNumbers(loop.poseA)),
    b: compose(poses[loop.b]!, fromNumbers(loop.poseB)),
  };
}

/** Distance (m) and angle (rad) between the anchors, in the constrained directions. */
export function gap(loop: LoopData, poses: readonly Pose[]): { readonly distance: number; readonly angle: number } {
  const rows = loopRows(loop, poses);
  const sum = (of: (row: Row) => boolean): number => length(rows.filter(of));
  const isLength = ({ linear }: Row): boolean => dot(linear, linear) > 0;
  return { distance: sum(isLength), angle: sum((row) => !isLength(row)) };
}

/** The constraint rows of a loop. */
export function loopRows(loop: LoopData, poses: readonly Pose[]): Row[] {
  const { a, b } = anchors(loop, poses);
  const frame = compose(a, axisFrame(loop.axis));
  const [u, v, axis] = [0, 1, 2].map((c): Vector3 => [frame[c]!, frame[4 + c]!, frame[8 + c]!]);
  const [along, across, about, tilt] = loop.holds;
  const [from, at] = [origin(a), origin(b)];
  const apart = minus(at, from);
  const shift = (way: Vector3): Row => ({
    error: dot(way, apart), plus: loop.b, minus: loop.a, angular: cross(at, way), linear: way,
  });
  const turned = (way: Vector3, error: number): Row => ({
    error, plus: loop.b, minus: loop.a, angular: way, linear: [0, 0, 0],
  });
  const lean = tilted(axis!, rotate(b, loop.axis));
  return [
    ...(along ? [shift(axis!)] : []),
    ...(across ? [shift(u!), shift(v!)] : []),
    ...(tilt ? [turned(u!, dot(u!, lean)), turned(v!, dot(v!, lean))] : []),
    ...(about ? [turned(axis!, twisted(a, b, loop.axis))] : []),
  ];
}

/** The rotation vector that rotates one direction onto another. */
function tilted(from: Vector3, to: Vector3): Vector3 {
  const across = cross(from, to);
  const angle = Math.atan2(Math.hypot(...across), dot(from, to));
  return angle > 0 ? scaled(unit(across), angle) : [0, 0, 0];
}

/** The rotation angle between two frames about an axis. */
function twisted(a: Pose, b: Pose, axis: Vector3): number {
  const [w, ...v] = fromPose(compose(inverse(a), b));
  const angle = 2 * Math.atan2(dot(v as unknown as Vector3, axis), w);
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}

const ITERATIONS = 60;
// Loops with a smaller error are closed; open loops must not open further.
const CLOSED = 1e-7;
// Step sizes toward a new position, in rad and m, small enough for the solver to follow.
const STRIDE = { angle: 0.1, length: 0.02 } as const;
const SHORTEST = 1 / 256;

export function errorOf(loops: readonly LoopData[], poses: readonly Pose[]): number {
  return length(loops.flatMap((loop) => loopRows(loop, poses)));
}

/** Close the loops as well as possible, starting at ``positions``; ``held`` joints stay fixed. */
export function closed(
  mechanism: Mechanism,
  loops: readonly LoopData[],
  positions: Positions,
  held: ReadonlySet<number> = new Set(),
): Positions {
  const rows = (poses: readonly Pose[]): Row[] => loops.flatMap((loop) => loopRows(loop, poses));
  return solve({ mechanism, rows, held, base: false, iterations: ITERATIONS }, positions).positions;
}

/**
 * Move a joint as far toward its new position as the loops allow;
 * the other joints move so that the loops stay closed.
 */
export function movedClosed(
  mechanism: Mechanism,
  loops: readonly LoopData[],
  start: Positions,
  joint: number,
  numbers: readonly number[],
): Positions {
  const from = mechanism.of(start, joint);
  const held = new Set([joint]);
  const errorAt = (positions: Positions): number => errorOf(loops, mechanism.forward(positions));
  let [positions, reached, stride] = [start, 0, 1 / steps(mechanism, joint, from, numbers)];
  let most = errorAt(start);
  while (reached < 1 && stride >= SHORTEST / steps(mechanism, joint, from, numbers)) {
    const share = Math.min(1, reached + stride);
    const moved = mechanism.follow(mechanism.with(positions, joint, partWay(mechanism, joint, from, numbers, share)));
    const next = closed(mechanism, loops, moved, held);
    const error = errorAt(next);
    if (error <= Math.max(CLOSED, most * (1 + 1e-7))) {
      [positions, reached, most] = [next, share, error];
    } else {
      stride /= 2;
    }
  }
  return positions;
}

function steps(mechanism: Mechanism, joint: number, from: readonly number[], to: readonly number[]): number {
  const kind = joint === BASE ? "free" : mechanism.tree.joints[joint]!.kind;
  const stride = kind === "prismatic" ? STRIDE.length : STRIDE.angle;
  const farthest = Math.max(0, ...from.map((value, index) => Math.abs(to[index]! - value)));
  return Math.min(400, Math.max(1, Math.ceil(farthest / stride)));
}

function partWay(
  mechanism: Mechanism,
  joint: number,
  from: readonly number[],
  to: readonly number[],
  share: number,
): readonly number[] {
  if (share >= 1) {
    return to;
  }
  const { quaternion } = KINDS[joint === BASE ? "free" : mechanism.tree.joints[joint]!.kind];
  const mixed = from.map((value, index) => value + share * (to[index]! - value));
  if (quaternion) {
    const turn = between(from.slice(-4) as unknown as Quaternion, to.slice(-4) as unknown as Quaternion, share);
    return [...mixed.slice(0, -4), ...turn];
  }
  return mixed;
}
