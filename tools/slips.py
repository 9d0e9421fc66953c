"""Slips of the pen as a regular expression, for schemas: they can refuse a key, but not look for
a like one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# What can stand in a regular expression for itself, in every dialect.
_PLAIN = re.compile(r"[\w-]+")


def no_slip(words: Sequence[str], known: Collection[str]) -> str:
    """A pattern of all texts but those one slip away from a word: a letter wrong, missing, too
    many, or swapped with the next. Words are of letters, digits, _; those that are known are no slips.

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
    """All slips of a word, and the word: each branch shares what stands before its slip."""
    out = "."  # a letter too many at the end
    for i in range(len(word) - 1, -1, -1):
        here, rest = word[i], word[i + 1 :]
        swapped = f"|{rest[0]}{here}{rest[1:]}" if rest and rest[0] != here else ""
        out = f"{here}(?:{out})|.?{rest}|.{here}{rest}{swapped}"
    return out
