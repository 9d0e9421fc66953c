"""The terminal: its width, and text that is safe to print on it."""

from __future__ import annotations

import os
import sys


def columns() -> int:
    """The width of the terminal in characters, as ``shutil.get_terminal_size``: COLUMNS, or 80 without any.

    ``shutil`` imports modules for archives, which takes a tenth of the time of a short command.
    """
    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated) > 0:
        return int(stated)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


def clean(text: str) -> str:
    """One line with control characters escaped, so that names from files cannot control the terminal.

    >>> clean("a" + chr(27) + "[2J")
    'a\\\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
