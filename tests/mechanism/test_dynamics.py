"""Dynamics against the definitions: energies, finite differences, and one function by another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mechanism.robots import apart, heavy, heavy_robot, state

import unibody as ub
from unibody.mechanism.bodies import lump_bodies
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose
from unibody.model.robot import Actuator, Dynamics, Joint, Link, Robot

STEP = 1e-6
SEEDS = range(24)


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_is_that_of_the_kinetic_energy(seed: int) -> None:
    """Σ Jᵀ diag(m, R I Rᵀ) J over the links at their centres of mass, and the rotors."""
    mechanism = heavy(seed)
    q, v, _ = state(mechanism, seed)
    expected = np.diag(mechanism.tree.armature)
    for link in mechanism.robot.links:
        if link.inertial:
            jacobian = mechanism.jacobian(q, (link.name, Pose(link.inertial.com)), None, "local")
            weight = np.zeros((6, 6))
            weight[:3, :3], weight[3:, 3:] = link.inertial.mass * np.eye(3), link.inertial.inertia
            expected += jacobian.T @ weight @ jacobian
    matrix = mechanism.mass_matrix(q)
    assert apart(matrix, expected) < 1e-13
    assert np.array_equal(matrix, matrix.T)
    assert apart(mechanism.energy(q, v)[0], 0.5 * v @ matrix @ v) < 1e-13


@pytest.mark.parametrize("seed", SEEDS)
def test_gravity_forces_are_the_slope_of_the_potential_energy(seed: int) -> None:
    mechanism = heavy(seed)
    q, _, _ = state(mechanism, seed)
    gravity = (1.0, -2.0, 3.0)
    rest = np.zeros(mechanism.nv)
    for k, force in enumerate(mechanism.generalized_gravity(q, gravity)):
        step = STEP * np.eye(mechanism.nv)[k]
        ends = (mechanism.energy(mechanism.integrate(q, sign * step), rest, gravity)[1] for sign in (1, -1))
        slope = (next(ends) - next(ends)) / (2.0 * STEP)
        assert apart(force, slope) < 1e-8


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_dynamics_is_the_sum_of_its_terms(seed: int) -> None:
    mechanism = heavy(seed)
    q, v, a = state(mechanism, seed, (5,))
    terms = np.einsum("bij,bj->bi", mechanism.mass_matrix(q), a)
    terms += mechanism.coriolis_bias(q, v) + mechanism.generalized_gravity(q)
    assert apart(mechanism.inverse_dynamics(q, v, a), terms) < 1e-13


@pytest.mark.parametrize("seed", SEEDS)
def test_power_is_the_rate_of_energy(seed: int) -> None:
    """This ties the Coriolis forces to the mass matrix: they are the only ones that fit."""
    mechanism = heavy(seed)
    q, v, a = state(mechanism, seed)
    power = v @ mechanism.inverse_dynamics(q, v, a)
    ends = [
        mechanism.energy(mechanism.integrate(q, sign * STEP * v), v + sign * STEP * a).sum()
        for sign in (1, -1)
    ]
    assert apart(power, (ends[0] - ends[1]) / (2.0 * STEP)) < 1e-7


@pytest.mark.parametrize("seed", SEEDS)
def test_coriolis_forces_follow_from_the_mass_matrix(seed: int) -> None:
    """Lagrange: Ṁ v − ½ ∂(vᵀ M v)/∂q, for robots whose v is the rate of q."""
    robot = heavy_robot(seed, 2 + seed % 7)
    plain = tuple(replace(j, kind="revolute") if j.kind in ("ball", "free") else j for j in robot.joints)
    mechanism = ub.assemble(replace(robot, joints=plain, base="fixed"))
    q, v, _ = state(mechanism, seed)
    steps = STEP * np.eye(mechanism.nv)
    slopes = (mechanism.mass_matrix(q + steps) - mechanism.mass_matrix(q - steps)) / (2.0 * STEP)
    expected = np.einsum("kij,k,j->i", slopes, v, v) - 0.5 * np.einsum("kij,i,j->k", slopes, v, v)
    assert apart(mechanism.coriolis_bias(q, v), expected) < 1e-7


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_dynamics_undoes_inverse_dynamics(seed: int) -> None:
    mechanism = heavy(seed)
    q, v, a = state(mechanism, seed, (4,))
    external = np.random.default_rng(seed).normal(size=(4, len(mechanism.link_names), 6))
    effort = mechanism.inverse_dynamics(q, v, a, external, (0.3, 0.2, -5.0))
    back = mechanism.forward_dynamics(q, v, effort, external, (0.3, 0.2, -5.0))
    assert apart(back, a) < 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_external_forces_act_at_the_origins_of_links(seed: int) -> None:
    mechanism = heavy(seed)
    q, v, a = state(mechanism, seed)
    external = np.random.default_rng(seed).normal(size=(len(mechanism.link_names), 6))
    jacobians = [mechanism.jacobian(q, link) for link in mechanism.link_names]
    expected = sum(jacobian.T @ force for jacobian, force in zip(jacobians, external, strict=True))
    change = mechanism.inverse_dynamics(q, v, a) - mechanism.inverse_dynamics(q, v, a, external)
    assert apart(change, expected) < 1e-12
    with pytest.raises(
        ValueError, match=rf"external has shape \(6,\); expected \(..., {len(jacobians)}, 6\)"
    ):
        mechanism.inverse_dynamics(q, v, a, external[0])


def test_a_free_body_falls_and_spins_as_euler_says() -> None:
    body = Inertial(
        mass=2.0, com=(0.1, 0.2, 0.3), inertia=((1.0, 0.1, 0.0), (0.1, 2.0, 0.0), (0.0, 0.0, 2.5))
    )
    mechanism = ub.assemble(Robot(name="stone", links=(Link(name="stone", inertial=body),), base="free"))
    q, v, _ = state(mechanism, 1)
    rate = mechanism.forward_dynamics(q, v, np.zeros(6))
    matrix = np.array(body.inertia)
    spin = np.linalg.solve(matrix, -np.cross(v[3:], matrix @ v[3:]))
    assert apart(rate[3:], spin) < 1e-12
    centre = mechanism.acceleration(q, v, rate, ("stone", Pose(body.com)))
    assert apart(centre[:3], (0.0, 0.0, -9.80665)) < 1e-12


def test_far_from_the_origin_no_digits_are_lost() -> None:
    robot = heavy_robot(2, 8)
    mechanism = ub.assemble(replace(robot, base="free"))
    q, v, a = state(mechanism, 1)
    far = q.copy()
    far[:3] += 1e6
    assert apart(mechanism.mass_matrix(far), mechanism.mass_matrix(q)) < 1e-8
    assert apart(mechanism.inverse_dynamics(far, v, a), mechanism.inverse_dynamics(q, v, a)) < 1e-8


def test_rotors_and_passive_forces() -> None:
    given = {
        "turn": Joint(name="turn", kind="revolute", parent="base", child="a",
                      actuator=Actuator(gear_ratio=10.0, rotor_inertia=0.01),
                      dynamics=Dynamics(damping=2.0, friction=0.5, stiffness=3.0, rest=0.25)),
        "slide": Joint(name="slide", kind="prismatic", parent="a", child="b",
                       actuator=Actuator(gear_ratio=10.0, rotor_inertia=0.01, axis_inertia=0.5)),
        "ball": Joint(name="ball", kind="ball", parent="b", child="c", dynamics=Dynamics(damping=1.0)),
    }  # fmt: skip
    links = tuple(Link(name=name) for name in ("base", "a", "b", "c"))
    mechanism = ub.assemble(Robot(name="r", links=links, joints=tuple(given.values())))
    q = np.array([1.25, 0.0, 1.0, 0.0, 0.0, 0.0])
    assert np.diag(mechanism.mass_matrix(q)).tolist() == [1.0, 0.5, 0.0, 0.0, 0.0]
    v = np.array([-2.0, 3.0, 1.0, 2.0, 3.0])
    assert mechanism.passive_forces(q, v).tolist() == [4.0 + 0.5 - 3.0, 0.0, -1.0, -2.0, -3.0]
    assert mechanism.passive_forces(np.tile(q, (2, 1)), v).shape == (2, 5)
    with pytest.raises(ValueError, match="joint 'ball' moves nothing that has mass"):
        mechanism.forward_dynamics(q, v, v)


def test_links_fixed_to_one_another_count_as_one_body() -> None:
    """Welded links give what the same masses give in one link."""
    mechanism = heavy(7, 12)
    lumped = lump_bodies(mechanism.tree)
    assert len(lumped.heads) < len(mechanism.link_names)
    assert apart(lumped.mass.sum(), mechanism.robot.mass) < 1e-14
    for link, body in enumerate(lumped.body_of):
        number = int(mechanism.link_joints[link])
        welded = number >= 0 and mechanism.robot.joints[number].kind in ("fixed", "track")
        assert (lumped.heads[body] == link) is not welded


def test_inertia_that_is_not_symmetric_counts_by_its_symmetric_part() -> None:
    def single(off: float) -> ub.Mechanism:
        own = Inertial(mass=1.0, inertia=((1.0, off, 0.0), (0.2 - off, 2.0, 0.0), (0.0, 0.0, 2.0)))
        return ub.assemble(Robot(name="r", links=(Link(name="r", inertial=own),), base="free"))

    q = state(single(0.0), 3)[0]
    assert apart(single(0.0).mass_matrix(q), single(0.1).mass_matrix(q)) < 1e-15


def test_a_long_chain_needs_no_recursion() -> None:
    count = 400
    weight = Inertial(mass=1.0, inertia=((0.0,) * 3,) * 3)
    links = (Link(name="l0"), *(Link(name=f"l{i}", inertial=weight) for i in range(1, count + 1)))
    joints = tuple(
        Joint(name=f"j{i}", kind="prismatic", parent=f"l{i}", child=f"l{i + 1}") for i in range(count)
    )
    mechanism = ub.assemble(Robot(name="chain", links=links, joints=joints))
    rest = np.zeros(count)
    held = mechanism.generalized_gravity(rest, (0.0, 0.0, -1.0))
    assert held.tolist() == list(range(count, 0, -1))
    assert mechanism.mass_matrix(rest)[0].tolist() == held.tolist()
    assert apart(mechanism.forward_dynamics(rest, rest, held, None, (0.0, 0.0, -1.0)), rest) < 1e-9


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), count=st.integers(2, 16), scale=st.floats(-6.0, 6.0))
def test_random_states_of_random_robots(seed: int, count: int, scale: float) -> None:
    mechanism = heavy(seed, count)
    q, v, a = state(mechanism, seed)
    v, a = v * 10.0**scale, a * 10.0**scale
    effort = mechanism.inverse_dynamics(q, v, a)
    matrix = mechanism.mass_matrix(q)
    bias = mechanism.inverse_dynamics(q, v, 0.0 * a)
    assert apart(matrix @ a + bias, effort) < 1e-12
    assert np.all(np.linalg.eigvalsh(matrix) > -1e-9)
