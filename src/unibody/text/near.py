"""The known word that was probably meant by an unknown one, and the sentence that proposes it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

# Limits on the length of words and their number: a comparison is quadratic in the length.
_LONGEST = 60
_MOST = 1000
# Words with a greater similarity differ by a slip of the pen.
_ALIKE = 0.75

_T = TypeVar("_T")


def near(word: str, known: Collection[str], cutoff: float = 0.6) -> str:
    """The known word most similar to ``word``; "" if none is similar, or beyond the limits.

    >>> near("lenght", ["length", "radius"])
    'length'
    >>> near("XYZ", ["xyz", "rpy"])
    'xyz'
    >>> near("xzy", ["xyz", "rpy"], 0.8)
    'xyz'
    >>> near("hand_link", ["base_link", "hand"])
    'hand'
    """
    if len(word) > _LONGEST or len(known) > _MOST:
        return ""
    for other in known:
        if other != word and other.lower() == word.lower():
            return other
    letters = sorted(word)  # swapped letters are the most common mistake
    for other in known:
        if len(other) == len(word) and other != word and sorted(other) == letters:
            return other
    import difflib  # only for the hints of findings

    found = difflib.get_close_matches(word, [k for k in known if len(k) <= _LONGEST], 1, cutoff)
    if not found or difflib.SequenceMatcher(None, word, found[0]).ratio() >= _ALIKE:
        return found[0] if found else ""
    # a word too many is likelier than another word with the same ending
    shorter = [k for k in known if len(k) > 2 and word.lower().startswith(f"{k.lower()}_")]
    return max(shorter, key=len) if shorter else found[0]


def did_you_mean(alike: str, otherwise: str = "") -> str:
    """The hint of a finding about an unknown word: the word that ``near`` found, else ``otherwise``.

    >>> did_you_mean("length"), did_you_mean("", "declare the field")
    ("did you mean 'length'?", 'declare the field')
    """
    return f"did you mean '{alike}'?" if alike else otherwise


def suggestion(word: str, known: Collection[str], otherwise: str = "") -> str:
    """The end of a message about an unknown word: the known one that is most similar, else ``otherwise``.

    >>> suggestion("chest", ["CHEST", "chesty"])
    "; did you mean 'CHEST'?"
    """
    hint = did_you_mean(near(word, known), otherwise)
    return f"; {hint}" if hint else ""


def named(names: str | Iterable[str], known: Mapping[str, _T], what: str) -> tuple[_T, ...]:
    """The values of names, separated by commas in a text, each once; ValueError for an unknown name.

    >>> named("b, a", {"a": 1, "b": 2}, "letter")
    (2, 1)
    """
    words = names.split(",") if isinstance(names, str) else names
    found = []
    for word in (word.strip() for word in words):
        if word not in known:
            hint = suggestion(word, known, f"known {what}s: {', '.join(known)}")
            raise ValueError(f"unknown {what} '{word}'{hint}")
        found.append(known[word])
    return tuple(dict.fromkeys(found))
