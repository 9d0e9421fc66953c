"""Robot → toy document."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from tests.formats.toy.document import Hinge, Link, Toy

from unibody.document.declare import Document
from unibody.formats.format import Cannot, Writer
from unibody.model import robot as m
from unibody.model.changes.joints import split_joints
from unibody.model.pose import Pose
from unibody.model.shape import Box, Shape
from unibody.text.node import Node, Word

_TOO_LITTLE = "a toy has hinges between boxes with a mass, and nothing else"
CANNOT = tuple(
    Cannot(f"{what} beyond a toy", path, _TOO_LITTLE)
    for what, path in {
        "links": "links/**",
        "joints": "joints/**",
        "loops": "loops/**",
        "coordinates": "coordinates/**",
        "couplings": "couplings/**",
        "devices": "devices/**",
        "frames": "frames/**",
        "bases": "base",
        "poses": "pose/*",
    }.items()
)


def _changes(robot: m.Robot) -> m.Robot:
    return split_joints(robot, ("fixed", "revolute", "prismatic", "free", "planar"))


def _from_robot(robot: m.Robot) -> Document:
    return Toy(name=robot.name, links=[_link(x) for x in robot.links], hinges=[*map(_hinge, robot.joints)])


def _holds(shape: Shape) -> bool:
    return isinstance(shape.geometry, Box) and shape.linear is None and shape.pose == Pose()


def _link(link: m.Link) -> Link:
    boxes = [s.geometry for s in link.visuals if isinstance(s.geometry, Box) and _holds(s)]
    out = Link(name=link.name, mass=None if link.inertial is None else link.inertial.mass)
    if boxes:
        out.size = boxes[0].size
    return out


def _hinge(joint: m.Joint) -> Hinge:
    low, high = joint.limits.position
    return Hinge(
        name=joint.name,
        parent=joint.parent,
        child=joint.child,
        xyz=joint.origin.xyz,
        axis=joint.axis,
        low=low if math.isfinite(low) else None,
        high=high if math.isfinite(high) else None,
    )


def _carry(document: Document, lines: list[str]) -> None:
    text = "\n" + "\n".join(lines) + "\n"
    document.rest.append(("unibody", Node("unibody", [("", Word(text), -1)]), -1))


def _without_masses(robot: m.Robot) -> Document:
    return _from_robot(replace(robot, links=tuple(replace(x, inertial=None) for x in robot.links)))


def _configured(options: Mapping[str, str]) -> Writer:
    return replace(WRITER, from_robot=_without_masses) if options["masses"] == "none" else WRITER


WRITER = Writer(
    changes=_changes,
    from_robot=_from_robot,
    carry=_carry,
    cannot=CANNOT,
    holds=_holds,
    meshes=(),
    tag="toy",
    configured=_configured,
)
