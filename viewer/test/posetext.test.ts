import { describe, expect, it } from "vitest";
import { branches } from "../src/branches";
import { fromNormalized, normalizedOf } from "../src/normalized";
import { type Notation, poseText, readPose } from "../src/posetext";
import { State } from "../src/state";
import { arm, close, joint, link, robot } from "./make";

function odd(): State {
  const links = [link("root", -1, -1), link("a", 0, 0), link("b", 1, 1), link("c", 2, 2), link("d", 3, 3)];
  const joints = [
    joint("y", "revolute", 1), joint("it's a joint: 1", "prismatic", 2), joint("wrist", "ball", 3), joint("led", "revolute", 4),
  ];
  return new State(robot(links, joints, { base: "free", followers: [{ joint: 3, leader: 0, ratio: 2, offset: 0 }] }));
}

describe("a pose as text", () => {
  for (const notation of ["yaml", "json", "set"] as Notation[]) {
    it(`keeps every digit as ${notation}`, () => {
      const state = odd();
      state.move(0, [1 / 3]);
      state.move(1, [-1.5e-7]);
      state.move(2, [0.5, -0.5, 0.5, 0.5]);
      state.move(-1, [0.1, 0.2, 0.3, 0, 1, 0, 0]);
      const text = poseText(state, notation);
      expect(text).not.toContain("led");
      const other = odd();
      const found = readPose(other, text);
      expect("positions" in found && found.positions).toEqual(state.positions);
    });
  }

  it("quotes what shells and YAML read otherwise", () => {
    const state = odd();
    state.move(0, [0.5]);
    state.move(1, [1e-7]);
    expect(poseText(state, "set")).toBe("--set y=0.5 --set 'it'\\''s a joint: 1=1e-7'");
    const yaml = poseText(state, "yaml").split("\n");
    expect(yaml[0]).toBe("root: [0, 0, 0, 1, 0, 0, 0]");
    expect(yaml[1]).toBe('"y": 0.5');
    expect(yaml[2]).toBe('"it\'s a joint: 1": 1.0e-7');
  });

  it("is read with units, expressions, comments and lists by lines", () => {
    const state = odd();
    const text = "# a pose\ny: 90deg  # turned\nwrist:\n- 0\n- 1\n- 0\n- 0\n'it''s a joint: 1': 25mm\n";
    const found = readPose(state, text);
    if ("problem" in found) {
      throw new Error(found.problem);
    }
    close(found.positions.slice(7), [Math.PI / 2, 0.025, 0, 1, 0, 0, Math.PI]);
    expect(found.named).toEqual(new Set([0, 1, 2]));
  });

  it("says what is wrong", () => {
    const state = odd();
    const problem = (text: string): string => {
      const found = readPose(state, text);
      return "problem" in found ? found.problem : "";
    };
    expect(problem("")).toBe("There is no text.");
    expect(problem("elbow: 1\nknee: 2")).toBe("The robot has no joint elbow, knee.");
    expect(problem("led: 1\nwrist: 2")).toBe("wrist takes 4 numbers, not 1.");
    expect(problem("wrist: [0, 0, 0, 0]")).toBe("wrist: the quaternion is zero.");
    expect(problem("y: 1,5")).toContain("decimal point");
    expect(problem("y: [1")).not.toBe("");
    expect(problem("{")).toBe("This is not JSON.");
    expect(problem('{"y": {"a": 1}}')).toContain("expected a number");
    expect(problem("--set y")).toBe("--set takes JOINT=VALUE, not y.");
    expect(problem("hello there")).toContain("expected JOINT: VALUE");
    expect(problem("0.5 0.5")).toBe("The robot has no normalized vector.");
  });

  it("has MPK's normalized vector", () => {
    const coordinates = [
      { default: 0.5, cyclic: false, drives: [[0, -1, 3], [1, 0, 2]] as const },
      { default: 0.25, cyclic: true, drives: [[2, -Math.PI, Math.PI]] as const },
    ];
    const state = new State({ ...arm(3), coordinates, followers: [{ joint: 1, leader: 0, ratio: 0.5, offset: 0.5 }] });
    state.move(0, [2.5]);
    state.move(2, [Math.PI / 2]);
    close(normalizedOf(state)!, [0.875, 0.75]);
    expect(poseText(state, "t")).toBe("0.875 0.75");
    close(fromNormalized(state, [0.875, 0.75]).slice(7), [2.5, 1.75, Math.PI / 2]);
    const found = readPose(state, "t: 0 1");
    close("positions" in found ? found.positions.slice(7) : [], [-1, 0, Math.PI]);
    expect(readPose(state, "0 2")).toEqual({ problem: "The normalized vector has 2 numbers from 0 to 1, not 2." });
  });
});

describe("groups of joints", () => {
  it("are branches, with few joints beside others", () => {
    const names: string[] = [];
    const links = [link("base", -1, -1)];
    const joints: ReturnType<typeof joint>[] = [];
    const chain = (stem: string, count: number, parent: number): number => {
      let above = parent;
      for (let number = 1; number <= count; number++) {
        names.push(`${stem}_${number}_joint`);
        links.push(link(names.at(-1)!, above, joints.length));
        joints.push(joint(names.at(-1)!, "revolute", links.length - 1));
        above = links.length - 1;
      }
      return above;
    };
    const torso = chain("torso", 2, 0);
    chain("head", 2, torso);
    const arms = ["left", "right"].map((side) => chain(`arm_${side}`, 5, torso));
    chain("finger_a", 2, arms[0]!);
    chain("finger_b", 2, arms[0]!);
    chain("leg", 4, 0);
    const found = branches(robot(links, joints));
    expect(found.map(({ title, joints: group }) => [title, group.length])).toEqual([
      ["torso, head", 4], ["arm_left, finger_a, finger_b", 9], ["arm_right", 5], ["leg", 4],
    ]);
    expect(found.flatMap(({ joints: group }) => group).sort((a, b) => a - b)).toEqual(joints.map((_, index) => index));
    expect(branches(arm(3)).map(({ title }) => title)).toEqual(["j0 … j2"]);
  });
});
