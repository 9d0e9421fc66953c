// Playback controls of a motion.

import type { Motion } from "../motion";
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
  /** Seek to a time, in s. */
  seek(time: number): void;
}

/** Create a player at a time (in s), or at the beginning. */
export function player(state: State, motion: Motion, at: number | null, signal: AbortSignal): Player {
  const [begin, end] = motion.span;
  let time = begin;
  let before: number | null = null;
  const slider = element("input", { type: "range", min: begin, max: end, step: "any", "aria-label": "Time" });
  const text = element("output", { class: "time" });
  const speed = element("select", { "aria-label": "Speed" });
  speed.append(...SPEEDS.map((each) => element("option", { value: each, selected: each === 1 }, `${each}×`)));
  const play = button("", { class: "play", title: "Play or stop (Space)" }, () => toggle());
  const seek = (wanted: number): void => {
    time = Math.min(end, Math.max(begin, wanted));
    slider.value = String(time);
    slider.style.setProperty("--at", String(end > begin ? (time - begin) / (end - begin) : 0));
    text.textContent = `${time.toFixed(2)} / ${end.toFixed(2)} s`;
    state.arrange(motion.at(state.mechanism, state.positions, time), motion.joints);
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
      before = null;
      show();
    } else {
      requestAnimationFrame(step);
    }
  };
  const toggle = (): void => {
    before = before === null ? performance.now() : null;
    if (before !== null) {
      // At the end, start over.
      seek(time >= end ? begin : time);
      requestAnimationFrame(step);
    }
    show();
  };
  slider.addEventListener("input", () => seek(slider.valueAsNumber));
  seek(at ?? begin);
  show();
  const name = element("span", { class: "name", title: motion.data.name }, motion.data.name);
  const bar = element("div", { class: "player" }, play, slider, text, speed, name);
  return { element: bar, now: () => time, toggle, seek };
}
