"""Reads the inertials of links; those that are to be computed, from their collisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unibody.formats.sdf import document_parts as d
from unibody.formats.sdf import document_shapes as shapes
from unibody.formats.sdf.poses import PoseReader
from unibody.formats.solid_bodies import body_of
from unibody.model import shape as s
from unibody.model.inertia import Inertial, compose, rotated
from unibody.model.pose import IDENTITY, UNIT_MATRIX, Matrix3, Pose
from unibody.model.traverse import path_of
from unibody.text.finding import Findings

_DENSITY = 1000.0


def inertial(
    doc: d.Link,
    name: str,
    collisions: Sequence[tuple[shapes.Collision, s.Shape]],
    poses: PoseReader,
    findings: Findings,
) -> Inertial:
    """The inertial of a link; what the file leaves out is assumed as in Gazebo: 1 kg, unit inertia."""
    given = doc.inertial
    subject = path_of("links", name, "inertial")
    if given is None:
        findings.info(
            "inertial-assumed",
            f"link '{name}' has no <inertial>; assuming mass 1 and unit inertia, as in Gazebo",
            doc.at(),
            "add <inertial>",
            subject=subject,
        )
        return Inertial(mass=1.0, at=doc.at())
    if given.pose is not None and given.pose.relative_to:
        findings.warning(
            "inertial-frame",
            f"link '{name}': the pose of an inertial is always in the link; relative_to is ignored",
            given.pose.at("relative_to"),
            "remove relative_to",
        )
    if given.auto:
        return _computed(given, name, collisions, findings)
    frame = poses.read(given.pose, f"link '{name}': inertial")
    if given.inertia is None:
        findings.info(
            "inertial-assumed",
            f"link '{name}' has no <inertia>; assuming unit inertia, as in Gazebo",
            given.at(),
            "add <inertia>",
            subject=subject,
        )
    return Inertial(
        mass=given.mass,
        com=frame.xyz,
        inertia=rotated(_tensor(given.inertia), frame),
        axes=frame.quat,
        at=given.at(),
        mass_at=given.written_at("mass"),
        com_at=given.written_at("pose"),
        inertia_at=given.written_at("inertia"),
    )


def _tensor(doc: d.Inertia | None) -> Matrix3:
    if doc is None:
        return UNIT_MATRIX
    xx, xy, xz, yy, yz, zz = doc.ixx, doc.ixy, doc.ixz, doc.iyy, doc.iyz, doc.izz
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _computed(
    given: d.Inertial,
    name: str,
    collisions: Sequence[tuple[shapes.Collision, s.Shape]],
    findings: Findings,
) -> Inertial:
    """The inertial of the collisions of a link, each with its density, scaled to a given mass."""
    at = given.at()
    parts: list[Inertial] = []
    for doc, shape in collisions:
        density = doc.density if "density" in doc.given else given.density
        unit = body_of(shape.geometry)
        if unit is None:
            findings.warning(
                "inertial-unknown",
                f"link '{name}': the inertia of collision '{doc.name}' is not computed: "
                f"{type(shape.geometry).__name__}",
                doc.at(),
                "state the inertial of the link",
            )
            return Inertial(mass=given.mass if "mass" in given.given else 1.0, unknown="mass", at=at)
        volume, moments = unit
        xx, yy, zz = (moment * density for moment in moments)
        tensor = rotated(((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz)), shape.pose)
        # the center of mass of a cone is at a quarter of its height, its origin at half of it
        low = -shape.geometry.height / 4.0 if isinstance(shape.geometry, s.Cone) else 0.0
        parts.append(Inertial(mass=volume * density, com=shape.pose.apply((0.0, 0.0, low)), inertia=tensor))
    if not parts:
        findings.error(
            "inertial-unknown",
            f"link '{name}': auto inertial without collisions; assuming mass 1",
            at,
            "add collisions, or state the inertial",
        )
        return Inertial(mass=1.0, at=at)
    whole = compose(parts)
    scale = given.mass / whole.mass if "mass" in given.given and whole.mass > 0.0 else 1.0
    rows = [[v * scale for v in row] for row in whole.inertia]
    a, b, c = ((row[0], row[1], row[2]) for row in rows)
    return Inertial(mass=whole.mass * scale, com=whole.com, inertia=(a, b, c), axes=IDENTITY.quat, at=at)


def centered(inertial: Inertial | None, move: Pose) -> Inertial | None:
    """An inertial in a frame of the same axes: ``move`` is the old frame in the new one."""
    return None if inertial is None else replace(inertial, com=move.apply(inertial.com))
