"""Coupled joints of Pinocchio models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unibody as ub
from unibody.bridges.mimics import UnsupportedCoupling

pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")

LINKS = tuple(
    ub.Link(
        name=name,
        inertial=ub.Inertial(
            mass=1.0 + k,
            com=(0.1, 0.2, 0.3),
            inertia=((0.1, 0.01, 0.0), (0.01, 0.2, 0.0), (0.0, 0.0, 0.15)),
        ),
    )
    for k, name in enumerate(("base", "a", "b", "c", "d"))
)


def joint(name: str, kind: ub.JointKind, parent: str, axis: ub.Vector3) -> ub.Joint:
    origin = ub.Pose((0.1, 0.0, 0.2), (0.8, 0.6, 0.0, 0.0))
    return ub.Joint(
        name=f"to_{name}",
        kind=kind,
        parent=parent,
        child=name,
        origin=origin,
        axis=axis,
        limits=ub.Limits(position=(-2.0, 3.0)),
        dynamics=ub.Dynamics(damping=0.5, friction=0.25),
        actuator=ub.Actuator(rotor_inertia=0.1, gear_ratio=2.0),
    )


ROBOT = ub.Robot(
    name="r",
    links=LINKS,
    joints=(
        joint("a", "revolute", "base", (0.0, 1.0, 0.0)),
        joint("b", "revolute", "a", (0.6, 0.8, 0.0)),
        joint("c", "prismatic", "b", (0.0, 0.6, 0.8)),
        joint("d", "revolute", "base", (1.0, 0.0, 0.0)),
    ),
    base="fixed",
)


def coupled(*couplings: tuple[str, str, float, float]) -> ub.Robot:
    made = (ub.Coupling(joint=f"to_{j}", leader=f"to_{k}", ratio=r, offset=o) for j, k, r, o in couplings)
    return replace(ROBOT, couplings=tuple(made))


ROBOTS = {
    "one": coupled(("b", "a", -2.0, 0.3)),
    "a slide": coupled(("c", "a", 0.05, 0.1)),
    "another branch": coupled(("d", "b", 1.5, 0.0)),
    "a chain": coupled(("b", "a", -2.0, 0.3), ("c", "b", 0.5, 0.1), ("d", "c", 4.0, 0.0)),
    "the leader last": coupled(("a", "d", 2.0, 0.3), ("b", "d", -1.0, 0.1)),
    "a constant": coupled(("b", "a", 0.0, 0.3)),
    "a free base": replace(coupled(("b", "a", -2.0, 0.3)), base="free"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_coupled_joints_move_as_those_of_the_mechanism(name: str) -> None:
    robot = ROBOTS[name]
    made = ub.to_pinocchio(robot)
    model, data, m = made.model, made.data, made.mechanism
    gone = len(robot.couplings)
    assert (model.nq, model.nv) == (m.nq - gone, m.nv - gone)
    rng = np.random.default_rng(1)
    q = pin.integrate(model, pin.neutral(model), rng.uniform(-0.5, 0.5, model.nv))
    v, a = rng.normal(size=model.nv), rng.normal(size=model.nv)
    ours = made.q_from(q)
    assert np.allclose(m.apply_couplings(ours), ours, atol=1e-12)
    assert np.allclose(made.q_to(ours), q, atol=1e-15)
    pin.framesForwardKinematics(model, data, q)
    for link, pose in zip(m.link_names, m.forward_kinematics(ours), strict=True):
        frame = model.getFrameId(link, pin.FrameType.BODY)
        assert np.allclose(data.oMf[frame].homogeneous, pose, atol=1e-12)
    spread = np.stack([made.v_from(q, unit) for unit in np.eye(model.nv)], axis=1)
    assert np.allclose(made.v_to(ours, spread @ v), v)
    mass = np.triu(pin.crba(model, data, q))
    mass = mass + np.triu(mass, 1).T
    assert np.allclose(mass, spread.T @ m.mass_matrix(ours) @ spread, atol=1e-9)
    wanted = spread.T @ m.inverse_dynamics(ours, spread @ v, spread @ a)
    assert np.allclose(pin.rnea(model, data, q, v, a), wanted, atol=1e-9)


def test_the_joint_that_keeps_its_number_has_the_limits_of_the_leader() -> None:
    made = ub.to_pinocchio(ROBOTS["the leader last"])
    # a = 2 d + 0.3, with d in (−2, 3) and a itself, too
    assert made.model.lowerPositionLimit.tolist()[0] == -2.0
    assert made.model.upperPositionLimit.tolist()[0] == 3.0
    wide = replace(ROBOT.joint("to_a"), limits=ub.Limits())
    robot = replace(ROBOTS["the leader last"], joints=(wide, *ROBOT.joints[1:]))
    made = ub.to_pinocchio(robot)
    assert made.model.lowerPositionLimit[0] == pytest.approx(-3.7)
    assert made.model.upperPositionLimit[0] == pytest.approx(6.3)


def test_a_coupling_that_pinocchio_lacks_is_an_error_with_the_joint() -> None:
    screw = replace(ROBOT.joint("to_b"), kind="screw", pitch=0.01)
    robot = replace(ROBOTS["one"], joints=(ROBOT.joints[0], screw, *ROBOT.joints[2:]))
    with pytest.raises(UnsupportedCoupling, match="'to_b' is coupled and screw"):
        ub.to_pinocchio(robot)
    fixed = replace(ROBOT.joint("to_a"), kind="fixed")
    with pytest.raises(UnsupportedCoupling, match="'to_b'"):
        ub.to_pinocchio(replace(ROBOTS["one"], joints=(fixed, *ROBOT.joints[1:])))


def test_algorithms_without_mimicking_joints_say_so() -> None:
    made = ub.to_pinocchio(ROBOTS["one"])
    q, zero = pin.neutral(made.model), np.zeros(made.model.nv)
    for algorithm in (pin.aba, pin.computeRNEADerivatives):
        with pytest.raises(Exception, match="Mimic"):
            algorithm(made.model, made.data, q, zero, zero)
