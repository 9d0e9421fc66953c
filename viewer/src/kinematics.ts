// Where the links are: the same as Mechanism.forward of the library.

import type { Header, Vector3 } from "./model";
import { apply, compose, fromNumbers, type Pose, slide, turn } from "./pose";

export type Tree = Pick<Header, "root" | "links" | "order" | "joints" | "followers">;

/** Whether a joint is moved by one number. */
export function moves(kind: string): boolean {
  return kind === "revolute" || kind === "prismatic";
}

/** One position per joint (rad or m): the initial ones, with coupled joints where their leaders put them. */
export function initialPositions(tree: Tree): readonly number[] {
  return follow(tree, tree.joints.map((joint) => joint.initial));
}

/** The positions, with every coupled joint where its leader puts it. */
export function follow(tree: Tree, positions: readonly number[]): readonly number[] {
  const out = [...positions];
  for (const { joint, leader, ratio, offset } of tree.followers) {
    out[joint] = ratio * (leader === null ? 0 : out[leader]!) + offset;
  }
  return out;
}

/** The poses of all links in the world. Joints that take several numbers, or none, stay at zero. */
export function forward(tree: Tree, positions: readonly number[]): readonly Pose[] {
  const poses = new Array<Pose>(tree.links.length);
  for (const index of tree.order) {
    const link = tree.links[index]!;
    const joint = tree.joints[link.joint];
    if (!joint) {
      poses[index] = fromNumbers(tree.root);
      continue;
    }
    const pose = compose(poses[link.parent]!, fromNumbers(joint.origin));
    const position = positions[link.joint]!;
    if (joint.kind === "revolute") {
      poses[index] = compose(pose, turn(joint.axis, position));
    } else if (joint.kind === "prismatic") {
      poses[index] = compose(pose, slide(joint.axis, position));
    } else {
      poses[index] = pose;
    }
  }
  return poses;
}

/** The centre of mass of the whole in the world; null without mass. */
export function centreOfMass(tree: Tree, poses: readonly Pose[]): Vector3 | null {
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
