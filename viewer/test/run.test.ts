import { describe, expect, it } from "vitest";
import type { ArrayData, Model, RecordData } from "../src/model";
import { Motion } from "../src/motion";
import { bounds, linePath, outside, Run, visible } from "../src/run";
import { Mechanism } from "../src/mechanism";
import { arm } from "./make";
import { forceArrows } from "../src/scene/contacts";

/** A model whose arrays are these, one after the other. */
function model(arrays: readonly (Float32Array | Uint32Array | Uint8Array)[]): [Model, ArrayData[]] {
  const places: ArrayData[] = [];
  let size = 0;
  for (const array of arrays) {
    const type = array instanceof Float32Array ? "f4" : array instanceof Uint32Array ? "u4" : "u1";
    places.push([type, size, array.length]);
    size += 4 * Math.ceil(array.byteLength / 4);
  }
  const bytes = new ArrayBuffer(size);
  arrays.forEach((array, index) => {
    new Uint8Array(bytes, places[index]![1]).set(new Uint8Array(array.buffer));
  });
  return [{ bytes, start: 0 } as unknown as Model, places];
}

function run(): Run {
  const [made, places] = model([
    Float32Array.of(0, 1, 2), // times
    Float32Array.of(0, 0, 0), // values
    Uint32Array.of(0, 1, 1, 3), // contacts of each row
    Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), // points
    Float32Array.of(0, 0, 10, 0, 0, 20, 0, 0, 0), // forces
    Float32Array.of(1, 2, 3, 4, 5, 6), // velocities of two joints
    Float32Array.of(6, 5, 4, 3, 2, 1), // efforts
    Float32Array.of(0.5, 1.5), // times of pictures
    Uint8Array.of(137, 80),
    Uint8Array.of(1, 2, 3),
  ]);
  const data: RecordData = {
    finished: true, follow: 0, plots: [],
    rates: { joints: [0, 3], velocities: places[5]!, efforts: places[6]! },
    contacts: { begins: places[2]!, points: places[3]!, forces: places[4]!, usual: 20 },
    pictures: [{ name: "eye", device: 0, width: 2, height: 1, times: places[7]!, frames: [places[8]!, places[9]!] }],
  };
  const motion = new Motion(made, { name: "run", columns: [[0, 0]], begin: 0, times: places[0]!, values: places[1]! });
  return new Run(made, data, motion);
}

describe("a run", () => {
  it("has the contacts of the row at a time", () => {
    expect(run().contacts(0.9)).toEqual([{ point: [1, 2, 3], force: [0, 0, 10] }]);
    expect(run().contacts(1)).toEqual([]);
    expect(run().contacts(9).map(({ force }) => force[2])).toEqual([20, 0]);
  });

  it("has velocity and effort of joints", () => {
    const [velocity, effort] = run().joint(3, true);
    expect([...(velocity!.values as Float32Array)]).toEqual([2, 4, 6]);
    expect([...(effort!.values as Float32Array)]).toEqual([5, 3, 1]);
    expect([velocity!.unit, effort!.unit]).toEqual(["rad/s", "N·m"]);
    expect(run().joint(1, true)).toEqual([]);
  });

  it("shows the last picture that was taken", () => {
    const made = run();
    const camera = made.data.pictures[0]!;
    expect(made.picture(camera, 0.4)).toBeNull();
    expect(made.picture(camera, 0.5)).toEqual({ index: 0, bytes: Uint8Array.of(137, 80) });
    expect(made.picture(camera, 9)?.index).toBe(1);
  });
});

describe("plots", () => {
  const box = { width: 10, height: 100, low: 0, high: 10 };

  it("keep every peak", () => {
    const times = Array.from({ length: 10_000 }, (_, row) => row);
    const values = times.map((row) => (row === 4321 ? 10 : 1));
    const path = linePath(values, [1, 0], times, box);
    expect(path.match(/ 0\.0/g)).toHaveLength(1);
    expect(path.length).toBeLessThan(600);
  });

  it("are interrupted where there is no number", () => {
    expect(linePath([1, 1, NaN, 1], [1, 0], [0, 1, 2, 3], box).match(/M/g)).toHaveLength(2);
    expect(linePath([NaN, Infinity], [1, 0], [0, 1], box)).toBe("");
    expect(linePath([], [1, 0], [], box)).toBe("");
  });

  it("draw one of several lines", () => {
    expect(linePath([0, 10, 0, 10], [2, 1], [0, 1], box)).toBe("M0.0 0.0L10.0 0.0");
  });

  it("have finite bounds", () => {
    expect(bounds([1, NaN, -2, Infinity])).toEqual([-2, 1]);
    expect(bounds([NaN])).toEqual([0, 0]);
  });
});

describe("arrows", () => {
  it("point along the force from where it acts", () => {
    const lines = forceArrows([{ point: [1, 0, 0], force: [0, 0, 10] }], 20, 0.4, 0.02);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toEqual([1, 0, 0]);
    expect(lines[1]![2]).toBeCloseTo(0.2, 12);
  });

  it("are cut off, and left out without a force", () => {
    const lines = forceArrows([{ point: [0, 0, 0], force: [1e6, 0, 0] }], 1, 0.1, 0.02);
    expect(lines[1]![0]).toBeCloseTo(0.25, 12);
    expect(forceArrows([{ point: [0, 0, 0], force: [0, 0, 0] }], 1, 1, 1)).toEqual([]);
  });
});

describe("numbers beside a plot", () => {
  it("are rounded to what the plot shows", () => {
    expect(visible(-3.37e-6, 0.08)).toBe(0);
    expect(visible(-0.00273, 0.08)).toBeCloseTo(-0.00273, 12);
    expect(visible(9.8412, 14)).toBeCloseTo(9.84, 12);
    expect(visible(5, 0)).toBe(5);
  });
});

describe("a motion", () => {
  it("has a next row and one before at any time", () => {
    const { motion } = run();
    expect([0, 0.5, 1, 2].map((time) => motion.next(time, false))).toEqual([1, 1, 2, 2]);
    expect([0, 0.5, 1, 2].map((time) => motion.next(time, true))).toEqual([0, 0, 0, 1]);
  });

  it("has the positions of the joints that it moves, and of those that follow", () => {
    const robot = { ...arm(3), followers: [{ joint: 1, leader: 0, ratio: -2, offset: 0.5 }] };
    const [made, places] = model([Float32Array.of(0, 1, 2), Float32Array.of(0, 0.25, 1)]);
    const motion = new Motion(made, { name: "m", columns: [[0, 0]], begin: 0, times: places[0]!, values: places[1]! });
    const mechanism = new Mechanism(robot);
    expect([...motion.positions(mechanism, robot.start, 0)]).toEqual([0, 0.25, 1]);
    expect([...motion.positions(mechanism, robot.start, 1)]).toEqual([0.5, 0, -1.5]);
    expect(motion.positions(mechanism, robot.start, 2).length).toBe(0);
  });

  it("is beyond a limit from a row on", () => {
    const values = [0, 0.4, 0.6, -0.7];
    expect(outside(values, { lower: -0.5, upper: 0.5 })).toBe(2);
    expect(outside(values, { lower: -0.5, upper: null })).toBe(3);
    expect(outside(values, { lower: null, upper: 0.6 - 1e-7 })).toBe(-1);
  });
});
