"""Several robots in one world."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from unibody.model.base import Base, with_base
from unibody.model.collision import links_tested_with_world, tested_pairs
from unibody.model.gravity import common_gravity
from unibody.model.joint_kind import KINDS
from unibody.model.robot import (
    Chain,
    Coordinate,
    Extra,
    Group,
    Joint,
    Link,
    Robot,
    SelfCollision,
    not_accepted,
)
from unibody.model.traverse import all_groups, part, unpart
from unibody.text.dataclass import dataclass

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Robots placed by their own poses; an obstacle is a robot of one fixed link."""

    name: str
    robots: tuple[Robot, ...] = ()
    extras: tuple[Extra, ...] = ()


def in_one_world(scene: Scene) -> Scene:
    """The scene whose robots all state the gravity of those that state one.

    >>> moon = Robot(name="rover", gravity=(0.0, 0.0, -1.62))
    >>> in_one_world(Scene(name="two", robots=(moon, Robot(name="box")))).robots[1].gravity
    (0.0, 0.0, -1.62)
    """
    gravity = common_gravity(scene.robots)
    return replace(scene, robots=tuple(replace(x, gravity=x.gravity or gravity) for x in scene.robots))


def scene_with_base(scene: Scene, base: Base | None) -> Scene:
    """The scene with another base of all its robots; None leaves them as they are.

    >>> arm = Robot(name="arm", links=(Link(name="foot"),))
    >>> scene_with_base(Scene(name="two", robots=(arm, arm)), "free").robots[1].base
    'free'
    """
    return replace(scene, robots=tuple(with_base(robot, base) for robot in scene.robots))


def as_robot(given: Robot | Scene, base: Base | None = None) -> Robot:
    """The robot, or the robots of a scene as one (:func:`merged`); TypeError for anything else.

    ``base`` is that of the robot, or of each robot of the scene; None leaves it as it is.

    >>> as_robot(Scene(name="empty")).links[0].name
    'world'
    """
    if isinstance(given, Scene):
        return merged(scene_with_base(given, base))
    if not isinstance(given, Robot):
        raise not_accepted(given, "a Robot or a Scene")
    return with_base(given, base)


def merged(scene: Scene, root: str = "world") -> Robot:
    """Merge all robots of a scene into one.

    Each robot is attached to an added link ``root`` by a fixed joint, or by a free one if its base is
    free. Names that several robots have become "robot:name". Coordinates are numbered consecutively in
    the order of the robots. Links of different robots are tested for collision, except those of two
    obstacles; within a robot its own rules apply. The surroundings of all robots are those of ``root``,
    and are tested with the links of the other robots. The gravity is that which the first robot states.

    >>> left, right = (Robot(name=n, links=(Link(name="arm"), Link(name=n))) for n in ("left", "right"))
    >>> [link.name for link in merged(Scene(name="two", robots=(left, right))).links]
    ['world', 'left:arm', 'left', 'right:arm', 'right']
    """
    taken = {link.name for robot in scene.robots for link in robot.links}
    root = _free(root, taken)
    robots = [_on_root(robot, root) for robot in _renamed(scene.robots)]
    joints = {joint.name for robot in robots for joint in robot.joints}
    around = [robot.surroundings for robot in robots if robot.surroundings is not None]
    links: list[Link] = [
        Link(
            name=root,
            visuals=tuple(shape for each in around for shape in each.visuals),
            collisions=tuple(shape for each in around for shape in each.collisions),
            collisions_alt=tuple(shape for each in around for shape in each.collisions_alt),
        )
    ]
    joints_out: list[Joint] = []
    coordinates: list[Coordinate] = []
    first = 0
    for before, robot in zip(scene.robots, robots, strict=True):
        links += robot.links
        name = _free(before.name or "robot", joints)
        joints.add(name)
        kind: Any = "free" if robot.base == "free" else "fixed"
        if robot.links:
            joints_out.append(
                Joint(name=name, kind=kind, parent=root, child=_top(robot), origin=robot.pose)
            )
        joints_out += robot.joints
        coordinates += [replace(c, index=first + c.index) for c in robot.coordinates]
        first += max((c.index for c in robot.coordinates), default=-1) + 1
    return Robot(
        name=scene.name,
        links=tuple(links),
        joints=tuple(joints_out),
        loops=tuple(x for r in robots for x in r.loops),
        coordinates=tuple(coordinates),
        couplings=tuple(x for r in robots for x in r.couplings),
        devices=tuple(x for r in robots for x in r.devices),
        frames=tuple(x for r in robots for x in r.frames),
        groups=tuple(x for r in robots for x in r.groups),
        configurations=tuple(x for r in robots for x in r.configurations),
        self_collision=SelfCollision(default="none", enabled=tuple(_pairs(robots, root))),
        base="fixed",
        gravity=common_gravity(robots),
        folder=next((robot.folder for robot in robots), ""),
        extras=(*scene.extras, *(x for r in robots for x in r.extras)),
    )


def _top(robot: Robot) -> str:
    """The root link; the first link where links form no tree, which other findings report."""
    try:
        return robot.root
    except KeyError:
        return robot.links[0].name


def _on_root(robot: Robot, root: str) -> Robot:
    """The robot whose surroundings are called ``root``."""
    if robot.surroundings is None or robot.surroundings.name == root:
        return robot
    names = {"links": {robot.surroundings.name: root}}
    made = _with_names(robot, {kind: names.get(kind, {}) for kind in _NAMED})
    return replace(made, surroundings=replace(robot.surroundings, name=root))


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number appended if it is taken."""
    number = 2
    made = name
    while made in taken:
        made = f"{name}_{number}"
        number += 1
    return made


def of_several(name: str, known: Collection[str]) -> str:
    """The end of a message about a name that several robots have, which ``merged`` changed; else "".

    >>> of_several("home", ("left:home", "right:home", "up"))
    "; several robots have it: 'left:home', 'right:home'"
    """
    own = [repr(each) for each in known if each.endswith(f":{name}")]
    return f"; several robots have it: {', '.join(own)}" if own else ""


# --- names ------------------------------------------------------------------------------

_NAMED = ("links", "joints", "loops", "devices", "frames", "groups", "configurations")


def _renamed(robots: tuple[Robot, ...]) -> list[Robot]:
    """Prefix names that several robots have with the name of the robot, made unique."""
    counts = {kind: Counter(n for r in robots for n in _names(r, kind)) for kind in _NAMED}
    taken = {kind: {n for n, count in counts[kind].items() if count == 1} for kind in _NAMED}
    out, prefixes = [], set[str]()
    for robot in robots:
        prefix = _free(robot.name or "robot", prefixes)
        prefixes.add(prefix)
        maps: dict[str, dict[str, str]] = {kind: {} for kind in _NAMED}
        for kind in _NAMED:
            for name in _names(robot, kind):
                if counts[kind][name] > 1:
                    maps[kind][name] = _free(f"{prefix}:{name}", taken[kind])
                    taken[kind].add(maps[kind][name])
        out.append(_with_names(robot, maps) if any(maps.values()) else robot)
    return out


def _names(robot: Robot, kind: str) -> Iterator[str]:
    if kind == "groups":
        yield from (group.name for group in all_groups(robot))
        return
    yield from (item.name for item in getattr(robot, kind))


def _with_names(robot: Robot, maps: Mapping[str, Mapping[str, str]]) -> Robot:
    links, joints = (_map(maps[kind]) for kind in ("links", "joints"))
    own = {kind: _map(maps[kind]) for kind in _NAMED}
    collision = robot.self_collision
    return replace(
        robot,
        links=tuple(replace(x, name=links(x.name)) for x in robot.links),
        joints=tuple(
            replace(x, name=joints(x.name), parent=links(x.parent), child=links(x.child))
            for x in robot.joints
        ),
        loops=tuple(
            replace(x, name=own["loops"](x.name), link_a=links(x.link_a), link_b=links(x.link_b))
            for x in robot.loops
        ),
        coordinates=tuple(
            replace(x, drives=tuple(replace(d, joint=joints(d.joint)) for d in x.drives))
            for x in robot.coordinates
        ),
        couplings=tuple(
            replace(x, joint=joints(x.joint), leader=joints(x.leader)) for x in robot.couplings
        ),
        devices=tuple(replace(x, name=own["devices"](x.name), link=links(x.link)) for x in robot.devices),
        frames=tuple(replace(x, name=own["frames"](x.name), link=links(x.link)) for x in robot.frames),
        groups=tuple(_group(x, own["groups"], links, joints) for x in robot.groups),
        configurations=tuple(
            replace(
                x,
                name=own["configurations"](x.name),
                group=x.group and own["groups"](x.group),
                positions=tuple((joints(j), value) for j, value in x.positions),
            )
            for x in robot.configurations
        ),
        self_collision=replace(
            collision,
            enabled=tuple((links(a), links(b)) for a, b in collision.enabled),
            disabled=tuple((links(a), links(b)) for a, b in collision.disabled),
        ),
        extras=tuple(replace(x, owner=_owner(x.owner, maps)) for x in robot.extras),
    )


def _map(names: Mapping[str, str]) -> Any:
    return lambda name: names.get(name, name)


def _group(group: Group, groups: Any, links: Any, joints: Any) -> Group:
    # groups nest as deep as the reader lets them, which is not deep
    members = tuple(
        _group(m, groups, links, joints) if isinstance(m, Group) else links(m) for m in group.members
    )
    return replace(
        group,
        name=groups(group.name),
        members=members,
        joint_members=tuple(map(joints, group.joint_members)),
        chains=tuple(Chain(base_link=links(x.base_link), tip_link=links(x.tip_link)) for x in group.chains),
        subgroups=tuple(map(groups, group.subgroups)),
    )


def _owner(owner: str, maps: Mapping[str, Mapping[str, str]]) -> str:
    """Rename the link or joint in the owner path of an extra."""
    kind, _, name = owner.partition("/")
    old = unpart(name)
    new = maps.get(kind, {}).get(old)
    return owner if new is None else f"{kind}/{part(new)}"


# --- collisions -------------------------------------------------------------------------


def _moves(robot: Robot) -> bool:
    """Whether anything of a robot can move; what does not is an obstacle."""
    return robot.base == "free" or any(KINDS[joint.kind].nv for joint in robot.joints)


def _pairs(robots: list[Robot], root: str) -> Iterator[tuple[str, str]]:
    bodies = [[link.name for link in robot.links if link.collisions and link.collides] for robot in robots]
    moving = [i for i, robot in enumerate(robots) if _moves(robot)]
    moves = set(moving)
    for i, robot in enumerate(robots):
        yield from tested_pairs(robot)
        yield from ((link, root) for link in links_tested_with_world(robot))
        if robot.surroundings is not None and robot.surroundings.collisions and robot.surroundings.collides:
            yield from ((link, root) for j in moving if j != i for link in bodies[j])
    for i in range(len(robots)):
        others = range(i + 1, len(robots)) if i in moves else moving[bisect_right(moving, i) :]
        yield from ((a, b) for j in others for a in bodies[i] for b in bodies[j])
