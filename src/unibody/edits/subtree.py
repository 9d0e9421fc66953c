"""Extracts a link and its descendants as a robot."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace
from typing import Any

from unibody.edits.edit import EditLoss, RobotEdit
from unibody.edits.kept import lost_items, prune_kept
from unibody.edits.names import LISTS, all_groups, check_link
from unibody.model.base import implied_base
from unibody.model.facts import Difference, diff
from unibody.model.pose import IDENTITY
from unibody.model.robot import Group, Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.traverse import links_below, unpart
from unibody.text.finding import Finding, Findings


def subtree(robot: Robot | Scene, link: str, *, findings: list[Finding] | None = None) -> Robot:
    """Extract a link and its descendants as a robot with that link as its root.

    Items that refer to other links or joints are omitted, also in the data that only one format knows; a
    text that mentions an omitted item is added to ``findings`` as a warning. The base of the result is
    unspecified, its pose the identity, unless the link is the root of ``robot``. GraftError if the link
    is unknown.

    >>> from unibody.model.robot import Joint, Link
    >>> links = (Link(name="base"), Link(name="arm"), Link(name="hand"))
    >>> joints = (Joint(name="a", kind="fixed", parent="base", child="arm"),
    ...           Joint(name="h", kind="fixed", parent="arm", child="hand"))
    >>> [x.name for x in subtree(Robot(name="r", links=links, joints=joints), "arm").links]
    ['arm', 'hand']
    """
    made = edit_subtree(as_robot(robot), link)
    if findings is not None:
        findings.extend(made.findings)
    return made.robot


def edit_subtree(robot: Robot, link: str) -> RobotEdit:
    """The edit of :func:`subtree`."""
    check_link(robot, link)
    names = links_below([link], robot.joints)
    findings = Findings()
    found = part_of(robot, names)
    gone = {
        kind: {x.name for x in getattr(robot, kind)} - {x.name for x in getattr(found, kind)}
        for kind in LISTS
    }
    gone["groups"] = {x.name for x in all_groups(robot.groups)} - {x.name for x in all_groups(found.groups)}
    indices = {c.index for c in robot.coordinates} - {c.index for c in found.coordinates}
    gone["coordinates"] = {str(index) for index in indices}
    pruned, devices = prune_kept(robot, gone, findings)
    gone["devices"] |= devices
    out = part_of(pruned, names, gone)
    if link != robot.root:
        out = replace(out, base=implied_base(link), pose=IDENTITY)
    out = replace(out, name=link)
    return RobotEdit(out, tuple(_losses(robot, out, names, devices)), findings)


def _losses(robot: Robot, made: Robot, names: Set[str], devices: Set[str]) -> list[EditLoss]:
    """What is lost of the subtree itself, and of the data of formats."""
    inside = {j.name for j in made.joints}
    crossing = {f"loops/{x.name}" for x in robot.loops if {x.link_a, x.link_b} & names}
    crossing |= {f"couplings/{c.joint}" for c in robot.couplings if c.joint in inside}
    crossing |= {f"devices/{name}" for name in devices}
    out: list[EditLoss] = []
    for d in diff(replace(robot, extras=()), replace(made, extras=())):
        if _plain(d) in crossing:
            out.append(EditLoss(d, robot, "links across the cut", "one end is outside the subtree"))
        elif d.path.endswith("/spec/data"):
            out.append(EditLoss(d, robot, "data of devices", "they refer to links or joints outside"))
    why = "they belong to links or joints outside the subtree"
    out += [EditLoss(d, robot, "elements of other programs", why) for d in lost_items(robot, made)]
    return out


def _plain(difference: Difference) -> str:
    kind, _, name = difference.path.partition("/")
    return f"{kind}/{unpart(name)}"


def part_of(robot: Robot, names: Set[str], gone: dict[str, set[str]] | None = None) -> Robot:
    """The robot without the links that are not in ``names``, and without all that refers to these.

    Extras go with their owner; ``gone`` are names of further owners and devices to omit.
    """
    if robot.surroundings is not None and robot.root in names:
        names = names | {robot.surroundings.name}
    joints = tuple(j for j in robot.joints if j.parent in names)
    moving = {j.name for j in joints}
    groups = _groups(robot.groups, names, moving)
    known = {group.name for group in groups}
    kept: dict[str, Any] = {
        "links": [x for x in robot.links if x.name in names],
        "joints": joints,
        "loops": [x for x in robot.loops if {x.link_a, x.link_b} <= names],
        "coordinates": [
            replace(c, drives=tuple(d for d in c.drives if d.joint in moving)) for c in robot.coordinates
        ],
        "couplings": [c for c in robot.couplings if {c.joint, c.leader} <= moving],
        "devices": [x for x in robot.devices if x.link in names],
        "frames": [x for x in robot.frames if x.link in names],
        "groups": groups,
        "configurations": [
            replace(
                c,
                group=c.group if c.group in known else None,
                positions=tuple(p for p in c.positions if p[0] in moving),
            )
            for c in robot.configurations
        ],
    }
    kept["coordinates"] = [c for c in kept["coordinates"] if c.drives]
    kept["configurations"] = [c for c in kept["configurations"] if c.positions]
    rules = robot.self_collision
    lists: dict[str, Any] = {name: tuple(values) for name, values in kept.items()}
    if robot.surroundings is not None and robot.root not in names:
        lists["surroundings"] = None
    without = {} if gone is None else gone
    lists["devices"] = tuple(x for x in lists["devices"] if x.name not in without.get("devices", ()))
    owners = {
        f"{kind}/{getattr(x, key)}"
        for kind, key in (*((kind, "name") for kind in LISTS), ("coordinates", "index"))
        for x in (lists[kind] if kind in lists else getattr(robot, kind))
    }
    return replace(
        robot,
        **lists,
        self_collision=replace(
            rules,
            enabled=tuple(p for p in rules.enabled if set(p) <= names),
            disabled=tuple(p for p in rules.disabled if set(p) <= names),
        ),
        extras=tuple(e for e in robot.extras if not e.owner or _plain_owner(e.owner) in owners),
    )


def _plain_owner(owner: str) -> str:
    kind, _, name = owner.partition("/")
    return f"{kind}/{unpart(name.split('/')[0])}"


def _groups(groups: Iterable[Group], names: Set[str], joints: Set[str]) -> list[Group]:
    """Groups restricted to the links in ``names`` and to ``joints``, without empty groups."""
    # Readers limit the nesting of groups, so recursion is safe.
    out = []
    for group in groups:
        members: list[str | Group] = []
        for m in group.members:
            members += _groups([m], names, joints) if isinstance(m, Group) else [m] if m in names else []
        moving = tuple(j for j in group.joint_members if j in joints)
        chains = tuple(c for c in group.chains if {c.base_link, c.tip_link} <= names)
        if members or moving or chains or group.subgroups:
            out.append(replace(group, members=tuple(members), joint_members=moving, chains=chains))
    return _without_missing(out)


def _without_missing(groups: list[Group]) -> list[Group]:
    """Groups without subgroups that are not there, and without groups that are empty then."""
    known = {group.name for group in groups}
    kept = [replace(g, subgroups=tuple(n for n in g.subgroups if n in known)) for g in groups]
    full = [g for g in kept if g.members or g.joint_members or g.chains or g.subgroups]
    return full if len(full) == len(groups) else _without_missing(full)
