"""Findings in colour; imports rich, so it is imported only where colour can be seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from unibody.cli.terminal import clean
from unibody.text.finding import Finding

_STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}


def show(findings: Sequence[Finding], lines: Callable[[Finding], list[str]], stderr: bool = True) -> None:
    """Write findings to standard error, or to standard output; ``lines`` gives the lines of each."""
    console = Console(stderr=stderr, highlight=False, emoji=False)
    for finding in findings:
        head, *details = lines(finding)
        text = _head(finding, head)
        for number, line in enumerate(details):
            text.append("\n")
            text.append(_detail(finding, number, line))
        console.print(text, soft_wrap=True)


def _head(finding: Finding, line: str) -> Text:
    """The first line: place, severity and code stand out."""
    text = Text(line)
    word = len(clean(f"{finding.at}: ")) if finding.at else 0
    text.stylize("bold", 0, word)
    text.stylize(_STYLES[finding.severity], word, word + len(finding.severity) + 1)
    text.stylize("dim", len(line) - len(finding.code) - 3)
    return text


def _detail(finding: Finding, number: int, line: str) -> Text:
    """The line of the text, the caret below it, and the hint."""
    if finding.at and number < 2:
        return Text(line, style="green" if number else "")
    text = Text(line)
    text.stylize("green", 2, 7)
    return text
