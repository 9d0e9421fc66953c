"""Motions from CSV, JSON, plans and arrays, and their errors."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.view.test_data import array, header

from unibody.mechanism import Mechanism, assemble
from unibody.model.pose import Pose
from unibody.model.robot import Frame, Joint, Limits, Link, Robot
from unibody.page.data import Extras, Shown, pages_data
from unibody.page.motion import MotionError, array_motion, plan_motion, read_motion


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


def test_csv(mechanism: Mechanism) -> None:
    motion = read_motion("time,shoulder,lift\n0,0.5,1\n0.5,1,2\n", "a.csv", mechanism)
    assert motion.columns == (("shoulder", 0), ("lift", 0))
    assert motion.times.tolist() == [0.0, 0.5]
    assert motion.values.tolist() == [[0.5, 1.0], [1.0, 2.0]]


def test_csv_with_units_and_other_separators_without_times(mechanism: Mechanism) -> None:
    motion = read_motion("\ufefflift [mm];shoulder[deg]\n100;180\n\n200;90\n", "a.csv", mechanism)
    assert motion.times.tolist() == pytest.approx([0.0, 0.1])
    assert motion.values[0].tolist() == pytest.approx([0.1, math.pi])


def test_joints_with_several_positions_have_several_columns(mechanism: Mechanism) -> None:
    text = "t,wrist.0,wrist.1,wrist.2,wrist.3\n0,1,0,0,0\n"
    assert read_motion(text, "a.csv", mechanism).columns == tuple(("wrist", i) for i in range(4))
    # The root link's name moves the base.
    assert read_motion("root.2\n0.5\n", "a.csv", mechanism).columns == (("root", 2),)


@pytest.mark.parametrize(
    "data",
    [
        {"time": [0, 1], "shoulder": [0.25, 0.5], "lift": [1, 2]},
        [{"time": 0, "shoulder": 0.25, "lift": 1}, {"time": 1, "shoulder": 0.5, "lift": 2}],
        {
            "joint_names": ["shoulder", "lift"],
            "points": [
                {"positions": [0.25, 1], "time_from_start": 0},
                {"positions": [0.5, 2], "time_from_start": {"sec": 0, "nanosec": 1_000_000_000}},
            ],
        },
    ],
)
def test_json_has_lists_rows_or_points(data: object, mechanism: Mechanism) -> None:
    motion = read_motion(json.dumps(data), "a.json", mechanism)
    assert motion.columns == (("shoulder", 0), ("lift", 0))
    assert motion.times.tolist() == [0.0, 1.0]
    assert motion.values.tolist() == [[0.25, 1.0], [0.5, 2.0]]


POINTS = "{joint_names: [shoulder], points: [{positions: [0.25], time_from_start: {sec: 2}}]}"


@pytest.mark.parametrize(
    "text",
    [
        f"trajectory: {POINTS}",
        f"joint_trajectory: {POINTS}",
        f"goal: {{trajectory: {POINTS}}}",
        f"trajectory: [{{joint_trajectory: {POINTS}}}]",
    ],
)
def test_a_trajectory_may_be_inside_of_another_message(text: str, mechanism: Mechanism) -> None:
    text = text.replace("{joint_names", "{\n  joint_names")
    motion = read_motion(text, "a.yaml", mechanism)
    assert (motion.times.tolist(), motion.values.tolist()) == ([2.0], [[0.25]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("time,shoulder\n", "the motion has no rows"),
        ("time\n0\n", "but no joints"),
        ("shoulders\n1\n", "no joint 'shoulders'; did you mean 'shoulder'?"),
        ("shoulder\nup\n", "row 1: 'up' is not a number"),
        ("shoulder\nnan\n", "not a finite number"),
        ("shoulder,lift\n1\n", "row 1 has 1 value; the names are 2"),
        ("time,shoulder\n1,0\n0,1\n", "decreases at row 2"),
        ("shoulder,shoulder\n1,2\n", "two columns"),
        ("wrist\n1\n", "write wrist.0 to wrist.3"),
        ("wrist.4\n1\n", "takes 4 numbers"),
        ("{", "not JSON"),
        ("[1]", "expected an object"),
        ('{"a": 1}', "expected an object"),
        ('{"shoulder": [1], "lift": []}', "differ in length"),
        ('[{"shoulder": 1}, {}]', "have no 'shoulder'"),
        ('{"joint_names": 1, "points": []}', "must be lists"),
        ('{"joint_names": [], "points": [3]}', "points[0] has no list"),
        ('{"shoulder": [true]}', "not a number"),
        ('{"shoulder": [1e999]}', "not a finite number"),
        ("[" * 100_000, "not JSON"),
        ("a" * 200_000 + "\n1\n", "not CSV"),
        ("a" * 100_000 + "\n1\n", "no joint"),
    ],
)
def test_errors(text: str, message: str, mechanism: Mechanism) -> None:
    with pytest.raises(MotionError) as caught:
        read_motion(text, "a.csv", mechanism)
    assert message in str(caught.value)


def test_too_many_rows_are_rejected(mechanism: Mechanism, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unibody.page.motion._MAX_VALUES", 3)
    with pytest.raises(MotionError, match="too many"):
        read_motion("shoulder,lift\n1,2\n3,4\n", "a.csv", mechanism)


def test_plan_is_piecewise_linear(mechanism: Mechanism) -> None:
    motion = plan_motion([[0.0, 0.5], [1.0, 0.5], [1.0, 0.0]], "a.pln", mechanism)
    # Every coordinate crosses its range in two seconds.
    assert motion.times[-1] == pytest.approx(3.0)
    shoulder = motion.values[:, motion.columns.index(("shoulder", 0))]
    lift = motion.values[:, motion.columns.index(("lift", 0))]
    assert (shoulder[0], shoulder[-1], lift[0], lift[-1]) == (-1.0, 3.0, 1.0, -1.0)
    assert np.abs(np.diff(shoulder)).max() < 0.04
    with pytest.raises(MotionError):
        plan_motion([[0.0]], "a.pln", mechanism)


def test_plan_trace_agrees_with_the_library() -> None:
    frame = Frame(name="tip", link="lower", trace=True, pose=Pose((0.1, 0.0, 0.2)))
    mechanism = assemble(replace(arm(), frames=(frame,)))
    points = [[0.0, 0.5], [0.7, 0.9], [0.2, 0.0]]
    motion = plan_motion(points, "a.pln", mechanism)
    poses = mechanism.forward_kinematics(motion.values)[:, mechanism.link_names.index("lower")]
    path = poses[:, :3, :3] @ np.array(frame.pose.xyz) + poses[:, :3, 3]
    assert np.abs(path - mechanism.trace(points, 0.01)["tip"]).max() < 1e-12


def test_arrays_are_configurations(mechanism: Mechanism) -> None:
    motion = array_motion(np.zeros((3, 6)), mechanism)
    assert motion.times.tolist() == pytest.approx([0.0, 0.1, 0.2])
    assert len(motion.columns) == 6
    free = assemble(arm("free"))
    assert array_motion(np.zeros((1, 13)), free).columns[:7] == tuple(("root", i) for i in range(7))
    with pytest.raises(MotionError, match=r"expected \(k, 6\)"):
        array_motion([[0.0]], mechanism)
    with pytest.raises(MotionError, match="times and rows differ"):
        array_motion(np.zeros((2, 6)), mechanism, [0.0])
    with pytest.raises(MotionError, match="finite"):
        array_motion(np.full((1, 6), math.nan), mechanism)


def test_packed_motion(mechanism: Mechanism) -> None:
    motion = read_motion("time,lift,root.0\n0,1,2\n1,3,4\n", "a.csv", mechanism)
    page = pages_data([Shown(robot=arm())], extras=Extras(motion=motion))
    data = header(page)["motion"]
    assert (data["name"], data["columns"]) == ("a.csv", [[1, 0], [-1, 0]])
    assert array(page, data["values"]).tolist() == [1, 2, 3, 4]
    assert array(page, data["times"]).tolist() == [0, 1]
    # Unix times do not fit into 32-bit floats.
    motion = read_motion("time,lift\n1700000000.25,1\n1700000000.5,3\n", "a.csv", mechanism)
    page = pages_data([Shown(robot=arm())], extras=Extras(motion=motion))
    data = header(page)["motion"]
    assert (data["begin"], array(page, data["times"]).tolist()) == (1700000000.25, [0, 0.25])


def test_poses_are_checked() -> None:
    for pose, error in (({"elbow": 1.0}, KeyError), ({"wrist": 1.0}, ValueError)):
        with pytest.raises(error):
            pages_data([Shown(robot=arm())], extras=Extras(pose=pose))
    page = pages_data([Shown(robot=arm())], extras=Extras(pose={"lift": 0.5, "wrist": (1, 0, 0, 0)}))
    assert header(page)["pose"] == [[1, [0.5]], [2, [1, 0, 0, 0]]]


def test_hostile_files_are_rejected_quickly(mechanism: Mechanism, tmp_path: Path) -> None:
    for text in (
        "\0" * 10_000,
        '"' * 10_001,
        ",".join("x" * 50_000),
        '{"a": [' + "1," * 10_000 + "1]}",
        f"lift{' ' * 120_000}x\n1",
        "lift\n1e39",
        "time,lift\n-1.7e308,1\n1.7e308,1",
    ):
        with pytest.raises(MotionError) as said:
            read_motion(text, "a.csv", mechanism)
        assert len(str(said.value)) < 1000
