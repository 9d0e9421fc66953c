import { describe, expect, it, vi } from "vitest";
import type { JointKind } from "../src/kinds";
import { link as linkItem, named } from "../src/items";
import { capture, restore } from "../src/snapshot";
import { knobsOf } from "../src/knobs";
import { BASE } from "../src/mechanism";
import type { RobotData, ShapeData } from "../src/model";
import { Settings } from "../src/settings";
import { State } from "../src/state";
import { synchronize } from "../src/synchronize";
import { arm, chanceFrom, close, fourBar, joint, link, robot } from "./make";

const HAND: RobotData = robot(
  [link("palm", -1, -1), link("left", 0, 0), link("right", 0, 1)],
  [joint("left", "prismatic", 1), joint("right", "prismatic", 2)],
  { followers: [{ joint: 1, leader: 0, ratio: -1, offset: 0 }] },
);

describe("the state", () => {
  it("moves a joint and its followers", () => {
    const state = new State(HAND);
    const moved = vi.fn();
    state.on("pose", moved);
    state.move(0, [0.02]);
    expect(state.positions.slice(7)).toEqual([0.02, -0.02]);
    expect(state.poses[2]![11]).toBe(-0.02);
    state.reset();
    expect(state.positions).toEqual(HAND.start);
    expect(moved).toHaveBeenCalledTimes(2);
  });

  it("shows the findings of unibody check once, while they are expected", () => {
    const later = { findings: [], sources: [] };
    const pending = { ...HAND, checked: false };
    const [state, none, done] = [new State(pending, false, true), new State(pending), new State(HAND, false, true)];
    expect([state.checked, none.checked, done.checked]).toEqual(["coming", "no", "yes"]);
    const told = vi.fn();
    state.on("findings", told);
    state.find(later);
    state.find(null);
    expect([state.checked, state.found, told.mock.calls.length]).toEqual(["yes", later, 1]);
    none.find(later);
    expect([none.checked, none.found]).toEqual(["no", pending]);
  });

  it("emits a selection once", () => {
    const state = new State(HAND);
    const chosen = vi.fn();
    state.on("selection", chosen);
    state.select(linkItem(2));
    state.select(linkItem(2));
    expect(chosen).toHaveBeenCalledTimes(1);
    state.select(null);
    expect(chosen).toHaveBeenCalledTimes(2);
  });

  it("applies postures to the initial positions", () => {
    const state = new State({ ...arm(2), poses: [{ name: "bent", positions: [[1, 0.5]] }] });
    state.move(0, [2]);
    state.posture(0);
    expect(state.positions.slice(7)).toEqual([0, 0.5]);
  });

  it("samples random poses within the limits", () => {
    const state = new State(arm(4, { lower: -0.5, upper: 0.25 }));
    const chance = chanceFrom(1);
    for (let i = 0; i < 20; i++) {
      state.random(chance);
      expect(Math.min(...state.positions.slice(7))).toBeGreaterThanOrEqual(-0.5);
      expect(Math.max(...state.positions.slice(7))).toBeLessThanOrEqual(0.25);
    }
  });

  it("keeps loops closed only if enabled", () => {
    const state = new State(fourBar());
    state.move(0, [1]);
    expect(state.of(2)[0]).toBeCloseTo(1, 6);
    state.close(false);
    state.move(0, [2]);
    expect(state.of(2)[0]).toBeCloseTo(1, 6);
    state.close(true);
    expect(state.closing).toBe(true);
    expect(state.of(2)[0]).toBeCloseTo(state.of(0)[0]!, 6);
  });
});

describe("knobs", () => {
  it("clamp to the limits and ignore NaN", () => {
    const state = new State(arm(1, { lower: -1, upper: 2 }));
    const [knob] = knobsOf(state, 0);
    knob!.write(5);
    expect(knob!.read()).toBe(2);
    knob!.write(Number.NaN);
    expect(knob!.read()).toBe(2);
    expect(knob!.range).toEqual([-1, 2]);
  });

  it("rotate a ball joint by three angles that are kept as set", () => {
    const state = new State(robot([link("a", -1, -1), link("b", 0, 0)], [joint("wrist", "ball", 1)]));
    const knobs = knobsOf(state, 0);
    expect(knobs.map(({ name }) => name)).toEqual(["wrist.roll", "wrist.pitch", "wrist.yaw"]);
    knobs[0]!.write(0.3);
    knobs[1]!.write(Math.PI / 2);
    knobs[2]!.write(0.5);
    close(knobs.map((knob) => knob.read()), [0.3, Math.PI / 2, 0.5]);
    state.reset();
    close(knobs.map((knob) => knob.read()), [0, 0, 0]);
  });

  it("move the base unless it is fixed", () => {
    const state = new State({ ...arm(1), base: "free" });
    expect(state.floats).toBe(true);
    const knobs = knobsOf(state, BASE);
    const parts = ["x", "y", "z", "roll", "pitch", "yaw"];
    expect(knobs.map(({ label }) => label)).toEqual(parts.map((part) => `base ${part}`));
    knobs[2]!.write(0.7);
    expect(state.poses[0]![11]).toBe(0.7);
    expect(new State(arm(1)).floats).toBe(false);
  });

  it("number three for a planar joint and none for a fixed one", () => {
    const links = [link("a", -1, -1), link("b", 0, 0)];
    const of = (kind: JointKind): string[] =>
      knobsOf(new State(robot(links, [joint("j", kind, 1)])), 0).map(({ name }) => name);
    expect(of("planar")).toEqual(["j.x", "j.y", "j.angle"]);
    expect(of("free")).toHaveLength(6);
    expect(of("universal")).toEqual(["j.angle 1", "j.angle 2"]);
    expect(of("screw")).toEqual(["j"]);
    expect(of("fixed")).toEqual([]);
  });
});

describe("two robots", () => {
  const pair = (): [State, State] => [new State(arm(3)), new State({ ...arm(2), base: "free" }, true)];
  const joined = { links: [[0, 0], [1, 1], [2, 2]], joints: [[0, 0], [1, 1]], count: 0, differences: [] } as const;

  it("move matching joints together", () => {
    const [a, b] = pair();
    synchronize([a, b], joined);
    a.move(0, [0.5]);
    a.move(2, [0.7]);
    expect(b.positions.slice(7)).toEqual([0.5, 0]);
    b.move(1, [-1]);
    expect(a.positions.slice(7)).toEqual([0.5, -1, 0.7]);
    expect(b.floats).toBe(false);
  });

  it("share the selection", () => {
    const [a, b] = pair();
    synchronize([a, b], joined);
    a.select(linkItem(2));
    expect(b.selected).toEqual(linkItem(2));
    a.select(linkItem(3));
    expect(b.selected).toBeNull();
    b.hover(linkItem(1));
    expect(a.hovered).toEqual(linkItem(1));
  });
});

describe("a reloaded model", () => {
  it("restores only the positions that were changed", () => {
    const state = new State({ ...arm(3), base: "free" });
    state.move(1, [0.4]);
    state.move(BASE, [0, 0, 2, 1, 0, 0, 0]);
    state.select(linkItem(2));
    const next = new State({
      ...arm(2), base: "free", start: [0, 0, 0, 1, 0, 0, 0, 0.9, 0],
    });
    restore(next, capture(state));
    expect(next.positions).toEqual([0, 0, 2, 1, 0, 0, 0, 0.9, 0.4]);
    expect(next.selected).toEqual(named(next.robot, "link", "arm1"));
  });

  it("ignores items that no longer exist", () => {
    const state = new State(arm(3));
    state.move(2, [1]);
    state.select(linkItem(3));
    const next = new State(arm(1));
    restore(next, capture(state));
    expect(next.positions).toEqual(next.robot.start);
    expect(next.selected).toBeNull();
  });
});

describe("settings", () => {
  const shapes = [{ link: 0, mesh: 0, material: -1, place: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], name: "" }];
  const layers = (visual: readonly ShapeData[], collision: readonly ShapeData[]): string[] => {
    const shown = new Settings([{ ...HAND, shapes: { visual, collision } }]).layers;
    return Object.entries(shown).flatMap(([name, on]) => (on ? [name] : []));
  };

  it("show a layer initially", () => {
    expect(layers(shapes, shapes)).toEqual(["visual", "world", "sites", "traces", "workspace", "contacts", "grid"]);
    expect(layers([], shapes)).toEqual(["collision", "world", "sites", "traces", "workspace", "contacts", "grid"]);
    expect(layers([], [])).toEqual(["world", "sites", "frames", "traces", "workspace", "contacts", "grid"]);
    expect(new Settings([fourBar()]).layers.loops).toBe(false);
  });

  it("cycle the forms of inertias", () => {
    const settings = new Settings([HAND]);
    const seen = [0, 1, 2].map(() => {
      settings.nextInertia();
      return settings.layers.inertia ? settings.inertia : "off";
    });
    expect(seen).toEqual(["box", "ellipsoid", "off"]);
  });
});
