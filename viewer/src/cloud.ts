// Workspace of a link: its points, their extents, colors and cuts.

import { KINDS } from "./kinds";
import type { Item } from "./items";
import { chain, Mechanism, sizeOf } from "./mechanism";
import type { JointData, RobotData, Vector3 } from "./model";
import { apply, fromNumbers, origin } from "./pose";

/** Workspace points in the world for the initial pose of the root, and how they were sampled. */
export interface Cloud {
  /** The link or frame whose workspace this is; null if unknown. */
  readonly item: Item | null;
  /** x, y, z of each point, in m. */
  readonly points: Float32Array;
  /** Number of sampled configurations. */
  readonly samples: number;
  readonly method: string;
  readonly seed: number | null;
  /** Whether the points are those of a search tree of a plan. */
  readonly search: boolean;
  /** The pairs of points that the edges of a search tree connect, one after another; null without one. */
  readonly edges: Uint32Array | null;
  /** Whether this page sampled the points. */
  readonly own: boolean;
}

/** What the colors show: the distance from the root, or a coordinate. */
export type Shade = "distance" | "x" | "y" | "z";
export const SHADES: readonly Shade[] = ["distance", "x", "y", "z"];

/** How points are drawn; ``cut`` hides the points beyond a share (0 to 1) of the extent along an axis. */
export interface Look {
  readonly shade: Shade;
  readonly cut: { readonly axis: number; readonly share: number } | null;
}

export const PLAIN_LOOK: Look = { shade: "distance", cut: null };

export type Range = readonly [low: number, high: number];

/** The minimum and maximum of the values, starting at index ``first`` with stride ``step``. */
export function extent(values: Float32Array, first = 0, step = 1): Range {
  let [low, high] = [Infinity, -Infinity];
  for (let at = first; at < values.length; at += step) {
    low = Math.min(low, values[at]!);
    high = Math.max(high, values[at]!);
  }
  return [low, high];
}

/** Indices of the extreme points in evenly distributed directions, without duplicates. */
export function outermost(points: Float32Array, directions: number): number[] {
  const found = new Set<number>();
  for (let way = 0; points.length && way < directions; way++) {
    // Directions on a Fibonacci sphere.
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

/** The value that colors each point, in m. */
export function shades(points: Float32Array, shade: Shade, [x, y, z]: Vector3): Float32Array {
  const axis = "xyz".indexOf(shade);
  return Float32Array.from({ length: points.length / 3 }, (_, index) =>
    axis >= 0
      ? points[3 * index + axis]!
      : Math.hypot(points[3 * index]! - x, points[3 * index + 1]! - y, points[3 * index + 2]! - z),
  );
}

/** The coordinate of a cut, in m. */
export function cutAt(points: Float32Array, { axis, share }: NonNullable<Look["cut"]>): number {
  const [low, high] = extent(points, axis, 3);
  return low + (high - low) * share;
}

/** Indices of the points that a cut keeps. */
export function withinCut(points: Float32Array, cut: Look["cut"]): Uint32Array {
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

/** The edges of which a cut keeps both ends. */
export function edgesWithin({ points, edges }: Cloud, cut: Look["cut"]): Uint32Array {
  const limit = cut ? cutAt(points, cut) : Infinity;
  const axis = cut?.axis ?? 0;
  const kept = (end: number): boolean => points[3 * edges![end]! + axis]! <= limit;
  return (edges ?? new Uint32Array()).filter((_, end) => kept(end - (end % 2)) && kept(end - (end % 2) + 1));
}

// Number of points whose nearest neighbor is searched, and number of candidates.
const ASKED = 120;
const AMONG = 20_000;

/** The median distance between nearest neighbors, in m. */
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
  // Subsampling increases the spacing by the cube root of the stride.
  return (found[Math.floor(found.length / 2)] ?? 0) / Math.cbrt(stride);
}

/** Why this page cannot sample the workspace of a robot; null if it can. */
export function obstacle({ loops }: RobotData): string | null {
  return loops.length ? "Workspace: sample with unibody view --workspace, which closes the loops." : null;
}

// In higher dimensions the Halton sequence is no better than random sampling: its last bases are too large.
const HALTON = 40;

/**
 * Sample the workspace of an item within the joint limits: with the Halton sequence, the same as in the
 * library, or with uniform random samples if there are many joints.
 */
export function sampled(robot: RobotData, item: Item, samples: number): Cloud {
  const frame = item.kind === "frame" ? robot.frames[item.index]! : null;
  const link = frame ? frame.link : item.index;
  const at: Vector3 = frame ? origin(fromNumbers(frame.pose)) : [0, 0, 0];
  const joints = new Set(chain(robot, link));
  // Only the ancestors of the link are computed; leaders come before their followers.
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
  return { item, points, samples, method: even ? "halton" : "uniform", seed: 0, search: false, edges: null, own: true };
}

/** The sampling range of a joint; null if the joint is not sampled (as in the library). */
function rangeOf({ kind, lower, upper, initial }: JointData): Range | null {
  if (sizeOf(kind) !== 1 || (lower !== null && upper !== null)) {
    return sizeOf(kind) === 1 ? [lower!, upper!] : null;
  }
  if (!KINDS[kind].periodic) {
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

/** The radical inverse: the digits of ``term`` mirrored at the point. */
export function mirrored(term: number, base: number): number {
  let [out, place] = [0, 1 / base];
  for (let rest = term; rest > 0; rest = Math.floor(rest / base)) {
    out += place * (rest % base);
    place /= base;
  }
  return out;
}

/** A seeded random generator of numbers in [0, 1) (splitmix32). */
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

// Viridis in seven steps (sRGB): perceptually uniform, also for color-blind readers. Its darkest quarter is
// left out because it is invisible on a dark background.
const RAMP = [
  [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
] as const;

/** The color (sRGB, 0 to 1) for a share of 0 to 1. */
export function rampAt(share: number): Vector3 {
  const place = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const index = Math.min(RAMP.length - 2, Math.floor(place));
  const [a, b] = [RAMP[index]!, RAMP[index + 1]!];
  const mixed = (part: 0 | 1 | 2): number => (a[part] + (b[part] - a[part]) * (place - index)) / 255;
  return [mixed(0), mixed(1), mixed(2)];
}

/** The color ramp as a CSS gradient. */
export function rampStyle(): string {
  return `linear-gradient(to right, ${RAMP.map((color) => `rgb(${color.join(" ")})`).join(", ")})`;
}
