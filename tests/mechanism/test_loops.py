"""Closed loops: the equations and their derivatives, closing, degrees of freedom, constrained motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mechanism.robots import heavy_robot, state
from tests.sampling import few
from tests.shared import DEV

import unibody as ub
from unibody.mechanism import Mechanism
from unibody.mechanism.loops import bias, jacobian, residual
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import BALL, FIXED, HINGE, PISTON, XY, Coupling, Joint, Link, Loop, Robot, Z

CORPUS = DEV
SAMPLES = (
    "choreonoid+choreonoid/share/model/misc/ClosedLinkSample.body",
    "fkanehiro+openhrp3/sample/model/closed-link-sample.wrl",
)
HOLDS = (BALL, HINGE, FIXED, PISTON, XY, Z)


def bound(seed: int) -> Mechanism:
    """A random tree with one loop of each kind between random links."""
    robot = heavy_robot(seed, 3 + seed % 8)
    rng = np.random.default_rng(seed)
    made = []
    for number, holds in enumerate(HOLDS):
        a, b = rng.choice(len(robot.links), 2, replace=False)
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        poses = [Pose(tuple(rng.normal(size=3).tolist()), from_rpy(*rng.normal(size=3))) for _ in range(2)]
        made.append(
            Loop(
                name=f"loop{number}",
                link_a=robot.links[a].name,
                link_b=robot.links[b].name,
                pose_a=poses[0],
                pose_b=poses[1],
                axis=tuple(axis.tolist()),
                holds=holds,
            )
        )
    return ub.assemble(replace(robot, loops=tuple(made)))


def four_bar(lengths: tuple[float, float, float, float] = (1.0, 0.4, 0.9, 0.7)) -> Mechanism:
    """A ground link, a crank, a rod on the crank, and a rocker on the ground; rod and rocker meet."""
    ground, crank, rod, rocker = lengths
    links = tuple(Link(name=n) for n in ("ground", "crank", "rod", "rocker"))
    joints = (
        Joint(name="drive", kind="revolute", parent="ground", child="crank"),
        Joint(name="elbow", kind="revolute", parent="crank", child="rod", origin=Pose((crank, 0.0, 0.0))),
        Joint(name="pivot", kind="revolute", parent="ground", child="rocker", origin=Pose((ground, 0, 0))),
    )
    meet = Loop(
        name="meet",
        link_a="rod",
        link_b="rocker",
        pose_a=Pose((rod, 0.0, 0.0)),
        pose_b=Pose((rocker, 0.0, 0.0)),
        holds=HINGE,
    )
    return ub.assemble(Robot(name="four_bar", links=links, joints=joints, loops=(meet,)))


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_the_jacobian_is_the_rate_of_the_residual(seed: int) -> None:
    m = bound(seed)
    q, v, _ = state(m, seed, (3,))
    h = 1e-6
    ahead, behind = (
        residual(m.tree, m.loops, m.integrate(q, h * v)),
        residual(m.tree, m.loops, m.integrate(q, -h * v)),
    )
    found = np.einsum("bij,bj->bi", jacobian(m.tree, m.loops, q), v)
    assert np.abs(found - (ahead - behind) / (2 * h)).max() < 1e-7 * (1.0 + np.abs(found).max())


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_the_bias_is_the_rate_of_the_jacobian(seed: int) -> None:
    m = bound(seed)
    q, v, _ = state(m, seed, (2,))
    h = 1e-6
    rates = [
        np.einsum("bij,bj->bi", jacobian(m.tree, m.loops, m.integrate(q, s * h * v)), v) for s in (1, -1)
    ]
    found = bias(m.tree, m.loops, q, v)
    assert np.abs(found - (rates[0] - rates[1]) / (2 * h)).max() < 1e-6 * (1.0 + np.abs(found).max())


def test_the_residual_is_zero_where_anchors_meet() -> None:
    m = four_bar()
    # crank along x, rod and rocker meet by the law of cosines
    angle = np.arccos((0.6**2 + 0.9**2 - 0.7**2) / (2 * 0.6 * 0.9))
    other = np.pi - np.arccos((0.6**2 + 0.7**2 - 0.9**2) / (2 * 0.6 * 0.7))
    assert np.abs(residual(m.tree, m.loops, np.array([[0.0, angle, other]]))).max() < 1e-12


def test_a_crank_goes_all_the_way_round() -> None:
    m = four_bar()
    q = m.close_loops(np.array([0.0, 0.8, 2.0]), locked=("drive",), tolerance=1e-9).q
    for angle in np.linspace(0.0, 2.0 * np.pi, 73):
        q = np.array([angle, q[1], q[2]])
        found = m.close_loops(q, locked=("drive",), tolerance=1e-9)
        assert found.closed
        assert found.q[0] == angle
        assert found.gap.max() < 1e-9
        q = found.q


def test_closing_goes_to_the_nearest_configuration() -> None:
    """The way back to the start changes no equation: it is square to what is free to move."""
    m = four_bar()
    start = np.array([0.2, 0.9, 2.2])
    found = m.close_loops(start, tolerance=1e-10)
    assert found.closed
    free = np.linalg.svd(jacobian(m.tree, m.loops, found.q[None])[0])[2][-1]
    assert abs(free @ (start - found.q)) < 1e-8


def test_a_loop_out_of_reach_stays_as_near_as_it_can() -> None:
    m = four_bar((3.0, 0.4, 0.9, 0.7))
    found = m.close_loops(np.zeros(3), tolerance=1e-9)
    assert not found.closed
    assert not found.settled or found.gap[0] > 0.99
    assert np.isfinite(found.q).all()


def test_couplings_are_closed_too() -> None:
    links = tuple(Link(name=n) for n in ("palm", "left", "right"))
    joints = tuple(Joint(name=n, kind="prismatic", parent="palm", child=n) for n in ("left", "right"))
    mimic = Coupling(joint="right", leader="left", ratio=-2.0, offset=0.1)
    m = ub.assemble(Robot(name="hand", links=links, joints=joints, couplings=(mimic,)))
    found = m.close_loops(np.array([[0.3, 0.0], [0.0, 0.1]]), locked=("left",), tolerance=1e-12)
    assert found.closed.all()
    assert found.q == pytest.approx(np.array([[0.3, -0.5], [0.0, 0.1]]))
    assert m.mobility([0.0, 0.1]).degrees == 1


def test_batches_of_every_shape() -> None:
    m = four_bar()
    q = np.zeros((2, 0, 3))
    assert m.close_loops(q, tolerance=1e-9).q.shape == (2, 0, 3)
    assert m.close_loops(np.zeros((2, 3, 3))).closed.shape == (2, 3)
    assert m.loop_residual([0.0, 0.8, 2.0]).shape == (5,)
    assert m.loop_jacobian([0.0, 0.8, 2.0]).shape == (5, 3)


def test_degrees_of_freedom_by_rank() -> None:
    m = four_bar()
    q = m.close_loops([0.5, 0.8, 2.0]).q
    found = m.mobility(q, prefer=("pivot",))
    assert (found.degrees, found.independent, found.dependent) == (1, (2,), (0, 1))
    assert m.mobility(q, prefer=("drive",)).independent == (0,)
    assert ub.assemble(replace(m.robot, loops=())).mobility(q).degrees == 3


def test_an_unknown_joint_is_named() -> None:
    with pytest.raises(KeyError, match="drvie"):
        four_bar().close_loops([0.0, 0.0, 0.0], locked=("drvie",))


@pytest.mark.parametrize("name", few(SAMPLES, 1))
@pytest.mark.usefixtures("shared")
def test_the_samples_stay_closed_through_the_range_of_their_drive(name: str) -> None:
    path = CORPUS / name
    robot = ub.read(path).robot
    assert robot is not None
    m = ub.assemble(robot)
    q = m.initial
    low, high = max(m.lower[0], -np.pi), min(m.upper[0], np.pi)
    ways = (np.linspace(0.0, high, 60), np.linspace(0.0, low, 60))
    for way in ways:
        q = m.initial
        for angle in way:
            found = m.close_loops(np.array([angle, *q[1:]]), locked=("J0",))
            # The Body sample's anchors lie 40 mm apart along its hinge, which no motion changes.
            assert found.settled
            across = np.abs(found.residual[:2]).max()
            assert across < 1e-9
            q = found.q


@pytest.mark.parametrize("seconds", [0.3, pytest.param(5.0, marks=pytest.mark.slow)])
def test_constrained_motion_keeps_loops_and_energy(seconds: float) -> None:
    """A free four-bar under gravity, by Runge and Kutta with 2 ms: first down, then several swings."""
    robot = four_bar().robot
    links = tuple(
        replace(link, inertial=ub.model.inertia.Inertial(mass=1.0, com=(0.3, 0, 0), inertia=DIAGONAL))
        for link in robot.links
    )
    tilted = replace(robot, links=links, pose=Pose((0, 0, 0), from_rpy(np.pi / 2, 0.0, 0.0)))
    m = ub.assemble(tilted)
    q, v = m.close_loops([0.5, 0.8, 2.0]).q, np.zeros(3)
    before = m.energy(q, v).sum()

    def rate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return m.constrained_dynamics(q, v, np.zeros(3))[0]

    h, gap, drift = 2e-3, 0.0, 0.0
    for _ in range(round(seconds / h)):
        a1 = rate(q, v)
        a2 = rate(q + h / 2 * v, v + h / 2 * a1)
        a3 = rate(q + h / 2 * v + h * h / 4 * a1, v + h / 2 * a2)
        a4 = rate(q + h * v + h * h / 2 * a2, v + h * a3)
        q = q + h * v + h * h / 6 * (a1 + a2 + a3)
        v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        gap = max(gap, float(np.abs(m.loop_residual(q)).max()))
        drift = max(drift, abs(float(m.energy(q, v).sum() - before)))
    assert gap < 1e-7
    assert drift < 1e-4 * abs(before) + 1e-6


DIAGONAL = ((0.01, 0.0, 0.0), (0.0, 0.02, 0.0), (0.0, 0.0, 0.02))


def test_a_mechanism_that_cannot_move_is_looked_at_all_the_same() -> None:
    weld = Joint(name="weld", kind="fixed", parent="a", child="b")
    loop = Loop(name="l", link_a="a", link_b="b", pose_a=Pose((0.0, 0.0, 0.04)))
    m = ub.assemble(Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(weld,), loops=(loop,)))
    found = m.close_loops(m.initial)
    assert (bool(found.closed), bool(found.settled)) == (False, True)
    assert found.gap == pytest.approx([0.04])
    assert m.mobility(m.initial).degrees == 0
