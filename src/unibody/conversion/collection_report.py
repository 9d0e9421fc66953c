"""The report of a conversion of many files: losses by reason, what must be decided first on top."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from unibody.conversion.report import Report
from unibody.conversion.report_text import cell, headline, loss_causes
from unibody.formats.format import OUTCOMES, Outcome
from unibody.model.metadata import ASPECTS
from unibody.text.counted import counted, listed

# Losses after which another program moves the robot otherwise, whether or not unibody reads them again.
_FIRST = ("motion", "mass")
_MINOR = ("numbering", "cosmetics")
_IGNORED = "ignored in the source"
# Elements that a reason lists.
_LISTED = 8


def loss_data(report: Report) -> dict[str, Any]:
    """What the report of many files needs of one: the verdict, and the losses by reason, as plain data."""
    rows = [
        {
            "aspect": cause.aspect,
            "what": cause.what,
            "why": cause.why,
            "outcome": cause.outcome,
            "count": max(len(cause.losses), len(cause.found)),
            "carried": all(loss.carried for loss in cause.losses),
        }
        for cause in loss_causes(report)
    ]
    if report.reading:
        rows.append(
            {
                "aspect": "reading",
                "what": _IGNORED,
                "why": "",
                "outcome": "lost",
                "count": len(report.reading),
                "carried": False,
                "elements": Counter(u.key or "text" for u in report.reading),
            }
        )
    return {"verdict": headline(report), "lost": report.lost, "losses": rows}


def _most_frequent(words: Counter[str]) -> str:
    """The most frequent words with their numbers.

    >>> _most_frequent(Counter({"name": 3, "mask": 1}))
    'name ×3, mask ×1'
    """
    found = sorted(words.items(), key=lambda item: (-item[1], item[0]))
    return listed((f"{word} ×{count}" for word, count in found), _LISTED)


@dataclass
class Reason:
    """Losses of many files with one reason; ``elements`` counts those of the sources that were not read."""

    aspect: str
    what: str
    cause: str
    outcome: Outcome
    carried: bool
    first: str
    count: int = 0
    files: int = 0
    elements: Counter[str] = field(default_factory=Counter)

    @property
    def why(self) -> str:
        """Why this is lost."""
        return f"unibody does not read {_most_frequent(self.elements)}" if self.elements else self.cause

    @property
    def rank(self) -> int:
        """0 for what must be decided first, then the outcomes; last are names and numbers."""
        if self.aspect in ("not converted", "unexplained", "reading"):
            return 0
        if self.aspect in _MINOR:
            return len(TITLES) - 1
        is_open = self.aspect in _FIRST and self.outcome in ("lost", "assumed")
        return 0 if is_open else 1 + OUTCOMES.index(self.outcome)

    def title(self) -> str:
        """The aspect, what is lost, and whether unibody reads it again."""
        named = self.what if self.what == self.aspect else f"{self.aspect}: {self.what}"
        return f"{named}, carried for unibody only" if self.carried else named

    def json(self) -> dict[str, Any]:
        """The reason as plain JSON data."""
        return {
            "aspect": self.aspect,
            "what": self.what,
            "why": self.why,
            "outcome": self.outcome,
            "carried": self.carried,
            "files": self.files,
            "losses": self.count,
            "first": self.first,
        }


#: Titles of the ranks of reasons, and what their lists are called in JSON.
TITLES = {
    "Decide first": "decide_first",
    "Lost for other programs": "lost",
    "Converted": "conversions",
    "Assumed": "assumptions",
    "Left out": "left_out",
    "Names and numbers": "names_and_numbers",
}


@dataclass
class LossSummary:
    """Losses by reason, counted file by file; its size depends on the number of reasons."""

    files: int = 0
    converted: int = 0
    unchanged: int = 0
    reasons: dict[tuple[str, str, str, str, bool], Reason] = field(default_factory=dict)

    def add(self, path: str, value: Mapping[str, Any]) -> None:
        """Count a converted file by its :func:`loss_data`."""
        self.files += 1
        self.converted += 1
        # a log of another version may lack the outcome: the worst is assumed
        rows = [{"outcome": "lost", **row} for row in value["losses"]]
        self.unchanged += not any(row["outcome"] == "lost" for row in rows)
        for row in rows:
            aspect = "unexplained" if row["what"] == "unexplained" else row["aspect"]
            cause = (aspect, row["what"], row["why"], row["outcome"], row["carried"])
            reason = self._count(path, cause, row["count"])
            reason.elements.update(row.get("elements", {}))

    def add_failure(self, path: str, code: str, why: str) -> None:
        """Count a file that was not converted, by the code of the first error."""
        self.files += 1
        self._count(path, ("not converted", code, why, "lost", False), 1)

    def _count(self, path: str, cause: tuple[str, str, str, Outcome, bool], count: int) -> Reason:
        aspect, what, why, outcome, carried = cause
        key = (aspect, what, why if aspect != "not converted" else "", outcome, carried)
        reason = self.reasons.setdefault(key, Reason(aspect, what, why, outcome, carried, path))
        reason.count += count
        reason.files += 1
        return reason

    def ordered(self) -> list[Reason]:
        """The reasons: by rank and aspect, then those that concern most files."""
        order = ("not converted", *_FIRST, "unexplained", "reading", *ASPECTS)
        return sorted(
            self.reasons.values(),
            key=lambda r: (r.rank, order.index(r.aspect), r.carried, -r.files, -r.count, r.what, r.why),
        )

    def headline(self) -> str:
        """How many files were converted, and how many of them without loss."""
        left = self.files - self.converted
        said = [
            f"{self.converted} of {self.files} files converted, {self.unchanged} of them without a loss"
        ]
        return "; ".join(said + ([f"{left} not converted"] if left else []))

    def json(self) -> dict[str, Any]:
        """The summary as plain JSON data."""
        groups: dict[str, list[dict[str, Any]]] = {key: [] for key in TITLES.values()}
        for reason in self.ordered():
            groups[[*groups][reason.rank]].append(reason.json())
        return {
            "files": self.files,
            "converted": self.converted,
            "without_loss": self.unchanged,
            **groups,
        }

    def markdown(self) -> Iterator[str]:
        """The summary as lines of Markdown."""
        yield f"# {self.headline()}"
        rank = -1
        for reason in self.ordered():
            if reason.rank != rank:
                rank = reason.rank
                yield from ("", f"## {[*TITLES][rank]}", "")
                yield "| what | why | files | losses | first |"
                yield "| --- | --- | ---: | ---: | --- |"
            counts = (str(reason.files), str(reason.count))
            cells = (reason.title(), reason.why, *counts, reason.first)
            yield f"| {' | '.join(map(cell, cells))} |"
        yield ""

    def text(self) -> Iterator[str]:
        """The summary as lines of text."""
        yield self.headline()
        rank = -1
        for reason in self.ordered():
            if reason.rank != rank:
                rank = reason.rank
                yield from ("", f"{[*TITLES][rank]}:")
            files = f"  {counted(reason.files, 'file')}  "
            times = f" ×{reason.count}" if reason.count > reason.files else ""
            first = reason.first if reason.files == 1 else f"first: {reason.first}"
            yield f"{files}{reason.title()}{times}"
            yield f"{'':<{len(files)}}{reason.why} ({first})"
