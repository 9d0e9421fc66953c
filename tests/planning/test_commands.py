"""``unibody plan`` and ``unibody check-path``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.test_loops import five_bar

ROOT = Path(__file__).resolve().parents[2]
ARM = str(ROOT / "src/unibody/models/arm.rob")
PICKER = str(ROOT / "tests/planning/models/picker.urdf")
POST = """\
<robot name="post">
  <link name="post">
    <collision><geometry><box size="0.05 0.05 0.9"/></geometry></collision>
  </link>
</robot>
"""
FAR = ("--start", "Turn=-30deg,Upper=1", "--goal", "Turn=110deg,Upper=1")


@pytest.fixture
def posts(tmp_path: Path) -> list[str]:
    """Obstacles on both ways around."""
    words = []
    for name, place in (("first", "0.3,0.25,0.45"), ("second", "-0.3,-0.1,0.45")):
        file = tmp_path / f"{name}.urdf"
        file.write_text(POST.replace("post", name))
        words += ["--with", f"{file}@{place}"]
    return words


def test_a_plan_is_written_and_proved(
    posts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix, more in (
        (".pln", ["--no-shorten"]),
        (".csv", ["--no-shorten"]),
        (".yaml", ["--velocity", "1", "--acceleration", "3"]),
    ):
        file = str(tmp_path / f"path{suffix}")
        assert main(["plan", ARM, *posts, *FAR, "-o", file, *more]) == 0
        assert "every line is proved free" in capsys.readouterr().out
        assert main(["check-path", ARM, *posts, file]) == 0
        assert "proved" in capsys.readouterr().out
        assert main(["plan", ARM, *posts, *FAR, "-o", file, *more]) == 2
        assert "already exists" in capsys.readouterr().err
    motion = ub.view(ub.load(ARM), browser=False)
    assert motion.findings is not None
    assert (
        main(["view", ARM, "--motion", str(tmp_path / "path.yaml"), "--html", str(tmp_path / "a.html")])
        == 0
    )


def test_a_path_is_refuted_with_time_and_pair(
    posts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "through.csv"
    file.write_text("time,Turn,Upper\n0,-0.5,1\n2,1.9,1\n5,1.9,1\n")
    assert main(["check-path", ARM, *posts, str(file), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["status"] == "hit"
    assert "first" in said["pair"]
    assert said["segment"] == 0
    assert 0.0 < said["time"] < 2.0
    assert main(["check-path", ARM, *posts, str(file)]) == 1
    assert "touches first at" in capsys.readouterr().out
    plan = tmp_path / "through.pln"
    space = ub.assemble(ub.load(ARM)).normalized_space
    ends = [space.from_joints({"Turn": turn, "Upper": 1.0}).tolist() for turn in (-0.5, 1.9)]
    plan.write_text("".join(f"* {' '.join(map(str, row))}\n" for row in ends))
    assert main(["check-path", ARM, *posts, str(plan)]) == 1


def test_one_configuration_is_tested(posts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-path", ARM, *posts, "--start", "Turn=-30deg,Upper=1"]) == 0
    assert capsys.readouterr().out == "free: nothing touches\n"
    through = ["check-path", ARM, *posts, "--start", "Turn=-0.1,Upper=1"]
    assert main(through) == 1
    assert "touches first" in capsys.readouterr().out
    assert main([*through, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["status"] == "hit"
    assert all("first" in pair for pair in said["pairs"])
    assert main(["check-path", ARM, "--start", "Upper=9"]) == 1
    assert "outside limits: Upper is at 9" in capsys.readouterr().out
    grouped = ["--start", "Upper=1", "--group", "Upper"]
    for words in (
        [],
        ["a.csv", "--start", "Upper=1"],
        ["--start", "Hand@0,0,1"],
        ["--start", "No=1"],
        grouped,
    ):
        assert main(["check-path", ARM, *words]) == 2
        assert "--start" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "code", "message"),
    [
        (
            "a.csv",
            "time,Turn,Upper\n0,0,1\n1,99,99\n",
            1,
            "outside limits at configuration 2: Upper is at 99, its limits are",
        ),
        (
            "a.pln",
            "* 0.5 0.5 0.5 0.5 0.5 1\n* 0.5 0.5 0.5 0.5 1.1 1\n",
            1,
            "outside limits at configuration 2: Hand is at ",
        ),
        ("a.csv", "Turn,Upper\n0,1\n0.1,2.00001\n", 0, "free: 1 motion proved"),
        ("a.csv", "Turn\n0.1\n", 0, "free: one configuration"),
        ("a.pln", "* 0.5 0.5\n", 2, "have 2 coordinates, the model has 6"),
        ("a.pln", "* 0.5 0.5 0.5 0.5 0.5 nan\n", 2, "'nan' is not a number"),
        ("a.csv", "time,Turn\n0,0\n1,nan\n", 2, ":3:3: error: expected a finite number, got 'nan'"),
        ("a.csv", "time,Trun\n0,0\n", 2, "no joint 'Trun'; did you mean 'Turn'?"),
        ("a.csv", "time,Turn\n1,0\n0,0\n", 2, ":3:1: error: time 0 s comes after 1 s"),
        (
            "a.yaml",
            "joint_names: [Turn]\npoints:\n- positions: [0, 1]\n",
            2,
            ":3:14: error: points[0] has 2 numbers of positions; expected 1",
        ),
    ],
)
def test_slips_of_paths_are_told(
    name: str, text: str, code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert main(["check-path", ARM, str(file)]) == code
    out, err = capsys.readouterr()
    assert message in out + err


def test_ends_that_collide_are_told(
    posts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside, outside = "0,1\n", "-0.5,1\n"
    for rows, where in (
        (inside + outside, "on motion 1 of 1, after 0 % of it"),
        (outside + inside, "on motion 1 of 1, after "),
        (inside, "on motion 1 of 1, after 0 % of it"),
    ):
        file = tmp_path / "path.csv"
        file.write_text("Turn,Upper\n" + rows)
        assert main(["check-path", ARM, *posts, str(file)]) == 1
        out = capsys.readouterr().out
        assert "touches first " + where in out
        assert " s, " not in out  # the file has no times


def test_the_result_as_json(posts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", ARM, *posts, *FAR, "--json", "--method", "sbl"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["status"] == "free"
    assert np.shape(said["path"])[1] == len(said["columns"])
    assert said["t"][0][0] == pytest.approx(0.5 - 30.0 / 360.0)
    assert main(["plan", ARM, "--goal", "t:0.9,0.5,0.99,0.01,0.5,1", "--json"]) in (0, 1)
    said = json.loads(capsys.readouterr().out)
    assert (said["reason"] == "") == ("path" in said)


def test_goals_as_poses_and_limits_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", PICKER, "--goal", "tool@0.45,0.1,0.25,180,0,0", "--goal", "elbow=1.2"]) == 0
    out = capsys.readouterr().out
    assert "goal: " in out
    assert "takes " in out
    assert main(["plan", PICKER, "--goal", "tool@5,0,0"]) == 1
    assert "farther away" in capsys.readouterr().out
    assert main(["plan", PICKER, "--goal", "elbow=400"]) == 1
    assert "elbow is at 400, its limits are -2.6 and 2.6 (rad or m)" in capsys.readouterr().out
    assert main(["plan", ARM, "--goal", "Fore=0.5"]) == 0
    assert "no time law: joint 'Fore' has no limit of velocity" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("suffix", "name"), [(".urdf", "ready"), (".xml", "ready"), (".body", "standard_pose")]
)
def test_goals_are_named_by_the_file(
    suffix: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """States of an SRDF beside the URDF, keyframes of MJCF, the standard pose of a Body file."""
    model = str(tmp_path / f"model{suffix}")
    robot = ub.load(PICKER)
    positions = tuple((j.name, 0.5) for j in robot.joints if j.kind == "revolute")
    groups = (ub.Group(name="all", joint_members=tuple(joint for joint, _ in positions)),)
    pose = ub.Configuration(name=name, group="all", positions=positions)
    ub.save(replace(robot, groups=groups, configurations=(pose,)), model)
    assert main(["plan", model, "--goal", name, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["path"][-1][: len(positions)] == pytest.approx([0.5] * len(positions))
    assert main(["plan", model, "--goal", "redy"]) == 2
    assert f"the model has {name}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["plan", ARM], "required"),
        (["plan", ARM, "--goal", "rest"], "unknown configuration 'rest'; the model has none"),
        (["plan", ARM, "--goal", "Fore"], "'Fore' is a joint; expected Fore=VALUE"),
        (["plan", ARM, "--goal", "Tip@1,2"], "expected X,Y,Z[,R,P,Y] after the @"),
        (["plan", ARM, "--goal", "Tpi@1,2,3"], "has no link or frame 'Tpi'; did you mean 'Tip'?"),
        (["plan", ARM, "--goal", "Trun=1"], "no joint 'Trun'"),
        (["plan", ARM, "--goal", "t:0.5"], "6 numbers"),
        (["plan", ARM, "--goal", "Fore=1", "-o", "a.txt"], "written as"),
        (["plan", ARM, "--goal", "Fore=1", "--seed", "-1"], "whole number"),
        (["plan", ARM, "--goal", "Fore=1", "--tree", "Tip"], "--tree requires"),
        (["plan", ARM, "--goal", "Fore=1", "--velocity", "1"], "pass --acceleration"),
        (["plan", ARM, "--goal", "Fore=1", "--with", f"{ARM}@1,2"], "expected X,Y,Z"),
        (["plan", ARM, "--goal", "Fore=1", "--skip", "Fore"], "a link and an obstacle"),
        (["check-path", ARM, "nowhere.csv"], "nowhere.csv"),
        (["check-path", ARM, "nowhere.pln"], "nowhere.pln"),
        (["check-path", ARM, ARM], "the robot has no joint 'joint Column {'"),
    ],
)
def test_wrong_usage_is_told(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_the_page_plays_it(posts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, run = tmp_path / "plan.html", tmp_path / "run.npz"
    words = ["--velocity", "1", "--acceleration", "3", "--tree", "Tip", "--record", str(run)]
    assert main(["plan", ARM, *posts, *FAR, *words, "--html", str(page)]) == 0
    assert page.stat().st_size > 100_000
    from unibody.simulation.record import load_record

    record = load_record(run)
    assert record.sensors["clearance in m"].shape == (len(record), 1)
    assert {"first", "second"} <= {link.name for link in record.robot.links}
    capsys.readouterr()


def test_degrees_without_a_unit_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", ARM, "--goal", "Upper=9"]) == 1
    assert "as degrees it would be within them" in capsys.readouterr().out
    assert main(["plan", ARM, "--goal", "Upper=9000"]) == 1
    assert "choose another goal" in capsys.readouterr().out


def test_the_page_shows_why_there_is_no_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, run = tmp_path / "plan.html", tmp_path / "run.npz"
    words = ["--goal", "Fore=100", "--record", str(run), "--html", str(page)]
    assert main(["plan", ARM, *words]) == 1
    assert "no path: the goal is outside the limits" in capsys.readouterr().out
    assert page.stat().st_size > 100_000
    from unibody.simulation.record import load_record

    record = load_record(run)
    assert record.times.tolist() == [0.0, 1.0]
    assert 100.0 in record.q[1]


@pytest.mark.parametrize(
    "text",
    [
        "joint_names: [Turn\n",
        "joint_names: [Turn]\n",
        "joint_names: [Turn]\npoints: [1, 2]\n",
        "joint_names: &a [*a]\n",
    ],
)
def test_broken_trajectories(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "path.yaml"
    file.write_text(text)
    assert main(["check-path", ARM, str(file)]) == 2
    assert "path.yaml" in capsys.readouterr().err


def test_a_plan_on_closed_loops_is_sampled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, file = str(tmp_path / "five-bar.body"), str(tmp_path / "path.csv")
    robot = five_bar()
    ub.save(robot, model)
    ends = ("--start", "ja0=2.15,ja1=-1.43,jb0=1.51,jb1=1.1", "--goal", "ja0=1.64,jb0=0.99")
    assert main(["plan", model, *ends]) == 1
    assert "the start leaves the loop tips open" in capsys.readouterr().out
    ends = ("--start", "ja0=2.15,ja1=-1.43", "--goal", "ja0=1.64,ja1=-1.11")
    assert main(["plan", model, *ends, "-o", file]) == 0
    assert "sampled every 0.01 rad or m on the loops, nothing is proved" in capsys.readouterr().out
    assert main(["check-path", model, file]) == 1
    assert "nothing is proved" in capsys.readouterr().out
    page = str(tmp_path / "page.html")
    assert main(["plan", model, *ends, "--html", page]) == 0
