// Toolbar of the pointer modes and dialogs.

import type { RobotData } from "../model";
import type { Arrangement, Meshes, Settings, ThemeChoice } from "../settings";
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

/** The words of the ways to turn meshes, and what they do. */
export const MESHES: Readonly<Record<Meshes, readonly [label: string, title: string]>> = {
  read: ["Meshes: as read", "Mesh files as most programs read them"],
  stated: ["Meshes: as stated", "Mesh files with the up axis that they state"],
  y: ["Meshes: Y up", "Mesh files as if all had Y up"],
};

/** Turn meshes in the next way that makes a difference. */
export function turnMeshes(settings: Settings, ways: readonly Meshes[]): void {
  settings.setMeshes(ways[(ways.indexOf(settings.meshes) + 1) % ways.length]!);
}

/** The ways to turn the meshes of robots that make a difference; one if there is no choice. */
export function meshWays(robots: readonly RobotData[]): Meshes[] {
  const turns = robots.flatMap(({ shapes }) => [...shapes.visual, ...shapes.collision].flatMap(({ turn }) => (turn ? [turn] : [])));
  const states = turns.some(([stated]) => stated > 0);
  const isAxes = turns.some(([stated, y]) => stated !== y);
  return ["read", ...(states ? ["stated" as const] : []), ...(isAxes ? ["y" as const] : [])];
}

export interface Tools {
  readonly settings: Settings;
  readonly pairs: () => void;
  readonly help: () => void;
  readonly compared: boolean;
  readonly meshes: readonly Meshes[];
}

export function tools({ settings, pairs, help, compared, meshes }: Tools): HTMLElement[] {
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
  const turn = button("", { "data-set": "meshes", hidden: meshes.length < 2 }, () => turnMeshes(settings, meshes));
  const turned = (): void => {
    [turn.textContent, turn.title] = MESHES[settings.meshes];
  };
  settings.on("meshes", turned);
  turned();
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
    turn,
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
