// Snapshot of the page's state as plain data: steps of the history, the address, and reloads of the model.

import { type Look, obstacle } from "./cloud";
import { described, type Item, type ItemKind, named } from "./items";
import { BASE, sizeOf } from "./mechanism";
import type { RobotData, Vector3 } from "./model";
import type { Settings } from "./settings";
import type { State } from "./state";

/** An item by its name, which survives a reload. */
export interface ItemName {
  readonly kind: ItemKind;
  readonly name: string;
}

/** Positions by the names of joints, the base under the empty name; the others are those of the model. */
export type Placed = readonly (readonly [joint: string, numbers: readonly number[]])[];

/** A pose: the digest of the kinematics of its model, in which it is restored exactly, and its positions. */
export interface PoseSnapshot {
  readonly model: string;
  readonly positions: Placed;
}

/** A pose with a name. */
export interface KeptPose extends PoseSnapshot {
  readonly name: string;
}

export interface RobotSnapshot extends PoseSnapshot {
  readonly kept: readonly KeptPose[];
  readonly selected: ItemName | null;
  readonly closing: boolean;
  /** The item whose workspace the page sampled. */
  readonly reached: ItemName | null;
  readonly look: Look;
  readonly folded: readonly string[];
  /** The links that are hidden, and those that are drawn faintly. */
  readonly hidden: readonly string[];
  readonly faded: readonly string[];
  /** The link from which chains are pulled; "" for the root. */
  readonly chain: string;
}

/** The eye and its target; ``fit`` is the direction and the number of the last fit, while the view is fitted. */
export interface ViewSnapshot {
  readonly eye: Vector3;
  readonly target: Vector3;
  readonly fit: { readonly from: Vector3; readonly count: number } | null;
}

export type SettingsSnapshot = Pick<
  Settings,
  | "layers" | "groups" | "meshes" | "inertia" | "angles" | "mode" | "arrangement" | "focus" | "themeChoice" | "up" | "reference" | "turns"
  | "folds" | "widths" | "drawer" | "lens" | "frameSize" | "cell" | "matrix" | "loop"
>;

export interface Snapshot {
  readonly robots: readonly RobotSnapshot[];
  readonly settings: SettingsSnapshot;
  /** Null without a scene. */
  readonly view: ViewSnapshot | null;
  /** The time of the motion, in s; null without one. */
  readonly time: number | null;
}

/** Capture the state of a robot: only positions that were changed, so that a new initial pose shows. */
export function capture(state: State): RobotSnapshot {
  const { robot, selected, cloud, look, folded, closing, kept, hidden, faded, chain } = state;
  return {
    ...capturePose(state),
    kept,
    selected: nameOf(robot, selected),
    closing,
    reached: nameOf(robot, cloud?.own ? cloud.item : null),
    look,
    folded: [...folded].sort(),
    hidden,
    faded,
    chain,
  };
}

/** Capture the pose of a robot. */
export function capturePose(state: State): PoseSnapshot {
  return { model: digest(state.robot), positions: changed(state) };
}

/** Capture the settings. */
export function captureSettings(settings: Settings): SettingsSnapshot {
  const { layers, groups, meshes, inertia, angles, mode, arrangement, focus, themeChoice, up, reference, turns } = settings;
  const { folds, widths, drawer, lens, frameSize, cell, matrix, loop } = settings;
  return {
    layers: { ...layers }, groups: [...groups], meshes, inertia, angles, mode, arrangement, focus, themeChoice, up, reference, turns, folds, widths,
    drawer, lens, frameSize, cell, matrix, loop,
  };
}

/** The positions of a robot that are not those of its model. */
function changed({ robot, mechanism, positions }: State): Placed {
  const at = (joint: number): readonly number[] => mechanism.of(positions, joint);
  const moved = (joint: number): boolean => {
    const start = mechanism.of(robot.start, joint);
    return at(joint).some((value, index) => value !== start[index]);
  };
  const joints = robot.joints.flatMap(({ name, kind }, joint) =>
    sizeOf(kind) > 0 && moved(joint) ? [[name, at(joint)] as const] : [],
  );
  return [...(moved(BASE) ? [["", at(BASE)] as const] : []), ...joints];
}

/** Restore the state of a robot: joints with the same name and number of positions. */
export function restore(state: State, snapshot: RobotSnapshot): void {
  const { robot } = state;
  const { selected, closing, reached, look, folded, kept, hidden, faded, chain } = snapshot;
  state.keepClosed(closing && robot.loops.length > 0);
  restorePose(state, snapshot);
  state.select(selected && named(robot, selected.kind, selected.name));
  const now = nameOf(robot, state.cloud?.own ? state.cloud.item : null);
  if (JSON.stringify(reached) !== JSON.stringify(now)) {
    const item = reached && named(robot, reached.kind, reached.name);
    if (item && !obstacle(robot)) {
      state.reach(item);
    } else if (now) {
      state.surround(null);
    }
  }
  state.see(look);
  state.fold(folded);
  state.keep(kept);
  state.veil(hidden, faded);
  state.pullFrom(chain);
}

/** Place a robot as in a snapshot: exactly in the same model, with its loops closed in another one. */
export function restorePose(state: State, { model, positions }: PoseSnapshot): void {
  const { robot, mechanism } = state;
  const known = new Map(positions);
  let wanted = robot.start;
  robot.joints.forEach(({ name, kind }, joint) => {
    const numbers = known.get(name);
    if (numbers?.length === sizeOf(kind) && numbers.length > 0) {
      wanted = mechanism.with(wanted, joint, numbers);
    }
  });
  const base = known.get("");
  if (base?.length === 7 && state.floats) {
    wanted = mechanism.with(wanted, BASE, base);
  }
  if (wanted.every((value, index) => value === state.positions[index])) {
    return;
  }
  if (model === digest(robot)) {
    state.place(wanted);
  } else {
    state.arrange(wanted);
  }
}

const digests = new WeakMap<RobotData, string>();

/** A digest of what the positions of a robot mean: eight hexadecimal digits. */
function digest(robot: RobotData): string {
  const found = digests.get(robot) ?? computeDigest(robot);
  digests.set(robot, found);
  return found;
}

function computeDigest({ start, joints, followers, loops }: RobotData): string {
  const own = joints.map(({ name, kind, child, origin, axis, axis2, lead }) => [name, kind, child, origin, axis, axis2, lead]);
  const held = loops.map(({ a, b, poseA, poseB, axis, holds }) => [a, b, poseA, poseB, axis, holds]);
  // FNV-1a with 32 bits.
  let hash = 0x811c9dc5;
  for (const letter of JSON.stringify([start, own, followers, held])) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

function nameOf(robot: RobotData, item: Item | null): ItemName | null {
  return item && { kind: item.kind, name: described(robot, item).name };
}

/** Whether two snapshots are one state: a fitted view is the same in a window of another size. */
export function sameSnapshot(a: Snapshot, b: Snapshot): boolean {
  return sameView(a.view, b.view) && sameButView(a, b);
}

/** Whether two snapshots differ at most in their views. */
export function sameButView(a: Snapshot, b: Snapshot): boolean {
  return JSON.stringify({ ...a, view: null }) === JSON.stringify({ ...b, view: null });
}

function sameView(a: ViewSnapshot | null, b: ViewSnapshot | null): boolean {
  return (a?.fit && b?.fit && a.fit.count === b.fit.count) || placed(a) === placed(b);
}

function placed(view: ViewSnapshot | null): string {
  return String(view && [view.eye, view.target]);
}
