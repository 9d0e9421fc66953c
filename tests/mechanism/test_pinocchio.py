"""The Pinocchio model that is made of a mechanism."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.mechanism.robots import apart, heavy, heavy_robot, state
from tests.sampling import few

import unibody as ub
from unibody.mechanism.pinocchio import to_pinocchio
from unibody.model.joint_kind import JointKind
from unibody.model.pose import Pose
from unibody.model.robot import Dynamics, Joint, Limits, Link, Robot
from unibody.text.installation import install_command
from unibody.text.missing import MissingExtra


@pytest.fixture
def pin() -> Any:
    return pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")


@pytest.mark.parametrize("seed", few(range(40), 10))
def test_random_robots_of_all_kinds_of_joints(pin: Any, seed: int) -> None:
    from tests.oracle.pinocchio_side import Side, differences

    mechanism = heavy(seed, 2 + seed % 15)
    made = to_pinocchio(mechanism)
    for number in range(3):
        q, v, a = given = state(mechanism, number)
        there = (q[made.q_order], v[made.v_order], a[made.v_order])
        side = Side(pin, made.model, *there, made.v_order)
        assert {word: by for word, by in differences(mechanism, given, side) if not by < 1e-9} == {}


@pytest.mark.parametrize("seed", range(12))
def test_configurations_go_there_and_back(pin: Any, seed: int) -> None:
    mechanism = heavy(seed, 2 + seed % 15)
    made = to_pinocchio(mechanism)
    q, v, _ = state(mechanism, seed)
    assert np.array_equal(q[made.q_order][made.q_back], q)
    assert np.array_equal(v[made.v_order][made.v_back], v)
    if not mechanism.nv:
        return
    moved = pin.integrate(made.model, q[made.q_order], v[made.v_order])
    # Pinocchio may give the other sign of a quaternion
    assert np.abs(mechanism.difference(moved[made.q_back], mechanism.integrate(q, v))).max() < 1e-12
    back = pin.difference(made.model, q[made.q_order], moved)
    assert apart(back[made.v_back], mechanism.difference(q, mechanism.integrate(q, v))) < 1e-12


def test_names_order_frames_and_numbers(pin: Any) -> None:
    kinds: dict[str, JointKind] = {
        "right": "revolute",
        "left": "prismatic",
        "tip": "planar",
        "weld": "fixed",
    }
    below = {"right": "root", "left": "root", "tip": "right_link", "weld": "left_link"}
    dynamics = Dynamics(damping=2.0, friction=0.5)
    limits = Limits(position=(-1.0, 2.0), velocity=(-3.0, 4.0), effort=(-5.0, 6.0))
    joints = tuple(
        Joint(
            name=name, kind=kind, parent=below[name], child=f"{name}_link", limits=limits, dynamics=dynamics
        )
        for name, kind in kinds.items()
    )
    links = tuple(Link(name=name) for name in ("root", *(joint.child for joint in joints)))
    frame = heavy_robot(1, 3).frames[0]
    robot = Robot(
        name="fork", links=links, joints=joints, base="free", frames=(replace(frame, link="weld_link"),)
    )
    made = to_pinocchio(ub.assemble(robot))
    assert list(made.model.names) == ["universe", "root_joint", "right", "tip", "left"]
    assert made.q_order.tolist() == [0, 1, 2, 4, 5, 6, 3, 7, 9, 10, 11, 8]
    assert made.v_order.tolist() == [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 7]
    assert made.model.damping.tolist() == [0.0] * 6 + [2.0] * 5
    assert made.model.upperPositionLimit[[7, 11]].tolist() == [2.0, 2.0]
    assert made.model.lowerPositionLimit[[7, 11]].tolist() == [-1.0, -1.0]
    assert made.model.gravity.linear.tolist() == [0.0, 0.0, -9.80665]
    for name, kind in (
        ("weld_link", "BODY"),
        ("weld", "FIXED_JOINT"),
        ("tip", "JOINT"),
        ("tool", "OP_FRAME"),
    ):
        assert made.model.existFrame(name, getattr(pin.FrameType, kind)), name


def test_a_joint_may_have_the_name_of_the_free_base(pin: Any) -> None:
    joint = Joint(name="root_joint", kind="revolute", parent="a", child="b")
    robot = Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(joint,), base="free")
    assert list(to_pinocchio(ub.assemble(robot)).model.names) == ["universe", "root_joint_", "root_joint"]


def test_a_fixed_base_stands_where_the_robot_does(pin: Any) -> None:
    robot = Robot(name="r", links=(Link(name="a"),), pose=Pose((1.0, 2.0, 3.0)))
    made = to_pinocchio(ub.assemble(robot))
    pin.framesForwardKinematics(made.model, made.data, np.zeros(0))
    assert made.data.oMf[made.model.getFrameId("a")].translation.tolist() == [1.0, 2.0, 3.0]


def test_without_pinocchio_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pinocchio", None)
    with pytest.raises(
        MissingExtra, match=f"^to_pinocchio needs Pinocchio: {re.escape(install_command('dynamics'))}$"
    ):
        to_pinocchio(heavy(1, 3))
