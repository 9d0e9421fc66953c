// The page of a model: panels around the picture, and what stays when the model is read anew.

import { makeApi } from "./api";
import { type Kept, restore, stance } from "./keep";
import type { Model } from "./model";
import { Stage } from "./scene/stage";
import type { Viewport } from "./scene/viewport";
import { LAYERS, Settings } from "./settings";
import { State } from "./state";
import { together } from "./twins";
import { flip } from "./ui/dialog";
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

// Height of the bar over the upper edge of the picture, and what is left below the lower one, in pixels.
const BAR = 46;
const EDGE = 20;

/** The empty frame of the page, which stays. */
export interface Frame {
  readonly left: HTMLElement;
  readonly stage: HTMLElement;
  readonly right: HTMLElement;
}

export function makeFrame(app: HTMLElement): Frame {
  const frame = {
    left: element("aside", { class: "side left" }),
    stage: element("main", { class: "stage" }),
    right: element("aside", { class: "side right" }),
  };
  app.replaceChildren(frame.left, frame.stage, frame.right);
  return frame;
}

export class Page {
  readonly states: readonly State[];
  readonly settings: Settings;
  #stage: Stage | null = null;
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
    const playing = stage.motion ? player(states[0]!, stage.motion, signal) : null;
    const overlays = this.#overlays(stage, playing);
    frame.stage.append(...overlays);
    signal.addEventListener("abort", () => overlays.forEach((each) => each.remove()));
    const bottom = overlays.find((each) => each.classList.contains("bottom"))!;
    const leave = (): void => {
      const height = bottom.offsetHeight;
      viewport.margins = height ? { top: BAR, bottom: height + EDGE } : { top: 0, bottom: 0 };
    };
    // In a narrow window the bar has more than one row.
    const watch = new ResizeObserver(leave);
    watch.observe(bottom);
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
    const { layers, inertia, angles, mode, arrangement, focus, themeChoice } = this.settings;
    return this.#stage
      ? {
          stances: this.states.map(stance),
          settings: { layers, inertia, angles, mode, arrangement, focus, themeChoice },
          view: this.#stage.viewport.view,
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
      LAYERS.forEach((layer) => (this.settings.layers[layer] = layers.includes(layer)));
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
    const { states, settings, model } = this;
    const { signal } = this.#ended;
    const matrices = states.map((state) => matrixDialog(state));
    const help = helpDialog();
    const pairs = (): void => flip(matrices[settings.focus]!);
    keys({ settings, states, stage, play: () => playing?.toggle(), help: () => flip(help) }, signal);
    const bars = tools({ settings, pairs, help: () => flip(help), compared: states.length > 1 });
    const bar = toolbar(settings, model.robots, () => stage.fit());
    const bottom = element("div", { class: "bottom" }, ...(playing ? [playing.element] : []), bar);
    return [...bars, bottom, pointing(stage, states, settings, signal), stage.ruler.label, ...matrices, help];
  }

  #applyTheme(): void {
    const { themeChoice } = this.settings;
    document.documentElement.style.colorScheme = themeChoice === "auto" ? "" : themeChoice;
  }
}
