import { describe, expect, it } from "vitest";
import { categories } from "../src/differences";
import type { Aspect, DifferenceData } from "../src/model";
import { Proved } from "../src/proved";
import { State } from "../src/state";
import { arm } from "./make";

describe("proved ranges", () => {
  const robot = { ...arm(4), followers: [{ joint: 2, leader: 1, ratio: 1, offset: 0 }] };
  const made = (touching: readonly (readonly [string, string])[] = []): [State, Proved] => {
    const state = new State(robot);
    const range = { joint: 1, low: -0.5, high: 1, below: null, above: ["a", "b"] as const };
    return [state, new Proved(state, { positions: robot.start, joints: [range], touching })];
  };

  it("hold while the other joints are where they were, and those follow that are coupled", () => {
    const [state, proved] = made();
    expect([proved.of(0), proved.of(1)?.high]).toEqual([undefined, 1]);
    state.move(1, [0.25]);
    expect(proved.moved(1)).toEqual([]);
    state.move(0, [0.1]);
    expect(proved.moved(1)).toEqual([robot.joints[0]!.name]);
  });

  it("are told with the pairs at their ends, and what they are not about", () => {
    const [state, proved] = made([["c", "d"]]);
    expect(proved.text(1, "rad")).toBe(
      "Proved: nothing that is tested touches in −0.5 … 1 rad; above a and b touch. Not of c and d: they touch here.",
    );
    state.move(0, [0.1]);
    expect(proved.text(1, "deg")).toMatch(/^Proved only with .+ where they were: nothing that is tested touches in −28\.6 … 57\.3°;/);
  });
});

it("puts differences into categories, what matters most first", () => {
  const of = (aspect: Aspect, item: string, field: string): DifferenceData => ({
    path: `${item}/${field}`, item, field, aspect, kind: "changed", text: "", links: [-1, -1],
  });
  const found = categories([of("looks", "a", "color"), of("mass", "a", "mass"), of("looks", "b", "color"), of("motion", "j", "axis")]);
  expect(found.map(({ aspect, count, groups }) => [aspect, count, groups.length])).toEqual([
    ["motion", 1, 1], ["mass", 1, 1], ["looks", 2, 1],
  ]);
  expect(found[2]!.groups[0]!.differences.map(({ item }) => item)).toEqual(["a", "b"]);
});
