"""Findings that a fix uncovers: about text that was not read before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from unibody.fixes.plan import FindingFix
from unibody.formats.loader import Reading
from unibody.text.edit import Edit, in_order
from unibody.text.finding import Finding
from unibody.text.node import walk
from unibody.text.source import Source, Span

# So much of a text tells one finding from another.
_LONGEST = 80


def identity(finding: Finding) -> tuple[str, ...]:
    """What stays of a finding when other text is edited: what stands at its place, not the place."""
    at = finding.at
    words = at.source.text[at.start : min(at.end, at.start + _LONGEST)] if at is not None else ""
    edits = (f"{edit.at.text[:_LONGEST]} > {edit.text[:_LONGEST]}" for edit in finding.edits)
    return finding.code, finding.subject, finding.suggestion, words, *edits


def newly(before: Iterable[Finding], after: Iterable[Finding]) -> list[Finding]:
    """The findings that were not there before, of each identity as often as there are more."""
    had = Counter(map(identity, before))
    out: list[Finding] = []
    for finding in after:
        what = identity(finding)
        had[what] -= 1
        if had[what] < 0:
            out.append(finding)
    return out


def back(
    found: FindingFix, made: Mapping[str, Sequence[Edit]], sources: Mapping[str, Source]
) -> FindingFix | None:
    """A fix of an edited text as one of the text before; None where it meets the edits ``made``."""
    edits: list[Edit] = []
    for edit in found.fix.edits:
        source = sources.get(edit.source.name, edit.source)
        moved = _before(edit, made.get(edit.source.name, ()))
        if moved is None:
            return None
        edits.append(Edit(source, *moved, edit.text))
    return replace(found, fix=replace(found.fix, edits=tuple(edits)))


def _before(edit: Edit, made: Sequence[Edit]) -> tuple[int, int] | None:
    """Where the place of an edit stood before others were made."""
    shift = 0
    for other in in_order(made):
        start = other.start + shift
        end = start + len(other.text)
        if edit.end < start:
            break
        if edit.start <= end:
            return None
        shift += len(other.text) - (other.end - other.start)
    return edit.start - shift, edit.end - shift


def left(new: Sequence[Finding], after: Reading, at: Sequence[Edit], made: Sequence[Edit]) -> bool:
    """Whether new findings may be left: warnings, each in an element that an edit of ``at`` repairs."""
    for finding in new:
        place = finding.at
        if finding.severity == "error" or place is None:
            return False
        ours = [e for e in made if e.source.name == place.source.name]
        repaired = (_after(e, ours) for e in at if e.source.name == place.source.name)
        if not any(_beside(place, after, offset) for offset in repaired):
            return False
    return True


def _after(edit: Edit, made: Sequence[Edit]) -> int:
    """Where an edit's text begins, once all are made."""
    ahead = {(e.start, e.end, e.text) for e in made if e.start < edit.start}
    return edit.start + sum(len(text) - (end - start) for start, end, text in ahead)


def _beside(place: Span, after: Reading, offset: int) -> bool:
    """Whether a place is in the innermost element around an offset."""
    around = [n for n in walk(after.trees, place.source.name) if n.start <= offset < n.end]
    if not around:
        return False
    inner = min(around, key=lambda n: n.end - n.start)
    return inner.start <= place.start and place.end <= inner.end
