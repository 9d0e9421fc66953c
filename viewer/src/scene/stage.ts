// Contents of the scene: one or two robots, the ground, the ruler; follows the states.

import { Box3, type BufferGeometry, Group, Line, type Material, Mesh, type Object3D, Points, Vector3 } from "three";
import { link as linkItem, linksOf, type Item } from "../items";
import type { Model, Vector3 as Triple } from "../model";
import { Motion } from "../motion";
import { Run } from "../run";
import { compose, IDENTITY, inverse, minus, type Pose, plus, scaled, slide, unit, unrotate } from "../pose";
import type { Settings, Up } from "../settings";
import type { State } from "../state";
import { Actor } from "./actor";
import { FIRST_VIEW } from "./camera";
import { geometry } from "./geometry";
import { Grid } from "./grid";
import { Materials } from "./materials";
import { placedGroup } from "./lines";
import { place } from "./place";
import { treeOf } from "./shapes";
import type { Tree } from "../tree";
import { Ruler } from "./ruler";
import { Shadow } from "./shadow";
import { supplyOf } from "../touch";
import { Toucher } from "../toucher";
import TouchWorker from "../toucher.worker?worker&inline";
import { Textures } from "./textures";
import { onTheme, readTheme } from "./theme";
import type { ViewSnapshot } from "../snapshot";
import type { Viewport } from "./viewport";

/** A picked point. */
export interface Pointed {
  readonly robot: number;
  readonly item: Item;
  /** The picked link, -1 for a loop. */
  readonly link: number;
  /** The point in the world. */
  readonly point: Triple;
  /** The name of the picked shape, or "". */
  readonly shape: string;
}

/** View directions from the front (the robot faces X), from its left, and from above. */
export const VIEWS = { front: [1, 0, 0], left: [0, 1, 0], top: [0.0001, 0, 1] } as const;

/** The view direction for two robots side by side: from the front, slightly above. */
const ASIDE: Triple = unit([1, 0.12, 0.24]);
/** Gap between two robots, as a share of their size. */
const GAP = 0.1;
/** Links nearer to each other than this share of the size are told. */
const NEAR = 0.05;
/** What is seen around a point, as a multiple of what is seen around a small link. */
const AROUND = 6;

/** Rotations from the world to the scene (Z up): identity, or Z, X, Y to X, Y, Z. */
const STANDING: Readonly<Record<Up, Pose>> = {
  z: IDENTITY,
  y: [0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0],
};

export class Stage {
  readonly actors: readonly Actor[];
  readonly ruler: Ruler;
  readonly motion: Motion | null;
  readonly run: Run | null;
  /** Whether the view moves with the robot of a run. */
  following: boolean;
  readonly textures: Textures;
  readonly #touchers = new Map<State, Toucher>();
  readonly #content = new Group();
  readonly #world = placedGroup();
  readonly #grid = new Grid();
  readonly #shadow = new Shadow();
  readonly #materials: Materials;
  /** The middles of links in their frames. */
  readonly #middles = new Map<string, Triple>();
  #size = 1;
  #followed: Triple | null = null;
  #apart: Triple = [0, 0, 0];
  /** The height of the ground, in m. */
  #ground = 0;
  /** The view as it was fitted last. */
  #fitted: { readonly view: ViewSnapshot; readonly from: Triple; readonly all: boolean } | null = null;

  constructor(
    private readonly model: Model,
    states: readonly State[],
    private readonly settings: Settings,
    readonly viewport: Viewport,
    signal: AbortSignal,
  ) {
    this.textures = new Textures(model);
    this.#materials = new Materials(model, this.textures, () => viewport.draw());
    const made = new Map<number, BufferGeometry>();
    const shared = (index: number): BufferGeometry => {
      const found = made.get(index) ?? geometry(model, model.meshes[index]!);
      made.set(index, found);
      return found;
    };
    const trees = new Map<number, Tree>();
    const tree = (index: number): Tree => {
      const found = trees.get(index) ?? treeOf(shared(index));
      trees.set(index, found);
      return found;
    };
    const supplies = { model, materials: this.#materials, geometry: shared, tree };
    this.motion = model.motion ? new Motion(model, model.motion) : null;
    this.run = model.record && this.motion ? new Run(model, model.record, this.motion) : null;
    this.following = this.follows;
    this.actors = states.map((state, index) =>
      index === 0 ? new Actor(state, settings, supplies, this.motion, this.run) : new Actor(state, settings, supplies, null, null),
    );
    this.ruler = new Ruler(viewport, signal);
    this.#world.add(...this.actors.map(({ object }) => object));
    this.#content.add(this.#grid.object, this.#shadow.object, this.ruler.object, this.#world);
    viewport.before = (renderer) => this.#shadow.draw(renderer, viewport.scene);
    viewport.scene.add(this.#content);
    this.#listen();
    viewport.parallel = settings.lens === "orthographic";
    this.#stand();
    this.#arrange();
    this.actors.forEach(({ state }) => this.#touch(state));
    this.retheme();
    onTheme(() => this.retheme(), signal);
  }

  /** Read the colors of the style sheet again. */
  retheme(): void {
    const theme = readTheme(document.body);
    [this.#materials, this.#grid, this.#shadow, this.ruler, this.viewport, ...this.actors].forEach((part) => part.theme(theme));
  }

  /** How often the shadow was drawn. */
  get shadows(): number {
    return this.#shadow.count;
  }

  /** Whether there is a link to follow. */
  get follows(): boolean {
    return (this.run?.data.follow ?? -1) >= 0;
  }

  /** Fit the robots into the view; once more, without another change of the view, their vast surroundings too. */
  fit(from: Triple = this.#usual): void {
    const again = this.#fitted !== null && same(this.#fitted.view, this.viewport.view) && same(this.#fitted.from, from);
    this.#frame(from, again && !this.#fitted!.all);
  }

  /** Fit the selection of a robot, or of both, into the view, from where it is seen now; false without one. */
  zoom(robot?: number): boolean {
    const corners = this.actors
      .filter(({ object }, index) => (robot === undefined ? object.visible : index === robot))
      .flatMap(({ view, state }) => view.cornersOf(linksOf(state.robot, state.selected)));
    if (!corners.length) {
      return false;
    }
    const { eye, target } = this.viewport.view;
    this.viewport.fit(corners.map((corner): Triple => corner.toArray()), this.#size, unit(minus(eye, target)), true);
    return true;
  }

  /** The middle of the shapes of a link, in the scene; its origin without shapes. */
  middleOf(robot: number, link: number): Triple {
    const key = `${robot} ${link}`;
    const { into, out } = this.onLink(robot, link);
    const known = this.#middles.get(key);
    if (known) {
      return out(known);
    }
    const box = new Box3().setFromPoints(this.actors[robot]!.view.cornersOf([link]));
    const middle: Triple = box.getCenter(new Vector3()).toArray();
    this.#middles.set(key, into(middle));
    return middle;
  }

  /** Fit a few points of a robot's world into the view, from where it is seen now. */
  zoomTo(robot: number, points: readonly Triple[]): void {
    const { object } = this.actors[robot]!;
    object.updateWorldMatrix(true, false);
    const { eye, target } = this.viewport.view;
    const placed = points.map((point): Triple => object.localToWorld(new Vector3(...point)).toArray());
    this.viewport.fit(placed, this.#size * AROUND, unit(minus(eye, target)), true);
  }

  get #usual(): Triple {
    return this.settings.arrangement === "beside" && this.actors.length > 1 ? ASIDE : FIRST_VIEW;
  }

  #frame(from: Triple, all: boolean): void {
    const shown = this.actors.filter(({ object }) => object.visible);
    const corners = shown.flatMap((actor) => actor.around(all).map((corner): Triple => corner.toArray()));
    this.viewport.fit(corners, this.#size, from);
    this.#fitted = { view: this.viewport.view, from, all };
  }

  /** Pick the item at a point of the window; overlays take precedence over shapes. */
  pointed(x: number, y: number): Pointed | null {
    const targets = this.actors.map((actor) => actor.targets());
    const over = this.viewport.hit(x, y, targets.flat());
    if (over) {
      const { userData } = over.object;
      const link = (userData["link"] as number | undefined) ?? -1;
      const robot = targets.findIndex((each) => each.includes(over.object));
      return { robot, item: (userData["item"] as Item | undefined) ?? linkItem(link)!, link, point: over.point.toArray(), shape: "" };
    }
    const ray = this.viewport.ray(x, y);
    const hits = this.actors.flatMap(({ object, view }, robot) => {
      const hit = object.visible ? view.hit(ray) : null;
      return hit ? [{ ...hit, robot }] : [];
    });
    const first = hits.sort((a, b) => a.at - b.at)[0];
    if (!first) {
      return null;
    }
    const { robot, item, shape, at } = first;
    return { robot, item: item!, link: shape.link, point: plus(ray.origin, scaled(ray.direction, at)), shape: shape.name };
  }

  /** Transforms of points between the world and a link's frame, at the current pose. */
  onLink(robot: number, link: number): { into(point: Triple): Triple; out(point: Triple): Triple } {
    const group = this.actors[robot]!.view.links[link]!;
    group.updateWorldMatrix(true, false);
    return {
      into: (point) => group.worldToLocal(new Vector3(...point)).toArray(),
      out: (point) => {
        group.updateWorldMatrix(true, false);
        return group.localToWorld(new Vector3(...point)).toArray();
      },
    };
  }

  /** Transform a point of the world of a robot to the scene. */
  fromRobot(robot: number, point: Triple): Triple {
    const { object } = this.actors[robot]!;
    object.updateWorldMatrix(true, false);
    return object.localToWorld(new Vector3(...point)).toArray();
  }

  /** Transform a point of the scene to the world of a robot, which may be drawn aside. */
  toRobot(robot: number, point: Triple): Triple {
    const { object } = this.actors[robot]!;
    object.updateWorldMatrix(true, false);
    return object.worldToLocal(new Vector3(...point)).toArray();
  }

  /** Remove everything from the scene and free the GPU memory. */
  remove(): void {
    this.#touchers.forEach((toucher) => toucher.end());
    this.viewport.scene.remove(this.#content);
    this.viewport.before = null;
    this.#shadow.dispose();
    this.#content.traverse((object: Object3D) => {
      if (object instanceof Mesh || object instanceof Line || object instanceof Points) {
        (object.geometry as BufferGeometry).dispose();
        const used = object.material as Material | Material[];
        (Array.isArray(used) ? used : [used]).forEach((material) => material.dispose());
      }
    });
    // Materials of highlights and textures are not attached to an object.
    this.#materials.dispose();
    this.textures.dispose();
  }

  #listen(): void {
    const { settings, viewport, ruler } = this;
    for (const actor of this.actors) {
      actor.state.on("pose", () => {
        actor.pose();
        this.#glue();
        this.#follow();
        ruler.pose();
        this.#cast();
        viewport.draw();
      });
      const light = (): void => {
        actor.light();
        viewport.draw();
      };
      actor.state.on("pose", () => this.#touch(actor.state));
      actor.state.on("touching", light);
      actor.state.on("gaps", light);
      actor.state.on("hover", light);
      actor.state.on("selection", light);
      actor.state.on("aim", () => {
        actor.layers();
        viewport.draw();
      });
      actor.state.on("veils", () => {
        actor.view.veil();
        this.#cast();
        viewport.draw();
      });
      actor.state.on("look", () => {
        actor.cloud();
        viewport.draw();
      });
      actor.state.on("cloud", () => {
        actor.cloud();
        this.#arrange();
        this.#frame(this.#usual, false);
      });
    }
    settings.on("layers", () => {
      this.actors.forEach((actor) => actor.layers());
      this.#grid.object.visible = settings.layers.grid;
      this.actors.forEach(({ state }) => this.#touch(state));
      this.#cast();
      viewport.draw();
    });
    settings.on("lens", () => (viewport.parallel = settings.lens === "orthographic"));
    settings.on("sizes", () => {
      this.#grid.cell = settings.cell;
      this.actors.forEach((actor) => actor.scale(this.#size));
      viewport.draw();
    });
    settings.on("mode", () => {
      if (settings.mode !== "measure") {
        ruler.clear();
        viewport.draw();
      }
    });
    settings.on("up", () => {
      this.#stand();
      this.actors.forEach((actor) => actor.pose());
      this.#arrange();
      ruler.pose();
      this.#frame(this.#usual, false);
    });
    settings.on("meshes", () => {
      this.actors.forEach(({ view }) => view.turn());
      this.#touchers.forEach((toucher) => toucher.end());
      this.#touchers.clear();
      this.#middles.clear();
      this.actors.forEach(({ state }) => this.#touch(state));
      this.#arrange();
      this.#frame(this.#usual, false);
    });
    settings.on("arrangement", () => {
      this.#arrange();
      this.#frame(this.#usual, false);
    });
  }

  /** Find the pairs of links in collision, if they are shown. */
  #touch(state: State): void {
    if (!this.settings.layers.pairs) {
      state.touch(null);
      return;
    }
    const toucher = this.#touchers.get(state) ?? this.#toucher(state);
    this.#touchers.set(state, toucher);
    toucher.at(state.poses);
  }

  #toucher(state: State): Toucher {
    const isOn = (): boolean => this.settings.layers.pairs;
    return new Toucher(
      supplyOf(this.model, state.robot, this.settings.meshes), state.first, () => NEAR * this.#size, () => new TouchWorker(),
      {
        initial: (pairs) => state.begin(pairs),
        touches: (touches) => {
          if (isOn()) {
            const found = touches.map(({ pair }) => pair);
            // The engine's round shapes are larger than their triangles here.
            const [a, b] = state.demonstrated ?? [-1, -1];
            const known = a < 0 || found.some((pair) => pair.includes(a) && pair.includes(b));
            state.touch(known ? found : [...found, [a, b]], touches);
          }
        },
        gaps: (gaps) => isOn() && state.near(gaps),
      },
    );
  }

  /** Resolves when the links that touch are known; with ``all`` also those that are near. */
  async touched(robot: number, all = false): Promise<void> {
    await this.#touchers.get(this.actors[robot]!.state)?.settled(all);
  }

  /** Move the view as far as the followed link has moved. */
  #follow(): void {
    const link = this.run?.data.follow ?? -1;
    if (link < 0) {
      return;
    }
    const group = this.actors[0]!.view.links[link]!;
    group.updateWorldMatrix(true, false);
    const now: Triple = new Vector3().setFromMatrixPosition(group.matrixWorld).toArray();
    const before = this.#followed;
    this.#followed = now;
    if (this.following && before) {
      // The ground stays where it is: a fall or a step does not lift the view.
      this.viewport.shift([now[0] - before[0], now[1] - before[1], 0]);
    }
  }

  /** Place the root of the second robot at the root of the first one, or beside it. */
  #glue(): void {
    const [first, second] = this.actors as [Actor, Actor | undefined];
    if (second) {
      const root = ({ state }: Actor): Pose => state.poses[state.robot.order[0]!]!;
      place(second.object, compose(slide(this.#apart, 1), compose(root(first), inverse(root(second)))));
    }
  }

  /** Apply the upward axis of the settings. */
  #stand(): void {
    const { up } = this.settings;
    place(this.#world, STANDING[up]);
    this.#world.updateMatrixWorld(true);
    this.#grid.stand(up);
    this.ruler.turned = (way) => unrotate(STANDING[up], way);
  }

  /** Apply the arrangement of the settings. */
  #arrange(): void {
    const [first, second] = this.actors as [Actor, Actor | undefined];
    if (second) {
      const { arrangement } = this.settings;
      first.object.visible = arrangement !== "second";
      second.object.visible = arrangement !== "first";
      second.view.ghost = arrangement === "over";
      second.light();
      this.#apart = [0, 0, 0];
      this.#glue();
      if (arrangement === "beside") {
        const [a, b] = [first, second].map((actor) => new Box3().setFromPoints(actor.around()));
        const aside = a!.max.y - b!.min.y + GAP * Math.max(lengthOf(a!), lengthOf(b!));
        this.#apart = unrotate(STANDING[this.settings.up], [0, aside, 0]);
        this.#glue();
      }
    }
    // Overlays are scaled with the size of one robot.
    const lengths = this.actors.map((actor) => lengthOf(boundsOf(actor)));
    this.#size = Math.max(...lengths) > 1e-6 ? Math.max(...lengths) : 1;
    [this.#grid, this.ruler, ...this.actors].forEach((part) => part.scale(this.#size));
    this.#settle();
  }

  /** Put the ground at the lowest point if that is below zero; a run has its own floor there. */
  #settle(): void {
    const heights = this.actors.flatMap((actor) => actor.corners().map(({ z }) => z));
    const lowest = this.run ? 0 : Math.min(0, ...heights);
    this.#ground = lowest < -1e-3 * this.#size ? lowest : 0;
    this.#grid.height = this.#ground;
    this.#cast();
  }

  /** The robots have moved, or what is shown of them has changed: their shadow is drawn anew. */
  #cast(): void {
    const box = new Box3();
    for (const actor of this.actors.filter(({ object }) => object.visible)) {
      box.union(boundsOf(actor));
    }
    this.#shadow.put(box, this.#ground);
  }
}

/** Whether two views, or directions, are the same. */
function same(a: ViewSnapshot | Triple, b: ViewSnapshot | Triple): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function boundsOf(actor: Actor): Box3 {
  return new Box3().setFromPoints(actor.corners());
}

function lengthOf(box: Box3): number {
  return box.isEmpty() ? 0 : box.getSize(new Vector3()).length();
}
