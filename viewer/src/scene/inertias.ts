// Inertias as boxes or ellipsoids of uniform density.

import {
  BoxGeometry,
  BufferGeometry,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
} from "three";
import { equivalentSize } from "../inertia";
import { toPose, type Quaternion } from "../quaternion";
import type { Settings } from "../settings";
import type { State } from "../state";
import { ON_TOP, ORDER } from "./lines";
import type { Part } from "./part";
import { place } from "./place";
import type { Theme } from "./theme";

const LOOK = { transparent: true, opacity: 0.28, depthWrite: false } as const;
/** Thickness of a side that is not physically possible, as a share of the longest side. */
const FLAT = 0.01;

export class Inertias implements Part {
  readonly #boxes: Group[] = [];
  readonly #balls: Group[] = [];
  readonly #fill = new MeshBasicMaterial(LOOK);
  // Inertias are usually hidden inside the visual shapes.
  readonly #line = new LineBasicMaterial(ON_TOP);
  readonly #wrongFill = new MeshBasicMaterial(LOOK);
  readonly #wrongLine = new LineBasicMaterial(ON_TOP);

  constructor(
    state: State,
    private readonly settings: Settings,
    links: readonly Group[],
  ) {
    const shapes = { box: new BoxGeometry(1, 1, 1), ellipsoid: new SphereGeometry(0.5, 28, 18) };
    const edges = { box: new EdgesGeometry(shapes.box), ellipsoid: circles() };
    state.robot.links.forEach(({ mass, com, inertia }, index) => {
      if (!inertia) {
        return;
      }
      for (const form of ["box", "ellipsoid"] as const) {
        const { size, possible } = equivalentSize(form, mass, inertia.moments);
        const holder = new Group();
        holder.matrixAutoUpdate = false;
        place(holder, toPose(inertia.axes as unknown as Quaternion, com));
        const body = new Group();
        const longest = Math.max(...size, 1e-9);
        const [x, y, z] = size.map((length) => Math.max(length, FLAT * longest));
        body.scale.set(x!, y!, z!);
        const fill = new Mesh(shapes[form], possible ? this.#fill : this.#wrongFill);
        fill.renderOrder = ORDER - 1;
        const rim = new LineSegments(edges[form], possible ? this.#line : this.#wrongLine);
        rim.renderOrder = ORDER;
        body.add(fill, rim);
        holder.add(body);
        links[index]!.add(holder);
        (form === "box" ? this.#boxes : this.#balls).push(holder);
      }
    });
    this.layers();
  }

  layers(): void {
    const { inertia, layers } = this.settings;
    this.#boxes.forEach((box) => (box.visible = layers.inertia && inertia === "box"));
    this.#balls.forEach((ball) => (ball.visible = layers.inertia && inertia === "ellipsoid"));
  }

  theme(theme: Theme): void {
    this.#fill.color = this.#line.color = theme.mass;
    this.#wrongFill.color = this.#wrongLine.color = theme.error;
  }
}

/** Three circles of diameter 1 normal to the axes. */
function circles(): BufferGeometry {
  const count = 64;
  const points: number[] = [];
  for (const [u, v] of [[0, 1], [1, 2], [2, 0]] as const) {
    for (let step = 0; step < count; step++) {
      for (const at of [step, step + 1]) {
        const point = [0, 0, 0];
        point[u] = 0.5 * Math.cos((2 * Math.PI * at) / count);
        point[v] = 0.5 * Math.sin((2 * Math.PI * at) / count);
        points.push(...point);
      }
    }
  }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
}
