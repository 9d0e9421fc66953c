// The shapes of a robot in the scene: those of one link and one look are drawn as one, each can be picked.

import { type BufferGeometry, type Group, LineSegments, type Matrix4, Mesh, Points, Vector3 } from "three";
import type { DrawnSet, MeshData, Model, Place, RobotData, ShapeData } from "../model";
import { isWorld } from "../links";
import type { Settings } from "../settings";
import { enters, grow, meets, type Ray, type Tree } from "../tree";
import { hasNormals, joined, matrixOf } from "./geometry";
import type { Glow, Materials, Veil } from "./materials";
import { place } from "./place";
import { standIns } from "../standins";
import { turned } from "../turns";

const SETS = ["visual", "collision"] as const;
// Meshes with more vertices are drawn on their own, so that links share them.
const LARGE = 20_000;
/** The layer of the objects that cast a shadow. */
export const CASTS = 1;

export type Drawn = Mesh | LineSegments | Points;

/** Resources shared by all robots of a page. */
export interface Supplies {
  readonly model: Model;
  readonly materials: Materials;
  /** The cached geometry of a mesh of the model. */
  readonly geometry: (mesh: number) => BufferGeometry;
  /** The cached tree of a mesh of triangles. */
  readonly tree: (mesh: number) => Tree;
}

/** A shape of the model as it is placed on its link. */
interface Entry {
  readonly shape: ShapeData;
  readonly set: DrawnSet;
  readonly world: boolean;
  readonly place: Place;
  /** From the link to the geometry; null if the shape is flattened. */
  readonly into: Matrix4 | null;
}

/** What is drawn at once: entries that are shown together. */
interface Batch {
  readonly entries: readonly Entry[];
  readonly drawn: Drawn;
}

/** A shape that a ray meets, and the place on the ray. */
export interface Hit {
  readonly shape: ShapeData;
  readonly at: number;
}

export class Shapes {
  #entries: readonly Entry[] = [];
  #batches: readonly Batch[] = [];
  #made: BufferGeometry[] = [];

  constructor(
    private readonly robot: RobotData,
    private readonly links: readonly Group[],
    private readonly settings: Settings,
    private readonly supplies: Supplies,
    /** Fixed shapes that are far larger than what moves. */
    private readonly vast: ReadonlySet<ShapeData>,
  ) {
    this.build();
  }

  /** Whether there is any shape. */
  get some(): boolean {
    return this.#entries.length > 0;
  }

  /** Draw all shapes anew, such as after meshes have been turned. */
  build(): void {
    this.remove();
    const own = SETS.flatMap((set) =>
      [...this.robot.shapes[set], ...standIns(this.robot, set)].map((shape) => this.#entry(shape, set)),
    );
    this.#entries = [...own, ...this.robot.sites.map((shape) => this.#entry(shape, "site"))];
    const groups = new Map<string, Entry[]>();
    this.#entries.forEach((entry, index) => {
      const key = this.#key(entry, index);
      const group = groups.get(key);
      if (group) {
        group.push(entry);
      } else {
        groups.set(key, [entry]);
      }
    });
    this.#batches = [...groups.values()].map((entries) => ({ entries, drawn: this.#draw(entries) }));
    this.show();
  }

  /** Show what the layers and groups show, of links that are not hidden. */
  show(): void {
    for (const { entries, drawn } of this.#batches) {
      drawn.visible = this.#isShown(entries[0]!);
    }
  }

  light(glow: (link: number) => Glow, veil: (link: number) => Veil): void {
    for (const { entries, drawn } of this.#batches) {
      const { shape, set } = entries[0]!;
      drawn.material = this.supplies.materials.get(shape, set, glow(shape.link), veil(shape.link));
    }
  }

  /** The nearest shape on a ray in the robot's world, before ``far``. */
  hit(ray: Ray, far: number): Hit | null {
    let [best, at]: [ShapeData | null, number] = [null, far];
    const local = new Map<number, Ray>();
    for (const entry of this.#entries) {
      const { shape, into } = entry;
      const { kind, indices } = this.supplies.model.meshes[shape.mesh]!;
      if (!into || kind !== "triangles" || !indices || !this.#isShown(entry)) {
        continue;
      }
      const group = this.links[shape.link]!;
      const near = local.get(shape.link) ?? moved(ray, group.matrix.clone().invert());
      local.set(shape.link, near);
      const own = moved(near, into);
      const { min, max } = this.#bounded(shape.mesh).boundingBox!;
      if (enters([min.x, min.y, min.z, max.x, max.y, max.z], 0, own, at) === null) {
        continue;
      }
      const found = meets(this.supplies.tree(shape.mesh), own, at);
      if (found !== null) {
        [best, at] = [shape, found];
      }
    }
    return best && { shape: best, at };
  }

  /** The corners of the boxes of shapes, in the world: of those that are shown, or of all if none is. */
  corners(isWanted: (shape: ShapeData) => boolean = () => true): Vector3[] {
    const wanted = this.#entries.filter(({ shape }) => isWanted(shape));
    const shown = wanted.filter((entry) => this.#isShown(entry));
    return (shown.length ? shown : wanted).flatMap(({ shape, place }) => {
      const { min, max } = this.#bounded(shape.mesh).boundingBox!;
      const matrix = this.links[shape.link]!.matrixWorld.clone().multiply(matrixOf(place));
      return [min.x, max.x].flatMap((x) =>
        [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z).applyMatrix4(matrix))),
      );
    });
  }

  remove(): void {
    this.#batches.forEach(({ drawn }) => drawn.removeFromParent());
    this.#made.forEach((geometry) => geometry.dispose());
    this.#made = [];
  }

  #bounded(mesh: number): BufferGeometry {
    const geometry = this.supplies.geometry(mesh);
    if (!geometry.boundingBox) {
      geometry.computeBoundingBox();
    }
    return geometry;
  }

  #entry(shape: ShapeData, set: DrawnSet): Entry {
    const place = turned(this.supplies.model, shape, this.settings.meshes);
    const matrix = matrixOf(place);
    const into = Math.abs(matrix.determinant()) > 0 ? matrix.invert() : null;
    return { shape, set, world: isWorld(this.robot, shape.link), place, into };
  }

  #isShown({ shape, set, world }: Entry): boolean {
    const { layers } = this.settings;
    const isOn = set === "site" ? layers.sites : layers[set];
    return isOn && this.links[shape.link]!.visible && (!world || layers.world) && (set === "collision" || this.settings.isGrouped(shape));
  }

  /** What entries have in common that are drawn as one. */
  #key({ shape, set }: Entry, index: number): string {
    const mesh = this.supplies.model.meshes[shape.mesh]!;
    if (mesh.kind !== "triangles" || !mesh.indices || mesh.vertices[2] > 3 * LARGE) {
      return String(index);
    }
    const look = set === "collision" ? "" : [shape.material, shape.group ?? 0, shape.behind ?? false].join();
    const has = [hasNormals(mesh), mesh.colors !== null, mesh.coords !== null, mesh.closed === true];
    return [set, shape.link, look, ...has, this.vast.has(shape)].join();
  }

  #draw(entries: readonly Entry[]): Drawn {
    const { shape, place: at, set } = entries[0]!;
    const { kind } = this.supplies.model.meshes[shape.mesh]!;
    const { geometry } = this.supplies;
    const alone = entries.length === 1;
    const joint = alone ? geometry(shape.mesh) : joined(entries.map((each) => ({ geometry: geometry(each.shape.mesh), place: each.place })));
    if (!alone) {
      this.#made.push(joint);
    }
    const drawn = draw(kind, joint);
    drawn.matrixAutoUpdate = false;
    if (alone) {
      place(drawn, at);
    }
    if (kind === "triangles" && set === "visual" && !isWorld(this.robot, shape.link) && !this.vast.has(shape)) {
      drawn.layers.enable(CASTS);
    }
    this.links[shape.link]!.add(drawn);
    return drawn;
  }
}

/** A ray in another frame. */
function moved({ origin, direction }: Ray, into: Matrix4): Ray {
  const point = new Vector3(...origin).applyMatrix4(into);
  const e = into.elements;
  const [x, y, z] = direction;
  const way = [0, 1, 2].map((row) => e[row]! * x + e[4 + row]! * y + e[8 + row]! * z);
  return { origin: point.toArray(), direction: way as [number, number, number] };
}

/** The tree of a mesh of triangles. */
export function treeOf({ attributes: { position }, index }: BufferGeometry): Tree {
  const corners = new Float32Array(index!.count * 3);
  for (let k = 0; k < index!.count; k++) {
    const from = 3 * index!.array[k]!;
    corners.set(position!.array.slice(from, from + 3), 3 * k);
  }
  return grow(corners);
}

function draw(kind: MeshData["kind"], shape: BufferGeometry): Drawn {
  switch (kind) {
    case "triangles":
      return new Mesh(shape);
    case "lines":
      return new LineSegments(shape);
    case "points":
      return new Points(shape);
  }
}
