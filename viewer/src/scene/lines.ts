// Lines with a width in pixels.

import { Group } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Vector3 } from "../model";

/** Material options of overlays: visible through everything else. */
export const ON_TOP = { depthTest: false, depthWrite: false, transparent: true } as const;
/** Render order of overlays: after the robot. */
export const ORDER = 10;

export interface Pen {
  readonly width: number;
  readonly opacity?: number;
}

/** A line material; lines that share it change color together. */
export function pen({ width, opacity = 1 }: Pen): LineMaterial {
  return new LineMaterial({ linewidth: width, opacity, ...ON_TOP });
}

/** Line segments between pairs of points. */
export function segments(points: readonly Vector3[], material: LineMaterial): LineSegments2 {
  const made = new LineSegments2(new LineSegmentsGeometry(), material);
  made.renderOrder = ORDER;
  setSegments(made, points);
  return made;
}

export function setSegments(lines: LineSegments2, points: readonly Vector3[]): void {
  const geometry = new LineSegmentsGeometry();
  // three.js cannot draw an empty geometry; a segment of length zero is invisible.
  geometry.setPositions((points.length ? points : [[0, 0, 0], [0, 0, 0]] as const).flat() as number[]);
  lines.geometry.dispose();
  lines.geometry = geometry;
}

/** Pairs of consecutive points of a path. */
export function path(points: readonly Vector3[], closed = false): Vector3[] {
  const ends = closed ? [...points, points[0]!] : points;
  return ends.slice(1).flatMap((point, index) => [ends[index]!, point]);
}

/** Points on a circle about Z from one angle to another. */
export function arc(radius: number, from: number, to: number, z = 0): Vector3[] {
  const count = Math.max(2, Math.ceil(Math.abs(to - from) / 0.12));
  return Array.from({ length: count + 1 }, (_, index) => {
    const angle = from + ((to - from) * index) / count;
    return [radius * Math.cos(angle), radius * Math.sin(angle), z] as const;
  });
}

/** An arrow along Z from 0 to 1. */
export function arrow(head = 0.22): Vector3[] {
  const side = head * 0.4;
  const back = 1 - head;
  const tips: Vector3[] = [[side, 0, back], [-side, 0, back], [0, side, back], [0, -side, back]];
  return [[0, 0, 0], [0, 0, 1], ...tips.flatMap((tip): Vector3[] => [[0, 0, 1], tip])];
}

/** A group whose matrix is set directly. */
export function placedGroup(): Group {
  const group = new Group();
  group.matrixAutoUpdate = false;
  return group;
}
