"""Robots as Pinocchio models: coordinates and geometry."""

from __future__ import annotations

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
