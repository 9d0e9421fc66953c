"""Fixes of OpenHRP models: missing PROTO declarations and incomplete lists of the Humanoid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from unibody.formats.openhrp.write_protos import arrange
from unibody.text.edit import ProposedFix, inserted, is_line_start, line_end, new_line
from unibody.text.finding import Finding, Findings
from unibody.text.fixes import exchanged
from unibody.text.node import Item, Node, Value, walk
from unibody.text.source import Source, Span
from unibody.text.vrml import parser as vrml

_COMMA = re.compile(r",\s*\Z")


def protos_added(root: Node) -> ProposedFix | None:
    """Add OpenHRP's own declarations of the nodes that the file uses, after its first line."""
    source = root.source
    if source is None:
        return None
    # a separate tree, because arrange() changes it in place
    copy = vrml.parse(Source(source.name, source.text), Findings())
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
    if source.text.startswith("#VRML"):
        starts = source.line_starts()
        at = starts[1] if len(starts) > 1 else 0
    words = text.strip("\n").replace("\n", line_end(source)) + line_end(source)
    names = ", ".join(_name(item) for item in made)
    return ProposedFix(f"add PROTO {names}", (inserted(source, at, words),))


def _name(item: Item) -> str:
    return item[1].name if isinstance(item[1], Node) else ""


def list_completed(at: Span | None, key: str, names: Sequence[str]) -> ProposedFix | None:
    """Append missing names to a list of the Humanoid; adds the list if it is absent."""
    if at is None or not names:
        return None
    source, text, title = at.source, at.text, f"list {', '.join(names)}"
    if text.endswith("}") and is_line_start(source, at.end - 1):
        words = f"  {key} [ {' '.join(f'USE {name}' for name in names)} ]"
        return ProposedFix(title, (new_line(source, at.end - 1, words),))
    if not text.endswith("]"):
        return None
    inside = text[1:-1].rstrip()
    if "#" in inside.rsplit("\n", 1)[-1]:
        return None
    comma = "," if "," in inside and not _COMMA.search(inside) else ""
    words = "".join(f"{comma} USE {name}" for name in names)
    return ProposedFix(title, (inserted(source, at.start + 1 + len(inside), words),))


def propose_fix(finding: Finding, trees: Iterable[Value]) -> ProposedFix | None:
    """Swap reversed limits of position or velocity."""
    at = finding.at
    if finding.code != "limits-reversed" or at is None:
        return None
    names = ("lvlimit", "uvlimit") if finding.subject.endswith("/velocity") else ("llimit", "ulimit")
    around = [n for n in walk(trees, at.source.name) if n.start <= at.start < n.end]
    for node in sorted(around, key=lambda n: (n.start, n.end) != (at.start, at.end)):
        low, high = (_field(node, name) for name in names)
        if low is not None and high is not None and at.start in (node.start, low.start, high.start):
            return exchanged(Span(at.source, low.start, low.end), Span(at.source, high.start, high.end))
    return None


def _field(node: Node, name: str) -> Value | None:
    found = [value for key, value, _ in node.items if key == name]
    return found[0] if len(found) == 1 and found[0].start >= 0 else None
