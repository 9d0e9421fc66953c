// Bounding boxes over triangles, as a binary tree: for links that touch, and for what is under the pointer.

import type { Pose } from "./pose";

// Triangles of a leaf.
const LEAF = 4;

export interface Tree {
  /** Low and high corner of each node: six numbers. */
  readonly boxes: Float64Array;
  /** First child of a node (the second follows it), or -1 - first triangle of a leaf. */
  readonly children: Int32Array;
  readonly counts: Int32Array;
  /** Corners of the triangles: nine numbers each. */
  readonly corners: Float64Array | Float32Array;
}

/** A tree over triangles of nine numbers each, which halves the longest side of the box of their middles. */
export function grow<A extends Float64Array | Float32Array>(given: A): Tree {
  const count = given.length / 9;
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  const middle = new Float64Array(3 * count);
  for (let i = 0; i < 3 * count; i++) {
    const at = 9 * Math.floor(i / 3) + (i % 3);
    middle[i] = given[at]! + given[at + 3]! + given[at + 6]!;
  }
  const boxes: number[] = [];
  const children: number[] = [];
  const counts: number[] = [];
  const node = (): number => {
    boxes.push(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    children.push(0);
    return counts.push(0) - 1;
  };
  const todo: [node: number, begin: number, end: number][] = [[node(), 0, count]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [at, begin, end] = next;
    for (let i = begin; i < end; i++) {
      const from = 9 * order[i]!;
      for (let k = 0; k < 9; k++) {
        const [value, low] = [given[from + k]!, 6 * at + (k % 3)];
        boxes[low] = Math.min(boxes[low]!, value);
        boxes[low + 3] = Math.max(boxes[low + 3]!, value);
      }
    }
    if (end - begin <= LEAF) {
      children[at] = -1 - begin;
      counts[at] = end - begin;
      continue;
    }
    const half = halved(order, middle, begin, end);
    const first = node();
    const second = node();
    children[at] = first;
    todo.push([first, begin, half], [second, half, end]);
  }
  const corners = given.slice() as A;
  order.forEach((from, to) => corners.set(given.subarray(9 * from, 9 * from + 9), 9 * to));
  return { boxes: Float64Array.from(boxes), children: Int32Array.from(children), counts: Int32Array.from(counts), corners };
}

/** Split a part of the order in space; in the middle of the order if all are on one side. */
function halved(order: Uint32Array, middle: Float64Array, begin: number, end: number): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = begin; i < end; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = middle[3 * order[i]! + axis]!;
      low[axis] = Math.min(low[axis]!, value);
      high[axis] = Math.max(high[axis]!, value);
    }
  }
  const sides = low.map((value, axis) => high[axis]! - value);
  const axis = sides.indexOf(Math.max(...sides));
  const cut = 0.5 * (low[axis]! + high[axis]!);
  let [left, right] = [begin, end];
  while (left < right) {
    if (middle[3 * order[left]! + axis]! < cut) {
      left += 1;
    } else {
      right -= 1;
      const other = order[right]!;
      order[right] = order[left]!;
      order[left] = other;
    }
  }
  return left === begin || left === end ? (begin + end) >> 1 : left;
}

/** The box around a box at a pose: low and high corner. */
export function around(boxes: Float64Array, at: number, pose: Pose): number[] {
  const out = new Array<number>(6);
  for (let row = 0; row < 3; row++) {
    let [middle, half] = [pose[4 * row + 3]!, 0];
    for (let column = 0; column < 3; column++) {
      const [low, high] = [boxes[6 * at + column]!, boxes[6 * at + 3 + column]!];
      middle += 0.5 * pose[4 * row + column]! * (low + high);
      half += 0.5 * Math.abs(pose[4 * row + column]!) * (high - low);
    }
    out[row] = middle - half;
    out[row + 3] = middle + half;
  }
  return out;
}

/** A ray; places on it are multiples of its direction, of any length. */
export interface Ray {
  readonly origin: readonly [number, number, number];
  readonly direction: readonly [number, number, number];
}

/** The nearest place before ``far`` at which a ray meets a triangle, from either side; null if it meets none. */
export function meets({ boxes, children, counts, corners }: Tree, ray: Ray, far: number): number | null {
  let nearest = far;
  const todo = [0];
  while (todo.length) {
    const at = todo.pop()!;
    if (enters(boxes, 6 * at, ray, nearest) === null) {
      continue;
    }
    const below = children[at]!;
    if (below < 0) {
      for (let i = -1 - below; i < -1 - below + counts[at]!; i++) {
        nearest = Math.min(nearest, crosses(corners, 9 * i, ray) ?? Infinity);
      }
    } else {
      todo.push(below, below + 1);
    }
  }
  return nearest < far ? nearest : null;
}

/** The place at which a ray enters a box (low and high corner at an index) before ``far``; null if it does not. */
export function enters(boxes: ArrayLike<number>, at: number, { origin, direction }: Ray, far: number): number | null {
  let [near, end] = [0, far];
  for (let axis = 0; axis < 3; axis++) {
    const [low, high] = [boxes[at + axis]! - origin[axis]!, boxes[at + 3 + axis]! - origin[axis]!];
    const way = direction[axis]!;
    if (way === 0) {
      if (low > 0 || high < 0) {
        return null;
      }
      continue;
    }
    const [a, b] = [low / way, high / way];
    near = Math.max(near, Math.min(a, b));
    end = Math.min(end, Math.max(a, b));
    // Not written as near > end: a box of no size at NaN is never entered.
    if (!(near <= end)) {
      return null;
    }
  }
  return near;
}

/** The place at which a ray crosses a triangle; null if it does not. */
export function crosses(corners: ArrayLike<number>, at: number, { origin: [ox, oy, oz], direction: [dx, dy, dz] }: Ray): number | null {
  const [ax, ay, az] = [corners[at]!, corners[at + 1]!, corners[at + 2]!];
  const [ux, uy, uz] = [corners[at + 3]! - ax, corners[at + 4]! - ay, corners[at + 5]! - az];
  const [vx, vy, vz] = [corners[at + 6]! - ax, corners[at + 7]! - ay, corners[at + 8]! - az];
  const [px, py, pz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
  const scale = ux * px + uy * py + uz * pz;
  if (scale === 0) {
    return null;
  }
  const [tx, ty, tz] = [ox - ax, oy - ay, oz - az];
  const u = (tx * px + ty * py + tz * pz) / scale;
  if (!(u >= 0 && u <= 1)) {
    return null;
  }
  const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux];
  const v = (dx * qx + dy * qy + dz * qz) / scale;
  const place = (vx * qx + vy * qy + vz * qz) / scale;
  return v >= 0 && u + v <= 1 && place >= 0 ? place : null;
}
