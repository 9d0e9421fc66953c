"""Checks the size of the robot, and the sizes of links against those of their neighbors."""

from __future__ import annotations

import math

import numpy as np

from unibody.checks.meshes import median_without
from unibody.checks.shapes import LinkShapes
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile
from unibody.model.traverse import path_of
from unibody.text.finding import Findings
from unibody.text.hint import Hint, Setting

# Published robots with moving joints are 0.02 m to 60 m across.
_LARGE, _SMALL = 100.0, 0.005
# Links of published robots are at most 233 times as large as all their neighbors; markers and sensor frames
# without mass are as small as 1/665 of them.
_TIMES_NEIGHBORS = 300.0
# Of two neighbors, the one is blamed that differs from most links this many times.
_TIMES_USUAL = 30.0
_MARKER_MASS = 0.01


def check_sizes(robot: Robot, shapes: list[LinkShapes], odd: set[str], findings: Findings) -> None:
    """Warn of a robot, and of each link, whose size is beyond reason.

    ``odd`` are the links with a mesh in the wrong unit, which is reported already.
    """
    sizes = {one.link.name: _diagonal(one) for one in shapes if one.bounds is not None}
    if not odd:
        _whole(robot, shapes, sizes, findings)
    near: dict[str, set[str]] = {}
    for joint in robot.joints:
        near.setdefault(joint.parent, set()).add(joint.child)
        near.setdefault(joint.child, set()).add(joint.parent)
    everything = sorted(sizes.values())
    blamed = set(odd)
    for is_large in (True, False):
        for one in shapes:
            name = one.link.name
            size = sizes.get(name, 0.0)
            others = [sizes[x] for x in near.get(name, ()) if x not in blamed and sizes.get(x, 0.0) > 0.0]
            if not others or name in blamed or size <= 0.0:
                continue
            usual = median_without(everything, [size])
            other = max(others) if is_large else min(others)
            if is_large and size > _TIMES_NEIGHBORS * other and size > _TIMES_USUAL * usual:
                blamed.add(name)
                _link(one, size, size / other, 0.001, findings)
            small = size < min(other / _TIMES_NEIGHBORS, usual / _TIMES_USUAL)
            if not is_large and small and _mass(one) > _MARKER_MASS:
                _link(one, size, other / size, 1000.0, findings)


def _mass(one: LinkShapes) -> float:
    return one.link.inertial.mass if one.link.inertial is not None else 0.0


def _diagonal(one: LinkShapes) -> float:
    assert one.bounds is not None
    low, high = one.bounds
    return math.hypot(*(high - low).tolist())


def _whole(robot: Robot, shapes: list[LinkShapes], sizes: dict[str, float], findings: Findings) -> None:
    """Report a robot that is too large or too small: the longest chain of offsets, or the largest link."""
    reach = _reach(robot)
    largest = max(sizes.values(), default=0.0)
    size = max(reach, largest)
    moves = any(joint.kind != "fixed" for joint in robot.joints)
    # Single links are scenes, too: floors and clouds of fog.
    if not (0.0 < size < _SMALL or (size > _LARGE and moves)):
        return
    factor = 0.001 if size > _LARGE else 1000.0
    hint = "lengths are in meters: multiply them by 1000 if a scale of 0.001 was applied twice"
    if factor < 1.0:
        hint = "lengths are in meters: divide them by 1000 if they are in millimeters"
    if any(isinstance(d.shape.geometry, MeshFile) for one in shapes for d in one.drawn):
        hint = Hint(hint, "; for the mesh files use ", Setting("scale", value=factor))
    at = next((link.at for link in robot.links if link.at is not None), None)
    part = "its joint offsets together" if reach >= largest else "its largest link"
    farthest = max(robot.joints, key=lambda joint: math.hypot(*joint.origin.xyz), default=None)
    if farthest is not None and math.hypot(*farthest.origin.xyz) > 0.5 * size:
        at = farthest.at or at
        part = f"the offset of joint '{farthest.name}'"
    findings.warning(
        "robot-size", f"the robot is {_length(size)} across ({part})", at, hint, subject="links"
    )


def _reach(robot: Robot) -> float:
    """The length of the longest chain of joint offsets from the root."""
    length = {robot.links[0].name: 0.0} if robot.links else {}
    offsets = {joint.child: (joint.parent, math.hypot(*joint.origin.xyz)) for joint in robot.joints}
    for link in robot.links:
        way: list[str] = []
        name = link.name
        while name in offsets and name not in length and len(way) <= len(offsets):
            way.append(name)
            name = offsets[name][0]
        total = length.setdefault(name, 0.0)
        for inner in reversed(way):
            total += offsets[inner][1]
            length[inner] = total
    return max(length.values(), default=0.0)


def _link(one: LinkShapes, size: float, times: float, factor: float, findings: Findings) -> None:
    """Report a link that is far larger or smaller than all links that are joined to it."""
    word = "larger" if factor < 1.0 else "smaller"
    drawn = max(one.drawn, key=lambda d: d.diagonal)
    mesh = drawn.shape.geometry
    hint: str = "write its sizes in meters"
    if isinstance(mesh, MeshFile):
        name = mesh.uri.replace("\\", "/").rpartition("/")[2]
        hint = Hint("scale its mesh, in the model or with ", Setting("scale", name, factor))
    elif drawn.shape.linear is not None and not np.allclose(drawn.shape.linear, np.eye(3)):
        hint = "write its sizes in meters; its shapes are scaled"
    findings.warning(
        "link-size",
        f"link '{one.link.name}' is {_length(size)} across, {times:.3g} times {word} than the links joined "
        "to it",
        drawn.shape.at or one.link.at,
        hint,
        subject=path_of("links", one.link.name),
    )


def _length(size: float) -> str:
    return f"{size:.3g} m" if size >= 0.1 else f"{1000.0 * size:.3g} mm"
