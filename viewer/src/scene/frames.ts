// Link frames and named frames.

import { BoxGeometry, Group, Mesh, MeshBasicMaterial, type Object3D, SphereGeometry } from "three";
import { fromNumbers } from "../pose";
import type { Settings } from "../settings";
import type { State } from "../state";
import { ON_TOP, ORDER, placedGroup } from "./lines";
import type { Part } from "./part";
import { place } from "./place";
import type { Theme } from "./theme";

/** X red, Y green, Z blue. */
export const AXES = [0xd6453d, 0x3f9e4d, 0x3b74d9] as const;
const THICKNESS = 0.035;
const LINK = 0.06;
const NAMED = 0.045;

/** The frame of each link. */
export class LinkFrames implements Part {
  readonly #frames: readonly Group[];

  constructor(
    private readonly settings: Settings,
    links: readonly Group[],
  ) {
    const make = frameMaker();
    this.#frames = links.map((link) => {
      const made = make();
      link.add(made);
      return made;
    });
  }

  layers(): void {
    this.#frames.forEach((frame) => (frame.visible = this.settings.layers.frames));
  }

  scale(size: number): void {
    this.#frames.forEach((frame) => frame.scale.setScalar(LINK * size * this.settings.frameSize));
  }
}

/** Named frames; traced frames have a ball that can be picked. */
export class NamedFrames implements Part {
  readonly #frames: Group[] = [];
  readonly #dots: Mesh[] = [];
  readonly #dot = new MeshBasicMaterial({ ...ON_TOP });

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    links: readonly Group[],
  ) {
    const make = frameMaker();
    const ball = new SphereGeometry(1, 16, 12);
    state.robot.frames.forEach((data, index) => {
      const holder = placedGroup();
      place(holder, fromNumbers(data.pose));
      const made = make();
      const dot = new Mesh(ball, this.#dot);
      dot.renderOrder = ORDER + 1;
      dot.userData = { item: { kind: "frame", index }, link: data.link };
      holder.add(made, dot);
      links[data.link]!.add(holder);
      this.#frames.push(made);
      this.#dots.push(dot);
    });
    this.layers();
  }

  layers(): void {
    const { frames, traces } = this.settings.layers;
    this.#frames.forEach((frame) => (frame.visible = frames));
    this.#dots.forEach((dot, index) => {
      dot.visible = frames || (traces && this.state.robot.frames[index]!.trace);
    });
  }

  targets(): Object3D[] {
    return this.#dots.filter(({ visible }) => visible);
  }

  scale(size: number): void {
    this.#frames.forEach((frame) => frame.scale.setScalar(NAMED * size * this.settings.frameSize));
    this.#dots.forEach((dot) => dot.scale.setScalar(0.007 * size));
  }

  theme(theme: Theme): void {
    this.#dot.color = theme.trace;
  }
}

/** Three bars from the origin, shared by all frames. */
function frameMaker(): () => Group {
  const axes = bars();
  const paints = AXES.map((color) => new MeshBasicMaterial({ ...ON_TOP, color }));
  return () => {
    const made = new Group();
    axes.forEach((bar, axis) => made.add(new Mesh(bar, paints[axis]!)));
    made.children.forEach((bar) => (bar.renderOrder = ORDER));
    return made;
  };
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
