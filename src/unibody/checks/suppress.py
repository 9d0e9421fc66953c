"""Mutes findings by a comment in the file or by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.fixes import respelled
from unibody.text.near import did_you_mean, near
from unibody.text.source import Source, Span

# "unibody: mute CODE CODE", with an optional reason in brackets or after a colon.
_MUTE = re.compile(r"\W*unibody:\s*mute\s+([\w-]+(?:[\s,]+[\w-]+)*)\s*(?:[(:].*)?\Z", re.DOTALL)
_WORD = re.compile(r"[\w-]+")
_XML = re.compile(r"<!\[CDATA\[.*?\]\]>|<!--(.*?)-->", re.DOTALL)
_HASH = re.compile(r"(?:^|(?<=\s))#([^\r\n]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mute:
    """A code muted in a file; ``line`` is 0 for the whole file."""

    code: str
    at: Span
    line: int = 0


def mutes(source: Source) -> list[Mute]:
    """Parse the mute comments of a file: ``unibody: mute CODE …``.

    At the end of a line of YAML a comment applies to that line, elsewhere to the whole file.

    >>> [(m.code, m.line) for m in mutes(Source("a.body", "a: 1 # unibody: mute odd-value"))]
    [('odd-value', 1)]
    """
    out = []
    for start, text in _comments(source) if "unibody:" in source.text else ():
        found = _MUTE.match(text)
        if not found:
            continue
        line = _trailing(source, start)
        for word in _WORD.finditer(found[1]):
            at = start + found.start(1) + word.start()
            out.append(Mute(word[0], Span(source, at, at + len(word[0])), line))
    return out


def _comments(source: Source) -> Iterator[tuple[int, str]]:
    """Offset and content of each comment."""
    text = source.text
    if text.lstrip().startswith("<"):
        yield from ((m.start(1), m[1]) for m in _XML.finditer(text) if m[1] is not None)
        return
    from unibody.text.yaml import parser as yaml  # the files of most formats are no YAML

    try:
        root = yaml.parse(source, Findings())
    except TextError:
        yield from ((m.start(1), m[1]) for m in _HASH.finditer(text))
        return
    yield from yaml.comments(root, source)


def _trailing(source: Source, start: int) -> int:
    """The line of a comment that follows other text; 0 for a comment of its own line, or in XML."""
    if source.text.lstrip().startswith("<"):
        return 0
    line, column = source.line_column(start)
    return line if source.line(line)[: column - 1].strip(" \t#") else 0


def split(
    findings: Iterable[Finding], main: Source | None, codes: Collection[str]
) -> tuple[list[Finding], list[Finding]]:
    """Split findings into visible and muted ones (by ``codes``, or by a comment in their file).

    For findings without a place, the comments of ``main`` apply.
    """
    known: dict[int, tuple[Source, set[tuple[str, int]]]] = {}
    stay: list[Finding] = []
    muted: list[Finding] = []
    for f in findings:
        source = f.at.source if f.at else main
        if source is not None and id(source) not in known:
            known[id(source)] = (source, {(m.code, m.line) for m in mutes(source)})
        here = known[id(source)][1] if source is not None else set()
        by_line = f.at is not None and any(line for _, line in here) and (f.code, f.at.line) in here
        gone = f.code in codes or (f.code, 0) in here or by_line
        (muted if gone else stay).append(f)
    return stay, muted


def unknown_mutes(
    sources: Iterable[Source], known: Callable[[], Collection[str]], findings: Findings
) -> None:
    """Warn of unknown codes in mute comments; ``known`` is called where there are any."""
    for source in sources:
        for mute in mutes(source):
            if mute.code not in known():
                alike = near(mute.code, known())
                hint = did_you_mean(alike, "unibody explain lists all codes")
                findings.warning(
                    "mute-unknown",
                    f"unknown finding code '{mute.code}'",
                    mute.at,
                    hint,
                    suggestion=alike,
                    # Comments do not change the robot.
                    fix=respelled(mute.at, mute.code, alike, safe=True),
                )
