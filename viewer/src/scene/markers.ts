// What is drawn on top of the shapes: the links' frames and the centres of mass.

import {
  BoxGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Scene,
  SphereGeometry,
} from "three";
import { centreOfMass } from "../kinematics";
import type { State } from "../state";
import type { Theme } from "./theme";

// Drawn last and through everything: a frame is most often inside of a link.
const ON_TOP = { depthTest: false, depthWrite: false, transparent: true } as const;
const ORDER = 10;
/** X red, Y green, Z blue. */
export const AXES = [0xd6453d, 0x3f9e4d, 0x3b74d9] as const;
const THICKNESS = 0.035;

export class Markers {
  readonly #frames: readonly Group[];
  readonly #masses: readonly Mesh[];
  readonly #whole: Mesh;
  readonly #ofLink = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.55 });
  readonly #ofWhole = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.95 });

  constructor(
    private readonly state: State,
    links: readonly Group[],
    scene: Scene,
  ) {
    const axes = bars();
    const paints = AXES.map((color) => new MeshBasicMaterial({ ...ON_TOP, color }));
    this.#frames = links.map((link) => {
      const frame = new Group();
      axes.forEach((bar, axis) => frame.add(new Mesh(bar, paints[axis]!)));
      frame.children.forEach((bar) => (bar.renderOrder = ORDER));
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
      frame.scale.setScalar(0.06 * size);
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

/** A bar of length 1 along each axis. */
function bars(): readonly BoxGeometry[] {
  return [0, 1, 2].map((axis) => {
    const size = [0, 1, 2].map((other) => (other === axis ? 1 : THICKNESS));
    const bar = new BoxGeometry(...size);
    const middle = [0, 1, 2].map((other) => (other === axis ? 0.5 : 0));
    bar.translate(middle[0]!, middle[1]!, middle[2]!);
    return bar;
  });
}
