"""Reads what Drake adds to URDF: joints, and groups of links that are not tested for collision.

Its other elements are kept as written. Drake itself reads ``<joint>`` for the types that URDF has only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.filter_groups import FilterGroup, excluded
from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.formats.urdf.axes import X, Y, Z, axis_of
from unibody.formats.urdf.poses import pose
from unibody.model.joint_kind import JointKind
from unibody.model.robot import Dynamics, Joint, Robot, SelfCollision
from unibody.text.node import Item, Node

_GROUPS = ("drake:collision_filter_group", "collision_filter_group")
_MEMBERS = ("drake:member", "member")
_GROUPS_OF = ("drake:member_group",)
_IGNORED = ("drake:ignored_collision_filter_group", "ignored_collision_filter_group")
_KINDS: dict[str, JointKind] = {
    "ball": "ball",
    "planar": "planar",
    "universal": "universal",
    "screw": "screw",
    "fixed": "fixed",
}


def joint(doc: d.DrakeJoint, new_name: str, dynamics: Dynamics, context: Context) -> Joint | None:
    """A joint of Drake; None if it lacks an end or a type. ``new_name`` is that of the link without one."""
    if doc.name is None or doc.type is None or doc.parent_link is None or doc.child_link is None:
        return None
    if doc.parent_link.link is None or doc.child_link.link is None:
        return None
    kind = _KINDS[doc.type]
    axis = X if kind == "universal" else Z
    if kind == "screw":
        axis = axis_of(doc, "using 1 0 0, but Drake rejects the file", context) or X
    return Joint(
        name=doc.name,
        kind=kind,
        parent=doc.parent_link.link or new_name,
        child=doc.child_link.link or new_name,
        origin=pose(doc.origin, context),
        axis=axis,
        axis2=Y if kind == "universal" else None,
        pitch=doc.pitch.value if kind == "screw" and doc.pitch is not None else None,
        dynamics=dynamics,
        at=doc.at(),
    )


def check_dialect(doc: d.Robot, context: Context) -> None:
    """Report what only Drake reads, each kind at its first place."""
    joints = [x for x in doc.items if isinstance(x, d.DrakeJoint)]
    shapes: dict[str, list[d.DrakeCapsule | d.DrakeEllipsoid]] = {}
    for shape in _shapes(doc):
        shapes.setdefault(shape.KEY, []).append(shape)
    loops = [x for x in doc.items if isinstance(x, d.BallConstraint)]
    if joints:
        effect = "other programs ignore it and leave its links apart"
        _report(joints, "drake:joint", effect, context)
    if loops:
        _report(loops, d.BallConstraint.KEY, "other programs leave the loop open", context)
    for word, found in shapes.items():
        _report(found, word, "other programs leave the shape out", context)


def _report(found: Sequence[Document], word: str, effect: str, context: Context) -> None:
    count = f" ({len(found)} times)" if len(found) > 1 else ""
    context.findings.warning(
        "drake-element",
        f"<{word}>{count} is an element of Drake's dialect; read as in Drake, but {effect}",
        found[0].at(),
        "convert the file for other programs" if word == "drake:joint" else "",
    )


def _shapes(doc: d.Robot) -> Iterator[d.DrakeCapsule | d.DrakeEllipsoid]:
    for link in doc.items:
        if isinstance(link, d.Link):
            holders: list[d.Visual | d.Collision] = [*link.visuals, *link.collisions]
            for holder in holders:
                if holder.geometry is not None:
                    yield from (
                        x
                        for x in holder.geometry.shapes
                        if isinstance(x, d.DrakeCapsule | d.DrakeEllipsoid)
                    )


def self_collision(items: Sequence[Item], links: Collection[str], context: Context) -> SelfCollision:
    """The pairs of links that collision filter groups exclude; reports unknown links and groups."""
    groups = _groups(items)
    names = {group.name for group in groups}
    for group in groups:
        for link in group.links:
            if link not in links:
                _unknown(group, f"link '{link}'", context)
        for other in group.ignored:
            if other not in names:
                _unknown(group, f"collision filter group '{other}'", context)
    return SelfCollision(disabled=tuple(excluded(_with_links(groups, links)).values()))


def without_excluded(robot: Robot) -> Robot:
    """The robot without rules of collision if the groups kept from a URDF file exclude the same pairs."""
    rules = robot.self_collision
    if not rules.disabled or rules.enabled or rules.default != SelfCollision().default:
        return robot
    own = (x.node.items for x in robot.extras if x.format == "urdf" and not x.owner)
    groups = [group for items in own for group in _groups(items)]
    said = excluded(_with_links(groups, {link.name for link in robot.links}))
    if {frozenset(pair) for pair in rules.disabled} != said.keys():
        return robot
    return replace(robot, self_collision=SelfCollision())


def _groups(items: Sequence[Item]) -> list[FilterGroup]:
    return [
        FilterGroup(
            name=node.word("name") or "",
            links=tuple(_words(node, _MEMBERS, "link")),
            groups=tuple(_words(node, _GROUPS_OF, "name")),
            ignored=tuple(_words(node, _IGNORED, "name")),
            at=node.head,
        )
        for key, node, _ in items
        if key in _GROUPS and isinstance(node, Node) and node.word("ignore") != "true"
    ]


def _with_links(groups: Sequence[FilterGroup], links: Collection[str]) -> list[FilterGroup]:
    """The groups without unknown links."""
    return [replace(x, links=tuple(link for link in x.links if link in links)) for x in groups]


def _words(node: Node, keys: Collection[str], attribute: str) -> list[str]:
    """The values of an attribute of inner elements."""
    found = (x.word(attribute) for key, x, _ in node.items if key in keys and isinstance(x, Node))
    return [word for word in found if word]


def _unknown(group: FilterGroup, what: str, context: Context) -> None:
    context.findings.warning(
        "link-unknown",
        f"collision filter group '{group.name}' refers to unknown {what}; ignored, but Drake "
        "rejects the file",
        group.at,
    )
