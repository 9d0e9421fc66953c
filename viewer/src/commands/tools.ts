// Commands of the pointer, the panels and the dialogs.

import { linksOf } from "../items";
import type { Settings } from "../settings";
import type { State } from "../state";
import type { Command } from "./registry";

/** What the tools open and start. */
export interface Tooling {
  readonly settings: Settings;
  readonly states: readonly State[];
  /** Show or hide the dialog of the shortcuts, and the matrix of pairs. */
  readonly help: () => void;
  readonly pairs: () => void;
  /** Show or hide the pose as text. */
  readonly poseText: () => void;
}

export function toolCommands({ settings, states, help, pairs, poseText }: Tooling): Command[] {
  const act = (name: string, title: string, keys: readonly string[], run: () => void): Command => ({
    name, title, group: "Actions", keys, run,
  });
  const mode = (wanted: Settings["mode"]): void => settings.setMode(settings.mode === wanted ? "look" : wanted);
  return [
    act("search", "Search", ["/"], () => document.querySelector<HTMLElement>("section:not([hidden]) .find")?.focus()),
    act("drag", "Turn joints by dragging links; Shift pulls a chain", ["G"], () => mode("grab")),
    act("chain", "Pull chains from the selected link, or from the root again", ["J"], () => {
      const state = states[settings.focus]!;
      const [link] = linksOf(state.robot, state.selected);
      const name = link === undefined ? "" : state.robot.links[link]!.name;
      state.pullFrom(name === state.chain ? "" : name);
    }),
    act("measure", "Measure the distance between two points", ["D"], () => mode("measure")),
    act("units", "Degrees or radians", ["U"], () => settings.setAngles(settings.angles === "deg" ? "rad" : "deg")),
    { name: "pose.text", title: "Pose as text: copy, paste, save", group: "Poses", keys: ["Q"], run: poseText },
    act("pairs", "Matrix of the pairs of links tested for self-collision", ["Shift+X"], pairs),
    act("clear", "Clear the selection", ["Escape"], () => {
      const sheet = document.querySelector<HTMLDialogElement>("dialog[open]");
      if (sheet) {
        sheet.close();
        return;
      }
      settings.setMode("look");
      states.forEach((state) => state.select(null));
    }),
    act("help", "Show this list", ["?"], help),
  ];
}
