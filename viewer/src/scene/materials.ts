// Materials of the model, and their highlighted variants.

import {
  Color,
  DoubleSide,
  FrontSide,
  LineBasicMaterial,
  type Material,
  MeshLambertMaterial,
  MeshPhongMaterial,
  PointsMaterial,
  SRGBColorSpace,
} from "three";
import type { DrawnSet, MaterialData, MeshData, Model, ShapeData, Vector3 } from "../model";
import { STAND_IN } from "../standins";
import { hasNormals } from "./geometry";
import type { Textures } from "./textures";
import type { Theme } from "./theme";

/** Highlight of a link: none, hovered, selected, in collision. */
export type Glow = 0 | 1 | 2 | 3;

/** How a link is drawn: as it is, as that of an overlaid robot, or faintly. */
export type Veil = "none" | "ghost" | "faded";

const GLOW = [0, 0.2, 0.6, 0.95] as const;
const PLAIN: MaterialData = {
  diffuse: [0.8, 0.81, 0.83],
  emissive: [0, 0, 0],
  specular: [0, 0, 0],
  shininess: 25,
  opacity: 1,
  texture: -1,
};
/** What stands in for a missing mesh. */
const STOOD: MaterialData = { ...PLAIN, diffuse: [0.83, 0.72, 0.5] };
/** Appearance of an overlaid robot: translucent, in its own color. */
const GHOST = { opacity: 0.42, tint: 0.75 } as const;
const OPACITY: Readonly<Record<Veil, number>> = { none: 1, ghost: GHOST.opacity, faded: 0.18 };
// The largest part of a color is at least this (linear): on pure black no light shows the shape.
const LEAST = 0.025;
// Alpha below which a texel is discarded, so that it hides nothing.
const CLEAR = 0.02;

interface Made {
  readonly material: MeshPhongMaterial | MeshLambertMaterial | LineBasicMaterial | PointsMaterial;
  /** Color and emission without highlight; null if the theme defines the color. */
  readonly color: Color | null;
  readonly emissive: Color;
  readonly glow: Glow;
  readonly veil: Veil;
}

/** Cache of materials, shared by shapes that look alike. */
export class Materials {
  readonly #made = new Map<string, Made>();
  #theme: Theme | null = null;

  constructor(
    private readonly model: Model,
    private readonly textures: Textures,
    private readonly redraw: () => void,
  ) {}

  get(shape: ShapeData, set: DrawnSet, glow: Glow, veil: Veil): Material {
    const mesh = this.model.meshes[shape.mesh]!;
    const index = set === "collision" ? "collision" : shape.material;
    const has = [mesh.kind, hasNormals(mesh), mesh.colors !== null, mesh.coords !== null, mesh.closed];
    const key = [index, ...has, glow, veil].join();
    let made = this.#made.get(key);
    if (!made) {
      const data = this.model.materials[shape.material] ?? (shape.material === STAND_IN ? STOOD : PLAIN);
      made = set === "collision" ? collision(mesh, glow, veil) : visual(data, mesh, glow, veil);
      this.#made.set(key, made);
      this.#paint(made);
      if (set !== "collision" && mesh.coords && glow !== 3) {
        void this.#cover(made, data.texture);
      }
    }
    return made.material;
  }

  theme(theme: Theme): void {
    this.#theme = theme;
    this.#made.forEach((made) => this.#paint(made));
  }

  /** Free the GPU memory. */
  dispose(): void {
    this.#made.forEach(({ material }) => material.dispose());
    this.#made.clear();
  }

  async #cover({ material }: Made, index: number): Promise<void> {
    const loaded = await this.textures.get(index);
    if (loaded && isSurface(material)) {
      material.map = loaded.texture;
      if (loaded.clear) {
        material.side = DoubleSide;
        material.transparent = true;
        material.alphaTest = CLEAR;
      }
      material.needsUpdate = true;
      this.redraw();
    }
  }

  #paint({ material, color, emissive, glow, veil }: Made): void {
    const theme = this.#theme;
    if (!theme) {
      return;
    }
    const amount = GLOW[glow];
    const light = glow === 3 ? theme.error : theme.accent;
    const own = (color ?? theme.collision).clone();
    material.color = (veil === "ghost" ? own.lerp(theme.second, GHOST.tint) : own).lerp(light, amount);
    if (isSurface(material)) {
      // Some emission highlights black surfaces, too.
      material.emissive = emissive.clone().lerp(light, 0.25 * amount);
    }
  }
}

function visual(data: MaterialData, mesh: MeshData, glow: Glow, veil: Veil): Made {
  const opacity = data.opacity * OPACITY[veil];
  const look = {
    // What collides is red, whatever it is painted with.
    vertexColors: mesh.colors !== null && glow !== 3,
    opacity,
    transparent: opacity < 1,
    depthWrite: opacity === 1,
  };
  const isMatt = Math.max(...data.specular) === 0;
  const surface = isMatt ? null : { specular: rgb(data.specular), shininess: data.shininess };
  // Vertex colors replace the surface color.
  const color = mesh.colors ? new Color(1, 1, 1) : lit(rgb(data.diffuse));
  return { material: make(mesh, look, surface), color, emissive: rgb(data.emissive), glow, veil };
}

/** Collision shapes have no material; they are drawn as translucent overlays. */
function collision(mesh: MeshData, glow: Glow, veil: Veil): Made {
  const look = { opacity: 0.4 * (veil === "faded" ? OPACITY.faded : 1), transparent: true, depthWrite: false, polygonOffset: true };
  const offset = { polygonOffsetFactor: -1, polygonOffsetUnits: -1 };
  const material = make(mesh, { ...look, ...offset }, null);
  return { material, color: null, emissive: new Color(0, 0, 0), glow, veil };
}

/** Whether a material is that of triangles. */
function isSurface(material: Made["material"]): material is MeshPhongMaterial | MeshLambertMaterial {
  return material instanceof MeshPhongMaterial || material instanceof MeshLambertMaterial;
}

/** A material; ``surface`` is the highlight, null for a matt one. */
function make(mesh: MeshData, look: { readonly transparent: boolean }, surface: object | null): Made["material"] {
  if (mesh.kind === "lines") {
    return new LineBasicMaterial(look);
  }
  if (mesh.kind === "points") {
    return new PointsMaterial({ ...look, size: 4, sizeAttenuation: false });
  }
  // Handwritten files have inconsistent face orientations: draw both sides, unless the backs cannot be seen.
  const side = mesh.closed && !look.transparent ? FrontSide : DoubleSide;
  const all = { ...look, side, flatShading: !hasNormals(mesh) };
  return surface ? new MeshPhongMaterial({ ...all, ...surface }) : new MeshLambertMaterial(all);
}

/** A color on which light is seen. */
function lit(color: Color): Color {
  const most = Math.max(color.r, color.g, color.b);
  return most < LEAST ? color.set(color.r + LEAST - most, color.g + LEAST - most, color.b + LEAST - most) : color;
}

function rgb([r, g, b]: Vector3): Color {
  return new Color().setRGB(r, g, b, SRGBColorSpace);
}
