import { describe, expect, it } from "vitest";
import type { Model, RobotData, ShapeData } from "../src/model";
import type { Pose } from "../src/pose";
import { supplyOf, Touches } from "../src/touch";
import { joint, link, robot } from "./make";

const CUBE = { vertices: [] as number[], indices: [] as number[] };
for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) CUBE.vertices.push(x, y, z);
for (const [a, b, c, d] of [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]) {
  CUBE.indices.push(a!, b!, c!, a!, c!, d!);
}

/** Two cubes on links that a joint does not connect. */
function cubes(sizes: readonly [number, number], solid: boolean): [Model, RobotData] {
  const bytes = new ArrayBuffer(24 * 4 + 36 * 2);
  new Float32Array(bytes, 0, 24).set(CUBE.vertices);
  new Uint16Array(bytes, 96, 36).set(CUBE.indices);
  const mesh = {
    kind: "triangles", vertices: ["f4", 0, 24], indices: ["u2", 96, 36], normals: null, colors: null, coords: null,
  } as const;
  const shape = (index: number, size: number): ShapeData => ({
    link: index, mesh: 0, material: -1, place: [size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0], name: "",
    ...(solid ? { solid } : {}),
  });
  const made = robot([link("a", -1, -1), link("b", 0, 0)], [joint("j", "free", 1)], {
    shapes: { visual: [], collision: [shape(0, sizes[0]), shape(1, sizes[1])] },
  });
  return [{ bytes, start: 0, meshes: [mesh] } as unknown as Model, made];
}

const at = (x: number, y = 0, z = 0): number[] => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
// turned by 45° about Z
const turned = (x: number): number[] => [Math.SQRT1_2, -Math.SQRT1_2, 0, x, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 0, 0, 1, 0];

/** What finds the pairs that touch. */
function found(model: Model, made: RobotData): { readonly at: (poses: readonly Pose[]) => (readonly [number, number])[] } {
  const touches = new Touches(supplyOf(model, made));
  return { at: (poses) => touches.at(poses).map(({ pair }) => pair) };
}

describe("links that touch", () => {
  it("are those whose triangles intersect", () => {
    const touches = found(...cubes([1, 1], true));
    expect(touches.at([at(0), at(1.9)])).toEqual([[0, 1]]);
    expect(touches.at([at(0), at(2.1)])).toEqual([]);
    expect(touches.at([at(0), at(1.9, 1.9, 1.9)])).toEqual([[0, 1]]);
    expect(touches.at([at(0), turned(1 + Math.SQRT2 - 0.01)])).toEqual([[0, 1]]);
    expect(touches.at([at(0), turned(1 + Math.SQRT2 + 0.01)])).toEqual([]);
    expect(touches.at([at(7, 3, 2), at(8.5, 3, 2)])).toEqual([[0, 1]]);
  });

  it("include what is inside of a solid, not of a mesh", () => {
    for (const sizes of [[1, 0.3], [0.3, 1]] as const) {
      expect(found(...cubes(sizes, true)).at([at(0), at(0.2)])).toEqual([[0, 1]]);
      expect(found(...cubes(sizes, false)).at([at(0), at(0.2)])).toEqual([]);
      expect(found(...cubes(sizes, true)).at([at(0), at(2)])).toEqual([]);
    }
  });

  it("are only tested pairs", () => {
    const [model, made] = cubes([1, 1], true);
    const collision = { default: "all", enabled: [], disabled: [[0, 1]], adjacent: [] } as const;
    expect(found(model, { ...made, collision }).at([at(0), at(1)])).toEqual([]);
  });

  it("touch at a point that both have in common", () => {
    const touches = new Touches(supplyOf(...cubes([1, 1], true)));
    const [x, y, z] = touches.at([at(0), at(1.9, 1.9, 1.9)])[0]!.point;
    for (const value of [x, y, z]) {
      expect(value).toBeGreaterThanOrEqual(0.9 - 1e-9);
      expect(value).toBeLessThanOrEqual(1 + 1e-9);
    }
  });

  it("are near each other with exact distances", () => {
    const touches = new Touches(supplyOf(...cubes([1, 0.5], true)));
    const gap = (pose: Pose): number | undefined => touches.gap([0, 1], [at(0), pose], 1)?.distance;
    expect(gap(at(1.7))).toBeCloseTo(0.2, 12);
    expect(gap(at(1.8, 1.9))).toBeCloseTo(Math.hypot(0.3, 0.4), 12);
    expect(gap(at(1.7, 1.7, 1.6))).toBeCloseTo(Math.hypot(0.2, 0.2, 0.1), 12);
    // an edge before a face
    expect(gap(turned(1.2 + Math.SQRT1_2))).toBeCloseTo(0.2, 12);
    expect(gap(at(2.6))).toBeUndefined();
    const { a, b } = touches.gap([0, 1], [at(0), at(1.7)], 1)!;
    expect([a[0], b[0]]).toEqual([1, 1.2]);
    expect(touches.close([at(0), at(2.6)], 1, [])).toEqual([]);
    expect(touches.close([at(0), at(1.7)], 1, [])).toEqual([[0, 1]]);
  });
});
