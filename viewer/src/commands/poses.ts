// Commands that pose the robots: the initial pose, zero, random ones, and those of the model.

import { zeros } from "../mechanism";
import type { Settings } from "../settings";
import type { State } from "../state";
import type { Command } from "./registry";

/** Commands for the robot in the panels; "pose.initial" resets all robots. */
export function poseCommands(settings: Settings, states: readonly State[]): Command[] {
  const focused = (): State => states[settings.focus]!;
  const pose = (name: string, title: string, run: () => void, keys: readonly string[] = []): Command => ({
    name, title, group: "Poses", keys, run,
  });
  return [
    // The first robot last: its base determines the other's.
    pose("pose.initial", "Initial pose", () => states.toReversed().forEach((state) => state.reset()), ["R"]),
    pose("pose.zero", "All at zero", () => focused().arrange(atZero(focused()))),
    pose("pose.random", "Random pose", () => focused().random()),
  ];
}

/** All joints at zero, the base at its initial pose. */
function atZero({ mechanism, robot }: State): readonly number[] {
  return robot.joints.reduce(
    (positions, { kind }, joint) => mechanism.with(positions, joint, zeros(kind)),
    robot.start,
  );
}

/** The name of a pose of the model, for people. */
export function poseWords(name: string): string {
  return name === "standard_pose" ? "Standard pose" : name || "unnamed";
}
