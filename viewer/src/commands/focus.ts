// Commands that look at a part of the robot: zoom, hide, isolate, fade, and how large and flat things are drawn.

import { linksOf } from "../items";
import type { Stage } from "../scene/stage";
import { CELLS, FRAME_SIZES, type Settings } from "../settings";
import type { State } from "../state";
import type { Command } from "./registry";

/** Commands for the selection; ``open`` shows or hides the dialog that lists them. */
export function focusCommands(settings: Settings, states: readonly State[], stage: Stage, open: () => void): Command[] {
  const now = (): State => states[settings.focus]!;
  /** The names of the links of the selection. */
  const chosen = (): string[] => linksOf(now().robot, now().selected).map((link) => now().robot.links[link]!.name);
  const of = (name: string, title: string, keys: readonly string[], run: () => void): Command => ({
    name, title, group: "View", keys, run, enabled: () => chosen().length > 0,
  });
  const view = (name: string, title: string, keys: readonly string[], run: () => void): Command => ({
    name, title, group: "View", keys, run,
  });
  /** The lists with links added, or removed if all are in it. */
  const toggled = (list: readonly string[], names: readonly string[]): string[] =>
    names.every((name) => list.includes(name))
      ? list.filter((name) => !names.includes(name))
      : [...list.filter((name) => !names.includes(name)), ...names];
  const isolate = (): void => {
    const names = chosen();
    const others = now().robot.links.map(({ name }) => name).filter((name) => !names.includes(name));
    const already = String(others.toSorted()) === String(now().hidden);
    now().veil(already ? [] : others, now().faded);
  };
  const larger = (step: number) => (): void => {
    const at = (FRAME_SIZES as readonly number[]).indexOf(settings.frameSize) + step;
    settings.setSizes(FRAME_SIZES[Math.max(0, Math.min(FRAME_SIZES.length - 1, at))]!, settings.cell);
  };
  const nextCell = (): void =>
    settings.setSizes(settings.frameSize, CELLS[((CELLS as readonly number[]).indexOf(settings.cell) + 1) % CELLS.length]!);
  return [
    of("focus.zoom", "Zoom to the selection; a double click does it, too", ["."], () => void stage.zoom(settings.focus)),
    of("focus.hide", "Hide the selected link, or show it again", ["H"], () => now().veil(toggled(now().hidden, chosen()), now().faded)),
    of("focus.isolate", "Hide all links but the selected one, or show them again", ["Shift+I"], isolate),
    of("focus.fade", "Draw the selected link faintly, or as it is again", ["B"], () => now().veil(now().hidden, toggled(now().faded, chosen()))),
    {
      ...view("focus.show", "Show all links as they are", ["Shift+H"], () => now().veil([], [])),
      enabled: () => now().hidden.length + now().faded.length > 0,
    },
    view("lens", "Orthographic or perspective view", ["Shift+O"], () =>
      settings.setLens(settings.lens === "perspective" ? "orthographic" : "perspective"),
    ),
    view("frames.larger", "Larger frames", [">"], larger(1)),
    view("frames.smaller", "Smaller frames", ["<"], larger(-1)),
    view("grid.cell", "Other cells of the grid", ["Shift+G"], nextCell),
    view("view", "Zoom, hide, fade, sizes", ["Y"], open),
  ];
}
