"""A robot as the page needs it: the tree and its joints, meshes, findings, in one block of bytes.

The page computes with it as ``Mechanism.forward`` does; viewer/src/model.ts has the same fields.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from unibody.mechanism import Mechanism, assemble
from unibody.mesh import MeshCache
from unibody.model.pose import Pose, unit
from unibody.model.robot import JOINT_SIZE, Joint, Link, Robot
from unibody.model.shape import Shape
from unibody.text.finding import Finding, Findings
from unibody.view.said import findings_data
from unibody.view.shapes import Data, Drawing, finite, finite3, placement

VERSION = 1
# The page has a slider where one number moves a joint; these stay where they are.
_HELD = ("screw", "universal", "ball", "planar", "free")
# Of these the model does not say enough to compute with.
_NOT_COMPUTED = ("screw", "universal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a robot was read from: the file's path as given, and the title of its format."""

    file: str = ""
    format: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """The bytes that the page reads, and every finding it shows."""

    bytes: bytes
    findings: list[Finding]


def page_data(
    robot: Robot,
    findings: Sequence[Finding] = (),
    cache: MeshCache | None = None,
    origin: Origin | None = None,
) -> PageData:
    """All that the page shows of a robot; the same input gives the same bytes.

    ``findings`` are those of reading it; those of its meshes, and what the page cannot show, come
    behind them. AssembleError when its links do not make one tree.

    >>> from unibody.model.robot import Link
    >>> page_data(Robot(name="stone", links=(Link(name="stone"),))).bytes[:4]
    b'ubvw'
    """
    origin = origin or Origin()
    said = Findings()
    mechanism = assemble(_computable(robot))
    drawing = Drawing(cache or MeshCache(findings=said))
    shapes: dict[str, list[Data]] = {"visual": [], "collision": []}
    missing: dict[str, list[Data]] = {"visual": [], "collision": []}
    lacking: list[tuple[Link, Shape]] = []
    for place, link in enumerate(robot.links):
        for word, group in (("visual", link.visuals), ("collision", link.collisions)):
            drawn, lost = drawing.add(place, group)
            shapes[word] += drawn
            missing[word] += [_missing(place, shape) for shape in lost]
            lacking += [(link, shape) for shape in lost]
    known = [*findings, *(f for f in drawing.cache.findings if f not in findings)]
    known += _held(robot)
    known += _stand_ins(lacking, known)
    known += _left_out(drawing)
    header = {
        "version": VERSION,
        "name": robot.name,
        "file": os.path.basename(origin.file),
        "format": origin.format,
        **_tree(robot, mechanism),
        "materials": drawing.materials,
        "meshes": drawing.meshes,
        "shapes": shapes,
        "missing": missing,
        "findings": findings_data(known, robot, origin.file),
    }
    return PageData(bytes=drawing.pack.finish(header), findings=known)


def _computable(robot: Robot) -> Robot:
    """The robot with joints that cannot be computed held at zero."""
    if not any(joint.kind in _NOT_COMPUTED for joint in robot.joints):
        return robot
    joints = [replace(j, kind="fixed") if j.kind in _NOT_COMPUTED else j for j in robot.joints]
    return replace(robot, joints=tuple(joints))


def _tree(robot: Robot, mechanism: Mechanism) -> Data:
    places = {name: place for place, name in enumerate(mechanism.link_names)}
    return {
        "root": _pose(robot.pose),
        "links": [
            {"name": link.name, "parent": parent, "joint": joint, **_mass(link)}
            for link, parent, joint in zip(
                robot.links, mechanism.parents.tolist(), mechanism.link_joints.tolist(), strict=True
            )
        ],
        "order": mechanism.order.tolist(),
        "joints": [_joint(joint, places[joint.child]) for joint in robot.joints],
        "followers": _followers(mechanism),
    }


def _followers(mechanism: Mechanism) -> list[Data]:
    """Couplings between joints in place of entries of q."""
    joints = {
        int(entry): joint
        for joint, entry in enumerate(mechanism.offsets)
        if JOINT_SIZE[mechanism.robot.joints[joint].kind] == 1
    }
    return [
        {
            "joint": joints[follower.entry],
            "leader": None if follower.leader is None else joints[follower.leader],
            "ratio": finite(follower.ratio),
            "offset": finite(follower.offset),
        }
        for follower in mechanism.followers
    ]


def _joint(joint: Joint, child: int) -> Data:
    low, high = joint.limits.position
    return {
        "name": joint.name,
        "kind": joint.kind,
        "child": child,
        "origin": _pose(joint.origin),
        "axis": finite3(unit(joint.axis) or (0.0, 0.0, 1.0)),
        "lower": low if math.isfinite(low) else None,
        "upper": high if math.isfinite(high) else None,
        "initial": finite(joint.initial),
    }


def _mass(link: Link) -> Data:
    if link.inertial is None:
        return {"mass": 0.0, "com": [0.0, 0.0, 0.0]}
    return {"mass": finite(link.inertial.mass), "com": finite3(link.inertial.com)}


def _pose(pose: Pose) -> list[float]:
    return [finite(v) for v in (*pose.xyz, *pose.quat)]


def _missing(link: int, shape: Shape) -> Data:
    return {"link": link, "place": placement(shape)}


def _held(robot: Robot) -> list[Finding]:
    return [
        Finding(
            "joint-held",
            "info",
            f"joint '{joint.name}' is a {joint.kind} joint: the page leaves it at zero",
            joint.at,
        )
        for joint in robot.joints
        if joint.kind in _HELD
    ]


def _stand_ins(lacking: Sequence[tuple[Link, Shape]], known: Sequence[Finding]) -> list[Finding]:
    """A finding for every mesh that a box stands for, unless one says already what is wrong with it."""
    out: dict[tuple[str, str], Finding] = {}
    for link, shape in lacking:
        uri = getattr(shape.geometry, "uri", "")
        if not any(_speaks_of(finding, uri) for finding in known):
            message = f"link '{link.name}': a box stands for the mesh {uri!r}, which gives nothing to draw"
            out.setdefault((link.name, uri), Finding("mesh-not-drawn", "warning", message, shape.at))
    return list(out.values())


def _speaks_of(finding: Finding, uri: str) -> bool:
    name = os.path.basename(uri.replace("\\", "/"))
    return bool(name) and name in finding.message and finding.severity != "info"


def _left_out(drawing: Drawing) -> list[Finding]:
    if not drawing.textures:
        return []
    message = f"the page shows surfaces without their textures ({drawing.textures} have one)"
    return [Finding("texture-not-drawn", "info", message)]
