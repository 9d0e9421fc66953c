// What can be done in the picture, at its upper edge.

import type { Arrangement, Settings, ThemeChoice } from "../settings";
import { button, choice, element } from "./dom";

const THEMES: readonly ThemeChoice[] = ["auto", "light", "dark"];

/** The system's choice between dark and light, then the other one, and back. */
export function nextTheme(settings: Settings): void {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const other: ThemeChoice = dark ? "light" : "dark";
  settings.setTheme(settings.themeChoice === "auto" ? other : THEMES[0]!);
}

/** Draw the other axis upwards. */
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
  const grab = switched("Pull", "Pull links with the pointer (G, or hold Shift)", "grab");
  const measure = switched("Measure", "Measure between two points (D)", "measure");
  const up = button("", { "data-set": "up" }, () => turnUp(settings));
  const stand = (): void => {
    const [now, other] = settings.up === "z" ? ["Z", "Y"] : ["Y", "Z"];
    up.textContent = `${now} up`;
    up.title = `Draw ${other} upwards; no number of the model changes (Z)`;
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
    button("Pairs", { title: "Which links are tested for collisions with each other", "data-open": "pairs" }, pairs),
    up,
    button("Theme", { title: "Dark or light (T)", "data-open": "theme" }, () => nextTheme(settings)),
    button("?", { title: "Keys (?)", "aria-label": "Keys", "data-open": "help" }, help),
  );
  return compared ? [bar, arrangements(settings)] : [bar];
}

/** Where two robots stand. */
function arrangements(settings: Settings): HTMLElement {
  const options: readonly (readonly [Arrangement, string, string])[] = [
    ["beside", "Side by side", "One beside the other"],
    ["over", "Overlaid", "The second drawn over the first"],
    ["first", "First", "The first alone"],
    ["second", "Second", "The second alone"],
  ];
  const made = choice("Arrangement", options, (value) => settings.arrange(value));
  settings.on("arrangement", () => made.show(settings.arrangement));
  made.show(settings.arrangement);
  made.element.classList.add("arrangements");
  return made.element;
}
