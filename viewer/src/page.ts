// The page of a model: panels around the picture, and what stays when the model is read anew.

import { makeApi } from "./api";
import type { Cloud } from "./cloud";
import { type Kept, restore, stance } from "./keep";
import { type Model, numbers } from "./model";
import { Stage } from "./scene/stage";
import type { Viewport } from "./scene/viewport";
import { LAYERS, Settings } from "./settings";
import { State } from "./state";
import { together } from "./twins";
import { noted, note } from "./address";
import { flip } from "./ui/dialog";
import { cloudCard } from "./ui/cloud";
import { differencesPanel } from "./ui/differences";
import { choice, element } from "./ui/dom";
import { findingsPanel } from "./ui/findings";
import { helpDialog } from "./ui/help";
import { jointsPanel } from "./ui/joints";
import { keys } from "./ui/keys";
import { matrixDialog } from "./ui/matrix";
import { type Player, player } from "./ui/player";
import { pointing } from "./ui/pointing";
import { propertiesPanel } from "./ui/properties";
import { summary } from "./ui/summary";
import { toolbar } from "./ui/toolbar";
import { tools } from "./ui/tools";
import { treePanel } from "./ui/tree";

// What is left between the picture and the bars, in pixels.
const EDGE = 20;
// A card beside the picture takes its place only where there is more than so much, in pixels.
const ROOM = 560;
// This share of the height is the picture's.
const SHARE = 0.4;

/** The empty frame of the page, which stays. */
export interface Frame {
  readonly left: HTMLElement;
  readonly stage: HTMLElement;
  readonly right: HTMLElement;
}

export function makeFrame(app: HTMLElement): Frame {
  const frame = {
    left: element("aside", { class: "side left", "aria-label": "Links and findings" }),
    stage: element("main", { class: "stage", "aria-label": "Picture" }),
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
    kept: Kept | null,
  ) {
    const { robots, comparison } = model;
    document.title = `${robots.map(({ name }) => name).join(" | ")} – unibody`;
    this.states = robots.map((robot, index) => new State(robot, index > 0));
    this.settings = new Settings(robots);
    this.settings.up = noted("up", ["y", "z"]) ?? model.up;
    this.states[0]!.cloud = given(model);
    if (kept) {
      Object.assign(this.settings, kept.settings);
      this.states.forEach((state, index) => kept.stances[index] && restore(state, kept.stances[index]));
    }
    const [first, second] = this.states;
    if (comparison && first && second) {
      together([first, second], comparison);
    }
    if (!kept) {
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

  /** Put the picture in; an Error where there can be none. */
  draw(viewport: Viewport, kept: Kept | null): void {
    const { states, settings, model, frame } = this;
    const { signal } = this.#ended;
    const stage = new Stage(model, states, settings, viewport, signal);
    this.#stage = stage;
    const playing = stage.motion ? player(states[0]!, stage.motion, kept?.time ?? null, signal) : null;
    this.#playing = playing;
    const overlays = this.#overlays(stage, playing);
    frame.stage.append(...overlays);
    signal.addEventListener("abort", () => overlays.forEach((each) => each.remove()));
    const [top, bottom] = ["top", "bottom"].map((name) => overlays.find((each) => each.classList.contains(name))!);
    const cards = top!.querySelector<HTMLElement>(".cards")!;
    cards.querySelectorAll("details").forEach((more) => (more.open = frame.stage.clientWidth > ROOM));
    const leave = (): void => {
      const bars = [...top!.children].filter((each) => each !== cards) as HTMLElement[];
      const { clientWidth: width, clientHeight: height } = frame.stage;
      const below = (each: HTMLElement): number => each.offsetTop + each.offsetHeight;
      const foot = bottom!.offsetHeight && bottom!.offsetHeight + EDGE;
      // A card stands beside the picture, or above it, where enough of it is left.
      const beside = cards.offsetHeight > 0 && width > ROOM;
      const above = !beside && height - below(cards) - foot > SHARE * height ? [cards] : [];
      viewport.margins = {
        top: Math.max(...[...bars, ...above].map(below)), bottom: foot, left: beside ? cards.offsetWidth : 0,
      };
    };
    // In a narrow window the bars have more than one row.
    const watch = new ResizeObserver(leave);
    [top!, bottom!, cards].forEach((each) => watch.observe(each));
    signal.addEventListener("abort", () => watch.disconnect());
    leave();
    if (kept) {
      viewport.view = kept.view;
    } else {
      stage.fit();
    }
    window.unibody = makeApi(this, stage, playing, signal);
  }

  kept(): Kept | null {
    const { layers, inertia, angles, mode, arrangement, focus, themeChoice, up } = this.settings;
    return this.#stage
      ? {
          stances: this.states.map(stance),
          settings: { layers, inertia, angles, mode, arrangement, focus, themeChoice, up },
          view: this.#stage.viewport.view,
          time: this.#playing?.now() ?? null,
        }
      : null;
  }

  /** Take it all away. */
  remove(): void {
    this.#ended.abort();
    this.#stage?.remove();
    this.frame.left.replaceChildren();
    this.frame.right.replaceChildren();
  }

  /** Show what was asked for. */
  #begin(): void {
    const { pose, layers } = this.model;
    const first = this.states[0]!;
    if (pose.length) {
      const { mechanism, positions: start } = first;
      const positions = pose.reduce((out, [joint, numbers]) => mechanism.with(out, joint, numbers), start);
      first.arrange(positions, new Set(pose.map(([joint]) => joint)));
    }
    if (layers.length) {
      const named = LAYERS.filter((layer) => layer !== "workspace");
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

  /** Which of two robots the panels speak of. */
  #switch(): HTMLElement {
    const { settings, states } = this;
    const made = choice(
      "Panels of",
      states.map(({ robot }, index) => [String(index), robot.file || robot.name, robot.name] as const),
      (value) => settings.look(Number(value)),
    );
    const show = (): void => made.show(String(settings.focus));
    settings.on("focus", show);
    show();
    made.element.classList.add("robots");
    return made.element;
  }

  #overlays(stage: Stage, playing: Player | null): HTMLElement[] {
    const { states, settings } = this;
    const { signal } = this.#ended;
    const matrices = states.map((state) => matrixDialog(state));
    const help = helpDialog();
    const pairs = (): void => flip(matrices[settings.focus]!);
    keys({ settings, states, stage, play: () => playing?.toggle(), help: () => flip(help) }, signal);
    const bars = tools({ settings, pairs, help: () => flip(help), compared: states.length > 1 });
    const bar = toolbar(settings, states, () => stage.fit());
    const bottom = element("div", { class: "bottom" }, ...(playing ? [playing.element] : []), bar);
    const cards = element("div", { class: "cards" }, ...states.map((state) => cloudCard(state, settings)));
    const top = element("div", { class: "top" }, cards, ...bars.toReversed());
    return [top, bottom, pointing(stage, states, settings, signal), stage.ruler.label, ...matrices, help];
  }

  #applyTheme(): void {
    const { themeChoice } = this.settings;
    document.documentElement.style.colorScheme = themeChoice === "auto" ? "" : themeChoice;
  }
}

/** The points that the model comes with. */
function given(model: Model): Cloud | null {
  const { workspace } = model;
  if (!workspace) {
    return null;
  }
  const { item, samples, method, seed, points } = workspace;
  return {
    item: item && { kind: item[0], index: item[1] },
    points: numbers(model, points) as Float32Array,
    samples, method, seed, own: false,
  };
}
