// Menu of poses: initial, zero, named postures, random.

import { poseWords } from "../commands/poses";
import type { Commands } from "../commands/registry";
import { restorePose } from "../snapshot";
import type { State } from "../state";
import { commandButton } from "./command";
import { button, element } from "./dom";

/** Create the menu and the reset button. */
export function posesMenu(state: State, commands: Commands): HTMLElement {
  const menu = element("select", { class: "poses", "aria-label": "Pose", title: "Select a pose" });
  let acts: ReadonlyMap<string, () => void> = new Map();
  const fill = (): void => {
    const { poses } = state.robot;
    acts = new Map<string, () => void>([
      ["Initial pose", () => commands.run("pose.initial")],
      ["All at zero", () => commands.run("pose.zero")],
      ...poses.map(({ name }, index): [string, () => void] => [poseWords(name), () => commands.act(poseWords(name), () => state.posture(index))]),
      ...state.kept.map((pose): [string, () => void] => [pose.name, () => commands.act(pose.name, () => restorePose(state, pose))]),
      ["Random pose", () => commands.run("pose.random")],
    ]);
    menu.replaceChildren(
      element("option", { value: "", hidden: true, selected: true }, "Pose"),
      ...[...acts.keys()].map((name) => element("option", { value: name }, name)),
    );
  };
  state.on("kept", fill);
  fill();
  menu.addEventListener("change", () => {
    acts.get(menu.value)?.();
    // The menu offers poses and does not show the current one, which may have been changed since.
    menu.value = "";
  });
  const text = button("Copy…", { class: "quiet", title: "Pose as text: copy, paste, save (Q)", "data-open": "pose" }, () => commands.run("pose.text"));
  const reset = commandButton(commands, "pose.initial", "Reset", { class: "quiet" });
  return element("div", { class: "head-tools" }, menu, text, reset);
}
