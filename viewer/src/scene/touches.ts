// Points at which links touch, and the shortest lines between links that are near each other.

import { BufferGeometry, Float32BufferAttribute, type Group, Points, PointsMaterial } from "three";
import type { Settings } from "../settings";
import type { State } from "../state";
import { ON_TOP, ORDER, pen, segments, setSegments } from "./lines";
import type { Part } from "./part";
import type { Theme } from "./theme";

// In pixels.
const DOT = 9;

export class TouchPoints implements Part {
  readonly #dot = new PointsMaterial({ ...ON_TOP, size: DOT, sizeAttenuation: false });
  readonly #dots = new Points(new BufferGeometry(), this.#dot);
  readonly #pen = pen({ width: 2, opacity: 0.9 });
  readonly #lines = segments([], this.#pen);
  #drawn: readonly unknown[] = [];

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    robot: Group,
  ) {
    this.#dots.renderOrder = ORDER + 3;
    this.#dots.frustumCulled = this.#lines.frustumCulled = false;
    robot.add(this.#dots, this.#lines);
    this.layers();
  }

  layers(): void {
    this.#dots.visible = this.#lines.visible = this.settings.layers.pairs;
    this.light();
  }

  light(): void {
    const { touches, gaps } = this.state;
    if (this.#drawn[0] === touches && this.#drawn[1] === gaps) {
      return;
    }
    this.#drawn = [touches, gaps];
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(touches.flatMap(({ point }) => [...point]), 3));
    this.#dots.geometry.dispose();
    this.#dots.geometry = geometry;
    setSegments(this.#lines, gaps.flatMap(({ a, b }) => [a, b]));
  }

  theme(theme: Theme): void {
    this.#dot.color = theme.contact;
    this.#pen.color = theme.accent;
  }
}
