// Parts that are created when they are first shown: a robot with a thousand joints opens at once.

import type { Object3D } from "three";
import type { Part } from "./part";
import type { Theme } from "./theme";

export class Lazy implements Part {
  #part: Part | null = null;
  #theme: Theme | null = null;
  #size: number | null = null;

  /** ``make`` is called once, as soon as ``wanted`` is true. */
  constructor(
    private readonly wanted: () => boolean,
    private readonly make: () => Part,
  ) {
    this.layers();
  }

  pose(): void {
    this.#part?.pose?.();
  }

  layers(): void {
    if (this.#part) {
      this.#part.layers?.();
    } else if (this.wanted()) {
      const part = this.make();
      this.#part = part;
      if (this.#theme) {
        part.theme?.(this.#theme);
      }
      if (this.#size !== null) {
        part.scale?.(this.#size);
      }
    }
  }

  light(): void {
    this.#part?.light?.();
  }

  theme(theme: Theme): void {
    this.#theme = theme;
    this.#part?.theme?.(theme);
  }

  scale(size: number): void {
    this.#size = size;
    this.#part?.scale?.(size);
  }

  targets(): Object3D[] {
    return this.#part?.targets?.() ?? [];
  }
}
