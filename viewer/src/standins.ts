// What stands in for missing meshes: the other shapes of their link.

import type { RobotData, ShapeData, ShapeSet } from "./model";

/** The material of shapes that stand in for others. */
export const STAND_IN = -2;

/** The links of which a mesh is missing and no other shape of the set is there. */
export function bare({ shapes, missing }: RobotData, set: ShapeSet): ReadonlySet<number> {
  const shown = new Set(shapes[set].map(({ link }) => link));
  return new Set(missing[set].map(({ link }) => link).filter((link) => !shown.has(link)));
}

/** The shapes of the other set that are drawn on bare links. */
export function standIns(robot: RobotData, set: ShapeSet): ShapeData[] {
  const links = bare(robot, set);
  const others = robot.shapes[set === "visual" ? "collision" : "visual"];
  return others.filter(({ link }) => links.has(link)).map((shape) => ({ ...shape, material: STAND_IN, group: 0, behind: false }));
}
