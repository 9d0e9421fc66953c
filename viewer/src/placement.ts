// Where an item is: its pose in the world, or in a link.

import type { Item } from "./items";
import { compose, fromNumbers, inverse, type Pose } from "./pose";
import type { State } from "./state";

/** The pose of an item at the present positions, in the frame of a link (null: the world). */
export function placeOf(state: State, item: Item, reference: number | null): Pose {
  const pose = inWorld(state, item);
  return reference === null ? pose : compose(inverse(state.poses[reference]!), pose);
}

function inWorld({ robot, poses }: State, { kind, index }: Item): Pose {
  switch (kind) {
    case "link":
      return poses[index]!;
    case "loop": {
      const { a, poseA } = robot.loops[index]!;
      return compose(poses[a]!, fromNumbers(poseA));
    }
    case "device":
    case "frame": {
      const { link, pose } = robot[`${kind}s`][index]!;
      return compose(poses[link]!, fromNumbers(pose));
    }
  }
}
