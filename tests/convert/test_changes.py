"""Changes that writers ask for: the robot stays what it is, in other words."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import unibody as ub
from unibody.meshes import MeshCache, bounds, link_surfaces
from unibody.model import shape as s
from unibody.model.changes.joints import split_joints
from unibody.model.changes.shapes import (
    baked,
    capsules_split,
    ellipsoids_as_spheres,
    planes_as_squares,
    upright,
)
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot
from unibody.model.up_axis import own_up_axis

Floats = NDArray[np.float64]

POSE = Pose((0.1, 0.2, 0.3), (0.5, 0.5, -0.5, 0.5))
DIAGONAL = ((2.0, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.5))
SHEAR = ((2.0, 0.25, 0.0), (0.0, 0.5, 0.125), (0.0, 0.0, -1.5))


def corners(*shapes: s.Shape) -> Floats:
    robot = Robot(name="r", links=(Link(name="r", visuals=shapes),))
    found = bounds(link_surfaces(robot, "r", "visual", MeshCache()))
    assert found is not None
    return np.array(found)


def single(robot: Robot) -> Robot:
    """The robot with joints that can be computed with."""
    return split_joints(robot, KINDS.keys() - {"screw", "universal"})


@pytest.mark.parametrize("kind", ["ball", "planar"])
def test_split_joints(kind: str) -> None:
    """At zero, and for a planar joint everywhere, the chain is the joint."""
    joint = Joint(name="j", kind=kind, parent="a", child="b", origin=POSE, axis=(0.6, 0.0, 0.8))  # type: ignore[arg-type]
    if kind == "ball":
        joint = Joint(name="j", kind="ball", parent="a", child="b", origin=POSE)
    robot = Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(joint,))
    made = split_joints(robot, ("revolute", "prismatic"))
    assert [x.name for x in made.links] == ["a", "j_1", "j_2", "b"]
    assert made.joints[-1].name == "j"
    a, b = ub.assemble(robot), ub.assemble(made)
    if kind == "planar":
        q = np.random.default_rng(1).uniform(-1.0, 1.0, (4, 3))
        assert np.allclose(a.forward_kinematics(q)[:, 1], b.forward_kinematics(q)[:, -1], atol=1e-15)
    else:
        assert np.allclose(
            a.forward_kinematics([1.0, 0, 0, 0])[1], b.forward_kinematics([0.0, 0, 0])[-1], atol=1e-15
        )


@pytest.mark.parametrize(
    "geometry",
    [
        s.Box(size=(0.1, 0.2, 0.3)),
        s.Ellipsoid(radii=(0.1, 0.2, 0.3)),
        s.Sphere(radius=0.2),
        s.Plane(half_size=(0.3, 0.2)),
        s.Mesh(vertices=(0.0, 0, 0, 0.1, 0, 0.2, 0, 0.3, 0), faces=(0, 1, 2, -1), normals=(0.0, 0, 1) * 3),
    ],
    ids=lambda g: type(g).__name__,
)
@pytest.mark.parametrize("stretch", [DIAGONAL, SHEAR], ids=["diagonal", "shear"])
def test_baked(geometry: s.Geometry, stretch: tuple[tuple[float, float, float], ...]) -> None:
    shape = s.Shape(geometry=geometry, pose=POSE, linear=stretch)  # type: ignore[arg-type]
    (made,) = baked(shape)
    assert np.allclose(corners(made), corners(shape), atol=1e-12)
    if stretch is DIAGONAL or isinstance(geometry, s.Mesh):
        assert made.linear is None


def test_a_mirror_keeps_the_outside() -> None:
    mesh = s.Mesh(
        vertices=(0.0, 0, 0, 1, 0, 0, 0, 1, 0),
        faces=(0, 1, 2, -1),
        normals=(0.0, 0, 1) * 3,
        crease_angle=0.0,
    )
    shape = s.Shape(geometry=mesh, linear=((1.0, 0, 0), (0, 1.0, 0), (0, 0, -1.0)))
    (made,) = baked(shape)
    cache = MeshCache()
    a = link_surfaces(Robot(name="r", links=(Link(name="r", visuals=(shape,)),)), "r", "visual", cache)[0]
    b = link_surfaces(Robot(name="r", links=(Link(name="r", visuals=(made,)),)), "r", "visual", cache)[0]
    for x in (a, b):
        u, v, w = (x.vertices[x.faces[0, k]] for k in range(3))
        assert np.cross(v - u, w - u)[2] == -1.0 or np.cross(v - u, w - u)[2] == 1.0
    first, second = (
        np.cross(*(x.vertices[x.faces[0, k]] - x.vertices[x.faces[0, 0]] for k in (1, 2))) for x in (a, b)
    )
    assert np.allclose(first, second)
    assert a.normals is not None
    assert b.normals is not None
    assert np.allclose(a.normals, b.normals)


def test_capsules() -> None:
    shape = s.Shape(geometry=s.Capsule(radius=0.1, height=0.4), pose=POSE, divisions=40)
    made = capsules_split(shape)
    assert [type(x.geometry).__name__ for x in made] == ["Cylinder", "Sphere", "Sphere"]
    assert np.allclose(corners(*made), corners(shape), atol=1e-3)
    (ball,) = capsules_split(s.Shape(geometry=s.Capsule(radius=0.1, height=0.0)))
    assert ball.geometry == s.Sphere(radius=0.1)


def test_ellipsoids_and_planes() -> None:
    shape = s.Shape(geometry=s.Ellipsoid(radii=(0.1, 0.2, 0.3)), pose=POSE, linear=DIAGONAL)
    (made,) = ellipsoids_as_spheres(shape)
    assert np.allclose(corners(made), corners(shape), atol=1e-12)
    plane = s.Shape(geometry=s.Plane(half_size=(0.3, 0.2)), pose=POSE)
    assert np.allclose(corners(*planes_as_squares(plane)), corners(plane), atol=1e-12)


@pytest.mark.parametrize("axis", ["X", "Y", "Z", "choreonoid-X", "choreonoid-Y", None])
@pytest.mark.parametrize("stretch", [None, SHEAR])
@pytest.mark.parametrize("uri", ["a.stl", "a.glb"])
def test_upright(axis: str | None, stretch: object, uri: str) -> None:
    """Unit and upward axis of a mesh file, worked into pose and scale, are what its reader does."""
    points = np.array([[0.1, 0.2, 0.3], [-0.4, 0.5, 0.6], [0.7, -0.8, 0.9]])
    mesh = s.MeshFile(uri=uri, scale=(2.0, -3.0, 0.5), unit=0.01, up_axis=axis)  # type: ignore[arg-type]
    shape = s.Shape(geometry=mesh, pose=POSE, linear=stretch)  # type: ignore[arg-type]
    (made,) = upright(shape)
    assert isinstance(made.geometry, s.MeshFile)
    assert made.geometry.unit is None
    assert made.geometry.up_axis is None
    assert np.allclose(placed(points, shape), placed(points, made), atol=1e-15)


def placed(points: Floats, shape: s.Shape) -> Floats:
    """Points of a mesh file in the frame of the link."""
    from unibody.meshes.cache import _file_transform
    from unibody.meshes.scene import MeshScene

    assert isinstance(shape.geometry, s.MeshFile)
    own = own_up_axis(".glb" if shape.geometry.uri.endswith(".glb") else ".stl")
    outer = _file_transform(MeshScene([], applied_axis=own), shape.geometry)
    inner = points if outer is None else points @ outer[:3, :3].T
    if shape.linear is not None:
        inner = inner @ np.array(shape.linear).T
    return np.array([shape.pose.apply(tuple(p)) for p in inner.tolist()])
