import { describe, expect, it } from "vitest";
import { BASE, centerOfMass, chain, Mechanism, moves } from "../src/mechanism";
import { apply, compose, cross, inverse, minus, origin, plus, scaled } from "../src/pose";
import { fromPose, fromVector, uniform } from "../src/quaternion";
import type { JointKind } from "../src/kinds";
import type { JointData, Vector3 } from "../src/model";
import { arm, chanceFrom, close, HERE, joint, link, robot } from "./make";

/** A column of height 1, an arm of 1 m along X (revolute about Z), and a car sliding along it (prismatic). */
const CRANE = {
  ...robot(
    [link("car", 2, 1, 3), link("column", -1, -1, 1), link("arm", 1, 0)],
    [
      joint("swing", "revolute", 2, { initial: 0.5 }),
      joint("slide", "prismatic", 0, { origin: [1, 0, 0, 1, 0, 0, 0], axis: [1, 0, 0] }),
    ],
  ),
  order: [1, 2, 0],
  start: [0, 0, 1, 1, 0, 0, 0, 0.5, 0],
};

describe("forward", () => {
  it("composes joint poses from the root", () => {
    const poses = new Mechanism(CRANE).forward([...CRANE.start.slice(0, 7), Math.PI / 2, 0.25]);
    close(apply(poses[1]!, [0, 0, 0]), [0, 0, 1]);
    close(apply(poses[0]!, [0, 0, 0]), [0, 1.25, 1]);
  });

  it("normalizes the quaternion of the base", () => {
    const poses = new Mechanism(CRANE).forward([5, 6, 7, 2, 0, 0, 2, 0, 0]);
    close(apply(poses[0]!, [0, 0, 0]), [5, 7, 7]);
  });

  it("keeps joints without positions at zero", () => {
    for (const kind of ["fixed", "track"] as const) {
      expect(moves(kind)).toBe(false);
      const held = { ...CRANE, joints: [joint("swing", kind, 2), CRANE.joints[1]!] };
      close(apply(new Mechanism(held).forward([0, 0, 1, 1, 0, 0, 0, 0])[0]!, [0, 0, 0]), [1, 0, 1]);
    }
  });

  it("supports joints with several positions", () => {
    const at = (kind: JointKind, numbers: number[], axis: Vector3 = [0, 0, 1]): Vector3 => {
      const one = robot([link("a", -1, -1), link("b", 0, 0)], [joint("j", kind, 1, { axis })]);
      return apply(new Mechanism(one).forward([...HERE, ...numbers])[1]!, [1, 0, 0]);
    };
    close(at("planar", [1, 2, Math.PI / 2]), [1, 3, 0]);
    // The plane normal to X contains Y and Z.
    close(at("planar", [1, 2, 0], [1, 0, 0]), [1, 1, 2]);
    close(at("ball", [0, 0, 0, 1]), [-1, 0, 0]);
    close(at("free", [1, 2, 3, 0, 0, 0, 1]), [0, 2, 3]);
  });

  it("moves screws along their axes, and turns universal joints about both", () => {
    const at = (kind: JointKind, numbers: number[], more: Partial<JointData>): Vector3 => {
      const one = robot([link("a", -1, -1), link("b", 0, 0)], [joint("j", kind, 1, more)]);
      return apply(new Mechanism(one).forward([...HERE, ...numbers])[1]!, [1, 0, 0]);
    };
    close(at("screw", [Math.PI / 2], { lead: -0.5 }), [0, 1, -Math.PI / 4]);
    close(at("universal", [Math.PI / 2, 0], { axis2: [0, 1, 0] }), [0, 1, 0]);
    close(at("universal", [Math.PI / 2, Math.PI / 2], { axis2: [0, 1, 0] }), [0, 0, -1]);
  });
});

describe("follow", () => {
  const joints = ["a", "b", "c"].map((name, index) => joint(name, "revolute", index + 1));
  const links = [link("root", -1, -1), ...joints.map(({ name }, index) => link(name, index, index))];

  it("moves followers of followers", () => {
    const followers = [
      { joint: 2, leader: 0, ratio: -2, offset: 0.1 },
      { joint: 1, leader: 2, ratio: 1, offset: 1 },
    ];
    const mechanism = new Mechanism(robot(links, joints, { followers }));
    close(mechanism.follow([...HERE, 0.5, 9, 9]).slice(7), [0.5, 0.1, -0.9]);
    expect([0, 1, 2].map((index) => mechanism.follows(index))).toEqual([false, true, true]);
  });

  it("uses 0 for a leader that cannot move", () => {
    const followers = [{ joint: 0, leader: null, ratio: 3, offset: 0.2 }];
    close(new Mechanism(robot(links, joints, { followers })).follow([...HERE, 7, 0.1, 0]).slice(7), [0.2, 0.1, 0]);
  });
});

describe("motions", () => {
  const kinds = ["revolute", "prismatic", "planar", "ball", "free", "revolute", "screw", "universal"] as const;
  const chance = chanceFrom(5);
  const some = (): Vector3 => [chance() - 0.5, chance() - 0.5, chance() - 0.5];
  const mixed = robot(
    [link("root", -1, -1), ...kinds.map((_, i) => link(`l${i}`, i, i))],
    kinds.map((kind, i) => joint(`j${i}`, kind, i + 1, {
      origin: [...some(), ...uniform([chance(), chance(), chance()])],
      axis: ([[1, 0, 0], [0, 0.6, 0.8], [0.36, 0.48, 0.8]] as const)[i % 3]!,
      axis2: kind === "universal" ? [0.36, -0.48, 0.8] : null,
      lead: kind === "screw" ? -0.3 : 0,
    })),
    { followers: [{ joint: 5, leader: 0, ratio: -1.5, offset: 0.2 }] },
  );
  const mechanism = new Mechanism(mixed);
  const positions = mechanism.follow([
    ...some(), ...uniform([0.1, 0.2, 0.3]), 0.4, -0.2, ...some(), ...uniform([0.5, 0.1, 0.9]),
    ...some(), ...uniform([0.3, 0.6, 0.2]), 0, 0.7, 0.3, -0.4,
  ]);
  const poses = mechanism.forward(positions);
  const all = [BASE, ...mixed.joints.map((_, index) => index)].flatMap((at) => mechanism.motionsOf(at, poses));
  const shares = mechanism.shares(all);

  it("match finite differences", () => {
    expect(all.map(({ joint: at }) => at)).toEqual([
      ...Array(6).fill(BASE), 0, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 6, 7, 7,
    ]);
  });

  it.each(all.filter(({ joint: at }) => !mechanism.follows(at)))("are rates: %o", (motion) => {
    const step = 1e-6;
    const moved = mechanism.forward(mechanism.integrate(positions, [[motion, step]]));
    const last = mixed.links.length - 1;
    const [before, after] = [poses[last]!, moved[last]!];
    const turned = fromPose(compose(after, inverse(before)));
    const sign = Math.sign(turned[0]);
    const angular = turned.slice(1).map((v) => (2 * sign * v) / step) as unknown as Vector3;
    const parts = [[motion, 1] as const, ...(shares.get(motion.joint) ?? [])];
    const sum = (of: "angular" | "linear"): Vector3 =>
      parts.reduce((out: Vector3, [each, share]) => plus(out, scaled(each[of], share)), [0, 0, 0]);
    close(angular, sum("angular"), 4);
    const velocity = plus(sum("linear"), cross(sum("angular"), origin(before)));
    close(scaled(minus(origin(after), origin(before)), 1 / step), velocity, 4);
  });

  it("integrate quaternions", () => {
    const ball = all.find(({ joint: at }) => at === 3)!;
    const after = mechanism.integrate(positions, [[ball, 0.3]]);
    expect(Math.hypot(...mechanism.of(after, 3))).toBeCloseTo(1, 12);
    expect(mechanism.of(after, 4)).toEqual(mechanism.of(positions, 4));
  });

  it("move the subtree of the joint", () => {
    expect([1, 2, 6].map((at) => mechanism.moves(1, at))).toEqual([false, true, true]);
    expect(mechanism.moves(BASE, 0)).toBe(true);
    expect(chain(mixed, 3)).toEqual([2, 1, 0]);
  });
});

it("unwinds joints without limits, except leaders", () => {
  const free = arm(3);
  const mechanism = new Mechanism({ ...free, followers: [{ joint: 2, leader: 1, ratio: 0.5, offset: 0 }] });
  const positions = mechanism.follow([...HERE, 7, -7, 0]);
  close(mechanism.unwound(positions).slice(7), [7 - 2 * Math.PI, -7, -3.5]);
  const bounded = new Mechanism(arm(1, { lower: -10, upper: 10 }));
  close(bounded.unwound([...HERE, 7]).slice(7), [7]);
});

describe("centerOfMass", () => {
  it("is the weighted mean of the links", () => {
    const poses = new Mechanism(CRANE).forward([0, 0, 1, 1, 0, 0, 0, 0, 0.6]);
    close(centerOfMass(CRANE, poses)!, [1.2, 0, 1]);
  });

  it("is null without mass", () => {
    const links = CRANE.links.map((each) => ({ ...each, mass: 0 }));
    expect(centerOfMass({ ...CRANE, links }, new Mechanism(CRANE).forward(CRANE.start))).toBeNull();
  });
});

it("converts rotation vectors", () => {
  close(fromVector([0, 0, 0]), [1, 0, 0, 0]);
});
