"""Writes loops, configurations, groups and collision rules; the inverse of ``sections``."""

from __future__ import annotations

from collections import Counter

from unibody.document.declare import to_numbers
from unibody.formats.body import document as d
from unibody.formats.neighbors import chains, without_rules
from unibody.formats.tidy import axis_angle, degrees
from unibody.model.collision import explicit
from unibody.model.pose import ZERO
from unibody.model.robot import (
    BALL,
    FIXED,
    HINGE,
    PISTON,
    XY,
    Configuration,
    Group,
    Loop,
    Robot,
)
from unibody.text.node import Node, Numbers, Row, Value, Word

# Choreonoid's solver constrains a piston like an xy loop.
_TYPES = {BALL: "ball", HINGE: "hinge", PISTON: "piston", FIXED: "fixed", XY: "piston"}
Pair = frozenset[str]
# Up to so many pairs of links without tested pairs are listed one by one.
_FEW_PAIRS = 3


def extra_joints(robot: Robot) -> list[d.ExtraJoint]:
    """The loops that Body files have."""
    return [_extra_joint(x) for x in robot.loops if x.holds in _TYPES]


def _extra_joint(x: Loop) -> d.ExtraJoint:
    out = d.ExtraJoint(name=x.name, link1_name=x.link_a, link2_name=x.link_b, joint_type=_TYPES[x.holds])
    if out.joint_type in ("hinge", "piston"):
        out.axis = x.axis
    if x.pose_a.xyz != ZERO:
        out.translation_in_link1 = x.pose_a.xyz
    if x.pose_b.xyz != ZERO:
        out.translation_in_link2 = x.pose_b.xyz
    out.rotation_in_link1 = axis_angle(x.pose_a.quat)
    out.rotation_in_link2 = axis_angle(x.pose_b.quat)
    return out


def standard_pose(robot: Robot) -> Numbers | None:
    """The configuration ``standard_pose`` by joint id; missing joints are at their initial position."""
    found = next((c for c in robot.configurations if c.name == "standard_pose"), None)
    return None if found is None else _by_number(found, robot)


def _by_number(posture: Configuration, robot: Robot) -> Numbers:
    known = dict(posture.positions)
    values: dict[int, float] = {}
    last = -1
    for j in robot.joints:
        if j.number is None or j.number < 0 or j.kind not in ("revolute", "prismatic"):
            continue
        values.setdefault(j.number, known.get(j.name, j.initial))
        if j.name in known:
            last = max(last, j.number)
    # all values are angles, also for prismatic joints (facts F.1, 23)
    return to_numbers([degrees(values.get(n, 0.0)) for n in range(min(last, 100_000) + 1)])


def link_group(robot: Robot) -> Row | None:
    """The groups as a list; a single group ``link_group`` is the list itself."""
    if not robot.groups:
        return None
    only = robot.groups[0] if len(robot.groups) == 1 else None
    if only is not None and only.name == "link_group":
        return _members(only.members)
    return _members(robot.groups)


def _members(members: tuple[str | Group, ...]) -> Row:
    # readers limit the depth of groups
    values: list[Value] = []
    for m in members:
        if isinstance(m, str):
            values.append(Word(m))
        else:
            inner = [("links", _members(m.members), -1)]
            values.append(Node("", [*([("name", Word(m.name), -1)] if m.name else []), *inner]))
    return Row(values, flow=all(isinstance(v, Word) for v in values))


# --- self-collision ---------------------------------------------------------------------


def collision_rules(robot: Robot) -> Row | None:
    """The collision rules; None for the default, where only adjacent links are not tested."""
    excluded = [link.name for link in robot.links if not link.collides]
    said = robot.self_collision
    if said == without_rules(robot) and not excluded:
        return None
    said = explicit(robot).self_collision
    names = [link.name for link in robot.links]
    if said.default == "none":
        rules: list[Value] = [_rule("disabled_link_group", _names(names))]
        rules += [_rule("enabled_link_group", _names(sorted_by(p, names))) for p in said.enabled]
    else:
        rules = _disabled({frozenset(p) for p in said.disabled}, robot, names)
    if excluded:
        # Choreonoid does not test these links with the surroundings either: a link whose pairs are all
        # disabled must not be written so
        everything = len(excluded) == len(names)
        rules.append(_rule("disabled_links", Word("all") if everything else _names(excluded)))
    return Row(rules)


def sorted_by(pair: tuple[str, ...] | Pair, names: list[str]) -> list[str]:
    """Names in the order of the links."""
    return sorted(pair, key={n: i for i, n in enumerate(names)}.__getitem__)


def _disabled(off: set[Pair], robot: Robot, names: list[str]) -> list[Value]:
    """Rules for the disabled pairs: links without tested pairs, a chain level, and single pairs."""
    rules: list[Value] = []
    level, done = _level(off, robot)
    left = off - done
    count = Counter(n for pair in off for n in pair)
    alone = {n for n in names if count[n] == len(names) - 1}
    if sum(1 for p in left if not p.isdisjoint(alone)) > _FEW_PAIRS:
        # all pairs, less those of the other links
        rules.append(_rule("disabled_link_group", _names(names)))
        others = [n for n in names if n not in alone]
        if len(others) > 1:
            rules.append(_rule("enabled_link_group", _names(others)))
        left = {p for p in left if p.isdisjoint(alone)}
    if level:
        rules.append(_rule("disabled_link_chain_level", Word(str(level))))
    place = {n: i for i, n in enumerate(names)}
    pairs = sorted(sorted(place[n] for n in p) for p in left)
    return rules + [_rule("disabled_link_group", _names([names[a], names[b]])) for a, b in pairs]


def _level(off: set[Pair], robot: Robot) -> tuple[int, set[Pair]]:
    """The largest chain level with all pairs disabled, and its pairs."""
    level, done = 0, set[Pair]()
    while True:
        more = chains(robot, level + 1)
        if not more <= off or more == done:
            return level, done
        level, done = level + 1, more


def _names(names: list[str]) -> Row:
    return Row([Word(n) for n in names], flow=True)


def _rule(key: str, value: Value) -> Node:
    return Node("", [(key, value, -1)])


__all__ = ["collision_rules", "extra_joints", "link_group", "standard_pose"]
