// Toolbar of the layers, and the button that fits the view.

import { Pairs } from "../collision";
import { LAYER_WORDS } from "../commands/layers";
import type { Commands } from "../commands/registry";
import { type Layer, LAYERS, type Settings } from "../settings";
import type { State } from "../state";
import { commandButton } from "./command";
import { element } from "./dom";

export function toolbar(
  settings: Settings, states: readonly State[], touches: boolean, commands: Commands,
): HTMLElement {
  const bar = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Layers" });
  const layers = LAYERS.filter((layer) => states.some((state) => hasAny(state, layer)));
  const buttons = layers.map((layer) => {
    const made = commandButton(commands, `layer.${layer}`, LAYER_WORDS[layer][0], { "data-layer": layer });
    return [layer, made] as const;
  });
  const update = (): void =>
    buttons.forEach(([layer, each]) => {
      const on = settings.layers[layer];
      each.hidden =
        (layer === "workspace" && states.every(({ cloud }) => cloud === null)) || (layer === "contacts" && !touches);
      each.setAttribute("aria-pressed", String(on && !each.hidden));
      if (layer === "inertia") {
        each.textContent = !on ? "Inertia" : settings.inertia === "box" ? "Inertia: boxes" : "Inertia: ellipsoids";
      }
    });
  bar.append(...buttons.map(([, each]) => each), commandButton(commands, "fit", "Fit", { class: "fit" }));
  settings.on("layers", update);
  states.forEach((state) => state.on("cloud", update));
  update();
  return bar;
}

/** Whether a layer has content, or may get some later. */
function hasAny({ robot }: State, layer: Layer): boolean {
  const { links, joints, devices, frames, loops } = robot;
  switch (layer) {
    case "axes":
      return joints.length > 0;
    case "mass":
    case "inertia":
      return links.some(({ mass }) => mass > 0);
    case "devices":
      return devices.length > 0;
    case "loops":
      return loops.length > 0;
    case "pairs":
      return new Pairs(robot).count()[0] > 0;
    case "traces":
      return frames.some(({ trace }) => trace);
    default:
      return true;
  }
}
