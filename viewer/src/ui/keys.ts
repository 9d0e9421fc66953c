// Keyboard shortcuts: letters on the whole page except in text fields, arrows while the scene has the focus.

import { type Stage, VIEWS } from "../scene/stage";
import type { Settings } from "../settings";
import type { State } from "../state";
import { layerKeys, layerOf, toggle } from "./toolbar";
import { nextTheme, turnUp } from "./tools";

export interface Controls {
  readonly settings: Settings;
  readonly states: readonly State[];
  readonly stage: Stage;
  /** Play or stop the motion, if there is one. */
  readonly play: () => void;
  /** Show or hide the help dialog. */
  readonly help: () => void;
}

/** The shortcuts with descriptions, for the help dialog. */
export function keyList(): [title: string, keys: [key: string, text: string][]][] {
  return [
    ["Layers", layerKeys()],
    ["View", [
      ["0", "Fit the view"], ["1 2 3", "Front, left, top view"],
      ["← → ↑ ↓", "Rotate the view"], ["+ −", "Zoom in, zoom out"],
      ["Z", "Z up or Y up"],
    ]],
    ["Actions", [
      ["/", "Search"], ["G", "Drag links with the pointer (or hold Shift)"], ["D", "Measure the distance between two points"],
      ["R", "Initial pose"], ["Space", "Play or stop the motion or run"], ["U", "Degrees or radians"],
      ["T", "Dark or light theme"], ["Esc", "Clear the selection"], ["?", "Show this list"],
    ]],
  ];
}

/** Handle keys until the signal is aborted. */
export function keys(controls: Controls, signal: AbortSignal): void {
  const { settings, stage } = controls;
  const { viewport } = stage;
  const { canvas } = viewport;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "3D view of the robot. Arrow keys rotate the view, plus and minus zoom, 0 fits the view.");
  const views: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => viewport.turn(-1, 0),
    ArrowRight: () => viewport.turn(1, 0),
    ArrowUp: () => viewport.turn(0, 1),
    ArrowDown: () => viewport.turn(0, -1),
    "+": () => viewport.zoom(1 / 1.2),
    "=": () => viewport.zoom(1 / 1.2),
    "-": () => viewport.zoom(1.2),
  };
  canvas.addEventListener(
    "keydown",
    (event) => {
      const act = plain(event) && views[event.key];
      if (act) {
        event.preventDefault();
        act();
      }
    },
    { signal },
  );
  const acts = actsOf(controls);
  document.addEventListener(
    "keydown",
    (event) => {
      if (!plain(event) || event.defaultPrevented || isTyping(event.target)) {
        return;
      }
      // The space bar activates the focused control.
      if (event.key === " " && (event.target as Element).closest("button, summary, input[type=checkbox]")) {
        return;
      }
      const key = event.key.toLowerCase();
      const layer = layerOf(key);
      const act = acts[key];
      if (layer) {
        toggle(settings, layer);
      } else if (act) {
        event.preventDefault();
        act();
      }
    },
    { signal },
  );
}

/** The actions of the keys that work on the whole page. */
function actsOf({ settings, states, stage, play, help }: Controls): Readonly<Record<string, () => void>> {
  const mode = (wanted: Settings["mode"]): void => settings.setMode(settings.mode === wanted ? "look" : wanted);
  return {
    "0": () => stage.fit(),
    "1": () => stage.fit(VIEWS.front),
    "2": () => stage.fit(VIEWS.left),
    "3": () => stage.fit(VIEWS.top),
    "/": () => document.querySelector<HTMLElement>("section:not([hidden]) .find")?.focus(),
    "?": help,
    " ": play,
    g: () => mode("grab"),
    d: () => mode("measure"),
    // Reset the first robot last: its base determines the other's.
    r: () => [...states].reverse().forEach((state) => state.reset()),
    u: () => settings.setAngles(settings.angles === "deg" ? "rad" : "deg"),
    t: () => nextTheme(settings),
    z: () => turnUp(settings),
    escape: () => {
      const sheet = document.querySelector<HTMLDialogElement>("dialog[open]");
      if (sheet) {
        sheet.close();
        return;
      }
      settings.setMode("look");
      states.forEach((state) => state.select(null));
    },
  };
}

function plain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    (target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox") ||
    target instanceof HTMLSelectElement
  );
}
