// Playback controls of a motion.

import type { Commands } from "../commands/registry";
import type { Motion } from "../motion";
import type { Run } from "../run";
import type { State } from "../state";
import { button, element, icon } from "./dom";

const PLAY = "M5 3.2v9.6l7.6-4.8z";
const STOP = "M4.5 3.5h2.6v9H4.5zM8.9 3.5h2.6v9H8.9z";
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

export interface Player {
  readonly element: HTMLElement;
  /** The current time, in s. */
  now(): number;
  /** Play or stop. */
  toggle(): void;
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
  /** Called after each change of the time. */
  readonly moved: (time: number) => void;
  /** Called when playing begins and ends. */
  readonly busy: (playing: boolean) => void;
}

/** Create a player at the beginning of its motion. */
export function player(state: State, played: Played, commands: Commands, signal: AbortSignal): Player {
  const { motion, run, follow } = played;
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
  const step = (now: number): void => {
    if (before === null || signal.aborted) {
      return;
    }
    const next = time + ((now - before) / 1000) * Number(speed.value);
    before = now;
    seek(next);
    if (next >= end) {
      start(null);
    } else {
      requestAnimationFrame(step);
    }
  };
  const toggle = (): void => {
    start(before === null ? performance.now() : null);
    if (before !== null) {
      // At the end, start over.
      seek(time >= end ? begin : time);
      requestAnimationFrame(step);
    }
  };
  slider.addEventListener("input", () => seek(slider.valueAsNumber));
  seek(begin);
  show();
  const name = element("span", { class: "name", title: motion.data.name }, motion.data.name);
  const parts: HTMLElement[] = [play, slider, text, speed];
  if (follow) {
    const press = button("Follow", { class: "follow", title: "Move the view with the robot" }, () => {
      follow.set(!follow.on);
      press.setAttribute("aria-pressed", String(follow.on));
    });
    press.setAttribute("aria-pressed", String(follow.on));
    parts.push(press);
  }
  const bar = element("div", { class: "player" }, ...parts, name);
  return { element: bar, now: () => time, toggle, stop: () => start(null), seek };
}
