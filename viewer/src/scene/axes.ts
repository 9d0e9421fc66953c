// Joint axes, limits and positions: arcs for revolute joints, rails for prismatic joints.

import { KINDS } from "../kinds";
import {
  CircleGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  SphereGeometry,
} from "three";
import type { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { link } from "../items";
import type { JointData, Vector3 } from "../model";
import { axisFrame, compose, fromNumbers, inverse } from "../pose";
import type { Settings } from "../settings";
import type { State } from "../state";
import { arc, ON_TOP, ORDER, path, pen, placedGroup, segments, setSegments } from "./lines";
import type { Part } from "./part";
import { place } from "./place";
import type { Theme } from "./theme";

const AXIS = { length: 0.062, radius: 0.0016 } as const;
const RADIUS = 0.042;
/** Length of a rail without limits. */
const RAIL = 0.11;
const [PLATE, HAND] = [0.018, 0.026];
/** Share of the range within which a joint is at its limit. */
const AT_LIMIT = 1e-6;

interface Dial {
  readonly joint: number;
  readonly data: JointData;
  /** Scaled with the model. */
  readonly sized: Group;
  /** In meters. */
  readonly metric: Group;
  /** Shows the position of the joint. */
  readonly hand: Group;
  /** The line of the hand; null for joints with several positions. */
  readonly tick: LineSegments2 | null;
  /** The rail of a prismatic joint; null for others. */
  readonly rail: LineSegments2 | null;
}

export class Axes implements Part {
  readonly #dials: Dial[] = [];
  readonly #holders: Group[] = [];
  readonly #bars: Mesh[] = [];
  readonly #bar = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.9 });
  readonly #fan = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.2, side: DoubleSide });
  readonly #rim = pen({ width: 1.5, opacity: 0.9 });
  readonly #tick = pen({ width: 2.5 });
  readonly #stopped = pen({ width: 3 });

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    links: readonly Group[],
  ) {
    state.robot.joints.forEach((data, joint) => {
      const parent = state.robot.links[data.child]!.parent;
      const holder = placedGroup();
      place(holder, compose(fromNumbers(data.origin), axisFrame(data.axis)));
      const dial = this.#dial(data, joint);
      if (dial) {
        holder.add(dial.sized, dial.metric);
        links[parent]!.add(holder);
        this.#holders.push(holder);
        this.#dials.push(dial);
      }
    });
    this.layers();
  }

  pose(): void {
    if (!this.settings.layers.axes && this.state.aimed === null) {
      return;
    }
    for (const { joint, data, hand, tick } of this.#dials) {
      if (!tick) {
        continue;
      }
      const position = this.state.of(joint)[0]!;
      if (KINDS[data.kind].angular) {
        hand.rotation.z = position;
      } else {
        hand.position.z = position;
      }
      tick.material = atLimit(data, position) ? this.#stopped : this.#tick;
    }
  }

  layers(): void {
    const { layers: { axes } } = this.settings;
    this.#holders.forEach((holder, index) => (holder.visible = axes || this.#dials[index]!.joint === this.state.aimed));
    this.pose();
  }

  targets(): Object3D[] {
    return this.settings.layers.axes ? this.#bars : [];
  }

  scale(size: number): void {
    for (const { data, sized, metric, rail } of this.#dials) {
      sized.scale.setScalar(size);
      // Plates are scaled with the model, the rail is in meters.
      metric.scale.set(size, size, 1);
      if (rail) {
        setSegments(rail, railOf(data, RAIL * size));
      }
    }
  }

  theme(theme: Theme): void {
    this.#bar.color = this.#fan.color = this.#rim.color = theme.axis;
    this.#tick.color = theme.accent;
    this.#stopped.color = theme.error;
  }

  #dial(data: JointData, joint: number): Dial | null {
    const [sized, metric, hand] = [new Group(), new Group(), new Group()];
    const base = { joint, data, sized, metric, hand, tick: null, rail: null };
    switch (data.kind) {
      case "revolute":
      case "screw": {
        sized.add(this.#rod(data, AXIS.length), ...this.#fanOf(data));
        const tick = segments([[0, 0, 0], [RADIUS * 1.25, 0, 0]], this.#tick);
        hand.add(tick);
        sized.add(hand);
        return { ...base, tick };
      }
      case "prismatic": {
        const rail = segments([], this.#rim);
        const tick = segments(path(square(HAND, 0), true), this.#tick);
        hand.add(tick);
        metric.add(rail, hand);
        sized.add(this.#rod(data, 0.04));
        return { ...base, tick, rail };
      }
      case "planar":
        sized.add(
          this.#rod(data, AXIS.length), segments(path(square(RADIUS, 0), true), this.#rim), ...this.#fanOf(data),
        );
        return base;
      case "universal": {
        const second = new Group();
        place(second, compose(inverse(axisFrame(data.axis)), axisFrame(data.axis2 ?? data.axis)));
        second.add(this.#rod(data, AXIS.length));
        sized.add(this.#rod(data, AXIS.length), second);
        return base;
      }
      case "ball": {
        const ring = path(arc(RADIUS * 0.7, 0, 2 * Math.PI));
        const rings = [0, 1, 2].flatMap((axis) =>
          ring.map((p) => [p[axis]!, p[(axis + 1) % 3]!, p[(axis + 2) % 3]!] as const),
        );
        const dot = new Mesh(new SphereGeometry(0.012, 16, 12), this.#bar);
        dot.userData = { link: data.child, item: link(data.child) };
        this.#bars.push(dot);
        sized.add(segments(rings, this.#rim), dot);
        return base;
      }
      default:
        return null;
    }
  }

  /** The axis with an arrowhead at its positive end. */
  #rod({ child }: JointData, length: number): Group {
    const group = new Group();
    const rod = new Mesh(new CylinderGeometry(AXIS.radius, AXIS.radius, 2 * length, 10), this.#bar);
    const tip = new Mesh(new CylinderGeometry(0, 0.005, 0.016, 14), this.#bar);
    tip.position.y = length;
    group.rotation.x = Math.PI / 2;
    for (const mesh of [rod, tip]) {
      mesh.renderOrder = ORDER;
      mesh.userData = { link: child, item: link(child) };
      this.#bars.push(mesh);
      group.add(mesh);
    }
    return group;
  }

  /** The range of a joint: a full circle if a limit is missing, with a line at each limit. */
  #fanOf({ lower, upper }: JointData): Object3D[] {
    const bounded = lower !== null && upper !== null && Math.abs(upper - lower) < 2 * Math.PI;
    const [from, to] = bounded ? [Math.min(lower, upper), Math.max(lower, upper)] : [0, 2 * Math.PI];
    const sides = Math.max(3, Math.ceil((to - from) / 0.12));
    const fan = new Mesh(new CircleGeometry(RADIUS, sides, from, to - from), this.#fan);
    fan.renderOrder = ORDER - 1;
    const rim = path(arc(RADIUS, from, to));
    const ends = [lower, upper].filter((end) => end !== null);
    const edges = ends.flatMap((angle) => [
      [0, 0, 0] as const,
      [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle), 0] as const,
    ]);
    return [fan, segments([...rim, ...edges], this.#rim)];
  }
}

/** Whether a joint is at one of its limits, or beyond it. */
export function atLimit({ lower, upper }: Pick<JointData, "lower" | "upper">, position: number): boolean {
  const [low, high] = [lower ?? -Infinity, upper ?? Infinity].sort((a, b) => a - b) as [number, number];
  const slack = AT_LIMIT * Math.min(1, high - low);
  return position <= low + slack || position >= high - slack;
}

/** A rail between the limits with a plate at each; ``reach`` is its length without a limit. */
export function railOf({ lower, upper }: Pick<JointData, "lower" | "upper">, reach: number): Vector3[] {
  const low = lower ?? Math.min(0, upper ?? 0) - reach;
  const high = upper ?? Math.max(0, lower ?? 0) + reach;
  const plates = [lower, upper].flatMap((end) => (end === null ? [] : path(square(PLATE, end), true)));
  return [[0, 0, low], [0, 0, high], ...plates];
}

function square(half: number, z: number): Vector3[] {
  return [[half, half, z], [-half, half, z], [-half, -half, z], [half, -half, z]];
}
