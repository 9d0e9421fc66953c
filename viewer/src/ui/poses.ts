// Menu of poses: initial, zero, named postures, random.

import { poseWords } from "../commands/poses";
import type { Commands } from "../commands/registry";
import type { State } from "../state";
import { commandButton } from "./command";
import { element } from "./dom";

/** Create the menu and the reset button. */
export function posesMenu(state: State, commands: Commands): HTMLElement {
  const menu = element("select", { class: "poses", "aria-label": "Pose", title: "Select a pose" });
  const acts = new Map<string, () => void>([
    ["Initial pose", () => commands.run("pose.initial")],
    ["All at zero", () => commands.run("pose.zero")],
    ...state.robot.poses.map(({ name }, index): [string, () => void] => [poseWords(name), () => state.posture(index)]),
    ["Random pose", () => commands.run("pose.random")],
  ]);
  menu.append(element("option", { value: "", hidden: true, selected: true }, "Pose"));
  menu.append(...[...acts.keys()].map((name) => element("option", { value: name }, name)));
  menu.addEventListener("change", () => {
    acts.get(menu.value)?.();
    // The menu offers poses and does not show the current one, which may have been changed since.
    menu.value = "";
  });
  const reset = commandButton(commands, "pose.initial", "Reset", { class: "quiet" });
  return element("div", { class: "head-tools" }, menu, reset);
}
