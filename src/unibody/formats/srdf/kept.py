"""Which elements of an SRDF file are kept as they are written: those that the model does not imply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from unibody.document.declare import Document
from unibody.formats.srdf import document as d
from unibody.formats.srdf.implied import ADJACENT, ORDER, rotors, virtual_joint
from unibody.model.collision import PairRules
from unibody.model.robot import Robot


def kept(docs: Sequence[Document], robot: Robot) -> list[Document]:
    """The elements that the writer would not make for the ``robot``, in the order in which it writes them.

    A pair of links is kept if it has a reason that the joints do not give, or is there several times.
    """
    rules = robot.self_collision
    alone = (virtual_joint(robot), rotors(robot))
    pairs = PairRules(robot)
    order: dict[frozenset[str | None], int]
    order = {frozenset(pair): k for k, pair in enumerate(rules.disabled)}
    tested = {frozenset(pair) for pair in rules.enabled}
    count = Counter(map(_what, docs))
    passive = {joint.name for joint in robot.joints if joint.passive}
    kinds = Counter(type(x) for x in docs)
    links = {link.name for link in robot.links}

    def is_implied(x: Document) -> bool:
        if count[_what(x)] > 1 or x.rest:
            return False
        match x:
            case d.DisableCollisions():
                pair = frozenset((x.link1, x.link2))
                if pair not in order or x.link1 is None or x.link2 is None:
                    return False
                return x.reason == (ADJACENT if pairs.are_adjacent(x.link1, x.link2) else None)
            case d.EnableCollisions():
                return rules.default == "none" and frozenset((x.link1, x.link2)) in tested and not x.reason
            case d.DisableDefaultCollisions():
                return rules.default == "none" and x.link in links
            case d.PassiveJoint():
                return x.name in passive
            case _:
                return kinds[type(x)] == 1 and any(x == made for made in alone)

    def place(x: Document) -> tuple[int, int]:
        rank = next(k for k, cls in enumerate(ORDER) if isinstance(x, cls))
        pair = frozenset((x.link1, x.link2)) if isinstance(x, d.DisableCollisions) else None
        return rank, order.get(pair, len(order)) if pair is not None else 0

    return sorted((x for x in docs if not is_implied(x)), key=place)


def _what(x: Document) -> tuple[type[Document], frozenset[str | None]] | int:
    """What identifies an element about links or a joint; others are themselves."""
    match x:
        case d.DisableCollisions() | d.EnableCollisions():
            return type(x), frozenset((x.link1, x.link2))
        case d.DisableDefaultCollisions():
            return type(x), frozenset((x.link,))
        case d.PassiveJoint():
            return type(x), frozenset((x.name,))
        case _:
            return id(x)
