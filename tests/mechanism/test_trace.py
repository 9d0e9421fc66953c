"""Trace curves: the paths of trace frames along a plan."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.formats.mpk import Plan
from unibody.mechanism.normalized_space import NormalizedSpaceError
from unibody.model.pose import Pose
from unibody.model.robot import Frame, Joint, Limits, Link, Robot

DEV = Path("corpus/dev/aslali+rrt_kuka_mpk/robots")


def turntable() -> Robot:
    turn = Joint(
        name="turn", kind="revolute", parent="base", child="disc", limits=Limits(position=(0.0, math.pi))
    )
    frames = (
        Frame(name="rim", link="disc", pose=Pose((2.0, 0.0, 1.0)), trace=True),
        Frame(name="hub", link="disc", trace=True),
        Frame(name="mark", link="disc", pose=Pose((1.0, 0.0, 0.0))),
    )
    links = (Link(name="base"), Link(name="disc"))
    return Robot(name="table", links=links, joints=(turn,), frames=frames, pose=Pose((0.0, 0.0, 5.0)))


def test_a_rim_draws_a_circle() -> None:
    found = ub.assemble(turntable()).trace([[0.0], [1.0]], step=0.01)
    assert list(found) == ["rim", "hub"]
    rim = found["rim"]
    assert len(rim) == 129  # 2⁷ pieces of 1/128 < 0.01
    angle = np.linspace(0.0, math.pi, 129)
    expected = np.stack([2 * np.cos(angle), 2 * np.sin(angle), np.full(129, 6.0)], axis=1)
    np.testing.assert_allclose(rim, expected, atol=1e-14)
    assert (found["hub"] == [0.0, 0.0, 5.0]).all()


def test_no_step_of_a_coordinate_is_as_large_as_the_tolerance(shared: Path) -> None:
    mechanism = ub.assemble(ub.load(shared / DEV / "puma.rob"))
    space = mechanism.normalized_space
    plan = np.random.default_rng(2).random((5, 5))
    path = space.path(plan, 0.02)
    found = mechanism.trace(plan, 0.02)["TracePoint"]
    assert len(found) == len(path)
    assert space.largest(path[:-1], path[1:]).max() < 0.02
    link = mechanism.link_names.index("TracePoint")
    poses = mechanism.forward_kinematics(space.to_joints(path))
    assert (found == poses[:, link, :3, 3]).all()


def test_a_plan_can_be_given_as_it_was_read() -> None:
    plan = Plan(points=np.array([[0.0], [0.5], [1.0]]))
    mechanism = ub.assemble(turntable())
    assert (mechanism.trace(plan)["rim"] == mechanism.trace([[0.0], [0.5], [1.0]])["rim"]).all()


def test_wrong_plans_and_steps() -> None:
    mechanism = ub.assemble(turntable())
    with pytest.raises(ValueError, match=r"expected \(1,\)"):
        mechanism.trace([[0.0, 0.5], [1.0, 0.5]])
    with pytest.raises(NormalizedSpaceError, match="positive"):
        mechanism.trace([[0.0], [1.0]], step=0.0)


def test_without_trace_frames_there_is_nothing() -> None:
    mechanism = ub.assemble(Robot(name="stone", links=(Link(name="stone"),)))
    assert mechanism.trace(np.empty((2, 0))) == {}
