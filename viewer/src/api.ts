// window.unibody: the page for programs and tests. Names of links and joints, SI units.

import { link as linkItem, linksOf, named } from "./items";
import { errorOf, gap } from "./loops";
import { BASE } from "./mechanism";
import type { Page } from "./page";
import { rows } from "./pose";
import type { Stage } from "./scene/stage";
import type { Layer } from "./settings";
import type { Player } from "./ui/player";

export interface RobotApi {
  links(): string[];
  joints(): string[];
  /** The pose of a link in the world as it is drawn: sixteen numbers, row by row. */
  linkPose(name: string): number[];
  /** The number, or the first of several, of a joint; "base" is the root's place. */
  position(joint: string): number;
  positions(joint: string): readonly number[];
  move(joint: string, ...numbers: number[]): void;
  /** Several joints at once; loops are closed after all of them. */
  take(positions: Readonly<Record<string, number | readonly number[]>>): void;
  /** A posture of the model by its name. */
  posture(name: string): void;
  /** How far each loop is from being closed, in m and rad. */
  gaps(): { readonly name: string; readonly distance: number; readonly angle: number }[];
  /** Root of the sum of the squares of all that the loops hold. */
  loopError(): number;
  /** The link that is chosen, or that what is chosen hangs on. */
  selected(): string | null;
  select(link: string | null): void;
}

export interface Api extends RobotApi {
  /** "ready" once there is a picture, else why there is none. */
  readonly status: string;
  /** The second of two robots. */
  readonly other: RobotApi | null;
  /** When the first picture was there (ms since the page began), and how long drawing it took. */
  readonly first: { readonly at: number; readonly spent: number };
  /** The link drawn at a point of the window. */
  linkAt(x: number, y: number): string | null;
  show(layer: Layer, on: boolean): void;
  /** Inertias as boxes or ellipsoids. */
  inertia(form: "box" | "ellipsoid"): void;
  /** Go to a time of the motion, in s. */
  seek(time: number): void;
  /** Leave only the picture; resolved when textures and all are drawn. */
  bare(): Promise<void>;
  /** Sample where a link of the first robot can get to. */
  workspace(link: string): void;
  /** The points of the workspace as they are drawn, in the world: x, y, z of one after the other, in m. */
  points(): number[];
  /** Look from a direction of the scene, whose Z is up. */
  look(x: number, y: number, z: number): void;
}

declare global {
  interface Window {
    unibody: Api | { readonly status: string };
  }
}

export function makeApi(page: Page, stage: Stage, player: Player | null, signal: AbortSignal): Api {
  const { settings, states } = page;
  const { viewport } = stage;
  const first = { at: 0, spent: 0 };
  viewport.onDrawn(() => {
    if (first.at === 0) {
      [first.at, first.spent] = [performance.now(), viewport.spent];
    }
  }, signal);
  return {
    ...robotApi(page, stage, 0),
    status: "ready",
    other: states.length > 1 ? robotApi(page, stage, 1) : null,
    first,
    linkAt: (x, y) => {
      const found = stage.pointed(x, y);
      return found ? (states[found.robot]!.robot.links[found.link]?.name ?? null) : null;
    },
    show: (layer, on) => settings.show(layer, on),
    inertia: (form) => {
      settings.inertia = form;
      settings.show("inertia", true);
    },
    seek: (time) => player?.seek(time),
    bare: async () => {
      document.body.classList.add("bare");
      document.querySelectorAll("details").forEach((more) => (more.open = true));
      await stage.textures.all();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      stage.fit();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    },
    workspace: (name) => {
      const { robot } = states[0]!;
      const item = named(robot, "link", name) ?? named(robot, "frame", name);
      if (item) {
        states[0]!.reach(item);
      }
    },
    points: () => stage.actors[0]!.points(),
    look: (x, y, z) => {
      const length = Math.hypot(x, y, z);
      stage.fit([x / length, y / length, z / length]);
    },
  };
}

function robotApi({ states }: Page, stage: Stage, which: number): RobotApi {
  const state = states[which]!;
  const { robot, mechanism } = state;
  const place = (items: readonly { readonly name: string }[], name: string, word: string): number => {
    const found = items.findIndex((item) => item.name === name);
    if (found < 0) {
      throw new Error(`there is no ${word} ${JSON.stringify(name)}`);
    }
    return found;
  };
  const link = (name: string): number => place(robot.links, name, "link");
  const hasBase = !robot.joints.some(({ name }) => name === "base");
  const joint = (name: string): number =>
    name === "base" && hasBase ? BASE : place(robot.joints, name, "joint");
  const checked = (name: string, numbers: readonly number[]): readonly number[] => {
    const count = state.of(joint(name)).length;
    if (numbers.length !== count || !numbers.every(Number.isFinite)) {
      throw new Error(`${JSON.stringify(name)} takes ${count} finite numbers`);
    }
    return numbers;
  };
  return {
    links: () => robot.links.map(({ name }) => name),
    joints: () => robot.joints.map(({ name }) => name),
    linkPose: (name) => {
      const columns = stage.actors[which]!.view.links[link(name)]!.matrix.elements;
      return rows([0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => columns[row + column]!)));
    },
    position: (name) => state.of(joint(name))[0]!,
    positions: (name) => state.of(joint(name)),
    move: (name, ...numbers) => state.move(joint(name), checked(name, numbers)),
    take: (wanted) => {
      let { positions } = state;
      const held = new Set<number>();
      for (const [name, value] of Object.entries(wanted)) {
        held.add(joint(name));
        const numbers = checked(name, typeof value === "number" ? [value] : value);
        positions = mechanism.with(positions, joint(name), numbers);
      }
      state.arrange(positions, held);
    },
    posture: (name) => state.posture(place(robot.poses, name, "posture")),
    gaps: () => robot.loops.map((loop) => ({ name: loop.name, ...gap(loop, state.poses) })),
    loopError: () => errorOf(robot.loops, state.poses),
    selected: () => robot.links[linksOf(robot, state.selected)[0] ?? -1]?.name ?? null,
    select: (name) => state.select(name === null ? null : linkItem(link(name))),
  };
}
