// Keys: letters everywhere but where text is typed, arrows where the picture has the focus.

import { type Stage, VIEWS } from "../scene/stage";
import type { Settings } from "../settings";
import type { State } from "../state";
import { layerKeys, layerOf, toggle } from "./toolbar";
import { nextTheme, turnUp } from "./tools";

export interface Hands {
  readonly settings: Settings;
  readonly states: readonly State[];
  readonly stage: Stage;
  /** Play or stop the motion, if there is one. */
  readonly play: () => void;
  /** Show or hide a dialog. */
  readonly help: () => void;
}

/** All keys in words, for the page that explains them. */
export function keyList(): [title: string, keys: [key: string, text: string][]][] {
  return [
    ["Show", layerKeys()],
    ["Look", [
      ["0", "All of it"], ["1 2 3", "From in front, from its left, from above"],
      ["← → ↑ ↓", "Turn the view"], ["+ −", "Nearer, further"],
      ["Z", "Z or Y upwards"],
    ]],
    ["Do", [
      ["/", "Search"], ["G", "Pull links with the pointer (or hold Shift)"], ["D", "Measure between two points"],
      ["R", "Initial pose"], ["Space", "Play or stop the motion"], ["U", "Degrees or radians"],
      ["T", "Dark or light"], ["Esc", "Choose nothing"], ["?", "This list"],
    ]],
  ];
}

/** Listen to the keys until the signal. */
export function keys(hands: Hands, signal: AbortSignal): void {
  const { settings, stage } = hands;
  const { viewport } = stage;
  const { canvas } = viewport;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "The robot. Arrow keys turn the view, plus and minus zoom, 0 shows all.");
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
  const acts = actsOf(hands);
  document.addEventListener(
    "keydown",
    (event) => {
      if (!plain(event) || event.defaultPrevented || isTyping(event.target)) {
        return;
      }
      // What has the focus is pressed by the space bar.
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

/** What the keys do that work everywhere. */
function actsOf({ settings, states, stage, play, help }: Hands): Readonly<Record<string, () => void>> {
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
    // The first one last: where it begins counts for both.
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
