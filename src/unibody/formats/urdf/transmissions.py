"""Transmissions: the gear ratio and the offset of a joint, in the elements of the programs that drive it.

A simple transmission connects one actuator with one joint, as in ros_control and ros2_control::

    q_joint = q_actuator / ratio + offset        effort_joint = ratio * effort_actuator

Its numbers belong to the joint. The rest of the element is an extra, in which the elements of the numbers
stay, empty, so that they are written back where they were. Transmissions of several joints or actuators
(differential, four-bar linkage, the PR2's wrist and gripper) are extras as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

from unibody.formats.format import Context
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Actuator, Joint
from unibody.model.traverse import path_of
from unibody.text.near import did_you_mean, near
from unibody.text.node import Item, Node, Value, Word, with_items
from unibody.text.number import format_float, parse_float
from unibody.text.source import Span

#: The fields of ``Actuator`` that a transmission states.
Quantity: TypeAlias = Literal["gear_ratio", "offset", "rotor_inertia"]
_SIMPLE = "SimpleTransmission"
_CONTROL = "ros2_control"
# Most searches for a name similar to that of an unknown joint.
_SEARCHES = 100


class _Place(NamedTuple):
    """Where a number is: the tags from the transmission down, then its attribute, "" for the text."""

    quantity: Quantity
    tags: tuple[str, ...]
    attribute: str = ""


#: The places that ros_control, the PR2 and Drake read; a missing number is written to the first one.
_PLACES = (
    _Place("gear_ratio", ("actuator", "mechanicalReduction")),
    _Place("gear_ratio", ("mechanicalReduction",)),
    _Place("gear_ratio", ("actuator", "drake:gear_ratio"), "value"),
    _Place("offset", ("joint", "offset")),
    _Place("rotor_inertia", ("actuator", "drake:rotor_inertia"), "value"),
)
_CONTROL_PLACES = (
    _Place("gear_ratio", ("joint", "mechanical_reduction")),
    _Place("offset", ("joint", "offset")),
)
#: What is added to a transmission, or written as a new one.
_ADDED: tuple[Quantity, ...] = ("gear_ratio", "offset")
_WORDS: dict[Quantity, str] = {
    "gear_ratio": "reduction",
    "offset": "offset",
    "rotor_inertia": "rotor inertia",
}


def read(
    items: Sequence[Item], joints: Sequence[Joint], context: Context
) -> tuple[list[Joint], dict[int, Node | None]]:
    """The joints with the numbers of their transmissions, and what remains of these, by the id of the node.

    Nothing (None) remains of a transmission that :func:`write` makes of the numbers alone.
    """
    found = _Found({joint.name for joint in joints}, context)
    rest: dict[int, Node | None] = {}
    for key, value, _ in items:
        if isinstance(value, Node) and key == "transmission":
            made, joint = found.take(value, _PLACES)
            is_own = joint is not None and made == _own(joint, found.numbers[joint])
            rest[id(value)] = None if is_own else made
        elif isinstance(value, Node) and key == _CONTROL:
            inner = [
                (k, found.take(v, _CONTROL_PLACES)[0], i)
                if k == "transmission" and isinstance(v, Node)
                else (k, v, i)
                for k, v, i in value.items
            ]
            rest[id(value)] = with_items(value, inner)
    return [_driven(joint, found.numbers.get(joint.name)) for joint in joints], rest


def _driven(joint: Joint, numbers: Mapping[Quantity, float] | None) -> Joint:
    if not numbers:
        return joint
    given: dict[str, Any] = dict(numbers.items())
    return replace(joint, actuator=replace(joint.actuator, **given))


_Change: TypeAlias = Callable[[Node, Sequence[_Place]], Node]


class _Found:
    """The numbers of the transmissions of a file, by joint."""

    def __init__(self, joints: set[str], context: Context) -> None:
        self.joints, self.context = joints, context
        self.numbers: dict[str, dict[Quantity, float]] = {}
        self.searches = _SEARCHES

    def take(self, node: Node, places: Sequence[_Place]) -> tuple[Node, str | None]:
        """The transmission without its numbers, and its joint; as it is, without a joint, if not simple."""
        name = node.word("name") or ""
        joint = _joint(node)
        if joint is None:
            self.context.findings.info(
                "transmission-coupled",
                f"transmission '{name}' does not connect one actuator with one joint; kept as vendor data, "
                "without gear ratios in the model",
                node.head,
            )
            return node, None
        if joint not in self.joints:
            self.searches -= 1
            alike = near(joint, self.joints) if self.searches >= 0 else ""
            self.context.findings.warning(
                "transmission-joint",
                f"transmission '{name}' refers to unknown joint '{joint}'; kept as vendor data",
                node.head,
                did_you_mean(alike),
                suggestion=alike,
            )
            return node, None
        numbers: dict[Quantity, float] = {}
        known = self.numbers.get(joint, {})
        out = node
        for place, path in _located(node, places):
            value = self._number(node, place, path, joint)
            if value is None:
                continue
            first = numbers.get(place.quantity, known.get(place.quantity, value))
            if value != first:
                self.context.findings.warning(
                    "transmission-differs",
                    f"joint '{joint}': transmission '{name}' has a {_WORDS[place.quantity]} of "
                    f"{format_float(value)}; using {format_float(first)}, which is stated before",
                    _at(node, path),
                    "state one value",
                    subject=path_of("joints", joint, "actuator", place.quantity),
                )
                continue
            numbers[place.quantity] = value
            out = _set(out, path, place.attribute, None)
        self.numbers[joint] = {**known, **numbers}
        return out, joint

    def _number(self, node: Node, place: _Place, path: Sequence[int], joint: str) -> float | None:
        """The number at a place; None if there is none, or an invalid one, which is reported."""
        text = _text(_follow(node, path), place.attribute)
        if text is None or not text.strip():
            return None
        value = parse_float(text)
        if value is not None and math.isfinite(value) and (value or place.quantity != "gear_ratio"):
            return value
        what = "must not be zero" if value == 0.0 else f"must be a finite number, not '{text.strip()}'"
        name = node.word("name") or ""
        self.context.findings.warning(
            "transmission-number",
            f"joint '{joint}': the {_WORDS[place.quantity]} of transmission '{name}' {what}; ignored",
            _at(node, path),
            subject=path_of("joints", joint, "actuator", place.quantity),
        )
        return None


class Simple(NamedTuple):
    """What a simple transmission connects; ``quantities`` are the numbers of the joint that it states."""

    joint: str
    actuator: str
    quantities: frozenset[Quantity]


def simple(node: Node) -> Simple | None:
    """What a transmission of ``<ros2_control>`` connects; None for one of several joints or actuators."""
    joint = _joint(node)
    if joint is None:
        return None
    actuator = next(v for k, v, _ in node.items if k == "actuator" and isinstance(v, Node))
    stated = frozenset(place.quantity for place, _ in _located(node, _CONTROL_PLACES))
    return Simple(joint, actuator.word("name") or "", stated)


def write(items: Sequence[Item], joints: Sequence[Joint]) -> list[Item]:
    """The extras of the robot with the numbers of its joints; a joint without transmission gets one."""
    filling = _Filling({joint.name: joint.actuator for joint in joints})
    out = [filling.item(item, filling.fill) for item in items]
    out = [filling.item(item, filling.complete) for item in out]
    for joint in joints:
        numbers = filling.missing(joint.name)
        if numbers and KINDS[joint.kind].nq == 1:
            own = _own(joint.name, numbers)
            for place, path in _located(own, _PLACES):
                own = _set(own, path, "", numbers[place.quantity])
            out.append(("transmission", own, -1))
    return out


class _Filling:
    """Puts the numbers of the joints into the transmissions of the extras."""

    def __init__(self, actuators: Mapping[str, Actuator]) -> None:
        self.actuators = actuators
        self.done: dict[str, set[Quantity]] = {}

    def item(self, item: Item, change: _Change) -> Item:
        """An extra with its transmissions changed."""
        key, value, at = item
        if not isinstance(value, Node):
            return item
        if key == "transmission":
            return key, change(value, _PLACES), at
        if key == _CONTROL:
            inner = [
                (k, change(v, _CONTROL_PLACES), i)
                if k == "transmission" and isinstance(v, Node)
                else (k, v, i)
                for k, v, i in value.items
            ]
            return key, with_items(value, inner), at
        return item

    def fill(self, node: Node, places: Sequence[_Place]) -> Node:
        """Fill the empty elements of numbers that the joint has."""
        joint = _joint(node)
        if joint is None or joint not in self.actuators:
            return node
        for place, path in _located(node, places):
            value = _stated(self.actuators[joint], place.quantity)
            if value is not None and _text(_follow(node, path), place.attribute) is None:
                node = _set(node, path, place.attribute, value)
                self.done.setdefault(joint, set()).add(place.quantity)
        return node

    def complete(self, node: Node, places: Sequence[_Place]) -> Node:
        """Write the numbers that no transmission of the joint had yet."""
        joint = _joint(node)
        if joint is None or joint not in self.actuators:
            return node
        for quantity, value in self.missing(joint).items():
            place = next(p for p in places if p.quantity == quantity)
            found = [path for p, path in _located(node, [place])]
            node = _set(node, found[0], place.attribute, value) if found else _added(node, place, value)
            self.done.setdefault(joint, set()).add(quantity)
        return node

    def missing(self, joint: str) -> dict[Quantity, float]:
        """The numbers of a joint that are not written yet; an offset needs a ratio."""
        done = self.done.get(joint, set())
        actuator = self.actuators[joint]
        found = {q: _stated(actuator, q) for q in _ADDED if q not in done}
        out: dict[Quantity, float] = {q: value for q, value in found.items() if value is not None}
        if not done and "offset" in out and "gear_ratio" not in out:
            out = {"gear_ratio": 1.0, **out}
        return out


def _stated(actuator: Actuator, quantity: Quantity) -> float | None:
    """A number of an actuator; None for a gear ratio of zero, which no program takes."""
    value: float | None = getattr(actuator, quantity)
    return None if value == 0.0 and quantity == "gear_ratio" else value


def _joint(node: Node) -> str | None:
    """The joint of a simple transmission; None for any other."""
    joints, actuators = (
        [v for k, v, _ in node.items if k == tag and isinstance(v, Node)] for tag in ("joint", "actuator")
    )
    if len(joints) != 1 or len(actuators) != 1:
        return None
    types = [_text(v, "") for k, v, _ in node.items if k in ("type", "plugin")]
    if any(not (text or "").strip().endswith(_SIMPLE) for text in types):
        return None
    return joints[0].word("name")


def _own(joint: str, numbers: Iterable[Quantity]) -> Node:
    """The transmission that unibody writes for a joint without one, without its numbers."""
    drives = Node("joint", [("name", Word(joint), -1)])
    if "offset" in numbers:
        drives.items.append(("offset", Node("offset"), -1))
    driver = Node("actuator", [("name", Word(f"{joint}_actuator"), -1)])
    driver.items.append(("mechanicalReduction", Node("mechanicalReduction"), -1))
    kind = Node("type", [("", Word(f"transmission_interface/{_SIMPLE}"), -1)])
    items: list[Item] = [("name", Word(f"{joint}_transmission"), -1), ("type", kind, -1)]
    return Node("transmission", [*items, ("joint", drives, -1), ("actuator", driver, -1)])


# --- paths of indices in a tree of elements ---------------------------------------------------


def _located(node: Node, places: Sequence[_Place]) -> Iterator[tuple[_Place, list[int]]]:
    """The places that a transmission has, with the indices of the items that lead to them."""
    for place in places:
        path: list[int] = []
        inner: Value = node
        for tag in place.tags:
            items = inner.items if isinstance(inner, Node) else []
            index = next((i for i, (k, v, _) in enumerate(items) if k == tag and isinstance(v, Node)), None)
            if index is None:
                break
            path.append(index)
            inner = items[index][1]
        else:
            yield place, path


def _follow(node: Node, path: Sequence[int]) -> Value:
    value: Value = node
    for index in path:
        assert isinstance(value, Node)
        value = value.items[index][1]
    return value


def _at(node: Node, path: Sequence[int]) -> Span | None:
    found = _follow(node, path)
    return found.head if isinstance(found, Node) else node.head


def _text(value: Value, attribute: str) -> str | None:
    """The text of an attribute of an element, of the element itself for "", or of an attribute."""
    if isinstance(value, Node):
        return value.word(attribute)
    return value.text if isinstance(value, Word) else None


def _set(node: Node, path: Sequence[int], attribute: str, number: float | None) -> Node:
    """A copy with a number at a place; None leaves the element there empty."""
    element = _follow(node, path)
    assert isinstance(element, Node)
    items = [item for item in element.items if item[0] != attribute]
    if number is not None:
        items.insert(0, (attribute, Word(format_float(number)), -1))
    return _replaced(node, path, with_items(element, items))


def _added(node: Node, place: _Place, number: float) -> Node:
    """A copy with a new element at a place whose parent exists."""
    *above, last = place.tags
    path = next(iter(_located(node, [place._replace(tags=tuple(above))])))[1] if above else []
    parent = _follow(node, path)
    assert isinstance(parent, Node)
    new = Node(last, [(place.attribute, Word(format_float(number)), -1)])
    return _replaced(node, path, with_items(parent, [*parent.items, (last, new, -1)]))


def _replaced(node: Node, path: Sequence[int], new: Node) -> Node:
    """A copy in which the element at a place is another one."""
    if not path:
        return new
    first, *rest = path
    key, value, at = node.items[first]
    assert isinstance(value, Node)
    items = list(node.items)
    items[first] = (key, _replaced(value, rest, new), at)
    return with_items(node, items)
