"""Known slips of importers: what a robot becomes when a loader makes the mistake.

Each slip changes a reference, for some joints or links only. Where a slipped robot has the numbers of an
engine, the slip is the likely cause.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial, matrix3, rotated
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import IDENTITY, Pose, quaternion_matrix, rotate
from unibody.model.robot import Joint, Link, Robot
from unibody.model.solid import shape_solid, united
from unibody.proof.fused import MERGES, merging
from unibody.proof.reference import Misreading, Reference
from unibody.proof.sources import breadth_first, depth_first, first_shape, inertial_frame
from unibody.proof.subject import Subject

#: A change of a reference for some joints or links.
Change = Callable[[Reference, Collection[str]], Reference]


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake: what the report says, and the change; ``quantity`` is where it is seen first.

    "links" are slips of masses and inertias, "joints" of the motion of joints, "dynamics" of what resists
    it, "world" of the whole model; ``subject`` is what the cause is about.
    """

    cause: str
    area: str
    change: Change
    subject: Subject = Subject.OTHER


def _links(cause: str, step: Callable[[Inertial], Inertial | None]) -> Slip:
    def change(reference: Reference, owners: Collection[str]) -> Reference:
        def of(link: Link) -> Link:
            if link.inertial is None or link.name not in owners:
                return link
            return replace(link, inertial=step(link.inertial))

        robot = reference.robot
        return replace(reference, robot=replace(robot, links=tuple(map(of, robot.links))))

    return Slip(cause, "links", change)


def _joints(cause: str, step: Callable[[Joint], Joint], area: str = "joints") -> Slip:
    def change(reference: Reference, owners: Collection[str]) -> Reference:
        robot = reference.robot
        joints = tuple(step(j) if j.name in owners else j for j in robot.joints)
        return replace(reference, robot=replace(robot, joints=joints))

    return Slip(cause, area, change)


# --- masses and inertias ------------------------------------------------------------------------


def _defaults(
    cause: str, made: Callable[[Link], Inertial | None], subject: Subject = Subject.MASSLESS
) -> Slip:
    """What an engine gives links on its own; None leaves a link as it is."""

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        def of(link: Link) -> Link:
            own = made(link) if link.name in owners else None
            return link if own is None else replace(link, inertial=own)

        robot = reference.robot
        return replace(reference, robot=replace(robot, links=tuple(map(of, robot.links))))

    return Slip(cause, "links", change, subject)


def _of_massless(mass: float, moment: float) -> Callable[[Link], Inertial | None]:
    """A mass and equal moments at the origin of a link without mass, or at the center that it states."""

    def made(link: Link) -> Inertial | None:
        inertial = link.inertial or Inertial(mass=0.0)
        if inertial.mass:
            return None
        return Inertial(mass=mass, com=inertial.com, inertia=matrix3(moment * np.eye(3)))

    return made


def _specks(link: Link) -> Inertial | None:
    """What SAPIEN makes of a link without mass or without inertia, at its origin."""
    inertial = link.inertial
    if inertial is not None and inertial.mass and np.any(inertial.inertia):
        return None
    return Inertial(mass=1e-6, inertia=matrix3(1e-6 * np.eye(3)))


_WATER = 1000.0


def _drop(mass: float) -> float:
    """The moment of inertia of a ball of water."""
    radius = float(np.cbrt(3.0 * mass / (4.0 * math.pi * _WATER)))
    return 0.4 * mass * radius * radius


def _ball_of_water(link: Link) -> Inertial | None:
    inertial = link.inertial
    if inertial is None or not inertial.mass > 0.0:
        return None
    return replace(inertial, inertia=matrix3(_drop(inertial.mass) * np.eye(3)))


def _of_shapes(link: Link) -> Inertial | None:
    """The mass of the collision shapes of a link without mass or inertia, if all of them are primitives."""
    inertial = link.inertial
    if inertial is not None and inertial.mass and np.any(inertial.inertia):
        return None
    solids = [solid for shape in link.collisions if (solid := shape_solid(shape)) is not None]
    if not solids or len(solids) < len(link.collisions):
        return None
    whole = united(solids)
    x, y, z = whole.center.tolist()
    mass = _WATER * whole.volume
    return Inertial(mass=mass, com=(x, y, z), inertia=matrix3(whole.inertia(mass)))


def _in_file(inertia: Floats, axes: Floats) -> Floats:
    """The inertia in the axes in which the file gives it."""
    return np.asarray(axes.T @ inertia @ axes)


def _scaled(mass: float, length: float, inertia: float) -> Callable[[Inertial], Inertial]:
    def step(inertial: Inertial) -> Inertial:
        x, y, z = inertial.com
        return replace(
            inertial,
            mass=mass * inertial.mass,
            com=(length * x, length * y, length * z),
            inertia=matrix3(inertia * np.array(inertial.inertia)),
        )

    return step


def _mirrored(inertial: Inertial, axis: int) -> Inertial:
    flip = np.diag([-1.0 if k == axis else 1.0 for k in range(3)])
    x, y, z = (flip @ np.array(inertial.com)).tolist()
    return replace(inertial, com=(x, y, z), inertia=matrix3(flip @ np.array(inertial.inertia) @ flip))


def _mirrored_links(axis: int) -> Slip:
    cause = f"mirrored along {'xyz'[axis]}: center of mass and products of inertia"
    return _links(cause, lambda inertial: _mirrored(inertial, axis))


def _dropped_fixed(reference: Reference, owners: Collection[str]) -> Reference:
    """The mass of links that are fixed to others is left out."""
    fixed = {joint.child for joint in reference.robot.joints if joint.kind == "fixed"}
    parents = {joint.child: joint.parent for joint in reference.robot.joints if joint.kind == "fixed"}

    def carried(name: str) -> bool:
        while name in parents:
            name = parents[name]
            if name in owners:
                return True
        return False

    links = tuple(
        replace(link, inertial=None)
        if link.name in fixed and (link.name in owners or carried(link.name))
        else link
        for link in reference.robot.links
    )
    return replace(reference, robot=replace(reference.robot, links=links))


def _turns_to_root(robot: Robot) -> dict[str, Pose]:
    """The rotation of each link in the root link, all joints at zero."""
    above = {joint.child: joint for joint in robot.joints}

    def turn(link: str) -> Pose:
        joint = above.get(link)
        return IDENTITY if joint is None else turn(joint.parent) @ Pose(quat=joint.origin.quat)

    return {link.name: turn(link.name) for link in robot.links}


def _turns_to_parent(robot: Robot) -> dict[str, Pose]:
    """The rotation of each link in its parent link, all joints at zero."""
    return {joint.child: Pose(quat=joint.origin.quat) for joint in robot.joints}


def _by_frame(
    cause: str, turns: Callable[[Robot], Mapping[str, Pose]], *, inverse: bool = False, com: bool = False
) -> Slip:
    """Inertias, or centers of mass too, turned by the rotations of links."""

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        robot = reference.robot
        by_link = turns(robot)

        def of(link: Link) -> Link:
            if link.inertial is None or link.name not in owners or link.name not in by_link:
                return link
            turn = by_link[link.name].inverse() if inverse else by_link[link.name]
            own = replace(link.inertial, inertia=rotated(link.inertial.inertia, turn))
            return replace(link, inertial=replace(own, com=rotate(turn.quat, own.com)) if com else own)

        return replace(reference, robot=replace(robot, links=tuple(map(of, robot.links))))

    return Slip(cause, "links", change)


_FRAMES = (("root", _turns_to_root), ("parent", _turns_to_parent))

#: What engines give a link without mass, None for others.
DEFAULTS: tuple[tuple[str, Callable[[Link], Inertial | None]], ...] = (
    ("a link without mass has 1 kg and 1 kg m² about each axis", _of_massless(1.0, 1.0)),
    ("a link without mass has 1e-6 kg and 1e-6 kg m² about each axis", _specks),
    ("a link without mass is a ball of 1 kg of water", _of_massless(1.0, _drop(1.0))),
    ("a link without mass has 1 kg, and moments of 0.001 kg m²", _of_massless(1.0, 1e-3)),
    ("a link without mass has 0.001 kg, and moments of 0.001 kg m²", _of_massless(1e-3, 1e-3)),
    ("a link without mass has 0.01 kg, and moments of 0.01 kg m²", _of_massless(0.01, 0.01)),
    ("a link without mass has 1e-6 kg and no inertia", _of_massless(1e-6, 0.0)),
    ("a link without mass has 1 kg and no inertia", _of_massless(1.0, 0.0)),
)

LINKS = (
    *(
        _by_frame(f"center of mass and inertia in the axes of the {name} link", turns, com=True)
        for name, turns in _FRAMES
    ),
    _links(
        "inertial frame ignored: neither center of mass nor axes",
        lambda i: replace(
            i,
            com=(0.0, 0.0, 0.0),
            inertia=matrix3(
                _in_file(np.array(i.inertia), np.array(quaternion_matrix(i.axes or (1.0, 0.0, 0.0, 0.0))))
            ),
        ),
    ),
    *(_mirrored_links(axis) for axis in range(3)),
    _links("mass and inertia 1000 times too large (g)", _scaled(1000.0, 1.0, 1000.0)),
    _links("mass and inertia divided by 1000 (g)", _scaled(0.001, 1.0, 0.001)),
    _links("mass and inertia doubled", _scaled(2.0, 1.0, 2.0)),
    _links("lengths 1000 times too large (mm): center of mass, inertia", _scaled(1.0, 1e3, 1e6)),
    _links("lengths divided by 1000 (mm): center of mass, inertia", _scaled(1.0, 1e-3, 1e-6)),
    _links("mass and inertia dropped", lambda i: None),
    _links(
        "inertia of links without mass dropped",
        lambda i: i if i.mass else replace(i, inertia=matrix3(np.zeros((3, 3)))),
    ),
    Slip("mass of links that are fixed to it dropped", "links", _dropped_fixed),
    *(
        Slip(cause, "links", merging(merge, by_step=by_step))
        for cause, merge in MERGES
        for by_step in (False, True)
    ),
    *(_defaults(cause, made) for cause, made in DEFAULTS),
    _defaults(
        "inertia of a ball of water, since no body has the one stated", _ball_of_water, Subject.OTHER
    ),
    _defaults("a link without mass or inertia has those of its collision shapes at 1000 kg/m³", _of_shapes),
)


# --- motion of joints ----------------------------------------------------------------------------


def _as_kind(kind: JointKind) -> Callable[[Joint], Joint]:
    return lambda joint: replace(joint, kind=kind) if KINDS[joint.kind].nq == 1 else joint


def _framed(cause: str, frame_of: Callable[[Link], Pose | None]) -> Slip:
    """The frame of each body at a pose in its link."""

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        children = {joint.child for joint in reference.robot.joints if joint.name in owners}
        frames = dict(reference.bodies)
        for link in reference.robot.links:
            frame = frame_of(link) if link.name in children else None
            if frame is not None:
                body, offset = frames[link.name]
                frames[link.name] = (body, offset @ frame.inverse())
        return replace(reference, frames=frames)

    return Slip(cause, "joints", change)


def _center(link: Link) -> Pose | None:
    return None if link.inertial is None else Pose(link.inertial.com)


def _without_anchor(reference: Reference, owners: Collection[str]) -> Reference:
    """Joints at the origins of the bodies that they move: the frames of their links are there, too."""
    children = {joint.child for joint in reference.robot.joints if joint.name in owners}
    moved = {name: reference.anchors[name] for name in children}
    frames = {**reference.bodies, **{name: (reference.bodies[name][0], IDENTITY) for name in children}}

    def link_of(link: Link) -> Link:
        offset = moved.get(link.name)
        if offset is None or link.inertial is None:
            return link
        inertia = rotated(link.inertial.inertia, offset)
        return replace(
            link, inertial=replace(link.inertial, com=offset.apply(link.inertial.com), inertia=inertia)
        )

    def joint_of(joint: Joint) -> Joint:
        origin = (
            moved.get(joint.parent, IDENTITY) @ joint.origin @ moved.get(joint.child, IDENTITY).inverse()
        )
        return replace(joint, origin=origin) if {joint.parent, joint.child} & {*moved} else joint

    robot = reference.robot
    links, joints = tuple(map(link_of, robot.links)), tuple(map(joint_of, robot.joints))
    return replace(reference, robot=replace(robot, links=links, joints=joints), frames=frames)


def _ordered(cause: str, order: Callable[[list[Joint]], list[Joint]]) -> Slip:
    """The positions of joints are read in another order."""

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        joints = [joint for joint in reference.robot.joints if KINDS[joint.kind].nq == 1]
        given = order(joints)
        pairs = zip(given, joints, strict=True)
        return replace(reference, readings={a.name: Misreading(b.name) for a, b in pairs})

    return Slip(cause, "joints", change, Subject.ORDER)


#: Slips that put frames of links elsewhere.
FRAMES = (
    _framed("frames of links at their centers of mass", _center),
    _framed("frames of links at their inertial frames", inertial_frame),
    _framed("frames of links at their first shapes", first_shape),
    Slip("anchor of the joint ignored: it is at the origin of its body", "joints", _without_anchor),
)
WELDED = _joints("joint welded", _as_kind("fixed"))
#: Slips that change which numbers move which joint, or how.
JOINTS = (
    _joints("prismatic joint read as revolute", _as_kind("revolute")),
    _joints("revolute joint read as prismatic", _as_kind("prismatic")),
    _ordered("joint order: alphabetical", lambda joints: sorted(joints, key=lambda j: j.name)),
    _ordered("joint order: level by level", breadth_first),
    _ordered("joint order: branch by branch", depth_first),
    _ordered("joint order: reversed", lambda joints: joints[::-1]),
    _ordered(
        "joint order: prismatic joints last",
        lambda joints: sorted(joints, key=lambda j: j.kind == "prismatic"),
    ),
    _ordered(
        "joint order: prismatic joints first",
        lambda joints: sorted(joints, key=lambda j: j.kind != "prismatic"),
    ),
    _ordered(
        "joint order: alphabetical by the links that they move",
        lambda joints: sorted(joints, key=lambda j: j.child),
    ),
)


# --- dynamics of joints --------------------------------------------------------------------------


def _gravity(cause: str, gravity: tuple[float, float, float]) -> Slip:
    return Slip(
        cause, "dynamics", lambda reference, owners: replace(reference, gravity=gravity), Subject.GRAVITY
    )


def _falling(reference: Reference, owners: Collection[str]) -> Reference:
    robot = reference.robot
    links = tuple(replace(link, gravity_compensation=0.0) for link in robot.links)
    return replace(reference, robot=replace(robot, links=links))


_G = 9.80665
DYNAMICS = (
    Slip("gravity compensation missing", "dynamics", _falling, Subject.GRAVITY),
    _gravity("gravity missing", (0.0, 0.0, 0.0)),
    _gravity("sign of gravity", (0.0, 0.0, _G)),
    _gravity("gravity 9.81 instead of 9.80665 m/s²", (0.0, 0.0, -9.81)),
    _gravity("gravity along -Y", (0.0, -_G, 0.0)),
)
