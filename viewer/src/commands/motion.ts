// Commands of the player of a motion.

import type { Settings } from "../settings";
import type { Command } from "./registry";

/** What plays a motion. */
export interface Playing {
  readonly toggle: () => void;
  readonly step: (back: boolean) => void;
}

/** Commands of a page with a motion; ``playing`` is there once the scene is. */
export function motionCommands(settings: Settings, playing: () => Playing): Command[] {
  const act = (name: string, title: string, key: string, run: () => void): Command => ({
    name, title, group: "Actions", keys: [key], run,
  });
  return [
    act("play", "Play or stop the motion or run", " ", () => playing().toggle()),
    act("frame.back", "One frame back", ",", () => playing().step(true)),
    act("frame.next", "One frame on", ";", () => playing().step(false)),
    act("loop", "Play in a loop", "Shift+L", () => settings.setLoop(settings.loop === "on" ? "off" : "on")),
  ];
}
