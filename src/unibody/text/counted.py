"""Numbers of things in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "file"), counted(2, "file")
    ('1 file', '2 files')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
