// The proved ranges of joints: they hold while all other joints are where they were when the ranges were proved.

import { BASE } from "./mechanism";
import type { RangeData, RangesData } from "./model";
import { isWorld } from "./links";
import type { AngleUnit } from "./settings";
import type { State } from "./state";
import { limits } from "./units";

/** Positions that differ by no more are the same: of the numbers of pages and addresses. */
const SAME = 1e-9;
// Joints that are named.
const NAMES = 3;

export class Proved {
  readonly #of: ReadonlyMap<number, RangeData>;

  constructor(
    private readonly state: State,
    private readonly ranges: RangesData,
  ) {
    this.#of = new Map(ranges.joints.map((each) => [each.joint, each]));
  }

  /** What is proved of a joint; undefined if nothing is. */
  of(joint: number): RangeData | undefined {
    return this.#of.get(joint);
  }

  /** The names of the other joints that are not where they were, and "base"; what is proved of a joint holds without. */
  moved(joint: number): string[] {
    const { mechanism, positions, robot } = this.state;
    const then = this.ranges.positions;
    const isMoved = (other: number): boolean => {
      const [from, to] = mechanism.range(other);
      return positions.slice(from, to).some((value, index) => !(Math.abs(value - then[from + index]!) <= SAME));
    };
    // Coupled joints follow; links collide with one another wherever the base is.
    const own = robot.joints.flatMap(({ name }, other) =>
      other !== joint && !mechanism.follows(other) && isMoved(other) ? [name] : [],
    );
    const hasWorld = robot.links.some((_, link) => isWorld(robot, link));
    return [...(hasWorld && isMoved(BASE) ? ["base"] : []), ...own];
  }

  /** What is proved of a joint, in words, and of what it is not. */
  text(joint: number, angles: AngleUnit): string {
    const { low, high, below, above } = this.#of.get(joint)!;
    const range = limits({ kind: this.state.robot.joints[joint]!.kind, lower: low, upper: high }, angles);
    const end = (pair: RangeData["below"], word: string): string[] => (pair ? [`${word} ${pair.join(" and ")} touch`] : []);
    const ends = [...end(below, "below"), ...end(above, "above")];
    const { touching } = this.ranges;
    const but = touching.length ? ` Not of ${touching.map((pair) => pair.join(" and ")).join(", ")}: they touch here.` : "";
    const moved = this.moved(joint);
    const others = moved.length > NAMES ? [...moved.slice(0, NAMES), `${moved.length - NAMES} more`] : moved;
    return [
      moved.length ? `Proved only with ${others.join(", ")} where they were: ` : "Proved: ",
      `nothing that is tested touches in ${range}`, ends.length ? `; ${ends.join(", ")}` : "", ".", but,
    ].join("");
  }
}
