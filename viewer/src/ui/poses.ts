// Menu of poses: initial, zero, named postures, random.

import { BASE } from "../mechanism";
import type { State } from "../state";
import { button, element } from "./dom";

/** Create the menu and the reset button. */
export function posesMenu(state: State): HTMLElement {
  const menu = element("select", { class: "poses", "aria-label": "Pose", title: "Select a pose" });
  const acts = new Map<string, () => void>([
    ["Initial pose", () => state.reset()],
    ["All at zero", () => state.arrange(atZero(state))],
    ...state.robot.poses.map(({ name }, index): [string, () => void] => [named(name), () => state.posture(index)]),
    ["Random pose", () => state.random()],
  ]);
  menu.append(element("option", { value: "", hidden: true, selected: true }, "Pose"));
  menu.append(...[...acts.keys()].map((name) => element("option", { value: name }, name)));
  menu.addEventListener("change", () => {
    acts.get(menu.value)?.();
    // The menu offers poses and does not show the current one, which may have been changed since.
    menu.value = "";
  });
  const reset = button("Reset", { class: "quiet", title: "Initial pose (R)" }, () => state.reset());
  return element("div", { class: "head-tools" }, menu, reset);
}

/** All joints at zero, the base at its initial pose. */
function atZero({ mechanism, robot }: State): readonly number[] {
  let positions = robot.start;
  robot.joints.forEach((joint, index) => {
    const [from, to] = mechanism.range(index);
    if (index !== BASE && to > from) {
      const turn = joint.kind === "ball" || joint.kind === "free" ? [1, 0, 0, 0] : [];
      const zeros = Array.from({ length: to - from - turn.length }, () => 0);
      positions = mechanism.with(positions, index, [...zeros, ...turn]);
    }
  });
  return positions;
}

function named(name: string): string {
  return name === "standard_pose" ? "Standard pose" : name || "unnamed";
}
