"""Inverse kinematics: what is reachable is reached, the rest says why not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.shared import DEV

import unibody as ub
from unibody.mechanism import Mechanism
from unibody.mechanism.inverse_kinematics import Target
from unibody.mechanism.sampling import uniform
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Joint, Limits, Link, Loop, Robot

CORPUS = DEV
PA10 = CORPUS / "choreonoid+choreonoid/share/model/PA10/PA10.body"


def planar(*lengths: float, limit: float = 3.0) -> Mechanism:
    """An arm in the plane; link i is ``lengths[i]`` long, the tool at the end of the last."""
    links = tuple(Link(name=f"l{i}") for i in range(len(lengths) + 2))
    axes = [0.0, *lengths]
    joints = [
        Joint(
            name=f"j{i}",
            kind="revolute",
            parent=f"l{i}",
            child=f"l{i + 1}",
            origin=Pose((axes[i], 0.0, 0.0)),
            limits=Limits(position=(-limit, limit)),
        )
        for i in range(len(lengths))
    ]
    last = len(lengths)
    tool = Joint(
        name="tool",
        kind="fixed",
        parent=f"l{last}",
        child=f"l{last + 1}",
        origin=Pose((lengths[-1], 0.0, 0.0)),
    )
    return ub.assemble(Robot(name="arm", links=links, joints=(*joints, tool), base="fixed"))


@pytest.mark.usefixtures("shared")
def test_reachable_poses_of_a_real_arm() -> None:
    m = ub.assemble(ub.load(PA10))
    rng = np.random.default_rng(7)
    wanted = m.pose(uniform(m.tree, rng, np.broadcast_to(m.initial, (200, m.nq))), "J7")
    found = m.inverse_kinematics("J7", wanted)
    assert found.converged.mean() >= 0.99
    good = found.converged
    assert np.abs(m.pose(found.q, "J7") - wanted)[good].max() < 1e-5
    assert (found.q >= m.lower).all()
    assert (found.q <= m.upper).all()
    assert (found.why[good] == "").all()


def test_a_position_alone_and_an_orientation_alone() -> None:
    m = planar(1.0, 1.0, 0.5)
    goal = Pose((0.7, 1.1, 0.0)).matrix()
    found = m.inverse_kinematics("l4", goal, orientation=False)
    assert found.converged
    assert m.pose(found.q, "l4")[:3, 3] == pytest.approx([0.7, 1.1, 0.0], abs=1e-6)
    turn = m.pose([0.3, 0.4, 0.5], "l4")
    turned = m.inverse_kinematics("l4", turn, position=False)
    assert turned.converged
    assert np.abs(m.pose(turned.q, "l4") - turn)[:3, :3].max() < 1e-6


def test_several_targets_at_once() -> None:
    m = planar(1.0, 1.0, 0.5, 0.5)
    q = np.array([0.3, -0.5, 0.9, 0.2])
    poses = m.forward_kinematics(q)
    targets = [
        Target(frame="l2", pose=poses[2], orientation=False),
        Target(frame="l5", pose=poses[5], orientation=False),
    ]
    found = m.inverse_kinematics(targets)
    assert found.converged
    made = m.forward_kinematics(found.q)
    assert np.abs(made[[2, 5], :3, 3] - poses[[2, 5], :3, 3]).max() < 1e-5


def test_why_it_did_not_converge() -> None:
    m = planar(1.0, 1.0)
    far = m.inverse_kinematics("l3", Pose((3.0, 0.0, 0.0)).matrix(), orientation=False, restarts=2)
    assert (bool(far.converged), str(far.why)) == (False, "out of reach")
    # the nearest that it can be: stretched
    assert m.pose(far.q, "l3")[:3, 3] == pytest.approx([2.0, 0.0, 0.0], abs=1e-3)
    stiff = planar(1.0, 1.0, limit=0.1)
    held = stiff.inverse_kinematics("l3", Pose((0.0, 1.5, 0.0)).matrix(), orientation=False, restarts=2)
    assert (bool(held.converged), str(held.why)) == (False, "limits")
    assert (np.abs(held.q) <= 0.1).all()


def test_without_limits_it_goes_beyond_them() -> None:
    stiff = planar(1.0, 1.0, limit=0.1)
    found = stiff.inverse_kinematics("l3", Pose((0.0, 1.5, 0.0)).matrix(), orientation=False, limits=False)
    assert found.converged


def test_a_posture_where_the_target_leaves_it_free() -> None:
    m = planar(1.0, 1.0, 1.0)
    goal = Pose((1.5, 0.5, 0.0)).matrix()
    for posture in (0.4, 1.2):
        found = m.inverse_kinematics(
            "l4", goal, orientation=False, posture={"j0": posture, "j1": 0.0, "j2": 0.0}
        )
        assert found.converged
        # no motion that keeps the tool where it is comes nearer
        free = np.linalg.svd(m.jacobian(found.q, "l4")[:2])[2][-1]
        assert abs(free @ (np.array([posture, 0.0, 0.0]) - found.q)) < 1e-3


def test_coupled_joints_follow() -> None:
    m = planar(1.0, 1.0, 1.0)
    robot = replace(m.robot, couplings=(Coupling(joint="j2", leader="j1", ratio=-0.5, offset=0.1),))
    coupled = ub.assemble(robot)
    goal = coupled.pose(coupled.apply_couplings([0.4, 0.8, 0.0]), "l4")
    found = coupled.inverse_kinematics("l4", goal, orientation=False)
    assert found.converged
    assert found.q[2] == pytest.approx(-0.5 * found.q[1] + 0.1)


def test_half_a_turn_is_turned() -> None:
    m = planar(1.0, 1.0, 0.5, limit=3.2)
    goal = m.pose([np.pi / 2, np.pi / 2 - 1e-9, 0.0], "l4")
    found = m.inverse_kinematics("l4", goal)
    assert found.converged


def test_the_same_seed_gives_the_same_answer() -> None:
    m = planar(1.0, 1.0, 0.5)
    goals = m.pose(np.random.default_rng(0).uniform(-3, 3, (50, 3)), "l4")
    first, second = m.inverse_kinematics("l4", goals, seed=4), m.inverse_kinematics("l4", goals, seed=4)
    assert (first.q == second.q).all()


def test_wrong_targets_are_told_of() -> None:
    m = planar(1.0)
    with pytest.raises(ValueError, match="position, an orientation"):
        m.inverse_kinematics("l2", np.eye(4), position=False, orientation=False)
    with pytest.raises(ValueError, match=r"\(3,\)"):
        m.inverse_kinematics("l2", np.zeros(3))
    with pytest.raises(KeyError, match="l9"):
        m.inverse_kinematics("l9", np.eye(4))
    with pytest.raises(ValueError, match="no target"):
        m.inverse_kinematics([])


def test_what_is_held_stays() -> None:
    m = planar(1.0, 1.0, 0.5)
    start = np.array([0.2, 0.7, -0.3])
    goal = m.pose([0.2, 1.1, 0.4], "l4")
    found = m.inverse_kinematics("l4", goal, start, orientation=False, locked=("j0",))
    assert found.converged
    assert found.q[0] == 0.2
    free = ub.assemble(replace(m.robot, base="free"))
    away = m.pose([0.2, 1.1, 0.4], "l4")
    stays = free.inverse_kinematics("l4", away, orientation=False, locked=("l0",))
    assert stays.converged
    assert stays.q[:7].tolist() == [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    with pytest.raises(KeyError, match="j9"):
        m.inverse_kinematics("l4", away, locked=("j9",))


def with_fingers(m: Mechanism) -> Mechanism:
    """The arm with two fingers on its last link but one; the second follows the first."""
    fingers = [
        Joint(
            name=f"f{i}", kind="revolute", parent="l1", child=f"finger{i}", limits=Limits(position=(-1, 1))
        )
        for i in range(2)
    ]
    return ub.assemble(
        replace(
            m.robot,
            links=(*m.robot.links, Link(name="finger0"), Link(name="finger1")),
            joints=(*m.robot.joints, *fingers),
            couplings=(Coupling(joint="f1", leader="f0", ratio=-1.0),),
        )
    )


@pytest.mark.slow
def test_only_joints_that_move_the_target_change() -> None:
    m = with_fingers(planar(1.0, 1.0, 0.5))
    rng = np.random.default_rng(3)
    start = m.apply_couplings(rng.uniform(-0.5, 0.5, (20, 5)))
    wanted = m.pose(rng.uniform(-3, 3, (20, 5)), "l4")
    wanted[::2, :2, 3] *= 3.0  # some out of reach, so that every restart is taken
    found = m.inverse_kinematics("l4", wanted, start)
    assert (found.tries > 1).any()
    fingers = [int(m.idx_q[m.joint_names.index(name)]) for name in ("f0", "f1")]
    assert (found.q[:, fingers] == start[:, fingers]).all()


def test_a_coupling_or_loop_through_a_target_joint_moves_its_other_joints() -> None:
    m = with_fingers(planar(1.0, 1.0, 0.5))
    found = m.inverse_kinematics("finger1", m.pose([1.0, 0.0, 0.0, 0.5, -0.5], "finger1"))
    assert found.converged
    assert found.q[3] == pytest.approx(-found.q[4])
    assert found.q[1:3].tolist() == [0.0, 0.0]
    anchors = Loop(name="loop", link_a="l4", link_b="finger0", pose_b=Pose((2.0, 0.0, 0.0)))
    closed = ub.assemble(replace(m.robot, loops=(anchors,)))
    found = closed.inverse_kinematics(
        "finger0", closed.pose(closed.close_loops([0.3, 0.4, 0.5, 0.2, 0]).q, "finger0")
    )
    assert found.converged
    assert np.abs(found.q[1:3]).min() > 0.0


def test_near_solutions_come_first() -> None:
    m = planar(1.0, 1.0, 0.5, limit=60.0)
    rng = np.random.default_rng(5)
    start = rng.uniform(-1, 1, (40, 3))
    found = m.inverse_kinematics("l4", m.pose(start + rng.uniform(-0.5, 0.5, (40, 3)), "l4"), start)
    assert found.converged.all()
    assert np.abs(found.q - start).max() < 2 * np.pi
