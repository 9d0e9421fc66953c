"""Reads loops, configurations, groups and collision rules (facts A.13, A.14)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

from unibody.document.declare import Wrong, flat
from unibody.formats.body import document as d
from unibody.formats.body.placement import radians, rotation, translation
from unibody.formats.body.values import axis_vector
from unibody.formats.format import Context
from unibody.formats.neighbors import without_rules
from unibody.model.pose import Pose, unit
from unibody.model.robot import (
    BALL,
    FIXED,
    HINGE,
    PISTON,
    Configuration,
    Group,
    Holds,
    Joint,
    Loop,
    Robot,
    SelfCollision,
)
from unibody.text.edit import Edit, ProposedFix
from unibody.text.node import Node, Numbers, Row, Value, Word

_HOLDS: dict[str, Holds] = {"ball": BALL, "hinge": HINGE, "piston": PISTON, "fixed": FIXED}
Pair = tuple[str, str]
_MANY = 1000


def extra_joints(doc: d.Body, links: set[str], start: int, context: Context) -> list[Loop]:
    """Convert ``extra_joints`` to loops; unnamed loops are numbered from ``start``."""
    out: list[Loop] = []
    for i, x in enumerate(doc.extra_joints, start):
        if x.link1_name is None or x.link2_name is None or x.joint_type is None:
            continue
        for key, name in (("link1_name", x.link1_name), ("link2_name", x.link2_name)):
            if name not in links:
                context.findings.error(
                    "link-unknown",
                    f"extra joint: {key} refers to unknown link '{name}'",
                    x.at(key),
                )
        _local_pos(x, context)
        out.append(
            Loop(
                name=x.name or f"loop{i}",
                link_a=x.link1_name,
                link_b=x.link2_name,
                pose_a=_anchor(x, "1", doc.angle_unit, context),
                pose_b=_anchor(x, "2", doc.angle_unit, context),
                axis=_axis(x, context),
                holds=_HOLDS[x.joint_type],
                at=x.at(),
            )
        )
    return out


def _local_pos(x: d.ExtraJoint, context: Context) -> None:
    if x.node is None:
        return
    for key in ("link1_local_pos", "link2_local_pos"):
        if x.node.get(key) is not None:
            context.findings.info(
                "reference-differs",
                f"{key} is read as in the reference; Choreonoid ignores it and supports only "
                f"translation_in_link{key[4]}",
                x.at(f"translation_in_link{key[4]}"),
                f"rename it to translation_in_link{key[4]}",
                fix=_key_renamed(x.node, key, f"translation_in_link{key[4]}"),
            )


def _key_renamed(node: Node, key: str, new: str) -> ProposedFix | None:
    start = next((start for k, _, start in node.items if k == key), -1)
    if node.source is None or start < 0:
        return None
    return ProposedFix(f"rename {key} to {new}", (Edit(node.source, start, start + len(key), new),))


def _anchor(x: d.ExtraJoint, which: str, angle_unit: str, context: Context) -> Pose:
    t = translation(getattr(x, f"translation_in_link{which}"))
    return Pose(t, rotation(getattr(x, f"rotation_in_link{which}"), angle_unit, x, context.findings))


def _axis(x: d.ExtraJoint, context: Context) -> tuple[float, float, float]:
    # X when absent (the loader's default); a ball has no axis that matters.
    if x.axis is None or x.joint_type in ("ball", "fixed"):
        return (1.0, 0.0, 0.0)
    direction = unit(axis_vector(x.axis))
    if direction is None:
        context.findings.warning("axis-zero", "extra joint has a zero axis; using X", x.at("axis"))
        return (1.0, 0.0, 0.0)
    return direction


def configurations(doc: d.Body, robot: Robot, context: Context) -> tuple[Configuration, ...]:
    """Convert ``standard_pose``: positions by joint id; all are angles, as in Choreonoid."""
    if doc.standard_pose is None:
        return ()
    at = doc.at("standard_pose")
    try:
        values = flat(doc.standard_pose)
    except Wrong as e:
        # the loader keeps it as it is; only the view that shows it reads it (facts A.14)
        context.findings.warning("odd-value", f"standard_pose: {e.message}; ignored", at)
        return ()
    by_number: dict[int, Joint] = {}
    for j in robot.joints:
        if j.number is not None and j.number >= 0 and j.kind in ("revolute", "prismatic"):
            by_number.setdefault(j.number, j)
    highest = max((j.number for j in robot.joints if j.number is not None), default=-1)
    if len(values) > highest + 1:
        context.findings.warning(
            "standard-pose-length",
            f"standard_pose has {len(values)} values, but the highest joint id is {highest}",
            at,
        )
    sliding = [
        j.name for n, j in by_number.items() if j.kind == "prismatic" and n < len(values) and values[n]
    ]
    if sliding:
        context.findings.info(
            "reference-differs",
            f"standard_pose of the prismatic joint '{sliding[0]}' is converted as an angle, "
            "as in Choreonoid",
            at,
        )
    positions = tuple(
        (by_number[n].name, radians(v, doc.angle_unit)) for n, v in enumerate(values) if n in by_number
    )
    return (Configuration(name="standard_pose", positions=positions, at=at),)


def groups(doc: d.Body, robot: Robot, context: Context) -> tuple[Group, ...]:
    """Convert ``link_group``: link names and nested named groups."""
    if not isinstance(doc.link_group, Row | Numbers):
        return ()
    names = {link.name for link in robot.links}
    at = doc.at("link_group")
    members = _members(doc.link_group, names, context, 0, doc)
    return (Group(name="link_group", members=members, at=at),)


def _members(
    listed: Row | Numbers, names: set[str], context: Context, depth: int, doc: d.Body
) -> tuple[str | Group, ...]:
    out: list[str | Group] = []
    # link names may be numbers
    for v in listed.places() if isinstance(listed, Numbers) else listed.values:
        if isinstance(v, Word):
            if v.text in names:
                out.append(v.text)
            else:
                _unknown(v, "link_group", doc, context)
        elif isinstance(v, Node) and depth < 64:
            inner = v.get("links")
            content: tuple[str | Group, ...] = ()
            if isinstance(inner, Row | Numbers):
                content = _members(inner, names, context, depth + 1, doc)
            out.append(Group(name=v.word("name") or "", members=content, at=v.span))
    return tuple(out)


def _unknown(name: Word, where: str, doc: d.Body, context: Context) -> None:
    at = doc.node.place(name) if doc.node else None
    context.findings.warning("link-unknown", f"{where} refers to unknown link '{name.text}'", at)


# --- self-collision -------------------------------------------------------------------


def with_collision_rules(doc: d.Body, robot: Robot, context: Context) -> Robot:
    """Apply the collision rules in order; by default all pairs except adjacent links are tested."""
    rules = _Rules(doc, robot, context)
    if doc.collision_detection_rules is not None:
        found = rules.new_form(doc.collision_detection_rules)
    elif isinstance(doc.collision_detection, Node):
        found = rules.old_form(doc.collision_detection)
    else:
        found = without_rules(robot)
    links = tuple(
        x if x.collides == (x.name not in rules.off) else replace(x, collides=not x.collides)
        for x in robot.links
    )
    return replace(robot, links=links, self_collision=found)


class _Rules:
    """Applies collision rules: collects the links and pairs that are not tested.

    ``off`` are the links excluded from all collision detection, the surroundings included.
    """

    def __init__(self, doc: d.Body, robot: Robot, context: Context) -> None:
        self.doc, self.robot, self.context = doc, robot, context
        self.names = [link.name for link in robot.links]
        self.order = {n: i for i, n in enumerate(self.names)}
        self.off: set[str] = set()
        self.pairs: set[Pair] = set()

    def _pair(self, a: str, b: str) -> Pair:
        return (a, b) if self.order[a] <= self.order[b] else (b, a)

    def _group(self, value: Value) -> set[Pair]:
        """All pairs of a list of links."""
        names = list(dict.fromkeys(self._links(value)))
        self.context.budget.spend(2 * len(names) ** 2)
        return {self._pair(a, b) for a, b in combinations(names, 2)}

    def new_form(self, rules: Value) -> SelfCollision:
        for rule in rules.values if isinstance(rules, Row) else []:
            for key, value, start in rule.items if isinstance(rule, Node) else []:
                self._rule(key, value, rule, start)
        return self._result()

    def _rule(self, key: str, value: Value, rule: Any, start: int) -> None:
        match key:
            case "disabled_link_chain_level":
                self.pairs |= self._chains(self._level(value, rule))
            case "disabled_links":
                names = (
                    self.names if isinstance(value, Word) and value.text == "all" else self._links(value)
                )
                self.off |= set(names)
            case "enabled_links":
                named = (
                    self.names if isinstance(value, Word) and value.text == "all" else self._links(value)
                )
                self.off -= set(named)
                # an enabled link is tested against all others again
                on = set(named)
                self.context.budget.spend(len(self.pairs))
                self.pairs = {p for p in self.pairs if on.isdisjoint(p)}
            case "disabled_link_group":
                self.pairs |= self._group(value)
            case "enabled_link_group":
                self.pairs -= self._group(value)
            case _:
                self.context.findings.warning(
                    "rule-unknown",
                    f"collision_detection_rules: unknown rule '{key}'",
                    rule.place(value, start),
                )

    def _level(self, value: Value, rule: Node) -> int:
        from unibody.document.declare import integer

        try:
            return max(0, integer(value))
        except Wrong as e:
            if e.value is not None:
                return int(e.value)
            # as with standard_pose, loading does not read it
            self.context.findings.warning(
                "odd-value", f"disabled_link_chain_level: {e.message}; ignored", rule.place(value)
            )
            return 0

    def _links(self, value: Value) -> list[str]:
        out: list[str] = []
        for v in value.values if isinstance(value, Row) else [value]:
            if isinstance(v, Word) and v.text in self.order:
                out.append(v.text)
            elif isinstance(v, Word):
                _unknown(v, "collision_detection_rules", self.doc, self.context)
            elif isinstance(v, Numbers):
                out += [w for w in v.words() if w in self.order]
        return out

    def _chains(self, level: int) -> set[Pair]:
        """Pairs at most ``level`` joints apart in the tree, not across free joints."""
        near: dict[str, list[str]] = {n: [] for n in self.names}
        for j in self.robot.joints:
            if j.kind != "free" and j.parent in near and j.child in near:
                near[j.parent].append(j.child)
                near[j.child].append(j.parent)
        out: set[Pair] = set()
        for name in self.names:
            reached, edge = {name}, [name]
            for _ in range(min(level, len(self.names))):
                edge = [n for e in edge for n in near[e] if n not in reached]
                self.context.budget.spend(5 * len(edge))
                if not edge:
                    break
                reached.update(edge)
            out |= {self._pair(name, n) for n in reached if n != name}
        return out

    def old_form(self, value: Node) -> SelfCollision:
        depth = value.get("excludeTreeDepth")
        self.pairs |= self._chains(1 if depth is None else self._level(depth, value))
        excluded = value.get("excludeLinks")
        if excluded is not None:
            self.off |= set(self._links(excluded))
        listed = value.get("excludeLinkGroups")
        for group in listed.values if isinstance(listed, Row) else []:
            links = group.get("links") if isinstance(group, Node) else None
            if links is not None:
                self.pairs |= self._group(links)
        return self._result()

    def _result(self) -> SelfCollision:
        count = len(self.names)
        if count > _MANY and len(self.pairs) == count * (count - 1) // 2:
            # the list of all pairs would be too large
            return SelfCollision(default="none")
        ordered = sorted(self.pairs, key=lambda p: (self.order[p[0]], self.order[p[1]]))
        return SelfCollision(default="all", disabled=tuple(ordered))
