// Selectable items: links, and the devices, frames and loops attached to them.

import type { Property, RobotData, SourcePlace } from "./model";

export type ItemKind = "link" | "device" | "frame" | "loop";

export interface Item {
  readonly kind: ItemKind;
  readonly index: number;
}

export const NONE = -1;

const LISTS = { link: "links", device: "devices", frame: "frames", loop: "loops" } as const;

export function link(index: number): Item | null {
  return index === NONE ? null : { kind: "link", index };
}

export function same(a: Item | null, b: Item | null): boolean {
  return a === b || (a !== null && b !== null && a.kind === b.kind && a.index === b.index);
}

/** The name, properties and source location of an item. */
export function described(
  robot: RobotData,
  { kind, index }: Item,
): { readonly name: string; readonly properties: readonly Property[]; readonly at: SourcePlace | null } {
  return robot[LISTS[kind]][index]!;
}

/** The links of an item. */
export function linksOf(robot: RobotData, item: Item | null): readonly number[] {
  switch (item?.kind) {
    case undefined:
      return [];
    case "link":
      return [item.index];
    case "loop": {
      const { a, b } = robot.loops[item.index]!;
      return [a, b];
    }
    case "device":
      return [robot.devices[item.index]!.link];
    case "frame":
      return [robot.frames[item.index]!.link];
  }
}

/** Find an item by kind and name. */
export function named(robot: RobotData, kind: ItemKind, name: string): Item | null {
  const index = robot[LISTS[kind]].findIndex((each) => each.name === name);
  return index < 0 ? null : { kind, index };
}
