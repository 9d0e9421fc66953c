import { describe, expect, it } from "vitest";
import { Pairs } from "../src/collision";
import { equivalentSize } from "../src/inertia";
import { parseNews } from "../src/live";
import { Mechanism } from "../src/mechanism";
import type { DeviceData, Model } from "../src/model";
import { Motion } from "../src/motion";
import { fromVector, toPose } from "../src/quaternion";
import { glyph, viewSlopes } from "../src/scene/glyphs";
import { tracePaths } from "../src/scene/traces";
import { search } from "../src/search";
import { State } from "../src/state";
import { arm, close, HERE, joint, link, robot } from "./make";

describe("search", () => {
  const found = robot(
    [link("base", -1, -1), link("forearm", 0, 0), link("arm", 1, 1)],
    [joint("elbow", "revolute", 1), joint("arm", "revolute", 2)],
    { shapes: { visual: [{ link: 2, mesh: 0, material: -1, place: [], name: "arm.stl" }], collision: [] } },
  );

  it("sorts exact matches first, then prefixes", () => {
    expect(search(found, "ARM", 10).map(({ name, word }) => `${word} ${name}`)).toEqual([
      "link arm", "shape arm.stl", "link forearm",
    ]);
    expect(search(found, "elbow", 10)[0]!.item).toEqual({ kind: "link", index: 1 });
    expect(search(found, "  ", 10)).toEqual([]);
    expect(search(found, "a", 1)).toHaveLength(1);
  });
});

describe("pairs of links", () => {
  const shape = (index: number) => ({ link: index, mesh: 0, material: -1, place: [], name: "" });
  const solid = { visual: [], collision: [0, 1, 2, 3].map(shape) };

  it("are tested unless adjacent or disabled", () => {
    const pairs = new Pairs({
      ...arm(3), shapes: solid,
      collision: { default: "not_adjacent", enabled: [[1, 0]], disabled: [[3, 0]], adjacent: [[1, 2], [2, 3]] },
    });
    expect([pairs.of(0, 1), pairs.of(1, 2), pairs.of(0, 3), pairs.of(1, 3), pairs.of(2, 2)]).toEqual([
      "enabled", "adjacent", "disabled", "tested", "self",
    ]);
    expect(pairs.count()).toEqual([3, 6]);
  });

  it("support the defaults 'all' and 'none'", () => {
    const of = (rule: "all" | "none"): string =>
      new Pairs({ ...arm(3), shapes: solid, collision: { default: rule, enabled: [], disabled: [], adjacent: [] } }).of(0, 1);
    expect([of("all"), of("none")]).toEqual(["tested", "untested"]);
  });

  it("exclude links without collision shapes", () => {
    expect(new Pairs({ ...arm(3), shapes: { visual: [], collision: [shape(2)] } }).links).toEqual([2]);
  });
});

describe("equivalent bodies", () => {
  it("have the moments of inertia", () => {
    const [mass, x, y, z] = [2, 0.1, 0.2, 0.4];
    const box = [y * y + z * z, x * x + z * z, x * x + y * y].map((v) => (mass * v) / 12) as [number, number, number];
    close(equivalentSize("box", mass, box).size, [x, y, z]);
    const ball = [1, 1, 1].map(() => 0.4 * mass * 0.25) as [number, number, number];
    close(equivalentSize("ellipsoid", mass, ball).size, [1, 1, 1]);
  });

  it("have no negative length", () => {
    expect(equivalentSize("box", 1, [1, 1, 2])).toMatchObject({ possible: true });
    expect(equivalentSize("box", 1, [1, 1, 3]).possible).toBe(false);
    expect(equivalentSize("box", 1, [-1, 1, 1]).possible).toBe(false);
    expect(equivalentSize("box", 1, [1, 1, 3]).size[2]).toBe(0);
  });
});

describe("a motion", () => {
  function motion(times: number[], values: number[], columns: [number, number][], begin = 0): Motion {
    const bytes = new ArrayBuffer(4 * (times.length + values.length));
    new Float32Array(bytes, 0, times.length).set(times);
    new Float32Array(bytes, 4 * times.length).set(values);
    const model = { bytes, start: 0 } as unknown as Model;
    return new Motion(model, {
      name: "m", columns, begin, times: ["f4", 0, times.length], values: ["f4", 4 * times.length, values.length],
    });
  }

  it("interpolates between rows", () => {
    const mechanism = new Mechanism(arm(2));
    const played = motion([1, 2, 4], [0, 0.5, 1.5], [[1, 0]]);
    const at = (time: number): number => played.at(mechanism, arm(2).start, time)[8]!;
    expect([0, 1, 1.5, 3, 4, 9].map(at)).toEqual([0, 0, 0.25, 1, 1.5, 1.5]);
    expect(played.span).toEqual([1, 4]);
    expect([...played.joints]).toEqual([1]);
  });

  it("keeps precision for times since 1970", () => {
    const mechanism = new Mechanism(arm(1));
    const played = motion([0, 0.25, 0.5], [0, 1, 2], [[0, 0]], 1.7e9);
    expect(played.span).toEqual([1.7e9, 1.7e9 + 0.5]);
    expect(played.at(mechanism, arm(1).start, 1.7e9 + 0.125)[7]).toBe(0.5);
  });

  it("may have two rows at the same time", () => {
    const mechanism = new Mechanism(arm(1));
    const played = motion([0, 1, 1, 2], [0, 0, 1, 1], [[0, 0]]);
    const at = (time: number): number => played.at(mechanism, arm(1).start, time)[7]!;
    expect([0.999, 1, 1.5].map(at)).toEqual([0, 1, 1]);
  });

  it("interpolates along the shorter arc", () => {
    const one = robot([link("a", -1, -1), link("b", 0, 0)], [joint("j", "ball", 1)]);
    const mechanism = new Mechanism(one);
    const [from, to] = [fromVector([0, 0, 0]), fromVector([0, 0, 2])];
    const played = motion([0, 1], [...from, ...to.map((v) => -v)], [0, 1, 2, 3].map((part) => [0, part]));
    const half = mechanism.of(played.at(mechanism, one.start, 0.5), 0) as [number, number, number, number];
    close(toPose(half), toPose(fromVector([0, 0, 1])), 6);
  });

  it("has traces", () => {
    const traced = {
      ...arm(1),
      frames: [
        { name: "tip", link: 1, pose: [1, 0, 0, 1, 0, 0, 0] as const, trace: true, properties: [], at: null },
        { name: "other", link: 1, pose: HERE, trace: false, properties: [], at: null },
      ],
    };
    const paths = tracePaths(new State(traced), motion([0, 1], [0, Math.PI / 2], [[0, 0]]));
    expect(paths).toHaveLength(1);
    close(paths[0]!.flat() as number[], [1, 0, 0, 0, 1, 0], 6);
  });
});

describe("devices", () => {
  const device = (kind: string, spec: DeviceData["spec"]): DeviceData => ({
    name: "d", link: 0, pose: HERE, kind, label: kind, on: true, spec, properties: [], at: null,
  });
  const camera = { lens: "normal", width: 640, height: 480, field_of_view: Math.PI / 2, near: 0.1, far: 2 };

  it("have their field of view across the shorter side of the image", () => {
    close(viewSlopes(camera), [4 / 3, 1]);
    close(viewSlopes({ ...camera, width: 300, height: 600 }), [1, 2]);
  });

  it("draw the far plane only within reach", () => {
    const depths = (reach: number): number[] => glyph(device("Camera", camera), reach).metric.map(([, , z]) => z);
    expect(Math.min(...depths(5))).toBe(-2);
    expect(Math.min(...depths(0.5))).toBe(-0.5);
    // The far plane adds four edges.
    expect(depths(5)).toHaveLength(depths(0.5).length + 8);
  });

  it("rotate about Y from -Z, then tilt up", () => {
    const level = {
      min_yaw: 0, max_yaw: Math.PI / 2, min_pitch: 0, max_pitch: 0, min_distance: 0.1, max_distance: 1,
    };
    const fan = (more: object) => glyph(device("RangeSensor", { ...level, ...more }), 5);
    const far = fan({}).metric.filter((point) => Math.hypot(...point) > 0.9);
    close(far[0]!, [0, 0, -1]);
    expect(Math.min(...far.map(([x]) => x))).toBeCloseTo(-1, 12);
    const tilted = fan({ min_pitch: 0.5, max_pitch: 0.5 }).metric;
    expect(Math.max(...tilted.map(([, y]) => y))).toBeCloseTo(Math.sin(0.5), 12);
  });

  it.each(["ForceTorque", "ContactSwitch", "Imu", "Gyro", "Accelerometer", "PointLight", "SpotLight", "DirectionalLight", "Opaque"])(
    "of kind %s are lines between pairs of points",
    (kind) => {
      const { sized, metric } = glyph(device(kind, { direction: [0, 1, 0], cut_off_angle: 0.5 }), 1);
      expect(sized.length).toBeGreaterThan(0);
      expect((sized.length + metric.length) % 2).toBe(0);
      expect([...sized, ...metric].flat().every(Number.isFinite)).toBe(true);
    },
  );

  it("use defaults for missing numbers", () => {
    const broken = { field_of_view: null, near: null, far: null, width: 0, height: 0, lens: "fisheye" };
    expect(glyph(device("Camera", broken), 1).metric.flat().every(Number.isFinite)).toBe(true);
    expect(glyph(device("Camera", { ...broken, lens: "normal" }), 1).metric.flat().every(Number.isFinite)).toBe(true);
  });
});

it("parses the server's response", () => {
  expect(parseNews("3.1\n")).toEqual({ state: "3.1", model: 1, checked: false, trouble: "" });
  expect(parseNews("4.2+\nline 3:\nwrong")).toEqual({
    state: "4.2+", model: 2, checked: true, trouble: "line 3:\nwrong",
  });
});
