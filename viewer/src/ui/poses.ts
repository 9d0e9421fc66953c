// Postures to choose from: the first one, all at zero, those that the model names, any.

import { BASE } from "../mechanism";
import type { State } from "../state";
import { button, element } from "./dom";

/** The menu, and the button that goes back to how the model begins. */
export function posesMenu(state: State): HTMLElement {
  const menu = element("select", { class: "poses", "aria-label": "Pose", title: "Take a pose" });
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
    // The menu says what can be taken, not where the robot is: it may have been moved since.
    menu.value = "";
  });
  const reset = button("Reset", { class: "quiet", title: "Initial pose (R)" }, () => state.reset());
  return element("div", { class: "head-tools" }, menu, reset);
}

/** Every joint at zero, the base where it begins. */
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
