// Minimal event emitter.

export class Emitter<Change extends string> {
  readonly #listeners = new Map<Change, (() => void)[]>();

  on(change: Change, listener: () => void): void {
    this.#listeners.set(change, [...(this.#listeners.get(change) ?? []), listener]);
  }

  protected tell(change: Change): void {
    for (const listener of this.#listeners.get(change) ?? []) {
      listener();
    }
  }
}
