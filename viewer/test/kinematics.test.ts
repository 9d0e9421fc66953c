import { describe, expect, it } from "vitest";
import { centreOfMass, follow, forward, initialPositions, moves, type Tree } from "../src/kinematics";
import type { JointData } from "../src/model";
import { apply, compose, fromNumbers, IDENTITY, rows, slide, turn } from "../src/pose";

const HERE = [0, 0, 0, 1, 0, 0, 0] as const;

function joint(name: string, kind: string, child: number, more: Partial<JointData> = {}): JointData {
  const plain = { origin: HERE, axis: [0, 0, 1] as const, lower: null, upper: null, initial: 0 };
  return { name, kind, child, ...plain, ...more };
}

function link(name: string, parent: number, by: number, mass = 0): Tree["links"][number] {
  return { name, parent, joint: by, mass, com: [0, 0, 0] };
}

/** A column at height 1, an arm of 1 m along X that turns about Z, and a car that slides along it. */
const CRANE: Tree = {
  root: [0, 0, 1, 1, 0, 0, 0],
  links: [link("car", 2, 1, 3), link("column", -1, -1, 1), link("arm", 1, 0)],
  order: [1, 2, 0],
  joints: [
    joint("swing", "revolute", 2, { initial: 0.5 }),
    joint("slide", "prismatic", 0, { origin: [1, 0, 0, 1, 0, 0, 0], axis: [1, 0, 0] }),
  ],
  followers: [],
};

function close(got: readonly number[], wanted: readonly number[]): void {
  expect(got).toHaveLength(wanted.length);
  got.forEach((value, index) => expect(value).toBeCloseTo(wanted[index]!, 12));
}

describe("poses", () => {
  it("turn and slide along the axis", () => {
    close(apply(turn([0, 0, 1], Math.PI / 2), [1, 0, 0]), [0, 1, 0]);
    close(apply(turn([1, 0, 0], Math.PI / 2), [0, 1, 0]), [0, 0, 1]);
    close(apply(slide([0, 0.6, 0.8], 10), [1, 2, 3]), [1, 8, 11]);
  });

  it("come from a position and a quaternion", () => {
    const half = Math.SQRT1_2;
    close(fromNumbers([1, 2, 3, half, 0, 0, half]), compose(slide([1, 2, 3], 1), turn([0, 0, 1], Math.PI / 2)));
    close(rows(IDENTITY), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });

  it("compose from the outer to the inner", () => {
    const there = compose(slide([1, 0, 0], 5), turn([0, 0, 1], Math.PI));
    close(apply(there, [1, 0, 0]), [4, 0, 0]);
  });
});

describe("forward", () => {
  it("puts links where their joints say, parents first", () => {
    const poses = forward(CRANE, [Math.PI / 2, 0.25]);
    close(apply(poses[1]!, [0, 0, 0]), [0, 0, 1]);
    close(apply(poses[0]!, [0, 0, 0]), [0, 1.25, 1]);
  });

  it("starts at the initial positions", () => {
    expect(initialPositions(CRANE)).toEqual([0.5, 0]);
  });

  it("leaves joints at zero that one number does not move", () => {
    for (const kind of ["fixed", "track", "ball", "planar", "free", "screw", "universal"]) {
      expect(moves(kind)).toBe(false);
      const held = { ...CRANE, joints: [joint("swing", kind, 2), CRANE.joints[1]!] };
      close(apply(forward(held, [1, 0])[0]!, [0, 0, 0]), [1, 0, 1]);
    }
  });
});

describe("follow", () => {
  it("puts followers where their leaders put them, one after the other", () => {
    const joints = ["a", "b", "c"].map((name) => joint(name, "revolute", 0));
    const followers = [
      { joint: 2, leader: 0, ratio: -2, offset: 0.1 },
      { joint: 1, leader: 2, ratio: 1, offset: 1 },
    ];
    close(follow({ ...CRANE, joints, followers }, [0.5, 9, 9]), [0.5, 0.1, -0.9]);
  });

  it("takes a leader that cannot move for one at zero", () => {
    const followers = [{ joint: 0, leader: null, ratio: 3, offset: 0.2 }];
    close(follow({ ...CRANE, followers }, [7, 0.1]), [0.2, 0.1]);
  });
});

describe("the centre of mass", () => {
  it("weighs the links", () => {
    close(centreOfMass(CRANE, forward(CRANE, [0, 0.6]))!, [1.2, 0, 1]);
  });

  it("is nowhere without mass", () => {
    const links = CRANE.links.map((each) => ({ ...each, mass: 0 }));
    expect(centreOfMass({ ...CRANE, links }, forward(CRANE, [0, 0]))).toBeNull();
  });
});
