"""What an engine prints about a model that it rejects, in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# The most messages, and characters, that are taken.
_MESSAGES, _SIZE = 3, 300
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
# Where a message was raised in the engine's own source, alone in a line or before the message.
_PLACE = re.compile(r"at line \d+ in \S+|(?:Error|Warning) \[[\w.]+:\d+\]|\[\w+(::\w+)+\]")
_LEVEL = re.compile(r"^(?:\W*\b(?:error|warning)\b\W*)+", re.IGNORECASE)
_ERROR, _WARNING = (
    re.compile(rf"\b({word})\b", re.IGNORECASE) for word in ("error|fatal|failure", "warning")
)


def spoken(output: str) -> str:
    """The last errors that a program printed, else its last warnings, else its last line.

    >>> spoken("[WARNING] no texture\\nError: joint limit: no effort\\n    at line 136 in /joint.cpp")
    'joint limit: no effort'
    """
    lines = [line for line in _COLOR.sub("", output).splitlines() if line.strip()]
    errors = [*_messages(lines, _ERROR)][-_MESSAGES:]
    chosen = (
        errors or [*_messages(lines, _WARNING)][-_MESSAGES:] or [*_messages(lines[-1:], re.compile(""))]
    )
    words = "; ".join(chosen)
    return words if len(words) <= _SIZE else f"{words[: _SIZE - 1]}…"


def _messages(lines: Sequence[str], kind: re.Pattern[str]) -> Iterator[str]:
    """The messages of a kind, each once."""
    seen: set[str] = set()
    for line in lines:
        if not kind.search(line):
            continue
        words = " ".join(_LEVEL.sub("", _PLACE.sub("", line).strip()).split())
        if words and words not in seen:
            seen.add(words)
            yield words
