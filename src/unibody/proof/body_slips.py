"""Slips of importers in the joints of one body: MJCF may have several of them, each with an anchor.

The mechanism has a link without mass before each joint but the first one, which no body of the file is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from unibody.model.inertia import Inertial
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, ZERO, Pose, Vector3, from_axis_angle, rotate
from unibody.model.robot import Joint
from unibody.model.shape import Shape
from unibody.proof.reference import Misreading, Reference
from unibody.proof.shape_slips import shapes_of
from unibody.proof.slips import Slip

_SINGLE = ("revolute", "prismatic")


def _chains(reference: Reference, owners: Collection[str]) -> Iterator[list[Joint]]:
    """The joints of each body whose last joint is one of these, the first one at first."""
    for last in reference.robot.joints:
        if last.name not in owners or last.kind in ("fixed", "free"):
            continue
        yield _chain(reference, last)


def _chain(reference: Reference, last: Joint) -> list[Joint]:
    """The joints of the body whose last joint this is, the first one at first."""
    above = reference.above
    chain = [last]
    while chain[0].parent in above and not reference.bodies[chain[0].parent][0]:
        chain.insert(0, above[chain[0].parent])
    return chain


def _in_body(reference: Reference, chain: Sequence[Joint]) -> list[Pose]:
    """The frame of the child of each joint in the body, all joints at zero."""
    frames = [reference.bodies[chain[-1].child][1]]
    for joint in reversed(chain[1:]):
        frames.insert(0, frames[0] @ joint.origin.inverse())
    return frames


def _without_anchors(cause: str, which: slice) -> Slip:
    """These joints of a body move about its origin."""

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        moved: dict[str, Vector3] = {}
        for chain in _chains(reference, owners):
            frames = _in_body(reference, chain)
            for joint, frame in zip(chain[which], frames[which], strict=True):
                moved[joint.child] = frame.inverse().apply(ZERO)
        return moved_frames(reference, moved)

    return Slip(cause, "joints", change)


def _at_first_shape(cause: str, pose_of: Callable[[Shape], Pose]) -> Slip:
    """Bodies have the pose of their first shape instead of their own."""

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        robot = reference.robot
        links = {link.name: link for link in robot.links}
        origins: dict[str, Pose] = {}
        for last in robot.joints:
            shapes = shapes_of(links[last.child])
            if last.name not in owners or not shapes:
                continue
            chain = [last] if last.kind in ("fixed", "free") else _chain(reference, last)
            parent, own = (reference.bodies[name][1] for name in (chain[0].parent, last.child))
            body = parent
            for joint in chain:
                body = body @ joint.origin
            moved = own @ pose_of(shapes[0]) @ (body @ own.inverse()).inverse()
            origins[chain[0].name] = parent.inverse() @ moved @ parent @ chain[0].origin
        joints = tuple(replace(j, origin=origins.get(j.name, j.origin)) for j in robot.joints)
        shapes, pose = shapes_of(links[robot.root]), robot.pose
        if "" in owners and shapes and reference.base == "fixed":
            own = reference.bodies[robot.root][1]
            pose = own @ pose_of(shapes[0]) @ own
        return replace(reference, robot=replace(robot, joints=joints, pose=pose))

    return Slip(cause, "joints", change)


def _from_to(shape: Shape) -> Pose:
    """The pose of a shape between two points by the shortest turn of Z to the second one."""
    x, y, z = (-value for value in rotate(shape.pose.quat, (0.0, 0.0, 1.0)))
    turn = from_axis_angle((-y, x, 0.0), math.atan2(math.hypot(x, y), z)) if math.hypot(x, y) else None
    return Pose(shape.pose.xyz, turn or UNIT_QUATERNION)


def _without_refs(cause: str, which: slice, kinds: Collection[str]) -> Slip:
    """These joints of a body are at zero where the file says that they are at their ref."""

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        readings = dict(reference.readings)
        for chain in _chains(reference, owners):
            for joint in chain[which]:
                zero = reference.zeros.get(joint.name, 0.0)
                if zero and joint.kind in kinds:
                    readings[joint.name] = Misreading(joint.name, offset=zero)
        return replace(reference, readings=readings)

    return Slip(cause, "joints", change)


def _displaced_free(reference: Reference, owners: Collection[str]) -> Reference:
    """A free body that the file turns by R at p is displaced by p - R p."""

    def shift(pose: Pose) -> Vector3:
        (a, b, c), (x, y, z) = pose.xyz, rotate(pose.quat, pose.xyz)
        return a - x, b - y, c - z

    robot, readings = reference.robot, dict(reference.readings)
    joints = tuple(
        replace(j, origin=Pose(shift(j.origin)) @ j.origin) if j.kind == "free" and j.name in owners else j
        for j in robot.joints
    )
    if reference.base == "free" and "" in owners:
        readings[""] = Misreading("", offset=(*shift(robot.pose), 0.0, 0.0, 0.0, 0.0))
    return replace(reference, robot=replace(robot, joints=joints), readings=readings)


def _free_at_origin(reference: Reference, owners: Collection[str]) -> Reference:
    """The place of a free body in the file is ignored."""
    joints = tuple(
        replace(j, origin=IDENTITY) if j.kind == "free" and j.name in owners else j
        for j in reference.robot.joints
    )
    return replace(reference, robot=replace(reference.robot, joints=joints))


def moved_frames(reference: Reference, moved: Mapping[str, Vector3]) -> Reference:
    """The frames of links moved in their own axes, and with them the axes of the joints above them.

    What the links have stays where it is in their bodies.
    """
    shifts = {link: Pose(place) for link, place in moved.items()}

    def shift(link: str) -> Pose:
        return shifts.get(link, IDENTITY)

    def inertial(link: str, own: Inertial | None) -> Inertial | None:
        return own if own is None else replace(own, com=shift(link).inverse().apply(own.com))

    def shapes(link: str, own: Sequence[Shape]) -> tuple[Shape, ...]:
        return tuple(replace(shape, pose=shift(link).inverse() @ shape.pose) for shape in own)

    robot = reference.robot
    joints = tuple(
        replace(j, origin=shift(j.parent).inverse() @ j.origin @ shift(j.child)) for j in robot.joints
    )
    links = tuple(
        replace(
            link,
            inertial=inertial(link.name, link.inertial),
            visuals=shapes(link.name, link.visuals),
            collisions=shapes(link.name, link.collisions),
        )
        if link.name in shifts
        else link
        for link in robot.links
    )
    frames = {
        link: (body, pose @ shift(link) if body else pose)
        for link, (body, pose) in reference.bodies.items()
    }
    return replace(reference, robot=replace(robot, joints=joints, links=links), frames=frames)


def _pose_before_last(reference: Reference, owners: Collection[str]) -> Reference:
    """The pose of a body comes before the last of its joints, not before the first one."""
    origins: dict[str, Pose] = {}
    for chain in _chains(reference, owners):
        if len(chain) < 2:
            continue
        parent = reference.bodies[chain[0].parent][1]
        before = parent
        for joint in chain[:-1]:
            before = before @ joint.origin
        body = before @ chain[-1].origin @ reference.bodies[chain[-1].child][1].inverse()
        inside = body.inverse() @ before
        origins[chain[0].name] = parent.inverse() @ body.inverse() @ parent @ chain[0].origin
        origins[chain[-1].name] = inside.inverse() @ body @ inside @ chain[-1].origin
    robot = reference.robot
    joints = tuple(replace(j, origin=origins.get(j.name, j.origin)) for j in robot.joints)
    return replace(reference, robot=replace(robot, joints=joints))


def _reversed(reference: Reference, owners: Collection[str]) -> Reference:
    """The joints of a body move it in the reverse order."""
    moved: dict[str, tuple[str, str, Pose]] = {}
    shifts: dict[str, Vector3] = {}
    for chain in _chains(reference, owners):
        if len(chain) < 2:
            continue
        frames, links = _in_body(reference, chain), [chain[0].parent, *(x.child for x in chain)]
        before = frames[0] @ chain[0].origin.inverse()
        for k, joint in enumerate(reversed(chain)):
            # the link of the body keeps its frame until the end
            frame = frames[-1] if joint is chain[0] else frames[-1 - k]
            moved[joint.name] = links[k], links[k + 1], before.inverse() @ frame
            before = frame
        shifts[links[-1]] = (frames[-1].inverse() @ frames[0]).xyz
    joints = []
    for joint in reference.robot.joints:
        parent, child, origin = moved.get(joint.name, (joint.parent, joint.child, joint.origin))
        joints.append(replace(joint, parent=parent, child=child, origin=origin))
    robot = replace(reference.robot, joints=tuple(joints))
    return moved_frames(replace(reference, robot=robot), shifts)


BODIES = (
    _without_anchors("pos of the joints ignored: they move about the origin of the body", slice(None)),
    _without_anchors("pos of the last joint of a body ignored", slice(-1, None)),
    _without_anchors("pos of the joints but the last one of a body ignored", slice(None, -1)),
    _without_refs("ref of the joint ignored", slice(None), _SINGLE),
    _without_refs("ref of the last joint of a body ignored", slice(-1, None), _SINGLE),
    _without_refs("ref of the first of several joints of a body ignored", slice(None, 1), _SINGLE),
    _without_refs("ref of the hinges of a body ignored", slice(None), ("revolute",)),
    _without_refs("ref of the slides of a body ignored", slice(None), ("prismatic",)),
    Slip(
        "origin of a free joint ignored: its link is at the origin of the world", "joints", _free_at_origin
    ),
    Slip("free body that is turned in the file displaced by p - R p", "joints", _displaced_free),
    _at_first_shape("body without pos has the pose of its first shape", lambda shape: shape.pose),
    _at_first_shape("body without pos has the pose of its first shape (fromto)", _from_to),
    Slip("pose of the body before the last of its joints, not the first", "joints", _pose_before_last),
    Slip("joints of a body in the reverse order", "joints", _reversed),
)
