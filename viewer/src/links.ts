// Which links stand beside the robot, and which of it move.

import type { RobotData } from "./model";

/** Whether a link is that of the surroundings. */
export function isWorld({ links, order }: RobotData, link: number): boolean {
  return links[link]!.parent < 0 && link !== order[0];
}

/** Whether each link moves in the world: all do if the base does. */
export function moving({ links, joints, order, base }: RobotData): boolean[] {
  const out = links.map(() => false);
  for (const link of order) {
    const { parent, joint } = links[link]!;
    out[link] =
      parent < 0
        ? base !== "fixed" && link === order[0]
        : out[parent]! || (joint >= 0 && joints[joint]!.kind !== "fixed");
  }
  return out;
}
