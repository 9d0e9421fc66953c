// Finds links that touch, and their distances, beside the page: in a worker, or between frames without one.

import type { Pose } from "./pose";
import { type Gap, type LinkPair, type Supply, type Touch, Touches } from "./touch";

/** What a worker is asked: the shapes first, then poses with a number. */
export type Question =
  | { readonly supply: Supply; readonly first: readonly Pose[] }
  | { readonly number: number; readonly poses: readonly Pose[]; readonly within: number };

/** What it answers: what touches at the first pose; what touches at poses, then what is near. */
export type Answer =
  | { readonly initial: readonly LinkPair[] }
  | { readonly number: number; readonly touches: readonly Touch[] }
  | { readonly number: number; readonly gaps: readonly Gap[] };

// How long the answering goes on before newer questions are looked at, in ms.
const SHARE = 10;
// How many near pairs are told.
const MOST = 10;

/** Answers questions; newer ones end the search for what is near. */
export class Answerer {
  #touches: Touches | null = null;
  #latest = 0;

  constructor(private readonly tell: (answer: Answer) => void) {}

  async ask(question: Question): Promise<void> {
    if ("supply" in question) {
      this.#touches = new Touches(question.supply);
      this.tell({ initial: this.#touches.at(question.first).map(({ pair }) => pair) });
      return;
    }
    const { number, poses, within } = question;
    const touches = this.#touches!;
    this.#latest = number;
    const found = touches.at(poses);
    this.tell({ number, touches: found });
    const gaps: Gap[] = [];
    let begin = performance.now();
    for (const pair of touches.close(poses, within, found)) {
      if (performance.now() - begin > SHARE) {
        await new Promise((done) => setTimeout(done));
        if (this.#latest !== number) {
          return;
        }
        begin = performance.now();
      }
      const gap = touches.gap(pair, poses, within);
      if (gap) {
        gaps.push(gap);
      }
    }
    this.tell({ number, gaps: gaps.sort((a, b) => a.distance - b.distance).slice(0, MOST) });
  }
}

export interface Told {
  readonly initial: (pairs: readonly LinkPair[]) => void;
  readonly touches: (touches: readonly Touch[]) => void;
  readonly gaps: (gaps: readonly Gap[]) => void;
}

/** Asks a worker about the latest poses; those in between are left out while it is at work. */
export class Toucher {
  readonly #worker: Worker | null;
  readonly #answerer: Answerer | null;
  #number = 0;
  #isBusy = false;
  #isDone = true;
  #next: readonly Pose[] | null = null;
  readonly #waiting: { readonly all: boolean; readonly done: () => void }[] = [];

  constructor(supply: Supply, first: readonly Pose[], private readonly within: () => number, make: () => Worker, private readonly told: Told) {
    this.#worker = made(make);
    this.#answerer = this.#worker ? null : new Answerer((answer) => this.#take(answer));
    this.#worker?.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#take(data));
    this.#ask({ supply, first }, [...supply.meshes.values()].flatMap(({ vertices, indices }) => [vertices.buffer, indices.buffer]));
  }

  /** Find what touches at these poses. */
  at(poses: readonly Pose[]): void {
    this.#isDone = false;
    if (this.#isBusy) {
      this.#next = poses;
      return;
    }
    this.#isBusy = true;
    this.#next = null;
    this.#ask({ number: ++this.#number, poses, within: this.within() });
  }

  /** Resolves when it is known what touches at the latest poses; with ``all`` also what is near. */
  async settled(all = false): Promise<void> {
    if (this.#isBusy || (all && !this.#isDone)) {
      await new Promise<void>((done) => this.#waiting.push({ all, done }));
    }
  }

  end(): void {
    this.#worker?.terminate();
  }

  #ask(question: Question, buffers: ArrayBufferLike[] = []): void {
    if (this.#worker) {
      this.#worker.postMessage(question, buffers as ArrayBuffer[]);
    } else {
      setTimeout(() => void this.#answerer!.ask(question));
    }
  }

  #take(answer: Answer): void {
    if ("initial" in answer) {
      this.told.initial(answer.initial);
    } else if (answer.number === this.#number && "touches" in answer) {
      this.#isBusy = false;
      this.told.touches(answer.touches);
      if (this.#next) {
        this.at(this.#next);
      }
    } else if (answer.number === this.#number && "gaps" in answer && !this.#isBusy) {
      this.#isDone = true;
      this.told.gaps(answer.gaps);
    }
    if (!this.#isBusy) {
      const ready = this.#waiting.filter(({ all }) => !all || this.#isDone);
      ready.forEach((each) => this.#waiting.splice(this.#waiting.indexOf(each), 1));
      ready.forEach(({ done }) => done());
    }
  }
}

/** A worker; null where none can be made. */
function made(make: () => Worker): Worker | null {
  try {
    return make();
  } catch {
    return null;
  }
}
