"""Edits whole robots: rename, attach one robot to another, extract a subtree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from unibody.model.changes.joints import free_name
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Group, Joint, Robot, SelfCollision
from unibody.model.traverse import renamed, unpart

Named = Literal["links", "joints", "devices", "loops", "frames", "groups", "configurations"]
_NAMED: tuple[Named, ...] = ("links", "joints", "devices", "loops", "frames", "groups", "configurations")


class GraftError(ValueError):
    """Raised if robots cannot be renamed, attached or split as requested."""


def rename(
    robot: Robot, names: Mapping[str, str] | None = None, *, prefix: str = "", suffix: str = ""
) -> Robot:
    """Rename links, joints, devices and all other named items, with all references to them.

    ``names`` maps old to new names; ``prefix`` and ``suffix`` are added to all others. GraftError if
    a name is unknown or two items of one kind would have the same name.

    >>> from unibody.model.robot import Link
    >>> robot = Robot(name="arm", links=(Link(name="base"),))
    >>> rename(robot, prefix="left_").links[0].name
    'left_base'
    """
    wanted = dict(names or {})
    known = {item.name for kind in _NAMED for item in getattr(robot, kind)} | {robot.name}
    missing = [name for name in wanted if name not in known]
    if missing:
        raise GraftError(f"'{robot.name}' has no element named '{missing[0]}'")
    out = robot
    for kind in _NAMED:
        items = getattr(robot, kind)
        new = {x.name: wanted.get(x.name, f"{prefix}{x.name}{suffix}") for x in items}
        if len(set(new.values())) < len(items):
            raise GraftError(f"two {kind} of '{robot.name}' would have the same name")
        changed = {old: name for old, name in new.items() if old != name}
        if changed:
            out = renamed(out, kind, changed)
    return replace(out, name=wanted.get(robot.name, out.name))


def attach(
    robot: Robot,
    other: Robot,
    at: str,
    pose: Pose = IDENTITY,
    prefix: str = "",
) -> Robot:
    """Attach the root of ``other`` to link ``at`` of ``robot`` by a fixed joint at ``pose``.

    ``prefix`` is prepended to every name of ``other``. GraftError if the link is unknown or a name is
    in both robots. Name, base and pose of the result are those of ``robot``.

    >>> from unibody.model.robot import Link
    >>> arm = Robot(name="arm", links=(Link(name="base"),))
    >>> hand = Robot(name="hand", links=(Link(name="palm"),))
    >>> [j.name for j in attach(arm, hand, "base").joints]
    ['base_to_palm']
    """
    if at not in {link.name for link in robot.links}:
        raise GraftError(f"'{robot.name}' has no link '{at}'")
    second = rename(other, prefix=prefix) if prefix else other
    for kind in _NAMED:
        both = {x.name for x in getattr(robot, kind)} & {x.name for x in getattr(second, kind)}
        if both:
            raise GraftError(f"both robots have a {kind[:-1]} named '{min(both)}'; give a prefix")
    taken = {j.name for j in (*robot.joints, *second.joints)}
    mount = Joint(
        name=free_name(f"{at}_to_{second.root}", taken),
        kind="fixed",
        parent=at,
        child=second.root,
        origin=pose,
    )
    second = _numbered_after(robot, second)
    first = {name: getattr(robot, name) for name in _LISTS}
    rest = {name: getattr(second, name) for name in _LISTS}
    joined: dict[str, Any] = {name: first[name] + rest[name] for name in _LISTS}
    joined["joints"] = (*robot.joints, mount, *second.joints)
    return replace(robot, **joined, self_collision=_merged_rules(robot, second))


_LISTS = (
    "links",
    "joints",
    "loops",
    "coordinates",
    "couplings",
    "devices",
    "frames",
    "groups",
    "configurations",
    "extras",
)


def _numbered_after(robot: Robot, other: Robot) -> Robot:
    """Renumber joints and coordinates of ``other`` after those of ``robot``; drop its robot-wide extras."""
    first = max((j.number for j in robot.joints if j.number is not None), default=-1) + 1
    index = max((c.index for c in robot.coordinates), default=-1) + 1
    return replace(
        other,
        joints=tuple(
            j if j.number is None or j.number < 0 else replace(j, number=j.number + first)
            for j in other.joints
        ),
        coordinates=tuple(replace(c, index=c.index + index) for c in other.coordinates),
        extras=tuple(e for e in other.extras if e.owner),
    )


def _merged_rules(a: Robot, b: Robot) -> SelfCollision:
    """Merge the collision rules of two robots; the default of ``a`` applies to pairs across them."""
    x, y = a.self_collision, b.self_collision
    if x.default == y.default:
        return replace(x, enabled=x.enabled + y.enabled, disabled=x.disabled + y.disabled)
    # Write out the default of b pair by pair.
    pairs = _untested_pairs(b)
    if x.default == "none":
        tested = {frozenset(p) for p in _pairs(b)} - {frozenset(p) for p in pairs}
        enabled = tuple(p for p in _pairs(b) if frozenset(p) in tested)
        return replace(x, enabled=x.enabled + enabled)
    adjacent = {frozenset((j.parent, j.child)) for j in b.joints if j.kind != "free"}
    out = {frozenset(p) for p in pairs}
    enabled = (
        tuple(p for p in _pairs(b) if frozenset(p) in adjacent - out) if x.default == "not_adjacent" else ()
    )
    return replace(x, enabled=x.enabled + enabled, disabled=x.disabled + tuple(pairs))


def _pairs(robot: Robot) -> list[tuple[str, str]]:
    names = [link.name for link in robot.links]
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]


def _untested_pairs(robot: Robot) -> list[tuple[str, str]]:
    """The pairs of links that are not tested for collision."""
    rules = robot.self_collision
    enabled, disabled = ({frozenset(p) for p in pairs} for pairs in (rules.enabled, rules.disabled))
    adjacent = {frozenset((j.parent, j.child)) for j in robot.joints if j.kind != "free"}
    by_default = {"all": set[frozenset[str]](), "not_adjacent": adjacent, "none": None}[rules.default]
    return [
        p
        for p in _pairs(robot)
        if frozenset(p) in disabled
        or ((by_default is None or frozenset(p) in by_default) and frozenset(p) not in enabled)
    ]


def subtree(robot: Robot, link: str) -> Robot:
    """Extract a link and its descendants as a robot with that link as its fixed root.

    Items that refer to other links or joints are omitted. GraftError if the link is unknown.

    >>> from unibody.model.robot import Link
    >>> links = (Link(name="base"), Link(name="arm"), Link(name="hand"))
    >>> joints = (Joint(name="a", kind="fixed", parent="base", child="arm"),
    ...           Joint(name="h", kind="fixed", parent="arm", child="hand"))
    >>> [x.name for x in subtree(Robot(name="r", links=links, joints=joints), "arm").links]
    ['arm', 'hand']
    """
    names = _below(robot, link)
    joints = tuple(j for j in robot.joints if j.parent in names)
    moving = {j.name for j in joints}
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
        "groups": _groups(robot.groups, names),
        "configurations": [
            replace(c, positions=tuple(p for p in c.positions if p[0] in moving))
            for c in robot.configurations
        ],
    }
    kept["coordinates"] = [c for c in kept["coordinates"] if c.drives]
    kept["configurations"] = [c for c in kept["configurations"] if c.positions]
    rules = robot.self_collision
    lists = {name: tuple(values) for name, values in kept.items()}
    devices = {x.name for x in kept["devices"]}
    owners = (
        {f"links/{n}" for n in names} | {f"joints/{n}" for n in moving} | {f"devices/{n}" for n in devices}
    )
    return replace(
        robot,
        name=link,
        **lists,
        base="fixed",
        pose=IDENTITY,
        self_collision=replace(
            rules,
            enabled=tuple(p for p in rules.enabled if set(p) <= names),
            disabled=tuple(p for p in rules.disabled if set(p) <= names),
        ),
        extras=tuple(e for e in robot.extras if _plain_owner(e.owner) in owners),
    )


def _plain_owner(owner: str) -> str:
    kind, _, name = owner.partition("/")
    return f"{kind}/{unpart(name.split('/')[0])}"


def _below(robot: Robot, link: str) -> set[str]:
    """A link and its descendants."""
    if link not in {x.name for x in robot.links}:
        raise GraftError(f"'{robot.name}' has no link '{link}'")
    children: dict[str, list[str]] = {}
    for j in robot.joints:
        children.setdefault(j.parent, []).append(j.child)
    out, todo = {link}, [link]
    while todo:
        for child in children.get(todo.pop(), []):
            if child not in out:
                out.add(child)
                todo.append(child)
    return out


def _groups(groups: Iterable[Group], names: set[str]) -> list[Group]:
    """Groups restricted to the links in ``names``, without empty groups."""
    # Readers limit the nesting of groups, so recursion is safe.
    out = []
    for group in groups:
        members: list[str | Group] = []
        for m in group.members:
            members += _groups([m], names) if isinstance(m, Group) else [m] if m in names else []
        if members:
            out.append(replace(group, members=tuple(members)))
    return out
