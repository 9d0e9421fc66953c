// A robot as it is shown now, and who wants to know when that changes.

import { type Cloud, type Look, PLAIN_LOOK, sampled } from "./cloud";
import { Emitter } from "./events";
import { dragged, type Grip } from "./inverse";
import { type Item, same } from "./items";
import { closed, errorOf, movedClosed } from "./loops";
import { BASE, Mechanism, type Positions, sizeOf } from "./mechanism";
import type { RobotData, Vector3 } from "./model";
import type { Pose } from "./pose";
import { uniform } from "./quaternion";
import { sliderRange } from "./units";

export type Change = "pose" | "selection" | "hover" | "closing" | "cloud" | "look";

// As far as a planar joint is moved by chance, in m.
const NEAR = 0.5;
const SAMPLES = 10_000;

export class State extends Emitter<Change> {
  readonly mechanism: Mechanism;
  /** Of the base and all joints (rad or m), and the poses of all links that follow from them. */
  positions: Positions;
  poses: readonly Pose[];
  selected: Item | null = null;
  hovered: Item | null = null;
  /** Whether loops are kept closed when something moves. */
  closing: boolean;
  /** Where a link can get to, and how that is looked at. */
  cloud: Cloud | null = null;
  look: Look = PLAIN_LOOK;
  /** The poses of all links as the model begins. */
  readonly first: readonly Pose[];

  /** ``led``: its base stays where it is, for another robot's. */
  constructor(
    readonly robot: RobotData,
    private readonly led = false,
  ) {
    super();
    this.mechanism = new Mechanism(robot);
    this.positions = robot.start;
    this.poses = this.first = this.mechanism.forward(robot.start);
    this.closing = robot.loops.length > 0;
  }

  /** Whether the root can be moved: not where the model says that it is fixed. */
  get floats(): boolean {
    return this.robot.base !== "fixed" && !this.led;
  }

  /** The numbers of a joint, or of the base. */
  of(joint: number): readonly number[] {
    return this.mechanism.of(this.positions, joint);
  }

  /** Move a joint, or the base; what follows it moves too, and loops stay closed. */
  move(joint: number, numbers: readonly number[]): void {
    const { mechanism, robot, positions } = this;
    const moved = mechanism.follow(mechanism.with(positions, joint, numbers));
    if (!this.closing || joint === BASE) {
      this.place(moved);
      return;
    }
    const closed = movedClosed(mechanism, robot.loops, positions, joint, mechanism.of(moved, joint));
    // Others may go round and round; what was set stays as it was set.
    this.place(mechanism.with(mechanism.unwound(closed), joint, mechanism.of(closed, joint)));
  }

  /** Put everything where these positions say. */
  place(positions: Positions): void {
    this.positions = positions;
    this.poses = this.mechanism.forward(positions);
    this.tell("pose");
  }

  /** The same, with loops closed as well as can be while some joints are held. */
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

  /** A posture of the model, on top of how it begins. */
  posture(index: number): void {
    let { start: positions } = this.robot;
    for (const [joint, position] of this.robot.poses[index]!.positions) {
      positions = this.mechanism.with(positions, joint, [position]);
    }
    this.arrange(positions);
  }

  /** Any posture within the limits. */
  random(chance: () => number = Math.random): void {
    let { positions } = this;
    this.robot.joints.forEach((joint, index) => {
      const within = (low: number, high: number): number => low + (high - low) * chance();
      if (joint.kind === "ball") {
        positions = this.mechanism.with(positions, index, uniform([chance(), chance(), chance()]));
      } else if (joint.kind === "planar") {
        const at = [within(-NEAR, NEAR), within(-NEAR, NEAR), within(-Math.PI, Math.PI)];
        positions = this.mechanism.with(positions, index, at);
      } else if (sizeOf(joint.kind) === 1) {
        positions = this.mechanism.with(positions, index, [within(...sliderRange(joint))]);
      }
    });
    this.arrange(positions);
  }

  /** Bring a point of a link to a place in the world, as near as the joints above it can. */
  drag(grip: Grip, target: Vector3): void {
    const loops = this.closing ? this.robot.loops : [];
    const pulled = dragged(this.mechanism, loops, this.positions, grip, target, this.floats);
    this.place(this.mechanism.unwound(pulled));
  }

  close(on: boolean): void {
    this.closing = on;
    this.tell("closing");
    if (on) {
      this.arrange(this.positions);
    }
  }

  /** Show points; the whole of them. */
  surround(cloud: Cloud | null): void {
    this.cloud = cloud;
    this.look = { ...this.look, cut: null };
    this.tell("cloud");
  }

  /** Sample where a link or a frame can get to. */
  reach(item: Item): void {
    this.surround(sampled(this.robot, item, SAMPLES));
  }

  /** Look at the points in another way. */
  see(look: Partial<Look>): void {
    this.look = { ...this.look, ...look };
    this.tell("look");
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
