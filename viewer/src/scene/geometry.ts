// Converts the meshes of the model to three.js geometries, and joins several of one look.

import { BufferAttribute, BufferGeometry, Color, Matrix3, Matrix4, SRGBColorSpace, Vector3 } from "three";
import { type ArrayData, type MeshData, type Model, numbers, type Place } from "../model";
import { creased } from "./crease";

// Meshes with more corners keep the normals of their faces.
const MOST_CREASED = 900_000;

export function geometry(model: Model, mesh: MeshData): BufferGeometry {
  const out = new BufferGeometry();
  out.setAttribute("position", new BufferAttribute(numbers(model, mesh.vertices), 3));
  if (mesh.indices) {
    out.setIndex(new BufferAttribute(numbers(model, mesh.indices), 1));
  }
  if (mesh.normals) {
    out.setAttribute("normal", new BufferAttribute(numbers(model, mesh.normals), 3, true));
  }
  if (mesh.colors) {
    out.setAttribute("color", new BufferAttribute(linear(model, mesh.colors), 4));
  }
  if (mesh.coords) {
    out.setAttribute("uv", new BufferAttribute(numbers(model, mesh.coords), 2));
  }
  return isCreased(mesh) ? smoothed(out) : out;
}

/** Whether a mesh is drawn with normals: its own, or smooth ones. */
export function hasNormals(mesh: MeshData): boolean {
  return mesh.normals !== null || isCreased(mesh);
}

function isCreased({ kind, normals, indices }: MeshData): boolean {
  return kind === "triangles" && normals === null && indices !== null && indices[2] <= MOST_CREASED;
}

/** A geometry with smooth normals; its vertices are doubled at creases. */
function smoothed(given: BufferGeometry): BufferGeometry {
  const { from, normals, indices } = creased(given.getAttribute("position").array, given.getIndex()!.array);
  const out = new BufferGeometry();
  for (const [name, { array, itemSize }] of Object.entries(given.attributes)) {
    const moved = new Float32Array(from.length * itemSize);
    from.forEach((vertex, at) => {
      for (let k = 0; k < itemSize; k++) {
        moved[at * itemSize + k] = array[vertex * itemSize + k]!;
      }
    });
    out.setAttribute(name, new BufferAttribute(moved, itemSize));
  }
  out.setAttribute("normal", new BufferAttribute(normals, 3));
  out.setIndex(new BufferAttribute(from.length > 65535 ? indices : Uint16Array.from(indices), 1));
  return out;
}

/** Geometries with the same attributes, each at its place, as one. */
export function joined(parts: readonly { readonly geometry: BufferGeometry; readonly place: Place }[]): BufferGeometry {
  const out = new BufferGeometry();
  const first = parts[0]!.geometry;
  const vertices = parts.reduce((sum, { geometry: { attributes } }) => sum + attributes["position"]!.count, 0);
  for (const [name, { itemSize }] of Object.entries(first.attributes)) {
    out.setAttribute(name, new BufferAttribute(new Float32Array(vertices * itemSize), itemSize));
  }
  const corners = parts.reduce((sum, { geometry: { index } }) => sum + index!.count, 0);
  const index = vertices > 65535 ? new Uint32Array(corners) : new Uint16Array(corners);
  let [vertex, corner] = [0, 0];
  for (const { geometry: part, place } of parts) {
    const matrix = matrixOf(place);
    const { position, normal, ...others } = part.attributes;
    put(out, "position", vertex, position!.count, (k, v) => v.fromBufferAttribute(position!, k).applyMatrix4(matrix));
    if (normal) {
      const turn = new Matrix3().getNormalMatrix(matrix);
      put(out, "normal", vertex, normal.count, (k, v) => v.fromBufferAttribute(normal, k).applyMatrix3(turn).normalize());
    }
    for (const [name, { array, itemSize }] of Object.entries(others)) {
      (out.getAttribute(name).array as Float32Array).set(array, vertex * itemSize);
    }
    // A mirrored part shows its inside unless its triangles are turned over.
    const order = matrix.determinant() < 0 ? [0, 2, 1] : [0, 1, 2];
    for (let k = 0; k < part.index!.count; k++) {
      index[corner + k] = vertex + part.index!.array[k - (k % 3) + order[k % 3]!]!;
    }
    vertex += position!.count;
    corner += part.index!.count;
  }
  out.setIndex(new BufferAttribute(index, 1));
  return out;
}

function put(
  out: BufferGeometry, name: string, begin: number, count: number, get: (index: number, into: Vector3) => Vector3,
): void {
  const { array } = out.getAttribute(name);
  const point = new Vector3();
  for (let k = 0; k < count; k++) {
    get(k, point).toArray(array as Float32Array, 3 * (begin + k));
  }
}

/** The 4 × 4 matrix of a place. */
export function matrixOf([a, b, c, d, e, f, g, h, i, j, k, l]: Place): Matrix4 {
  return new Matrix4().set(a!, b!, c!, d!, e!, f!, g!, h!, i!, j!, k!, l!, 0, 0, 0, 1);
}

/** Linear colors from sRGB. */
function linear(model: Model, colors: ArrayData): Float32Array {
  const bytes = numbers(model, colors);
  const out = new Float32Array(bytes.length);
  const color = new Color();
  for (let i = 0; i < bytes.length; i += 4) {
    color.setRGB(bytes[i]! / 255, bytes[i + 1]! / 255, bytes[i + 2]! / 255, SRGBColorSpace);
    color.toArray(out, i);
    out[i + 3] = bytes[i + 3]! / 255;
  }
  return out;
}
