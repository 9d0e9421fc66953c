// Converts the meshes of the model to three.js geometries.

import { BufferAttribute, BufferGeometry, Color, SRGBColorSpace } from "three";
import { type ArrayData, type MeshData, type Model, numbers } from "../model";

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
  return out;
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
