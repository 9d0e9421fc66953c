// Snapshot of the page's state, restored by name when the model is reloaded.

import { type Look, obstacle } from "./cloud";
import { described, type Item, named } from "./items";
import { BASE, sizeOf } from "./mechanism";
import type { View } from "./scene/viewport";
import type { Settings } from "./settings";
import type { State } from "./state";

interface RobotSnapshot {
  readonly joints: ReadonlyMap<string, readonly number[]>;
  readonly base: readonly number[] | null;
  readonly selected: { readonly kind: Item["kind"]; readonly name: string } | null;
  readonly closing: boolean;
  /** The item whose workspace the page sampled. */
  readonly reached: { readonly kind: Item["kind"]; readonly name: string } | null;
  readonly look: Look;
  readonly folded: ReadonlySet<string>;
}

export interface Snapshot {
  readonly robots: readonly RobotSnapshot[];
  readonly settings: Pick<
    Settings,
    "layers" | "groups" | "inertia" | "angles" | "mode" | "arrangement" | "focus" | "themeChoice" | "up" | "meshes"
  >;
  readonly view: View;
  /** The time of the motion, in s. */
  readonly time: number | null;
}

/** Capture the state of a robot: only positions that were changed, so that a new initial pose shows. */
export function capture(state: State): RobotSnapshot {
  const { robot, mechanism, selected, cloud, look, folded } = state;
  const words = (item: Item | null): RobotSnapshot["selected"] =>
    item && { kind: item.kind, name: described(robot, item).name };
  const moved = (joint: number): boolean => {
    const start = mechanism.of(robot.start, joint);
    return state.of(joint).some((value, index) => value !== start[index]);
  };
  return {
    joints: new Map(
      robot.joints.flatMap(({ name, kind }, joint) =>
        sizeOf(kind) > 0 && moved(joint) ? [[name, state.of(joint)] as const] : [],
      ),
    ),
    base: moved(BASE) ? state.of(BASE) : null,
    selected: words(selected),
    closing: state.closing,
    reached: words(cloud?.own ? cloud.item : null),
    look,
    folded,
  };
}

/** Restore the state of a robot: joints with the same name and number of positions. */
export function restore(state: State, snapshot: RobotSnapshot): void {
  const { joints, base, selected, closing, reached, look, folded } = snapshot;
  const { robot, mechanism } = state;
  let { positions } = state;
  robot.joints.forEach(({ name, kind }, joint) => {
    const numbers = joints.get(name);
    if (numbers?.length === sizeOf(kind) && numbers.length > 0) {
      positions = mechanism.with(positions, joint, numbers);
    }
  });
  if (base && state.floats) {
    positions = mechanism.with(positions, BASE, base);
  }
  state.closing = closing && robot.loops.length > 0;
  if (joints.size > 0 || base) {
    state.arrange(positions);
  }
  state.select(selected && named(robot, selected.kind, selected.name));
  const item = reached && named(robot, reached.kind, reached.name);
  if (item && !obstacle(robot)) {
    state.reach(item);
  }
  state.look = look;
  folded.forEach((name) => state.folded.add(name));
}
