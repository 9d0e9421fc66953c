// Fixed shapes that are far larger than all that moves, such as floors: the view is not fitted to them.

import { Box3, type BufferGeometry } from "three";
import { isWorld, moving } from "../links";
import type { RobotData, ShapeData } from "../model";
import { compose, type Pose } from "../pose";
import { matrixOf } from "./geometry";

// How many times as large as what moves.
const FAR = 4;
// A floor is lower than this part of its width.
const THIN = 0.1;

/**
 * The vast shapes of a robot at some poses of its links: each for itself, and the rest of its surroundings together. Of
 * the robot's own links only floors are: in a plant with valves, the tanks and walls are what one looks at.
 */
export function vastShapes(
  robot: RobotData, poses: readonly Pose[], geometry: (mesh: number) => BufferGeometry,
): ReadonlySet<ShapeData> {
  const moves = moving(robot);
  const all = [...robot.shapes.visual, ...robot.shapes.collision].map((shape) => {
    const own = geometry(shape.mesh);
    own.computeBoundingBox();
    return { shape, box: own.boundingBox!.clone().applyMatrix4(matrixOf(compose(poses[shape.link]!, shape.place))) };
  });
  const size = (boxes: readonly Box3[]): number => {
    const union = boxes.reduce((sum, box) => sum.union(box), new Box3());
    return union.isEmpty() ? 0 : union.min.distanceTo(union.max);
  };
  const far = FAR * size(all.filter(({ shape }) => moves[shape.link]).map(({ box }) => box));
  if (far === 0) {
    return new Set();
  }
  const fixed = all.filter(({ shape }) => !moves[shape.link]);
  const isOwn = (link: number): boolean => !isWorld(robot, link);
  const large = fixed.filter(({ shape, box }) => size([box]) > far && (!isOwn(shape.link) || isFlat(box)));
  const vast = new Set(large.map(({ shape }) => shape));
  const around = fixed.filter(({ shape }) => isWorld(robot, shape.link) && !vast.has(shape));
  if (size(around.map(({ box }) => box)) > far) {
    around.forEach(({ shape }) => vast.add(shape));
  }
  return vast;
}

/** Whether a box lies flat, as a floor does. */
function isFlat({ min, max }: Box3): boolean {
  return max.z - min.z <= THIN * Math.min(max.x - min.x, max.y - min.y);
}
