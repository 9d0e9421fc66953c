// Centers of mass of the links and of the robot.

import { type Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { centerOfMass } from "../mechanism";
import type { Settings } from "../settings";
import type { State } from "../state";
import { ON_TOP, ORDER, pen, segments, setSegments } from "./lines";
import type { Part } from "./part";
import type { Theme } from "./theme";

const SMALLEST = 0.004;
const LARGEST = 0.035;
const WHOLE = 0.018;

export class Masses implements Part {
  readonly #masses: Mesh[] = [];
  readonly #ofLink = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.55 });
  readonly #ofWhole = new MeshBasicMaterial({ ...ON_TOP, opacity: 0.95 });
  readonly #whole: Mesh;
  /** Line from the robot's center of mass to the ground. */
  readonly #plumbPen = pen({ width: 1.5, opacity: 0.7 });
  readonly #plumb = segments([], this.#plumbPen);

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    links: readonly Group[],
    robot: Group,
  ) {
    const ball = new SphereGeometry(1, 20, 14);
    state.robot.links.forEach(({ mass, com }, index) => {
      if (mass > 0) {
        const marker = new Mesh(ball, this.#ofLink);
        marker.position.set(...com);
        marker.renderOrder = ORDER + 1;
        marker.userData = { mass };
        links[index]!.add(marker);
        this.#masses.push(marker);
      }
    });
    this.#whole = new Mesh(ball, this.#ofWhole);
    this.#whole.renderOrder = ORDER + 2;
    robot.add(this.#whole, this.#plumb);
    this.layers();
  }

  pose(): void {
    if (!this.settings.layers.mass) {
      return;
    }
    const center = centerOfMass(this.state.robot, this.state.poses);
    if (center) {
      this.#whole.position.set(...center);
      const [x, y, z] = center;
      setSegments(this.#plumb, [center, this.settings.up === "y" ? [x, 0, z] : [x, y, 0]]);
    }
    this.#whole.visible = this.#plumb.visible = center !== null;
  }

  layers(): void {
    const { mass } = this.settings.layers;
    this.#masses.forEach((marker) => (marker.visible = mass));
    this.#whole.visible = this.#plumb.visible = mass;
    this.pose();
  }

  /** Scale with the model; the volume of a ball is proportional to the mass. */
  scale(size: number): void {
    const total = this.#masses.reduce((sum, marker) => sum + (marker.userData["mass"] as number), 0);
    for (const marker of this.#masses) {
      const share = (marker.userData["mass"] as number) / total;
      marker.scale.setScalar(Math.max(SMALLEST, LARGEST * Math.cbrt(share)) * size);
    }
    this.#whole.scale.setScalar(WHOLE * size);
  }

  theme(theme: Theme): void {
    this.#ofLink.color = theme.mass;
    this.#ofWhole.color = theme.accent;
    this.#plumbPen.color = theme.accent;
  }
}
