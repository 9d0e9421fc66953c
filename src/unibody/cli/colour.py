"""Findings in colour; imports rich, so it is imported only where colour can be seen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

_STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_HEAD = re.compile(r"(?P<place>\S.*?:\d+:\d+: )?(?P<word>error|warning|info): .*?(?P<code> \[[\w-]+\])?\Z")
_CARET = re.compile(r"\s+\^+\Z")


def show(findings: Sequence[list[str]], stderr: bool = True) -> None:
    """Write findings, each a list of lines, to standard error, or to standard output."""
    console = Console(stderr=stderr, highlight=False, emoji=False)
    for lines in findings:
        text = Text()
        for number, line in enumerate(lines):
            text.append(_head(line) if number == 0 else _detail(line))
            text.append("\n")
        console.print(text, end="", soft_wrap=True)


def _head(line: str) -> Text:
    text = Text(line)
    found = _HEAD.match(line)
    if found:
        text.stylize("bold", *found.span("place"))
        text.stylize(_STYLES[found["word"]], found.start("word"), found.end("word") + 1)
        if found["code"]:
            text.stylize("dim", *found.span("code"))
    return text


def _detail(line: str) -> Text:
    if _CARET.match(line):
        return Text(line, style="green")
    text = Text(line)
    if line.startswith("  hint: "):
        text.stylize("green", 2, 7)
    return text
