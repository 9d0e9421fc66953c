// Where a link can get to: points, what they span, and how they are coloured and cut.

import type { Item } from "./items";
import { chain, Mechanism, sizeOf } from "./mechanism";
import type { JointData, RobotData, Vector3 } from "./model";
import { apply, fromNumbers, origin } from "./pose";

/** Points in the world while the root is where the model begins, and how they were made. */
export interface Cloud {
  /** The link or frame that gets there; null where that is not known. */
  readonly item: Item | null;
  /** x, y, z of one point after the other, in m. */
  readonly points: Float32Array;
  /** How many configurations were tried. */
  readonly samples: number;
  readonly method: string;
  readonly seed: number | null;
  /** Whether this page made them. */
  readonly own: boolean;
}

/** What the colours tell: the distance from the root, or one of the coordinates. */
export type Shade = "distance" | "x" | "y" | "z";
export const SHADES: readonly Shade[] = ["distance", "x", "y", "z"];

/** How a cloud is looked at; ``cut`` is an axis and how far along it points are left, 0 to 1. */
export interface Look {
  readonly shade: Shade;
  readonly cut: { readonly axis: number; readonly share: number } | null;
}

export const PLAIN_LOOK: Look = { shade: "distance", cut: null };

export type Range = readonly [low: number, high: number];

/** Lowest and highest of the numbers, or of every so many from one of them on. */
export function extent(values: Float32Array, first = 0, step = 1): Range {
  let [low, high] = [Infinity, -Infinity];
  for (let at = first; at < values.length; at += step) {
    low = Math.min(low, values[at]!);
    high = Math.max(high, values[at]!);
  }
  return [low, high];
}

/** For directions evenly all around, the point that lies furthest in each: places in the list, each once. */
export function outermost(points: Float32Array, directions: number): number[] {
  const found = new Set<number>();
  for (let way = 0; points.length && way < directions; way++) {
    // A spiral about Z with the golden angle between two steps.
    const z = 1 - (2 * way + 1) / directions;
    const [level, turn] = [Math.sqrt(1 - z * z), way * Math.PI * (3 - Math.sqrt(5))];
    const [x, y] = [level * Math.cos(turn), level * Math.sin(turn)];
    let [most, best] = [-Infinity, 0];
    for (let at = 0; at < points.length; at += 3) {
      const far = x * points[at]! + y * points[at + 1]! + z * points[at + 2]!;
      if (far > most) {
        [most, best] = [far, at / 3];
      }
    }
    found.add(best);
  }
  return [...found];
}

/** The number that colours each point, in m. */
export function shades(points: Float32Array, shade: Shade, [x, y, z]: Vector3): Float32Array {
  const axis = "xyz".indexOf(shade);
  return Float32Array.from({ length: points.length / 3 }, (_, index) =>
    axis >= 0
      ? points[3 * index + axis]!
      : Math.hypot(points[3 * index]! - x, points[3 * index + 1]! - y, points[3 * index + 2]! - z),
  );
}

/** Where a cut is, in m. */
export function cutAt(points: Float32Array, { axis, share }: NonNullable<Look["cut"]>): number {
  const [low, high] = extent(points, axis, 3);
  return low + (high - low) * share;
}

/** The points that a cut leaves: those not beyond it. */
export function left(points: Float32Array, cut: Look["cut"]): Uint32Array {
  const limit = cut ? cutAt(points, cut) : Infinity;
  const axis = cut?.axis ?? 0;
  const out = new Uint32Array(points.length / 3);
  let count = 0;
  for (let index = 0; index < out.length; index++) {
    if (points[3 * index + axis]! <= limit) {
      out[count++] = index;
    }
  }
  return out.subarray(0, count);
}

// Of so many points the distance to the nearest of so many others is measured.
const ASKED = 120;
const AMONG = 20_000;

/** How far points are apart: the median distance to the nearest other one, in m. */
export function spacing(points: Float32Array): number {
  const count = points.length / 3;
  const stride = Math.max(1, Math.ceil(count / AMONG));
  const nearest: number[] = [];
  for (let asked = 0; asked < Math.min(ASKED, count); asked++) {
    const from = Math.floor((asked * count) / Math.min(ASKED, count)) * 3;
    let least = Infinity;
    for (let at = 0; at < points.length; at += 3 * stride) {
      const [x, y, z] = [points[at]! - points[from]!, points[at + 1]! - points[from + 1]!, points[at + 2]! - points[from + 2]!];
      const distance = x * x + y * y + z * z;
      if (distance > 0 && distance < least) {
        least = distance;
      }
    }
    nearest.push(Math.sqrt(least));
  }
  const found = nearest.filter(Number.isFinite).sort((a, b) => a - b);
  // A part of the points lie further apart than all of them: by the cube root of their share.
  return (found[Math.floor(found.length / 2)] ?? 0) / Math.cbrt(stride);
}

/** Why this page cannot sample where a robot gets to; null where it can. */
export function obstacle({ loops }: RobotData): string | null {
  return loops.length ? "Workspace: unibody view --workspace closes the loops for each sample." : null;
}

// With more joints than these the Halton sequence is no better than chance: its last bases are too large.
const HALTON = 40;

/**
 * Where an item gets to in so many configurations within the limits of the joints: terms of the Halton
 * sequence, the same as the library's, or random ones where there are many joints.
 */
export function sampled(robot: RobotData, item: Item, samples: number): Cloud {
  const frame = item.kind === "frame" ? robot.frames[item.index]! : null;
  const link = frame ? frame.link : item.index;
  const at: Vector3 = frame ? origin(fromNumbers(frame.pose)) : [0, 0, 0];
  const joints = new Set(chain(robot, link));
  // Only what carries the link is computed; joints that lead others stand before them all.
  const order = robot.order.filter((each) => {
    const { joint } = robot.links[each]!;
    return joint < 0 || joints.has(joint);
  });
  const mechanism = new Mechanism({ ...robot, order });
  const free = robot.joints.flatMap((joint, index) => {
    const range = mechanism.follows(index) ? null : rangeOf(joint);
    return range ? [{ index, at: mechanism.offsets[index]!, range }] : [];
  });
  const even = free.length <= HALTON;
  const bases = primes(free.length);
  const chance = generator(0);
  const points = new Float32Array(3 * samples);
  for (let term = 1; term <= samples; term++) {
    const positions = [...robot.start];
    free.forEach(({ at: place, range: [low, high] }, index) => {
      positions[place] = low + (high - low) * (even ? mirrored(term, bases[index]!) : chance());
    });
    const poses = mechanism.forward(mechanism.follow(positions));
    points.set(apply(poses[link]!, at), 3 * (term - 1));
  }
  return { item, points, samples, method: even ? "halton" : "uniform", seed: 0, own: true };
}

/** Between what a joint is sampled; null for one that stays where it is (as in the library). */
function rangeOf({ kind, lower, upper, initial }: JointData): Range | null {
  if (sizeOf(kind) !== 1 || (lower !== null && upper !== null)) {
    return sizeOf(kind) === 1 ? [lower!, upper!] : null;
  }
  if (kind !== "revolute") {
    return null;
  }
  if (lower !== null) {
    return [lower, lower + 2 * Math.PI];
  }
  if (upper !== null) {
    return [upper - 2 * Math.PI, upper];
  }
  const middle = Math.abs(initial) > Math.PI ? initial : 0;
  return [middle - Math.PI, middle + Math.PI];
}

/** The digits of a number, mirrored at the point. */
export function mirrored(term: number, base: number): number {
  let [out, place] = [0, 1 / base];
  for (let rest = term; rest > 0; rest = Math.floor(rest / base)) {
    out += place * (rest % base);
    place /= base;
  }
  return out;
}

/** Numbers from 0 to below 1, the same for the same seed (splitmix32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

export function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) {
      found.push(number);
    }
  }
  return found;
}

// Viridis in seven steps (as screens show them): as dark is to bright, so is low to high, for all eyes. Its
// darkest quarter is left out, for it cannot be told from a dark ground.
const RAMP = [
  [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
] as const;

/** Red, green and blue (0 to 1, as screens show them) for a share of 0 to 1. */
export function rampAt(share: number): Vector3 {
  const place = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const index = Math.min(RAMP.length - 2, Math.floor(place));
  const [a, b] = [RAMP[index]!, RAMP[index + 1]!];
  const mixed = (part: 0 | 1 | 2): number => (a[part] + (b[part] - a[part]) * (place - index)) / 255;
  return [mixed(0), mixed(1), mixed(2)];
}

/** The same as a picture for a style sheet. */
export function rampStyle(): string {
  return `linear-gradient(to right, ${RAMP.map((color) => `rgb(${color.join(" ")})`).join(", ")})`;
}
