// Wireframe boxes in place of meshes that cannot be shown, and bones between the joints of their links.

import {
  BoxGeometry,
  Color,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from "three";
import type { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { bones } from "../bones";
import { standIns } from "../standins";
import { link } from "../items";
import type { MissingData, RobotData, ShapeSet } from "../model";
import { pen, segments } from "./lines";
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

interface Drawn {
  readonly set: ShapeSet;
  readonly link: number;
  readonly line: LineSegments2;
  readonly end: Vector3;
}

export class StandIns {
  readonly #boxes: readonly StandIn[];
  readonly #bones: readonly Drawn[];
  readonly #pen = pen({ width: 3 });
  readonly #box = new BoxGeometry(1, 1, 1);
  readonly #edges = new EdgesGeometry(this.#box);
  readonly #line = new LineBasicMaterial();

  constructor(
    private readonly links: readonly Group[],
    robot: RobotData,
  ) {
    this.#boxes = (["visual", "collision"] as const).flatMap((set) => {
      const others = new Set(standIns(robot, set).map(({ link }) => link));
      return robot.missing[set].filter(({ link }) => !others.has(link)).map((lack) => this.#make(lack, set));
    });
    this.#bones = (["visual", "collision"] as const).flatMap((set) =>
      bones(robot, set).map(({ link, end }) => {
        const line = segments([[0, 0, 0], end], this.#pen);
        this.links[link]!.add(line);
        return { set, link, line, end: new Vector3(...end) };
      }),
    );
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
    for (const bone of this.#bones) {
      if (bone.set === set) {
        bone.line.visible = on;
      }
    }
  }

  light(glow: (link: number) => Glow): void {
    for (const { link, fill } of this.#boxes) {
      fill.material.opacity = FILL[glow(link)];
    }
  }

  theme(theme: Theme): void {
    this.#line.color = this.#pen.color = theme.warning;
    for (const { fill } of this.#boxes) {
      fill.material.color = new Color(theme.warning);
    }
  }

  /** The objects that are drawn and can be picked. */
  shown(): Mesh[] {
    return this.#boxes.filter(({ group }) => group.visible).map(({ fill }) => fill);
  }

  /** Bounding points of the boxes and bones that are drawn, in the world; of these links only. */
  corners(isWanted: (link: number) => boolean = () => true): Vector3[] {
    const bones = this.#bones.filter(({ line, link }) => line.visible && isWanted(link));
    return [
      ...this.shown().filter(({ userData }) => isWanted(userData["link"] as number)).flatMap(({ matrixWorld }) =>
        [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => new Vector3(x, y, z).applyMatrix4(matrixWorld)))),
      ),
      ...bones.flatMap(({ line, end }) => [new Vector3(), end.clone()].map((point) => point.applyMatrix4(line.matrixWorld))),
    ];
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
