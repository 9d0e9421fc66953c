"""Problems: the findings of checked files with one problem for each rule and place."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from unibody.exchange.region import Region, path_below
from unibody.text.counted import listed
from unibody.text.finding import Severity
from unibody.text.relative import relative

# Findings of the checked files themselves that are remembered, since other files may include these.
_REMEMBERED = 200_000
# Messages of several findings of one rule at one place that are shown.
_MESSAGES = 3


class CheckedFile(Protocol):
    """A file and its findings as plain data (``Finding.json``).

    ``failure`` says why the file could not be checked, or is ""; ``seconds`` is the time of the check.
    """

    @property
    def path(self) -> str:
        """The path of the file, relative to the current folder or absolute."""

    @property
    def findings(self) -> Sequence[Mapping[str, Any]]:
        """The findings."""

    @property
    def failure(self) -> str:
        """Why the file could not be checked, or ""."""

    @property
    def seconds(self) -> float:
        """The time of the check in s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong at one place according to one rule.

    ``path`` is relative to the root of the report, or absolute if the file is outside. ``region`` is None
    if the place is the whole file. ``subjects`` are paths of the robot's facts. ``fingerprint`` stays the
    same when lines are inserted before the place, or the words of the message change. ``fixes`` are the
    findings that have edits, as plain data.
    """

    code: str
    severity: Severity
    message: str
    hint: str
    path: str
    region: Region | None
    subjects: tuple[str, ...]
    fingerprint: str
    fixes: tuple[Mapping[str, Any], ...]

    @property
    def text(self) -> str:
        """The message, and the hint on a line of its own."""
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


@dataclass(frozen=True, slots=True)
class Report:
    """The problems of one checked file, in the order of its findings."""

    path: str
    problems: tuple[Problem, ...]
    failure: str
    seconds: float


_Place = tuple[str, str, Region | None, str]


def reports(checked: Iterable[CheckedFile], root: str, once: bool = True) -> Iterator[Report]:
    """The problems of each file, with paths relative to ``root``.

    A problem in a file that several models include is reported for the first of them only, if ``once``.
    """
    seen: set[int] = set()
    marks: Counter[str] = Counter()
    for one in checked:
        path = path_below(one.path, root)
        places: dict[_Place, list[Mapping[str, Any]]] = {}
        for finding in one.findings:
            place = _place(finding, path, root)
            places.setdefault(place, []).append(finding)
        fresh = {}
        for place, findings in places.items():
            if once:
                key = hash(place)
                if key in seen:
                    continue
                if place[1] != path or len(seen) < _REMEMBERED:
                    seen.add(key)
            fresh[place] = findings
        yield Report(path, tuple(_problems(fresh, path, marks, root)), one.failure, one.seconds)


def _place(finding: Mapping[str, Any], path: str, root: str) -> _Place:
    """Rule and place of a finding; its subject if it has no region."""
    region = Region.of(finding)
    file = path_below(finding["file"], root) if "file" in finding else path
    return finding["code"], file, region, "" if region else finding.get("subject", "")


def _problems(
    places: Mapping[_Place, list[Mapping[str, Any]]], checked: str, marks: Counter[str], root: str
) -> Iterator[Problem]:
    """The problems of a file, paths relative to ``root``; ``marks`` counts all fingerprints."""
    own: Counter[str] = Counter()
    order: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}
    for (code, path, region, _), findings in places.items():
        worst = min(findings, key=lambda finding: order[finding["severity"]])
        subjects = tuple(dict.fromkeys(f["subject"] for f in findings if f.get("subject")))
        # Those that neither a subject nor a suggestion tells apart are told apart by their order.
        mark = fingerprint(code, path, *(subjects or (worst.get("suggestion", ""),)))
        count = own if path == checked and len(marks) >= _REMEMBERED else marks
        count[mark] += 1
        messages = dict.fromkeys(finding["message"] for finding in [worst, *findings])
        yield Problem(
            code=code,
            severity=worst["severity"],
            message=relative(listed(messages, _MESSAGES, separator="; "), root),
            hint=relative(worst.get("hint", ""), root),
            path=path,
            region=region,
            subjects=subjects,
            fingerprint=f"{mark}:{count[mark]}",
            fixes=tuple(f for f in findings if f.get("edits")),
        )


def fingerprint(*words: str) -> str:
    """A digest of words, in 32 hexadecimal digits."""
    text = "\n".join(words)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
