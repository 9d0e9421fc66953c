"""Text as a terminal may show it."""

from __future__ import annotations


def clean(text: str) -> str:
    """One line without control characters: a name from a file must not steer the terminal.

    >>> clean("a" + chr(27) + "[2J")
    'a\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
