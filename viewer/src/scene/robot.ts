// The links in the scene: their shapes, lit up where chosen, at the poses of the state.

import { Box3, type BufferGeometry, Group, LineSegments, Mesh, type Object3D, Points, Vector3 } from "three";
import type { MeshData, Place, ShapeData, ShapeSet } from "../model";
import type { Pose } from "../pose";
import type { State } from "../state";
import { geometry } from "./geometry";
import { type Glow, Materials } from "./materials";
import { StandIns } from "./standin";
import type { Theme } from "./theme";

const SETS: readonly ShapeSet[] = ["visual", "collision"];

type Drawn = Mesh | LineSegments | Points;

export class RobotView {
  readonly object = new Group();
  /** One per link, at its pose in the world. */
  readonly links: readonly Group[];
  readonly #drawn: Record<ShapeSet, readonly Drawn[]>;
  readonly #standIns: StandIns;
  readonly #materials: Materials;

  constructor(private readonly state: State) {
    const { model } = state;
    this.#materials = new Materials(model);
    this.links = model.links.map((_, index) => linkGroup(index));
    this.object.add(...this.links);
    this.pose();
    const geometries = new Map<number, BufferGeometry>();
    const shared = (index: number): BufferGeometry => {
      const made = geometries.get(index) ?? geometry(model, model.meshes[index]!);
      geometries.set(index, made);
      return made;
    };
    this.#drawn = {
      visual: model.shapes.visual.map((shape) => this.#draw(shape, shared)),
      collision: model.shapes.collision.map((shape) => this.#draw(shape, shared)),
    };
    this.#standIns = new StandIns(this.links, model.missing);
    this.light();
    this.layers();
  }

  /** Put every link where the state says. */
  pose(): void {
    this.state.poses.forEach((pose, index) => {
      place(this.links[index]!, pose);
      this.links[index]!.updateMatrixWorld(true);
    });
  }

  /** Light up the links that the state names. */
  light(): void {
    for (const set of SETS) {
      for (const drawn of this.#drawn[set]) {
        const shape = drawn.userData["shape"] as ShapeData;
        drawn.material = this.#materials.get(shape, set, this.#glow(shape.link));
      }
    }
    this.#standIns.light((link) => this.#glow(link));
  }

  layers(): void {
    for (const set of SETS) {
      for (const drawn of this.#drawn[set]) {
        drawn.visible = this.state.layers[set];
      }
      this.#standIns.show(set, this.state.layers[set]);
    }
  }

  theme(theme: Theme): void {
    this.#materials.theme(theme);
    this.#standIns.theme(theme);
  }

  /** What can be pointed at now. */
  targets(): Object3D[] {
    const meshes = SETS.flatMap((set) => this.#drawn[set].filter((drawn) => drawn instanceof Mesh));
    return [...meshes, ...this.#standIns.shown()].filter((object) => object.visible);
  }

  /** What there is to see, in the world; the links' origins where none has a shape. */
  bounds(): Box3 {
    this.object.updateMatrixWorld(true);
    const box = new Box3();
    const drawn = SETS.flatMap((set) => this.#drawn[set]).filter((each) => each.visible);
    for (const each of [...drawn, ...this.#standIns.shown()]) {
      box.expandByObject(each);
    }
    if (drawn.length === 0) {
      for (const link of this.links) {
        box.expandByPoint(new Vector3().setFromMatrixPosition(link.matrixWorld));
      }
    }
    return box;
  }

  /** Stand-ins get a size that suits the rest. */
  scale(size: number): void {
    this.#standIns.scale(size);
  }

  #glow(link: number): Glow {
    return link === this.state.selected ? 2 : link === this.state.hovered ? 1 : 0;
  }

  #draw(shape: ShapeData, shared: (index: number) => BufferGeometry): Drawn {
    const mesh = this.state.model.meshes[shape.mesh]!;
    const drawn = draw(mesh.kind, shared(shape.mesh));
    drawn.userData = { link: shape.link, shape };
    drawn.matrixAutoUpdate = false;
    place(drawn, shape.place);
    this.links[shape.link]!.add(drawn);
    return drawn;
  }
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

function linkGroup(index: number): Group {
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.userData = { link: index };
  return group;
}

/** Give an object the placement; its position and scale are not looked at. */
export function place(object: Object3D, [a, b, c, d, e, f, g, h, i, j, k, l]: Pose | Place): void {
  object.matrix.set(a!, b!, c!, d!, e!, f!, g!, h!, i!, j!, k!, l!, 0, 0, 0, 1);
}
