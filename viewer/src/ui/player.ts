// Playback controls of a motion.

import type { Commands } from "../commands/registry";
import type { Motion } from "../motion";
import type { Run } from "../run";
import type { Settings } from "../settings";
import type { State } from "../state";
import { commandButton } from "./command";
import { button, element, icon } from "./dom";

const PLAY = "M5 3.2v9.6l7.6-4.8z";
const BACK = "M11 3.2v9.6L5.6 8zM4 3.5h1.4v9H4z";
const NEXT = "M5 3.2v9.6L10.4 8zM10.6 3.5H12v9h-1.4z";
const LOOP = "M4 6.5a4.2 4.2 0 0 1 7.6-1.6M12 9.5a4.2 4.2 0 0 1-7.6 1.6M11.9 2.2v3h-3M4.1 13.8v-3h3";
const STOP = "M4.5 3.5h2.6v9H4.5zM8.9 3.5h2.6v9H8.9z";
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

export interface Player {
  readonly element: HTMLElement;
  /** The current time, in s. */
  now(): number;
  /** Play or stop. */
  toggle(): void;
  /** Stop, and go to the next row of the motion, or to the one before. */
  step(back: boolean): void;
  /** Stop, if it plays. */
  stop(): void;
  /** Seek to a time, in s. */
  seek(time: number): void;
}

/** Whether the view moves with the robot of a run. */
export interface Follow {
  readonly on: boolean;
  set(on: boolean): void;
}

/** What a player plays: a motion, or that of a run, whose positions are drawn exactly as recorded. */
export interface Played {
  readonly motion: Motion;
  readonly run: Run | null;
  /** Null if there is nothing to follow. */
  readonly follow: Follow | null;
  /** The menu of what is plotted. */
  readonly picker: HTMLElement;
  /** Called after each change of the time. */
  readonly moved: (time: number) => void;
  /** Called when playing begins and ends. */
  readonly busy: (playing: boolean) => void;
}

/** Create a player at the beginning of its motion. */
export function player(state: State, settings: Settings, played: Played, commands: Commands, signal: AbortSignal): Player {
  const { motion, run, follow, picker } = played;
  const [begin, end] = motion.span;
  let time = begin;
  let before: number | null = null;
  const slider = element("input", { type: "range", min: begin, max: end, step: "any", "aria-label": "Time" });
  const text = element("output", { class: "time" });
  const speed = element("select", { "aria-label": "Speed" });
  speed.append(...SPEEDS.map((each) => element("option", { value: each, selected: each === 1 }, `${each}×`)));
  const play = button("", { class: "play", title: "Play or stop (Space)" }, () => commands.run("play"));
  const seek = (wanted: number): void => {
    time = Math.min(end, Math.max(begin, wanted));
    slider.value = String(time);
    slider.style.setProperty("--at", String(end > begin ? (time - begin) / (end - begin) : 0));
    text.textContent = `${time.toFixed(2)} / ${end.toFixed(2)} s`;
    state.moment = time;
    const positions = motion.at(state.mechanism, state.positions, time);
    if (run) {
      state.place(positions);
    } else {
      state.arrange(positions, motion.joints);
    }
    played.moved(time);
  };
  const start = (at: number | null): void => {
    if ((at === null) !== (before === null)) {
      played.busy(at !== null);
    }
    before = at;
    show();
  };
  const show = (): void => {
    play.replaceChildren(icon(before === null ? PLAY : STOP));
    play.setAttribute("aria-label", before === null ? "Play" : "Stop");
  };
  const advance = (now: number): void => {
    if (before === null || signal.aborted) {
      return;
    }
    const next = time + ((now - before) / 1000) * Number(speed.value);
    before = now;
    const again = settings.loop === "on" && end > begin;
    seek(next < end || !again ? next : begin + ((next - end) % (end - begin)));
    if (next >= end && !again) {
      start(null);
    } else {
      requestAnimationFrame(advance);
    }
  };
  const step = (back: boolean): void => {
    start(null);
    seek(motion.next(time, back));
  };
  const toggle = (): void => {
    start(before === null ? performance.now() : null);
    if (before !== null) {
      // At the end, start over.
      seek(time >= end ? begin : time);
      requestAnimationFrame(advance);
    }
  };
  const stepping = (name: string, path: string): HTMLElement => {
    const made = commandButton(commands, name, "", { class: "step", "aria-label": commands.get(name).title });
    made.append(icon(path));
    return made;
  };
  const loop = commandButton(commands, "loop", "", { class: "step loop", "aria-label": "Loop" });
  loop.append(icon(LOOP));
  const press = (): void => loop.setAttribute("aria-pressed", String(settings.loop === "on"));
  settings.on("loop", press);
  press();
  slider.addEventListener("input", () => seek(slider.valueAsNumber));
  seek(begin);
  show();
  const name = element("span", { class: "name", title: motion.data.name }, motion.data.name);
  const parts: HTMLElement[] = [stepping("frame.back", BACK), play, stepping("frame.next", NEXT), slider, text, loop, speed, picker];
  if (follow) {
    const following = button("Follow", { class: "follow", title: "Move the view with the robot" }, () => {
      follow.set(!follow.on);
      following.setAttribute("aria-pressed", String(follow.on));
    });
    following.setAttribute("aria-pressed", String(follow.on));
    parts.push(following);
  }
  const bar = element("div", { class: "player" }, ...parts, name);
  return { element: bar, now: () => time, toggle, step, stop: () => start(null), seek };
}
