// Camera placement (Z up).

import type { Vector3 } from "../model";
import { cross, dot, plus, scaled, unit } from "../pose";

/** From the front of the robot (which faces X), slightly from its left and above. */
export const FIRST_VIEW: Vector3 = unit([1, 0.62, 0.32]);

export interface Lens {
  /** Half of the vertical field of view in radians, and the aspect ratio (width / height). */
  readonly halfAngle: number;
  readonly aspect: number;
}

/** The eye and target positions that fit all points into the view. */
export function fitView(
  points: readonly Vector3[],
  direction: Vector3,
  { halfAngle, aspect }: Lens,
): { readonly eye: Vector3; readonly target: Vector3 } {
  const right = unit([-direction[1], direction[0], 0]);
  const up = cross(direction, right);
  const slopeY = Math.tan(halfAngle);
  // An eye at depth e and lateral offset c sees a point at depth f and offset a if
  // |a - c| <= slope (e - f): two bounds on e, which meet at the optimal c.
  const nearest = (way: Vector3, slope: number): number => {
    let [more, less] = [-Infinity, -Infinity];
    for (const point of points) {
      const [depth, aside] = [dot(point, direction), dot(point, way) / slope];
      more = Math.max(more, depth + aside);
      less = Math.max(less, depth - aside);
    }
    return (more + less) / 2;
  };
  const eye = Math.max(nearest(right, slopeY * aspect), nearest(up, slopeY));
  const depths = points.map((point) => dot(point, direction));
  const middle = (Math.min(...depths) + Math.max(...depths)) / 2;
  const [across, upward] = [right, up].map((way) => balanced(points.map((point) => dot(point, way)), depths, eye));
  const aside = plus(scaled(right, across!), scaled(up, upward!));
  const at = (depth: number): Vector3 => plus(aside, scaled(direction, depth));
  return { eye: at(eye), target: at(middle) };
}

// Bisection steps for full precision.
const HALVINGS = 60;

/** The lateral offset of the eye that centers the outermost points in the view. */
function balanced(asides: readonly number[], depths: readonly number[], eye: number): number {
  let [low, high] = [Math.min(...asides), Math.max(...asides)];
  for (let step = 0; step < HALVINGS; step++) {
    const at = (low + high) / 2;
    let [more, less] = [0, 0];
    asides.forEach((aside, index) => {
      const slope = (aside - at) / Math.max(eye - depths[index]!, 1e-9);
      more = Math.max(more, slope);
      less = Math.max(less, -slope);
    });
    if (more > less) {
      low = at;
    } else {
      high = at;
    }
  }
  return (low + high) / 2;
}

/** Rotate the eye's offset from the target about Z and tilt it (radians), without passing the pole. */
export function orbit([x, y, z]: Vector3, turn: number, tilt: number): Vector3 {
  const distance = Math.hypot(x, y, z);
  const heading = Math.atan2(y, x) + turn;
  const most = Math.PI / 2 - 0.01;
  const height = Math.max(-most, Math.min(most, Math.asin(z / distance) + tilt));
  const level = distance * Math.cos(height);
  return [level * Math.cos(heading), level * Math.sin(heading), distance * Math.sin(height)];
}
