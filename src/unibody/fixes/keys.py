"""Remedies of keys and elements: those that say nothing go, those that are asked for come."""

from __future__ import annotations

import os
import re
from typing import Any
from xml.sax.saxutils import escape

from unibody.fixes.cure import Case, Made
from unibody.fixes.places import attribute, extent, holder, node_at
from unibody.text.edit import (
    Edit,
    indent,
    inserted,
    is_line_start,
    key_before,
    line_end,
    new_line,
    replaced,
    without,
    without_item,
)
from unibody.text.node import Item, Node, Word

_SAME = re.compile(r"'([^']+)' and '([^']+)' say the same; '([^']+)' counts")
_CALLED = re.compile(r"called '([^']+)'")
_DUPLICATE = re.compile(r"duplicate (?:\w+ )?name '([^']+)'")
_EMPTY = re.compile(r"'([^']+)' is empty")
_ROOT_LINK = re.compile(r"root_link: (\S+)")
_ROOT = re.compile(r"<robot(?=[\s/>])")
# A scalar of YAML that needs no quotes, and a name that VRML takes.
_PLAIN = re.compile(r"[A-Za-z_][\w.-]*")
_YAML_WORDS = frozenset("y n yes no on off true false null".split())


def said_once(case: Case) -> Any:
    """Of what is said twice, the one that does not count goes."""
    found = holder(case)
    if found is None:
        return None
    node, item = found.node, found.item
    same = _SAME.search(case.finding.message)
    if same:
        loser = same[1] if same[3] == same[2] else same[2]
        others = [i for i in node.items if i[0] == loser]
    else:
        others = [i for i in node.items if i[0] == item[0]]
    if len(others) != (1 if same else 2):
        return None
    gone = others[0] if same or "the last one counts" in case.finding.message else others[1]
    edit = _without(case, gone)
    return Made(f"the {gone[0]} that does not count removed", (edit,)) if edit else None


def _without(case: Case, item: Item) -> Edit | None:
    """The edit that takes an item out, with its key or its tags."""
    value = item[1]
    if isinstance(value, Node) and case.source.text.startswith("<", value.start):
        return without(case.source, value.start, value.end)
    place = extent(item)
    if place is None or (case.format == "body" and _behind_dash(case, place[0])):
        return None
    return without_item(case.source, *place)


def _behind_dash(case: Case, at: int) -> bool:
    """Whether a key begins an item of a list of YAML: its line cannot go."""
    return case.source.text[:at].rstrip(" \t").endswith("-")


def without_empty(case: Case) -> Any:
    """A key without a value goes."""
    shown = _EMPTY.search(case.finding.message)
    if not shown or case.format != "body" or case.text.strip():
        return None
    start = key_before(case.source, shown[1], case.at.start)
    if start is None or _behind_dash(case, start):
        return None
    end = start + len(shown[1])
    colon = re.compile(r"[\"']?[ \t]*:").match(case.source.text, end)
    if not colon:
        return None
    return Made(f"{shown[1]} removed", (without_item(case.source, start, colon.end()),))


def without_height(case: Case) -> Any:
    """The height of a fisheye image, which nobody reads, goes."""
    found = holder(case)
    edit = _without(case, found.item) if found is not None and found.item[0] == "height" else None
    return Made("height removed", (edit,)) if edit else None


def without_bounds(case: Case) -> Any:
    """lower and upper of a continuous joint go."""
    found = (attribute(case.source, case.at.start, name) for name in ("lower", "upper"))
    edits = tuple(Edit(case.source, a.start, a.end, "") for a in found if a is not None)
    return Made("lower and upper removed", edits) if edits else None


def renamed(case: Case) -> Any:
    """The second of two names, as the reader calls it."""
    new, old = _CALLED.search(case.finding.message), _DUPLICATE.search(case.finding.message)
    if not new or not old or not _PLAIN.fullmatch(new[1]):
        return None
    defined = re.match(rf"DEF\s+({re.escape(old[1])})(?=\s)", case.text)
    if defined:
        start, end = (case.at.start + defined.start(1), case.at.start + defined.end(1))
        return Made(f"called {new[1]}", (Edit(case.source, start, end, new[1]),))
    if case.text.startswith("<"):
        found = attribute(case.source, case.at.start, "name")
        edit = Edit(case.source, *found.value, new[1]) if found else None
    else:
        edit = _renamed_item(case, old[1], new[1])
    return Made(f"called {new[1]}", (edit,)) if edit else None


def _renamed_item(case: Case, old: str, new: str) -> Edit | None:
    if case.text == old:
        return Edit(case.source, case.at.start, case.at.end, new)
    node = node_at(case)
    items = [v for k, v, _ in node.items if k == "name"] if node is not None else []
    if len(items) != 1 or not isinstance(items[0], Word) or items[0].text != old:
        return None
    quote = len(items[0].quote)
    return Edit(case.source, items[0].start + quote, items[0].end - quote, new)


def named(case: Case) -> Any:
    """The name that the reader gives is written down; infos are about what may do without."""
    if case.finding.severity == "info":
        return None
    if case.format == "urdf":
        found = _ROOT.match(case.text) if "<robot> has no name" in case.finding.message else None
        stem = os.path.splitext(os.path.basename(case.source.name))[0]
        if not found or case.source is not case.reading.source or not stem:
            return None
        words = escape(stem, {'"': "&quot;"})
        edit = inserted(case.source, case.at.start + found.end(), f' name="{words}"')
        return Made(f"called {stem}", (edit,))
    new = _CALLED.search(case.finding.message)
    if not new or not _PLAIN.fullmatch(new[1]):
        return None
    if case.format == "openhrp" and case.text.startswith("Joint"):
        return Made(f"called {new[1]}", (inserted(case.source, case.at.start, f"DEF {new[1]} "),))
    return _named_link(case, new[1]) if case.format == "body" else None


def _named_link(case: Case, name: str) -> Any:
    node = node_at(case)
    if node is None or not node.items or node.items[0][2] < 0:
        return None
    first = node.items[0][2]
    column = case.source.line_column(first)[1] - 1
    words = f"name: {name}" + (", " if node.flow else line_end(case.source) + " " * column)
    return Made(f"called {name}", (inserted(case.source, first, words),))


def version_added(case: Case) -> Any:
    """The version that the file is read as, below its format."""
    item = _top(case, "format")
    if item is None:
        return None
    version = "1.0" if _word(case, "angle_unit", "angleUnit") == "radian" else "2.0"
    return _below(case, item, f"format_version: {version}")


def format_added(case: Case) -> Any:
    """The first two lines of a Body file, when it has links."""
    root = case.reading.node
    links = _top(case, "links")
    if links is None or not isinstance(root, Node) or root.flow:
        return None
    if _top(case, "format_version", "formatVersion"):
        return None
    end = line_end(case.source)
    version = "1.0" if _word(case, "angle_unit", "angleUnit") == "radian" else "2.0"
    edit = new_line(case.source, root.items[0][2], f"format: ChoreonoidBody{end}format_version: {version}")
    return Made("added", (edit,), safe=False)


def version_one(case: Case) -> Any:
    """Version 1.0, in which angles may be radians."""
    return _version(case, "1.0")


def version_two(case: Case) -> Any:
    """The newest version."""
    return _version(case, "2.0")


def _version(case: Case, version: str) -> Any:
    item = _top(case, "format_version", "formatVersion")
    if item is None or not isinstance(item[1], Word):
        return None
    edit = Edit(case.source, item[1].start, item[1].end, version)
    return Made(f"format_version becomes {version}", (edit,), safe=False)


def mpk_version(case: Case) -> Any:
    """The one version there is."""
    return Made(f"{case.text} becomes 1.0", (replaced(case.at, "1.0"),), safe=False)


def root_link_added(case: Case) -> Any:
    """The root is named at the top of the file."""
    found = _ROOT_LINK.search(case.finding.hint)
    item = _top(case, "format_version", "formatVersion") or _top(case, "format")
    if not found or item is None or not _PLAIN.fullmatch(found[1]) or found[1].lower() in _YAML_WORDS:
        return None
    return _below(case, item, f"root_link: {found[1]}")


def root_free(case: Case) -> Any:
    """The root's joint becomes free, as it is taken."""
    node = node_at(case) or (held.node if (held := holder(case)) else None)
    if node is None:
        return None
    items = [v for k, v, _ in node.items if k in ("joint_type", "jointType")]
    if len(items) != 1 or not isinstance(items[0], Word) or items[0].start < 0:
        return None
    quote = len(items[0].quote)
    edit = Edit(case.source, items[0].start + quote, items[0].end - quote, "free")
    return Made(f"{items[0].text} becomes free", (edit,))


def merged(case: Case) -> Any:
    """import becomes a merge key."""
    if case.text != "import":
        return None
    return Made("import becomes <<", (Edit(case.source, case.at.start, case.at.end, "<<"),))


_WORDS = {"Imu": "IMU", "crawler": "pseudoContinuousTrack"}
_LOCAL = re.compile(r"(link[12])_local_pos")


def reference_word(case: Case) -> Any:
    """Words that only the reference has become those that Choreonoid reads, too."""
    quoted = case.text.strip("\"'")
    if quoted in _WORDS:
        start = case.at.start + case.text.index(quoted)
        edit = Edit(case.source, start, start + len(quoted), _WORDS[quoted])
        return Made(f"{quoted} becomes {_WORDS[quoted]}", (edit,))
    local = _LOCAL.match(case.finding.message)
    start_of = key_before(case.source, local[0], case.at.start) if local else None
    if local is None or start_of is None:
        return None
    new = f"translation_in_{local[1]}"
    edit = Edit(case.source, start_of, start_of + len(local[0]), new)
    return Made(f"{local[0]} becomes {new}", (edit,))


def _top(case: Case, *keys: str) -> Item | None:
    """A key of the file's own mapping."""
    root = case.reading.node
    if not isinstance(root, Node) or root.source is None or root.source.name != case.source.name:
        return None
    return next((item for item in root.items if item[0] in keys and item[2] >= 0), None)


def _word(case: Case, *keys: str) -> str:
    item = _top(case, *keys)
    return item[1].text if item is not None and isinstance(item[1], Word) else ""


def _below(case: Case, item: Item, words: str) -> Any:
    """A line of its own behind that of a key, or a further key of a flow mapping."""
    key = words.partition(":")[0]
    if isinstance(case.reading.node, Node) and case.reading.node.flow:
        return Made(f"{key} added", (inserted(case.source, item[1].end, f", {words}"),))
    if not is_line_start(case.source, item[2]):
        return None
    starts = case.source.line_starts()
    row = case.source.line_column(item[1].end)[0]
    if row >= len(starts):
        edit = inserted(case.source, len(case.source.text), line_end(case.source) + words)
    else:
        line = indent(case.source, item[2]) + words + line_end(case.source)
        edit = inserted(case.source, starts[row], line)
    return Made(f"{key} added", (edit,))
