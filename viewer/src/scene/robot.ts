// Links in the scene: shapes with highlights, at the poses of the state.

import { type Box3, type BufferGeometry, Group, LineSegments, Mesh, type Object3D, Points, Vector3 } from "three";
import { link, linksOf } from "../items";
import type { MeshData, Model, Place, ShapeData, ShapeSet } from "../model";
import type { Pose } from "../pose";
import type { Settings } from "../settings";
import type { State } from "../state";
import type { Glow, Materials } from "./materials";
import { placedGroup } from "./lines";
import type { Part } from "./part";
import { StandIns } from "./standin";
import type { Theme } from "./theme";

const SETS: readonly ShapeSet[] = ["visual", "collision"];

type Drawn = Mesh | LineSegments | Points;

/** Resources shared by all robots of a page. */
export interface Supplies {
  readonly model: Model;
  readonly materials: Materials;
  /** The cached geometry of a mesh of the model. */
  readonly geometry: (mesh: number) => BufferGeometry;
}

export class RobotView implements Part {
  readonly object = placedGroup();
  /** One group for each link, at its pose in the world. */
  readonly links: readonly Group[];
  /** Whether the robot is drawn translucent, as an overlay. */
  ghost = false;
  readonly #drawn: Record<ShapeSet, readonly Drawn[]>;
  readonly #standIns: StandIns;

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    private readonly supplies: Supplies,
  ) {
    const { robot } = state;
    this.links = robot.links.map((_, index) => linkGroup(index));
    this.object.add(...this.links);
    this.pose();
    this.#drawn = {
      visual: robot.shapes.visual.map((shape) => this.#draw(shape)),
      collision: robot.shapes.collision.map((shape) => this.#draw(shape)),
    };
    this.#standIns = new StandIns(this.links, robot);
    this.light();
    this.layers();
  }

  /** Update the poses of the links. */
  pose(): void {
    this.state.poses.forEach((pose, index) => place(this.links[index]!, pose));
  }

  /** Highlight the selected and hovered links. */
  light(): void {
    const glow = this.#glow();
    for (const set of SETS) {
      for (const drawn of this.#drawn[set]) {
        const shape = drawn.userData["shape"] as ShapeData;
        drawn.material = this.supplies.materials.get(shape, set, glow(shape.link), this.ghost);
      }
    }
    this.#standIns.light(glow);
  }

  layers(): void {
    for (const set of SETS) {
      for (const drawn of this.#drawn[set]) {
        drawn.visible = this.settings.layers[set];
      }
      this.#standIns.show(set, this.settings.layers[set]);
    }
  }

  theme(theme: Theme): void {
    this.#standIns.theme(theme);
  }

  targets(): Object3D[] {
    const meshes = SETS.flatMap((set) => this.#drawn[set].filter((drawn) => drawn instanceof Mesh));
    return [...meshes, ...this.#standIns.shown()].filter((object) => object.visible);
  }

  /**
   * Corners of the bounding box in the world: of the visible shapes; if there are none, of the hidden
   * shapes; without shapes, the origins of the links.
   */
  corners(): Vector3[] {
    this.object.updateWorldMatrix(true, true);
    const drawn = SETS.flatMap((set) => this.#drawn[set]);
    const shown = [...drawn.filter(({ visible }) => visible), ...this.#standIns.shown()];
    const corners = (shown.length ? shown : drawn).flatMap(({ geometry, matrixWorld }) => {
      geometry.computeBoundingBox();
      return cornersOf(geometry.boundingBox!).map((corner) => corner.applyMatrix4(matrixWorld));
    });
    const ends = this.#standIns.ends();
    return drawn.length
      ? [...corners, ...ends]
      : [...corners, ...ends, ...this.links.map((each) => new Vector3().setFromMatrixPosition(each.matrixWorld))];
  }

  /** Scale the stand-ins with the model. */
  scale(size: number): void {
    this.#standIns.scale(size);
  }

  /** The highlight of each link. */
  #glow(): (link: number) => Glow {
    const { robot, selected, hovered, touching } = this.state;
    const red = new Set(touching?.flat() ?? []);
    // A device is highlighted itself; its link only as hovered.
    const strong = selected?.kind === "link" || selected?.kind === "loop" ? linksOf(robot, selected) : [];
    const weak = [...linksOf(robot, selected), ...linksOf(robot, hovered)];
    return (index) => (strong.includes(index) ? 2 : red.has(index) ? 3 : weak.includes(index) ? 1 : 0);
  }

  #draw(shape: ShapeData): Drawn {
    const mesh = this.supplies.model.meshes[shape.mesh]!;
    const drawn = draw(mesh.kind, this.supplies.geometry(shape.mesh));
    drawn.userData = { link: shape.link, item: link(shape.link), shape };
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

function cornersOf({ min, max }: Box3): Vector3[] {
  return [min.x, max.x].flatMap((x) =>
    [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))),
  );
}

function linkGroup(index: number): Group {
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.userData = { link: index };
  return group;
}

/** Set the matrix of an object; its position and scale are ignored. */
export function place(object: Object3D, [a, b, c, d, e, f, g, h, i, j, k, l]: Pose | Place): void {
  object.matrix.set(a!, b!, c!, d!, e!, f!, g!, h!, i!, j!, k!, l!, 0, 0, 0, 1);
  object.matrixWorldNeedsUpdate = true;
}
