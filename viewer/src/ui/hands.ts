// Card of the hands: what a drag does, and the link from which chains are pulled.

import type { Settings } from "../settings";
import type { State } from "../state";
import { element } from "./dom";

/** The card of one robot, shown while links are dragged; ``act`` makes a step of the history. */
export function handsCard(state: State, robot: number, settings: Settings, act: (title: string, run: () => void) => void): HTMLElement {
  const { links, order } = state.robot;
  const names = order.map((link) => links[link]!.name);
  const select = element("select", { class: "chain", "aria-label": "Root of pulled chains" });
  select.append(element("option", { value: "" }, "the robot's root"), ...names.map((name) => element("option", { value: name }, name)));
  select.addEventListener("change", () => act("Root of chains", () => state.pullFrom(select.value)));
  const card = element(
    "section", { class: "card hands", "aria-label": "Drag" },
    element("header", {}, element("h2", {}, element("strong", {}, "Drag"))),
    element("p", {}, "A drag turns the joint of a link."),
    element("label", {}, element("span", {}, "Shift-drag pulls the chain from"), select),
  );
  const update = (): void => {
    card.hidden = settings.mode !== "grab" || settings.focus !== robot;
    select.value = names.includes(state.chain) ? state.chain : "";
  };
  state.on("chain", update);
  settings.on("mode", update);
  settings.on("focus", update);
  update();
  return card;
}
