"""Takes the kept data of MJCF apart: the elements of each section, of each body and of each joint.

Default classes are resolved in what is kept, so that the names of classes are dropped, except of those
that are kept themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field, replace
from typing import TypeVar

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document, plan
from unibody.formats.extras import leftovers
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.drives import driven_joint
from unibody.formats.mjcf.names import CLASS_WORDS
from unibody.model.pose import Pose, rotate
from unibody.model.robot import Extra, Robot
from unibody.model.traverse import part
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Word, elements, placed_copy
from unibody.text.number import format_float, parse_float
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
