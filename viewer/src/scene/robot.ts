// Links in the scene: shapes with highlights, at the poses of the state.

import { Group, type Object3D, Vector3 } from "three";
import { link, linksOf } from "../items";
import type { ShapeData } from "../model";
import type { Settings } from "../settings";
import type { State } from "../state";
import type { Ray } from "../tree";
import type { Glow, Veil } from "./materials";
import { placedGroup } from "./lines";
import type { Part } from "./part";
import { place } from "./place";
import { type Hit, Shapes, type Supplies } from "./shapes";
import { StandIns } from "./standin";
import type { Theme } from "./theme";
import { vastShapes } from "./vast";

export class RobotView implements Part {
  readonly object = placedGroup();
  /** One group for each link, at its pose in the world. */
  readonly links: readonly Group[];
  /** Whether the robot is drawn translucent, as an overlay. */
  ghost = false;
  readonly #shapes: Shapes;
  readonly #standIns: StandIns;
  readonly #vast: ReadonlySet<ShapeData>;

  constructor(
    private readonly state: State,
    private readonly settings: Settings,
    supplies: Supplies,
  ) {
    const { robot } = state;
    this.links = robot.links.map((_, index) => linkGroup(index));
    this.object.add(...this.links);
    this.pose();
    this.#vast = vastShapes(robot, state.first, supplies.geometry);
    this.#shapes = new Shapes(robot, this.links, settings, supplies, this.#vast);
    this.#standIns = new StandIns(this.links, robot);
    this.light();
    this.layers();
  }

  /** Update the poses of the links. */
  pose(): void {
    this.state.poses.forEach((pose, index) => place(this.links[index]!, pose));
  }

  /** Highlight the selected and hovered links. */
  light(): void {
    const glow = this.#glow();
    const faded = new Set(this.state.faded);
    const { links } = this.state.robot;
    const veil = (index: number): Veil => (this.ghost ? "ghost" : faded.has(links[index]!.name) ? "faded" : "none");
    this.#shapes.light(glow, veil);
    this.#standIns.light(glow);
  }

  /** Hide the links that are hidden, draw those faintly that are faded. */
  veil(): void {
    const hidden = new Set(this.state.hidden);
    this.state.robot.links.forEach(({ name }, index) => (this.links[index]!.visible = !hidden.has(name)));
    this.layers();
    this.light();
  }

  /** The corners of the boxes of the shapes and stand-ins of links, in the scene; the origins of links without any. */
  cornersOf(links: readonly number[]): Vector3[] {
    this.object.updateWorldMatrix(true, true);
    return links.flatMap((index) => {
      const shapes = this.#shapes.some ? this.#shapes.corners((shape) => shape.link === index) : [];
      const own = [...shapes, ...this.#standIns.corners((link) => link === index)];
      return own.length ? own : [new Vector3().setFromMatrixPosition(this.links[index]!.matrixWorld)];
    });
  }

  layers(): void {
    const { layers } = this.settings;
    this.#shapes.show();
    this.#standIns.show("visual", layers.visual);
    this.#standIns.show("collision", layers.collision);
  }

  /** Turn the meshes as the settings say. */
  turn(): void {
    this.#shapes.build();
    this.light();
  }

  theme(theme: Theme): void {
    this.#standIns.theme(theme);
  }

  targets(): Object3D[] {
    return this.#standIns.shown();
  }

  /** The nearest shape on a ray of the scene. */
  hit({ origin, direction }: Ray): (Hit & { readonly item: ReturnType<typeof link> }) | null {
    this.object.updateWorldMatrix(true, false);
    const into = this.object.matrixWorld.clone().invert();
    const way = new Vector3(...direction).transformDirection(into);
    const hit = this.#shapes.hit({ origin: new Vector3(...origin).applyMatrix4(into).toArray(), direction: way.toArray() }, Infinity);
    return hit && { ...hit, item: hit.shape.frame === undefined ? link(hit.shape.link) : { kind: "frame", index: hit.shape.frame } };
  }

  /**
   * Corners of the bounding box in the world: of the visible shapes; if there are none, of the hidden
   * shapes; without shapes, the origins of the links. Vast shapes only count with ``all``.
   */
  corners(all = false): Vector3[] {
    this.object.updateWorldMatrix(true, true);
    const shapes = this.#shapes.corners((shape) => all || !this.#vast.has(shape));
    const stood = this.#standIns.corners();
    return this.#shapes.some || stood.length
      ? [...shapes, ...stood]
      : this.links.map((each) => new Vector3().setFromMatrixPosition(each.matrixWorld));
  }

  /** Scale the stand-ins with the model. */
  scale(size: number): void {
    this.#standIns.scale(size);
  }

  /** The highlight of each link. */
  #glow(): (link: number) => Glow {
    const { robot, selected, hovered, touching } = this.state;
    const red = new Set(touching?.flat() ?? []);
    // A device is highlighted itself; its link only as hovered.
    const strong = selected?.kind === "link" || selected?.kind === "loop" ? linksOf(robot, selected) : [];
    const weak = [...linksOf(robot, selected), ...linksOf(robot, hovered)];
    return (index) => (strong.includes(index) ? 2 : red.has(index) ? 3 : weak.includes(index) ? 1 : 0);
  }
}

function linkGroup(index: number): Group {
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.userData = { link: index };
  return group;
}
