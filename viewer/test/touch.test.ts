import { describe, expect, it } from "vitest";
import type { Model, RobotData, ShapeData } from "../src/model";
import { Touches } from "../src/touch";
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

describe("links that touch", () => {
  it("are those whose triangles intersect", () => {
    const touches = new Touches(...cubes([1, 1], true));
    expect(touches.at([at(0), at(1.9)])).toEqual([[0, 1]]);
    expect(touches.at([at(0), at(2.1)])).toEqual([]);
    expect(touches.at([at(0), at(1.9, 1.9, 1.9)])).toEqual([[0, 1]]);
    expect(touches.at([at(0), turned(1 + Math.SQRT2 - 0.01)])).toEqual([[0, 1]]);
    expect(touches.at([at(0), turned(1 + Math.SQRT2 + 0.01)])).toEqual([]);
    expect(touches.at([at(7, 3, 2), at(8.5, 3, 2)])).toEqual([[0, 1]]);
  });

  it("include what is inside of a solid, not of a mesh", () => {
    for (const sizes of [[1, 0.3], [0.3, 1]] as const) {
      expect(new Touches(...cubes(sizes, true)).at([at(0), at(0.2)])).toEqual([[0, 1]]);
      expect(new Touches(...cubes(sizes, false)).at([at(0), at(0.2)])).toEqual([]);
      expect(new Touches(...cubes(sizes, true)).at([at(0), at(2)])).toEqual([]);
    }
  });

  it("are only tested pairs", () => {
    const [model, made] = cubes([1, 1], true);
    const collision = { default: "all", enabled: [], disabled: [[0, 1]], adjacent: [] } as const;
    expect(new Touches(model, { ...made, collision }).at([at(0), at(1)])).toEqual([]);
  });
});
