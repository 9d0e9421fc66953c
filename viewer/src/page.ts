// The page of a model: panels around the scene, and the snapshot restored after a reload.

import { makeApi } from "./api";
import type { Cloud } from "./cloud";
import { capture, restore, type Snapshot } from "./snapshot";
import { type FindingsData, type Model, numbers } from "./model";
import { Stage } from "./scene/stage";
import type { Viewport } from "./scene/viewport";
import { LAYERS, Settings } from "./settings";
import { State } from "./state";
import { synchronize } from "./synchronize";
import { noted, note } from "./address";
import { toggleDialog } from "./ui/dialog";
import { cloudCard } from "./ui/cloud";
import { differencesPanel } from "./ui/differences";
import { choice, element } from "./ui/dom";
import { findingsPanel } from "./ui/findings";
import { helpDialog } from "./ui/help";
import { jointsPanel } from "./ui/joints";
import { keys } from "./ui/keys";
import { matrixDialog } from "./ui/matrix";
import { type Player, player } from "./ui/player";
import { type RunCard, runCard } from "./ui/run";
import { handlePointer } from "./ui/pointer";
import { propertiesPanel } from "./ui/properties";
import { summary } from "./ui/summary";
import { toolbar } from "./ui/toolbar";
import { meshWays, tools } from "./ui/tools";
import { treePanel } from "./ui/tree";

// Margin between the scene and the bars, in pixels.
const EDGE = 20;
// Minimum width for cards beside the scene, in pixels.
const ROOM = 560;
// Minimum share of the height for the scene.
const SHARE = 0.4;

/** The frame of the page, kept when the model is reloaded. */
export interface Frame {
  readonly left: HTMLElement;
  readonly stage: HTMLElement;
  readonly right: HTMLElement;
}

export function makeFrame(app: HTMLElement): Frame {
  const frame = {
    left: element("aside", { class: "side left", "aria-label": "Links and findings" }),
    stage: element("main", { class: "stage", "aria-label": "Scene" }),
    right: element("aside", { class: "side right", "aria-label": "Joints and properties" }),
  };
  app.replaceChildren(frame.left, frame.stage, frame.right);
  return frame;
}

export class Page {
  readonly states: readonly State[];
  readonly settings: Settings;
  #stage: Stage | null = null;
  #playing: Player | null = null;
  readonly #ended = new AbortController();

  constructor(
    private readonly model: Model,
    private readonly frame: Frame,
    snapshot: Snapshot | null,
  ) {
    const { robots, comparison } = model;
    document.title = `${robots.map(({ name }) => name).join(" | ")} – unibody`;
    this.states = robots.map((robot, index) => new State(robot, index > 0, model.checking));
    this.settings = new Settings(robots);
    this.settings.up = noted("up", ["y", "z"]) ?? model.up;
    this.states[0]!.cloud = given(model);
    if (snapshot) {
      Object.assign(this.settings, snapshot.settings);
      this.states.forEach((state, index) => snapshot.robots[index] && restore(state, snapshot.robots[index]));
    }
    const [first, second] = this.states;
    if (comparison && first && second) {
      synchronize([first, second], comparison);
    }
    if (!snapshot) {
      this.#begin();
    }
    this.#panels();
    this.#applyTheme();
    this.settings.on("up", () => note("up", this.settings.up === model.up ? null : this.settings.up));
    this.settings.on("theme", () => {
      this.#applyTheme();
      this.#stage?.retheme();
    });
  }

  /** Create the scene; throws an Error if WebGL is unavailable. */
  draw(viewport: Viewport, snapshot: Snapshot | null): void {
    const { states, settings, model, frame } = this;
    const { signal } = this.#ended;
    const stage = new Stage(model, states, settings, viewport, signal);
    this.#stage = stage;
    const card = stage.run ? runCard(stage.run, states[0]!) : null;
    const follow = stage.follows
      ? { get on() { return stage.following; }, set: (on: boolean) => { stage.following = on; } }
      : null;
    const played = stage.motion && { motion: stage.motion, run: stage.run, follow, moved: card?.seek ?? (() => undefined) };
    const playing = played ? player(states[0]!, played, snapshot?.time ?? null, signal) : null;
    this.#playing = playing;
    const overlays = this.#overlays(stage, playing, card);
    frame.stage.append(...overlays);
    signal.addEventListener("abort", () => overlays.forEach((each) => each.remove()));
    const [top, bottom] = ["top", "bottom"].map((name) => overlays.find((each) => each.classList.contains(name))!);
    const cards = top!.querySelector<HTMLElement>(".cards")!;
    cards.querySelectorAll<HTMLDetailsElement>(".cloud details").forEach((more) => (more.open = frame.stage.clientWidth > ROOM));
    const leave = (): void => {
      const bars = [...top!.children].filter((each) => each !== cards) as HTMLElement[];
      const { clientWidth: width, clientHeight: height } = frame.stage;
      const below = (each: HTMLElement): number => each.offsetTop + each.offsetHeight;
      const foot = bottom!.offsetHeight && bottom!.offsetHeight + EDGE;
      // The card is placed beside or above the scene if enough space is left.
      const beside = cards.offsetHeight > 0 && width > ROOM;
      const above = !beside && height - below(cards) - foot > SHARE * height ? [cards] : [];
      viewport.margins = {
        top: Math.max(...[...bars, ...above].map(below)), bottom: foot, left: beside ? cards.offsetWidth : 0,
      };
    };
    // In a narrow window the bars wrap into several rows.
    const watch = new ResizeObserver(leave);
    [top!, bottom!, cards].forEach((each) => watch.observe(each));
    signal.addEventListener("abort", () => watch.disconnect());
    leave();
    if (snapshot) {
      viewport.view = snapshot.view;
    } else {
      stage.fit();
    }
    window.unibody = makeApi(this, stage, playing, signal);
  }

  /** Whether findings of the server are expected. */
  get checking(): boolean {
    return this.states.some(({ checked }) => checked === "coming");
  }

  /** Show what unibody check finds of each robot. */
  find(findings: readonly (FindingsData | null)[]): void {
    this.states.forEach((state, index) => state.find(findings[index] ?? null));
  }

  snapshot(): Snapshot | null {
    const { layers, groups, inertia, angles, mode, arrangement, focus, themeChoice, up, meshes } = this.settings;
    return this.#stage
      ? {
          robots: this.states.map(capture),
          settings: { layers, groups, inertia, angles, mode, arrangement, focus, themeChoice, up, meshes },
          view: this.#stage.viewport.view,
          time: this.#playing?.now() ?? null,
        }
      : null;
  }

  /** Remove the panels and the scene. */
  remove(): void {
    this.#ended.abort();
    this.#stage?.remove();
    this.frame.left.replaceChildren();
    this.frame.right.replaceChildren();
  }

  /** Apply the initial pose and layers of the model. */
  #begin(): void {
    const { pose, layers } = this.model;
    const first = this.states[0]!;
    if (pose.length) {
      const { mechanism, positions: start } = first;
      const positions = pose.reduce((out, [joint, numbers]) => mechanism.with(out, joint, numbers), start);
      first.arrange(positions, new Set(pose.map(([joint]) => joint)));
    }
    if (layers.length) {
      const named = LAYERS.filter((layer) => !["workspace", "world", "sites"].includes(layer));
      named.forEach((layer) => (this.settings.layers[layer] = layers.includes(layer)));
    }
  }

  #panels(): void {
    const { states, settings, model, frame } = this;
    const { comparison } = model;
    const triangles = (mesh: number): number => {
      const { kind, indices } = model.meshes[mesh]!;
      return kind === "triangles" ? (indices?.[2] ?? 0) / 3 : 0;
    };
    const sets = states.map((state) => ({
      left: [summary(state.robot), treePanel(state), findingsPanel(state)],
      right: [jointsPanel(state, settings), propertiesPanel(state, settings, triangles)],
    }));
    const groups = sets.map(({ left, right }) => [
      element("section", { class: "group" }, ...left),
      element("section", { class: "group" }, ...right),
    ]);
    const show = (): void =>
      groups.forEach((pair, index) => pair.forEach((group) => (group.hidden = index !== settings.focus)));
    settings.on("focus", show);
    show();
    if (states.length > 1) {
      frame.left.append(this.#switch());
    }
    frame.left.append(...groups.map(([left]) => left!));
    frame.right.append(...groups.map(([, right]) => right!));
    if (comparison) {
      frame.left.append(differencesPanel(states, comparison));
    }
  }

  /** The switch that selects the robot shown in the panels. */
  #switch(): HTMLElement {
    const { settings, states } = this;
    const made = choice(
      "Robot shown in the panels",
      states.map(({ robot }, index) => [String(index), robot.file || robot.name, robot.name] as const),
      (value) => settings.look(Number(value)),
    );
    const show = (): void => made.show(String(settings.focus));
    settings.on("focus", show);
    show();
    made.element.classList.add("robots");
    return made.element;
  }

  #overlays(stage: Stage, playing: Player | null, card: RunCard | null): HTMLElement[] {
    const { states, settings } = this;
    const { signal } = this.#ended;
    const matrices = states.map((state, index) => matrixDialog(state, settings, index ? null : this.model.proof));
    const help = helpDialog();
    const pairs = (): void => toggleDialog(matrices[settings.focus]!);
    keys({ settings, states, stage, play: () => playing?.toggle(), help: () => toggleDialog(help) }, signal);
    const bars = tools({ settings, pairs, help: () => toggleDialog(help), compared: states.length > 1, meshes: meshWays(this.model.robots) });
    const bar = toolbar(settings, states, stage.run?.touches ?? false, () => stage.fit());
    const bottom = element("div", { class: "bottom" }, ...(playing ? [playing.element] : []), bar);
    const cards = element("div", { class: "cards" }, ...states.map((state) => cloudCard(state, settings)));
    if (card) {
      cards.classList.add("wide");
      cards.append(card.element);
    }
    const top = element("div", { class: "top" }, cards, ...bars.toReversed());
    return [top, bottom, handlePointer(stage, states, settings, signal), stage.ruler.label, ...matrices, help];
  }

  #applyTheme(): void {
    const { themeChoice } = this.settings;
    document.documentElement.style.colorScheme = themeChoice === "auto" ? "" : themeChoice;
  }
}

/** The workspace points of the model. */
function given(model: Model): Cloud | null {
  const { workspace } = model;
  if (!workspace) {
    return null;
  }
  const { item, samples, method, seed, search, points } = workspace;
  return {
    item: item && { kind: item[0], index: item[1] },
    points: numbers(model, points) as Float32Array,
    samples, method, seed, search, own: false,
  };
}
