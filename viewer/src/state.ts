// What the page shows now, and who wants to know when that changes.

import { follow, forward, initialPositions } from "./kinematics";
import type { Model, ShapeSet } from "./model";
import type { Pose } from "./pose";

export const LAYERS = ["visual", "collision", "frames", "mass"] as const;
export type Layer = (typeof LAYERS)[number];

export type Change = "pose" | "selection" | "hover" | "layers";

export const NONE = -1;

export class State {
  /** One number per joint (rad or m), and the poses of all links that follow from them. */
  positions: readonly number[];
  poses: readonly Pose[];
  selected = NONE;
  hovered = NONE;
  readonly layers: Record<Layer, boolean>;
  readonly #listeners = new Map<Change, (() => void)[]>();

  constructor(readonly model: Model) {
    this.positions = initialPositions(model);
    this.poses = forward(model, this.positions);
    // There is something to see from the start: collision shapes where there are no others, else frames.
    const visual = has(model, "visual");
    const collision = !visual && has(model, "collision");
    this.layers = { visual, collision, frames: !visual && !collision, mass: false };
  }

  on(change: Change, listener: () => void): void {
    this.#listeners.set(change, [...(this.#listeners.get(change) ?? []), listener]);
  }

  /** Move one joint; those that follow it move too. */
  move(joint: number, position: number): void {
    this.#place(follow(this.model, this.positions.with(joint, position)));
  }

  reset(): void {
    this.#place(initialPositions(this.model));
  }

  select(link: number): void {
    if (link !== this.selected) {
      this.selected = link;
      this.#tell("selection");
    }
  }

  hover(link: number): void {
    if (link !== this.hovered) {
      this.hovered = link;
      this.#tell("hover");
    }
  }

  show(layer: Layer, on: boolean): void {
    this.layers[layer] = on;
    this.#tell("layers");
  }

  #place(positions: readonly number[]): void {
    this.positions = positions;
    this.poses = forward(this.model, positions);
    this.#tell("pose");
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners.get(change) ?? []) {
      listener();
    }
  }
}

function has({ shapes, missing }: Model, set: ShapeSet): boolean {
  return shapes[set].length + missing[set].length > 0;
}
