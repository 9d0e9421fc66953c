// Inverse kinematics of a dragged point: moves the joints between its link and the root.

import { closed, errorOf, loopRows } from "./loops";
import { chain, type Mechanism, movable, type Positions } from "./mechanism";
import type { LoopData, Vector3 } from "./model";
import { apply, cross, minus, type Pose } from "./pose";
import { type Row, solve } from "./solve";

const AXES: readonly Vector3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const ITERATIONS = 12;
// Weight of the loop constraints relative to the dragged point.
const STIFF = 30;
const CLOSED = 1e-6;

export interface Grip {
  readonly link: number;
  /** The dragged point, in the link's frame. */
  readonly point: Vector3;
}

/** Positions that bring the point as close to its target as possible, with closed loops. */
export function dragged(
  mechanism: Mechanism,
  loops: readonly LoopData[],
  start: Positions,
  grip: Grip,
  target: Vector3,
  baseMoves: boolean,
  /** The joints that stay where they are. */
  held: ReadonlySet<number> = new Set(),
): Positions {
  const { tree } = mechanism;
  // If no joint moves the link, the base moves.
  const base = baseMoves && !chain(tree, grip.link).some((joint) => movable(tree.joints[joint]!));
  const rows = (poses: readonly Pose[]): Row[] => [
    ...pointRows(grip, target, poses),
    ...loops.flatMap((loop) => loopRows(loop, poses)).map(stiffened),
  ];
  const near = solve({ mechanism, rows, held, base, iterations: ITERATIONS }, start).positions;
  if (!loops.length) {
    return near;
  }
  const again = closed(mechanism, loops, near, held);
  const error = (positions: Positions): number => errorOf(loops, mechanism.forward(positions));
  return error(again) <= Math.max(CLOSED, error(start)) ? again : start;
}

function pointRows({ link, point }: Grip, target: Vector3, poses: readonly Pose[]): Row[] {
  const at = apply(poses[link]!, point);
  const off = minus(at, target);
  return AXES.map((linear, index) => ({
    error: off[index]!, plus: link, minus: -1, angular: cross(at, linear), linear,
  }));
}

function stiffened({ error, plus, minus: other, angular, linear }: Row): Row {
  const times = ([x, y, z]: Vector3): Vector3 => [x * STIFF, y * STIFF, z * STIFF];
  return { error: error * STIFF, plus, minus: other, angular: times(angular), linear: times(linear) };
}
