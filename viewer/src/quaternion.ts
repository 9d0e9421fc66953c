// Unit quaternions w, x, y, z: orientations of ball joints, free joints and the base.

import type { Vector3 } from "./model";
import type { Pose } from "./pose";

export type Quaternion = readonly [number, number, number, number];

/** The product a b. */
export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  const [aw, ax, ay, az] = a;
  const [bw, bx, by, bz] = b;
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

/** The unit quaternion; the identity for zero. */
export function normalized(q: Quaternion): Quaternion {
  const length = Math.hypot(...q);
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : [1, 0, 0, 0];
}

/** The quaternion of a rotation vector (rad). */
export function fromVector([x, y, z]: Vector3): Quaternion {
  const angle = Math.hypot(x, y, z);
  const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return normalized([Math.cos(angle / 2), x * s, y * s, z * s]);
}

/** The quaternion of roll, pitch, yaw about the fixed X, Y, Z axes. */
export function fromRpy([roll, pitch, yaw]: Vector3): Quaternion {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

/** Roll, pitch, yaw; at ±90° of pitch yaw is 0. */
export function toRpy(q: Quaternion): Vector3 {
  const [w, x, y, z] = q[0] < 0 ? [-q[0], -q[1], -q[2], -q[3]] as const : q;
  const [more, less] = [Math.hypot(w - y, x + z), Math.hypot(w + y, x - z)];
  let [half, other] = [Math.atan2(x + z, w - y), Math.atan2(x - z, w + y)];
  if (more < 1e-12) {
    half = other;
  } else if (less < 1e-12) {
    other = half;
  }
  return [wrapped(half + other), Math.atan2(2 * (w * y - x * z), more * less), wrapped(half - other)];
}

/** Spherical linear interpolation (shorter arc). */
export function between(a: Quaternion, b: Quaternion, share: number): Quaternion {
  const inside = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const angle = Math.acos(Math.min(1, Math.abs(inside)));
  const side = inside < 0 ? -1 : 1;
  const [u, v] =
    angle < 1e-6
      ? [1 - share, share * side]
      : [Math.sin((1 - share) * angle) / Math.sin(angle), (Math.sin(share * angle) / Math.sin(angle)) * side];
  return normalized([
    u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3],
  ]);
}

/** A uniformly distributed rotation (Shoemake 1992), from three numbers in [0, 1). */
export function uniform([a, b, c]: Vector3): Quaternion {
  const [r, s] = [Math.sqrt(1 - a), Math.sqrt(a)];
  const [p, q] = [2 * Math.PI * b, 2 * Math.PI * c];
  return [s * Math.cos(q), r * Math.sin(p), r * Math.cos(p), s * Math.sin(q)];
}

/** The pose of a quaternion and a position. */
export function toPose(q: Quaternion, at: Vector3 = [0, 0, 0]): Pose {
  const [w, x, y, z] = normalized(q);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), at[0],
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), at[1],
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), at[2],
  ];
}

/** The quaternion of a pose's rotation. */
export function fromPose(m: Pose): Quaternion {
  const [a, b, c, d, e, f, g, h, i] = [m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!, m[8]!, m[9]!, m[10]!];
  // The squares of the components add up to 4; the largest one has no cancellation.
  const squares = [1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i];
  const rows: Quaternion[] = [
    [squares[0]!, h - f, c - g, d - b],
    [h - f, squares[1]!, b + d, c + g],
    [c - g, b + d, squares[2]!, f + h],
    [d - b, c + g, f + h, squares[3]!],
  ];
  return normalized(rows[squares.indexOf(Math.max(...squares))]!);
}

function wrapped(angle: number): number {
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}
