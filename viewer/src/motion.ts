// A motion: positions interpolated between the rows of a table.

import { KINDS } from "./kinds";
import { BASE, type Mechanism, type Positions } from "./mechanism";
import { type Model, type MotionData, numbers } from "./model";
import { between, type Quaternion } from "./quaternion";

export class Motion {
  /** Times of the rows, in s. */
  readonly times: Float64Array;
  readonly #values: Float32Array;
  readonly #width: number;

  constructor(
    model: Model,
    readonly data: MotionData,
  ) {
    this.times = Float64Array.from(numbers(model, data.times), (time) => data.begin + time);
    this.#values = numbers(model, data.values) as Float32Array;
    this.#width = data.columns.length;
  }

  /** Begin and end, in s. */
  get span(): readonly [number, number] {
    return [this.times[0]!, this.times.at(-1)!];
  }

  /** The joints that the motion moves. */
  get joints(): ReadonlySet<number> {
    return new Set(this.data.columns.map(([joint]) => joint));
  }

  /** The positions at a time; joints without a column keep their ``positions``. */
  at(mechanism: Mechanism, positions: Positions, time: number): Positions {
    const [row, share] = this.#find(time);
    const before = this.#placed(mechanism, positions, row);
    if (share === 0) {
      return mechanism.follow(before);
    }
    const after = this.#placed(mechanism, positions, row + 1);
    const out = before.map((value, index) => value + share * (after[index]! - value));
    for (const joint of this.joints) {
      if (KINDS[joint === BASE ? "free" : mechanism.tree.joints[joint]!.kind].quaternion) {
        const at = mechanism.range(joint)[1] - 4;
        const turn = (of: Positions): Quaternion => of.slice(at, at + 4) as unknown as Quaternion;
        out.splice(at, 4, ...between(turn(before), turn(after), share));
      }
    }
    return mechanism.follow(out);
  }

  /** The time of the next row, or of the one before, from a time on. */
  next(time: number, back: boolean): number {
    const { times } = this;
    const row = this.row(time);
    return back ? times[times[row]! < time ? row : Math.max(0, row - 1)]! : times[Math.min(times.length - 1, row + 1)]!;
  }

  /** The positions of a joint at all rows, one after another; empty if the motion does not move it. */
  positions(mechanism: Mechanism, start: Positions, joint: number): Float64Array {
    const own = this.data.columns.flatMap(([moved, part], column) => (moved === joint ? [[part, column] as const] : []));
    const [first, last] = mechanism.range(joint);
    if (own.length === 1 && last - first === 1) {
      const [[, column]] = own as [readonly [number, number]];
      return Float64Array.from(this.times, (_, row) => this.#values[row * this.#width + column]!);
    }
    if (!own.length && !mechanism.follows(joint)) {
      return new Float64Array();
    }
    const out = new Float64Array(this.times.length * (last - first));
    this.times.forEach((time, row) => out.set(mechanism.of(this.at(mechanism, start, time), joint), row * (last - first)));
    return out;
  }

  /** The last row at or before a time; the first one for earlier times. */
  row(time: number): number {
    return this.#find(time)[0];
  }

  /** The last row at or before a time, and the interpolation factor to the next row, 0 to 1. */
  #find(time: number): [number, number] {
    const { times } = this;
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle]! <= time) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const next = times[low + 1];
    const length = next === undefined ? 0 : next - times[low]!;
    return [low, length > 0 ? Math.min(1, Math.max(0, (time - times[low]!) / length)) : 0];
  }

  #placed(mechanism: Mechanism, positions: Positions, row: number): number[] {
    const out = [...positions];
    this.data.columns.forEach(([joint, part], column) => {
      out[mechanism.range(joint)[0] + part] = this.#values[row * this.#width + column]!;
    });
    return out;
  }
}
