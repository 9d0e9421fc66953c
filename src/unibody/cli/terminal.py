"""Text that is safe to print on a terminal."""

from __future__ import annotations


def clean(text: str) -> str:
    """One line with control characters escaped, so that names from files cannot control the terminal.

    >>> clean("a" + chr(27) + "[2J")
    'a\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
