// Toolbar of the pointer modes and dialogs.

import type { Arrangement, Settings, ThemeChoice } from "../settings";
import { button, choice, element } from "./dom";

const THEMES: readonly ThemeChoice[] = ["auto", "light", "dark"];

/** Cycle the theme: the system's choice, then the opposite, and back. */
export function nextTheme(settings: Settings): void {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const other: ThemeChoice = dark ? "light" : "dark";
  settings.setTheme(settings.themeChoice === "auto" ? other : THEMES[0]!);
}

/** Toggle the upward axis. */
export function turnUp(settings: Settings): void {
  settings.setUp(settings.up === "z" ? "y" : "z");
}

export interface Tools {
  readonly settings: Settings;
  readonly pairs: () => void;
  readonly help: () => void;
  readonly compared: boolean;
}

export function tools({ settings, pairs, help, compared }: Tools): HTMLElement[] {
  const switched = (label: string, title: string, mode: Settings["mode"]): HTMLButtonElement =>
    button(label, { title, "data-mode": mode }, () => settings.setMode(settings.mode === mode ? "look" : mode));
  const grab = switched("Drag", "Drag links with the pointer (G, or hold Shift)", "grab");
  const measure = switched("Measure", "Measure the distance between two points (D)", "measure");
  const up = button("", { "data-set": "up" }, () => turnUp(settings));
  const stand = (): void => {
    const [now, other] = settings.up === "z" ? ["Z", "Y"] : ["Y", "Z"];
    up.textContent = `${now} up`;
    up.title = `Draw ${other} upward; the model is unchanged (Z)`;
  };
  settings.on("up", stand);
  stand();
  const update = (): void => {
    grab.setAttribute("aria-pressed", String(settings.mode === "grab"));
    measure.setAttribute("aria-pressed", String(settings.mode === "measure"));
  };
  settings.on("mode", update);
  update();
  const bar = element(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "Tools" },
    grab,
    measure,
    button("Pairs", { title: "Link pairs tested for self-collision", "data-open": "pairs" }, pairs),
    up,
    button("Theme", { title: "Dark or light theme (T)", "data-open": "theme" }, () => nextTheme(settings)),
    button("?", { title: "Keyboard shortcuts (?)", "aria-label": "Keyboard shortcuts", "data-open": "help" }, help),
  );
  return compared ? [bar, arrangements(settings)] : [bar];
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
