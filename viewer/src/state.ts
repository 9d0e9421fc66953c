// The state of a robot on the page; emits changes.

import { KINDS } from "./kinds";
import { type Cloud, type Look, PLAIN_LOOK, sampled } from "./cloud";
import { Emitter } from "./events";
import { dragged, type Grip } from "./inverse";
import { type Item, same } from "./items";
import { closed, errorOf, movedClosed } from "./loops";
import { BASE, chain, Mechanism, type Positions, sizeOf } from "./mechanism";
import type { FindingsData, RobotData, Vector3 } from "./model";
import type { Pose } from "./pose";
import { uniform } from "./quaternion";
import type { KeptPose } from "./snapshot";
import type { Gap, LinkPair, Touch } from "./touch";
import { sliderRange } from "./units";

export type Change =
  | "pose" | "selection" | "hover" | "closing" | "cloud" | "look" | "folded" | "kept" | "aim" | "chain" | "touching" | "gaps" | "initial" | "findings" | "veils";

// Range of a planar joint in random poses, in m.
const NEAR = 0.5;
const SAMPLES = 10_000;

/** Whether the findings are all those of unibody check; "coming" while the server computes them. */
export type Checked = "yes" | "no" | "coming";

export class State extends Emitter<Change> {
  readonly mechanism: Mechanism;
  /** Positions of the base and all joints (rad or m), and the resulting poses of all links. */
  positions: Positions;
  poses: readonly Pose[];
  selected: Item | null = null;
  hovered: Item | null = null;
  /** The time of the motion that is shown, in s; null without one. */
  moment: number | null = null;
  /** The pairs of links in collision, while they are shown: tested ones, and the demonstrated one; null otherwise. */
  touching: readonly (readonly [number, number])[] | null = null;
  /** Points at which pairs touch, in the world; those that are near each other and do not touch, nearest first. */
  touches: readonly Touch[] = [];
  gaps: readonly Gap[] = [];
  /** The pairs that touch at the initial pose of the model. */
  initial: readonly LinkPair[] = [];
  /** Whether loops are kept closed. */
  closing: boolean;
  /** The workspace points, and how they are drawn. */
  cloud: Cloud | null = null;
  look: Look = PLAIN_LOOK;
  /** The names of the links whose branches are folded in the tree. */
  folded: ReadonlySet<string> = new Set();
  /** The poses that were given a name on the page. */
  kept: readonly KeptPose[] = [];
  /** The joint that a drag would turn, or turns; null for none. */
  aimed: number | null = null;
  /** The name of the link from which chains are pulled; "" for the root of the robot. */
  chain = "";
  /** The names of the links that are hidden, and of those that are drawn faintly, in order. */
  hidden: readonly string[] = [];
  faded: readonly string[] = [];
  /** The findings that are known. */
  found: FindingsData;
  checked: Checked;
  /** The initial poses of all links. */
  readonly first: readonly Pose[];
  #witness: { readonly pair: readonly [number, number]; readonly positions: Positions } | null = null;

  /** ``led``: the base follows that of another robot; ``checking``: its findings are computed. */
  constructor(
    readonly robot: RobotData,
    private readonly led = false,
    checking = false,
  ) {
    super();
    this.mechanism = new Mechanism(robot);
    this.positions = robot.start;
    this.poses = this.first = this.mechanism.forward(robot.start);
    this.closing = robot.loops.length > 0;
    this.found = robot;
    this.checked = robot.checked ? "yes" : checking ? "coming" : "no";
  }

  /** Whether the base can be moved. */
  get floats(): boolean {
    return this.robot.base !== "fixed" && !this.led;
  }

  /** The positions of a joint, or of the base. */
  of(joint: number): readonly number[] {
    return this.mechanism.of(this.positions, joint);
  }

  /** Move a joint, or the base; followers move too, and loops stay closed. */
  move(joint: number, numbers: readonly number[]): void {
    const { mechanism, robot, positions } = this;
    const moved = mechanism.follow(mechanism.with(positions, joint, numbers));
    if (!this.closing || joint === BASE) {
      this.place(moved);
      return;
    }
    const closed = movedClosed(mechanism, robot.loops, positions, joint, mechanism.of(moved, joint));
    // Other joints may have made full turns; the moved joint keeps its position.
    this.place(mechanism.with(mechanism.unwound(closed), joint, mechanism.of(closed, joint)));
  }

  /** Set all positions. */
  place(positions: Positions): void {
    this.positions = positions;
    this.poses = this.mechanism.forward(positions);
    this.tell("pose");
  }

  /** Set the positions in which a pair of links collides, tested or not. */
  demonstrate(pair: readonly [number, number], positions: Positions): void {
    this.#witness = { pair, positions };
    this.place(positions);
  }

  /** The pair of links that these positions demonstrate in collision. */
  get demonstrated(): readonly [number, number] | null {
    return this.#witness?.positions === this.positions ? this.#witness.pair : null;
  }

  /** Set all positions and close the loops as well as possible; ``held`` joints stay fixed. */
  arrange(positions: Positions, held: ReadonlySet<number> = new Set()): void {
    const { mechanism, robot } = this;
    const followed = mechanism.follow(positions);
    if (!this.closing) {
      this.place(followed);
      return;
    }
    const near = closed(mechanism, robot.loops, followed, held);
    const error = (at: Positions): number => errorOf(robot.loops, mechanism.forward(at));
    this.place(error(near) < error(followed) ? near : followed);
  }

  reset(): void {
    this.place(this.robot.start);
  }

  /** Set a posture of the model; other joints get their initial positions. */
  posture(index: number): void {
    let { start: positions } = this.robot;
    for (const [joint, position] of this.robot.poses[index]!.positions) {
      positions = this.mechanism.with(positions, joint, [position]);
    }
    this.arrange(positions);
  }

  /** Set random positions within the limits. */
  random(chance: () => number = Math.random): void {
    let { positions } = this;
    this.robot.joints.forEach((joint, index) => {
      const within = (low: number, high: number): number => low + (high - low) * chance();
      if (joint.kind === "ball") {
        positions = this.mechanism.with(positions, index, uniform([chance(), chance(), chance()]));
      } else if (joint.kind === "planar") {
        const at = [within(-NEAR, NEAR), within(-NEAR, NEAR), within(-Math.PI, Math.PI)];
        positions = this.mechanism.with(positions, index, at);
      } else if (KINDS[joint.kind].bounded) {
        const at = Array.from({ length: sizeOf(joint.kind) }, () => within(...sliderRange(joint)));
        positions = this.mechanism.with(positions, index, at);
      }
    });
    this.arrange(positions);
  }

  /** Move a point of a link toward a target in the world with the joints above the link. */
  drag(grip: Grip, target: Vector3): void {
    const loops = this.closing ? this.robot.loops : [];
    const held = this.#heldFor(grip.link);
    const pulled = dragged(this.mechanism, loops, this.positions, grip, target, this.floats && !held.size, held);
    this.place(this.mechanism.unwound(pulled));
  }

  /** The joints above the link from which a chain is pulled, if the pulled link is below it. */
  #heldFor(link: number): ReadonlySet<number> {
    const { links } = this.robot;
    const top = this.chain ? links.findIndex(({ name }) => name === this.chain) : -1;
    for (let at = link; at >= 0; at = links[at]!.parent) {
      if (at === top) {
        return new Set(chain(this.robot, top));
      }
    }
    return new Set();
  }

  /** Pull chains from a link ("": from the root of the robot). */
  pullFrom(name: string): void {
    if (name !== this.chain) {
      this.chain = name;
      this.tell("chain");
    }
  }

  /** Show the axis of a joint. */
  aim(joint: number | null): void {
    if (joint !== this.aimed) {
      this.aimed = joint;
      this.tell("aim");
    }
  }

  /** Keep the loops closed from now on, or not; the positions stay. */
  keepClosed(on: boolean): void {
    if (on !== this.closing) {
      this.closing = on;
      this.tell("closing");
    }
  }

  /** Close the loops and keep them closed, or do not. */
  close(on: boolean): void {
    this.keepClosed(on);
    if (on) {
      this.arrange(this.positions);
    }
  }

  /** Show workspace points, without a cut. */
  surround(cloud: Cloud | null): void {
    this.cloud = cloud;
    this.look = { ...this.look, cut: null };
    this.tell("cloud");
  }

  /** Sample the workspace of a link or frame. */
  reach(item: Item): void {
    this.surround(sampled(this.robot, item, SAMPLES));
  }

  /** Change how the workspace points are drawn. */
  see(look: Partial<Look>): void {
    const next = { ...this.look, ...look };
    if (JSON.stringify(next) !== JSON.stringify(this.look)) {
      this.look = next;
      this.tell("look");
    }
  }

  /** Fold the branches of these links in the tree, and no others. */
  fold(names: Iterable<string>): void {
    const folded = new Set(names);
    if (folded.size !== this.folded.size || [...folded].some((name) => !this.folded.has(name))) {
      this.folded = folded;
      this.tell("folded");
    }
  }

  /** Keep poses by their names. */
  keep(poses: readonly KeptPose[]): void {
    if (JSON.stringify(poses) !== JSON.stringify(this.kept)) {
      this.kept = poses;
      this.tell("kept");
    }
  }

  /** Hide these links and draw those faintly, and no others. */
  veil(hidden: Iterable<string>, faded: Iterable<string>): void {
    const [next, faint] = [[...hidden].sort(), [...faded].sort()];
    if (JSON.stringify([next, faint]) !== JSON.stringify([this.hidden, this.faded])) {
      [this.hidden, this.faded] = [next, faint];
      this.tell("veils");
    }
  }

  /** Show the pairs of links in collision, and the points at which they touch. */
  touch(touching: State["touching"], touches: readonly Touch[] = []): void {
    if (JSON.stringify([touching, touches]) !== JSON.stringify([this.touching, this.touches])) {
      [this.touching, this.touches] = [touching, touches];
      this.tell("touching");
    }
  }

  /** Show the pairs of links that are near each other. */
  near(gaps: readonly Gap[]): void {
    this.gaps = gaps;
    this.tell("gaps");
  }

  /** Tell what touches at the initial pose. */
  begin(initial: readonly LinkPair[]): void {
    this.initial = initial;
    this.tell("initial");
  }

  /** Show the findings of unibody check; null if there are none. */
  find(findings: FindingsData | null): void {
    if (this.checked === "coming") {
      this.checked = findings ? "yes" : "no";
      this.found = findings ?? this.found;
      this.tell("findings");
    }
  }

  select(item: Item | null): void {
    if (!same(item, this.selected)) {
      this.selected = item;
      this.tell("selection");
    }
  }

  hover(item: Item | null): void {
    if (!same(item, this.hovered)) {
      this.hovered = item;
      this.tell("hover");
    }
  }
}
