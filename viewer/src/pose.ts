// Poses as the twelve numbers of a matrix's first three rows; doubles, as the library computes.

import type { Place, PoseNumbers, Vector3 } from "./model";

export type Pose = Place;

export const IDENTITY: Pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** The pose of frame C in A, from those of B in A and of C in B. */
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

/** A point of the inner frame, in the outer one. */
export function apply(a: Pose, [x, y, z]: Vector3): Vector3 {
  const at = (row: number): number => a[row]! * x + a[row + 1]! * y + a[row + 2]! * z + a[row + 3]!;
  return [at(0), at(4), at(8)];
}

/** From a position and a unit quaternion. */
export function fromNumbers([px, py, pz, w, x, y, z]: PoseNumbers): Pose {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px,
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py,
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz,
  ];
}

/** A turn by an angle about a unit vector. */
export function turn([x, y, z]: Vector3, angle: number): Pose {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    c + d * x * x, d * x * y - s * z, d * x * z + s * y, 0,
    d * x * y + s * z, c + d * y * y, d * y * z - s * x, 0,
    d * x * z - s * y, d * y * z + s * x, c + d * z * z, 0,
  ];
}

/** A shift along a unit vector. */
export function slide([x, y, z]: Vector3, distance: number): Pose {
  return [1, 0, 0, x * distance, 0, 1, 0, y * distance, 0, 0, 1, z * distance];
}

/** The sixteen numbers of the whole matrix, row by row. */
export function rows(a: Pose): number[] {
  return [...a, 0, 0, 0, 1];
}
