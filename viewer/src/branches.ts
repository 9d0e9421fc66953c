// Groups of joints for people: a branch of the tree, such as an arm, is a group.

import { sizeOf } from "./mechanism";
import type { RobotData } from "./model";

/** Joints under one title, in the order of the tree. */
export interface Branch {
  readonly title: string;
  readonly joints: readonly number[];
}

// A branch with fewer moving joints stays with the joints before it.
const FEW = 4;

/** The moving joints of a robot by branches; the robots of a scene are branches, too. */
export function branches(robot: RobotData): Branch[] {
  const children = new Map<number, number[]>();
  const size = new Map<number, number>();
  for (const link of [...robot.order].reverse()) {
    const { parent, joint } = robot.links[link]!;
    const own = joint >= 0 && shows(robot, joint) ? 1 : 0;
    const below = (children.get(link) ?? []).reduce((sum, child) => sum + size.get(child)!, own);
    size.set(link, below);
    if (parent >= 0) {
      children.set(parent, [link, ...(children.get(parent) ?? [])]);
    }
  }
  const out: number[][] = [];
  const walk = (link: number, group: number[]): void => {
    const { joint } = robot.links[link]!;
    if (joint >= 0 && shows(robot, joint)) {
      group.push(joint);
    }
    const all = children.get(link) ?? [];
    const large = all.filter((child) => size.get(child)! >= FEW);
    // The joints of small branches first; a single large one goes on in the group.
    all.filter((child) => !large.includes(child)).forEach((child) => walk(child, group));
    for (const child of large) {
      if (large.length === 1) {
        walk(child, group);
      } else {
        const made: number[] = [];
        out.push(made);
        walk(child, made);
      }
    }
  };
  for (const link of robot.order.filter((each) => robot.links[each]!.parent < 0)) {
    const made: number[] = [];
    out.push(made);
    walk(link, made);
  }
  const full = out.filter((group) => group.length > 0);
  return full.map((joints) => ({ title: titleOf(joints.map((joint) => robot.joints[joint]!.name)), joints }));
}

/** Whether a joint has a row: it moves, or would move if its data were complete. */
export function shows(robot: RobotData, joint: number): boolean {
  const { kind, held } = robot.joints[joint]!;
  return sizeOf(kind) > 0 || held !== null || kind === "track";
}

// Parts of a title.
const PARTS = 3;

/** What the names of joints begin with: "RLEG", "arm_left, gripper_left"; else the first and the last name. */
function titleOf(names: readonly string[]): string {
  const [first] = names as [string, ...string[]];
  if (names.length === 1) {
    return first;
  }
  const stems = [...new Set(names.map(stem))];
  const short = stems.length <= PARTS && stems.length < names.length && stems.every((each) => each.length > 1);
  return short ? stems.join(", ") : `${first} … ${names.at(-1)!}`;
}

/** The words of a name before its number, else its first word. */
function stem(name: string): string {
  const words = name.split(/[_\-./ ]+|(?<=[a-z])(?=\d)/i).filter(Boolean);
  const number = words.findIndex((word) => /^\d+$/.test(word));
  return (number > 0 ? words.slice(0, number) : words.slice(0, 1)).join("_");
}
