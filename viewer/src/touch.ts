// Which tested pairs of links touch: triangles of their collision shapes against each other, exactly as drawn.
// Where a whole shape is inside of a solid one (a box, a ball), they touch, too; inside of a mesh they do not.

import { Pairs } from "./collision";
import { apart, common, type Nearest, nearest, placedNearest, triangleAt } from "./distance";
import { type Model, type Numbers, numbers, type RobotData, type Vector3 } from "./model";
import type { Meshes } from "./settings";
import { turned } from "./turns";
import { apply, compose, inverse, type Pose } from "./pose";
import { around, crosses, grow, type Tree } from "./tree";

export type LinkPair = readonly [a: number, b: number];

/** A pair of links that touch, and a point of both in the world. */
export interface Touch {
  readonly pair: LinkPair;
  readonly point: Vector3;
}

/** A pair of links that do not touch, and their nearest points in the world. */
export interface Gap extends Nearest {
  readonly pair: LinkPair;
}

interface Body {
  readonly tree: Tree;
  /** Triangles of each solid shape, and a point of every shape. */
  readonly solids: readonly Float64Array[];
  readonly points: readonly Vector3[];
}

/** What is needed to find links that touch; it can be sent to a worker. */
export interface Supply {
  readonly shapes: readonly { readonly link: number; readonly mesh: number; readonly place: Pose; readonly solid: boolean }[];
  readonly meshes: ReadonlyMap<number, { readonly vertices: Numbers; readonly indices: Numbers }>;
  /** The tested pairs of links. */
  readonly pairs: readonly LinkPair[];
}

/** The collision shapes and tested pairs of a robot; its numbers are copies. */
export function supplyOf(model: Model, robot: RobotData, ways: Meshes = "read"): Supply {
  const known = new Pairs(robot);
  const meshes = new Map<number, { readonly vertices: Numbers; readonly indices: Numbers }>();
  const shapes = robot.shapes.collision.flatMap((shape) => {
    const mesh = model.meshes[shape.mesh]!;
    if (mesh.kind !== "triangles" || !mesh.indices) {
      return [];
    }
    if (!meshes.has(shape.mesh)) {
      meshes.set(shape.mesh, { vertices: numbers(model, mesh.vertices).slice(), indices: numbers(model, mesh.indices).slice() });
    }
    return [{ link: shape.link, mesh: shape.mesh, place: turned(model, shape, ways), solid: shape.solid === true }];
  });
  const solid = known.links.filter((link) => shapes.some((shape) => shape.link === link));
  const pairs = solid.flatMap((a, index) =>
    solid.slice(index + 1).flatMap((b) => (["tested", "enabled"].includes(known.of(a, b)) ? [[a, b] as const] : [])),
  );
  return { shapes, meshes, pairs };
}

export class Touches {
  readonly #bodies = new Map<number, Body>();
  readonly #pairs: readonly LinkPair[];

  constructor({ shapes, meshes, pairs }: Supply) {
    this.#pairs = pairs;
    const parts = new Map<number, { readonly corners: Float64Array; readonly solid: boolean }[]>();
    for (const { link, mesh, place, solid } of shapes) {
      const { vertices, indices } = meshes.get(mesh)!;
      parts.set(link, [...(parts.get(link) ?? []), { corners: placed(vertices, indices, place), solid }]);
    }
    parts.forEach((list, link) => {
      const all = new Float64Array(list.reduce((sum, { corners }) => sum + corners.length, 0));
      let at = 0;
      for (const { corners } of list) {
        all.set(corners, at);
        at += corners.length;
      }
      this.#bodies.set(link, {
        tree: grow(all),
        solids: list.filter(({ solid }) => solid).map(({ corners }) => corners),
        points: list.map(({ corners }) => [corners[0]!, corners[1]!, corners[2]!] as const),
      });
    });
  }

  /** The tested pairs of links that touch at the poses of the links. */
  at(poses: readonly Pose[]): Touch[] {
    const bounds = this.#bounds(poses);
    return this.#pairs.flatMap((pair) => {
      const [a, b] = pair;
      if (apart(bounds.get(a)!, 0, bounds.get(b)!) > 0) {
        return [];
      }
      const point = this.#touch(pair, poses);
      return point ? [{ pair, point: apply(poses[a]!, point) }] : [];
    });
  }

  /** The tested pairs of links that may be nearer to each other than ``within`` (m), but are none of these. */
  close(poses: readonly Pose[], within: number, touching: readonly Touch[]): LinkPair[] {
    const bounds = this.#bounds(poses);
    const known = new Set(touching.map(({ pair }) => pair));
    return this.#pairs.filter((pair) => !known.has(pair) && apart(bounds.get(pair[0])!, 0, bounds.get(pair[1])!) < within);
  }

  /** The nearest points of a pair of links that do not touch; null if they are farther than ``within`` (m). */
  gap(pair: LinkPair, poses: readonly Pose[], within: number): Gap | null {
    const [a, b] = pair;
    const between = compose(inverse(poses[a]!), poses[b]!);
    const found = nearest(this.#bodies.get(a)!.tree, this.#bodies.get(b)!.tree, between, within);
    return found && { pair, ...placedNearest(found, poses[a]!) };
  }

  #bounds(poses: readonly Pose[]): ReadonlyMap<number, readonly number[]> {
    const out = new Map<number, readonly number[]>();
    this.#bodies.forEach(({ tree }, link) => out.set(link, around(tree.boxes, 0, poses[link]!)));
    return out;
  }

  /** A point that two links have in common, in the frame of the first one; null if they do not touch. */
  #touch([a, b]: LinkPair, poses: readonly Pose[]): Vector3 | null {
    const between = compose(inverse(poses[a]!), poses[b]!);
    const [first, second] = [this.#bodies.get(a)!, this.#bodies.get(b)!];
    const inside = second.points.map((point) => apply(between, point));
    return (
      meet(first.tree, second.tree, between) ??
      inside.find((point) => first.solids.some((solid) => holds(solid, point))) ??
      first.points.find((point) => second.solids.some((solid) => holds(solid, apply(inverse(between), point)))) ??
      null
    );
  }
}

/** The corners of triangles in the frame of the link. */
function placed(vertices: ArrayLike<number>, indices: ArrayLike<number>, place: Pose): Float64Array {
  const out = new Float64Array(indices.length * 3);
  for (let i = 0; i < indices.length; i++) {
    const v = 3 * indices[i]!;
    out.set(apply(place, [vertices[v]!, vertices[v + 1]!, vertices[v + 2]!]), 3 * i);
  }
  return out;
}

/** A point in which triangles of two trees intersect; the second is at a pose in the frame of the first. */
function meet(one: Tree, other: Tree, pose: Pose): Vector3 | null {
  const moved = new Float64Array(9);
  const todo = [0, 0];
  while (todo.length) {
    const b = todo.pop()!;
    const a = todo.pop()!;
    const box = around(other.boxes, b, pose);
    let apart = false;
    for (let axis = 0; axis < 3; axis++) {
      apart ||= one.boxes[6 * a + axis]! > box[axis + 3]! || box[axis]! > one.boxes[6 * a + 3 + axis]!;
    }
    if (apart) {
      continue;
    }
    const [below, under] = [one.children[a]!, other.children[b]!];
    if (below < 0 && under < 0) {
      for (let j = -1 - under; j < -1 - under + other.counts[b]!; j++) {
        for (let corner = 0; corner < 9; corner += 3) {
          const from = 9 * j + corner;
          for (let row = 0; row < 3; row++) {
            moved[corner + row] =
              pose[4 * row]! * other.corners[from]! + pose[4 * row + 1]! * other.corners[from + 1]! +
              pose[4 * row + 2]! * other.corners[from + 2]! + pose[4 * row + 3]!;
          }
        }
        for (let i = -1 - below; i < -1 - below + one.counts[a]!; i++) {
          if (intersect(one.corners, 9 * i, moved)) {
            return common(triangleAt(one.corners, 9 * i), triangleAt(moved, 0));
          }
        }
      }
    } else if (under < 0 || (below >= 0 && size(one.boxes, a) > size(other.boxes, b))) {
      todo.push(below, b, below + 1, b);
    } else {
      todo.push(a, under, a, under + 1);
    }
  }
  return null;
}

function size(boxes: Float64Array, at: number): number {
  const side = (axis: number): number => boxes[6 * at + 3 + axis]! - boxes[6 * at + axis]!;
  return side(0) + side(1) + side(2);
}

/** Whether two triangles intersect: no direction separates them, of normals, edges across edges, and in the planes. */
function intersect(p: Tree["corners"], at: number, q: Float64Array): boolean {
  const separates = (x: number, y: number, z: number): boolean => {
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 1e-14)) {
      return false;
    }
    const a = p[at]! * x + p[at + 1]! * y + p[at + 2]! * z;
    const b = p[at + 3]! * x + p[at + 4]! * y + p[at + 5]! * z;
    const c = p[at + 6]! * x + p[at + 7]! * y + p[at + 8]! * z;
    const d = q[0]! * x + q[1]! * y + q[2]! * z;
    const e = q[3]! * x + q[4]! * y + q[5]! * z;
    const f = q[6]! * x + q[7]! * y + q[8]! * z;
    // The normal of a flat contact needs no overlap; only a gap separates.
    return Math.min(a, b, c) > Math.max(d, e, f) || Math.min(d, e, f) > Math.max(a, b, c);
  };
  const edge = (c: Tree["corners"], from: number, k: number): [number, number, number] => {
    const [i, j] = [from + 3 * k, from + 3 * ((k + 1) % 3)];
    return [c[j]! - c[i]!, c[j + 1]! - c[i + 1]!, c[j + 2]! - c[i + 2]!];
  };
  const cross = (u: readonly number[], v: readonly number[]): [number, number, number] => [
    u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!,
  ];
  const mine = [edge(p, at, 0), edge(p, at, 1), edge(p, at, 2)] as const;
  const theirs = [edge(q, 0, 0), edge(q, 0, 1), edge(q, 0, 2)] as const;
  const [n, m] = [cross(mine[0], mine[1]), cross(theirs[0], theirs[1])];
  if (separates(...n) || separates(...m)) {
    return false;
  }
  for (const u of mine) {
    for (const v of theirs) {
      if (separates(...cross(u, v))) {
        return false;
      }
    }
  }
  return ![...mine.map((u) => cross(n, u)), ...theirs.map((v) => cross(m, v))].some((axis) => separates(...axis));
}

/** Whether a closed surface holds a point: a ray from there leaves it an odd number of times. */
function holds(corners: Float64Array, from: readonly [number, number, number]): boolean {
  // Along no edge of a usual shape.
  const ray = { origin: from, direction: [0.8017, 0.2673, 0.5345] } as const;
  let inside = false;
  for (let at = 0; at < corners.length; at += 9) {
    if ((crosses(corners, at, ray) ?? 0) > 0) {
      inside = !inside;
    }
  }
  return inside;
}
