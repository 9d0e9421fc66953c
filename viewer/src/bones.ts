// The bones of links whose meshes cannot be shown.

import type { RobotData, ShapeSet, Vector3 } from "./model";
import { standIns } from "./standins";

/** From the origin of a link to the joint of a child, in the frame of the link. */
export interface Bone {
  readonly link: number;
  readonly end: Vector3;
}

/**
 * The bones of the links with a missing shape and without others; those of links without any shape as well if
 * none of the robot can be shown.
 */
export function bones(robot: RobotData, set: ShapeSet): Bone[] {
  const { links, joints, shapes, missing } = robot;
  const shown = new Set([...shapes[set], ...standIns(robot, set)].map(({ link }) => link));
  const lacking = new Set(missing[set].map(({ link }) => link));
  const isBare = (link: number): boolean => !shown.has(link) && (lacking.has(link) || (!shown.size && !!lacking.size));
  return joints.flatMap(({ child, origin: [x, y, z] }) => {
    const link = links[child]!.parent;
    return link >= 0 && isBare(link) && (x || y || z) ? [{ link, end: [x, y, z] as const }] : [];
  });
}
