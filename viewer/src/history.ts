// The history of a page: what was done, to be undone and done again.

import { Emitter } from "./events";

// Most steps that are kept.
const MOST = 500;

/** One step: what it is called, and the states around it. */
export interface Step<T> {
  readonly label: string;
  readonly before: T;
  readonly after: T;
}

export class History<T> extends Emitter<"changed"> {
  #done: Step<T>[] = [];
  #undone: Step<T>[] = [];

  /** The step that undo takes back. */
  get last(): Step<T> | undefined {
    return this.#done.at(-1);
  }

  /** The step that redo does again. */
  get next(): Step<T> | undefined {
    return this.#undone.at(-1);
  }

  /** Add a step; what was undone can no longer be done again. */
  push(step: Step<T>): void {
    this.#done = [...this.#done, step].slice(-MOST);
    this.#undone = [];
    this.tell("changed");
  }

  /** Let the last step end in another state. */
  extend(after: T): void {
    const { last } = this;
    if (last) {
      this.#done[this.#done.length - 1] = { ...last, after };
      this.#undone = [];
      this.tell("changed");
    }
  }

  /** Take back the last step; the state before it, null if there is none. */
  undo(): T | null {
    const step = this.#done.pop();
    if (!step) {
      return null;
    }
    this.#undone.push(step);
    this.tell("changed");
    return step.before;
  }

  /** Do a step again; the state after it, null if there is none. */
  redo(): T | null {
    const step = this.#undone.pop();
    if (!step) {
      return null;
    }
    this.#done.push(step);
    this.tell("changed");
    return step.after;
  }
}
