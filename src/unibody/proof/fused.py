"""Slips of importers that make one body of links that are fixed to one another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial, compose, matrix3, placed, rotated
from unibody.model.pose import Pose
from unibody.model.robot import Robot
from unibody.proof.reference import Reference

#: The pose of a link in a body of several, and its mass and inertia.
Part = tuple[Pose, Inertial]
#: What an importer makes of a link and of those that are fixed to it.
Merge = Callable[[Inertial, Sequence[Part]], Inertial]


def _steiner(mass: float, arm: Sequence[float]) -> Floats:
    """The inertia of a point mass at the end of an arm, (3, 3)."""
    return np.asarray(mass * (np.dot(arm, arm) * np.eye(3) - np.outer(arm, arm)))


def _placed(part: Part) -> Inertial:
    """The mass and the inertia of a part in the axes of the body."""
    place, inertial = part
    return placed(inertial, place)


def whole_of(own: Inertial, parts: Sequence[Part]) -> Inertial:
    """The mass and the inertia of a link with those that are fixed to it, as they are."""
    return compose([own, *map(_placed, parts)])


def _elsewhere(step: Callable[[Pose], Pose]) -> Merge:
    """The parts at other places."""
    return lambda own, parts: whole_of(own, [(step(place), inertial) for place, inertial in parts])


def _with_inertias(step: Callable[[Part], Floats]) -> Merge:
    """The parts at their places, with other inertias about their centers of mass."""
    return lambda own, parts: compose(
        [own, *(replace(_placed(part), inertia=matrix3(step(part))) for part in parts)]
    )


def _turned_back(part: Part) -> Floats:
    return np.array(rotated(part[1].inertia, part[0].inverse()))


def _summed(arm: Callable[[Part], Sequence[float]]) -> Merge:
    """The inertias added without the way to the common center of mass, those of parts moved by an arm."""

    def merge(own: Inertial, parts: Sequence[Part]) -> Inertial:
        total = np.array(own.inertia)
        for part in parts:
            total = total + np.array(_placed(part).inertia) + _steiner(part[1].mass, arm(part))
        return replace(whole_of(own, parts), inertia=matrix3(total))

    return merge


def _about_origin(own: Inertial, parts: Sequence[Part]) -> Inertial:
    whole = whole_of(own, parts)
    return replace(whole, inertia=matrix3(np.array(whole.inertia) + _steiner(whole.mass, whole.com)))


#: What the report says, and what the importer makes.
MERGES: tuple[tuple[str, Merge], ...] = (
    (
        "inertia of links that are fixed to it not turned",
        _with_inertias(lambda part: np.array(part[1].inertia)),
    ),
    ("inertia of links that are fixed to it turned the wrong way", _with_inertias(_turned_back)),
    (
        "inertia of links that are fixed to it not moved to the common center of mass",
        _summed(lambda part: (0.0, 0.0, 0.0)),
    ),
    ("inertia of links that are fixed to it dropped", _with_inertias(lambda part: np.zeros((3, 3)))),
    ("rotation of links that are fixed to it ignored", _elsewhere(lambda pose: Pose(pose.xyz))),
    ("position of links that are fixed to it ignored", _elsewhere(lambda pose: Pose(quat=pose.quat))),
    ("pose of links that are fixed to it ignored", _elsewhere(lambda pose: Pose())),
    ("links that are fixed to it counted twice", lambda own, parts: whole_of(own, [*parts, *parts])),
    (
        "inertias of links that are fixed to it taken as about the origins of the links",
        _summed(lambda part: part[0].xyz),
    ),
    ("inertia of the whole about the origin of the body", _about_origin),
    (
        "its own center of mass ignored where links that are fixed to it are added",
        lambda own, parts: whole_of(replace(own, com=(0.0, 0.0, 0.0)), parts),
    ),
    (
        "its own center of mass kept where links that are fixed to it are added",
        lambda own, parts: replace(whole_of(own, parts), com=own.com),
    ),
    (
        "its own mass and inertia replaced by those of links that are fixed to it",
        lambda own, parts: compose([*map(_placed, parts)]),
    ),
)


def merging(merge: Merge, *, by_step: bool = False) -> Callable[[Reference, Collection[str]], Reference]:
    """The change of a reference whose links are merged into the owners to which they are fixed.

    All links at once, or ``by_step`` the last links of each chain first, one after another.
    """

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        inertials = {link.name: link.inertial for link in reference.robot.links}
        steps = _steps if by_step else _bodies
        for link, parts in steps(reference.robot, owners):
            own = inertials[link]
            there = [(place, inertials[name]) for name, place in parts]
            heavy = [(place, inertial) for place, inertial in there if inertial is not None]
            if own is not None and heavy:
                inertials |= dict.fromkeys((name for name, _ in parts), None)
                inertials[link] = merge(own, heavy)
        links = tuple(replace(link, inertial=inertials[link.name]) for link in reference.robot.links)
        return replace(reference, robot=replace(reference.robot, links=links))

    return change


#: A link, and the links that are merged into it with their poses there.
Step = tuple[str, list[tuple[str, Pose]]]


def _bodies(robot: Robot, owners: Collection[str]) -> list[Step]:
    """The links that are fixed to each owner, over others if need be."""
    fixed = {joint.child: joint for joint in robot.joints if joint.kind == "fixed"}
    out: dict[str, list[tuple[str, Pose]]] = {}
    for link in robot.links:
        place, name, top, at_top = Pose(), link.name, "", Pose()
        while name in fixed:
            place, name = fixed[name].origin @ place, fixed[name].parent
            if name in owners:
                top, at_top = name, place
        if top:
            out.setdefault(top, []).append((link.name, at_top))
    return [*out.items()]


def _steps(robot: Robot, owners: Collection[str]) -> list[Step]:
    """Each link that is fixed to another one alone, those that carry no others first."""
    fixed = {joint.child: joint for joint in robot.joints if joint.kind == "fixed"}
    below = {name for _, parts in _bodies(robot, owners) for name, _ in parts}
    out: list[Step] = []
    left = [link.name for link in robot.links if link.name in below]
    while left:
        last = [name for name in left if not any(fixed[x].parent == name for x in left)]
        if not last:
            break
        out += [(fixed[name].parent, [(name, fixed[name].origin)]) for name in last]
        left = [name for name in left if name not in last]
    return out
