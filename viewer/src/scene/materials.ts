// Surfaces as the model describes them, and the same ones lit up.

import {
  Color,
  DoubleSide,
  LineBasicMaterial,
  type Material,
  MeshPhongMaterial,
  PointsMaterial,
  SRGBColorSpace,
} from "three";
import type { MaterialData, MeshData, Model, ShapeData, ShapeSet, Vector3 } from "../model";
import type { Theme } from "./theme";

/** How much a link stands out: not at all, under the pointer, chosen. */
export type Glow = 0 | 1 | 2;

const GLOW = [0, 0.2, 0.6] as const;
const PLAIN: MaterialData = {
  diffuse: [0.8, 0.81, 0.83],
  emissive: [0, 0, 0],
  specular: [0.06, 0.06, 0.06],
  shininess: 25,
  opacity: 1,
};

interface Made {
  readonly material: MeshPhongMaterial | LineBasicMaterial | PointsMaterial;
  /** Colour, and light of its own, without glow; null where the theme gives the colour. */
  readonly color: Color | null;
  readonly emissive: Color;
  readonly glow: Glow;
}

/** Every material once: shapes that look alike share one. */
export class Materials {
  readonly #made = new Map<string, Made>();
  #accent = new Color();
  #collision = new Color();

  constructor(private readonly model: Model) {}

  get(shape: ShapeData, set: ShapeSet, glow: Glow): Material {
    const mesh = this.model.meshes[shape.mesh]!;
    const index = set === "collision" ? "collision" : shape.material;
    const key = [index, mesh.kind, mesh.normals !== null, mesh.colors !== null, glow].join();
    let made = this.#made.get(key);
    if (!made) {
      const data = this.model.materials[shape.material] ?? PLAIN;
      made = set === "collision" ? collision(mesh, glow) : visual(data, mesh, glow);
      this.#made.set(key, made);
      this.#paint(made);
    }
    return made.material;
  }

  theme(theme: Theme): void {
    this.#accent = theme.accent;
    this.#collision = theme.collision;
    this.#made.forEach((made) => this.#paint(made));
  }

  #paint({ material, color, emissive, glow }: Made): void {
    const amount = GLOW[glow];
    material.color = (color ?? this.#collision).clone().lerp(this.#accent, amount);
    if (material instanceof MeshPhongMaterial) {
      // A little light of its own, so that black surfaces stand out as well as white ones.
      material.emissive = emissive.clone().lerp(this.#accent, 0.25 * amount);
    }
  }
}

function visual(data: MaterialData, mesh: MeshData, glow: Glow): Made {
  const look = {
    vertexColors: mesh.colors !== null,
    opacity: data.opacity,
    transparent: data.opacity < 1,
    depthWrite: data.opacity === 1,
  };
  const surface = { specular: rgb(data.specular), shininess: data.shininess };
  // Colours of the vertices stand in place of the surface's own.
  const color = mesh.colors ? new Color(1, 1, 1) : rgb(data.diffuse);
  return { material: make(mesh, look, surface), color, emissive: rgb(data.emissive), glow };
}

/** Collision shapes have no look of their own; they lie on the visual ones like coloured glass. */
function collision(mesh: MeshData, glow: Glow): Made {
  const look = { opacity: 0.4, transparent: true, depthWrite: false, polygonOffset: true };
  const offset = { polygonOffsetFactor: -1, polygonOffsetUnits: -1 };
  const material = make(mesh, { ...look, ...offset }, { specular: new Color(0, 0, 0) });
  return { material, color: null, emissive: new Color(0, 0, 0), glow };
}

function make(mesh: MeshData, look: object, surface: object): Made["material"] {
  if (mesh.kind === "lines") {
    return new LineBasicMaterial(look);
  }
  if (mesh.kind === "points") {
    return new PointsMaterial({ ...look, size: 4, sizeAttenuation: false });
  }
  // Files by hand turn faces either way; a hole where a wall should be helps nobody.
  const side = DoubleSide;
  return new MeshPhongMaterial({ ...look, ...surface, side, flatShading: mesh.normals === null });
}

function rgb([r, g, b]: Vector3): Color {
  return new Color().setRGB(r, g, b, SRGBColorSpace);
}
