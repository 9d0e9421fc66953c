// Minimal event emitter.

export class Emitter<Change extends string> {
  readonly #listeners = new Map<Change, readonly (() => void)[]>();

  /** Call a listener after each change, until the signal is aborted. */
  on(change: Change, listener: () => void, signal?: AbortSignal): void {
    this.#listeners.set(change, [...(this.#listeners.get(change) ?? []), listener]);
    signal?.addEventListener("abort", () =>
      this.#listeners.set(change, this.#listeners.get(change)!.filter((each) => each !== listener)),
    );
  }

  protected tell(change: Change): void {
    for (const listener of this.#listeners.get(change) ?? []) {
      listener();
    }
  }
}
