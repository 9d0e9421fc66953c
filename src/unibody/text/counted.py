"""Numbers and lists of things in words."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "file"), counted(2, "file"), counted(2, "switch")
    ('1 file', '2 files', '2 switches')
    """
    ending = "es" if noun.endswith(("ch", "sh", "x")) else "s"
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{ending}"


def and_more(count: int, noun: str = "") -> str:
    """The last words of a list of which ``count`` items are not shown; "" if all are.

    >>> and_more(3), and_more(1, "pair"), and_more(0)
    ('and 3 more', 'and 1 more pair', '')
    """
    if count <= 0:
        return ""
    return f"and {counted(count, f'more {noun}')}" if noun else f"and {count} more"


def listed(words: Iterable[str], most: int, noun: str = "", separator: str = ", ") -> str:
    """The first ``most`` words in one line, and how many are left out.

    >>> listed(["WAIST", "CHEST"], 5), listed("abcd", 2), listed("abcd", 2, "link")
    ('WAIST, CHEST', 'a, b, and 2 more', 'a, b, and 2 more links')
    """
    every = list(words)
    rest = and_more(len(every) - most, noun)
    return separator.join([*every[:most], rest] if rest else every)
