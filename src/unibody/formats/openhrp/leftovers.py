"""The extras of OpenHRP files, prepared for the writer."""

from __future__ import annotations

from itertools import islice

from unibody.document.declare import Document, Tagged, Unknown, plan
from unibody.formats.copied import MOST, bare
from unibody.formats.extras import held
from unibody.formats.openhrp import document as d
from unibody.model.device import Device
from unibody.model.robot import Link, Robot
from unibody.model.traverse import part
from unibody.text.finding import Findings, TextError
from unibody.text.node import Item, Node, Numbers, Row, Value, Word, shared_copy, values
from unibody.text.number import parse_float
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

# Fields of undeclared nodes that are lists of numbers, however short, and fields that are strings.
_LISTS = frozenset(("avatarSize", "skyAngle", "groundAngle", "key", "keyValue", "range"))
_TEXTS = frozenset(("description", "title", "info", "url", "type", "string", "name", "family", "language"))


def segment_of(joint: str) -> str:
    """The default name of the Segment of a Joint."""
    return f"{joint}_LINK"


class Leftovers:
    """The extras of OpenHRP files by owner: copies without source positions, with their DEF names."""

    def __init__(self, robot: Robot) -> None:
        self._items: dict[str, list[Item]] = {}
        for extra in robot.extras:
            if extra.format == "openhrp":
                node = named_copy(extra.node)
                if node is not None:
                    respelled(node, d.OWNERS.get(extra.owner.partition("/")[0], d.Humanoid))
                    items = held(node, read_back if extra.owner else _beside)
                    self._items.setdefault(extra.owner, []).extend(items)

    def of(self, kind: str, name: str) -> list[Item]:
        """The items of the element ``name`` of the robot's list ``kind``."""
        return list(self._items.get(f"{kind}/{part(name)}", ()))

    def link(self, link: Link) -> list[Item]:
        """The items of a link."""
        return self.of("links", link.name)

    def device(self, device: Device) -> list[Item]:
        """The items of a device."""
        return self.of("devices", device.name)

    def humanoid(self) -> list[Item]:
        """The items of the Humanoid."""
        return [item for item in self._items.get("", ()) if item[0]]

    def beside(self) -> tuple[list[Tagged], list[Tagged]]:
        """The nodes to write before the Humanoid, and those to write after it (from the first ROUTE on)."""
        nodes = [as_written(v) for k, v, _ in self._items.get("", ()) if not k and isinstance(v, Node)]
        first = next((k for k, x in enumerate(nodes) if x.tag == "ROUTE"), len(nodes))
        return nodes[:first], nodes[first:]


def read_back(item: Item) -> Node:
    """A field, written as VRML97 and parsed again; ValueError or TextError if that fails."""
    if not item[0] and not (isinstance(item[1], Node) and item[1].tag):
        raise ValueError("value without a field name")
    return _beside(("", Node("Humanoid", [item]), -1))


def _beside(item: Item) -> Node:
    """Like :func:`read_back`, also for nodes beside the Humanoid."""
    if item[0]:
        return read_back(item)
    findings = Findings()
    # Judged after a node, as in the file: there a reader skips what is no node, with a warning.
    tree = vrml.parse(Source("", vrml.print(Node("", [("", Node("Group"), -1), item]))), findings)
    if findings:
        raise TextError(findings[0])
    return tree


def as_written(node: Node) -> Tagged:
    """A node of the extras as an element of the document."""
    out: Tagged = Unknown()
    out.tag, out.def_name, out.rest = node.tag, node.name, list(node.items)
    return out


def named_copy(node: Node, most: int = MOST) -> Node | None:
    """A copy without source positions that keeps DEF names and shared values.

    None for a tree of more than ``most`` values.
    """
    is_large = next(islice(values(node), most, None), None) is not None
    return None if is_large else shared_copy(node, _named)


def _named(value: Value) -> Value:
    new = bare(value)
    if isinstance(value, Node) and isinstance(new, Node):
        new.name, new.flow = value.name, False
    elif isinstance(new, Row):
        new.flow = True
    return new


def respelled(top: Node, cls: type[Document] | None = None) -> None:
    """Restore the quotes and brackets that a tree loses as JSON in a side-car.

    ``cls`` declares the fields of the top node; the classes of other nodes follow from their tags.
    """
    todo: list[tuple[Node, type[Document] | None]] = [(top, cls)]
    seen: set[int] = set()
    while todo:
        node, declared = todo.pop()
        if id(node) in seen or node.tag == "ROUTE":
            continue
        seen.add(id(node))
        keys = {} if declared is None else plan(declared).keys
        for k, (key, value, start) in enumerate(node.items):
            entry = keys.get(key)
            kind = entry.spec.type.name if entry is not None and entry.spec.type is not None else ""
            node.items[k] = (key, _respelled(value, key, kind), start)
            inner = value.values if isinstance(value, Row) else [value]
            todo.extend((v, d.NODES.get(v.tag)) for v in inner if isinstance(v, Node))


def _respelled(value: Value, key: str, kind: str) -> Value:
    is_text = "String" in kind or kind.startswith("one of") or (not kind and key in _TEXTS)
    if isinstance(value, Word):
        return value if value.quote else _word(value, is_text)
    if not isinstance(value, Row) or any(isinstance(v, Node) for v in value.values):
        return value
    words = [v for v in value.values if isinstance(v, Word)]
    if words and not is_text and all(not w.quote and _is_plain(w.text) for w in words):
        single = kind.startswith("SF") or (not kind and len(words) in (2, 3, 4) and key not in _LISTS)
        return Numbers(" ".join(w.text for w in words), form="" if single else "[")
    return Row([w if w.quote else _word(w, is_text) for w in words], flow=True)


def _word(word: Word, is_text: bool) -> Word:
    return word if not is_text and _is_plain(word.text) else Word(word.text, quote='"')


def _is_plain(text: str) -> bool:
    """Whether VRML97 writes a word without quotes."""
    return text in ("TRUE", "FALSE", "NULL") or parse_float(text) is not None
