"""Findings in color, for terminals."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from unibody.cli.terminal import clean
from unibody.text.finding import Finding

#: Select Graphic Rendition codes (ECMA-48).
BOLD, DIM, GREEN = "1", "2", "32"
_SEVERITIES = {"error": "1;31", "warning": "1;33", "info": "1;36"}


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


def show(findings: Sequence[Finding], lines: Callable[[Finding], list[str]], stderr: bool = True) -> None:
    """Write findings to standard error, or to standard output; ``lines`` formats one finding."""
    out = []
    for finding in findings:
        head, *details = lines(finding)
        out.append(_head(finding, head))
        out += [_detail(finding, number, line) for number, line in enumerate(details)]
    write(out, stderr)


def _head(finding: Finding, line: str) -> str:
    """The first line with styles for place, severity and code."""
    place = len(clean(f"{finding.at}: ")) if finding.at else 0
    word = place + len(finding.severity) + 1
    code = len(line) - len(finding.code) - 3
    return (
        styled(line[:place], BOLD)
        + styled(line[place:word], _SEVERITIES[finding.severity])
        + line[word:code]
        + styled(line[code:], DIM)
    )


def _detail(finding: Finding, number: int, line: str) -> str:
    """The source line, the caret below it, or the hint, with its style."""
    if finding.at and number < 2:
        return styled(line, GREEN if number else "")
    return line[:2] + styled(line[2:7], GREEN) + line[7:]
