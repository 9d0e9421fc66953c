// Two robots that move together: what has one name in both has one position. Where their bases are is the
// first one's alone: the picture puts the second's root where the first's is.

import { link } from "./items";
import { sizeOf } from "./mechanism";
import type { ComparisonData } from "./model";
import type { State } from "./state";

/** Let each of two robots follow the other: joints, what is chosen and pointed at. */
export function together(states: readonly [State, State], { joints, links }: ComparisonData): void {
  states.forEach((leader, side) => {
    const other = states[1 - side]!;
    let busy = false;
    const once = (act: () => void): void => {
      // The other one tells of its change, too.
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

function kind({ robot }: State, joint: number): string {
  return robot.joints[joint]!.kind;
}
