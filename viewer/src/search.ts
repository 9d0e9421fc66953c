// Search by name.

import { type Item, link } from "./items";
import type { RobotData } from "./model";

export interface Hit {
  readonly item: Item;
  readonly name: string;
  /** The kind of the item: "link", "joint", … */
  readonly word: string;
}

/** Items whose name contains the text: exact matches first, then prefixes, then the rest. */
export function search(robot: RobotData, text: string, most: number): Hit[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) {
    return [];
  }
  const found = everything(robot).flatMap((hit) => {
    const at = hit.name.toLowerCase().indexOf(wanted);
    const rank = at < 0 ? -1 : hit.name.length === wanted.length ? 0 : at === 0 ? 1 : 2;
    return rank < 0 ? [] : [{ hit, rank }];
  });
  // The sort is stable.
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ hit }) => hit);
}

function everything(robot: RobotData): Hit[] {
  const links = robot.links.map(({ name }, index) => ({ item: link(index)!, name, word: "link" }));
  const own = new Set(robot.links.map(({ name }, index) => `${index}/${name}`));
  // Skip a joint with the same name as its link.
  const joints = robot.joints
    .filter(({ name, child }) => !own.has(`${child}/${name}`))
    .map(({ name, child }) => ({ item: link(child)!, name, word: "joint" }));
  const rest = (["device", "frame", "loop"] as const).flatMap((kind) =>
    robot[`${kind}s`].map(({ name }, index) => ({ item: { kind, index }, name, word: kind })),
  );
  return [...links, ...joints, ...rest, ...shapes(robot)];
}

/** Mesh files and named shapes, once for each link. */
function shapes(robot: RobotData): Hit[] {
  const out = new Map<string, Hit>();
  for (const shape of [...robot.shapes.visual, ...robot.shapes.collision]) {
    out.set(`${shape.link}/${shape.name}`, { item: link(shape.link)!, name: shape.name, word: "shape" });
  }
  return [...out.values()];
}
