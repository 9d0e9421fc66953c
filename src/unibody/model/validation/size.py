"""Checks for overflow: numbers that are finite in a file can become infinite when combined."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

from unibody.model.device import RangeSensor
from unibody.model.pose import Pose
from unibody.model.robot import Link, Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Findings
from unibody.text.source import Span

_Numbers = tuple[float, ...]


def sizes(robot: Robot, findings: Findings) -> None:
    """Report each item with a number that is infinite or NaN, except limits."""
    for path, what, at, numbers in magnitudes(robot):
        # a sum of numbers is finite only if all of them are
        if not math.isfinite(sum(numbers)) and not all(map(math.isfinite, numbers)):
            findings.error(
                "number-overflow",
                f"{headed(path, what)} overflows",
                at,
                "check the units: lengths are in meters, masses in kilograms",
                subject=subject(path),
            )


def subject(path: tuple[str, ...]) -> str:
    """What a finding about the item at a path is about.

    >>> subject(("links", "a/b")), subject(("pose",))
    ('links/a~1b', 'pose')
    """
    return path_of(*path) if len(path) > 1 else path[0]


def headed(path: tuple[str, ...], what: str) -> str:
    """The item at a path with what is said of it.

    >>> headed(("links", "arm"), "pose of a shape"), headed(("pose",), "pose of the robot")
    ("link 'arm': pose of a shape", 'pose of the robot')
    """
    return what if len(path) < 2 else f"{path[0][:-1]} '{path[1]}': {what}"


def magnitudes(robot: Robot) -> Iterator[tuple[tuple[str, ...], str, Span | None, _Numbers]]:
    """The path, a description, the place and the numbers of each item that must be finite."""
    yield ("pose",), "pose of the robot", None, _pose(robot.pose)
    for link in robot.solids:
        yield from _link(link)
    for joint in robot.joints:
        yield ("joints", joint.name), "pose or axis", joint.at, (*_pose(joint.origin), *joint.axis)
    for loop in robot.loops:
        numbers = (*_pose(loop.pose_a), *_pose(loop.pose_b), *loop.axis)
        yield ("loops", loop.name), "pose or axis", loop.at, numbers
    for device in robot.devices:
        numbers = _pose(device.pose)
        if isinstance(device.spec, RangeSensor):
            numbers = (*numbers, device.spec.yaw_step, device.spec.pitch_step)
        yield ("devices", device.name), "pose or step", device.at, numbers


def _link(link: Link) -> Iterator[tuple[tuple[str, ...], str, Span | None, _Numbers]]:
    mass = link.inertial
    if mass is not None:
        numbers = (mass.mass, *mass.com, *chain.from_iterable(mass.inertia))
        path = ("links", link.name, "inertial")
        yield path, "mass, center of mass or inertia", mass.at or link.at, numbers
    for shape in chain(link.visuals, link.collisions, link.collisions_alt):
        numbers = _pose(shape.pose)
        if shape.linear is not None:
            numbers = (*numbers, *chain.from_iterable(shape.linear))
        yield ("links", link.name), "pose of a shape", shape.at or link.at, numbers


def _pose(pose: Pose) -> tuple[float, ...]:
    return (*pose.xyz, *pose.quat)
