// Distances between triangles, and the points that are nearest to each other.

import type { Vector3 } from "./model";
import { apply, cross, dot, minus, plus, type Pose, scaled } from "./pose";
import { around, type Tree } from "./tree";

/** A distance in m and the nearest points of both. */
export interface Nearest {
  readonly distance: number;
  readonly a: Vector3;
  readonly b: Vector3;
}

type Triangle = readonly [Vector3, Vector3, Vector3];

/** The nearest points of the triangles of two trees, nearer than ``far``; the second is at a pose in the frame of the first. */
export function nearest(one: Tree, other: Tree, pose: Pose, far: number): Nearest | null {
  let best: Nearest | null = null;
  let least = far;
  const gap = (a: number, b: number): number => apart(one.boxes, 6 * a, around(other.boxes, b, pose));
  const todo: [a: number, b: number, gap: number][] = [[0, 0, gap(0, 0)]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [a, b, bound] = next;
    if (bound >= least) {
      continue;
    }
    const [below, under] = [one.children[a]!, other.children[b]!];
    if (below < 0 && under < 0) {
      const mine = triangles(one, below, a);
      for (const far of triangles(other, under, b)) {
        const theirs = far.map((corner) => apply(pose, corner)) as unknown as Triangle;
        for (const triangle of mine) {
          const found = betweenTriangles(triangle, theirs);
          if (found.distance < least) {
            [best, least] = [found, found.distance];
          }
        }
      }
      continue;
    }
    const split = under < 0 || (below >= 0 && size(one.boxes, a) > size(other.boxes, b));
    const parts = split ? [[below, b], [below + 1, b]] : [[a, under], [a, under + 1]];
    const bounded = parts.map(([x, y]): [number, number, number] => [x!, y!, gap(x!, y!)]);
    // The nearer one is taken first.
    todo.push(...bounded.sort((x, y) => y[2] - x[2]));
  }
  return best;
}

/** The distance between two boxes: of the first low and high corner begin at an index. */
export function apart(boxes: ArrayLike<number>, at: number, other: ArrayLike<number>): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const way = Math.max(0, boxes[at + axis]! - other[axis + 3]!, other[axis]! - boxes[at + 3 + axis]!);
    sum += way * way;
  }
  return Math.sqrt(sum);
}

function size(boxes: Float64Array, at: number): number {
  return [0, 1, 2].reduce((sum, axis) => sum + boxes[6 * at + 3 + axis]! - boxes[6 * at + axis]!, 0);
}

function triangles({ corners, counts }: Tree, first: number, node: number): Triangle[] {
  return Array.from({ length: counts[node]! }, (_, index) => triangleAt(corners, 9 * (-1 - first + index)));
}

/** The corners of a triangle at an index. */
export function triangleAt(corners: ArrayLike<number>, at: number): Triangle {
  const corner = (k: number): Vector3 => [corners[at + 3 * k]!, corners[at + 3 * k + 1]!, corners[at + 3 * k + 2]!];
  return [corner(0), corner(1), corner(2)];
}

/** The nearest points of two triangles that do not intersect: of a corner, or of two edges. */
function betweenTriangles(p: Triangle, q: Triangle): Nearest {
  let best: Nearest = { distance: Infinity, a: p[0], b: q[0] };
  const take = (a: Vector3, b: Vector3): void => {
    const distance = Math.hypot(...minus(a, b));
    if (distance < best.distance) {
      best = { distance, a, b };
    }
  };
  p.forEach((corner) => take(corner, onTriangle(corner, q)));
  q.forEach((corner) => take(onTriangle(corner, p), corner));
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      take(...betweenEdges(p[i]!, p[(i + 1) % 3]!, q[j]!, q[(j + 1) % 3]!));
    }
  }
  return best;
}

/** The point of a triangle that is nearest to a point (by the regions of its corners, edges and inside). */
export function onTriangle(point: Vector3, [a, b, c]: Triangle): Vector3 {
  const [ab, ac, ap] = [minus(b, a), minus(c, a), minus(point, a)];
  const [d1, d2] = [dot(ab, ap), dot(ac, ap)];
  if (d1 <= 0 && d2 <= 0) {
    return a;
  }
  const bp = minus(point, b);
  const [d3, d4] = [dot(ab, bp), dot(ac, bp)];
  if (d3 >= 0 && d4 <= d3) {
    return b;
  }
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    return plus(a, scaled(ab, d1 === d3 ? 0 : d1 / (d1 - d3)));
  }
  const cp = minus(point, c);
  const [d5, d6] = [dot(ab, cp), dot(ac, cp)];
  if (d6 >= 0 && d5 <= d6) {
    return c;
  }
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    return plus(a, scaled(ac, d2 === d6 ? 0 : d2 / (d2 - d6)));
  }
  const va = d3 * d6 - d5 * d4;
  const [e, f] = [d4 - d3, d5 - d6];
  if (va <= 0 && e >= 0 && f >= 0) {
    return plus(b, scaled(minus(c, b), e + f === 0 ? 0 : e / (e + f)));
  }
  const sum = va + vb + vc;
  return plus(a, plus(scaled(ab, vb / sum), scaled(ac, vc / sum)));
}

/** The nearest points of two edges. */
function betweenEdges(p: Vector3, p2: Vector3, q: Vector3, q2: Vector3): [Vector3, Vector3] {
  const [u, v, r] = [minus(p2, p), minus(q2, q), minus(p, q)];
  const [a, e, f, b, c] = [dot(u, u), dot(v, v), dot(v, r), dot(u, v), dot(u, r)];
  const within = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
  const scale = a * e - b * b;
  let s = scale > 1e-12 * a * e ? within((b * f - c * e) / scale) : 0;
  let t = e > 0 ? (b * s + f) / e : 0;
  if (t < 0 || t > 1) {
    t = within(t);
    s = a > 0 ? within((b * t - c) / a) : 0;
  }
  return [plus(p, scaled(u, s)), plus(q, scaled(v, t))];
}

/** A point that two triangles have in common: the middle of where edges of one cross the other. */
export function common(p: Triangle, q: Triangle): Vector3 {
  const points = [...crossings(p, q), ...crossings(q, p)];
  if (points.length) {
    return scaled(points.reduce(plus), 1 / points.length);
  }
  const { a, b } = betweenTriangles(p, q);
  return scaled(plus(a, b), 0.5);
}

function crossings(edges: Triangle, [a, b, c]: Triangle): Vector3[] {
  const normal = cross(minus(b, a), minus(c, a));
  return edges.flatMap((from, index) => {
    const to = edges[(index + 1) % 3]!;
    const [above, below] = [dot(normal, minus(from, a)), dot(normal, minus(to, a))];
    if (above === below || above * below > 0) {
      return [];
    }
    const point = plus(from, scaled(minus(to, from), above / (above - below)));
    const near = onTriangle(point, [a, b, c]);
    return Math.hypot(...minus(near, point)) <= 1e-9 * (1 + Math.hypot(...point)) ? [point] : [];
  });
}

/** The points of two nearest ones, in the world. */
export function placedNearest({ distance, a, b }: Nearest, pose: Pose): Nearest {
  return { distance, a: apply(pose, a), b: apply(pose, b) };
}
