"""Link frames turned so that joints turn about, or slide along, one of their own axes."""

from __future__ import annotations

from dataclasses import replace

from unibody.model.inertia import Inertial, rotated
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, ZERO, Pose, Quaternion, Vector3, cross, rotate
from unibody.model.robot import AXISLESS, Joint, Link, Robot
from unibody.model.shape import Shape

Z: Vector3 = (0.0, 0.0, 1.0)


def align_axes(robot: Robot, axis: Vector3 = Z) -> Robot:
    """The same robot in link frames where every joint's axis is ``axis`` (a unit vector).

    Where links are changes by the turn of their frames; masses, shapes and devices stay in place.

    >>> lift = Joint(name="lift", kind="prismatic", parent="base", child="car", axis=(1.0, 0.0, 0.0))
    >>> robot = Robot(name="r", links=(Link(name="base"), Link(name="car")), joints=(lift,))
    >>> align_axes(robot).joints[0].axis
    (0.0, 0.0, 1.0)
    """
    turns = {
        j.child: Pose(quat=_turn(axis, j.axis))
        for j in robot.joints
        if j.kind not in AXISLESS and j.axis != axis
    }
    if not turns:
        return robot
    back = {name: turn.inverse() for name, turn in turns.items()}

    def moved(link: str, pose: Pose) -> Pose:
        return back[link] @ pose if link in back else pose

    def joint(j: Joint) -> Joint:
        origin = moved(j.parent, j.origin) @ turns.get(j.child, IDENTITY)
        return replace(j, origin=origin, axis=axis if j.child in turns else j.axis)

    return replace(
        robot,
        links=tuple(_link(x, back[x.name]) if x.name in back else x for x in robot.links),
        joints=tuple(joint(j) for j in robot.joints),
        loops=tuple(
            replace(
                x,
                pose_a=moved(x.link_a, x.pose_a),
                pose_b=moved(x.link_b, x.pose_b),
                axis=rotate(back[x.link_a].quat, x.axis) if x.link_a in back else x.axis,
            )
            for x in robot.loops
        ),
        devices=tuple(replace(x, pose=moved(x.link, x.pose)) for x in robot.devices),
        frames=tuple(replace(x, pose=moved(x.link, x.pose)) for x in robot.frames),
    )


def _link(link: Link, back: Pose) -> Link:
    def shapes(values: tuple[Shape, ...]) -> tuple[Shape, ...]:
        return tuple(replace(x, pose=back @ x.pose) for x in values)

    return replace(
        link,
        inertial=None if link.inertial is None else _inertial(link.inertial, back),
        visuals=shapes(link.visuals),
        collisions=shapes(link.collisions),
        collisions_alt=shapes(link.collisions_alt),
    )


def _inertial(given: Inertial, back: Pose) -> Inertial:
    return replace(given, com=rotate(back.quat, given.com), inertia=rotated(given.inertia, back))


def _turn(start: Vector3, end: Vector3) -> Quaternion:
    """The shortest turn that takes one unit vector to another."""
    dot = sum(p * q for p, q in zip(start, end, strict=True))
    if dot < -1.0 + 1e-12:
        side: Vector3 = (0.0, 1.0, 0.0) if abs(start[0]) > 0.9 else (1.0, 0.0, 0.0)
        x, y, z = cross(start, side)
        length = (x * x + y * y + z * z) ** 0.5
        return (0.0, x / length, y / length, z / length)
    x, y, z = cross(start, end)
    if (x, y, z) == ZERO:
        return UNIT_QUATERNION
    w = 1.0 + dot
    length = (w * w + x * x + y * y + z * z) ** 0.5
    return (w / length, x / length, y / length, z / length)
