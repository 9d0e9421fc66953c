// Poses: the first three rows of a 4 × 4 matrix as twelve numbers, in double precision as in the library.

import type { Place, PoseNumbers, Vector3 } from "./model";

export type Pose = Place;

export const IDENTITY: Pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The pose of C in A, given B in A and C in B. */
export function compose(a: Pose, b: Pose): Pose {
  const out = new Array<number>(12);
  for (let row = 0; row < 12; row += 4) {
    const [x, y, z, p] = [a[row]!, a[row + 1]!, a[row + 2]!, a[row + 3]!];
    for (let column = 0; column < 4; column++) {
      out[row + column] = x * b[column]! + y * b[4 + column]! + z * b[8 + column]!;
    }
    out[row + 3]! += p;
  }
  return out;
}

/** Transform a point. */
export function apply(a: Pose, [x, y, z]: Vector3): Vector3 {
  const at = (row: number): number => a[row]! * x + a[row + 1]! * y + a[row + 2]! * z + a[row + 3]!;
  return [at(0), at(4), at(8)];
}

/** Rotate a direction. */
export function rotate(a: Pose, [x, y, z]: Vector3): Vector3 {
  const at = (row: number): number => a[row]! * x + a[row + 1]! * y + a[row + 2]! * z;
  return [at(0), at(4), at(8)];
}

/** Rotate a direction by the inverse of a rigid pose. */
export function unrotate(a: Pose, [x, y, z]: Vector3): Vector3 {
  const at = (column: number): number => a[column]! * x + a[4 + column]! * y + a[8 + column]! * z;
  return [at(0), at(1), at(2)];
}

export function origin(a: Pose): Vector3 {
  return [a[3]!, a[7]!, a[11]!];
}

/** The inverse of a rigid pose. */
export function inverse(a: Pose): Pose {
  const [x, y, z] = unrotate(a, origin(a));
  return [a[0]!, a[4]!, a[8]!, -x, a[1]!, a[5]!, a[9]!, -y, a[2]!, a[6]!, a[10]!, -z];
}

/** The pose of a position and a unit quaternion. */
export function fromNumbers([px, py, pz, w, x, y, z]: PoseNumbers): Pose {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px,
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py,
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz,
  ];
}

/** Rotation by an angle (rad) about a unit vector. */
export function turn([x, y, z]: Vector3, angle: number): Pose {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    c + d * x * x, d * x * y - s * z, d * x * z + s * y, 0,
    d * x * y + s * z, c + d * y * y, d * y * z - s * x, 0,
    d * x * z - s * y, d * y * z + s * x, c + d * z * z, 0,
  ];
}

/** Translation by a distance along a unit vector. */
export function slide([x, y, z]: Vector3, distance: number): Pose {
  return [1, 0, 0, x * distance, 0, 1, 0, y * distance, 0, 0, 1, z * distance];
}

/** The sixteen numbers of the 4 × 4 matrix, row by row. */
export function rows(a: Pose): number[] {
  return [...a, 0, 0, 0, 1];
}

export function plus(a: Vector3, b: Vector3): Vector3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function minus(a: Vector3, b: Vector3): Vector3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function scaled(a: Vector3, factor: number): Vector3 {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

export function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector3, b: Vector3): Vector3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The unit vector of a direction; Z for the zero vector. */
export function unit(v: Vector3): Vector3 {
  const length = Math.hypot(...v);
  return length > 0 ? scaled(v, 1 / length) : [0, 0, 1];
}

/**
 * The frame whose Z axis is a unit vector: its X axis is the projection of X onto the plane normal to it
 * (of Y if the axis is along X). A planar joint slides along its X and Y axes (as in the library).
 */
export function axisFrame(axis: Vector3): Pose {
  const [x, y, z] = axis;
  const level = Math.hypot(y, z);
  const u: Vector3 = level > 1e-12 ? [level, (-x * y) / level, (-x * z) / level] : [0, 1, 0];
  const v = cross(axis, u);
  return [u[0], v[0], x, 0, u[1], v[1], y, 0, u[2], v[2], z, 0];
}
