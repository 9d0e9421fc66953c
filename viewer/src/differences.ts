// The differences of two robots in categories, and differences that read alike together.

import { type Aspect, ASPECTS, type DifferenceData } from "./model";

/** Differences of one kind in one field of several items. */
export interface DifferenceGroup {
  /** The field, without the names of items. */
  readonly field: string;
  readonly differences: readonly DifferenceData[];
}

/** What matters for one aspect of the robots. */
export interface Category {
  readonly aspect: Aspect;
  readonly count: number;
  readonly groups: readonly DifferenceGroup[];
}

/** The categories in words. */
export const ASPECT_WORDS: Readonly<Record<Aspect, string>> = {
  motion: "Motion", mass: "Mass", sensors: "Sensors", actuation: "Drives and limits", shape: "Shapes",
  vendor: "Data of one format", planning: "Collisions and planning", looks: "Looks", numbering: "Names and order", cosmetics: "Other",
};

/** The categories that have differences, what matters most first. */
export function categories(differences: readonly DifferenceData[]): Category[] {
  return ASPECTS.flatMap((aspect) => {
    const own = differences.filter((each) => each.aspect === aspect);
    const groups = new Map<string, DifferenceData[]>();
    for (const each of own) {
      const key = `${each.field} ${each.kind}`;
      const group = groups.get(key);
      if (group) {
        group.push(each);
      } else {
        groups.set(key, [each]);
      }
    }
    const made = [...groups.values()].map((each): DifferenceGroup => ({ field: each[0]!.field, differences: each }));
    return own.length ? [{ aspect, count: own.length, groups: made }] : [];
  });
}
