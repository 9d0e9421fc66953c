"""Findings of one rule and one cause as one entry, for people: texts that read alike are shown once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from unibody.text.counted import counted, listed
from unibody.text.dataclass import dataclass

if TYPE_CHECKING:
    from unibody.text.finding import Finding, Severity

# Most places of an entry that are listed.
_PLACES = 8
# What differs between findings of one cause: quoted names, paths and names of files.
_NAME = re.compile(r"'[^'\n]*'|[^\s=,;]*/[^\s=,;:]*|[\w.-]+\.[A-Za-z]\w*")


@dataclass(frozen=True, slots=True)
class Entry:
    """Findings that differ in their place and in names only; the first stands for all."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that is shown in full."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        """The severity of all."""
        return self.first.severity

    def also(self) -> str:
        """Where else it was found; "" for a single finding.

        >>> from unibody.text.finding import Finding
        >>> Entry((Finding("mass-zero", "warning", "link 'a' has zero mass"),)).also()
        ''
        >>> found = (Finding("mass-zero", "warning", f"'{x}'", subject=f"links/{x}") for x in "abc")
        >>> Entry(tuple(found)).also()
        "2 more: 'b', 'c'"
        """
        others = self.findings[1:]
        if not others:
            return ""
        places = listed(dict.fromkeys(self._elsewhere(f) for f in others), _PLACES)
        return f"{len(others)} more: {places}"

    def _elsewhere(self, finding: Finding) -> str:
        """The place of a finding in short: without the file of the first, or a name without a place."""
        at, file = finding.at, self.first.at
        if at is not None:
            near = file is not None and file.source.name == at.source.name
            return f"{at.line}:{at.column}" if near else f"{at}"
        return f"'{_name(finding.subject)}'" if finding.subject else finding.message


def _name(subject: str) -> str:
    """The name of the item that a path of facts is about, or another subject as it is.

    >>> _name("links/hand/inertial/mass"), _name("meshes/a.stl")
    ('hand', 'meshes/a.stl')
    """
    kind, _, rest = subject.partition("/")
    return rest.partition("/")[0] if rest and kind in ("links", "joints", "devices", "loops") else subject


def grouped(findings: Iterable[Finding]) -> list[Entry]:
    """The findings as entries, in the order of the first of each.

    >>> from unibody.text.finding import Finding
    >>> found = [Finding("mass-zero", "warning", f"link '{name}' has zero mass") for name in "ab"]
    >>> [len(entry.findings) for entry in grouped(found)]
    [2]
    """
    entries: dict[tuple[str, ...], list[Finding]] = {}
    for f in findings:
        key = (f.code, f.severity, _pattern(f.message, f.subject), _pattern(f.hint, f.subject))
        entries.setdefault(key, []).append(f)
    return [Entry(tuple(each)) for each in entries.values()]


def _pattern(text: str, subject: str) -> str:
    """The text without names, but with the word that the finding is about, such as an unknown key."""
    about = f"'{subject}'"
    return _NAME.sub(lambda found: found[0] if found[0] == about else "'", text)


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without repetitions, in their order: a file that is read twice has its findings twice.

    >>> from unibody.text.finding import Finding
    >>> len(distinct([Finding("mass-zero", "warning", "")] * 2))
    1
    """
    seen: dict[tuple[object, ...], Finding] = {}
    for f in findings:
        place = (f.at.source.name, f.at.start, f.at.end) if f.at else ()
        seen.setdefault((f.code, f.severity, f.message, *place), f)
    return list(seen.values())


#: What the findings of a severity are called.
WORDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def tally(findings: Iterable[Finding]) -> str:
    """The number of findings of each severity in words; "no findings" without one.

    >>> from unibody.text.finding import Finding
    >>> tally([Finding("mass-zero", "warning", ""), Finding("mass-missing", "info", "")])
    '1 warning, 1 note'
    """
    counts = Counter(f.severity for f in findings)
    return ", ".join(counted(counts[x], word) for x, word in WORDS.items() if counts[x]) or "no findings"


def text(findings: Iterable[Finding]) -> str:
    """The findings for people: one entry for each rule and cause, with the other places, and their number.

    >>> from unibody.text.finding import Finding
    >>> print(text([Finding("mass-zero", "warning", f"'{x}'", subject=f"links/{x}") for x in "ab"]))
    warning: 'a' [mass-zero]
      1 more: 'b'
    2 warnings
    """
    every = distinct(findings)
    lines = []
    for entry in grouped(every):
        lines.append(entry.first.text())
        if also := entry.also():
            lines.append(f"  {also}")
    return "\n".join([*lines, tally(every)])


def html(findings: Iterable[Finding]) -> str:
    """The findings as a table for notebooks, one row for each rule and cause.

    >>> from unibody.text.finding import Finding
    >>> html([Finding("mass-zero", "warning", "link 'a' has zero mass")]).count("<tr>")
    2
    """
    from html import escape

    every = distinct(findings)
    rows = ["<tr><th>place</th><th></th><th>finding</th><th>rule</th></tr>"]
    for entry in grouped(every):
        first = entry.first
        words = [first.message, f"hint: {first.hint}" if first.hint else "", entry.also()]
        cells = (f"{first.at or ''}", WORDS[first.severity])
        shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        told = "<br>".join(escape(word) for word in words if word)
        rows.append(f'<tr>{shown}<td style="text-align:left">{told}</td><td>{escape(first.code)}</td></tr>')
    return f"<table><caption>{tally(every)}</caption>{''.join(rows)}</table>"
