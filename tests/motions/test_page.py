"""Motions on the page: plans and arrays, their times, and what cannot be played."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.view.test_data import array, header

from unibody.mechanism import Mechanism, assemble
from unibody.model.pose import Pose
from unibody.model.robot import Frame, Joint, Limits, Link, Robot
from unibody.motions.motion import Motion, MotionError, motion_of
from unibody.motions.plan import path_of
from unibody.page.data import Extras, Shown, pages_data
from unibody.page.motion import playable


def arm(base: str | None = None) -> Robot:
    links = tuple(Link(name=n) for n in ("root", "upper", "lower", "hand"))
    limits = Limits(position=(-1.0, 3.0))
    joints = (
        Joint(name="shoulder", kind="revolute", parent="root", child="upper", limits=limits),
        Joint(name="lift", kind="prismatic", parent="upper", child="lower", limits=limits),
        Joint(name="wrist", kind="ball", parent="lower", child="hand"),
    )
    return Robot(name="arm", links=links, joints=joints, base=base)  # type: ignore[arg-type]


@pytest.fixture
def mechanism() -> Mechanism:
    return assemble(arm())


def played(points: list[list[float]], mechanism: Mechanism) -> Motion:
    return playable(path_of(mechanism, np.array(points)), mechanism)


def test_plan_is_piecewise_linear(mechanism: Mechanism) -> None:
    motion = played([[0.0, 0.5], [1.0, 0.5], [1.0, 0.0]], mechanism)
    assert motion.times is not None
    # Every coordinate crosses its range in two seconds.
    assert motion.times[-1] == pytest.approx(3.0)
    shoulder = motion.q[:, motion.columns.index(("shoulder", 0))]
    lift = motion.q[:, motion.columns.index(("lift", 0))]
    assert (shoulder[0], shoulder[-1], lift[0], lift[-1]) == (-1.0, 3.0, 1.0, -1.0)
    assert np.abs(np.diff(shoulder)).max() < 0.04
    with pytest.raises(MotionError):
        path_of(mechanism, np.array([[0.0]]))


def test_plan_trace_agrees_with_the_library() -> None:
    frame = Frame(name="tip", link="lower", trace=True, pose=Pose((0.1, 0.0, 0.2)))
    mechanism = assemble(replace(arm(), frames=(frame,)))
    points = [[0.0, 0.5], [0.7, 0.9], [0.2, 0.0]]
    motion = played(points, mechanism)
    poses = mechanism.forward_kinematics(motion.q)[:, mechanism.link_names.index("lower")]
    path = poses[:, :3, :3] @ np.array(frame.pose.xyz) + poses[:, :3, 3]
    assert np.abs(path - mechanism.trace(points, 0.01)["tip"]).max() < 1e-12


def test_paths_have_ten_rows_a_second(mechanism: Mechanism) -> None:
    motion = playable(motion_of(mechanism, np.zeros((3, 6))), mechanism)
    assert motion.times is not None
    assert motion.times.tolist() == pytest.approx([0.0, 0.1, 0.2])


def test_what_cannot_be_played(mechanism: Mechanism, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = Motion(columns=[], q=np.zeros((1, 0)), times=[0.0], rates=["lift"], velocities=[[1.0]])
    with pytest.raises(MotionError, match="only positions can be played"):
        playable(rates, mechanism)
    for times, value in (([0.0, 1.0], 1e39), ([-1.7e308, 1.7e308], 1.0)):
        with pytest.raises(MotionError, match="too large to be shown"):
            playable(Motion(columns=["lift"], q=[[value], [0.0]], times=times), mechanism)
    monkeypatch.setattr("unibody.page.motion._MAX_VALUES", 3)
    with pytest.raises(MotionError, match="too many"):
        playable(Motion(columns=["lift", "shoulder"], q=np.zeros((2, 2))), mechanism)


def test_packed_motion(mechanism: Mechanism) -> None:
    columns = [("lift", 0), ("root", 0)]
    motion = Motion(columns=columns, q=[[1.0, 2.0], [3.0, 4.0]], times=[0.0, 1.0], name="a.csv")
    page = pages_data([Shown(robot=arm())], extras=Extras(motion=motion))
    data = header(page)["motion"]
    assert (data["name"], data["columns"]) == ("a.csv", [[1, 0], [-1, 0]])
    assert array(page, data["values"]).tolist() == [1, 2, 3, 4]
    assert array(page, data["times"]).tolist() == [0, 1]
    # Unix times do not fit into 32-bit floats.
    motion = Motion(columns=["lift"], q=[[1.0], [3.0]], times=[1700000000.25, 1700000000.5])
    page = pages_data([Shown(robot=arm())], extras=Extras(motion=motion))
    data = header(page)["motion"]
    assert (data["begin"], array(page, data["times"]).tolist()) == (1700000000.25, [0, 0.25])


def test_poses_are_checked() -> None:
    for pose, error in (({"elbow": 1.0}, KeyError), ({"wrist": 1.0}, ValueError)):
        with pytest.raises(error):
            pages_data([Shown(robot=arm())], extras=Extras(pose=pose))
    page = pages_data([Shown(robot=arm())], extras=Extras(pose={"lift": 0.5, "wrist": (1, 0, 0, 0)}))
    assert header(page)["pose"] == [[1, [0.5]], [2, [1, 0, 0, 0]]]
