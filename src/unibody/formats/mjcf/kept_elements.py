"""The kept data of MJCF: the elements of each section, body and joint, one notation of them, the side-car.

Default classes are resolved in what is kept, so that the names of classes are dropped, except of those
that are kept themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import TypeVar

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document, plan
from unibody.document.unbind import unbind
from unibody.formats.extras import leftovers
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.asset_elements import FILES, References, in_order, name_of, take_files
from unibody.formats.mjcf.document_element import CLASS_WORDS
from unibody.formats.mjcf.drives import driven_joint
from unibody.model.pose import Pose, rotate
from unibody.model.robot import Extra, Robot
from unibody.model.traverse import part
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Word, elements, placed_copy, with_items
from unibody.text.number import format_float, parse_float
from unibody.text.source import Span
from unibody.text.xml.printer import print_xml

D = TypeVar("D", bound=Document)


@dataclass(slots=True)
class KeptBody:
    """What is kept of a body: its attributes, and its elements in the order of the file."""

    attributes: list[Item] = field(default_factory=list)
    free: list[Node] = field(default_factory=list)
    geoms: list[Node] = field(default_factory=list)
    sites: list[Node] = field(default_factory=list)
    cameras: list[Node] = field(default_factory=list)
    lights: list[Node] = field(default_factory=list)
    others: list[Node] = field(default_factory=list)


_LISTS = {
    "freejoint": "free",
    "joint": "free",
    "geom": "geoms",
    "site": "sites",
    "camera": "cameras",
    "light": "lights",
}


class Kept:
    """The data of a robot that only MJCF represents, by section, link and joint."""

    def __init__(self, robot: Robot) -> None:
        self._owners = leftovers(robot, "mjcf", _print_item)
        self._drives: dict[str, list[a.GearedDrive]] | None = None
        known = plan(d.Mujoco).fields["items"].members
        self.sections: dict[str, list[Node]] = {}
        sections = self._owners.get("", [])
        classes = class_names(sections)
        for key, value, _ in sections:
            if key in known and isinstance(value, Node):
                self.sections.setdefault(key, []).append(without_classes(value, classes))

    def section(self, tag: str) -> list[Node]:
        """The elements in all sections with this tag, in order."""
        return [
            value
            for node in self.sections.get(tag, [])
            for _, value, _ in node.items
            if isinstance(value, Node)
        ]

    def whole(self, cls: type[D]) -> list[D]:
        """The sections of a class, each as a document."""
        found = self.sections.get(getattr(cls, "KEY", ""), [])
        return [bound(cls, node) for node in found if node.items]

    def body(self, link: str) -> KeptBody:
        """What is kept of a link."""
        return _sorted(self._owners.get(f"links/{part(link)}", []))

    def world(self) -> KeptBody:
        """What is kept of the world, if it is no link."""
        return _sorted([item for node in self.sections.get("worldbody", []) for item in node.items])

    def drives(self, joint: str) -> list[a.GearedDrive]:
        """The kept actuators that drive a joint."""
        if self._drives is None:
            self._drives = {}
            for doc in self.whole(a.Actuators):
                for item in doc.items:
                    if name := driven_joint(item):
                        self._drives.setdefault(name, []).append(item)  # type: ignore[arg-type]
        return self._drives.get(joint, [])

    def joint(self, name: str) -> b.Joint:
        """What is kept of a joint, as an element without name, type, axis and range."""
        return bound(b.Joint, Node("joint", self._owners.get(f"joints/{part(name)}", [])))


def _sorted(items: Sequence[Item]) -> KeptBody:
    out = KeptBody()
    for key, value, start in items:
        if isinstance(value, Node):
            getattr(out, _LISTS.get(key, "others")).append(without_classes(value))
        elif key not in CLASS_WORDS:
            out.attributes.append((key, value, start))
    return out


def _print_item(item: Item) -> str:
    """Print an extra; ValueError if XML cannot represent it."""
    return print_xml(Node("mujoco", [item]))


def class_names(sections: Iterable[Item]) -> set[str]:
    """The names of the default classes that are kept."""
    tops = (value for key, value, _ in sections if key == d.Default.KEY and isinstance(value, Node))
    return {node.word("class") or "" for top in tops for node in elements(top) if node.tag == top.tag}


def without_classes(top: Node, kept: Collection[str] = ()) -> Node:
    """A copy of an element without the names of its classes, except those that are ``kept``."""
    out = placed_copy(top)
    for node in elements(out):
        node.items = [
            (key, value, start)
            for key, value, start in node.items
            if key not in CLASS_WORDS or (isinstance(value, Word) and value.text in kept)
        ]
    return out


def bound(cls: type[D], node: Node) -> D:
    """An element as a document of its class; what the class does not declare is in its ``rest``."""
    out = bind(cls, node, Binding(Findings(), repeat_last=False, xml=True))
    todo: list[Document] = [out]
    while todo:
        doc = todo.pop()
        # documents that were read share these
        doc.given, doc.rest = set(doc.given), list(doc.rest)
        for name, many in plan(type(doc)).children:
            value = getattr(doc, name)
            if many:
                setattr(doc, name, list(value))
                todo += value
            elif value is not None:
                todo.append(value)
    return out


# --- the pose of the robot --------------------------------------------------------------


def placed(robot: Robot, place: Pose) -> Robot:
    """The robot whose keyframes have the free base moved by a pose."""
    if robot.base != "free":
        return robot
    return replace(robot, extras=tuple(_placed(extra, place) for extra in robot.extras))


def _placed(extra: Extra, place: Pose) -> Extra:
    if extra.format != "mjcf" or extra.owner:
        return extra
    top = placed_copy(extra.node)
    for node in elements(top):
        if node.tag == d.Key.KEY:
            _move(node, place)
    return replace(extra, node=top)


def _move(key: Node, place: Pose) -> None:
    """Move the base of a keyframe: the first 7 numbers of qpos, and 3 of qvel."""
    for i, (name, value, start) in enumerate(key.items):
        count = {"qpos": 7, "qvel": 3}.get(name, 0)
        if not count or not isinstance(value, Word):
            continue
        words = value.text.split()
        numbers = [number for word in words[:count] if (number := parse_float(word)) is not None]
        if len(numbers) < count:
            continue
        x, y, z, *turn = numbers
        new: tuple[float, ...]
        if turn:
            moved = place @ Pose((x, y, z), (turn[0], turn[1], turn[2], turn[3]))
            new = (*moved.xyz, *moved.quat)
        else:
            new = rotate(place.quat, (x, y, z))
        key.items[i] = (name, Word(" ".join([*map(format_float, new), *words[count:]])), start)


# --- one notation, so that equal settings are equal extras ------------------------------

_OWNERS: dict[str, type[Document]] = {"links": b.Body, "joints": b.Joint}
#: What the model says of a height field.
_HEIGHTS = ("nrow", "ncol", "elevation")


def uniform(
    extra: Extra, used: Collection[tuple[str, str]] = (), references: References = MappingProxyType({})
) -> Extra:
    """An extra with sections and attributes in the order of the grammar, and numbers as they are written.

    ``used`` are the tags and names of the assets that shapes of the model have: what these say of their
    files is dropped. The files of others are ``references``.
    """
    assert isinstance(extra.node, Node)
    cls = _OWNERS.get(extra.owner.partition("/")[0], d.Mujoco)
    doc = bound(cls, without_classes(extra.node, class_names(extra.node.items)))
    if isinstance(doc, d.Mujoco):
        doc.items = _sections(doc.items)
        for section in doc.items:
            if isinstance(section, d.Asset):
                # what a model file has is attached
                own = [item for item in section.items if not isinstance(item, assets.Model)]
                section.items = in_order(own)
                for item in own:
                    _drop_file(item, used)
        doc.items = [section for section in doc.items if not isinstance(section, d.Asset) or section.items]
    for each in (doc, *getattr(doc, "items", [])):
        if isinstance(each, b.Body | b.WorldBody):
            for item in each.items:
                # type and position of a geom tell that the model has no shape for it
                item.given = {*item.given} & {"type", "pos"} if isinstance(item, b.Geom) else set()
    files = take_files(doc, references)
    node = unbind(doc, "mujoco")
    _place(doc, node)
    return Extra(format=extra.format, owner=extra.owner, node=node, files=files)


def _place(doc: Document, node: Node) -> None:
    """Give the elements inside of a node their places in the file."""
    inner = [value for _, value, _ in node.items if isinstance(value, Node)]
    for child, made in zip(getattr(doc, "items", []), inner, strict=False):
        if child.node is not None:
            made.source, made.start, made.end = child.node.source, child.node.start, child.node.end
        _place(child, made)


def _sections(sections: list[Document]) -> list[Document]:
    """The sections in the order of the grammar, several of a kind as one."""
    places = {key: i for i, key in enumerate(plan(d.Mujoco).fields["items"].members)}
    out: list[Document] = []
    for section in sorted(sections, key=lambda each: places[getattr(each, "KEY", "")]):
        if out and section.JOINED and type(out[-1]) is type(section):
            _join(out[-1], section)
        else:
            out.append(section)
    return out


def _join(first: Document, second: Document) -> None:
    """Add what a second element states to a first one, whose attributes it overrides."""
    fields = plan(type(first)).fields
    for name, spec in fields.items():
        mine, other = getattr(first, name), getattr(second, name)
        if spec.many:
            for item in other:
                twin = next((x for x in mine if type(x) is type(item)), None) if item.JOINED else None
                if twin is None:
                    mine.append(item)
                else:
                    _join(twin, item)
        elif isinstance(mine, Document) and isinstance(other, Document):
            _join(mine, other)
        elif name in second.given or (mine is None and other is not None):
            setattr(first, name, other)
    first.given |= second.given
    first.rest += second.rest


def _drop_file(doc: Document, used: Collection[tuple[str, str]]) -> None:
    """Drop what a shape of the model says of an asset; its name is stated."""
    name = name_of(doc)
    if (getattr(doc, "KEY", ""), name) not in used:
        return
    doc.name = name  # type: ignore[attr-defined]
    dropped = FILES if not isinstance(doc, assets.HeightField) else (*FILES, *_HEIGHTS)
    for key in dropped:
        if hasattr(doc, key):
            setattr(doc, key, None)
    doc.given = {*doc.given} - {*dropped}


# --- the side-car: a text of the custom data, which MuJoCo keeps and does not read ------

SIDECAR = "unibody"


def carry(doc: Document, lines: list[str]) -> None:
    """Add the lines of the side-car as a text of the custom data."""
    assert isinstance(doc, d.Mujoco)
    doc.items.append(d.Custom(items=[d.Text(name=SIDECAR, data="\n".join(lines))]))


def take(doc: d.Mujoco) -> tuple[list[str], Span | None]:
    """Remove the side-car from a document; returns its lines and its place."""
    for section in doc.items:
        if not isinstance(section, d.Custom):
            continue
        for item in section.items:
            if isinstance(item, d.Text) and item.name == SIDECAR:
                section.items = [x for x in section.items if x is not item]
                if section.node is not None and item.node is not None:
                    # a copy: the tree of the text keeps the side-car
                    items = (x for x in section.node.items if x[1] is not item.node)
                    section.node = with_items(section.node, items)
                text = item.data or ""
                return [line for line in map(str.strip, text.splitlines()) if line], item.at("data")
    return [], None
