"""Kinematics against finite differences of poses, and what its arguments may be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.mechanism.robots import Floats, apart, heavy, heavy_robot, state
from tests.sampling import few

import unibody as ub
from unibody.mechanism import Mechanism
from unibody.mechanism.frame import Reference
from unibody.mechanism.state import _BLOCK
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import Joint, Link, Robot

STEP = 1e-6
SEEDS = range(24)
REFERENCES: tuple[Reference, ...] = ("world", "local", "local_world_aligned")


def _twist(before: Floats, after: Floats, at: Floats, reference: str) -> Floats:
    """Velocity over two steps around ``at``, in a reference, from three poses."""
    rate = (after - before) / (2.0 * STEP)
    spin = rate[:3, :3] @ at[:3, :3].T
    angular = 0.5 * np.array([spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]])
    linear = rate[:3, 3]
    if reference == "world":
        return np.concatenate([linear - np.cross(angular, at[:3, 3]), angular])
    if reference == "local":
        return np.concatenate([at[:3, :3].T @ linear, at[:3, :3].T @ angular])
    return np.concatenate([linear, angular])


def _around(mechanism: Mechanism, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    return mechanism.integrate(q, -STEP * v), mechanism.integrate(q, STEP * v)


@pytest.mark.parametrize("seed", few(SEEDS, 6))
@pytest.mark.parametrize("reference", REFERENCES)
def test_velocity_is_the_rate_of_the_pose(seed: int, reference: Reference) -> None:
    mechanism = heavy(seed)
    q, v, _ = state(mechanism, seed)
    before, after = _around(mechanism, q, v)
    for frame in (*mechanism.link_names, "tool"):
        first, last, here = (mechanism.pose(at, frame) for at in (before, after, q))
        expected = _twist(first, last, here, reference)
        assert apart(mechanism.velocity(q, v, frame, reference), expected) < 1e-8
        jacobian = mechanism.jacobian(q, frame, None, reference)
        assert apart(jacobian @ v, mechanism.velocity(q, v, frame, reference)) < 1e-13


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reference", REFERENCES)
def test_acceleration_is_the_rate_of_the_velocity(seed: int, reference: Reference) -> None:
    mechanism = heavy(seed)
    q, v, a = state(mechanism, seed)
    before, after = _around(mechanism, q, v)
    for frame in (*mechanism.link_names, "tool"):
        slower = mechanism.velocity(before, v - STEP * a, frame, reference)
        faster = mechanism.velocity(after, v + STEP * a, frame, reference)
        expected = (faster - slower) / (2.0 * STEP)
        assert apart(mechanism.acceleration(q, v, a, frame, reference), expected) < 1e-7


@pytest.mark.parametrize("seed", SEEDS)
def test_center_of_mass_and_momentum(seed: int) -> None:
    mechanism = heavy(seed)
    q, v, _ = state(mechanism, seed)
    links, poses = mechanism.robot.links, mechanism.forward_kinematics(q)
    own = [(i.mass, pose, i) for link, pose in zip(links, poses, strict=True) if (i := link.inertial)]
    mass = sum(m for m, _, _ in own)
    com = sum(m * (pose[:3, :3] @ i.com + pose[:3, 3]) for m, pose, i in own) / mass
    assert apart(mechanism.center_of_mass(q), com) < 1e-13
    before, after = _around(mechanism, q, v)
    rate = (mechanism.center_of_mass(after) - mechanism.center_of_mass(before)) / (2.0 * STEP)
    assert apart(mechanism.center_of_mass_jacobian(q) @ v, rate) < 1e-8
    momentum = mechanism.momentum(q, v)
    assert apart(momentum[:3], mass * mechanism.center_of_mass_jacobian(q) @ v) < 1e-13
    turning = np.zeros(3)
    for link, pose in zip(links, poses, strict=True):
        if link.inertial:
            inertia = pose[:3, :3] @ np.array(link.inertial.inertia) @ pose[:3, :3].T
            at = Pose(link.inertial.com)
            twist = mechanism.velocity(q, v, (link.name, at))
            arm = mechanism.pose(q, (link.name, at))[:3, 3] - com
            turning += inertia @ twist[3:] + link.inertial.mass * np.cross(arm, twist[:3])
    assert apart(momentum[3:], turning) < 1e-12


def test_frames_points_and_poses_in_links() -> None:
    mechanism = heavy(5, 9)
    q, _, _ = state(mechanism, 1)
    link = mechanism.robot.frames[0].link
    place = mechanism.robot.frames[0].pose
    shift = Pose((0.1, -0.2, 0.3), from_rpy(0.1, 0.2, 0.3))
    pose = mechanism.pose(q, link)
    assert apart(mechanism.pose(q, "tool"), pose @ np.array(place.matrix())) < 1e-14
    assert apart(mechanism.pose(q, (link, shift)), pose @ np.array(shift.matrix())) < 1e-14
    both = mechanism.pose(q, "tool") @ np.array(shift.matrix())
    assert apart(mechanism.pose(q, ("tool", shift)), both) < 1e-14
    at_point = mechanism.jacobian(q, "tool", shift.xyz)
    assert apart(at_point, mechanism.jacobian(q, ("tool", Pose(shift.xyz)))) < 1e-15
    assert apart(mechanism.jacobian(q, "tool", (0.0, 0.0, 0.0)), mechanism.jacobian(q, "tool")) == 0.0


def test_any_batch_shape_and_broadcasting() -> None:
    mechanism = heavy(3, 8)
    q, v, a = state(mechanism, 2, (2, 3))
    for one in (
        mechanism.forward_kinematics(q),
        mechanism.pose(q, "tool"),
        mechanism.velocity(q, v, "tool"),
        mechanism.acceleration(q, v, a, "tool"),
        mechanism.jacobian(q, "tool"),
        mechanism.center_of_mass(q),
        mechanism.center_of_mass_jacobian(q),
        mechanism.momentum(q, v),
        mechanism.energy(q, v),
    ):
        assert one.shape[:2] == (2, 3)
    assert (
        apart(mechanism.velocity(q, v, "tool")[1, 2], mechanism.velocity(q[1, 2], v[1, 2], "tool")) < 1e-14
    )
    spread = mechanism.velocity(q[:, None, 0], v[0, :, :], "tool")
    assert spread.shape == (2, 3, 6)
    assert apart(spread[1, 2], mechanism.velocity(q[1, 0], v[0, 2], "tool")) < 1e-14
    assert mechanism.jacobian(q[:0], "tool").shape == (0, 3, 6, mechanism.nv)
    assert mechanism.velocity(mechanism.initial, v, "tool").shape == (2, 3, 6)


@pytest.mark.parametrize("count", [1, 7, _BLOCK // 8 + 1, 3000])
def test_every_block_is_filled(count: int) -> None:
    mechanism = heavy(4, 7)
    q, v, _ = state(mechanism, 3, (3000,))
    momenta = mechanism.momentum(q[:count], v[:count])
    for row in {0, count // 2, count - 1}:
        assert apart(momenta[row], mechanism.momentum(q[row], v[row])) < 1e-13


def test_nan_stays_in_its_configuration_and_branch() -> None:
    joints = tuple(Joint(name=n, kind="revolute", parent="root", child=n) for n in ("left", "right"))
    links = tuple(Link(name=name) for name in ("root", "left", "right"))
    mechanism = ub.assemble(Robot(name="fork", links=links, joints=joints))
    q = np.zeros((3, 2))
    q[1, 0] = np.nan
    jacobian = mechanism.jacobian(q, "right")
    assert np.isfinite(jacobian).all()
    assert np.isfinite(mechanism.velocity(q, np.ones(2), "right")).all()
    lost = np.isnan(mechanism.jacobian(q, "left", (1.0, 0.0, 0.0)))
    assert lost.any(axis=(1, 2)).tolist() == [False, True, False]


def test_a_robot_that_does_not_move() -> None:
    mechanism = ub.assemble(Robot(name="stone", links=(Link(name="stone"),)))
    none: Any = np.zeros((4, 0))
    assert mechanism.jacobian(none, "stone").shape == (4, 6, 0)
    assert mechanism.velocity(none, none, "stone").tolist() == [[0.0] * 6] * 4
    assert mechanism.acceleration(none, none, none, "stone").tolist() == [[0.0] * 6] * 4
    assert mechanism.mass_matrix(none).shape == (4, 0, 0)
    assert mechanism.inverse_dynamics(none, none, none).shape == (4, 0)
    assert mechanism.forward_dynamics(none, none, none).shape == (4, 0)
    assert mechanism.integrate(none, none).shape == (4, 0)
    assert np.isnan(mechanism.center_of_mass([])).all()


def test_wrong_arguments_are_named() -> None:
    mechanism = ub.assemble(heavy_robot(5, 6))
    q, v, _ = state(mechanism, 0)
    with pytest.raises(KeyError, match="no link or frame 'tol'; did you mean 'tool'"):
        mechanism.pose(q, "tol")
    with pytest.raises(ValueError, match="reference is 'body'; expected one of world, local"):
        mechanism.jacobian(q, "tool", None, "body")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=rf"v has shape \(2,\); expected \(..., {mechanism.nv}\)"):
        mechanism.velocity(q, v[:2], "tool")
    with pytest.raises(ValueError, match="not an array of real numbers"):
        mechanism.momentum(q, ["fast"] * mechanism.nv)
    with pytest.raises(ValueError, match="three numbers"):
        mechanism.jacobian(q, "tool", (0.0, 0.0))
