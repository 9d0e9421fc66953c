"""Robots as Pinocchio models: coordinates and geometry."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.mechanism.robots import state

import unibody as ub

pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")

SAMPLES = Path(__file__).parents[2] / "src/unibody/models"


def test_coordinates_go_there_and_back() -> None:
    made = ub.to_pinocchio(ub.load(SAMPLES / "biped.body"))
    q, v, a = state(made.mechanism, 5, (4,))
    assert np.array_equal(made.q_to(q), q[..., made.q_order])
    assert np.array_equal(made.q_from(made.q_to(q)), q)
    assert np.array_equal(made.v_from(made.q_to(q), made.v_to(q, v)), v)
    found = pin.rnea(made.model, made.data, made.q_to(q[0]), made.v_to(q[0], v[0]), made.v_to(q[0], a[0]))
    ours = made.mechanism.inverse_dynamics(q[0], v[0], a[0])
    assert np.allclose(made.v_from(made.q_to(q[0]), found), ours, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("which", ["visual", "collision"])
def test_geometry_is_where_the_shapes_are(which: Any) -> None:
    robot = ub.load(SAMPLES / "biped.body")
    made = ub.to_pinocchio(robot)
    geometry = getattr(made, f"{which}_model")
    q, _, _ = state(made.mechanism, 2)
    data = geometry.createData()
    pin.updateGeometryPlacements(made.model, made.data, geometry, data, made.q_to(q))
    poses = made.mechanism.forward_kinematics(q)
    count = 0
    for name, pose in zip(made.mechanism.link_names, poses, strict=True):
        link = robot.link(name)
        for k, shape in enumerate(link.visuals if which == "visual" else link.collisions):
            place = geometry.getGeometryId(f"{name}_{k}")
            wanted = pose @ np.array(shape.pose.matrix())
            assert np.allclose(data.oMg[place].homogeneous, wanted, atol=1e-12)
            count += 1
    assert count == geometry.ngeoms > 0


def test_pairs_and_names_of_what_exists() -> None:
    made = ub.to_pinocchio(ub.load(SAMPLES / "biped.body"))
    assert len(made.collision_model.collisionPairs) > 0
    assert made.findings == []
    assert ub.to_pinocchio(made.mechanism).mechanism is made.mechanism


def test_robots_of_a_scene() -> None:
    biped = ub.load(SAMPLES / "biped.body")
    other = replace(biped, name="other", pose=ub.Pose((1.0, 0.0, 0.0)))
    made = ub.to_pinocchio(ub.Scene(name="two", robots=(biped, other)))
    q, _, _ = state(made.mechanism, 4)
    pin.framesForwardKinematics(made.model, made.data, made.q_to(q))
    poses = made.mechanism.forward_kinematics(q)
    for name, pose in zip(made.mechanism.link_names, poses, strict=True):
        frame = made.model.getFrameId(name, pin.FrameType.BODY)
        assert np.allclose(made.data.oMf[frame].homogeneous, pose, atol=1e-12)


@pytest.mark.parametrize("stretch", [None, (2.0, 1.0, 1.0)], ids=["rigid", "stretched"])
def test_shapes_have_their_own_geometry(stretch: tuple[float, float, float] | None, tmp_path: Path) -> None:
    """Each kind of shape by its bounds in its own frame, and its place, color and file in the model.

    What is stretched is triangles, round shapes within the error of these, and names no file.
    """
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\nf 1 2 4\n")
    mesh = ub.MeshFile(uri="part.obj", path=str(tmp_path / "part.obj"), scale=(1.0, 0.5, 2.0))
    gold = ub.Material(name="gold", diffuse=(1.0, 0.75, 0.25), transparency=0.5)
    kinds: list[tuple[Any, tuple[float, float, float], tuple[float, float, float]]] = [
        (ub.Box(size=(1.0, 2.0, 3.0)), (-0.5, -1.0, -1.5), (0.5, 1.0, 1.5)),
        (ub.Sphere(radius=0.5), (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)),
        (ub.Cylinder(radius=0.5, height=3.0), (-0.5, -0.5, -1.5), (0.5, 0.5, 1.5)),
        (ub.Capsule(radius=0.5, height=3.0), (-0.5, -0.5, -2.0), (0.5, 0.5, 2.0)),
        (ub.Cone(radius=0.5, height=3.0), (-0.5, -0.5, -1.5), (0.5, 0.5, 1.5)),
        (ub.Ellipsoid(radii=(0.5, 1.0, 2.0)), (-0.5, -1.0, -2.0), (0.5, 1.0, 2.0)),
        (ub.Plane(half_size=(1.0, 2.0)), (-1.0, -2.0, -1e-3), (1.0, 2.0, 0.0)),
        (mesh, (0.0, 0.0, 0.0), (1.0, 1.0, 6.0)),
        (ub.Mesh(vertices=(0, 0, 0, 1, 0, 0, 0, 2, 3), faces=(0, 1, 2)), (0.0, 0.0, 0.0), (1.0, 2.0, 3.0)),
    ]
    pose = ub.Pose((1.0, 2.0, 3.0))
    wide, linear, error = np.ones(3), None, 1e-6
    if stretch is not None:
        x, y, z = stretch
        wide, linear, error = np.array(stretch), ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)), 0.05
    shapes = tuple(ub.Shape(geometry=g, pose=pose, linear=linear, material=gold) for g, _, _ in kinds)
    robot = ub.Robot(name="r", links=(ub.Link(name="base", collisions=shapes),), base="fixed")
    made = ub.to_pinocchio(robot)
    objects = list(made.collision_model.geometryObjects)
    assert [x.name for x in objects] == [f"base_{k}" for k in range(len(kinds))]
    for found, (geometry, low, high) in zip(objects, kinds, strict=True):
        is_file = geometry is mesh and stretch is None
        found.geometry.computeLocalAABB()
        box = found.geometry.aabb_local
        place = found.placement.translation
        assert np.allclose(box.min_ + place, wide * low + pose.xyz, atol=error), geometry
        assert np.allclose(box.max_ + place, wide * high + pose.xyz, atol=error), geometry
        assert found.overrideMaterial
        assert np.allclose(found.meshColor, (1.0, 0.75, 0.25, 0.5))
        assert found.meshPath == (mesh.path if is_file else "")
        assert np.allclose(found.meshScale, mesh.scale if is_file else (1.0, 1.0, 1.0))


def test_planes_without_an_end_and_shapes_without_triangles() -> None:
    """A plane without an end is the half space below it; the next shape has the next number."""
    turned = ub.Pose((1.0, 2.0, 3.0), (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0))  # Z along -Y
    shapes = (
        ub.Shape(geometry=ub.Mesh(vertices=(0, 0, 0, 1, 0, 0, 0, 1, 0), faces=())),
        ub.Shape(geometry=ub.Plane(), pose=turned),
        ub.Shape(geometry=ub.Sphere(radius=0.5)),
    )
    robot = ub.Robot(name="r", links=(ub.Link(name="base", collisions=shapes),), base="fixed")
    plane, sphere = ub.to_pinocchio(robot).collision_model.geometryObjects
    assert (plane.name, sphere.name) == ("base_0", "base_1")
    assert np.allclose(plane.geometry.n, (0.0, 0.0, 1.0))
    assert plane.geometry.d == 0.0
    assert np.allclose(plane.placement.homogeneous, np.array(turned.matrix()))
