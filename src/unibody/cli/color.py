"""Findings in color, for terminals."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from unibody.text.grouping import Entry

#: Select Graphic Rendition codes (ECMA-48).
BOLD, DIM, GREEN = "1", "2", "32"

#: What a text is in the lines of a finding, which decides on its style.
Role = Literal["place", "error", "warning", "info", "code", "caret", "label", "text"]
Piece: TypeAlias = tuple[str, Role]

_STYLES: dict[Role, str] = {
    "place": BOLD,
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "code": DIM,
    "caret": GREEN,
    "label": GREEN,
    "text": "",
}


def styled(text: str, style: str) -> str:
    """The text in a style.

    >>> styled("hint", GREEN)
    '\\x1b[32mhint\\x1b[0m'
    """
    return f"\x1b[{style}m{text}\x1b[0m" if text and style else text


def write(lines: Sequence[str], stderr: bool = True) -> None:
    """Write styled lines to standard error, or to standard output."""
    stream = sys.stderr if stderr else sys.stdout
    if stream is None:
        return
    if os.name == "nt":
        os.system("")  # enables escape sequences in the console of Windows 10
    stream.write("".join(f"{line}\n" for line in lines))
    stream.flush()


def show(
    entries: Sequence[Entry], pieces: Callable[[Entry], Sequence[Sequence[Piece]]], stderr: bool = True
) -> None:
    """Write entries of findings to standard error, or to standard output; ``pieces`` formats one entry."""
    lines = [line for entry in entries for line in pieces(entry)]
    write(["".join(styled(text, _STYLES[role]) for text, role in line) for line in lines], stderr)
