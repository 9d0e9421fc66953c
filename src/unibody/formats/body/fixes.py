"""Fixes for Body files: missing top-level keys, names of links, redundant keys."""

from __future__ import annotations

import re
from collections.abc import Iterable

from unibody.text.edit import Edit, ProposedFix, indent, inserted, is_line_start, line_end, new_line
from unibody.text.finding import Finding
from unibody.text.fixes import renumbered, without_value
from unibody.text.node import Item, Node, Value, Word

# A YAML scalar that needs no quotes.
_PLAIN = re.compile(r"[A-Za-z_][\w.-]*")
_WORDS = frozenset("y n yes no on off true false null".split())


def version_added(root: Node | None, version: str) -> ProposedFix | None:
    """Add the format version as which the file is read, below its format."""
    return _below(root, _item(root, "format"), f"format_version: {version}")


def format_added(root: Node | None, version: str) -> ProposedFix | None:
    """Add format and version at the top of a file that has links."""
    if root is None or root.source is None or root.flow or _item(root, "links") is None:
        return None
    if _item(root, "format_version", "formatVersion") is not None:
        return None
    words = f"format: ChoreonoidBody{line_end(root.source)}format_version: {version}"
    return ProposedFix(
        "add format and format_version", (new_line(root.source, root.items[0][2], words),), safe=False
    )


def version_changed(root: Node | None, version: str) -> ProposedFix | None:
    """Replace the format version."""
    item = _item(root, "format_version", "formatVersion")
    if root is None or root.source is None or item is None or not isinstance(item[1], Word):
        return None
    edit = Edit(root.source, item[1].start, item[1].end, version)
    return ProposedFix(f"change format_version to {version}", (edit,), safe=False)


def root_link_added(root: Node | None, name: str) -> ProposedFix | None:
    """Add the root link at the top of the file."""
    item = _item(root, "format_version", "formatVersion") or _item(root, "format")
    return _below(root, item, f"root_link: {name}") if is_plain(name) else None


def root_made_fixed(link: Node | None) -> ProposedFix | None:
    """Change the joint type of the root link to fixed, as it is read."""
    if link is None or link.source is None:
        return None
    found = [v for k, v, _ in link.items if k in ("joint_type", "jointType")]
    if len(found) != 1 or not isinstance(found[0], Word) or found[0].start < 0:
        return None
    word, quote = found[0], len(found[0].quote)
    edit = Edit(link.source, word.start + quote, word.end - quote, "fixed")
    return ProposedFix(f"replace {word.text} by fixed", (edit,), leftover=True)


def named(link: Node | None, name: str) -> ProposedFix | None:
    """Add the name under which an unnamed link is read."""
    if link is None or link.source is None or not link.items or link.items[0][2] < 0:
        return None
    if not is_plain(name):
        return None
    source, first = link.source, link.items[0][2]
    column = source.line_column(first)[1] - 1
    words = f"name: {name}" + (", " if link.flow else line_end(source) + " " * column)
    return ProposedFix(f"name the link '{name}'", (inserted(source, first, words),))


def key_removed(node: Node | None, key: str) -> ProposedFix | None:
    """Remove a redundant key."""
    found = [item for item in node.items if item[0] == key] if node is not None else []
    edit = without_value(node, found[0]) if node is not None and len(found) == 1 else None
    return ProposedFix(f"remove {key}", (edit,)) if edit is not None else None


def is_plain(name: str) -> bool:
    """Whether a name needs no quotes in YAML."""
    return bool(_PLAIN.fullmatch(name)) and name.lower() not in _WORDS


def _item(root: Node | None, *keys: str) -> Item | None:
    """The first of ``keys`` in the top-level mapping; None if absent or from another file."""
    items = root.items if root is not None else ()
    return next((item for item in items if item[0] in keys and item[2] >= 0), None)


def _below(root: Node | None, item: Item | None, words: str) -> ProposedFix | None:
    """Insert a line after the line of a key, or a further key of a flow mapping."""
    if root is None or root.source is None or item is None:
        return None
    source, title = root.source, f"add {words.partition(':')[0]}"
    if root.flow:
        return ProposedFix(title, (inserted(source, item[1].end, f", {words}"),))
    if not is_line_start(source, item[2]):
        return None
    starts = source.line_starts()
    row = source.line_column(item[1].end)[0]
    if row >= len(starts):
        edit = inserted(source, len(source.text), line_end(source) + words)
    else:
        edit = inserted(source, starts[row], indent(source, item[2]) + words + line_end(source))
    return ProposedFix(title, (edit,))


def propose_fix(finding: Finding, trees: Iterable[Value]) -> ProposedFix | None:
    """Swap reversed position limits."""
    if finding.code != "limits-reversed" or not finding.subject.endswith("/position"):
        return None
    return renumbered(finding.at, "swap the limits", lambda old: old[::-1] if len(old) == 2 else None)
