// Synchronizes two robots: matching joints have the same positions. The base is that of the first robot:
// the scene puts the root of the second robot at the root of the first one.

import { link } from "./items";
import type { JointKind } from "./kinds";
import { sizeOf } from "./mechanism";
import type { ComparisonData } from "./model";
import type { State } from "./state";

/** Synchronize positions, selection and hover of two robots. */
export function synchronize(states: readonly [State, State], { joints, links }: ComparisonData): void {
  states.forEach((leader, side) => {
    const other = states[1 - side]!;
    let busy = false;
    const once = (act: () => void): void => {
      // Ignore changes caused by the synchronization itself.
      if (!busy) {
        busy = true;
        act();
        busy = false;
      }
    };
    const joined = joints.filter(
      ([a, b]) => kind(states[0], a) === kind(states[1], b) && sizeOf(kind(states[0], a)) > 0,
    );
    leader.on("pose", () =>
      once(() => {
        let { positions } = other;
        for (const pair of joined) {
          positions = other.mechanism.with(positions, pair[1 - side]!, leader.of(pair[side]!));
        }
        positions = other.mechanism.follow(positions);
        if (positions.some((value, index) => value !== other.positions[index])) {
          other.place(positions);
        }
      }),
    );
    const counterpart = new Map(links.map((pair) => [pair[side]!, pair[1 - side]!]));
    const partner = (item: State["selected"]): State["selected"] =>
      item?.kind === "link" ? link(counterpart.get(item.index) ?? -1) : null;
    leader.on("selection", () => once(() => other.select(partner(leader.selected))));
    leader.on("hover", () => once(() => other.hover(partner(leader.hovered))));
  });
}

function kind({ robot }: State, joint: number): JointKind {
  return robot.joints[joint]!.kind;
}
