"""Comparison of two models: differences by aspect, and a computed verdict about kinematics and masses."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unibody.conversion.description import (
    Described,
    change_groups,
    change_lines,
    describe,
    place_text,
)
from unibody.conversion.measurement import with_names
from unibody.conversion.places import Places
from unibody.conversion.report_text import cell, csv_table
from unibody.conversion.verification import EXACT, Proof, verify
from unibody.model.aspect import aspect_of_difference
from unibody.model.facts import Difference
from unibody.model.json import brief_json
from unibody.model.metadata import ASPECTS, Aspect
from unibody.model.robot import Extra, Robot
from unibody.text.counted import counted
from unibody.text.source import Span

# Fields of a joint that its motion depends on.
_KINEMATIC = ("kind", "parent", "child", "origin", "axis")


@dataclass(frozen=True, slots=True)
class ComparedFact:
    """One difference: what it matters for, and its places in both files."""

    difference: Difference
    aspect: Aspect
    at_a: Span | None = None
    at_b: Span | None = None

    def json(self) -> dict[str, Any]:
        """The difference as plain JSON data, values as in the native format."""
        places = {"at_a": self.at_a, "at_b": self.at_b}
        return {
            **self.difference.json(),
            "aspect": self.aspect,
            **{name: str(at) if at else None for name, at in places.items()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The differences of two models, named ``a`` and ``b``, and a verdict in one line.

    ``proof`` has the largest deviations at random configurations, None if the models are equal.
    """

    a: str
    b: str
    facts: tuple[ComparedFact, ...] = ()
    verdict: str = "same"
    proof: Proof | None = None

    def of(self, aspects: Collection[Aspect]) -> Comparison:
        """The comparison with the differences of some aspects only; the verdict stays."""
        facts = tuple(x for x in self.facts if x.aspect in aspects)
        return Comparison(a=self.a, b=self.b, facts=facts, verdict=self.verdict, proof=self.proof)

    def json(self) -> dict[str, Any]:
        """The comparison as plain JSON data."""
        return {
            "same": not self.facts,
            "verdict": self.verdict,
            "differences": [x.json() for x in self.facts],
            "proof": self.proof.json() if self.proof else None,
        }

    def lines(self) -> list[str]:
        """One line for each difference, with its path."""
        return [str(x.difference) for x in self.facts]

    def text(self, *, whole: bool = False) -> list[str]:
        """The comparison as lines of text: verdict, then differences by aspect, equal ones together.

        Without ``whole``, the first elements of each difference are shown.
        """
        out = [f"{self.a} → {self.b}", self.verdict]
        for aspect, facts in self._by_aspect():
            out.append(f"{aspect}: {counted(sum(map(_weight, facts)), 'difference')}")
            found = [d for x in facts for d in self._described(x)]
            out += [f"  {line}" for line in change_lines(found, whole)]
        return out

    def markdown(self) -> str:
        """The comparison as Markdown, a row for each change."""
        out = [f"# {cell(self.a)} → {cell(self.b)}", "", cell(self.verdict), ""]
        out += ["| aspect | change | elements |", "| --- | --- | --- |"]
        for aspect, facts in self._by_aspect():
            found = [d for x in facts for d in self._described(x)]
            for change, elements in change_groups(found):
                out.append(f"| {' | '.join(map(cell, (aspect, change, ', '.join(elements))))} |")
        return "\n".join(out) + "\n"

    def csv(self) -> str:
        """The differences as CSV, one row each; values as JSON."""
        header = ("a", "b", "aspect", "kind", "path", "at_a", "at_b", "before", "after")
        rows = []
        for x in self.facts:
            d = x.difference
            values = (json.dumps(brief_json(v), ensure_ascii=False) for v in (d.before, d.after))
            places = (str(at or "") for at in (x.at_a, x.at_b))
            rows.append([self.a, self.b, x.aspect, d.kind, d.path, *places, *values])
        return csv_table(header, rows)

    def _by_aspect(self) -> Iterator[tuple[Aspect, list[ComparedFact]]]:
        for aspect in ASPECTS:
            if mine := [x for x in self.facts if x.aspect == aspect]:
                yield aspect, mine

    def _described(self, fact: ComparedFact) -> Iterator[Described]:
        """The difference in words, with the list that has the element and its lines in both files."""
        place = _places_text(fact, self.a, self.b)
        at, source = (fact.at_b, self.b) if fact.difference.kind == "added" else (fact.at_a, self.a)
        for d in describe(fact.difference, at, source):
            kind = {"links": "link", "joints": "joint"}.get(d.list, "")
            if not d.field and d.list:
                is_kind = d.value and (d.list == "joints" or _is_shape(d.element))
                what = d.value if is_kind else "mimic joints" if d.list == "couplings" else d.list
                yield d._replace(place=place, field=f"{d.verb} {what}", verb="changed", value="")
            elif d.list == "extras" and fact.difference.kind == "removed":
                yield d._replace(field=f"{d.field} removed")
            elif d.list == "extras" and fact.difference.kind == "added":
                yield d
            else:
                field = f"{kind} {d.field}" if kind and not _is_shape(d.element) else d.field
                yield d._replace(place=place, field=field)


def _weight(fact: ComparedFact) -> int:
    """How many differences a fact is: vendor data is one for each of its elements."""
    value = fact.difference.before if fact.difference.kind == "removed" else fact.difference.after
    return max(len(value.node.items), 1) if isinstance(value, Extra) else 1


def _is_shape(element: str) -> bool:
    """Whether an element is a shape of a link ("WAIST visual 0")."""
    return element.rpartition(" ")[0].endswith((" visual", " collision"))


def _places_text(fact: ComparedFact, a: str, b: str) -> str:
    """The lines in both files: "line 3", or "line 3 → 5" if they differ."""
    first, second = place_text(fact.at_a, a), place_text(fact.at_b, b)
    if first == second or not second or fact.difference.kind == "removed":
        return first
    return f"{first} → {second.removeprefix('line ')}" if first else second


def compare(
    a: Robot,
    b: Robot,
    differences: Iterable[Difference],
    names: tuple[str, str] = ("a", "b"),
    tolerance: float = 0.0,
) -> Comparison:
    """The comparison of two robots from their differences (``model.facts.diff``).

    Poses that deviate by less than ``tolerance`` (m, rad) are the same kinematics.

    >>> from unibody.model.facts import diff
    >>> from unibody.model.robot import Link
    >>> old, new = (Robot(name=n, links=(Link(name="base"),)) for n in ("old", "new"))
    >>> compare(old, new, diff(old, new)).verdict
    'same kinematics; same masses; other differences: numbering'
    """
    found = list(differences)
    if not found:
        return Comparison(a=names[0], b=names[1])
    # Paths have the new names of renamed items, also for the first robot.
    first, second = Places(with_names(a, found)), Places(b)
    facts = tuple(
        ComparedFact(d, aspect_of_difference(d), _place(first, d, "added"), _place(second, d, "removed"))
        for d in found
    )
    proof = verify(a, with_names(b, found, back=True))
    text = "; ".join(_verdict(a, b, facts, proof, tolerance))
    return Comparison(a=names[0], b=names[1], facts=facts, verdict=text, proof=proof)


def _place(places: Places, difference: Difference, absent: str) -> Span | None:
    is_item = difference.index is not None and difference.kind == absent
    return None if is_item else places.find(difference.path)


def _verdict(
    a: Robot, b: Robot, facts: Sequence[ComparedFact], proof: Proof, tolerance: float
) -> Iterator[str]:
    """Whether kinematics and masses are the same; then what else differs."""
    told: set[int] = set()
    yield _kinematics(facts, proof, told, max(EXACT, tolerance))
    if proof.base_change:
        told.update(k for k, x in enumerate(facts) if x.difference.path == "base")
        yield f"base {proof.base_change}"
    if any(x.difference.path.startswith("pose/") for x in facts):
        told.update(k for k, x in enumerate(facts) if x.difference.path.startswith("pose/"))
        yield "pose of the robot differs"
    if starts := _owners(facts, "joints", ("initial",), told):
        yield f"initial positions differ in {counted(len(starts), 'joint')}"
    if limits := _owners(facts, "joints", ("limits/position",), told):
        yield f"position limits differ in {counted(len(limits), 'joint')}"
    masses = _owners(facts, "links", ("inertial/mass", "inertial"), told)
    total = "" if abs(a.mass - b.mass) < EXACT else f" ({a.mass:.6g} → {b.mass:.6g} kg in all)"
    if proof.unknown:
        yield f"masses of {counted(len(proof.unknown), 'link')} unknown"
        total = ""
    if masses:
        yield f"masses differ in {counted(len(masses), 'link')}{total}"
    elif total:
        yield f"masses differ{total}"
    if inertias := _owners(facts, "links", ("inertial/**",), told) - masses:
        yield f"centers of mass or inertias differ in {counted(len(inertias), 'link')}"
    elif not masses and not total and not proof.unknown:
        yield "same masses"
    count: Counter[Aspect] = Counter()
    for k, x in enumerate(facts):
        count[x.aspect] += 0 if k in told else _weight(x)
    others = [
        f"{aspect}{f' ×{count[aspect]}' if count[aspect] > 1 else ''}"
        for aspect in ASPECTS
        if count[aspect]
    ]
    if others:
        yield f"other differences: {', '.join(others)}"


def _kinematics(facts: Sequence[ComparedFact], proof: Proof, told: set[int], least: float) -> str:
    """Whether links, joints and poses at random configurations are the same; "told" are facts of it."""
    reasons = []
    for kind, where in (("removed", "only in the first"), ("added", "only in the second")):
        lone = [
            counted(n, word)
            for word in ("link", "joint")
            if (n := sum(_is_item(x.difference, f"{word}s", kind) for x in facts))
        ]
        if lone:
            reasons.append(f"{' and '.join(lone)} {where}")
    for name, word in (("loops", "loop"), ("couplings", "mimic joint")):
        if n := len(_owners(facts, name, ("**",), told)):
            reasons.append(f"{counted(n, word)} {'differs' if n == 1 else 'differ'}")
    if n := len(_owners(facts, "joints", ("kind",), set())):
        reasons.append(f"{counted(n, 'joint')} of another kind")
    deviations = ((proof.positions, "link positions", "m"), (proof.rotations, "link rotations", "rad"))
    reasons += [
        f"{word} by up to {v:.2g} {unit}" for v, word, unit in deviations if v is not None and v >= least
    ]
    for k, x in enumerate(facts):
        if any(
            _is_item(x.difference, n, kind) for n in ("links", "joints") for kind in ("added", "removed")
        ):
            told.add(k)
    _owners(facts, "joints", tuple(f"{name}{rest}" for name in _KINEMATIC for rest in ("", "/**")), told)
    if proof.positions is None:
        return f"kinematics not compared ({'; '.join(proof.skipped)})"
    where = f", not compared: {'; '.join(proof.skipped)}" if proof.skipped else ""
    return (f"kinematics differ: {', '.join(reasons)}" if reasons else "same kinematics") + where


def _is_item(difference: Difference, name: str, kind: str) -> bool:
    """Whether a whole item of a list of the robot was added or removed."""
    return (
        difference.kind == kind
        and difference.path.startswith(f"{name}/")
        and difference.path.count("/") == 1
    )


def _owners(facts: Sequence[ComparedFact], name: str, fields: tuple[str, ...], told: set[int]) -> set[str]:
    """The items of a list of the robot that differ in some fields; ``told`` collects their indices."""
    out = set()
    for k, x in enumerate(facts):
        first, _, rest = x.difference.path.partition("/")
        owner, _, inner = rest.partition("/")
        if first != name or x.difference.kind in ("renamed", "moved"):
            continue
        if any(inner.startswith(f.removesuffix("**")) if f.endswith("**") else inner == f for f in fields):
            out.add(owner)
            told.add(k)
    return out
