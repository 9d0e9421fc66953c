// Commands that switch the layers.

import { type Layer, LAYERS, type Settings } from "../settings";
import type { Command } from "./registry";

/** The label of each layer in the toolbar, what it shows, and its key. */
export const LAYER_WORDS: Readonly<Record<Layer, readonly [label: string, title: string, key: string]>> = {
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
  pairs: ["Collisions", "Links in collision at this pose, in red", "X"],
  labels: ["Labels", "Names of the links", "N"],
  grid: ["Grid", "Grid on the ground", "#"],
};

/** A switch for each layer, named "layer.visual", … */
export function layerCommands(settings: Settings): Command[] {
  return LAYERS.map((layer) => ({
    name: `layer.${layer}`,
    title: LAYER_WORDS[layer][1],
    group: "Layers",
    keys: [LAYER_WORDS[layer][2]],
    run: () => (layer === "inertia" ? settings.nextInertia() : settings.show(layer, !settings.layers[layer])),
  }));
}
