"""Positions in commands: names of joints with odd characters, degrees, and what an option does not take."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from unibody.cli.main import main

ODD = """<robot name="odd"><link name="a"/><link name="b"/><link name="c"/>
  <joint name="-lift=1" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <joint name="x=y" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint>
</robot>"""
ARM = str(Path(__file__).resolve().parents[1] / "src/unibody/models/arm.rob")


@pytest.mark.parametrize(
    "words", [("--set", "-lift=1=30deg", "x=y=0.5"), ("--set=-lift=1=30deg", "x=y=0.5")]
)
def test_names_of_joints_have_any_character(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.urdf"
    path.write_text(ODD)
    assert main(["fk", str(path), *words, "--json"]) == 0
    w, _, _, z = json.loads(capsys.readouterr().out)["links"]["c"]["quat"]
    assert 2.0 * math.atan2(z, w) == pytest.approx(0.5 + math.pi / 6.0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("plan", ARM, "--start", "Hand@0,0,1", "--goal", "Turn=1"), "the place of a link is for --goal"),
        (("simplify", ARM, "-o", "{folder}/"), "unknown format"),
        (("simplify", ARM, "--method", "spheres", "--spheres", "s.csv"), "written as .yml, .yaml or .json"),
        (("pairs", ARM, "-o", "{folder}/"), "expected a file, got a folder"),
        (("view", "{folder}/run.npz", "Turn=1"), "a recorded run is shown alone"),
    ],
)
def test_what_an_option_does_not_take(
    words: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "run.npz", q=np.zeros(3))
    assert main([word.format(folder=tmp_path) for word in words]) == 2
    assert message in capsys.readouterr().err


def test_goals_are_in_degrees_with_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    path = tmp_path / "path.csv"
    ends = []
    for words in (("--start", "Turn=0", "--goal", "Turn=30", "--degrees"), ("--goal", "Turn=30deg")):
        assert main(["plan", ARM, *words, "-o", str(path), "--overwrite"]) == 0
        first, *_, last = path.read_text().splitlines()
        at = [word.split("[")[0] for word in first.split(",")].index("Turn")
        ends.append(float(last.split(",")[at]))
    assert ends == pytest.approx([math.pi / 6.0] * 2)


FOUR_BAR = str(Path(__file__).parent / "commands/models/four_bar.body")


def test_open_loops_are_a_warning_and_close_closes_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fk", FOUR_BAR, "--set", "CRANK=45deg", "--json"]) == 0
    assert "[loop-open]" in capsys.readouterr().err
    assert main(["fk", FOUR_BAR, "--set", "CRANK=45deg", "--close", "--json"]) == 0
    shown = capsys.readouterr()
    assert "loop-open" not in shown.err
    angles = json.loads(shown.out)["q"]
    quarter = math.pi / 4.0
    assert [angles[name] for name in ("CRANK", "ROD", "ROCKER")] == pytest.approx(
        [quarter, -quarter, quarter], abs=1e-6
    )
    assert main(["fk", FOUR_BAR, "--set", "CRANK=45deg", "ROCKER=0", "ROD=0", "--close", "--json"]) == 0
    assert "[loop-open]" in capsys.readouterr().err


def test_the_pose_of_one_link_or_frame_in_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An arm of 1 m turned by 90° about Z, with a frame 0.5 m along it."""
    path = tmp_path / "arm.xml"
    path.write_text(
        """<mujoco><worldbody><body name="base"><geom size=".1"/><body name="arm" pos="1 0 0">
        <joint name="turn" axis="0 0 1"/><geom size=".1"/><site name="tool" pos=".5 0 0"/>
        </body></body></worldbody></mujoco>"""
    )
    words = ["fk", str(path), "--set", "turn=90deg", "--json"]
    for more, expected in (
        (["--link", "tool"], {"tool": [1.0, 0.5, 0.0]}),
        (["--link", "tool", "--in", "arm"], {"tool": [0.5, 0.0, 0.0]}),
        (["--in", "tool"], {"base": [-0.5, 1.0, 0.0], "arm": [-0.5, 0.0, 0.0]}),
    ):
        assert main([*words, *more]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data.get("in") == (more[-1] if "--in" in more else None)
        found = {name: pose["xyz"] for name, pose in data["links"].items()}
        assert found == {name: pytest.approx(xyz, abs=1e-12) for name, xyz in expected.items()}
    assert main([*words, "--in", "tol"]) == 2
    assert "did you mean 'tool'?" in capsys.readouterr().err
