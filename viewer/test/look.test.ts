import { describe, expect, it } from "vitest";
import { BoxGeometry, type BufferGeometry } from "three";
import { grouped } from "../src/groups";
import { isWorld, moving } from "../src/links";
import type { FindingData, Model, RobotData, ShapeData } from "../src/model";
import { creased } from "../src/scene/crease";
import { joined } from "../src/scene/geometry";
import { vastShapes } from "../src/scene/vast";
import { Settings } from "../src/settings";
import { STAND_IN, standIns } from "../src/standins";
import { enters, grow, meets } from "../src/tree";
import { turned } from "../src/turns";
import { arm, close, link, robot } from "./make";
import { IDENTITY, slide } from "../src/pose";

const PLACE = IDENTITY;

function shape(of: number, more: Partial<ShapeData> = {}): ShapeData {
  return { link: of, mesh: 0, material: -1, place: PLACE, name: "", ...more };
}

describe("a ray", () => {
  const random = (() => {
    let seed = 7;
    return () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
  })();
  const triangles = Float32Array.from({ length: 9 * 400 }, (_, i) => 4 * Math.floor(i / 9 % 20) + random());

  it("meets the nearest triangle, as without a tree", () => {
    const tree = grow(triangles);
    const one = (i: number) => grow(triangles.slice(9 * i, 9 * i + 9));
    const alone = Array.from({ length: 400 }, (_, i) => one(i));
    let hits = 0;
    for (let k = 0; k < 300; k++) {
      const goal = 3 * Math.floor(random() * 1200);
      const origin = [90 * random(), 90 * random(), -5] as const;
      const direction = [0, 1, 2].map((axis) => triangles[goal + axis]! - origin[axis]! + 0.2 * random()) as unknown as [number, number, number];
      const all = alone.map((each) => meets(each, { origin, direction }, Infinity)).filter((at) => at !== null);
      const first = all.length ? Math.min(...all) : null;
      expect(meets(tree, { origin, direction }, Infinity)).toBe(first);
      hits += Number(first !== null);
    }
    expect(hits).toBeGreaterThan(30);
  });

  it("enters boxes before it, from inside at once", () => {
    const box = [-1, -1, -1, 1, 1, 1];
    expect(enters(box, 0, { origin: [-3, 0, 0], direction: [2, 0, 0] }, 9)).toBe(1);
    expect(enters(box, 0, { origin: [0, 0, 0], direction: [2, 0, 0] }, 9)).toBe(0);
    expect(enters(box, 0, { origin: [-3, 0, 0], direction: [-1, 0, 0] }, 9)).toBeNull();
    expect(enters(box, 0, { origin: [-3, 2, 0], direction: [1, 0, 0] }, 9)).toBeNull();
    expect(enters(box, 0, { origin: [-3, 0, 0], direction: [1, 0, 0] }, 1.5)).toBeNull();
  });
});

describe("normals", () => {
  it("are those of the faces at sharp edges, and shared at others", () => {
    const box = new BoxGeometry(1, 1, 1);
    const cube = creased(box.getAttribute("position").array, box.getIndex()!.array);
    expect(cube.normals.length / 3).toBe(24);
    expect(Math.max(...cube.normals.map((v) => Math.min(Math.abs(v), Math.abs(Math.abs(v) - 1))))).toBeLessThan(1e-6);
    // Two faces that meet at 20°, then at 40°.
    const roof = (angle: number): number => {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const points = [0, 0, 0, 0, 1, 0, -1, 0, 0, c, 0, s];
      return creased(points, [0, 1, 2, 1, 0, 3]).normals.length / 3;
    };
    expect(roof((20 * Math.PI) / 180)).toBe(4);
    expect(roof((40 * Math.PI) / 180)).toBe(6);
  });

  it("of parts that are joined keep their sides, mirrored ones too", () => {
    const box = new BoxGeometry(1, 1, 1);
    box.deleteAttribute("uv");
    const mirror = [-1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0];
    const out = joined([{ geometry: box, place: PLACE }, { geometry: box, place: mirror }]);
    const [at, normal, index] = [out.getAttribute("position"), out.getAttribute("normal"), out.getIndex()!];
    expect(index.count).toBe(72);
    for (let k = 0; k < index.count; k += 3) {
      const [a, b, c] = [0, 1, 2].map((i) => [0, 1, 2].map((axis) => at.getComponent(index.getX(k + i), axis)));
      const [u, v] = [b!.map((x, i) => x - a![i]!), c!.map((x, i) => x - a![i]!)] as [number[], number[]];
      const cross = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
      const along = cross.reduce((sum, x, axis) => sum + x * normal.getComponent(index.getX(k), axis), 0);
      expect(along).toBeCloseTo(1, 6);
    }
  });
});

describe("what the view is fitted to", () => {
  const around = (): RobotData => {
    const chain = arm(2);
    return { ...chain, links: [...chain.links, link("world", -1, -1)], order: [0, 1, 2, 3] };
  };
  const box = (size: number): BufferGeometry => new BoxGeometry(size, size, 0.1);
  const poses = [PLACE, PLACE, slide([1, 0, 0], 1), PLACE];

  it("leaves out fixed shapes larger than four times what moves", () => {
    const sizes = [0.5, 100, 2];
    const [moves, floor, base] = [shape(2, { mesh: 0 }), shape(3, { mesh: 1 }), shape(0, { mesh: 2 })];
    const made = { ...around(), shapes: { visual: [moves, floor, base], collision: [] } };
    const vast = vastShapes(made, poses, (mesh) => box(sizes[mesh]!));
    expect([...vast]).toEqual([floor]);
    expect(moving(made)).toEqual([false, true, true, false]);
    expect(made.links.map((_, index) => isWorld(made, index))).toEqual([false, false, false, true]);
  });

  it("leaves out surroundings that are as large together", () => {
    const stones = [0, 9].map((x) => shape(3, { place: slide([1, 0, 0], x) }));
    const made = { ...around(), shapes: { visual: [shape(2), ...stones], collision: [] } };
    expect(vastShapes(made, poses, () => box(0.5)).size).toBe(2);
    // Nothing is too large where nothing moves.
    expect(vastShapes({ ...made, shapes: { visual: stones, collision: [] } }, poses, () => box(0.5)).size).toBe(0);
  });
});

describe("groups", () => {
  const of = (...visual: Partial<ShapeData>[]): Settings =>
    new Settings([robot([link("a", -1, -1)], [], { shapes: { visual: visual.map((each) => shape(0, each)), collision: [] } })]);

  it("0 to 2 are shown, and of group 0 what is in front", () => {
    const settings = of({ behind: true }, { group: 2 }, { group: 3 });
    const seen = (): boolean[] => [{ behind: true }, {}, { group: 2 }, { group: 3 }].map((each) => settings.isGrouped(each));
    expect(seen()).toEqual([false, true, true, false]);
    settings.nextGroup(0, true);
    expect(seen()).toEqual([true, true, true, false]);
    settings.nextGroup(0, true);
    expect(seen()).toEqual([false, false, true, false]);
    settings.nextGroup(3, false);
    expect(seen()[3]).toBe(true);
  });

  it("of others are shown if nothing else would be", () => {
    expect(of({ group: 3 }, { group: 4 }).isGrouped({ group: 4 })).toBe(true);
  });
});

it("shapes of the other set stand in for missing meshes", () => {
  const lack = { link: 0, place: PLACE };
  const made = robot([link("a", -1, -1), link("b", 0, -1)], [], {
    shapes: { visual: [shape(1)], collision: [shape(0, { name: "hull", group: 3 }), shape(1)] },
    missing: { visual: [lack, { ...lack, link: 1 }], collision: [] },
  });
  expect(standIns(made, "visual").map(({ link, name, material }) => [link, name, material])).toEqual([[0, "hull", STAND_IN]]);
  expect(standIns(made, "collision")).toEqual([]);
});

it("a mesh is turned as its file states, or with Y up", () => {
  const quarter = [1, 0, 0, 0, 0, -1, 0, 1, 0];
  const model = { turns: [[1, 0, 0, 0, 1, 0, 0, 0, 1], quarter] } as unknown as Model;
  const one = shape(0, { place: slide([1, 0, 0], 2), turn: [0, 1] });
  close(turned(model, one, "read"), [1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0]);
  close(turned(model, one, "stated"), [1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0]);
  close(turned(model, one, "y"), [1, 0, 0, 2, 0, 0, -1, 0, 0, 1, 0, 0]);
  close(turned(model, shape(0), "y"), PLACE);
});

it("the finding that explains a heap of parts comes first", () => {
  const finding = (code: string, severity: FindingData["severity"]): FindingData =>
    ({ code, severity, effect: "picture", message: "", hint: "", at: null, link: -1 });
  const all = [finding("file-missing", "error"), finding("mass", "warning"), finding("up-axis-ignored", "warning")];
  expect(grouped(all).map(({ code }) => code)).toEqual(["up-axis-ignored", "file-missing", "mass"]);
});
