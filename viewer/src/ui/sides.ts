// The sides of the page: they fold and resize; on a phone they are drawers below the scene, opened by tabs.

import type { Command, Commands } from "../commands/registry";
import type { Recorder } from "../recorder";
import type { Drawer, Settings } from "../settings";
import { commandButton } from "./command";
import { button, element, icon } from "./dom";

const SIDES = ["left", "right"] as const;
type Side = (typeof SIDES)[number];

const NAMES: Readonly<Record<Side, string>> = { left: "Links and findings", right: "Joints" };
const KEYS: Readonly<Record<Side, string>> = { left: "[", right: "]" };
// Widths in pixels; the scene keeps the rest.
const NARROWEST = 180;
const WIDEST = 640;
const ROOM = 240;
const STEP = 16;
const LEFT = "M10 3.5L5.5 8l4.5 4.5";
const RIGHT = "M6 3.5L10.5 8 6 12.5";

/** Commands that fold the sides, and that open the drawers of a phone. */
export function sideCommands(settings: Settings): Command[] {
  const drawer = (name: Drawer, title: string): Command => ({
    name: `drawer.${name}`, title, group: "View", run: () => settings.draw(settings.drawer === name ? "" : name),
  });
  return [
    ...SIDES.map((side): Command => ({
      name: `fold.${side}`, title: `Fold or unfold: ${NAMES[side].toLowerCase()}`, group: "View", keys: [KEYS[side]],
      run: () => settings.fold(side, !settings.folds.includes(side)),
    })),
    drawer("left", "Links and findings"), drawer("right", "Joints"), drawer("cards", "Plots and points"),
  ];
}

export interface Framed {
  readonly app: HTMLElement;
  readonly stage: HTMLElement;
  readonly left: HTMLElement;
  readonly right: HTMLElement;
}

/** Let the sides fold and resize, until the signal is aborted. */
export function sides(frame: Framed, settings: Settings, commands: Commands, recorder: Recorder, signal: AbortSignal): void {
  const { app, stage } = frame;
  const made = SIDES.map((side) => new Edge(side, frame, settings, commands, recorder));
  stage.append(...made.flatMap(({ parts }) => parts));
  const tabs = element("nav", { class: "tabs", "aria-label": "Panels" });
  const names: readonly (readonly [Drawer, string])[] = [["left", "Links"], ["right", "Joints"], ["cards", "Plots"]];
  const buttons = names.map(([drawer, text]) => [drawer, commandButton(commands, `drawer.${drawer}`, text)] as const);
  tabs.append(...buttons.map(([, each]) => each));
  const title = element("header", { class: "folded-title" }, element("h1", {}, document.title));
  app.append(tabs, title);
  const update = (): void => {
    for (const side of SIDES) {
      app.toggleAttribute(`data-folded-${side}`, settings.folds.includes(side));
      const width = settings.widths[side];
      app.style.setProperty(`--${side}`, width === null ? "" : `${width}px`);
      if (width === null) {
        app.style.removeProperty(`--${side}`);
      }
    }
    app.dataset["drawer"] = settings.drawer;
    buttons.forEach(([drawer, each]) => each.setAttribute("aria-pressed", String(settings.drawer === drawer)));
    made.forEach((edge) => edge.show());
  };
  settings.on("folds", update);
  settings.on("widths", update);
  settings.on("drawer", update);
  update();
  signal.addEventListener("abort", () => [tabs, title, ...made.flatMap(({ parts }) => parts)].forEach((each) => each.remove()));
}

/** The edge of a side: a separator that is dragged, and a button that folds. */
class Edge {
  readonly parts: readonly HTMLElement[];
  readonly #separator: HTMLElement;
  readonly #button: HTMLButtonElement;

  constructor(
    private readonly side: Side,
    private readonly frame: Framed,
    private readonly settings: Settings,
    commands: Commands,
    recorder: Recorder,
  ) {
    this.#separator = element("div", {
      class: `splitter ${side}`, role: "separator", tabindex: 0, "aria-orientation": "vertical",
      "aria-label": `Width: ${NAMES[side].toLowerCase()}`, "aria-valuemin": NARROWEST, "aria-valuemax": WIDEST,
    });
    this.#button = button("", { class: `edge ${side}` }, () => commands.run(`fold.${side}`));
    this.parts = [this.#separator, this.#button];
    this.#separator.addEventListener("pointerdown", (event) => this.#drag(event));
    this.#separator.addEventListener("dblclick", () => settings.setWidths({ [side]: null }));
    this.#separator.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (way) {
        event.preventDefault();
        recorder.touch("Resize a panel");
        this.#resize(this.#width + way * (side === "left" ? STEP : -STEP));
      } else if (event.key === "Home") {
        event.preventDefault();
        settings.setWidths({ [side]: null });
      }
    });
  }

  show(): void {
    const folded = this.settings.folds.includes(this.side);
    const away = (this.side === "left") === folded ? RIGHT : LEFT;
    this.#separator.hidden = folded;
    this.#button.replaceChildren(icon(away));
    this.#button.title = `${folded ? "Show" : "Fold"}: ${NAMES[this.side].toLowerCase()} (${KEYS[this.side]})`;
    this.#button.setAttribute("aria-label", NAMES[this.side]);
    this.#button.setAttribute("aria-expanded", String(!folded));
    this.#separator.setAttribute("aria-valuenow", String(this.#width));
  }

  get #width(): number {
    return Math.round(this.frame[this.side].getBoundingClientRect().width);
  }

  #resize(width: number): void {
    const other = this.frame[this.side === "left" ? "right" : "left"].getBoundingClientRect().width;
    const most = Math.max(NARROWEST, Math.min(WIDEST, this.frame.app.clientWidth - other - ROOM));
    this.settings.setWidths({ [this.side]: Math.round(Math.min(most, Math.max(NARROWEST, width))) });
  }

  #drag(event: PointerEvent): void {
    if (event.button !== 0) {
      return;
    }
    event.preventDefault();
    const { side } = this;
    const [start, width] = [event.clientX, this.#width];
    const separator = this.#separator;
    separator.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent): void =>
      this.#resize(width + (side === "left" ? clientX - start : start - clientX));
    const end = (): void => {
      separator.removeEventListener("pointermove", move);
      ["pointerup", "pointercancel"].forEach((type) => separator.removeEventListener(type, end));
    };
    separator.addEventListener("pointermove", move);
    ["pointerup", "pointercancel"].forEach((type) => separator.addEventListener(type, end));
  }
}

/** A button in the header of a panel that folds its body. */
export function folding(section: HTMLElement, name: string, title: string, settings: Settings): void {
  const toggle = button("", { class: "fold", "aria-label": title, title: `Fold or unfold ${title.toLowerCase()}` }, () =>
    settings.fold(name, !settings.folds.includes(name)),
  );
  section.querySelector("header")!.prepend(toggle);
  const update = (): void => {
    const folded = settings.folds.includes(name);
    section.classList.toggle("folded", folded);
    toggle.setAttribute("aria-expanded", String(!folded));
  };
  settings.on("folds", update);
  update();
}
