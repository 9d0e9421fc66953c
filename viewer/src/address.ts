// State of the page kept in the fragment of its address, so that it survives a reload.

/** The value stored under a name, if it is one of ``words``; else null. */
export function noted<T extends string>(name: string, words: readonly T[]): T | null {
  const found = new URLSearchParams(location.hash.slice(1)).get(name);
  return words.find((word) => word === found) ?? null;
}

/** Store a value under a name; null removes it. */
export function note(name: string, word: string | null): void {
  const all = new URLSearchParams(location.hash.slice(1));
  if (word === null) {
    all.delete(name);
  } else {
    all.set(name, word);
  }
  try {
    history.replaceState(null, "", all.size ? `#${all}` : location.pathname + location.search);
  } catch {
    // The page in a notebook cell has no address of its own.
  }
}
