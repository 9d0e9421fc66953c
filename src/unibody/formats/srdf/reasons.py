"""The reasons that an SRDF file gives for pairs of links that are not tested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unibody.document.unbind import unbind
from unibody.formats.srdf import document as d
from unibody.formats.srdf.implied import ADJACENT
from unibody.model.collision import adjacent_pairs
from unibody.model.robot import Extra, Robot, SelfCollision
from unibody.text.node import Item, Node

_ABOUT_PAIRS = (d.DisableCollisions.KEY, d.EnableCollisions.KEY, d.DisableDefaultCollisions.KEY)


def reasons_of(robot: Robot) -> dict[frozenset[str], str]:
    """The reason of each pair that has one; a pair that is listed twice has its first.

    >>> from unibody.model.robot import Link
    >>> links = (Link(name="palm"), Link(name="thumb"))
    >>> rules = SelfCollision(default="all", disabled=(("palm", "thumb"),))
    >>> robot = with_reasons(Robot(name="hand", links=links), rules, {("palm", "thumb"): "Never"})
    >>> [(sorted(pair), reason) for pair, reason in reasons_of(robot).items()]
    [(['palm', 'thumb'], 'Never')]
    """
    out: dict[frozenset[str], str] = {}
    disabled = {frozenset(pair) for pair in robot.self_collision.disabled}
    for key, value, _ in _items(robot):
        if key == d.DisableCollisions.KEY and isinstance(value, Node):
            one, other, reason = ((value.word(k) or "").strip() for k in ("link1", "link2", "reason"))
            if frozenset((one, other)) in disabled and reason:
                out.setdefault(frozenset((one, other)), reason)
    for pair in adjacent_pairs(robot):
        if pair in disabled:
            out.setdefault(pair, ADJACENT)
    return out


def has_reasons(robot: Robot) -> bool:
    """Whether pairs that are not tested may have reasons: an SRDF file says something of the robot."""
    return any(extra.format == "srdf" for extra in robot.extras)


def with_reasons(robot: Robot, rules: SelfCollision, reasons: Mapping[tuple[str, str], str]) -> Robot:
    """The robot with other rules, whose disabled pairs have reasons in its SRDF."""
    kept = [item for item in _items(robot) if item[0] not in _ABOUT_PAIRS]
    for (a, b), reason in reasons.items():
        pair = d.DisableCollisions(link1=a, link2=b, reason=reason)
        kept.append((d.DisableCollisions.KEY, unbind(pair, d.DisableCollisions.KEY), -1))
    others = tuple(x for x in robot.extras if not _is_own(x))
    extras = (*others, Extra(format="srdf", owner="", node=Node("", kept))) if kept else others
    return replace(robot, self_collision=rules, extras=extras)


def _items(robot: Robot) -> list[Item]:
    return [item for x in robot.extras if _is_own(x) for item in x.node.items]


def _is_own(extra: Extra) -> bool:
    return extra.format == "srdf" and not extra.owner
