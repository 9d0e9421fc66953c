// What is drawn on top of the shapes: the links' frames and the centres of mass.

import {
  BufferAttribute,
  BufferGeometry,
  type Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Scene,
  SphereGeometry,
} from "three";
import { centreOfMass } from "../kinematics";
import type { State } from "../state";
import type { Theme } from "./theme";

// Drawn last and through everything: a frame is most often inside of a link.
const ON_TOP = { depthTest: false, depthWrite: false, transparent: true } as const;
const ORDER = 10;

export class Markers {
  readonly #frames: readonly LineSegments[];
  readonly #masses: readonly Mesh[];
  readonly #whole: Mesh;
  readonly #ofLink = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.55 });
  readonly #ofWhole = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.95 });

  constructor(
    private readonly state: State,
    links: readonly Group[],
    scene: Scene,
  ) {
    const axes = axesGeometry();
    const lines = new LineBasicMaterial({ ...ON_TOP, vertexColors: true });
    this.#frames = links.map((link) => {
      const frame = new LineSegments(axes, lines);
      frame.renderOrder = ORDER;
      link.add(frame);
      return frame;
    });
    const ball = new SphereGeometry(1, 20, 14);
    this.#masses = state.model.links.flatMap(({ mass, com }, index) => {
      if (!(mass > 0)) {
        return [];
      }
      const marker = new Mesh(ball, this.#ofLink);
      marker.position.set(...com);
      marker.renderOrder = ORDER + 1;
      marker.userData = { mass };
      links[index]!.add(marker);
      return [marker];
    });
    this.#whole = new Mesh(ball, this.#ofWhole);
    this.#whole.renderOrder = ORDER + 2;
    scene.add(this.#whole);
    this.update();
  }

  /** Follow the state: where the common centre is, and what is shown. */
  update(): void {
    const { layers, model, poses } = this.state;
    for (const frame of this.#frames) {
      frame.visible = layers.frames;
    }
    for (const marker of this.#masses) {
      marker.visible = layers.mass;
    }
    const centre = centreOfMass(model, poses);
    this.#whole.visible = layers.mass && centre !== null;
    if (centre) {
      this.#whole.position.set(...centre);
    }
  }

  /** Sizes that suit the model's: a ball's volume tells the share of the mass. */
  scale(size: number): void {
    for (const frame of this.#frames) {
      frame.scale.setScalar(0.07 * size);
    }
    const total = this.#masses.reduce((sum, marker) => sum + (marker.userData["mass"] as number), 0);
    for (const marker of this.#masses) {
      const share = (marker.userData["mass"] as number) / total;
      marker.scale.setScalar(Math.max(0.004, 0.035 * Math.cbrt(share)) * size);
    }
    this.#whole.scale.setScalar(0.02 * size);
  }

  theme(theme: Theme): void {
    this.#ofLink.color = theme.mass;
    this.#ofWhole.color = theme.accent;
  }
}

/** X red, Y green, Z blue, one metre each. */
function axesGeometry(): BufferGeometry {
  const [r, g, b] = [[0.85, 0.2, 0.17], [0.2, 0.6, 0.25], [0.2, 0.4, 0.9]] as const;
  const geometry = new BufferGeometry();
  const ends = new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
  const colors = new Float32Array([r, r, g, g, b, b].flat());
  geometry.setAttribute("position", new BufferAttribute(ends, 3));
  geometry.setAttribute("color", new BufferAttribute(colors, 3));
  return geometry;
}
