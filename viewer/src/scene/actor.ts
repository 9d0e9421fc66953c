// A robot in the scene with all its overlays.

import type { Object3D, Vector3 } from "three";
import type { Motion } from "../motion";
import type { Settings } from "../settings";
import type { State } from "../state";
import type { Run } from "../run";
import { Axes } from "./axes";
import { CloudView } from "./cloud";
import { ContactForces } from "./contacts";
import { Devices } from "./devices";
import { LinkFrames, NamedFrames } from "./frames";
import { Inertias } from "./inertias";
import { Lazy } from "./lazy";
import { Loops } from "./loops";
import { Masses } from "./masses";
import type { Part } from "./part";
import { RobotView } from "./robot";
import type { Supplies } from "./shapes";
import type { Theme } from "./theme";
import { TouchPoints } from "./touches";
import { Traces } from "./traces";

export class Actor {
  readonly view: RobotView;
  readonly #parts: readonly Part[];
  readonly #traces: Traces;
  readonly #cloud: CloudView;

  constructor(
    readonly state: State,
    settings: Settings,
    supplies: Supplies,
    motion: Motion | null,
    run: Run | null,
  ) {
    const view = new RobotView(state, settings, supplies);
    const { links, object } = view;
    this.view = view;
    this.#traces = new Traces(state, settings, object, motion);
    this.#cloud = new CloudView(state, settings, object);
    const { layers } = settings;
    const lazy = (wanted: () => boolean, make: () => Part): Part => new Lazy(wanted, make);
    this.#parts = [
      view,
      lazy(() => layers.inertia, () => new Inertias(state, settings, links)),
      lazy(() => layers.axes || state.aimed !== null, () => new Axes(state, settings, links)),
      lazy(() => layers.frames || layers.traces, () => new NamedFrames(state, settings, links)),
      lazy(() => layers.frames, () => new LinkFrames(settings, links)),
      lazy(() => layers.mass, () => new Masses(state, settings, links, object)),
      lazy(() => layers.devices, () => new Devices(state, settings, links)),
      lazy(() => layers.pairs, () => new TouchPoints(state, settings, object)),
      lazy(() => layers.loops, () => new Loops(state, settings, object)),
      this.#traces,
      this.#cloud,
      ...(run?.touches ? [new ContactForces(state, settings, object, run)] : []),
    ];
  }

  get object(): Object3D {
    return this.view.object;
  }

  /** The workspace points, or how they are drawn, have changed. */
  cloud(): void {
    this.#cloud.cloud();
  }

  pose(): void {
    this.#parts.forEach((part) => part.pose?.());
  }

  layers(): void {
    this.#parts.forEach((part) => part.layers?.());
  }

  light(): void {
    this.#parts.forEach((part) => part.light?.());
  }

  theme(theme: Theme): void {
    this.#parts.forEach((part) => part.theme?.(theme));
  }

  scale(size: number): void {
    this.#parts.forEach((part) => part.scale?.(size));
  }

  /** The objects that can be picked; none if the robot is hidden. */
  targets(): Object3D[] {
    const { links } = this.view;
    const isHidden = ({ userData }: Object3D): boolean => links[userData["link"] as number]?.visible === false;
    return this.object.visible ? this.#parts.flatMap((part) => part.targets?.() ?? []).filter((each) => !isHidden(each)) : [];
  }

  /** The workspace points as drawn, in the robot's world. */
  points(): number[] {
    return this.#cloud.drawn();
  }

  /** Bounding points of the robot and its traces, in the scene; of its vast shapes only with ``all``. */
  corners(all = false): Vector3[] {
    const traced = this.#traces.points().map((point) => point.applyMatrix4(this.object.matrixWorld));
    return [...this.view.corners(all), ...traced];
  }

  /** Bounding points including the workspace. */
  around(all = false): Vector3[] {
    const own = this.corners(all);
    return [...own, ...this.#cloud.corners().map((corner) => corner.applyMatrix4(this.object.matrixWorld))];
  }
}
