"""The report of a conversion as text, Markdown and CSV: losses by what they cost a user."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from unibody.conversion.description import (
    Described,
    change_groups,
    change_lines,
    describe,
    listed,
    place_text,
)
from unibody.conversion.vendor import vendor_items
from unibody.conversion.verification import EXACT, LOOKS
from unibody.formats.conditions import added
from unibody.formats.format import OUTCOMES, Outcome
from unibody.model.device import Device
from unibody.model.metadata import ASPECTS, Aspect
from unibody.model.robot import Configuration, Coupling, Frame, Group, Joint, Link, Loop
from unibody.model.wording import noun
from unibody.text.counted import and_more, counted
from unibody.text.grouping import Entry, distinct, grouped

if TYPE_CHECKING:
    from unibody.conversion.report import Loss, Report
    from unibody.conversion.verification import Proof
    from unibody.document.unread import Unread
    from unibody.text.finding import Finding

# Columns of the table of losses.
_COLUMNS = ("aspect", "what", "outcome", "change", "elements", "cause")
# Most entries of findings shown of one code.
_FINDINGS = 3
# Most kinds of losses in the headline, beside those of these aspects, which are all shown.
_HEADLINE = 6
_ALWAYS = ("motion", "mass", "sensors", "actuation", "reading")
# Most kinds of vendor data in the headline that are counted one by one.
_VENDOR = 3
# Losses of these aspects are not counted in the headline if there are others.
_MINOR: tuple[Aspect, ...] = ("numbering", "cosmetics")
# The order of aspects in the headline; what was not read comes last.
_ORDER = (*ASPECTS, "reading")
# What reports call the outcomes.
OUTCOME_WORDS: dict[Outcome, str] = {x: "left out" if x == "omitted" else x for x in OUTCOMES}
# What the headline calls records that are lost as a whole; others go by the name of the cause.
_WORDS: dict[type, str] = {
    Link: "link",
    Joint: "joint",
    Loop: "loop",
    Coupling: "mimic joint",
    Frame: "frame",
    Group: "group",
    Configuration: "configuration",
}


@dataclass(slots=True)
class Cause:
    """Losses of one aspect with one cause."""

    aspect: Aspect
    what: str
    why: str
    outcome: Outcome = "lost"
    losses: list[Loss] = field(default_factory=list)
    found: list[Described] = field(default_factory=list)

    def title(self) -> str:
        """The cause in one line.

        "cones ×2, converted, carried for unibody only: written as mesh files; …"
        """
        count = max(len(self.losses), len(self.found))
        times = f" ×{count}" if count > 1 else ""
        return f"{self.what}{times}{self.become()}: {self.why}"

    def become(self) -> str:
        """What becomes of them unless they are lost, and whether the side-car carries them."""
        outcome = "" if self.outcome == "lost" else f", {OUTCOME_WORDS[self.outcome]}"
        return f"{outcome}{self.carried()}"

    def carried(self) -> str:
        """Whether the side-car carries the losses: ", carried for unibody only", or some of them."""
        carried = [x.carried for x in self.losses]
        if not any(carried):
            return ""
        if self.losses[0].extension:
            return ", carried in an extension"
        return ", carried for unibody only" if all(carried) else ", some carried for unibody only"


def text(report: Report, folded: bool) -> str:
    """The report as lines of text; ``folded`` shows the first elements only, and counts cosmetic losses."""
    done = "" if report.written else " (dry run, nothing written)"
    source = " with ".join((report.source, *report.beside))
    out = [f"{source} → {report.target}{done}", headline(report)]
    out += _carried_line(report)
    out += _ignored(report, not folded)
    if report.robots:
        for robot in report.robots:
            lines = _body(replace(robot, files=()), folded)
            out += [f"robot '{robot.source}': {headline(robot)}", *(f"  {line}" for line in lines)]
        return "\n".join([*out, *_finding_lines(report.findings), *_files_line(report)]) + "\n"
    return "\n".join([*out, *_body(report, folded)]) + "\n"


def _body(report: Report, folded: bool) -> list[str]:
    """The losses by aspect and cause, findings, files and proof of a report, as lines of text."""
    out: list[str] = []
    causes = loss_causes(report)
    for aspect in ASPECTS:
        mine = [c for c in causes if c.aspect == aspect]
        moved = _moved_joints(report, not folded) if aspect == "numbering" else []
        if mine and folded and aspect == "cosmetics":
            whats = ", ".join(f"{c.what} ×{len(c.losses)}" for c in mine)
            out.append(f"cosmetics: {whats} (listed by --report FILE)")
            continue
        if mine or moved:
            out.append(f"{aspect}:")
        for cause in mine:
            out.append(f"  {cause.title()}")
            out += [f"    {line}" for line in change_lines(cause.found, not folded)]
        out += moved
    out += _finding_lines(report.findings)
    out += _files_line(report)
    if report.layout:
        out.append(f"layout: {report.layout}")
    if report.proof:
        out.append(f"proof: {report.proof}")
    return out


def _files_line(report: Report) -> list[str]:
    return [f"files: {len(report.files)}"] if len(report.files) > 1 else []


def headline(report: Report) -> str:
    """Whether the robot moves, weighs and looks the same, and what became of the rest.

    What other programs lose, what is written in other terms, what was assumed, what was left out.
    """
    verdict = ", ".join(_verdicts(report.proof)) if report.proof else "not compared"
    if report.robots:
        verdict = f"{counted(len(report.robots), 'robot')}, {_verdict_of(report.robots)}"
    if report.subject:
        verdict = f"only {report.subject}"
    base = _chosen_base(report)
    losses = [*report.losses, *report.extensions]
    assumed = [x for x in losses if x.outcome == "assumed" and not (base and x.path == "base")]
    parts = [
        verdict,
        _lost(report, [x for x in losses if x.outcome == "lost"]),
        _listed("converted", _kinds(x for x in losses if x.outcome == "converted")),
        _listed("assumed", _kinds(assumed)),
        _listed("left out", _omitted(x for x in losses if x.outcome == "omitted")),
        base,
    ]
    return "; ".join(filter(None, parts))


def _verdict_of(robots: Iterable[Report]) -> str:
    """The verdicts of the robots of a scene, each once, with the robots that it is about if not all."""
    named: dict[str, list[str]] = {}
    for robot in robots:
        words = ", ".join(_verdicts(robot.proof)) if robot.proof else "not compared"
        named.setdefault(words, []).append(f"'{robot.source}'")
    if len(named) == 1:
        return next(iter(named))
    return "; ".join(f"{', '.join(names)}: {words}" for words, names in named.items())


def _chosen_base(report: Report) -> str:
    """The base that was written where the source states none, and how to choose the other one."""
    proof = report.proof
    if proof is None or proof.bases[0] is not None or proof.bases[1] is None:
        return ""
    chosen, other = ("fixed", "free") if proof.bases[1] == "fixed" else ("free", "fixed")
    # a format that has robots of one kind only cannot be asked for the other
    rows = [x.row for x in report.losses if x.path == "base" and x.row is not None]
    change = f" (--base {other} changes it)" if any(row.when is added for row in rows) else ""
    return f"base not stated: written as {chosen}{change}"


def _lost(report: Report, losses: list[Loss]) -> str:
    """What other programs lose; numbering and cosmetics only if nothing else is lost."""
    found = [kind for x in losses if x.path != "base" or x.difference.before for kind in _lost_kinds(x)]
    found += [_Kind("reading", "element", len(report.reading), True, "ignored in the source")] * bool(
        report.reading
    )
    important = [x for x in found if x.aspect not in _MINOR]
    if important:
        return _listed("lost for other programs", important)
    if found:
        words = [
            f"{aspect} ({', '.join(_shown([x for x in found if x.aspect == aspect]))})"
            for aspect in _MINOR
            if any(x.aspect == aspect for x in found)
        ]
        return f"lost for other programs: {' and '.join(words)} only"
    if report.proof and report.proof.unread:
        return "nothing that was read is lost"
    return "nothing is lost"


class _Kind(NamedTuple):
    """Losses with one name: "2 cameras" if it is a noun, else "damping ×41"; ``more`` follows the name."""

    aspect: str
    word: str
    number: int = 1
    is_noun: bool = False
    more: str = ""

    def text(self) -> str:
        if self.is_noun:
            return " ".join(filter(None, (counted(self.number, self.word), self.more)))
        return f"{self.word} ×{self.number}" if self.number > 1 else self.word


def _lost_kinds(loss: Loss) -> Iterator[_Kind]:
    """What a loss is called: a record that is gone by its kind, vendor data by their elements."""
    items = list(vendor_items(loss.difference))
    acting = [x for x in items if x.is_acting] or items
    for x in acting:
        yield _Kind(x.aspect, x.word, x.number, True)
    if acting:
        return
    is_item = loss.difference.kind == "removed" and "/" in loss.path
    if is_item and (word := _word(loss.difference.before)):
        yield _Kind(loss.aspect, word, 1, True)
    else:
        yield _Kind(loss.aspect, loss.row.what if loss.row else "unexplained differences")


def _kinds(losses: Iterable[Loss]) -> list[_Kind]:
    """What is written in other terms, or was assumed, but for names, order and settings of one program."""
    found = [x for x in losses if x.row is not None and x.aspect not in (*_MINOR, "vendor")]
    return [_Kind(x.aspect, x.row.what) for x in found if x.row is not None]


def _omitted(losses: Iterable[Loss]) -> list[_Kind]:
    """What has no meaning in the target: files that are missing, and elements for other programs."""
    losses = list(losses)
    files = [_Kind(x.aspect, x.row.what) for x in losses if x.row is not None and x.aspect != "vendor"]
    vendor = [x for loss in losses if loss.aspect == "vendor" for x in vendor_items(loss.difference)]
    if len({x.word for x in vendor}) > _VENDOR:
        return [*files, _Kind("vendor", "vendor item", sum(x.number for x in vendor), True)]
    return [*files, *(_Kind("vendor", x.word, x.number, True) for x in vendor)]


def _listed(title: str, kinds: list[_Kind]) -> str:
    return f"{title}: {', '.join(_shown(kinds))}" if kinds else ""


def _shown(kinds: list[_Kind]) -> list[str]:
    """The kinds by aspect with their numbers; what moves, weighs, senses or acts is never hidden."""
    merged: dict[tuple[str, bool, str], _Kind] = {}
    for x in sorted(kinds, key=lambda kind: (_ORDER.index(kind.aspect), not kind.is_noun)):
        key = (x.word, x.is_noun, x.more)
        first = merged.setdefault(key, x._replace(number=0))
        merged[key] = first._replace(number=first.number + x.number)
    found = list(merged.values())
    always = sum(x.aspect in _ALWAYS for x in found)
    shown = found if len(found) <= max(always, _HEADLINE) + 1 else found[: max(always, _HEADLINE)]
    hidden = found[len(shown) :]
    words = [x.text() for x in shown]
    if hidden:
        *others, last = dict.fromkeys(x.aspect for x in hidden)
        of = f"{', '.join(others)} and {last}" if others else last
        words.append(f"{len(hidden)} more kinds of {of}")
    return words


def _verdicts(proof: Proof) -> Iterator[str]:
    caused = {x.quantity for x in proof.explained}
    moves = [proof.positions, proof.rotations]
    if any(v is None for v in moves):
        yield "motion not compared"
    else:
        same = all(v is not None and v < EXACT for v in moves) and not caused & {"positions", "rotations"}
        but = f" but for the base ({proof.base_change})" if proof.base_change and proof.bases[0] else ""
        where = " where compared" if proof.skipped else ""
        yield f"moves the same{where}{but}" if same else "moves differently"
    weights = [v for v in (proof.mass, proof.com) if v is not None]
    same = all(v < EXACT for v in weights) and not caused & {"mass", "com"}
    but = f" but for {counted(len(proof.unknown), 'link')} of unknown mass" if proof.unknown else ""
    if but and not weights:
        yield "mass unknown"
    else:
        yield f"weighs the same{but}" if same else f"weighs differently{_mass_deviation(proof)}{but}"
    if any((getattr(proof, name) or 0.0) >= EXACT for name in LOOKS) or caused & set(LOOKS):
        yield "looks differently"
    if proof.unread:
        yield f"{counted(len(proof.unread), 'file')} not read"


def _mass_deviation(proof: Proof) -> str:
    """By how much the masses differ: " by 6e-09 kg" for massless links that got a little; "" for none."""
    largest = max([proof.mass or 0.0, *(x.largest for x in proof.explained if x.quantity == "mass")])
    return f" by {largest:.2g} kg" if largest >= EXACT else ""


def _word(value: Any) -> str:
    """What an item that was removed as a whole is called."""
    return noun(value) if isinstance(value, Device) else _WORDS.get(value.__class__, "")


def loss_causes(report: Report) -> list[Cause]:
    """Losses by aspect and cause: unexplained ones first, then by outcome, elements before fields."""
    out: dict[tuple[str, str, str, str, bool], Cause] = {}
    for x in (*report.losses, *report.extensions):
        # Several rows of the format's table may state one cause for different facts.
        what, why = (
            (x.row.what, x.row.why) if x.row else ("unexplained", "the format's table has no reason")
        )
        key = (x.aspect, what, why, x.outcome, x.extension)
        cause = out.setdefault(key, Cause(x.aspect, what, why, x.outcome))
        cause.losses.append(x)
        cause.found += describe(x.difference, x.at, report.source)
    return sorted(
        out.values(),
        key=lambda c: (
            c.what != "unexplained",
            OUTCOMES.index(c.outcome),
            not any(map(_is_element, c.losses)),
        ),
    )


def _is_element(loss: Loss) -> bool:
    """Whether a whole element is lost."""
    return loss.extension or (loss.difference.kind == "removed" and loss.difference.index is not None)


def _moved_joints(report: Report, whole: bool) -> list[str]:
    """The joints whose index differs, as "name index → index"."""
    moved = [x for x in report.joints if x[1] != x[3]]
    if not moved:
        return []
    names = [f"{a} {i} → {k}" if a == b else f"{a} {i} → {b} {k}" for a, i, b, k in moved]
    times = f" ×{len(moved)}" if len(moved) > 1 else ""
    return [f"  joint index{times}: for programs that count joints", f"    {listed(names, whole)}"]


def _finding_lines(findings: Iterable[Finding]) -> list[str]:
    """The findings, one entry for each rule and cause; of many entries with one code, the first few."""
    groups: dict[str, list[Entry]] = {}
    for entry in grouped(distinct(findings)):
        groups.setdefault(entry.first.code, []).append(entry)
    out = []
    for code, found in groups.items():
        shown = len(found) if len(found) <= _FINDINGS + 1 else _FINDINGS
        for entry in found[:shown]:
            also = entry.also()
            out += [f"{entry.first}", *([f"  {also}"] if also else [])]
        if shown < len(found):
            rest = sum(len(entry.findings) for entry in found[shown:])
            out.append(f"… {and_more(rest)} [{code}]")
    return out


def _carried_line(report: Report) -> list[str]:
    carried, count = len(report.carried), len(report.losses)
    if not carried:
        return []
    what = f"all {count} differences" if carried == count else f"{carried} of {count} differences"
    what = what if count > 1 else "the difference"
    return [f"carried in the side-car, which unibody reads and other programs do not see: {what}"]


def _ignored(report: Report, whole: bool) -> list[str]:
    if not report.reading:
        return []
    out = [f"ignored in the source ({len(report.reading)}):"]
    groups: dict[str, list[Unread]] = {}
    for u in report.reading:
        groups.setdefault(u.key or "text", []).append(u)
    for key, found in groups.items():
        labels = [_ignored_label(u, report.source, len(found) == 1) for u in found]
        if len(found) == 1:
            out.append(f"  {key}{labels[0]}")
        else:
            out.append(f"  {key} ×{len(found)}: {listed(labels, whole)}")
    return out


def _ignored_label(u: Unread, source: str, alone: bool) -> str:
    """The element around ignored content with its line; if it is ``alone``, its value, too."""
    owner, place = u.path.lstrip("/"), place_text(u.at, source)
    if alone:
        value = f" {' '.join(u.text.split())}" if u.text else ""
        return f"{value}{f' of {owner}' if owner else ''}{f' ({place})' if place else ''}"
    return f"{owner} ({place})" if owner and place else owner or place


def markdown(report: Report) -> str:
    """The report as Markdown, a row for each cause and change."""
    source = " with ".join((report.source, *report.beside))
    out = [f"# {cell(source)} → {cell(report.target)}", "", cell(headline(report)), ""]
    for line in _carried_line(report):
        out += [cell(line), ""]
    if report.reading:
        out += ["## Ignored in the source", "", "| place | key | value |", "| --- | --- | --- |"]
        for u in report.reading:
            cells = (str(u.at or ""), f"{u.path.lstrip('/')} {u.key}".strip(), u.text)
            out.append(f"| {' | '.join(map(cell, cells))} |")
        out.append("")
    if report.losses or report.extensions:
        out += ["## Losses", "", f"| {' | '.join(_COLUMNS)} |", "| --- | --- | --- | --- | --- | --- |"]
        out += [f"| {' | '.join(map(cell, row))} |" for row in _loss_rows(report)]
        out.append("")
    if report.layout:
        out += [f"Layout: {report.layout}", ""]
    if report.proof:
        out.append(f"Proof: {report.proof}")
    return "\n".join(out) + "\n"


def _loss_rows(report: Report) -> Iterator[tuple[str, ...]]:
    """A row of _COLUMNS for each cause and change."""
    for cause in sorted(loss_causes(report), key=lambda c: ASPECTS.index(c.aspect)):
        for change, elements in change_groups(cause.found):
            become = f"{OUTCOME_WORDS[cause.outcome]}{cause.carried()}"
            lost = "ignored" if cause.losses[0].extension else "removed"
            yield cause.aspect, cause.what, become, change or lost, ", ".join(elements), cause.why


def html(report: Report) -> str:
    """The report for notebooks: a table of losses below the headline, then the findings and the proof."""
    from html import escape

    from unibody.text.grouping import html as findings_table

    def row(cells: Iterable[str], tag: str = "td") -> str:
        return "".join(f'<{tag} style="text-align:left">{escape(each)}</{tag}>' for each in cells)

    rows = (
        [row(_COLUMNS, "th"), *map(row, _loss_rows(report))] if report.losses or report.extensions else []
    )
    title = (
        f"<caption>{escape(report.source)} → {escape(report.target)}: {escape(headline(report))}</caption>"
    )
    table = f"<table>{title}{''.join(f'<tr>{cells}</tr>' for cells in rows)}</table>"
    findings = findings_table(report.findings) if report.findings else ""
    proof = f"<p>proof: {escape(str(report.proof))}</p>" if report.proof else ""
    return table + findings + proof


def csv_rows(report: Report) -> str:
    """The losses as CSV with a header, one row each; values as JSON."""
    what = ("aspect", "kind", "outcome", "carried", "path", "at", "before", "after", "what", "why")
    rows = []
    for x in (*report.losses, *report.extensions):
        data = x.json()
        before, after = (json.dumps(data[key], ensure_ascii=False) for key in ("before", "after"))
        carried = "yes" if x.carried else "no"
        words = [report.source, x.aspect, x.kind, x.outcome, carried, x.path, data["at"] or ""]
        rows.append([*words, before, after, data["what"] or "", data["why"] or ""])
    return csv_table(("source", *what), rows)


def csv_table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table as CSV, whose cells no spreadsheet evaluates."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([["'" + w if w[:1] in _FORMULA else w for w in row] for row in rows])
    return out.getvalue()


# A spreadsheet evaluates cells that begin with one of these.
_FORMULA = ("=", "+", "-", "@")
# A name from a file must not end a cell or become markup.
_MARKUP = re.compile(r"[\\`*\[\]<>|&~]")


def cell(text: str) -> str:
    """Text as a cell of a Markdown table."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
