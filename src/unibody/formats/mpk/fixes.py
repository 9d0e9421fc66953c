"""Fixes for MPK robots."""

from __future__ import annotations

import re

from unibody.text.edit import Edit, ProposedFix, inserted, is_line_start, new_line, without
from unibody.text.node import Node
from unibody.text.source import Source, Span

_PARAM = re.compile(r"(?<![\w.-])param\s+\Z")


def param_added(at: Span | None) -> ProposedFix | None:
    """Add ``param 0`` before a transform."""
    if at is None:
        return None
    if is_line_start(at.source, at.start):
        return ProposedFix("add param 0", (new_line(at.source, at.start, "param 0"),))
    return ProposedFix("add param 0", (inserted(at.source, at.start, "param 0 "),))


def param_removed(at: Span | None) -> ProposedFix | None:
    """Remove a param that drives nothing; ``at`` is the place of its index."""
    found = _PARAM.search(at.source.text, max(0, at.start - 40), at.start) if at is not None else None
    if at is None or found is None:
        return None
    return ProposedFix("remove the param", (without(at.source, found.start(), at.end),), leftover=True)


def pair_removed(at: Span | None) -> ProposedFix | None:
    """Remove a selfcoll pair of a joint with itself."""
    words = at.text.split() if at is not None else []
    if at is None or len(words) != 2 or words[0] != words[1]:
        return None
    return ProposedFix("remove the pair", (without(at.source, at.start, at.end),))


def moved_up(parent: Node | None, child: Node | None) -> ProposedFix | None:
    """Move the block of a parent before the block of its child; this changes the order of the joints."""
    if parent is None or child is None or parent.source is None or parent.source is not child.source:
        return None
    source = parent.source
    moved, before = _lines(source, parent), _lines(source, child)
    if moved is None or before is None:
        return None
    block = source.text[slice(*moved)]
    edits = (inserted(source, before[0], block), Edit(source, *moved, ""))
    return ProposedFix(f"move joint {parent.name} up", edits, safe=False)


def _lines(source: Source, node: Node) -> tuple[int, int] | None:
    """The offsets of the lines of a block; None if they contain other text."""
    text, starts = source.text, source.line_starts()
    row = source.line_column(node.end)[0]
    end = starts[row] if row < len(starts) else len(text)
    whole = is_line_start(source, node.start) and not text[node.end : end].strip()
    if not whole or not text[:end].endswith("\n"):
        return None
    return starts[source.line_column(node.start)[0] - 1], end
