"""Regular expressions of typos, for schemas, which can reject a key but cannot search for similar ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# Characters that are literal in every dialect of regular expressions.
_PLAIN = re.compile(r"[\w-]+")


def no_slip(words: Sequence[str], known: Collection[str]) -> str:
    """A pattern of all texts except those within one typo of a word: a character replaced, missing,
    added, or swapped with the next. Words consist of letters, digits, _; ``known`` words are not typos.

    >>> import re
    >>> pattern = no_slip(["radius"], ["radius", "radios"])
    >>> [bool(re.search(pattern, word)) for word in ("radius", "radios", "colour", "raduis", "radiu")]
    [True, True, True, False, False]
    """
    slips = "|".join(map(_slips, words))
    found = re.compile(f"^(?:{slips})$")
    spared = sorted(word for word in known if found.search(word) and _PLAIN.fullmatch(word))
    return f"^(?!(?:{slips})$)|^(?:{'|'.join(spared)})$" if spared else f"^(?!(?:{slips})$)"


def _slips(word: str) -> str:
    """A pattern of a word and its typos; branches share their common prefix."""
    out = "."  # an additional character at the end
    for i in range(len(word) - 1, -1, -1):
        here, rest = word[i], word[i + 1 :]
        swapped = f"|{rest[0]}{here}{rest[1:]}" if rest and rest[0] != here else ""
        out = f"{here}(?:{out})|.?{rest}|.{here}{rest}{swapped}"
    return out
