// What stays with the page's address, behind its #: a reload finds it again.

/** What was noted under a name, if it is one of these words. */
export function noted<T extends string>(name: string, words: readonly T[]): T | null {
  const found = new URLSearchParams(location.hash.slice(1)).get(name);
  return words.find((word) => word === found) ?? null;
}

/** Note a word under a name, or (null) nothing any more. */
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
    // A cell of a notebook has no address of its own.
  }
}
