// Kinematics of a robot: the same as Mechanism of the library.

import { type JointKind, KINDS } from "./kinds";
import type { JointData, PoseNumbers, RobotData, Vector3 } from "./model";
import { apply, axisFrame, compose, cross, fromNumbers, IDENTITY, origin, type Pose, rotate, slide, turn } from "./pose";
import { fromVector, multiply, normalized, type Quaternion, toPose } from "./quaternion";

export type Tree = Pick<RobotData, "start" | "links" | "order" | "joints" | "followers">;

export type Positions = readonly number[];


/** The joint index of the base. */
export const BASE = -1;

export function sizeOf(kind: JointKind): number {
  return KINDS[kind].size;
}

/** The positions of a joint kind at zero. */
export function zeros(kind: JointKind): readonly number[] {
  const { size, quaternion } = KINDS[kind];
  return Array.from({ length: size }, (_, part) => (quaternion && part === size - 4 ? 1 : 0));
}

/** Whether a joint kind has one position. */
export function moves(kind: JointKind): boolean {
  return sizeOf(kind) === 1;
}

/** One degree of freedom of a joint: the unit velocity of all links below it, in the world. */
export interface Motion {
  readonly joint: number;
  readonly part: number;
  /** Angular velocity, and linear velocity of the body's point at the world's origin. */
  readonly angular: Vector3;
  readonly linear: Vector3;
}

export class Mechanism {
  /** Index of each joint's first position; the base's is 0. */
  readonly offsets: readonly number[];
  /** Number of positions. */
  readonly size: number;
  readonly #origins: readonly Pose[];
  readonly #frames: readonly Pose[];
  /** Depth-first index of each link, and the end of its subtree. */
  readonly #places: readonly (readonly [first: number, end: number])[];
  readonly #led: ReadonlySet<number>;

  constructor(readonly tree: Tree) {
    let next = 7;
    this.offsets = tree.joints.map(({ kind }) => {
      const at = next;
      next += sizeOf(kind);
      return at;
    });
    this.size = next;
    this.#origins = tree.joints.map((joint) => fromNumbers(joint.origin));
    this.#frames = tree.joints.map((joint) => axisFrame(joint.axis));
    this.#places = places(tree);
    this.#led = new Set(tree.followers.map(({ joint }) => joint));
  }

  /** Whether a joint is coupled to another one. */
  follows(joint: number): boolean {
    return this.#led.has(joint);
  }

  /** First and end index of the positions of a joint, or of the base. */
  range(joint: number): readonly [number, number] {
    const at = joint === BASE ? 0 : this.offsets[joint]!;
    return [at, at + (joint === BASE ? 7 : sizeOf(this.tree.joints[joint]!.kind))];
  }

  /** The positions of a joint, or of the base. */
  of(positions: Positions, joint: number): readonly number[] {
    return positions.slice(...this.range(joint));
  }

  /** A copy of the positions with those of a joint, or of the base, replaced. */
  with(positions: Positions, joint: number, numbers: readonly number[]): Positions {
    const out = [...positions];
    out.splice(this.range(joint)[0], numbers.length, ...numbers);
    return out;
  }

  /** A copy of the positions with every coupled joint at the position given by its leader. */
  follow(positions: Positions): Positions {
    const out = [...positions];
    for (const { joint, leader, ratio, offset } of this.tree.followers) {
      out[this.offsets[joint]!] = ratio * (leader === null ? 0 : out[this.offsets[leader]!]!) + offset;
    }
    return out;
  }

  /** Forward kinematics: the poses of all links in the world. */
  forward(positions: Positions): readonly Pose[] {
    const { links, order } = this.tree;
    const poses = new Array<Pose>(links.length);
    for (const index of order) {
      const { joint } = links[index]!;
      if (joint >= 0) {
        poses[index] = compose(this.before(joint, poses), this.#moved(joint, positions));
      } else {
        poses[index] = index === order[0] ? fromNumbers(unitized(positions.slice(0, 7))) : IDENTITY;
      }
    }
    return poses;
  }

  /** The frame of a joint in the world: the child's frame at position zero. */
  before(joint: number, poses: readonly Pose[]): Pose {
    const { child } = this.tree.joints[joint]!;
    return compose(poses[this.tree.links[child]!.parent]!, this.#origins[joint]!);
  }

  /** The degrees of freedom of all joints, including coupled ones (see ``shares``). */
  motions(poses: readonly Pose[]): Motion[] {
    return this.tree.joints.flatMap((_, joint) => this.motionsOf(joint, poses));
  }

  /** The degrees of freedom of a joint, or of the base. */
  motionsOf(joint: number, poses: readonly Pose[]): Motion[] {
    if (joint === BASE) {
      const root = poses[this.tree.order[0]!]!;
      return [...translations(joint, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]), ...rotations(joint, 3, root)];
    }
    const { kind, child, axis, axis2, lead } = this.tree.joints[joint]!;
    const pose = poses[child]!;
    const frame = KINDS[kind].size > 1 ? this.before(joint, poses) : pose;
    switch (kind) {
      case "revolute":
        return [about(joint, 0, rotate(pose, axis), origin(pose))];
      case "prismatic":
        return translations(joint, [rotate(pose, axis)]);
      case "screw": {
        const along = rotate(pose, axis);
        const { angular, linear } = about(joint, 0, along, origin(pose));
        return [{ joint, part: 0, angular, linear: linear.map((v, i) => v + lead * along[i]!) as unknown as Vector3 }];
      }
      case "universal":
        return [
          about(joint, 0, rotate(frame, axis), origin(pose)),
          about(joint, 1, rotate(pose, axis2 ?? axis), origin(pose)),
        ];
      case "planar": {
        const plane = compose(frame, this.#frames[joint]!);
        const across = [0, 1].map((column) => axisOf(plane, column));
        return [...translations(joint, across), about(joint, 2, rotate(pose, axis), origin(pose))];
      }
      case "ball":
        return rotations(joint, 0, pose);
      case "free":
        return [...translations(joint, [0, 1, 2].map((c) => axisOf(frame, c))), ...rotations(joint, 3, pose)];
      case "fixed":
      case "track":
        return [];
    }
  }

  /** Integrate velocities over a unit time: translations add, rotations compose. */
  integrate(positions: Positions, steps: readonly (readonly [motion: Motion, amount: number])[]): Positions {
    const out = [...positions];
    const turns = new Map<number, [number, number, number]>();
    for (const [{ joint, part }, amount] of steps) {
      const { size, quaternion } = KINDS[joint === BASE ? "free" : this.tree.joints[joint]!.kind];
      const first = size - 4;
      if (quaternion && part >= first) {
        const turned = turns.get(joint) ?? [0, 0, 0];
        turned[part - first]! += amount;
        turns.set(joint, turned);
      } else {
        out[this.range(joint)[0] + part]! += amount;
      }
    }
    for (const [joint, vector] of turns) {
      const at = this.range(joint)[1] - 4;
      const old = out.slice(at, at + 4) as unknown as Quaternion;
      out.splice(at, 4, ...normalized(multiply(normalized(old), fromVector(vector))));
    }
    return this.follow(out);
  }

  /** For each leader, the motions of its followers and their ratios. */
  shares(motions: readonly Motion[]): ReadonlyMap<number, readonly (readonly [Motion, number])[]> {
    const own = new Map(motions.map((motion) => [motion.joint, motion]));
    const out = new Map<number, (readonly [Motion, number])[]>();
    const ratios = new Map<number, readonly [leader: number, ratio: number]>();
    for (const { joint, leader, ratio } of this.tree.followers) {
      if (leader !== null) {
        const [top, more] = ratios.get(leader) ?? [leader, 1];
        ratios.set(joint, [top, ratio * more]);
        out.set(top, [...(out.get(top) ?? []), [own.get(joint)!, ratio * more]]);
      }
    }
    return out;
  }

  /** The equivalent positions with unlimited revolute joints wrapped to [-π, π]. */
  unwound(positions: Positions): Positions {
    const leads = new Set(this.tree.followers.map(({ leader }) => leader));
    return this.tree.joints.reduce<Positions>((out, { kind, lower, upper }, joint) => {
      const at = out[this.offsets[joint]!]!;
      const turns = kind === "revolute" && lower === null && upper === null ? Math.round(at / (2 * Math.PI)) : 0;
      return turns && !leads.has(joint) && !this.follows(joint)
        ? out.with(this.offsets[joint]!, at - turns * 2 * Math.PI)
        : out;
    }, positions);
  }

  /** Whether a joint, or the base, moves a link. */
  moves(joint: number, link: number): boolean {
    if (joint === BASE) {
      return true;
    }
    const [first, end] = this.#places[this.tree.joints[joint]!.child]!;
    const [at] = this.#places[link]!;
    return first <= at && at < end;
  }

  #moved(joint: number, positions: Positions): Pose {
    const { kind, axis, axis2, lead } = this.tree.joints[joint]!;
    const at = this.offsets[joint]!;
    switch (kind) {
      case "revolute":
        return turn(axis, positions[at]!);
      case "prismatic":
        return slide(axis, positions[at]!);
      case "screw":
        return compose(slide(axis, lead * positions[at]!), turn(axis, positions[at]!));
      case "universal":
        return compose(turn(axis, positions[at]!), turn(axis2 ?? axis, positions[at + 1]!));
      case "planar": {
        const frame = this.#frames[joint]!;
        const shift = rotate(frame, [positions[at]!, positions[at + 1]!, 0]);
        return compose(slide(shift, 1), turn(axis, positions[at + 2]!));
      }
      case "ball":
        return toPose(positions.slice(at, at + 4) as unknown as Quaternion);
      case "free": {
        const [x, y, z, ...q] = positions.slice(at, at + 7);
        return toPose(q as unknown as Quaternion, [x!, y!, z!]);
      }
      case "fixed":
      case "track":
        return slide(axis, 0);
    }
  }
}

/** The center of mass of the robot in the world; null if it has no mass. */
export function centerOfMass(tree: Tree, poses: readonly Pose[]): Vector3 | null {
  let [mass, x, y, z] = [0, 0, 0, 0];
  tree.links.forEach((link, index) => {
    const [px, py, pz] = apply(poses[index]!, link.com);
    mass += link.mass;
    x += link.mass * px;
    y += link.mass * py;
    z += link.mass * pz;
  });
  return mass > 0 ? [x / mass, y / mass, z / mass] : null;
}

/** The joints between a link and the root, the link's own joint first. */
export function chain(tree: Tree, link: number): number[] {
  const out: number[] = [];
  for (let at = tree.links[link]!; at.joint >= 0; at = tree.links[at.parent]!) {
    out.push(at.joint);
  }
  return out;
}

/** Whether a joint can be moved by the user. */
export function movable(joint: Pick<JointData, "kind">): boolean {
  return sizeOf(joint.kind) > 0;
}

/** Depth-first indices: the subtree of a link is a contiguous range. */
function places({ links, order }: Tree): (readonly [first: number, end: number])[] {
  const sizes = links.map(() => 1);
  for (const index of order.toReversed()) {
    const { parent, joint } = links[index]!;
    if (joint >= 0) {
      sizes[parent]! += sizes[index]!;
    }
  }
  const out = new Array<readonly [number, number]>(links.length);
  const next = links.map(() => 0);
  let top = 0;
  for (const index of order) {
    const { parent, joint } = links[index]!;
    const first = joint < 0 ? top : next[parent]!;
    if (joint < 0) {
      top += sizes[index]!;
    } else {
      next[parent]! += sizes[index]!;
    }
    next[index] = first + 1;
    out[index] = [first, first + sizes[index]!];
  }
  return out;
}

function about(joint: number, part: number, axis: Vector3, point: Vector3): Motion {
  return { joint, part, angular: axis, linear: cross(point, axis) };
}

function translations(joint: number, ways: readonly Vector3[]): Motion[] {
  return ways.map((linear, part) => ({ joint, part, angular: [0, 0, 0], linear }));
}

/** Rotations about the axes of the body. */
function rotations(joint: number, first: number, pose: Pose): Motion[] {
  return [0, 1, 2].map((column) => about(joint, first + column, axisOf(pose, column), origin(pose)));
}

function axisOf(pose: Pose, column: number): Vector3 {
  return [pose[column]!, pose[4 + column]!, pose[8 + column]!];
}

function unitized(numbers: readonly number[]): PoseNumbers {
  const [x, y, z, ...q] = numbers;
  return [x!, y!, z!, ...normalized(q as unknown as Quaternion)];
}
