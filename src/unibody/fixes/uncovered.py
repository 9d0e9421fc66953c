"""Findings that a fix uncovers in text that was ignored before, such as the value of a misspelled key."""

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

# Characters of a text that are compared to tell findings apart.
_COMPARED_LENGTH = 80


def identity(finding: Finding) -> tuple[str, ...]:
    """A key that survives edits elsewhere: code, subject and the text at the place, without its offset."""
    at = finding.at
    words = at.source.text[at.start : min(at.end, at.start + _COMPARED_LENGTH)] if at is not None else ""
    edits = (
        f"{edit.at.text[:_COMPARED_LENGTH]} > {edit.text[:_COMPARED_LENGTH]}" for edit in finding.edits
    )
    return finding.code, finding.subject, finding.suggestion, words, *edits


def added(before: Iterable[Finding], after: Iterable[Finding]) -> list[Finding]:
    """Findings of ``after`` that are not in ``before``, compared by identity and number."""
    had = Counter(map(identity, before))
    out: list[Finding] = []
    for finding in after:
        what = identity(finding)
        had[what] -= 1
        if had[what] < 0:
            out.append(finding)
    return out


def on_original(
    found: FindingFix, made: Mapping[str, Sequence[Edit]], sources: Mapping[str, Source]
) -> FindingFix | None:
    """Translate a fix of an edited text to the original text; None if it conflicts with ``made``."""
    edits: list[Edit] = []
    for edit in found.fix.edits:
        source = sources.get(edit.source.name, edit.source)
        moved = _before(edit, made.get(edit.source.name, ()))
        if moved is None:
            return None
        edits.append(Edit(source, *moved, edit.text))
    return replace(found, fix=replace(found.fix, edits=tuple(edits)))


def _before(edit: Edit, made: Sequence[Edit]) -> tuple[int, int] | None:
    """The range of an edit before the edits ``made``; None if they overlap."""
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


def may_remain(new: Sequence[Finding], after: Reading, at: Sequence[Edit], made: Sequence[Edit]) -> bool:
    """Whether new findings may remain: all are warnings in an element that an edit of ``at`` repairs."""
    for finding in new:
        place = finding.at
        if finding.severity == "error" or place is None:
            return False
        ours = [e for e in made if e.source.name == place.source.name]
        repaired = (_after(e, ours) for e in at if e.source.name == place.source.name)
        if not any(_is_in_element(place, after, offset) for offset in repaired):
            return False
    return True


def _after(edit: Edit, made: Sequence[Edit]) -> int:
    """Offset of an edit's text after all edits ``made``."""
    ahead = {(e.start, e.end, e.text) for e in made if e.start < edit.start}
    return edit.start + sum(len(text) - (end - start) for start, end, text in ahead)


def _is_in_element(place: Span, after: Reading, offset: int) -> bool:
    """Whether a place is inside the innermost element around an offset."""
    around = [n for n in walk(after.trees, place.source.name) if n.start <= offset < n.end]
    if not around:
        return False
    inner = min(around, key=lambda n: n.end - n.start)
    return inner.start <= place.start and place.end <= inner.end
