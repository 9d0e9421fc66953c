// Commands that move the view, or change how everything is drawn.

import { type Stage, VIEWS } from "../scene/stage";
import type { Settings, ThemeChoice } from "../settings";
import type { Command } from "./registry";

const THEMES: readonly ThemeChoice[] = ["auto", "light", "dark"];
const CLOSER = 1.2;

export function viewCommands(settings: Settings, stage: Stage): Command[] {
  const { viewport } = stage;
  const view = (name: string, title: string, keys: readonly string[], run: () => void, inScene = false): Command => ({
    name, title, group: "View", keys, run, inScene,
  });
  return [
    view("fit", "Fit the view", ["0"], () => stage.fit()),
    view("view.front", "Front view", ["1"], () => stage.fit(VIEWS.front)),
    view("view.left", "Left view", ["2"], () => stage.fit(VIEWS.left)),
    view("view.top", "Top view", ["3"], () => stage.fit(VIEWS.top)),
    view("turn.left", "Rotate the view to the left", ["ArrowLeft"], () => viewport.turn(-1, 0), true),
    view("turn.right", "Rotate the view to the right", ["ArrowRight"], () => viewport.turn(1, 0), true),
    view("turn.up", "Rotate the view up", ["ArrowUp"], () => viewport.turn(0, 1), true),
    view("turn.down", "Rotate the view down", ["ArrowDown"], () => viewport.turn(0, -1), true),
    view("zoom.in", "Zoom in", ["+", "="], () => viewport.zoom(1 / CLOSER), true),
    view("zoom.out", "Zoom out", ["-"], () => viewport.zoom(CLOSER), true),
    view("up", "Z up or Y up", ["Z"], () => settings.setUp(settings.up === "z" ? "y" : "z")),
    view("theme", "Dark or light theme", ["T"], () => nextTheme(settings)),
  ];
}

/** Cycle the theme: the system's choice, then the opposite, and back. */
function nextTheme(settings: Settings): void {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const other: ThemeChoice = dark ? "light" : "dark";
  settings.setTheme(settings.themeChoice === "auto" ? other : THEMES[0]!);
}
