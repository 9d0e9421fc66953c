// Toolbar of the layers, and the button that fits the view.

import { Pairs } from "../collision";
import { isWorld } from "../links";
import { type Layer, LAYERS, type Settings } from "../settings";
import type { State } from "../state";
import { button, element } from "./dom";

const NAMES: Readonly<Record<Layer, readonly [label: string, title: string, key: string]>> = {
  visual: ["Visual", "Visual shapes", "V"],
  collision: ["Collision", "Collision shapes", "C"],
  world: ["World", "What stands around the robot", "O"],
  sites: ["Sites", "Sites of MJCF", "E"],
  frames: ["Frames", "Link frames and named frames", "F"],
  axes: ["Axes", "Joint axes and limits", "A"],
  mass: ["Mass", "Centers of mass", "M"],
  inertia: ["Inertia", "Inertia as boxes, then as ellipsoids", "I"],
  devices: ["Devices", "Sensors and lights", "S"],
  loops: ["Loops", "Closed loops and their gaps", "L"],
  traces: ["Traces", "Paths of the trace frames", "P"],
  contacts: ["Contacts", "Contact forces of a run", "K"],
  workspace: ["Workspace", "Reachable points of a link", "W"],
  pairs: ["Pairs", "Links in collision at this pose, in red", "X"],
};

export function toolbar(
  settings: Settings, states: readonly State[], touches: boolean, fit: () => void,
): HTMLElement {
  const bar = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Layers" });
  const layers = LAYERS.filter((layer) => states.some((state) => hasAny(state, layer)));
  const buttons = layers.map((layer) => {
    const [label, title, key] = NAMES[layer];
    const attributes = { title: `${title} (${key})`, "data-layer": layer };
    return [layer, button(label, attributes, () => toggle(settings, layer))] as const;
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
  bar.append(...buttons.map(([, each]) => each), ...groupButtons(settings, states), button("Fit", { class: "fit", title: "Fit the view (0)" }, fit));
  settings.on("layers", update);
  states.forEach((state) => state.on("cloud", update));
  update();
  return bar;
}

/** A switch for each group of MJCF, if the model has several. */
function groupButtons(settings: Settings, states: readonly State[]): HTMLElement[] {
  const shapes = states.flatMap(({ robot }) => [...robot.shapes.visual, ...robot.sites]);
  const used = [...new Set(shapes.map(({ group = 0 }) => group))].sort((a, b) => a - b);
  if (used.length < 2 && !used.some((group) => group > 0) && !shapes.some(({ behind }) => behind)) {
    return [];
  }
  const made = used.map((group) => {
    const hasBehind = shapes.some((shape) => (shape.group ?? 0) === group && shape.behind);
    const each = button(String(group), { "data-group": group }, () => settings.nextGroup(group, hasBehind));
    const update = (): void => {
      const state = settings.groups[group] ?? "on";
      each.setAttribute("aria-pressed", state === "front" ? "mixed" : String(state === "on"));
      each.title = `Shapes of group ${group}: ${GROUP_WORDS[state]}`;
    };
    settings.on("layers", update);
    update();
    return each;
  });
  return [element("div", { class: "groups", role: "group", "aria-label": "Groups" }, element("span", {}, "Groups"), ...made)];
}

const GROUP_WORDS = {
  on: "shown",
  off: "hidden",
  front: "shown but those that collide beside shapes that are only seen",
} as const;

/** The layer of a key, if any. */
export function layerOf(key: string): Layer | undefined {
  return LAYERS.find((layer) => NAMES[layer][2].toLowerCase() === key);
}

/** Keys and layers, for the help dialog. */
export function layerKeys(): [key: string, text: string][] {
  return LAYERS.map((layer) => [NAMES[layer][2], NAMES[layer][1]]);
}

export function toggle(settings: Settings, layer: Layer): void {
  if (layer === "inertia") {
    settings.nextInertia();
  } else {
    settings.show(layer, !settings.layers[layer]);
  }
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
