import { expect, it, vi } from "vitest";
import type { Model, ShapeData } from "../src/model";
import { NONE, State } from "../src/state";

const HERE = [0, 0, 0, 1, 0, 0, 0] as const;
const FREE = { lower: null, upper: null, initial: 0, axis: [0, 0, 1] as const, origin: HERE };

const HAND: Model = {
  version: 1,
  name: "hand",
  file: "",
  format: "",
  root: HERE,
  links: [
    { name: "palm", parent: NONE, joint: NONE, mass: 0, com: [0, 0, 0] },
    { name: "left", parent: 0, joint: 0, mass: 0, com: [0, 0, 0] },
    { name: "right", parent: 0, joint: 1, mass: 0, com: [0, 0, 0] },
  ],
  order: [0, 1, 2],
  joints: [
    { name: "left", kind: "prismatic", child: 1, ...FREE },
    { name: "right", kind: "prismatic", child: 2, ...FREE },
  ],
  followers: [{ joint: 1, leader: 0, ratio: -1, offset: 0 }],
  materials: [],
  meshes: [],
  shapes: { visual: [], collision: [] },
  missing: { visual: [], collision: [] },
  findings: [],
  bytes: new ArrayBuffer(0),
  start: 0,
};

it("moves a joint and those that follow it", () => {
  const state = new State(HAND);
  const moved = vi.fn();
  state.on("pose", moved);
  state.move(0, 0.02);
  expect(state.positions).toEqual([0.02, -0.02]);
  expect(state.poses[2]![11]).toBe(-0.02);
  state.reset();
  expect(state.positions.map(Math.abs)).toEqual([0, 0]);
  expect(moved).toHaveBeenCalledTimes(2);
});

it("tells of a choice once", () => {
  const state = new State(HAND);
  const chosen = vi.fn();
  state.on("selection", chosen);
  state.select(2);
  state.select(2);
  expect(chosen).toHaveBeenCalledTimes(1);
  state.select(NONE);
  expect(chosen).toHaveBeenCalledTimes(2);
});

it("shows something from the start", () => {
  const layers = (visual: readonly ShapeData[], collision: readonly ShapeData[]): object =>
    new State({ ...HAND, shapes: { visual, collision } }).layers;
  const shapes = [{ link: 0, mesh: 0, material: -1, place: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] }];
  expect(layers(shapes, shapes)).toEqual({ visual: true, collision: false, frames: false, mass: false });
  expect(layers([], shapes)).toEqual({ visual: false, collision: true, frames: false, mass: false });
  expect(layers([], [])).toEqual({ visual: false, collision: false, frames: true, mass: false });
});
