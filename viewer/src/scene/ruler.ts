// Distance measurement: two points attached to links, a line between them, and a label.

import { Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import type { Vector3 } from "../model";
import { minus } from "../pose";
import { element } from "../ui/dom";
import { lengthText } from "../units";
import { ON_TOP, ORDER, pen, segments, setSegments } from "./lines";
import type { Part } from "./part";
import type { Theme } from "./theme";
import type { Viewport } from "./viewport";

/** Returns a point in the scene; called after each move. */
export type Mark = () => Vector3;

export class Ruler implements Part {
  readonly object = new Group();
  readonly label = element("output", { class: "label measure", hidden: true });
  readonly #ball = new MeshBasicMaterial({ ...ON_TOP });
  readonly #pen = pen({ width: 2 });
  readonly #line = segments([], this.#pen);
  /** Rotation from the scene to the world. */
  turned: (way: Vector3) => Vector3 = (way) => way;
  readonly #dots: readonly [Mesh, Mesh];
  #marks: readonly Mark[] = [];

  constructor(
    private readonly viewport: Viewport,
    signal: AbortSignal,
  ) {
    const ball = new SphereGeometry(1, 16, 12);
    const dot = (): Mesh => {
      const mesh = new Mesh(ball, this.#ball);
      mesh.renderOrder = ORDER + 2;
      return mesh;
    };
    this.#dots = [dot(), dot()];
    this.object.add(this.#line, ...this.#dots);
    viewport.onDrawn(() => this.#write(), signal);
    this.pose();
  }

  /** Set the first or the second point; a third point starts over. */
  take(mark: Mark): void {
    this.#marks = this.#marks.length === 1 ? [...this.#marks, mark] : [mark];
    this.pose();
  }

  clear(): void {
    this.#marks = [];
    this.pose();
  }

  pose(): void {
    const points = this.#marks.map((mark) => mark());
    this.#dots.forEach((dot, index) => {
      dot.visible = index < points.length;
      dot.position.set(...(points[index] ?? [0, 0, 0]));
    });
    setSegments(this.#line, points.length === 2 ? points : []);
    this.#line.visible = points.length === 2;
    this.#write();
  }

  scale(size: number): void {
    this.#dots.forEach((dot) => dot.scale.setScalar(0.006 * size));
  }

  theme(theme: Theme): void {
    this.#ball.color = this.#pen.color = theme.accent;
  }

  #write(): void {
    const [a, b] = this.#marks.map((mark) => mark());
    const at = a && b ? this.viewport.project([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]) : null;
    this.label.hidden = at === null;
    if (a && b && at) {
      const apart = this.turned(minus(b, a));
      const parts = apart.map((length, axis) => `${"xyz"[axis]} ${lengthText(length)}`).join("  ");
      this.label.replaceChildren(element("strong", {}, lengthText(Math.hypot(...apart))), ` ${parts}`);
      this.label.style.transform = `translate(calc(${at[0]}px - 50%), ${at[1] - 34}px)`;
    }
  }
}
