// Toolbar of the history, the pointer modes and the dialogs.

import { MESHES } from "../commands/groups";
import type { Commands } from "../commands/registry";
import type { Arrangement, Settings } from "../settings";
import type { Recorder } from "../recorder";
import { commandButton } from "./command";
import { choice, element, icon } from "./dom";

const BACK = "M6 3L2.5 6.5 6 10M2.5 6.5h7a3.5 3.5 0 0 1 0 7H6";
const AGAIN = "M10 3l3.5 3.5L10 10M13.5 6.5h-7a3.5 3.5 0 0 0 0 7H10";

const CAMERA = "M2 5h3l1-2h4l1 2h3v8H2zM8 11.2a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8";
const FILM = "M2.5 3h11v10h-11zM5 3v10M11 3v10M2.5 6.3H5M2.5 9.7H5M11 6.3h2.5M11 9.7h2.5";

export interface Tools {
  readonly settings: Settings;
  readonly commands: Commands;
  readonly recorder: Recorder;
  readonly compared: boolean;
  /** Ends with the page. */
  readonly signal: AbortSignal;
}

export function tools({ settings, commands, recorder, compared, signal }: Tools): HTMLElement[] {
  const grab = commandButton(commands, "drag", "Drag", { "data-mode": "grab" });
  const measure = commandButton(commands, "measure", "Measure", { "data-mode": "measure" });
  const up = commandButton(commands, "up", "", { "data-set": "up" });
  const stand = (): void => {
    const [now, other] = settings.up === "z" ? ["Z", "Y"] : ["Y", "Z"];
    up.textContent = `${now} up`;
    up.title = `Draw ${other} upward; the model is unchanged (Z)`;
  };
  settings.on("up", stand);
  stand();
  const turn = commands.has("meshes") ? [meshesButton(settings, commands)] : [];
  const update = (): void => {
    grab.setAttribute("aria-pressed", String(settings.mode === "grab"));
    measure.setAttribute("aria-pressed", String(settings.mode === "measure"));
  };
  settings.on("mode", update);
  update();
  const bar = element(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "Tools" },
    ...historyButtons(commands, recorder, signal),
    grab,
    measure,
    commandButton(commands, "pairs", "Pairs", { "data-open": "pairs" }),
    commandButton(commands, "view", "View", { "data-open": "view" }),
    up,
    ...turn,
    commandButton(commands, "theme", "Theme", { "data-open": "theme" }),
    iconButton(commands, "picture", "Picture", CAMERA),
    iconButton(commands, "gif", "GIF", FILM),
    commandButton(commands, "help", "?", {
      title: "Keyboard shortcuts (?)", "aria-label": "Keyboard shortcuts", "data-open": "help",
    }),
  );
  return compared ? [bar, arrangements(settings)] : [bar];
}

/** Turns mesh files in the next way. */
function meshesButton(settings: Settings, commands: Commands): HTMLElement {
  const turn = commandButton(commands, "meshes", "", { "data-set": "meshes" });
  const update = (): void => {
    [turn.textContent, turn.title] = MESHES[settings.meshes];
  };
  settings.on("meshes", update);
  update();
  return turn;
}

function iconButton(commands: Commands, name: string, word: string, path: string): HTMLButtonElement {
  const made = commandButton(commands, name, "", { class: "icon", "aria-label": word });
  made.append(icon(path));
  return made;
}

/** Undo and redo; their tooltips name the step. */
function historyButtons(commands: Commands, { history }: Recorder, signal: AbortSignal): HTMLElement[] {
  const [undo, redo] = [iconButton(commands, "undo", "Undo", BACK), iconButton(commands, "redo", "Redo", AGAIN)];
  const update = (): void => {
    const { last, next } = history;
    undo.disabled = !last;
    redo.disabled = !next;
    undo.title = `Undo${last ? `: ${last.label}` : ""} (Ctrl+Z)`;
    redo.title = `Redo${next ? `: ${next.label}` : ""} (Ctrl+Shift+Z)`;
  };
  history.on("changed", update, signal);
  update();
  return [undo, redo];
}

/** The switch of the arrangement of two robots. */
function arrangements(settings: Settings): HTMLElement {
  const options: readonly (readonly [Arrangement, string, string])[] = [
    ["beside", "Side by side", "Draw the robots side by side"],
    ["over", "Overlaid", "Draw the second robot over the first"],
    ["first", "First", "Draw only the first robot"],
    ["second", "Second", "Draw only the second robot"],
  ];
  const made = choice("Arrangement", options, (value) => settings.arrange(value));
  settings.on("arrangement", () => made.show(settings.arrangement));
  made.show(settings.arrangement);
  made.element.classList.add("arrangements");
  return made.element;
}
