// Where to look from: plain numbers, Z up.

import type { Vector3 } from "../model";

/** From in front of the robot, which looks along X, a little from its left and above. */
export const FIRST_VIEW: Vector3 = unit([1, 0.62, 0.32]);

export interface Lens {
  /** Half of the vertical angle of view in radians, and width over height. */
  readonly halfAngle: number;
  readonly aspect: number;
}

/** How far from the middle of a box the eye must be, so that all its corners are in view. */
export function fitDistance(halfSize: Vector3, direction: Vector3, lens: Lens): number {
  const right = unit([-direction[1], direction[0], 0]);
  const up = cross(direction, right);
  const slopeY = Math.tan(lens.halfAngle);
  const slopeX = slopeY * lens.aspect;
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const point: Vector3 = [
      corner & 1 ? halfSize[0] : -halfSize[0],
      corner & 2 ? halfSize[1] : -halfSize[1],
      corner & 4 ? halfSize[2] : -halfSize[2],
    ];
    const aside = Math.max(Math.abs(dot(point, right)) / slopeX, Math.abs(dot(point, up)) / slopeY);
    distance = Math.max(distance, dot(point, direction) + aside);
  }
  return distance;
}

/** The eye's offset from what it looks at, turned about Z and tilted (radians), never over the top. */
export function orbit([x, y, z]: Vector3, turn: number, tilt: number): Vector3 {
  const distance = Math.hypot(x, y, z);
  const heading = Math.atan2(y, x) + turn;
  const most = Math.PI / 2 - 0.01;
  const height = Math.max(-most, Math.min(most, Math.asin(z / distance) + tilt));
  const level = distance * Math.cos(height);
  return [level * Math.cos(heading), level * Math.sin(heading), distance * Math.sin(height)];
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector3, b: Vector3): Vector3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(v: Vector3): Vector3 {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
}
