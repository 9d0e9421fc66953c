// What is shown: one switch per layer, and the button that brings everything into view.

import { type Layer, LAYERS, type State } from "../state";
import { element } from "./dom";

const NAMES: Readonly<Record<Layer, readonly [label: string, key: string]>> = {
  visual: ["Visual", "V"],
  collision: ["Collision", "C"],
  frames: ["Frames", "F"],
  mass: ["Centre of mass", "M"],
};

export function toolbar(state: State, fit: () => void): HTMLElement {
  const bar = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Show" });
  const buttons = LAYERS.map((layer) => {
    const [label, key] = NAMES[layer];
    const button = element("button", { type: "button", title: `${label} (${key})`, "data-layer": layer }, label);
    button.addEventListener("click", () => state.show(layer, !state.layers[layer]));
    return [layer, button] as const;
  });
  const update = (): void =>
    buttons.forEach(([layer, button]) => button.setAttribute("aria-pressed", String(state.layers[layer])));
  const all = element("button", { type: "button", class: "fit", title: "Show all of it (0)" }, "Fit");
  all.addEventListener("click", fit);
  bar.append(...buttons.map(([, button]) => button), all);
  state.on("layers", update);
  update();
  return bar;
}

/** The layer of a key, if it has one. */
export function layerOf(key: string): Layer | undefined {
  return LAYERS.find((layer) => NAMES[layer][1].toLowerCase() === key);
}
