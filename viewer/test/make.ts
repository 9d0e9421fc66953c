// Small robots for tests.

import { expect } from "vitest";
import { type JointKind, KINDS } from "../src/kinds";
import type { JointData, LinkData, LoopData, RobotData } from "../src/model";

export const HERE = [0, 0, 0, 1, 0, 0, 0] as const;

export function joint(name: string, kind: JointKind, child: number, more: Partial<JointData> = {}): JointData {
  const plain = { origin: HERE, axis: [0, 0, 1] as const, axis2: null, lead: 0, held: null, lower: null, upper: null, initial: 0 };
  return { name, kind, child, properties: [], at: null, ...plain, ...more };
}

function startOf({ kind, initial }: JointData): number[] {
  const { size, quaternion } = KINDS[kind];
  return Array.from({ length: size }, (_, i) => (quaternion && i === size - 4 ? 1 : initial));
}

export function link(name: string, parent: number, by: number, mass = 0): LinkData {
  return { name, parent, joint: by, mass, com: [0, 0, 0], inertia: null, properties: [], at: null };
}

export function robot(links: LinkData[], joints: JointData[], more: Partial<RobotData> = {}): RobotData {
  const start = [...HERE, ...joints.flatMap(startOf)];
  const order = links.map((_, index) => index);
  return {
    name: "robot", file: "", format: "", base: "fixed", start, links, order, joints, followers: [], loops: [],
    devices: [], frames: [], poses: [], coordinates: [], collision: { default: "not_adjacent", enabled: [], disabled: [], adjacent: [] },
    shapes: { visual: [], collision: [] }, sites: [], missing: { visual: [], collision: [] }, findings: [], sources: [], checked: true,
    ...more,
  };
}

/** A chain of revolute joints about Z with links of 1 m in the XY plane. */
export function arm(count: number, more: Partial<JointData> = {}): RobotData {
  const links = [link("base", -1, -1), ...Array.from({ length: count }, (_, i) => link(`arm${i}`, i, i))];
  const joints = Array.from({ length: count }, (_, i) =>
    joint(`j${i}`, "revolute", i + 1, { origin: i ? [1, 0, 0, 1, 0, 0, 0] : HERE, ...more }),
  );
  return robot(links, joints);
}

/** A four-bar linkage: cranks of length 1 at 0 and 2 m, joined by a rod. */
export function fourBar(rod = 2): RobotData {
  const out = robot(
    [link("base", -1, -1), link("crank", 0, 0), link("rod", 1, 1), link("rocker", 0, 2)],
    [
      joint("crank", "revolute", 1, { initial: Math.PI / 2 }),
      joint("rod", "revolute", 2, { origin: [1, 0, 0, 1, 0, 0, 0], initial: -Math.PI / 2 }),
      joint("rocker", "revolute", 3, { origin: [2, 0, 0, 1, 0, 0, 0], initial: Math.PI / 2 }),
    ],
  );
  const hinge: LoopData = {
    name: "hinge", a: 2, b: 3, poseA: [rod, 0, 0, 1, 0, 0, 0], poseB: [1, 0, 0, 1, 0, 0, 0],
    axis: [0, 0, 1], holds: [true, true, false, true], properties: [], at: null,
  };
  return { ...out, loops: [hinge] };
}

export function close(got: readonly number[], wanted: readonly number[], digits = 12): void {
  expect(got).toHaveLength(wanted.length);
  got.forEach((value, index) => expect(value).toBeCloseTo(wanted[index]!, digits));
}

export function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
