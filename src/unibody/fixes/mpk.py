"""Remedies of MPK robots."""

from __future__ import annotations

import re
from typing import Any

from unibody.fixes.cure import Case, Made
from unibody.fixes.places import holder, nodes
from unibody.text.edit import Edit, inserted, is_line_start, new_line, replaced, unquoted, without
from unibody.text.node import Node

_PARAM = re.compile(r"(?<![\w.-])param\s+\Z")


def quotes(case: Case) -> Any:
    """Double quotes around names of files, none around those of joints."""
    quote, inner = unquoted(case.text)
    if quote and re.fullmatch(r"[^\s{}#\"]+", inner):
        return Made("quotes removed", (replaced(case.at, inner),))
    if not quote and re.fullmatch(r"[^\s{}#\"]+", case.text):
        return Made("put in quotes", (replaced(case.at, f'"{case.text}"'),))
    return None


def param_added(case: Case) -> Any:
    """The index that is taken, in a line before the transform."""
    if not is_line_start(case.source, case.at.start):
        return Made("param 0 added", (Edit(case.source, case.at.start, case.at.start, "param 0 "),))
    return Made("param 0 added", (new_line(case.source, case.at.start, "param 0"),))


def param_removed(case: Case) -> Any:
    """A param that drives nothing."""
    found = _PARAM.search(case.source.text, max(0, case.at.start - 40), case.at.start)
    if not found:
        return None
    return Made("removed", (without(case.source, found.start(), case.at.end),))


def pair_removed(case: Case) -> Any:
    """A joint paired with itself."""
    words = case.text.split()
    if len(words) != 2 or words[0] != words[1]:
        return None
    return Made("removed", (without(case.source, case.at.start, case.at.end),))


def parent_first(case: Case) -> Any:
    """The block of a parent is moved before that of its child; their numbers change with it."""
    child = held.node if (held := holder(case)) else None
    blocks = [n for n in nodes(case) if n.tag == "joint" and n.name == case.text]
    if child is None or len(blocks) != 1 or blocks[0].start < child.start:
        return None
    moved, before = _lines(case, blocks[0]), _lines(case, child)
    if moved is None or before is None:
        return None
    block = case.source.text[slice(*moved)]
    edits = (inserted(case.source, before[0], block), Edit(case.source, *moved, ""))
    return Made(f"joint {case.text} moved up", edits, safe=False)


def _lines(case: Case, node: Node) -> tuple[int, int] | None:
    """The whole lines of a block; None when something else stands in them."""
    text, starts = case.source.text, case.source.line_starts()
    row = case.source.line_column(node.end)[0]
    end = starts[row] if row < len(starts) else len(text)
    whole = is_line_start(case.source, node.start) and not text[node.end : end].strip()
    if not whole or not text[:end].endswith("\n"):
        return None
    return starts[case.source.line_column(node.start)[0] - 1], end
