// Records what changes on a page as steps of its history: a gesture, such as a drag of a slider, is one step.

import type { History } from "./history";
import { sameButView, sameSnapshot, type Snapshot } from "./snapshot";

// Moves of the view within this time are one step, in ms.
const SOON = 800;

/** How a page is captured, and put back into a state. */
export interface Subject {
  readonly capture: () => Snapshot;
  readonly apply: (snapshot: Snapshot) => void;
}

export class Recorder {
  #now: Snapshot;
  #label = "";
  #waiting = false;
  /** Whether what was changed last was changed by a call that has ended. */
  #ended = true;
  #applying = false;
  /** The time of the last step that only moved the view. */
  #viewed = -Infinity;
  readonly #holds = new Set<unknown>();

  constructor(
    private readonly subject: Subject,
    readonly history: History<Snapshot>,
    /** Called with the state after each change. */
    private readonly settled: (snapshot: Snapshot) => void,
  ) {
    this.#now = subject.capture();
  }

  /** The present state, as it was last recorded. */
  get now(): Snapshot {
    return this.#now;
  }

  /**
   * Something is about to be done that is a step of its own, apart from what was done before it. Timers of a loaded
   * machine come late: without this call, steps that follow each other at once would be one.
   */
  begin(label = ""): void {
    if (this.#waiting && this.#ended && !this.#holds.size && !this.#applying) {
      this.commit();
    }
    if (label) {
      this.touch(label);
    }
  }

  /** Something has changed; ``label`` says what was done. */
  touch(label = ""): void {
    if (this.#applying) {
      return;
    }
    this.#label ||= label;
    this.#ended = false;
    queueMicrotask(() => (this.#ended = true));
    if (!this.#waiting) {
      this.#waiting = true;
      setTimeout(() => {
        this.#waiting = false;
        if (!this.#holds.size) {
          this.commit();
        }
      });
    }
  }

  /** Hold steps back while a gesture lasts. */
  hold(by: unknown): void {
    if (!this.#holds.size) {
      this.commit();
    }
    this.#holds.add(by);
  }

  /** End a gesture. */
  release(by: unknown): void {
    if (this.#holds.delete(by) && !this.#holds.size) {
      this.touch();
    }
  }

  /** Make a step of what has changed. */
  commit(): void {
    const [before, after] = [this.#now, this.subject.capture()];
    const label = this.#label;
    this.#label = "";
    if (sameSnapshot(before, after)) {
      return;
    }
    this.#now = after;
    const views = sameButView(before, after);
    const at = performance.now();
    if (views && at - this.#viewed < SOON) {
      this.history.extend(after);
    } else {
      this.history.push({ label: label || (views ? "Move the view" : "Change"), before, after });
    }
    this.#viewed = views ? at : -Infinity;
    this.settled(after);
  }

  undo(): void {
    this.commit();
    this.#go(this.history.undo());
  }

  redo(): void {
    this.commit();
    this.#go(this.history.redo());
  }

  /** Take the present state as it is, without a step. */
  rebase(): void {
    this.#label = "";
    this.#now = this.subject.capture();
    this.settled(this.#now);
  }

  /** Go to a state as one step. */
  enter(label: string, snapshot: Snapshot): void {
    this.commit();
    this.subject.apply(snapshot);
    this.touch(label);
    this.commit();
  }

  #go(snapshot: Snapshot | null): void {
    if (snapshot) {
      this.#applying = true;
      try {
        this.subject.apply(snapshot);
      } finally {
        this.#applying = false;
      }
      this.#now = this.subject.capture();
      this.#viewed = -Infinity;
      this.settled(this.#now);
    }
  }
}

/** Hold steps back while a button of the pointer or a key is down, until the signal is aborted. */
export function holdGestures(recorder: Recorder, signal: AbortSignal): void {
  const on = (type: string, act: (event: Event) => void): void =>
    window.addEventListener(type, act, { signal, capture: true });
  on("pointerdown", () => recorder.hold("pointer"));
  for (const end of ["pointerup", "pointercancel", "dragend"]) {
    on(end, () => recorder.release("pointer"));
  }
  // That of the window: a press also takes the focus from what has it.
  on("blur", ({ target }) => target === window && ["pointer", "key"].forEach((by) => recorder.release(by)));
  // A key that is held down repeats.
  on("keydown", (event) => ((event as KeyboardEvent).repeat ? recorder.hold("key") : recorder.begin()));
  on("keyup", () => recorder.release("key"));
}
