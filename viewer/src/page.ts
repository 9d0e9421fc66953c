// The page of a model: panels around the scene, the commands, and the history of its state.

import { type Address, read, written } from "./address";
import { makeApi } from "./api";
import type { Cloud } from "./cloud";
import { historyCommands } from "./commands/editing";
import { focusCommands } from "./commands/focus";
import { groupCommands, meshCommands } from "./commands/groups";
import { handCommands } from "./commands/hands";
import { layerCommands } from "./commands/layers";
import { motionCommands } from "./commands/motion";
import { pictureCommands } from "./commands/pictures";
import { poseCommands } from "./commands/poses";
import { Commands } from "./commands/registry";
import { toolCommands } from "./commands/tools";
import { viewCommands } from "./commands/views";
import type { History } from "./history";
import { type FindingsData, type Model, numbers } from "./model";
import { Proved } from "./proved";
import { holdGestures, Recorder } from "./recorder";
import { Stage } from "./scene/stage";
import type { Viewport } from "./scene/viewport";
import { LAYERS, type Setting, Settings } from "./settings";
import { capture, captureSettings, restore, type Snapshot } from "./snapshot";
import { type Change, State } from "./state";
import { synchronize } from "./synchronize";
import { toggleDialog } from "./ui/dialog";
import { cloudCard } from "./ui/cloud";
import { differencesPanel } from "./ui/differences";
import { collisionsCard, FIRST_TOUCHES } from "./ui/collisions";
import { choice, element } from "./ui/dom";
import { findingsPanel, type GoTo } from "./ui/findings";
import { focusDialog } from "./ui/focus";
import { handsCard } from "./ui/hands";
import { helpDialog } from "./ui/help";
import { jointsPanel } from "./ui/joints";
import { keys } from "./ui/keys";
import { matrixCard } from "./ui/matrix";
import { clipboardKeys, poseDialog } from "./ui/posetext";
import { type Player, player } from "./ui/player";
import { type RunCard, runCard } from "./ui/run";
import { labelsOf } from "./ui/labels";
import { handlePointer } from "./ui/pointer";
import { propertiesPanel } from "./ui/properties";
import { folding, sideCommands, sides } from "./ui/sides";
import { summary } from "./ui/summary";
import { toolbar } from "./ui/toolbar";
import { tools } from "./ui/tools";
import { treePanel } from "./ui/tree";

// Margin between the scene and the bars, in pixels.
const EDGE = 20;
// Minimum width for cards beside the scene, in pixels.
const ROOM = 560;
// Where the sides are drawers, as in the style sheet.
const PHONE = "(max-width: 720px)";
// How long a message is shown, in ms.
const MOMENT = 4000;
// Minimum share of the height for the scene.
const SHARE = 0.4;

// What the steps of the history are called that are made without a command.
const STEPS: Readonly<Partial<Record<Change | Setting, string>>> = {
  pose: "Move", selection: "Select", closing: "Close loops", cloud: "Workspace", look: "Workspace", folded: "Fold", kept: "Keep a pose",
  layers: "Layers", meshes: "Turn meshes", units: "Units", mode: "Tool", arrangement: "Arrangement", focus: "Robot", theme: "Theme", up: "Up",
  numbers: "Numbers", folds: "Fold a panel", widths: "Resize a panel", drawer: "Panel",
  veils: "Hide or fade", chain: "Root of chains", lens: "Projection", matrix: "Pairs", sizes: "Sizes", loop: "Loop",
};

/** The frame of the page, kept when the model is reloaded. */
export interface Frame {
  readonly app: HTMLElement;
  readonly left: HTMLElement;
  readonly stage: HTMLElement;
  readonly right: HTMLElement;
}

export function makeFrame(app: HTMLElement): Frame {
  const frame = {
    app,
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
  readonly commands: Commands;
  readonly recorder: Recorder;
  #stage: Stage | null = null;
  #playing: Player | null = null;
  /** The state in which the page opens. */
  #first: Snapshot;
  readonly #ended = new AbortController();
  readonly #told = element("p", { class: "toast", role: "status", hidden: true });
  #telling: ReturnType<typeof setTimeout> | undefined;

  /** The panels; ``history`` is kept when the model is reloaded. */
  constructor(
    private readonly model: Model,
    private readonly frame: Frame,
    private readonly address: Address,
    history: History<Snapshot>,
  ) {
    const { robots, comparison } = model;
    const { signal } = this.#ended;
    document.title = `${robots.map(({ name }) => name).join(" | ")} – unibody`;
    this.states = robots.map((robot, index) => new State(robot, index > 0, model.checking));
    this.settings = new Settings(robots);
    this.settings.up = model.up;
    // In a notebook cell the picture comes first.
    this.settings.setFolds([FIRST_TOUCHES, ...(window.parent === window ? [] : ["left", "right"])]);
    this.states[0]!.cloud = given(model);
    const [first, second] = this.states;
    if (comparison && first && second) {
      synchronize([first, second], comparison);
    }
    this.#begin();
    this.#first = this.capture();
    const subject = { capture: () => this.capture(), apply: (snapshot: Snapshot) => this.#apply(snapshot) };
    this.recorder = new Recorder(subject, history, (now) => this.address.set(written(now, this.#first)));
    this.commands = new Commands((title) => this.recorder.begin(title));
    this.commands.add(
      ...layerCommands(this.settings), ...poseCommands(this.settings, this.states), ...historyCommands(this.recorder), ...sideCommands(this.settings),
    );
    this.#panels();
    this.#applyTheme();
    this.settings.on("theme", () => {
      this.#applyTheme();
      this.#stage?.retheme();
    });
    holdGestures(this.recorder, signal);
    sides(frame, this.settings, this.commands, this.recorder, signal);
    this.states.forEach((state) => state.on("selection", () => state.selected && this.#reveal()));
  }

  /** Create the scene; throws an Error if WebGL is unavailable. */
  draw(viewport: Viewport): void {
    const { states, settings, model, frame } = this;
    const { signal } = this.#ended;
    const stage = new Stage(model, states, settings, viewport, signal);
    this.#stage = stage;
    const { motion, run } = stage;
    const card = motion ? runCard(motion, run, states[0]!) : null;
    if (motion) {
      this.commands.add(...motionCommands(settings, () => this.#playing!));
    }
    const follow = stage.follows
      ? { get on() { return stage.following; }, set: (on: boolean) => { stage.following = on; } }
      : null;
    const busy = (on: boolean): void => this.recorder[on ? "hold" : "release"]("play");
    const played = motion && card && { motion, run, follow, picker: card.picker, moved: card.seek, busy };
    const playing = played ? player(states[0]!, settings, played, this.commands, signal) : null;
    this.#playing = playing;
    const overlays = this.#overlays(stage, playing, card);
    frame.stage.append(...overlays);
    signal.addEventListener("abort", () => overlays.forEach((each) => each.remove()));
    const [top, bottom] = ["top", "bottom"].map((name) => overlays.find((each) => each.classList.contains(name))!);
    const cards = top!.querySelector<HTMLElement>(".cards")!;
    cards.querySelectorAll<HTMLDetailsElement>(".workspace details").forEach((more) => (more.open = frame.stage.clientWidth > ROOM));
    const leave = (): void => {
      const bars = [...top!.children].filter((each) => each !== cards) as HTMLElement[];
      const { clientWidth: width, clientHeight: height } = frame.stage;
      const below = (each: HTMLElement): number => each.offsetTop + each.offsetHeight;
      const foot = bottom!.offsetHeight && bottom!.offsetHeight + EDGE;
      // The card is placed beside or above the scene if enough space is left.
      const inDrawer = getComputedStyle(cards).position === "fixed";
      const beside = cards.offsetHeight > 0 && width > ROOM && !inDrawer;
      const above = !beside && !inDrawer && height - below(cards) - foot > SHARE * height ? [cards] : [];
      viewport.margins = {
        top: Math.max(...[...bars, ...above].map(below)), bottom: foot, left: beside ? cards.offsetWidth : 0,
      };
    };
    // In a narrow window the bars wrap into several rows.
    const watch = new ResizeObserver(leave);
    [top!, bottom!, cards].forEach((each) => watch.observe(each));
    signal.addEventListener("abort", () => watch.disconnect());
    leave();
    stage.fit();
    viewport.onMoved(() => this.recorder.touch(), signal);
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

  /** Begin to record, in the state of a snapshot, else in that of the address. */
  open(snapshot: Snapshot | null): void {
    this.#first = this.capture();
    const wanted = snapshot ?? read(this.address.fragment, this.#first);
    this.#apply(wanted);
    this.recorder.rebase();
    const touch = (change: Change | Setting) => (): void => this.recorder.touch(STEPS[change]);
    for (const change of ["pose", "selection", "closing", "cloud", "look", "folded", "kept", "veils", "chain"] as const) {
      this.states.forEach((state) => state.on(change, touch(change)));
    }
    for (const setting of [
      "layers", "meshes", "units", "mode", "arrangement", "focus", "theme", "up", "numbers", "folds", "widths", "drawer", "lens", "sizes", "matrix", "loop",
    ] as const) {
      this.settings.on(setting, touch(setting));
    }
  }

  /** Go to the state of the address, which somebody has changed. */
  follow(): void {
    this.recorder.enter("Open the address", read(this.address.fragment, this.#first));
  }

  /** The address of the page in its present state. */
  get link(): string {
    this.recorder.commit();
    return this.address.full;
  }

  capture(): Snapshot {
    return {
      robots: this.states.map(capture),
      settings: captureSettings(this.settings),
      view: this.#stage?.viewport.view ?? null,
      time: this.#playing?.now() ?? null,
    };
  }

  #apply({ robots, settings, view, time }: Snapshot): void {
    const [stage, playing] = [this.#stage, this.#playing];
    playing?.stop();
    this.settings.restore(settings);
    if (playing && time !== null && time !== playing.now()) {
      playing.seek(time);
    }
    this.states.forEach((state, index) => robots[index] && restore(state, robots[index]));
    if (stage && view) {
      stage.viewport.view = view;
    }
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
      const named = LAYERS.filter((layer) => !["workspace", "world", "sites", "grid"].includes(layer));
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
    const foldable = (section: HTMLElement, name: string, title: string): HTMLElement => {
      folding(section, name, title, settings);
      return section;
    };
    const goTo = (robot?: number): GoTo => (title, select) =>
      this.commands.act(title, () => {
        select();
        this.#stage?.zoom(robot);
      });
    const proved = model.ranges && new Proved(states[0]!, model.ranges);
    const sets = states.map((state, index) => ({
      left: [
        summary(state.robot), foldable(treePanel(state), "links", "Links"),
        foldable(findingsPanel(state, goTo(index)), "findings", "Findings"),
      ],
      right: [
        jointsPanel(
          state, settings, this.commands, propertiesPanel(state, settings, triangles, index ? null : proved), index ? null : proved,
        ),
      ],
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
      frame.left.append(foldable(differencesPanel(states, comparison, goTo()), "differences", "Differences"));
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
    const { commands, recorder } = this;
    const act = (title: string, run: () => void): void => commands.act(title, run);
    const matrices = states.map((state, index) => matrixCard(state, index, settings, index ? null : this.model.proof, act));
    const help = helpDialog(commands);
    const texts = states.map((state, index) => poseDialog(state, index, commands, this.model.editing));
    commands.add(
      ...viewCommands(settings, stage),
      ...groupCommands(settings, states),
      ...meshCommands(settings, this.model.robots),
      ...pictureCommands({
        stage, recorder, player: playing, name: states.map(({ robot }) => robot.name).join("_"), tell: (text) => this.#tell(text),
      }),
      ...handCommands(settings, states, stage),
      ...focusCommands(settings, states, stage, () => toggleDialog(viewSheet)),
      ...toolCommands({
        settings, states,
        help: () => toggleDialog(help),
        pairs: () => {
          settings.setMatrix(settings.matrix === "on" ? "off" : "on");
          matrices[settings.focus]!.querySelector<HTMLElement>("[role=gridcell]")?.focus();
        },
        poseText: () => toggleDialog(texts[settings.focus]!.element),
      }),
    );
    const viewSheet = focusDialog(settings, commands);
    const labels = labelsOf(stage, settings, signal);
    clipboardKeys(() => texts[settings.focus]!, (text) => this.#tell(text), signal);
    keys(commands, stage.viewport.canvas, signal);
    const bars = tools({ settings, commands, recorder, compared: states.length > 1, signal });
    const bar = toolbar(settings, states, stage.run?.touches ?? false, commands);
    const bottom = element("div", { class: "bottom" }, ...(playing ? [playing.element] : []), bar);
    const cards = element("div", { class: "cards" }, ...states.map((state) => cloudCard(state, settings)));
    cards.append(...states.map((state, index) => handsCard(state, index, settings, act)));
    cards.prepend(...states.map((state, index) => collisionsCard(state, index, settings, stage, act)));
    cards.prepend(...matrices);
    if (card) {
      cards.classList.add("wide");
      cards.append(card.element);
    }
    const top = element("div", { class: "top" }, cards, ...bars.toReversed());
    return [top, bottom, handlePointer(stage, states, settings, signal), labels, stage.ruler.label, viewSheet, ...texts.map((each) => each.element), help, this.#told];
  }

  /** Show the properties of what was selected on a phone, where they are in a drawer. */
  #reveal(): void {
    if (matchMedia(PHONE).matches && this.settings.drawer !== "left") {
      this.settings.draw("right");
    }
  }

  /** Tell what was done, for a moment. */
  #tell(text: string): void {
    this.#told.textContent = text;
    this.#told.hidden = false;
    const { signal } = this.#ended;
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => {
      if (!signal.aborted) {
        this.#told.hidden = true;
      }
    }, MOMENT);
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
  const { item, samples, method, seed, search, points, edges } = workspace;
  return {
    item: item && { kind: item[0], index: item[1] },
    points: numbers(model, points) as Float32Array,
    edges: edges && (numbers(model, edges) as Uint32Array),
    samples, method, seed, search, own: false,
  };
}
