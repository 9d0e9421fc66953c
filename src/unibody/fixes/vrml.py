"""Remedies of OpenHRP models: what the file has to declare and to list."""

from __future__ import annotations

import re
from typing import Any

from unibody.fixes.cure import Case, Made
from unibody.formats.openhrp.write_protos import arrange
from unibody.text.edit import inserted, is_line_start, line_end, new_line
from unibody.text.finding import Findings
from unibody.text.node import Item, Node
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

_NAMES = re.compile(r"'([^']+)'")
_COMMA = re.compile(r",\s*\Z")


def protos_added(case: Case) -> Any:
    """OpenHRP's own declarations of the nodes that the file uses, below its first line."""
    root = case.reading.node
    if not isinstance(root, Node) or root.source is None or root.source.name != case.source.name:
        return None
    # A tree of its own: it is arranged in place.
    copy = vrml.parse(Source(case.source.name, case.source.text), Findings())
    arrange(copy)
    declared = {n.name for _, n, _ in root.items if isinstance(n, Node) and n.tag.endswith("PROTO")}
    made: list[Item] = [item for item in copy.items if item[2] < 0 and _name(item) not in declared]
    if not made:
        return None
    try:
        text = vrml.print(Node("", made), Source("", ""))
    except ValueError:  # a field with a name that VRML97 cannot hold
        return None
    at = 0
    if case.source.text.startswith("#VRML"):
        starts = case.source.line_starts()
        at = starts[1] if len(starts) > 1 else 0
    words = text.strip("\n").replace("\n", line_end(case.source)) + line_end(case.source)
    names = ", ".join(_name(item) for item in made)
    return Made(f"PROTO {names} added", (inserted(case.source, at, words),))


def _name(item: Item) -> str:
    return item[1].name if isinstance(item[1], Node) else ""


def listed(case: Case) -> Any:
    """The names that a list of the Humanoid lacks, at its end; the list itself when it is not there."""
    head, _, tail = case.finding.message.partition(" do not list ")
    names = _NAMES.findall(tail)
    if "…" in tail or "without a DEF name" in tail or not names:
        return None
    if case.text.endswith("}") and is_line_start(case.source, case.at.end - 1):
        words = f"  {head.split()[-1]} [ {' '.join(f'USE {name}' for name in names)} ]"
        return Made(f"{', '.join(names)} listed", (new_line(case.source, case.at.end - 1, words),))
    if not case.text.endswith("]"):
        return None
    inside = case.text[1:-1].rstrip()
    if "#" in inside.rsplit("\n", 1)[-1]:
        return None
    comma = "," if "," in inside and not _COMMA.search(inside) else ""
    words = "".join(f"{comma} USE {name}" for name in names)
    at = case.at.start + 1 + len(inside)
    return Made(f"{', '.join(names)} listed", (inserted(case.source, at, words),))
