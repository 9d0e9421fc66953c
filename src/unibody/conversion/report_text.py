"""The report of a conversion as text, Markdown and CSV: losses by what they cost a user."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from unibody.conversion.verification import EXACT
from unibody.formats import by_name
from unibody.model.device import Device
from unibody.model.metadata import ASPECTS, Aspect
from unibody.model.robot import Configuration, Coupling, Extra, Frame, Group, Joint, Link, Loop
from unibody.model.shape import Material, Shape
from unibody.model.traverse import named_lists, unpart
from unibody.text.node import Node

if TYPE_CHECKING:
    from unibody.conversion.report import Loss, Report
    from unibody.conversion.verification import Proof
    from unibody.document.unread import Unread
    from unibody.text.finding import Finding
    from unibody.text.source import Span

# Most elements, and most different changes, shown of one cause.
_ELEMENTS, _CHANGES = 6, 4
# Significant digits of numbers.
_DIGITS = 6
# Most findings shown of one code.
_FINDINGS = 3
# Most kinds of losses in the headline.
_HEADLINE = 6
# Losses of these aspects are not counted in the headline.
_MINOR: tuple[Aspect, ...] = ("numbering", "cosmetics")
_WORDS: dict[type, str] = {
    Link: "link",
    Joint: "joint",
    Loop: "loop",
    Coupling: "mimic joint",
    Frame: "frame",
    Group: "group",
    Configuration: "configuration",
    Shape: "shape",
    Material: "material",
}
# Lists of a link whose items have an index instead of a name.
_SHAPES = {"visuals": "visual", "collisions": "collision", "collisions_alt": "alternative collision"}
# Lists of the robot whose items are no elements with a name.
_NUMBERED = {"coordinates": "coordinate"}
# Lists of the robot whose items are elements of the report.
_ITEMS = (*named_lists(), "couplings", "coordinates")


@dataclass(slots=True)
class _Change:
    """What happened to one field of several elements in the same way."""

    text: str
    elements: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Cause:
    """Losses of one aspect with one cause."""

    aspect: Aspect
    what: str
    why: str
    losses: list[Loss] = field(default_factory=list)

    @property
    def carried(self) -> bool:
        return all(x.carried for x in self.losses)

    def title(self) -> str:
        """The cause in one line.

        "joint numbers ×29, carried: URDF joints have names only"
        """
        count = f" ×{len(self.losses)}" if len(self.losses) > 1 else ""
        some = "" if self.carried or not any(x.carried for x in self.losses) else ", some of them carried"
        return f"{self.what}{count}{', carried' if self.carried else some}: {self.why}"

    def changes(self, source: str) -> list[_Change]:
        """The losses as changes, with the elements to which each happened.

        Where more than a few values or fields differ, they are not told apart.
        """
        described = [d for x in self.losses for d in _described(x, source)]
        found = _grouped((f"{d.field} {d.change}".strip(), d.element) for d in described)
        if len(found) > _CHANGES:
            found = _grouped((f"{d.field} {d.verb}".strip(), d.element) for d in described)
        if len(found) > _CHANGES:
            found = _grouped((d.verb, " of ".join(filter(None, (d.field, d.element)))) for d in described)
        return found


def _grouped(pairs: Iterable[tuple[str, str]]) -> list[_Change]:
    out: dict[str, _Change] = {}
    for text, element in pairs:
        out.setdefault(text, _Change(text)).elements.append(element)
    return list(out.values())


class _Described(NamedTuple):
    """What happened to a field of an element, and in one word."""

    element: str
    field: str = ""
    change: str = ""
    verb: str = ""


def text(report: Report, folded: bool) -> str:
    """The report as lines of text; with ``folded``, cosmetic losses are only counted."""
    done = "" if report.written else " (dry run, nothing written)"
    out = [f"{report.source} → {report.target}{done}", headline(report)]
    out += _carried_line(report)
    out += _ignored(report)
    causes = _causes(report.losses)
    for aspect in ASPECTS:
        mine = [c for c in causes if c.aspect == aspect]
        if mine and folded and aspect == "cosmetics":
            whats = ", ".join(f"{c.what} ×{len(c.losses)}" for c in mine)
            out.append(f"cosmetics: {whats} (listed by --report FILE)")
            continue
        if mine:
            out.append(f"{aspect}:")
        for cause in mine:
            out.append(f"  {cause.title()}")
            out += [f"    {line}" for line in _change_lines(cause.changes(report.source))]
    moved = [x for x in report.joints if x[1] != x[3] or x[0] != x[2]]
    if moved:
        out.append(
            "joints renamed or reordered: " + ", ".join(f"{a} {i} → {b} {k}" for a, i, b, k in moved)
        )
    out += _finding_lines(report.findings)
    if len(report.files) > 1:
        out.append(f"files: {len(report.files)}")
    if report.proof:
        out.append(f"proof: {report.proof}")
    return "\n".join(out) + "\n"


def headline(report: Report) -> str:
    """Whether the robot moves and weighs the same, and what other programs lose."""
    verdict = ", ".join(_verdicts(report.proof)) if report.proof else "not compared"
    major = [x for x in report.losses if x.aspect not in _MINOR and x.kind != "added"]
    if not report.losses and not report.reading:
        return f"{verdict}; nothing is lost"
    lost = _counted(major)
    if report.reading:
        lost.append(f"{_plural(len(report.reading), 'element')} ignored in the source")
    if not lost:
        return f"{verdict}; lost for other programs: only names, numbers and looks of files"
    return f"{verdict}; lost for other programs: {', '.join(lost)}"


def _verdicts(proof: Proof) -> Iterator[str]:
    caused = {x.quantity for x in proof.explained}
    moves = [proof.positions, proof.rotations]
    if any(v is None for v in moves):
        yield "motion not compared"
    else:
        same = all(v is not None and v < EXACT for v in moves) and not caused & {"positions", "rotations"}
        yield "moves the same" if same else "moves differently"
    weights = [v for v in (proof.mass, proof.com) if v is not None]
    same = all(v < EXACT for v in weights) and not caused & {"mass", "com"}
    yield "weighs the same" if same else "weighs differently"


def _counted(losses: Iterable[Loss]) -> list[str]:
    """Losses by name with their number, in the order of aspects: "2 cameras", "damping ×41"."""
    nouns: Counter[tuple[int, str]] = Counter()
    others: Counter[tuple[int, str]] = Counter()
    for x in losses:
        rank = ASPECTS.index(x.aspect)
        names = _nouns(x.difference.before) if x.difference.kind == "removed" else []
        for name in names:
            nouns[rank, name] += 1
        if not names:
            others[rank, x.row.what if x.row else "unexplained differences"] += 1
    found = [(rank, _plural(n, name)) for (rank, name), n in nouns.items()]
    found += [(rank, f"{name} ×{n}" if n > 1 else name) for (rank, name), n in others.items()]
    shown = [words for _, words in sorted(found, key=lambda f: f[0])]
    rest = len(shown) - _HEADLINE
    return [*shown[:_HEADLINE], f"{rest} more kinds"] if rest > 1 else shown


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _nouns(value: Any) -> list[str]:
    """What an item that was removed is called, one word for each of its parts."""
    if isinstance(value, Device):
        return [value.spec.kind]
    if isinstance(value, Extra):
        return [f"{name} element" for name, _ in _parts(value)]
    word = _WORDS.get(value.__class__)
    return [word] if word else []


def _parts(extra: Extra) -> list[tuple[str, Span | None]]:
    """Name and place of each item of vendor data."""
    format = by_name(extra.format)
    form = "<{}>" if format is not None and format.syntax == "xml" else "{}"
    return [
        (form.format(key), value.span if isinstance(value, Node) else None)
        for key, value, _ in extra.node.items
    ]


def _causes(losses: Iterable[Loss]) -> list[_Cause]:
    """Losses by aspect and cause, in the order of first mention; the unexplained ones first."""
    out: dict[tuple[str, str, str], _Cause] = {}
    for x in losses:
        # Several rows of the format's table may state one cause for different facts.
        what, why = (
            (x.row.what, x.row.why) if x.row else ("unexplained", "the format's table has no reason")
        )
        out.setdefault((x.aspect, what, why), _Cause(x.aspect, what, why)).losses.append(x)
    return sorted(out.values(), key=lambda c: c.what != "unexplained")


def _described(loss: Loss, source: str) -> Iterator[_Described]:
    """What happened and to which element: "limits/velocity" "3 → 2" of "KNEE (line 12)"."""
    difference = loss.difference
    element, inner = _element(difference.path)
    place = _line(loss.at, source)
    if difference.kind == "removed" and isinstance(difference.before, Extra):
        owner = unpart(difference.before.owner.partition("/")[2])
        for name, at in _parts(difference.before):
            place = _line(at or loss.at, source)
            yield _Described(f"{owner}{place}" if owner else place.strip(" ()"), name)
    elif difference.kind == "removed" and isinstance(difference.before, Device):
        yield _Described(f"{difference.before.spec.kind} {element}{place}")
    elif difference.kind == "renamed":
        yield _Described(f"{element} → {difference.after}{place}")
    elif difference.kind == "removed" and not inner:
        yield _Described(f"{element}{place}")
    else:
        change = " ".join(difference.change(_DIGITS).removeprefix("changed ").split())
        if difference.before is True or difference.after is True:
            # A pair of links has no value of its own.
            change = difference.kind if difference.kind in ("added", "removed") else change
        yield _Described(f"{element}{place}", inner, change, difference.kind)


def _element(path: str) -> tuple[str, str]:
    """The element that a path of facts names, and the rest of the path.

    ("WAIST visual 0", "material/name") for links/WAIST/visuals/0/material/name
    """
    first, *rest = path.split("/")
    if first == "self_collision" and len(rest) == 3:
        return f"{unpart(rest[1])} and {unpart(rest[2])}", f"{first}/{rest[0]}"
    if first not in _ITEMS or not rest:
        return "", path
    element = f"{_NUMBERED[first]} {rest[0]}" if first in _NUMBERED else unpart(rest[0])
    if first == "links" and len(rest) > 2 and rest[1] in _SHAPES:
        return f"{element} {_SHAPES[rest[1]]} {rest[2]}", "/".join(rest[3:])
    return element, "/".join(rest[1:])


def _line(at: Span | None, source: str) -> str:
    if at is None:
        return ""
    where = (
        f"line {at.line}" if at.source.name == source else f"{os.path.basename(at.source.name)}:{at.line}"
    )
    return f" ({where})"


def _change_lines(changes: list[_Change]) -> list[str]:
    """One line for each of the first changes; elements beyond the first are counted."""
    out = []
    for change in changes[:_CHANGES]:
        out.append(": ".join(word for word in (change.text, _listed(change.elements)) if word))
    rest = sum(len(c.elements) for c in changes[_CHANGES:])
    return [*out, f"… and {rest} more"] if rest else out


def _listed(elements: list[str]) -> str:
    shown = [e for e in elements[:_ELEMENTS] if e]
    more = len(elements) - _ELEMENTS
    return ", ".join([*shown, f"… and {more} more"] if more > 0 else shown)


def _finding_lines(findings: Iterable[Finding]) -> list[str]:
    """The findings; of many with one code, the first few."""
    groups: dict[str, list[Finding]] = {}
    for f in findings:
        groups.setdefault(f.code, []).append(f)
    out = []
    for code, found in groups.items():
        shown = len(found) if len(found) <= _FINDINGS + 1 else _FINDINGS
        out += [f"{f}" for f in found[:shown]]
        if shown < len(found):
            out.append(f"… and {len(found) - shown} more [{code}]")
    return out


def _carried_line(report: Report) -> list[str]:
    carried, count = len(report.carried), len(report.losses)
    if not carried:
        return []
    what = f"all {count} differences" if carried == count else f"{carried} of {count} differences"
    return [f"carried in the side-car, which only unibody reads: {what if count > 1 else 'one difference'}"]


def _ignored(report: Report) -> list[str]:
    if not report.reading:
        return []
    out = [f"ignored in the source ({len(report.reading)}):"]
    groups: dict[str, list[Unread]] = {}
    for u in report.reading:
        groups.setdefault(u.key, []).append(u)
    for key, found in groups.items():
        if len(found) == 1:
            (u,) = found
            where = f"{u.path.lstrip('/')}: " if u.path else ""
            out.append(f"  {where}{key}: {' '.join(u.text.split())}{_line(u.at, report.source)}")
        else:
            elements = [f"{u.path.lstrip('/')}{_line(u.at, report.source)}" for u in found]
            out.append(f"  {key} ×{len(found)}: {_listed(elements)}")
    return out


def markdown(report: Report) -> str:
    """The report as Markdown, a row for each cause and change."""
    out = [f"# {_cell(report.source)} → {_cell(report.target)}", "", _cell(headline(report)), ""]
    for line in _carried_line(report):
        out += [_cell(line), ""]
    if report.reading:
        out += ["## Ignored in the source", "", "| place | key | value |", "| --- | --- | --- |"]
        for u in report.reading:
            cells = (str(u.at or ""), f"{u.path.lstrip('/')} {u.key}".strip(), u.text)
            out.append(f"| {' | '.join(map(_cell, cells))} |")
        out.append("")
    if report.losses:
        out += [
            "## Losses",
            "",
            "| aspect | loss | change | elements | cause |",
            "| --- | --- | --- | --- | --- |",
        ]
        causes = sorted(_causes(report.losses), key=lambda c: ASPECTS.index(c.aspect))
        for cause in causes:
            what = f"{cause.what}{', carried' if cause.carried else ''}"
            for change in cause.changes(report.source):
                elements = ", ".join(e for e in change.elements if e)
                row = (cause.aspect, what, change.text or "lost", elements, cause.why)
                out.append(f"| {' | '.join(map(_cell, row))} |")
        out.append("")
    if report.proof:
        out.append(f"Proof: {report.proof}")
    return "\n".join(out) + "\n"


def csv_rows(report: Report) -> str:
    """The losses as CSV with a header, one row each; values as JSON."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["source", "aspect", "kind", "carried", "path", "at", "before", "after", "what", "why"])
    for x in report.losses:
        data = x.json()
        before, after = (json.dumps(data[key], ensure_ascii=False) for key in ("before", "after"))
        carried = "yes" if x.carried else "no"
        words = [report.source, x.aspect, x.kind, carried, x.path, data["at"] or "", before, after]
        rows.writerow(
            ["'" + w if w[:1] in _FORMULA else w for w in (*words, data["what"] or "", data["why"] or "")]
        )
    return out.getvalue()


# A spreadsheet evaluates cells that begin with one of these.
_FORMULA = ("=", "+", "-", "@")
# A name from a file must not end a cell or become markup.
_MARKUP = re.compile(r"[\\`*\[\]<>|&~]")


def _cell(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
