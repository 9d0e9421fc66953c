"""The report of a conversion: losses with their causes, the proof, and its text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from unibody.conversion.verification import Proof
from unibody.document.unread import Unread
from unibody.formats.format import Cannot
from unibody.model.facts import Difference
from unibody.text.finding import Finding

Kind = Literal["dropped", "changed", "added", "renamed"]
KINDS: tuple[Kind, ...] = ("dropped", "changed", "added", "renamed")
_SHOWN = 6
# Significant digits of numbers.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Loss:
    """One fact that the written file states differently.

    ``row`` is the format's explanation, None for an unexplained loss; a ``carried`` loss has its true
    value in the side-car, where unibody reads it.
    """

    kind: Kind
    difference: Difference
    row: Cannot | None = None
    carried: bool = False

    @property
    def path(self) -> str:
        """The path of the fact."""
        return self.difference.path

    def json(self) -> dict[str, Any]:
        """The loss as plain JSON data."""
        data = self.difference.json()
        return {
            "kind": self.kind,
            "path": self.path,
            "before": data["before"],
            "after": data["after"],
            "what": self.row.what if self.row else None,
            "why": self.row.why if self.row else None,
            "carried": self.carried,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Ignored content of the source, losses of writing, and the proof.

    ``joints`` lists name and index of each joint in the source, then in the target.
    """

    source: str
    target: str
    format: str
    reading: tuple[Unread, ...] = ()
    losses: tuple[Loss, ...] = ()
    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    proof: Proof | None = None
    joints: tuple[tuple[str, int, str, int], ...] = ()
    written: bool = False

    def of(self, kind: Kind) -> tuple[Loss, ...]:
        """The losses of a kind that the side-car does not carry."""
        return tuple(x for x in self.losses if x.kind == kind and not x.carried)

    @property
    def carried(self) -> tuple[Loss, ...]:
        """The losses that the side-car carries."""
        return tuple(x for x in self.losses if x.carried)

    @property
    def lost(self) -> bool:
        """Whether anything was lost: ignored in the source, or a loss that the side-car does not carry."""
        return bool(self.reading) or any(not x.carried for x in self.losses)

    def json(self) -> dict[str, Any]:
        """The report as plain JSON data."""
        return {
            "source": self.source,
            "target": self.target,
            "format": self.format,
            "written": self.written,
            "files": list(self.files),
            "reading": [
                {"path": u.path, "key": u.key, "text": u.text, "at": str(u.at) if u.at else None}
                for u in self.reading
            ],
            "losses": [x.json() for x in self.losses],
            "joints": [
                {"name": a, "index": i, "target": b, "target_index": k} for a, i, b, k in self.joints
            ],
            "findings": [f.json() for f in self.findings],
            "proof": self.proof.json() if self.proof else None,
        }

    def text(self) -> str:
        """The report as text: losses grouped by cause, the proof last."""
        return "\n".join(_text(self)) + "\n"

    def markdown(self) -> str:
        """The report as Markdown: a table of losses, the proof last."""
        return "\n".join(_markdown(self)) + "\n"


def _groups(losses: Iterable[Loss]) -> list[tuple[Cannot | None, list[Loss]]]:
    """Losses grouped by cause, in the order of first mention; the unexplained ones first."""
    out: dict[tuple[str, str], tuple[Cannot | None, list[Loss]]] = {("", ""): (None, [])}
    for x in losses:
        # Several rows of the format's table may state one cause for different facts.
        out.setdefault((x.row.what, x.row.why) if x.row else ("", ""), (x.row, []))[1].append(x)
    return [group for group in out.values() if group[1]]


def _text(report: Report) -> list[str]:
    done = "" if report.written else " (dry run, nothing written)"
    lines = [f"{report.source} → {report.target}{done}"]
    if report.reading:
        lines.append(f"ignored in the source ({len(report.reading)}):")
        lines += [f"  {_unread(u)}" for u in report.reading]
    for kind in KINDS:
        found = report.of(kind)
        if found:
            lines.append(f"{kind} ({len(found)}):")
            lines += _lines(found)
    if report.carried:
        lines.append(f"carried in the side-car ({len(report.carried)}):")
        lines += _lines(report.carried)
    if not report.losses and not report.reading:
        lines.append("no losses")
    moved = [x for x in report.joints if x[1] != x[3] or x[0] != x[2]]
    if moved:
        lines.append(
            "joints renamed or reordered: " + ", ".join(f"{a} {i} → {b} {k}" for a, i, b, k in moved)
        )
    lines += [f"{f}" for f in report.findings]
    if len(report.files) > 1:
        lines.append(f"files: {len(report.files)}")
    if report.proof:
        lines.append(f"proof: {report.proof}")
    return lines


def _lines(losses: Iterable[Loss]) -> list[str]:
    out = []
    for row, group in _groups(losses):
        reason = f"{row.what}: {row.why}" if row else "unexplained"
        out.append(f"  {reason}")
        out += [f"    {x.difference.text(_DIGITS)}" for x in group[:_SHOWN]]
        if len(group) > _SHOWN:
            out.append(f"    … and {len(group) - _SHOWN} more")
    return out


def _unread(u: Unread) -> str:
    place = f"{u.at}: " if u.at else ""
    where = f"{u.path.lstrip('/')}: " if u.path else ""
    return f"{place}{where}{u.key}: {' '.join(u.text.split())}"


def _markdown(report: Report) -> list[str]:
    out = [f"# {_cell(report.source)} → {_cell(report.target)}", ""]
    if report.reading:
        out += ["## Ignored in the source", "", "| place | key | value |", "| --- | --- | --- |"]
        for u in report.reading:
            cells = (str(u.at or ""), f"{u.path.lstrip('/')} {u.key}".strip(), u.text)
            out.append(f"| {' | '.join(map(_cell, cells))} |")
        out.append("")
    if report.losses:
        out += ["## Losses", "", "| kind | fact | cause |", "| --- | --- | --- |"]
        for x in report.losses:
            kind = f"{x.kind}, carried" if x.carried else x.kind
            why = x.row.why if x.row else "unexplained"
            out.append(f"| {kind} | {_cell(x.difference.text(_DIGITS))} | {_cell(why)} |")
        out.append("")
    if not report.losses and not report.reading:
        out += ["No losses.", ""]
    if report.proof:
        out.append(f"Proof: {report.proof}")
    return out


# A name from a file must not end a cell or become markup.
_MARKUP = re.compile(r"[\\`*\[\]<>|&~]")


def _cell(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
