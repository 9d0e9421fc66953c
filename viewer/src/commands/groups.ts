// Commands that switch the groups of MJCF, and the way in which mesh files are turned.

import type { RobotData } from "../model";
import type { GroupState, Meshes, Settings } from "../settings";
import type { State } from "../state";
import type { Command } from "./registry";

/** What each state of a group shows. */
export const GROUP_WORDS: Readonly<Record<GroupState, string>> = {
  on: "shown",
  off: "hidden",
  front: "shown but those that collide beside shapes that are only seen",
};

/** The groups of shapes and sites of robots; none if all are in the first one. */
export function usedGroups(states: readonly State[]): number[] {
  const shapes = grouped(states);
  const used = [...new Set(shapes.map(({ group = 0 }) => group))].sort((a, b) => a - b);
  return used.some((group) => group > 0) || shapes.some(({ behind }) => behind) ? used : [];
}

/** A switch for each group, named "group.0", … */
export function groupCommands(settings: Settings, states: readonly State[]): Command[] {
  const shapes = grouped(states);
  return usedGroups(states).map((group) => {
    const hasBehind = shapes.some((shape) => (shape.group ?? 0) === group && shape.behind);
    return {
      name: `group.${group}`,
      title: `Shapes of group ${group}`,
      group: "Layers",
      keys: [],
      run: () => settings.nextGroup(group, hasBehind),
    };
  });
}

function grouped(states: readonly State[]): readonly { group?: number; behind?: boolean }[] {
  return states.flatMap(({ robot }) => [...robot.shapes.visual, ...robot.sites]);
}

/** The words of the ways to turn meshes, and what they do. */
export const MESHES: Readonly<Record<Meshes, readonly [label: string, title: string]>> = {
  read: ["Meshes: as read", "Mesh files as most programs read them"],
  stated: ["Meshes: as stated", "Mesh files with the up axis that they state"],
  y: ["Meshes: Y up", "Mesh files as if all had Y up"],
};

/** The ways to turn the meshes of robots that make a difference; one if there is no choice. */
export function meshWays(robots: readonly RobotData[]): Meshes[] {
  const shapes = robots.flatMap(({ shapes: { visual, collision } }) => [...visual, ...collision]);
  const turns = shapes.flatMap(({ turn }) => (turn ? [turn] : []));
  const states = turns.some(([stated]) => stated > 0);
  const isAxes = turns.some(([stated, y]) => stated !== y);
  return ["read", ...(states ? ["stated" as const] : []), ...(isAxes ? ["y" as const] : [])];
}

/** A switch through the ways to turn meshes that make a difference. */
export function meshCommands(settings: Settings, robots: readonly RobotData[]): Command[] {
  const ways = meshWays(robots);
  const next = (): Meshes => ways[(ways.indexOf(settings.meshes) + 1) % ways.length]!;
  return ways.length < 2
    ? []
    : [{
        name: "meshes", title: "Turn mesh files in another way", group: "View", keys: [],
        run: () => settings.setMeshes(next()),
      }];
}
