"""The known word that a wrong one most looks like."""

from __future__ import annotations

import difflib
from collections.abc import Collection

# Comparing takes time with the square of the length and once per known word: names beyond
# these are not slips of the pen.
_LONGEST = 60
_MOST = 1000


def near(word: str, known: Collection[str], cutoff: float = 0.6) -> str:
    """The known word that is most like ``word``; "" when none is, or when it would take long.

    >>> near("lenght", ["length", "radius"])
    'length'
    >>> near("xzy", ["xyz", "rpy"], 0.8)
    'xyz'
    """
    if len(word) > _LONGEST or len(known) > _MOST:
        return ""
    letters = sorted(word)  # letters in another order are the commonest slip of all
    for other in known:
        if len(other) == len(word) and other != word and sorted(other) == letters:
            return other
    found = difflib.get_close_matches(word, [k for k in known if len(k) <= _LONGEST], 1, cutoff)
    return found[0] if found else ""
