"""Composition of edits: edits of an edited text as edits of the original text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unibody.fixes.plan import FindingFix
from unibody.text.edit import Edit, edited
from unibody.text.source import Source


@dataclass(frozen=True, slots=True)
class OwnedEdit:
    """An edit with the fixes that it belongs to: several that change the same place in turn."""

    edit: Edit
    owners: tuple[FindingFix, ...]


@dataclass(slots=True)
class _Cluster:
    """A range of the edited text, in which ``old`` edits were made and ``new`` ones are added."""

    start: int
    end: int
    old: list[OwnedEdit]
    new: list[tuple[Edit, FindingFix]]


def composed(
    made: Iterable[OwnedEdit], original: Source, now: Source, new: Iterable[tuple[Edit, FindingFix]]
) -> list[OwnedEdit]:
    """The edits of the original text that have the effect of ``made``, and then of ``new``.

    ``new`` edits the text ``now``, which ``made`` gives; no two of them conflict. An edit that touches the
    text of an earlier one is merged with it.

    >>> from unibody.text.edit import ProposedFix
    >>> from unibody.text.finding import Finding
    >>> one = FindingFix(Finding("a", "info", ""), ProposedFix("", ()))
    >>> source, now = Source("a.txt", "x = 90"), Source("a.txt", "x = -90")
    >>> made = [OwnedEdit(Edit(source, 4, 6, "-90"), (one,))]
    >>> composed(made, source, now, [(Edit(now, 5, 7, "45"), one)])[0].edit.text
    '-45'
    """
    clusters = _clusters(made, new)
    out: list[OwnedEdit] = []
    shift = 0
    for one in clusters:
        grown = sum(len(m.edit.text) - (m.edit.end - m.edit.start) for m in one.old)
        start, end = one.start - shift, one.end - shift - grown
        shift += grown
        if not one.new:
            out += one.old
            continue
        region = Source(now.name, now.text[one.start : one.end])
        moved = [Edit(region, e.start - one.start, e.end - one.start, e.text) for e, _ in one.new]
        text = edited(region.text, dict.fromkeys(moved))
        owners = [*(owner for m in one.old for owner in m.owners), *(owner for _, owner in one.new)]
        unique = tuple({id(owner): owner for owner in owners}.values())
        if text != original.text[start:end]:
            out.append(OwnedEdit(Edit(original, start, end, text), unique))
    return out


def _clusters(made: Iterable[OwnedEdit], new: Iterable[tuple[Edit, FindingFix]]) -> list[_Cluster]:
    """Group the edits by the ranges of the edited text that they change or changed, in order."""
    ranges: list[_Cluster] = []
    shift = 0
    for old in sorted(made, key=lambda m: (m.edit.start, m.edit.end)):
        start = old.edit.start + shift
        ranges.append(_Cluster(start, start + len(old.edit.text), [old], []))
        shift += len(old.edit.text) - (old.edit.end - old.edit.start)
    ranges += [_Cluster(edit.start, edit.end, [], [(edit, owner)]) for edit, owner in new]
    out: list[_Cluster] = []
    for one in sorted(ranges, key=lambda c: (c.start, c.end)):
        last = out[-1] if out else None
        if last is not None and (one.start < last.end or (one.start == last.end and _mixed(last, one))):
            last.end = max(last.end, one.end)
            last.old += one.old
            last.new += one.new
        elif last is not None and (one.start, one.end) == (last.start, last.end) and one.new and last.new:
            last.new += one.new  # the same edit, of two fixes
        else:
            out.append(one)
    return out


def _mixed(a: _Cluster, b: _Cluster) -> bool:
    """Whether one of two ranges that touch was edited before and the other one is edited now."""
    return bool((a.old and b.new) or (a.new and b.old))
