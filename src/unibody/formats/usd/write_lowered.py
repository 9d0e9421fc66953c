"""Lowers a robot to what USD has: its joints, its shapes, and a mass for each link."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unibody.formats.format import AssetStore
from unibody.formats.usd.write_joints import writable_whole
from unibody.formats.usd.write_masses import principal_axes
from unibody.formats.usd.write_shapes import holds
from unibody.model import shape as s
from unibody.model.changes.joints import split_joints
from unibody.model.changes.meshes import moved
from unibody.model.changes.shapes import baked, with_shapes
from unibody.model.changes.surroundings import is_world
from unibody.model.decomposition import symmetric
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import JointKind
from unibody.model.pose import Matrix3
from unibody.model.robot import Link, Robot

#: What a link without mass is written with: kg and kg·m². USD derives what a file does not state.
LEAST_MASS, LEAST_INERTIA = 1e-5, 1e-8
# What the moments of a rod or a point are off by, relatively.
_ROUNDING = 1e-12


def changes(robot: Robot) -> Robot:
    """Lower a robot to the joints that USD has, with a mass for each link."""
    whole = [joint.name for joint in robot.joints if writable_whole(joint)]
    kinds: tuple[JointKind, ...] = ("fixed",)
    out = split_joints(robot, kinds, whole)
    out = with_shapes(out, baked)
    world = out.root if is_empty_world(out) else None
    return replace(out, links=tuple(link if link.name == world else _heavy(link) for link in out.links))


def is_empty_world(robot: Robot) -> bool:
    """Whether the root is the world, with one link on it: no body is written for it."""
    return is_world(robot) and sum(joint.parent == robot.root for joint in robot.joints) == 1


def _heavy(link: Link) -> Link:
    """A link with a mass and moments of inertia, since zero stands for what is derived from its shapes."""
    least = LEAST_INERTIA
    tensor = ((least, 0.0, 0.0), (0.0, least, 0.0), (0.0, 0.0, least))
    given = link.inertial
    if given is None or not given.mass > 0.0:
        return replace(link, inertial=Inertial(mass=LEAST_MASS, inertia=tensor))
    return replace(link, inertial=replace(given, inertia=with_extent(given.inertia)))


def with_extent(inertia: Matrix3) -> Matrix3:
    """An inertia whose principal moments are positive, where some are zero but for rounding.

    >>> with_extent(((0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0)))
    ((1e-08, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0))
    """
    moments, axes = principal_axes(inertia)
    largest = max(map(abs, moments))
    if all(value > _ROUNDING * largest for value in moments) or min(moments) < -_ROUNDING * largest:
        return inertia
    x, y, z = (max(value, LEAST_INERTIA) if value <= _ROUNDING * largest else value for value in moments)
    return symmetric(axes, (x, y, z))


def with_meshes(robot: Robot, store: AssetStore) -> Robot:
    """The robot with the triangles of its mesh files, and of the shapes that USD does not have.

    A sphere of three radii does not collide in PhysX.
    """
    made: dict[tuple[object, ...], tuple[s.Shape, ...]] = {}

    def triangles(shape: s.Shape) -> tuple[s.Shape, ...]:
        """The meshes of a shape; those of one file that is used twice are the same objects."""
        mesh = shape.geometry
        if not isinstance(mesh, s.MeshFile):
            return _meshes(shape, store)
        if not mesh.path:
            return ()
        key = (mesh, mesh.path, shape.linear, shape.divisions)
        if key not in made:
            made[key] = _meshes(replace(shape, material=None), store)
        return tuple(
            replace(shape, geometry=x.geometry, linear=None, material=x.material or shape.material)
            for x in made[key]
        )

    def drawn(shape: s.Shape) -> tuple[s.Shape, ...]:
        return (shape,) if holds(shape) else triangles(shape)

    def solid(shape: s.Shape) -> tuple[s.Shape, ...]:
        egg = shape.geometry
        if isinstance(egg, s.Ellipsoid) and len(set(egg.radii)) > 1:
            return tuple(replace(x, hull=True) for x in triangles(shape))
        return drawn(shape)

    def changed(link: Link) -> Link:
        return replace(
            link,
            visuals=tuple(x for shape in link.visuals for x in map(_textured, drawn(shape))),
            collisions=tuple(x for shape in link.collisions for x in map(_textured, solid(shape))),
            collisions_alt=(),
        )

    def _textured(shape: s.Shape) -> s.Shape:
        material = shape.material
        if material is None or material.texture is None:
            return shape
        return replace(shape, material=replace(material, texture=store.texture(material.texture)))

    return robot.with_solids(changed)


def _meshes(shape: s.Shape, store: AssetStore) -> tuple[s.Shape, ...]:
    out = []
    for part in store.meshes(shape):
        mesh = part.geometry
        assert isinstance(mesh, s.Mesh)
        if shape.linear is not None:
            mesh = moved(mesh, np.array(shape.linear))
        if len(mesh.faces):
            out.append(replace(part, geometry=mesh, linear=None))
    return tuple(out)
