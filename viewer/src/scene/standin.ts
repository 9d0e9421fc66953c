// Wireframe boxes in place of meshes that cannot be shown.

import {
  BoxGeometry,
  Color,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
} from "three";
import { link } from "../items";
import type { MissingData, ShapeSet } from "../model";
import type { Glow } from "./materials";
import type { Theme } from "./theme";

const FILL = [0.08, 0.22, 0.45, 0.45] as const;
// Edge length, as a share of the model's size.
const EDGE = 0.06;

interface StandIn {
  readonly link: number;
  readonly set: ShapeSet;
  readonly group: Group;
  readonly fill: Mesh<BoxGeometry, MeshBasicMaterial>;
}

export class StandIns {
  readonly #boxes: readonly StandIn[];
  readonly #box = new BoxGeometry(1, 1, 1);
  readonly #edges = new EdgesGeometry(this.#box);
  readonly #line = new LineBasicMaterial();

  constructor(
    private readonly links: readonly Group[],
    missing: Readonly<Record<ShapeSet, readonly MissingData[]>>,
  ) {
    this.#boxes = [
      ...missing.visual.map((lack) => this.#make(lack, "visual")),
      ...missing.collision.map((lack) => this.#make(lack, "collision")),
    ];
  }

  scale(size: number): void {
    for (const { group } of this.#boxes) {
      group.scale.setScalar(EDGE * size);
    }
  }

  show(set: ShapeSet, on: boolean): void {
    for (const box of this.#boxes) {
      if (box.set === set) {
        box.group.visible = on;
      }
    }
  }

  light(glow: (link: number) => Glow): void {
    for (const { link, fill } of this.#boxes) {
      fill.material.opacity = FILL[glow(link)];
    }
  }

  theme(theme: Theme): void {
    this.#line.color = theme.warning;
    for (const { fill } of this.#boxes) {
      fill.material.color = new Color(theme.warning);
    }
  }

  /** The objects that are drawn and can be picked. */
  shown(): Mesh[] {
    return this.#boxes.filter(({ group }) => group.visible).map(({ fill }) => fill);
  }

  #make(lack: MissingData, set: ShapeSet): StandIn {
    const group = new Group();
    const look = new MeshBasicMaterial({ transparent: true, depthWrite: false });
    const fill = new Mesh(this.#box, look);
    fill.userData = { link: lack.link, item: link(lack.link) };
    group.add(fill, new LineSegments(this.#edges, this.#line));
    // The scale of a mesh is independent of its size.
    group.scale.setScalar(0);
    group.position.set(lack.place[3]!, lack.place[7]!, lack.place[11]!);
    this.links[lack.link]!.add(group);
    return { link: lack.link, set, group, fill };
  }
}
