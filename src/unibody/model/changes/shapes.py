"""Transforms single shapes: applies scales to geometries, and replaces shapes by simpler ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unibody.model import shape as s
from unibody.model.changes.meshes import moved, moved_points
from unibody.model.inertia import matrix3
from unibody.model.pose import UNIT_MATRIX, Matrix3, Pose, matrix_quaternion
from unibody.model.robot import Link, Robot
from unibody.model.up_axis import own_up_axis, upright_turn

Step = Callable[[s.Shape], tuple[s.Shape, ...]]

SETS = ("visuals", "collisions", "collisions_alt")


def with_shapes(robot: Robot, step: Step) -> Robot:
    """Replace every shape by the result of ``step``; shared shapes stay shared.

    >>> sphere = s.Shape(geometry=s.Sphere(radius=1.0))
    >>> robot = Robot(name="ball", links=(Link(name="ball", visuals=(sphere,)),))
    >>> with_shapes(robot, lambda shape: ()).links[0].visuals
    ()
    """
    # Keeps the shapes alive, so that their ids stay unique.
    made: dict[int, tuple[s.Shape, tuple[s.Shape, ...]]] = {}

    def changed(shapes: tuple[s.Shape, ...]) -> tuple[s.Shape, ...]:
        out: list[s.Shape] = []
        for shape in shapes:
            if id(shape) not in made:
                made[id(shape)] = (shape, step(shape))
            out.extend(made[id(shape)][1])
        same = len(out) == len(shapes) and all(a is b for a, b in zip(out, shapes, strict=True))
        return shapes if same else tuple(out)

    return robot.with_solids(lambda link: _with_sets(link, changed))


def _with_sets(link: Link, changed: Callable[[tuple[s.Shape, ...]], tuple[s.Shape, ...]]) -> Link:
    new = {name: changed(getattr(link, name)) for name in SETS}
    if all(new[name] is getattr(link, name) for name in SETS):
        return link
    return replace(link, **new)  # type: ignore[arg-type]


def as_surface(shape: s.Shape) -> tuple[s.Shape, ...]:
    """A mesh that collides as its convex hull, as one that collides as its surface."""
    return (replace(shape, hull=False),) if shape.hull else (shape,)


def upright(shape: s.Shape) -> tuple[s.Shape, ...]:
    """Apply the unit and up axis of a mesh file to its scale and the shape's pose.

    The file is then read as the format of its suffix prescribes.
    """
    mesh = shape.geometry
    if not isinstance(mesh, s.MeshFile) or (mesh.unit is None and mesh.up_axis is None):
        return (shape,)
    scale, pose, stretch = np.array(mesh.scale), shape.pose, shape.linear
    own = own_up_axis(os.path.splitext(mesh.path or mesh.uri)[1])
    if mesh.up_axis not in (None, own):
        u = np.array(upright_turn(mesh.up_axis)) @ np.array(upright_turn(own)).T
        scale = np.diag(u.T @ np.diag(scale) @ u)
        pose = pose @ Pose(quat=matrix_quaternion(matrix3(u)))
        stretch = None if stretch is None else matrix3(u.T @ np.array(stretch) @ u)
    x, y, z = (scale * (1.0 if mesh.unit is None else mesh.unit)).tolist()
    plain = replace(mesh, scale=(x, y, z), unit=None, up_axis=None)
    return (replace(shape, geometry=plain, pose=pose, linear=stretch),)


def baked(shape: s.Shape) -> tuple[s.Shape, ...]:
    """Apply the linear map of a shape to its geometry, if its type can represent the result."""
    if shape.linear is None:
        return (shape,)
    if shape.linear == UNIT_MATRIX:
        return (replace(shape, linear=None),)
    geometry = _stretched(shape.geometry, shape.linear)
    return (shape,) if geometry is None else (replace(shape, geometry=geometry, linear=None),)


def _stretched(geometry: s.Geometry, stretch: Matrix3) -> s.Geometry | None:
    linear = np.array(stretch)
    if isinstance(geometry, s.Mesh):
        return moved(geometry, linear)
    if isinstance(geometry, s.LineSet | s.PointSet):
        return moved_points(geometry, linear)
    if (linear != np.diag(np.diag(linear))).any() or not linear.diagonal().all():
        return None
    x, y, z = linear.diagonal().tolist()
    if isinstance(geometry, s.MeshFile):
        a, b, c = geometry.scale
        return replace(geometry, scale=(a * x, b * y, c * z))
    return _sized(geometry, abs(x), abs(y), abs(z)) if z > 0.0 or _is_even(geometry) else None


def _is_even(geometry: s.Geometry) -> bool:
    """Whether a geometry is symmetric under z → −z."""
    ends = isinstance(geometry, s.Cylinder) and geometry.top == geometry.bottom
    return ends or isinstance(geometry, s.Box | s.Sphere | s.Ellipsoid | s.Capsule)


def _sized(geometry: s.Geometry, x: float, y: float, z: float) -> s.Geometry | None:
    match geometry:
        case s.Box(size=(a, b, c)):
            return s.Box(size=(a * x, b * y, c * z))
        case s.Sphere(radius=r):
            return s.Sphere(radius=r * x) if x == y == z else s.Ellipsoid(radii=(r * x, r * y, r * z))
        case s.Ellipsoid(radii=(a, b, c)):
            return s.Ellipsoid(radii=(a * x, b * y, c * z))
        case s.Cylinder() | s.Cone() if x == y:
            return replace(geometry, radius=geometry.radius * x, height=geometry.height * z)
        case s.Capsule() if x == y == z:
            return s.Capsule(radius=geometry.radius * x, height=geometry.height * z)
        case s.Plane():
            half = geometry.half_size
            return s.Plane(half_size=None if half is None else (half[0] * x, half[1] * y))
    return None


def capsules_split(shape: s.Shape) -> tuple[s.Shape, ...]:
    """Replace a capsule by a cylinder and two spheres of the same union.

    A capsule with a linear map is left unchanged.
    """
    capsule = shape.geometry
    if not isinstance(capsule, s.Capsule) or shape.linear is not None:
        return (shape,)
    ball = s.Sphere(radius=capsule.radius)
    if capsule.height == 0.0:
        return (replace(shape, geometry=ball),)
    half = capsule.height / 2.0
    ends = [shape.pose.apply((0.0, 0.0, k * half)) for k in (1.0, -1.0)]
    tube = replace(shape, geometry=s.Cylinder(radius=capsule.radius, height=capsule.height))
    names = [f"{shape.name}_{end}" if shape.name else "" for end in ("top", "bottom")]
    return (
        tube,
        *(
            replace(shape, geometry=ball, pose=Pose(xyz, shape.pose.quat), name=name)
            for xyz, name in zip(ends, names, strict=True)
        ),
    )


def ellipsoids_as_spheres(shape: s.Shape) -> tuple[s.Shape, ...]:
    """Replace an ellipsoid by a sphere with a linear map."""
    ellipsoid = shape.geometry
    if not isinstance(ellipsoid, s.Ellipsoid) or not ellipsoid.radii[0] > 0.0:
        return (shape,)
    radius = ellipsoid.radii[0]
    linear = np.diag(np.array(ellipsoid.radii) / radius)
    if shape.linear is not None:
        linear = np.array(shape.linear) @ linear
    return (replace(shape, geometry=s.Sphere(radius=radius), linear=matrix3(linear)),)


def planes_as_squares(shape: s.Shape, far: float = 50.0) -> tuple[s.Shape, ...]:
    """Replace a plane by a rectangular mesh; an infinite plane extends ``far`` m to each side."""
    plane = shape.geometry
    if not isinstance(plane, s.Plane):
        return (shape,)
    x, y = plane.half_size or (far, far)
    corners = (-x, -y, 0.0, x, -y, 0.0, x, y, 0.0, -x, y, 0.0)
    square = s.Mesh(vertices=corners, faces=(0, 1, 2, 3, -1), convex=False)
    return (replace(shape, geometry=square),)
