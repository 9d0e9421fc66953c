"""What an engine should have of a robot in a file written for it, whose format may lack some of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unibody.formats.loader import read_with
from unibody.meshes.cache import MeshCache
from unibody.model.base import Base
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Link, Robot
from unibody.model.shape import MeshFile, Shape
from unibody.proof.reference import KEPT, Reference, reference_of
from unibody.proof.solids import box_of, solid_of

# A shape that is written as a mesh reaches at most this share of its size less far.
_FACETS = 0.02


def reference_in(path: str, robot: Robot, format: str, base: Base) -> Reference:
    """The reference of a robot in a file that was written for an engine.

    Its format may lack limits, couplings, kinds of joints and of shapes, and have frames as links without
    mass.
    """
    written = read_with(path, plain=True).robot
    assert written is not None
    limits = {joint.name: joint.limits for joint in written.joints}
    coupled = {coupling.joint for coupling in written.couplings}
    couplings = tuple(coupling for coupling in robot.couplings if coupling.joint in coupled)
    joints = tuple(replace(j, limits=limits.get(j.name, j.limits)) for j in robot.joints)
    lacking = {j.kind for j in robot.joints} - {j.kind for j in written.joints}
    kept = [kind for kind in KEPT if kind not in lacking or not KINDS[kind].parts]
    reference = reference_of(replace(robot, joints=joints, couplings=couplings), format, base, kept)
    here = {link.name for link in reference.robot.links}
    frames = tuple(
        j for j in written.joints if j.kind == "fixed" and j.child not in here and j.parent in here
    )
    children = {joint.child for joint in frames}
    there = {link.name: link for link in written.links}
    links = [_with_meshes(link, there.get(link.name), reference.meshes) for link in reference.robot.links]
    return replace(
        reference,
        robot=replace(
            reference.robot,
            links=(*links, *(x for x in written.links if x.name in children)),
            joints=(*reference.robot.joints, *frames),
        ),
    )


def _with_meshes(link: Link, written: Link | None, meshes: MeshCache) -> Link:
    """A link whose shapes are meshes where its file has meshes in place of shapes that its format lacks."""
    if written is None:
        return link
    return replace(
        link,
        visuals=_meshes_of(link.visuals, written.visuals, meshes),
        collisions=_meshes_of(link.collisions, written.collisions, meshes),
    )


def _meshes_of(shapes: Sequence[Shape], written: Sequence[Shape], meshes: MeshCache) -> tuple[Shape, ...]:
    if len(shapes) != len(written):
        return tuple(shapes)
    return tuple(b if _is_mesh_of(b, a, meshes) else a for a, b in zip(shapes, written, strict=True))


def _is_mesh_of(mesh: Shape, shape: Shape, meshes: MeshCache) -> bool:
    """Whether a mesh of a file fills the box of a shape as well as facets can."""
    if isinstance(shape.geometry, MeshFile) or not isinstance(mesh.geometry, MeshFile):
        return False
    a, b = solid_of(shape, meshes), solid_of(mesh, meshes)
    if a is None or b is None:
        return False
    ours, theirs = box_of(a), box_of(b)
    return float(np.abs(ours - theirs).max()) <= _FACETS * float((ours[1] - ours[0]).max())
