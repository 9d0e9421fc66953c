// window.unibody: the programming interface of the page. Uses names of links and joints, and SI units.

import { link as linkItem, linksOf, named } from "./items";
import { errorOf, gap } from "./loops";
import { BASE } from "./mechanism";
import type { Page } from "./page";
import { animated } from "./pictures";
import { rows } from "./pose";
import type { Stage } from "./scene/stage";
import type { Layer } from "./settings";
import type { Player } from "./ui/player";

export interface RobotApi {
  links(): string[];
  joints(): string[];
  /** The pose of a link in the world as drawn: a 4 × 4 matrix, row by row. */
  linkPose(name: string): number[];
  /** The first position of a joint (rad or m); "base" is the pose of the root link. */
  position(joint: string): number;
  positions(joint: string): readonly number[];
  move(joint: string, ...numbers: number[]): void;
  /** Set several joints at once, then close the loops. */
  take(positions: Readonly<Record<string, number | readonly number[]>>): void;
  /** Set a posture of the model by name. */
  posture(name: string): void;
  /** The gap of each loop, in m and rad. */
  gaps(): { readonly name: string; readonly distance: number; readonly angle: number }[];
  /** Root sum of squares of all loop constraints. */
  loopError(): number;
  /** The tested pairs of links in collision at the pose, when they are known; empty unless the layer "pairs" is shown. */
  touching(): Promise<(readonly [string, string])[]>;
  /** The tested pairs of links that are near each other, with distances and the nearest points in the world (m). */
  near(): Promise<{ readonly pair: readonly [string, string]; readonly distance: number; readonly a: readonly number[]; readonly b: readonly number[] }[]>;
  /** The selected link, or the link of the selected item. */
  selected(): string | null;
  select(link: string | null): void;
}

export interface Api extends RobotApi {
  /** "ready" once the first frame is drawn, else the reason why there is none. */
  readonly status: string;
  /** The second robot of a comparison. */
  readonly other: RobotApi | null;
  /** When the first frame was drawn (ms after navigation) and how long it took (ms). */
  readonly first: { readonly at: number; readonly spent: number };
  /** The link drawn at a point of the window (in pixels). */
  linkAt(x: number, y: number): string | null;
  show(layer: Layer, on: boolean): void;
  /** Draw inertias as boxes or ellipsoids. */
  inertia(form: "box" | "ellipsoid"): void;
  /** Run a command by name; whether it could be run. */
  run(command: string): boolean;
  /** The names of all commands. */
  commands(): string[];
  /** The keys of a command, such as "Ctrl+Z", and whether they need the focus in the scene. */
  keys(command: string): { readonly keys: readonly string[]; readonly inScene: boolean };
  /** The name of the command that was run last; "" if none was. */
  readonly ran: string;
  /** The address of the page in its present state. */
  address(): string;
  /** The eye and its target, in m. */
  eye(): readonly number[];
  /** Seek to a time of the motion, in s. */
  seek(time: number): void;
  /** Whether the motion is that of a recorded run. */
  readonly recorded: boolean;
  /** Begin and end of the motion, in s; null without one. */
  span(): readonly [number, number] | null;
  /** The motion as an animated GIF of the scene, in base64: frames per second of the animation, and its speed. */
  gif(width: number, height: number, rate: number, speed: number): Promise<string>;
  /** How often the shadow on the ground was drawn, and the draw calls of the last frame. */
  readonly drawn: { readonly shadows: number; readonly calls: number };
  /** Resolves when the scene is drawn as it stays: with smooth edges. */
  rest(): Promise<void>;
  /** Hide everything but the scene; resolves when all textures are drawn. */
  bare(): Promise<void>;
  /** Sample the workspace of a link of the first robot. */
  workspace(link: string): void;
  /** The workspace points as drawn, in the world: x, y, z of each point, in m. */
  points(): number[];
  /** View the scene from a direction; Z is up. */
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
  const acting = actingOn(page);
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
    show: acting((layer, on) => settings.show(layer, on)),
    inertia: acting((form) => {
      settings.inertia = form;
      settings.show("inertia", true);
    }),
    run: (command) => page.commands.run(command),
    commands: () => page.commands.list.map(({ name }) => name),
    keys: (command) => {
      const { keys = [], inScene = false } = page.commands.get(command);
      return { keys, inScene };
    },
    get ran() {
      return page.commands.last;
    },
    address: () => page.link,
    eye: () => [...viewport.view.eye, ...viewport.view.target],
    seek: acting((time) => void (Number.isFinite(time) && player?.seek(time))),
    recorded: stage.run !== null,
    span: () => stage.motion?.span ?? null,
    gif: async (width, height, rate, speed) => {
      // Without the cards the scene fills the picture.
      document.querySelector(".cards")?.remove();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      player?.seek(stage.motion?.span[0] ?? 0);
      const gif = (await animated(stage, player, { width, height, rate, speed }))!;
      return gif.base64();
    },
    get drawn() {
      return { shadows: stage.shadows, calls: viewport.calls };
    },
    rest: () => viewport.rest(),
    bare: async () => {
      document.body.classList.add("bare");
      document.querySelectorAll<HTMLDetailsElement>("details:not(.run details, .collisions details)").forEach((more) => (more.open = true));
      await stage.textures.all();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      stage.fit();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      await viewport.rest();
    },
    workspace: acting((name) => {
      const { robot } = states[0]!;
      const item = named(robot, "link", name) ?? named(robot, "frame", name);
      if (item) {
        states[0]!.reach(item);
      }
    }),
    points: () => stage.actors[0]!.points(),
    look: acting((x, y, z) => {
      const length = Math.hypot(x, y, z);
      stage.fit([x / length, y / length, z / length]);
    }),
  };
}

/** Makes functions that are steps of the history. */
function actingOn({ recorder }: Page): <A extends unknown[]>(run: (...given: A) => void) => (...given: A) => void {
  return (run) => (...given) => {
    recorder.begin();
    run(...given);
  };
}

function robotApi(page: Page, stage: Stage, which: number): RobotApi {
  const { states, settings } = page;
  const acting = actingOn(page);
  const state = states[which]!;
  const { robot, mechanism } = state;
  const place = (items: readonly { readonly name: string }[], name: string, word: string): number => {
    const found = items.findIndex((item) => item.name === name);
    if (found < 0) {
      throw new Error(`unknown ${word} ${JSON.stringify(name)}`);
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
      throw new Error(`expected ${count} finite numbers for ${JSON.stringify(name)}`);
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
    move: acting((name, ...numbers) => state.move(joint(name), checked(name, numbers))),
    take: acting((wanted) => {
      let { positions } = state;
      const held = new Set<number>();
      for (const [name, value] of Object.entries(wanted)) {
        held.add(joint(name));
        const numbers = checked(name, typeof value === "number" ? [value] : value);
        positions = mechanism.with(positions, joint(name), numbers);
      }
      state.arrange(positions, held);
    }),
    posture: acting((name) => state.posture(place(robot.poses, name, "posture"))),
    gaps: () => robot.loops.map((loop) => ({ name: loop.name, ...gap(loop, state.poses) })),
    loopError: () => errorOf(robot.loops, state.poses),
    touching: async () => {
      await stage.touched(which);
      return (state.touching ?? []).map(([a, b]) => [robot.links[a]!.name, robot.links[b]!.name] as const);
    },
    near: async () => {
      await stage.touched(which, true);
      const gaps = settings.layers.pairs ? state.gaps : [];
      return gaps.map(({ pair: [a, b], ...gap }) => ({ ...gap, pair: [robot.links[a]!.name, robot.links[b]!.name] as const }));
    },
    selected: () => robot.links[linksOf(robot, state.selected)[0] ?? -1]?.name ?? null,
    select: acting((name) => state.select(name === null ? null : linkItem(link(name)))),
  };
}
