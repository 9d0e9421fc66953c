// A recorded run: readings, joint efforts, contacts and pictures at the rows of its motion.

import { type Model, numbers, type Numbers, type PictureData, type PlotData, type RecordData } from "./model";
import type { Motion } from "./motion";

export interface Limits {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** A plot over time: ``values`` of ``size`` lines at all rows. */
export interface Series {
  readonly title: string;
  readonly unit: string;
  readonly labels: readonly string[];
  readonly size: number;
  readonly values: ArrayLike<number>;
  /** What the lines must keep within; null for no limit. */
  readonly limits?: Limits;
}

/** A contact force: where it acts, and the force in N, in the world. */
export interface Contact {
  readonly point: readonly [number, number, number];
  readonly force: readonly [number, number, number];
}

export class Run {
  readonly plots: readonly { readonly data: PlotData; readonly values: Numbers }[];
  /** The force that is drawn at the usual length, in N. */
  readonly usual: number;
  readonly #rates: { readonly joints: readonly number[]; readonly velocities: Numbers; readonly efforts: Numbers } | null;
  readonly #contacts: { readonly begins: Numbers; readonly points: Numbers; readonly forces: Numbers } | null;

  constructor(
    private readonly model: Model,
    readonly data: RecordData,
    readonly motion: Motion,
  ) {
    const { rates, contacts } = data;
    this.plots = data.plots.map((plot) => ({ data: plot, values: numbers(model, plot.values) }));
    this.#rates = rates && {
      joints: rates.joints, velocities: numbers(model, rates.velocities), efforts: numbers(model, rates.efforts),
    };
    this.#contacts = contacts && {
      begins: numbers(model, contacts.begins), points: numbers(model, contacts.points), forces: numbers(model, contacts.forces),
    };
    this.usual = contacts?.usual ?? 1;
  }

  /** The contacts at a time, in s. */
  contacts(time: number): Contact[] {
    if (!this.#contacts) {
      return [];
    }
    const { begins, points, forces } = this.#contacts;
    const row = this.motion.row(time);
    const out: Contact[] = [];
    for (let at = begins[row]!; at < begins[row + 1]!; at++) {
      const of = (all: Numbers): [number, number, number] => [all[3 * at]!, all[3 * at + 1]!, all[3 * at + 2]!];
      out.push({ point: of(points), force: of(forces) });
    }
    return out;
  }

  /** Whether anything touches anything in this run. */
  get touches(): boolean {
    return this.#contacts !== null;
  }

  /** The series of a joint: its velocity and its effort; none for joints without them. */
  joint(joint: number, turns: boolean): Series[] {
    const rates = this.#rates;
    const at = rates ? rates.joints.indexOf(joint) : -1;
    if (!rates || at < 0) {
      return [];
    }
    const column = (all: Numbers): Float32Array =>
      Float32Array.from(this.motion.times, (_, row) => all[row * rates.joints.length + at]!);
    const one = { labels: [], size: 1 } as const;
    return [
      { ...one, title: "velocity", unit: turns ? "rad/s" : "m/s", values: column(rates.velocities) },
      { ...one, title: "effort", unit: turns ? "N·m" : "N", values: column(rates.efforts) },
    ];
  }

  /** The bytes of the picture that a camera shows at a time, and its index; null before the first one. */
  picture({ times, frames }: PictureData, time: number): { readonly index: number; readonly bytes: Uint8Array } | null {
    const taken = numbers(this.model, times);
    let index = -1;
    // Times of pictures are stored in single precision.
    while (index + 1 < taken.length && taken[index + 1]! <= time + 1e-5 * Math.max(1, time)) {
      index++;
    }
    return index < 0 ? null : { index, bytes: numbers(this.model, frames[index]!) as Uint8Array };
  }
}

// Positions are stored in single precision.
const ROUNDING = 1e-5;

/** The first row at which a value is beyond its limits; -1 for none. */
export function outside(values: ArrayLike<number>, { lower, upper }: Limits): number {
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    const slack = ROUNDING * Math.max(1, Math.abs(value));
    if (value < (lower ?? -Infinity) - slack || value > (upper ?? Infinity) + slack) {
      return row;
    }
  }
  return -1;
}

/** The smallest and largest number of a series; [0, 0] without any. */
export function bounds(values: ArrayLike<number>): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : [0, 0];
}

/** A value without the part that a plot of this range does not show: less than a thousandth of it. */
export function visible(value: number, range: number): number {
  const step = 10 ** Math.floor(Math.log10(range / 1000));
  return step > 0 ? Math.round(value / step) * step || 0 : value;
}

/**
 * The SVG path of one line of a series in a box: at most two points for each unit of its width, the smallest and
 * the largest number there, so that no peak is lost.
 */
export function linePath(
  values: ArrayLike<number>,
  [size, line]: readonly [size: number, line: number],
  times: ArrayLike<number>,
  box: { readonly width: number; readonly height: number; readonly low: number; readonly high: number },
): string {
  const [begin, end] = [times[0] ?? 0, times[times.length - 1] ?? 0];
  const span = end - begin || 1;
  const range = box.high - box.low || 1;
  const out: string[] = [];
  let column = -1;
  let cell: [x: number, first: number, low: number, high: number, last: number] | null = null;
  let drawn = false;
  const place = (x: number, value: number): void => {
    const y = box.height * (1 - (value - box.low) / range);
    out.push(`${drawn ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`);
    drawn = true;
  };
  const flush = (): void => {
    if (cell) {
      const [x, first, low, high, last] = cell;
      const middle = first < last ? [low, high] : [high, low];
      [first, ...middle, last].filter((value, at, all) => at === 0 || value !== all[at - 1]).forEach((value) => place(x, value));
    }
    cell = null;
  };
  for (let row = 0; row < times.length; row++) {
    const value = values[row * size + line]!;
    const x = (box.width * (times[row]! - begin)) / span;
    if (!Number.isFinite(value)) {
      flush();
      drawn = false;
      column = -1;
      continue;
    }
    if (Math.floor(x) !== column || !cell) {
      flush();
      column = Math.floor(x);
      cell = [x, value, value, value, value];
    } else {
      cell = [cell[0], cell[1], Math.min(cell[2], value), Math.max(cell[3], value), value];
    }
  }
  flush();
  return out.join("");
}
