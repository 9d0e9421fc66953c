// Inverse kinematics: damped least squares (Levenberg-Marquardt) over all joints
// that may move, within their limits.

import { solveSymmetric } from "./linear";
import { BASE, type Mechanism, type Motion, moves, type Positions } from "./mechanism";
import type { Vector3 } from "./model";
import { dot, type Pose } from "./pose";

/**
 * A scalar constraint and its Jacobian: the error changes by ``angular`` · w + ``linear`` · v for the
 * angular velocity w and the velocity v at the world's origin of link ``plus``, minus those of ``minus``.
 */
export interface Row {
  readonly error: number;
  readonly plus: number;
  /** -1: the world. */
  readonly minus: number;
  readonly angular: Vector3;
  readonly linear: Vector3;
}

export interface Problem {
  readonly mechanism: Mechanism;
  readonly rows: (poses: readonly Pose[]) => Row[];
  /** Joints that stay fixed. */
  readonly held: ReadonlySet<number>;
  /** Whether the base may move. */
  readonly base: boolean;
  readonly iterations: number;
}

export interface Solution {
  readonly positions: Positions;
  /** Root sum of squares of the remaining errors. */
  readonly error: number;
}

/** An independent degree of freedom with its followers, and the bounds of its step. */
interface Freedom {
  readonly parts: readonly (readonly [Motion, number])[];
  readonly low: number;
  readonly high: number;
}

const EXACT = 1e-10;
const STILL = 1e-12;

export function solve(problem: Problem, start: Positions): Solution {
  const { mechanism } = problem;
  let positions = start;
  let poses = mechanism.forward(positions);
  let rows = problem.rows(poses);
  let error = length(rows);
  let damping = 1e-6;
  for (let step = 0; step < problem.iterations && error > EXACT && damping < 1e6; step++) {
    const freedoms = freedomsOf(problem, positions, poses);
    const amounts = stepOf(mechanism, rows, freedoms, damping);
    if (!amounts || Math.max(0, ...amounts.map(Math.abs)) < STILL) {
      break;
    }
    const next = mechanism.integrate(
      positions,
      freedoms.map(({ parts }, index) => [parts[0]![0], amounts[index]!] as const),
    );
    const nextPoses = mechanism.forward(next);
    const nextRows = problem.rows(nextPoses);
    const left = length(nextRows);
    if (left < error) {
      [positions, poses, rows, error] = [next, nextPoses, nextRows, left];
      damping = Math.max(1e-9, damping / 8);
    } else {
      damping *= 8;
    }
  }
  return { positions, error };
}

export function length(rows: readonly Row[]): number {
  return Math.sqrt(rows.reduce((sum, { error }) => sum + error * error, 0));
}

function freedomsOf({ mechanism, held, base }: Problem, positions: Positions, poses: readonly Pose[]): Freedom[] {
  const motions = mechanism.motions(poses);
  const shares = mechanism.shares(motions);
  const free = motions.filter(({ joint }) => !held.has(joint) && !mechanism.follows(joint));
  const all = base ? [...mechanism.motionsOf(BASE, poses), ...free] : free;
  return all.map((motion) => {
    const parts = [[motion, 1] as const, ...(shares.get(motion.joint) ?? [])];
    const joint = mechanism.tree.joints[motion.joint];
    if (!joint || !moves(joint.kind)) {
      return { parts, low: -Infinity, high: Infinity };
    }
    const at = positions[mechanism.offsets[motion.joint]!]!;
    const [lower, upper] = [joint.lower ?? -Infinity, joint.upper ?? Infinity];
    // A position beyond a limit may stay there.
    return { parts, low: Math.min(0, Math.min(lower, upper) - at), high: Math.max(0, Math.max(lower, upper) - at) };
  });
}

/** The step of each degree of freedom; steps beyond a limit are clamped and the others are solved again. */
function stepOf(
  mechanism: Mechanism,
  rows: readonly Row[],
  freedoms: readonly Freedom[],
  damping: number,
): number[] | null {
  const columns = freedoms.map((freedom) => rows.map((row) => rate(mechanism, row, freedom)));
  const stopped = new Map<number, number>();
  for (;;) {
    const amounts = leastSquares(rows, columns, stopped, damping);
    if (!amounts) {
      return null;
    }
    const beyond = freedoms.flatMap(({ low, high }, index) =>
      !stopped.has(index) && (amounts[index]! < low || amounts[index]! > high) ? [index] : [],
    );
    if (!beyond.length) {
      return amounts;
    }
    for (const index of beyond) {
      const { low, high } = freedoms[index]!;
      stopped.set(index, amounts[index]! < low ? low : high);
    }
  }
}

function rate(mechanism: Mechanism, row: Row, { parts }: Freedom): number {
  let sum = 0;
  for (const [motion, share] of parts) {
    const side =
      Number(mechanism.moves(motion.joint, row.plus)) -
      Number(row.minus >= 0 && mechanism.moves(motion.joint, row.minus));
    if (side) {
      sum += side * share * (dot(row.angular, motion.angular) + dot(row.linear, motion.linear));
    }
  }
  return sum;
}

/** The damped least-squares step of minimum norm, with some components given. */
function leastSquares(
  rows: readonly Row[],
  columns: readonly (readonly number[])[],
  given: ReadonlyMap<number, number>,
  damping: number,
): number[] | null {
  const wanted = rows.map(({ error }) => -error);
  given.forEach((amount, index) => columns[index]!.forEach((value, row) => (wanted[row]! -= value * amount)));
  const product = rows.map(() => rows.map(() => 0));
  columns.forEach((column, index) => {
    if (!given.has(index)) {
      column.forEach((value, i) => value && column.forEach((other, j) => (product[i]![j]! += value * other)));
    }
  });
  const largest = Math.max(1e-12, ...product.map((row, i) => row[i]!));
  product.forEach((row, i) => (row[i]! += damping * largest));
  const weights = solveSymmetric(product, wanted);
  return weights
    ? columns.map((column, index) => given.get(index) ?? column.reduce((sum, v, i) => sum + v * weights[i]!, 0))
    : null;
}
