// Toolbar of the layers, and the button that fits the view.

import { Pairs } from "../collision";
import { GROUP_WORDS, usedGroups } from "../commands/groups";
import { LAYER_WORDS } from "../commands/layers";
import type { Commands } from "../commands/registry";
import { type Layer, LAYERS, type Settings } from "../settings";
import type { State } from "../state";
import { commandButton } from "./command";
import { element } from "./dom";
import { isWorld } from "../links";

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
      if (layer === "workspace") {
        each.textContent = states.some(({ cloud }) => cloud?.search) ? "Search tree" : LAYER_WORDS[layer][0];
      }
      if (layer === "inertia") {
        each.textContent = !on ? "Inertia" : settings.inertia === "box" ? "Inertia: boxes" : "Inertia: ellipsoids";
      }
    });
  bar.append(
    ...buttons.map(([, each]) => each),
    ...groupButtons(settings, states, commands),
    commandButton(commands, "fit", "Fit", { class: "fit" }),
  );
  settings.on("layers", update);
  states.forEach((state) => state.on("cloud", update));
  update();
  return bar;
}

/** A switch for each group of MJCF, if the model has several. */
function groupButtons(settings: Settings, states: readonly State[], commands: Commands): HTMLElement[] {
  const made = usedGroups(states).map((group) => {
    const each = commandButton(commands, `group.${group}`, String(group), { "data-group": String(group) });
    const update = (): void => {
      const state = settings.groups[group] ?? "on";
      each.setAttribute("aria-pressed", state === "front" ? "mixed" : String(state === "on"));
      each.title = `Shapes of group ${group}: ${GROUP_WORDS[state]}`;
    };
    settings.on("layers", update);
    update();
    return each;
  });
  const all = element("div", { class: "groups", role: "group", "aria-label": "Groups" }, element("span", {}, "Groups"), ...made);
  return made.length ? [all] : [];
}

/** Whether a layer has content, or may get some later. */
function hasAny({ robot }: State, layer: Layer): boolean {
  const { links, joints, devices, frames, loops } = robot;
  switch (layer) {
    case "world":
      return links.some((_, link) => isWorld(robot, link));
    case "sites":
      return robot.sites.length > 0;
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
