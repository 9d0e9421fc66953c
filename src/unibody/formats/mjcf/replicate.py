"""Replaces `<replicate>` elements by their copies."""

from __future__ import annotations

from unibody.document.bind import Binding, bind
from unibody.formats.format import Context
from unibody.formats.mjcf.conventions import Poses, Settings
from unibody.formats.mjcf.document_bodies import Replicate
from unibody.formats.mjcf.outside import references, referred_kind
from unibody.model.pose import IDENTITY, Pose
from unibody.text.node import Item, Node, Word, elements, placed_copy
from unibody.text.number import format_float

#: The kind of thing that an element names, by its tag in the tree.
_NAMED = {
    "body": "body",
    "joint": "joint",
    "freejoint": "joint",
    "geom": "geom",
    "site": "site",
    "camera": "camera",
    "light": "light",
    "frame": "frame",
}
_OUTSIDE = {
    "contact": "",
    "equality": "",
    "tendon": "tendon",
    "actuator": "actuator",
    "sensor": "sensor",
}
# Kinds and names of things that a copy renames.
_Names = set[tuple[str, str]]


def replicate(root: Node, settings: Settings, context: Context) -> None:
    """Replace the replicates of a tree by frames with their copies, in place.

    What other sections say of a copied thing is copied, too, with the suffix of the copy.
    """
    holders: list[Node] = []
    for key, world, _ in root.items:
        if key == "worldbody" and isinstance(world, Node):
            holders += [node for node in elements(world) if isinstance(node.get("replicate"), Node)]
    poses = Poses(settings, context)
    # the last found are the innermost: their suffixes come first
    for node in reversed(holders):
        items: list[Item] = []
        for item in node.items:
            if item[0] == "replicate" and isinstance(item[1], Node):
                items += _copies(item[1], root, poses, context)
            else:
                items.append(item)
        node.items = items


def _copies(node: Node, root: Node, poses: Poses, context: Context) -> list[Item]:
    bare = node.__class__(node.tag, [], node.source, node.start, node.end)
    bare.items = [item for item in node.items if not isinstance(item[1], Node)]
    doc = bind(Replicate, bare, Binding(context.findings, xml=True))
    inner = [item for item in node.items if isinstance(item[1], Node)]
    count = max(0, int(doc.count or 0))
    offset = doc.offset or (0.0, 0.0, 0.0)
    step = Pose((offset[0], offset[1], offset[2]), poses.euler(doc.euler or (0.0, 0.0, 0.0)))
    digits = len(str(count - 1))
    names = _names_in(node)
    size = count_items(node)
    out: list[Item] = []
    suffixes = []
    at = IDENTITY
    for k in range(count):
        context.files.meter.take_nodes(size, lambda: node.span)
        if k % 64 == 0:
            context.files.meter.look(node.span)
        suffix = f"{doc.sep or ''}{k:0{digits}d}"
        suffixes.append(suffix)
        items: list[Item] = [("pos", _word(at.xyz), -1), ("quat", _word(at.quat), -1)]
        if doc.childclass:
            items.append(("childclass", Word(doc.childclass), -1))
        for key, value, start in inner:
            assert isinstance(value, Node)
            items.append((key, _renamed(value, names, suffix), start))
        out.append(("frame", node.__class__("frame", items, node.source, node.start, node.end), node.start))
        at = at @ step
    _copy_outside(root, names, suffixes, context)
    return out


def _word(values: tuple[float, ...]) -> Word:
    return Word(" ".join(map(format_float, values)))


def _names_in(root: Node) -> _Names:
    inside = (node for node in elements(root) if node is not root and node.tag in _NAMED)
    return {(_NAMED[node.tag], name) for node in inside if (name := node.word("name"))}


def count_items(root: Node) -> int:
    """The number of nodes and items of a tree, which counts as the work of copying it."""
    return sum(1 + len(node.items) for node in elements(root))


def _renamed(root: Node, names: _Names, suffix: str, kind: str | None = None) -> Node:
    """A copy whose names have a suffix, and what refers to these names.

    ``kind`` is that of an element outside the tree.
    """
    top = placed_copy(root)
    for node in elements(top):
        own = _NAMED.get(node.tag, "") if kind is None else (kind if node is top else "")
        items: list[Item] = []
        for key, value, start in node.items:
            made = value
            if isinstance(value, Word) and (
                (key == "name" and (own or (kind is not None and node is top)) and value.text)
                or (_referred(node, key, kind), value.text) in names
            ):
                made = Word(value.text + suffix)
            items.append((key, made, start))
        node.items = items
    return top


def _referred(node: Node, key: str, kind: str | None) -> str:
    """The kind of thing that an attribute refers to, "" if to nothing that is renamed."""
    if kind is None and key != "target":
        return ""  # within the tree only cameras and lights refer to bodies
    return referred_kind(node, key)


def _copy_outside(root: Node, names: _Names, suffixes: list[str], context: Context) -> None:
    """Replace the elements outside the tree that refer to copied things by copies, behind all others.

    All elements of the first copy come first, as in MuJoCo.
    """
    for section, kind in _OUTSIDE.items():
        last: Node | None = None
        copied: list[Item] = []
        for key, holder, _ in root.items:
            if key != section or not isinstance(holder, Node):
                continue
            last = holder
            items: list[Item] = []
            for item in holder.items:
                value = item[1]
                if isinstance(value, Node) and any(x in names for x in references(value)):
                    context.files.meter.take_nodes(count_items(value) * len(suffixes))
                    copied.append(item)
                    if kind and (name := value.word("name")):
                        names.add((kind, name))
                else:
                    items.append(item)
            holder.items = items
        if last is not None:
            last.items += [
                (key, _renamed(value, names, suffix, kind), start)
                for suffix in suffixes
                for key, value, start in copied
                if isinstance(value, Node)
            ]
