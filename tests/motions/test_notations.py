"""Notations of motions: tables, trajectories of ROS, and their mistakes."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from unibody.files.access import MemoryFiles
from unibody.mechanism import Mechanism, assemble
from unibody.model.robot import Joint, Limits, Link, Robot
from unibody.motions.motion import Motion, MotionError
from unibody.motions.notations import format_motion, load_motion, read_motion
from unibody.page.motion import playable
from unibody.simulation.control import control_of
from unibody.text.finding import Findings
from unibody.text.limits import ReadLimits


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


def read(text: str, mechanism: Mechanism, name: str = "a.csv") -> Motion:
    return load_motion(name, mechanism, files=MemoryFiles({name: text.encode()}))


def times(motion: Motion) -> list[float]:
    assert motion.times is not None
    return list(motion.times.tolist())


def test_csv(mechanism: Mechanism) -> None:
    motion = read("time,shoulder,lift\n0,0.5,1\n0.5,1,2\n", mechanism)
    assert motion.columns == (("shoulder", 0), ("lift", 0))
    assert times(motion) == [0.0, 0.5]
    assert motion.q.tolist() == [[0.5, 1.0], [1.0, 2.0]]


def test_csv_with_units_and_other_separators_without_times(mechanism: Mechanism) -> None:
    motion = read("\ufefflift [mm];shoulder[deg]\n100;180\n\n200;90\n", mechanism)
    assert motion.times is None
    assert motion.q[0].tolist() == pytest.approx([0.1, math.pi])


def test_joints_with_several_positions_have_several_columns(mechanism: Mechanism) -> None:
    text = "t,wrist.0,wrist.1,wrist.2,wrist.3\n0,1,0,0,0\n"
    assert read(text, mechanism).columns == tuple(("wrist", i) for i in range(4))
    # The root link's name moves the base.
    assert read("root.2\n0.5\n", mechanism).columns == (("root", 2),)


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
    motion = read(json.dumps(data), mechanism, "a.json")
    assert motion.columns == (("shoulder", 0), ("lift", 0))
    assert times(motion) == [0.0, 1.0]
    assert motion.q.tolist() == [[0.25, 1.0], [0.5, 2.0]]


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
    motion = read(text, mechanism, "a.yaml")
    assert (times(motion), motion.q.tolist()) == ([2.0], [[0.25]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("time,shoulder\n", "a.csv:1:1: error: a.csv has no rows"),
        ("time\n0\n", "but no joints"),
        ("shoulders\n1\n", "no joint 'shoulders'; did you mean 'shoulder'?"),
        ("shoulder\nup\n", "a.csv:2:1: error: expected a finite number, got 'up'"),
        ("shoulder\nnan\n", "expected a finite number, got 'nan'"),
        ("shoulder,lift\n1\n", "a.csv:2:1: error: the line has 1 value; expected 2"),
        ("time,shoulder\n1,0\n0,1\n", "a.csv:3:1: error: time 0 s comes after 1 s"),
        ("shoulder,shoulder\n1,2\n", "two columns"),
        ("wrist\n1\n", "write wrist.0 to wrist.3"),
        ("wrist.4\n1\n", "takes 4 numbers"),
        ("{", "not JSON"),
        ("[1]", "expected lists of numbers by name"),
        ("[{}]", "a.csv has no rows"),
        ('{"shoulder": []}', "a.csv has no rows"),
        ('{"a": 1}', "expected lists of numbers by name"),
        ('{"shoulder": [1], "lift": []}', "the list of 'lift' has 0 numbers; expected 1"),
        ('[{"shoulder": 1}, {}]', "'shoulder' in row 2 must be a finite number, got 'None'"),
        ('{"joint_names": 1, "points": []}', "must be lists"),
        ('{"joint_names": ["lift"], "points": [3]}', "points[0] must be a mapping"),
        ('{"shoulder": [true]}', "must be a finite number, got 'True'"),
        ('{"shoulder": [1e999]}', "must be a finite number"),
        ("[" * 100_000, "nested more than 200 levels deep"),
        ("a" * 200_000 + "\n1\n", "no joint"),
        ("a" * 100_000 + "\n1\n", "no joint"),
    ],
)
def test_errors(text: str, message: str, mechanism: Mechanism) -> None:
    with pytest.raises(MotionError) as caught:
        read(text, mechanism)
    assert message in str(caught.value)


def test_too_many_numbers_are_rejected(mechanism: Mechanism) -> None:
    files = MemoryFiles({"a.csv": b"shoulder,lift\n1,2\n3,4\n"}, limits=ReadLimits(numbers=3))
    with pytest.raises(MotionError, match="has 4 numbers, which exceeds the limit 'numbers' of 3"):
        load_motion("a.csv", mechanism, files=files)


def test_hostile_files_are_rejected_quickly(mechanism: Mechanism, tmp_path: Path) -> None:
    for text in (
        "\0" * 10_000,
        '"' * 10_001,
        ",".join("x" * 50_000),
        '{"a": [' + "1," * 10_000 + "1]}",
        f"lift{' ' * 120_000}x\n1",
        "lift\n1e101",
    ):
        with pytest.raises(MotionError) as said:
            read(text, mechanism)
        assert len(str(said.value)) < 1000


def test_a_motion_with_jerks_is_sampled_where_rows_are_joined_otherwise(mechanism: Mechanism) -> None:
    # accelerate, coast and brake, 1 s each
    motion = Motion(
        columns=["shoulder"], q=[[0.0], [0.5], [1.5], [2.0]], times=[0.0, 1.0, 2.0, 3.0],
        velocities=[[0.0], [1.0], [1.0], [0.0]], accelerations=[[1.0], [0.0], [-1.0], [0.0]],
        jerks=[[0.0]] * 4,
    )  # fmt: skip
    control, shown = control_of(motion, mechanism), playable(motion, mechanism)
    for time in (0.137, 0.5, 1.71, 2.5, 2.9):
        exact = motion.at(time).q
        assert control.at(time) == pytest.approx(exact, abs=2e-5)
        assert shown.at(time).q == pytest.approx(exact, abs=2e-5)


def test_sampled_keeps_jumps() -> None:
    motion = Motion(columns=["shoulder"], q=[[0.0], [0.0], [1.0], [1.0]], times=[0.0, 1.0, 1.0, 2.0])
    sampled = motion.sampled(0.25)
    for time in (0.0, 0.9, 1.0, 1.1, 2.0):
        assert sampled.at(time).q == motion.at(time).q


@pytest.mark.parametrize("suffix", [".pos", ".seq", ".yaml", ".npz"])
def test_rates_alone_are_not_written_as_positions(suffix: str, mechanism: Mechanism) -> None:
    rates = Motion(columns=(), q=[[], []], times=[0.0, 1.0], rates=["shoulder"], velocities=[[1.0], [2.0]])
    with pytest.raises(MotionError, match="has no positions"):
        format_motion(rates, mechanism, suffix)


def test_rates_of_some_joints_are_refused_in_a_trajectory(mechanism: Mechanism) -> None:
    motion = Motion(
        columns=["shoulder", "lift"], q=[[0.0, 0.0], [1.0, 1.0]], times=[0.0, 1.0],
        rates=["shoulder"], velocities=[[1.0], [1.0]],
    )  # fmt: skip
    with pytest.raises(MotionError, match=r"needs velocities of joint 'lift', too; write \.csv or \.json"):
        format_motion(motion, mechanism, ".yaml")


def test_a_run_has_no_speeds_of_tracks() -> None:
    belt = Joint(name="belt", kind="track", parent="hand", child="tread")
    robot = replace(arm(), links=(*arm().links, Link(name="tread")), joints=(*arm().joints, belt))
    motion = Motion(columns=["shoulder", "belt"], q=[[0.0, 1.0], [1.0, 1.0]], times=[0.0, 1.0])
    with pytest.raises(MotionError, match="cannot represent the motion of joint 'belt'"):
        format_motion(motion, robot, ".npz")
    still = playable(replace(motion, times=None), assemble(robot))
    assert still.columns == (("shoulder", 0),)


@pytest.mark.parametrize("second", ["", ", velocities: 1", ", velocities: []"])
def test_rates_that_a_point_lacks_are_reported(second: str, mechanism: Mechanism) -> None:
    text = (
        "joint_names: [shoulder]\npoints:\n- {positions: [0], velocities: [1], time_from_start: 0}\n"
        f"- {{positions: [1]{second}, time_from_start: 1}}\n"
    )
    findings = Findings()
    motion = read_motion("a.yaml", mechanism, findings, files=MemoryFiles({"a.yaml": text.encode()}))
    assert motion is not None
    assert motion.velocities is None
    assert [(f.code, f.message) for f in findings] == [
        ("control-ignored", "velocities ignored: points[1] has none")
    ]
    assert findings[0].at is not None
    assert str(findings[0].at).startswith("a.yaml:4")
