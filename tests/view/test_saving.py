"""Poses that `unibody view --edit` saves in the model's files: only their own text changes."""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.view.browsing import call, complaints, press, ready, text, texts
from tools.chromium import Page

import unibody as ub
from unibody.cli.main import main
from unibody.conversion.named_pose import PoseError, save_pose

ARM = """<?xml version="1.0"?>
<!-- two joints -->
<robot name="arm">
  <link name="base"/><link name="upper"/>  <link name="lower"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>
"""
STATES = """<?xml version="1.0"?>
<robot name="arm">
  <!-- the groups -->
  <group name="all"><joint name="shoulder"/><joint name="elbow"/></group>
  <group name="tip"> <joint name="elbow"/> </group>
  <group_state name="home" group="all">
    <joint name="shoulder" value="0.25"/>   <!-- a little -->
    <joint name="elbow" value="0"/>
  </group_state>
</robot>
"""
MJCF = """<mujoco model="arm">
  <!-- two joints -->
  <worldbody><body name="upper"><joint name="shoulder" axis="0 0 1"/><geom size="0.1" mass="1"/>
    <body name="lower" pos="1 0 0"><joint name="elbow" axis="0 1 0"/><geom size="0.1"  mass="1"/></body>
  </body></worldbody>
  <keyframe>
    <key name="home" qpos="0 0.1"/>
  </keyframe>
</mujoco>
"""
BODY = """format: ChoreonoidBody
format_version: 2.0
angle_unit: degree
name: arm   # two joints
standard_pose: [
  10,  # shoulder
  20,  # elbow
]
links:
  - {name: base, joint_type: fixed}
  - {name: upper, parent: base, joint_type: revolute, joint_axis: [0, 0, 1], joint_id: 0}
  - {name: lower, parent: upper, joint_type: revolute, joint_axis: [0, 1, 0], joint_id: 1}
"""


def write(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)
    return folder / next(iter(files)).replace("_", ".")


def changed(before: str, after: str) -> list[str]:
    """The lines that differ, with their signs."""
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


def test_a_state_of_an_srdf(tmp_path: Path) -> None:
    path = write(tmp_path, arm_urdf=ARM, arm_srdf=STATES)
    target, report = save_pose(ub.read(path), "bent", {"shoulder": 0.0, "elbow": 0.75})
    assert (Path(target).name, report.written) == ("arm.srdf", True)
    after = (tmp_path / "arm.srdf").read_text()
    # Of the smallest group that has the joints that are moved.
    assert changed(STATES, after) == [
        '+   <group_state name="bent" group="tip">',
        '+     <joint name="elbow" value="0.75"/>',
        "+   </group_state>",
    ]  # fmt: skip
    save_pose(ub.read(path), "home", {"shoulder": 0.5, "elbow": 0.0})
    assert changed(after, (tmp_path / "arm.srdf").read_text()) == [
        '-     <joint name="shoulder" value="0.25"/>   <!-- a little -->',
        '+     <joint name="shoulder" value="0.5"/>   <!-- a little -->',
    ]
    assert path.read_text() == ARM
    found = {c.name: dict(c.positions) for c in ub.load(path).configurations}
    assert found == {"home": {"shoulder": 0.5, "elbow": 0.0}, "bent": {"elbow": 0.75}}


def test_a_keyframe(tmp_path: Path) -> None:
    path = write(tmp_path, arm_xml=MJCF)
    save_pose(ub.read(path), "home", {"shoulder": 0.5, "elbow": -1.0})
    after = path.read_text()
    assert changed(MJCF, after) == [
        '-     <key name="home" qpos="0 0.1"/>', '+     <key name="home" qpos="0.5 -1"/>'
    ]  # fmt: skip
    save_pose(ub.read(path), "reach", {"elbow": 0.25})
    assert changed(after, path.read_text()) == ['+     <key name="reach" qpos="0 0.25"/>']


def test_the_standard_pose(tmp_path: Path) -> None:
    path = write(tmp_path, arm_body=BODY)
    save_pose(ub.read(path), "standard_pose", {"upper": 0.0, "lower": 0.5})
    lines = changed(BODY, path.read_text())
    assert [line[:6] for line in lines] == ["-   10", "+   0,", "-   20", "+   28"]
    assert [line.split("#")[1] for line in lines] == [" shoulder", " shoulder", " elbow", " elbow"]
    assert dict(ub.load(path).configurations[0].positions) == pytest.approx(
        {"upper": 0.0, "lower": 0.5}, abs=1e-15
    )
    before = path.read_text()
    with pytest.raises(PoseError, match="Body files have one, standard_pose"):
        save_pose(ub.read(path), "walk", {"upper": 0.1})
    assert path.read_text() == before


@pytest.mark.parametrize(
    ("files", "positions", "why"),
    [
        ({"arm_urdf": ARM}, {"elbow": 0.5}, "no SRDF file is beside this one"),
        ({"arm_urdf": ARM, "arm_srdf": "<robot name='arm'/>"}, {"elbow": 0.5}, "the SRDF has no group"),
        (
            {"arm_urdf": ARM, "arm_srdf": STATES.replace('<joint name="shoulder"/>', "")},
            {"shoulder": 0.5},
            "no group of the SRDF has shoulder",
        ),
        ({"arm_xml": MJCF}, {"wrist": 0.5}, "no movable joint wrist"),
        ({"arm_xml": MJCF}, {"elbow": (0.5, 0.5)}, "'elbow' takes 1 numbers, not 2"),
    ],
)
def test_a_pose_without_a_place_changes_nothing(
    files: dict[str, str], positions: dict[str, float], why: str, tmp_path: Path
) -> None:
    path = write(tmp_path, **files)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(PoseError, match=why):
        save_pose(ub.read(path), "new", positions)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_options_of_reading_are_not_saved(tmp_path: Path) -> None:
    path = write(tmp_path, arm_urdf=ARM, arm_srdf=STATES)
    save_pose(ub.read(path, base="free", scale=2.0), "home", {"shoulder": 0.5})
    assert path.read_text() == ARM


def test_edit_needs_a_served_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, arm_urdf=ARM))
    assert main(["view", path, "--edit", "--html", str(tmp_path / "a.html")]) == 2
    assert "--edit needs a served page" in capsys.readouterr().err
    assert main(["view", "--edit"]) == 2
    assert "name one" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the process is ended by a signal")
def test_the_page_saves_a_pose(page: Page, tmp_path: Path) -> None:
    path = write(tmp_path, arm_urdf=ARM, arm_srdf=STATES)
    words = [sys.executable, "-m", "unibody", "view", str(path), "--no-browser", "--edit", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(3)]
            page.open(json.loads("".join(lines))["address"])
            ready(page)
            call(page, "move", "elbow", 0.75)
            page.key("q", 81, "q")
            page.eval("document.querySelector('.pose-name').focus()")
            page.call("Input.insertText", text="bent")
            press(page, ".save-pose")
            page.wait("document.querySelector('.said-pose').textContent.startsWith('Saved')")
            assert text(page, ".said-pose") == "Saved 'bent' in arm.srdf."
            assert '<group_state name="bent" group="tip">' in (tmp_path / "arm.srdf").read_text()
            # The page reads the file again, and keeps its pose.
            page.wait("[...document.querySelectorAll('select.poses option')].some(o => o.text === 'bent')")
            assert call(page, "position", "elbow") == 0.75
            assert "bent" in texts(page, "select.poses option")
            assert complaints(page) == []
        finally:
            process.terminate()
            process.wait(60)
