// Closed loops: both anchors, and a line across the gap.

import { type Group, Mesh, MeshBasicMaterial, type Object3D, SphereGeometry } from "three";
import type { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { anchors, gap } from "../loops";
import type { Vector3 } from "../model";
import { apply, origin } from "../pose";
import type { Settings } from "../settings";
import type { State } from "../state";
import { ON_TOP, ORDER, pen, segments, setSegments } from "./lines";
import type { Part } from "./part";
import type { Theme } from "./theme";

/** Distance below which anchors coincide, in m. */
const OPEN = 1e-4;
const AXIS = 0.05;

interface Drawn {
  readonly balls: readonly [Mesh, Mesh];
  readonly line: LineSegments2;
  readonly axis: LineSegments2;
}

export class Loops implements Part {
  readonly #drawn: Drawn[];
  readonly #meeting = new MeshBasicMaterial({ ...ON_TOP });
  readonly #apart = new MeshBasicMaterial({ ...ON_TOP });
  readonly #line = pen({ width: 3 });
  readonly #axis = pen({ width: 1.5 });
  #size = 1;

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    robot: Group,
  ) {
    const ball = new SphereGeometry(1, 20, 14);
    this.#drawn = state.robot.loops.map((_, index) => {
      const made = (): Mesh => {
        const mesh = new Mesh(ball, this.#meeting);
        mesh.renderOrder = ORDER + 1;
        mesh.userData = { item: { kind: "loop", index } };
        return mesh;
      };
      const [line, axis] = [segments([], this.#line), segments([], this.#axis)];
      const drawn = { balls: [made(), made()] as const, line, axis };
      robot.add(...drawn.balls, drawn.line, drawn.axis);
      return drawn;
    });
    this.layers();
  }

  pose(): void {
    if (!this.settings.layers.loops) {
      return;
    }
    this.state.robot.loops.forEach((loop, index) => {
      const { balls, line, axis } = this.#drawn[index]!;
      const { a, b } = anchors(loop, this.state.poses);
      const { distance } = gap(loop, this.state.poses);
      const [from, to] = [origin(a), origin(b)];
      [from, to].forEach((at, end) => {
        balls[end]!.position.set(...at);
        balls[end]!.material = distance > OPEN ? this.#apart : this.#meeting;
      });
      setSegments(line, distance > OPEN ? [from, to] : []);
      const reach = (length: number): Vector3 => apply(a, loop.axis.map((v) => v * length) as unknown as Vector3);
      setSegments(axis, [reach(-AXIS * this.#size), reach(AXIS * this.#size)]);
    });
  }

  layers(): void {
    const { loops } = this.settings.layers;
    for (const { balls, line, axis } of this.#drawn) {
      [...balls, line, axis].forEach((object) => (object.visible = loops));
    }
    this.pose();
  }

  targets(): Object3D[] {
    return this.settings.layers.loops ? this.#drawn.flatMap(({ balls }) => [...balls]) : [];
  }

  scale(size: number): void {
    this.#size = size;
    for (const { balls } of this.#drawn) {
      balls[0].scale.setScalar(0.0037 * size);
      balls[1].scale.setScalar(0.0023 * size);
    }
    this.pose();
  }

  theme(theme: Theme): void {
    this.#meeting.color = this.#axis.color = theme.loop;
    this.#apart.color = this.#line.color = theme.warning;
  }
}
