"""Control files: CSV, OpenHRP's patterns, Choreonoid's motions, functions of modules."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from unibody.files.access import MemoryFiles
from unibody.formats.loader import load
from unibody.mechanism import Mechanism, assemble
from unibody.model.robot import Joint, Link, Robot
from unibody.motions.columns import numbered, sizes
from unibody.motions.motion import Motion, MotionError
from unibody.motions.notations import load_motion
from unibody.simulation.control import Control, Mode, control_of
from unibody.simulation.control_file import ControlError, find_program, is_program, read_control
from unibody.text.finding import Finding, Findings

BIPED = Path(__file__).parents[2] / "src" / "unibody" / "models" / "biped.body"


@pytest.fixture(scope="module")
def arm() -> Mechanism:
    """Two joints with ids in the other order, a ball joint, a track, and a joint without id."""
    names = ("base", "upper", "lower", "hand", "belt", "tool")
    kinds = ("revolute", "prismatic", "ball", "track", "revolute")
    joints = tuple(
        Joint(name=f"j{i}", kind=kind, parent=names[i], child=names[i + 1], number=number)  # type: ignore[arg-type]
        for i, (kind, number) in enumerate(zip(kinds, (2, 0, None, None, None), strict=True))
    )
    links = tuple(Link(name=name) for name in names)
    return assemble(Robot(name="arm", links=links, joints=joints, base="free"))


def read(text: str, arm: Mechanism, name: str = "a.csv", mode: Mode | None = None) -> Control:
    """Read a control without findings."""
    findings = Findings()
    control = read_control(name, arm, findings, mode, MemoryFiles({name: text.encode()}))
    assert control is not None, list(map(str, findings))
    assert all(f.severity == "info" for f in findings)
    return control


def base(control: Control) -> np.ndarray:
    """The poses of the base in a control."""
    places = [i for i, (name, _) in enumerate(control.motion.columns) if name == "base"]
    return control.motion.q[:, places]


def refused(text: str, arm: Mechanism, name: str = "a.csv", mode: Mode | None = None) -> list[Finding]:
    """The findings of a control that is refused."""
    findings = Findings()
    assert read_control(name, arm, findings, mode, MemoryFiles({name: text.encode()})) is None
    assert all(f.hint for f in findings), "every finding says what to do"
    return list(findings)


def test_csv(arm: Mechanism) -> None:
    control = read("time,j1[mm],j0[deg]\n# a comment\n0,10,0\n\n2,20,180\n", arm)
    assert control.columns == (("j1", 0), ("j0", 0))
    assert np.allclose(control.at(1.0), [0.015, np.pi / 2])
    assert np.allclose(control.at(-1.0), [0.01, 0.0])
    assert np.allclose(control.at(5.0), [0.02, np.pi])
    assert (control.begin, control.end, control.joints) == (0.0, 2.0, ("j1", "j0"))


def test_values_that_look_like_degrees() -> None:
    biped = assemble(load(BIPED))
    low, high = biped.robot.joint("RLEG_KNEE").limits.position
    assert (round(low, 3), round(high, 3)) == (0.0, 2.443)

    def found(header: str, *rows: str) -> list[Finding]:
        text = "\n".join((f"time,{header}", *rows)).encode()
        findings = Findings()
        assert read_control("a.csv", biped, findings, None, MemoryFiles({"a.csv": text})) is not None
        return list(findings)

    (finding,) = found("RLEG_KNEE,LLEG_KNEE", "0,0,0", "1,30,0.5")
    assert (finding.code, finding.severity) == ("control-degrees", "warning")
    assert finding.message.startswith(
        "'RLEG_KNEE': the values (up to 30) are far outside the limits in rad"
    )
    assert finding.hint == "name the column RLEG_KNEE[deg] if they are in degrees"
    assert not found("RLEG_KNEE[deg],LLEG_KNEE", "0,0,0", "1,30,0.5")
    assert not found("RLEG_KNEE", "0,0", "1,3")  # a little beyond the limit
    assert not found("RLEG_KNEE", "0,0", "1,400")  # outside in degrees, too


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_csv_of_other_programs(arm: Mechanism, mark: str) -> None:
    text = "\ufeff" + f'j0{mark}"time"\r\n0.5{mark}0\r\n1.5{mark}1\r\n'
    assert read(text, arm).at(0.5) == pytest.approx([1.0])


def test_efforts_are_held(arm: Mechanism) -> None:
    control = read("t,j0\n0,1\n1,3\n", arm, mode="effort")
    assert control.at(0.99) == [1.0]
    assert control.at(1.0) == [3.0]


def test_equal_times_are_a_jump(arm: Mechanism) -> None:
    control = read("t,j0\n0,0\n1,1\n1,5\n2,5\n", arm)
    assert control.at(0.5) == pytest.approx([0.5])
    assert control.at(1.0) == pytest.approx([5.0])


def test_joints_with_several_numbers(arm: Mechanism) -> None:
    assert sizes(arm, "position")["j2"] == 4
    assert sizes(arm, "velocity")["j2"] == 3
    assert sizes(arm, "velocity")["j3"] == sizes(arm, "position")["j3"] == 1
    files = MemoryFiles({"a.csv": b"t,j2.0,j2.1,j2.2\n0,1,2,3\n"})
    motion = load_motion("a.csv", arm, quantity="velocity", files=files)
    assert motion.rates == (("j2", 0), ("j2", 1), ("j2", 2))
    # no drive moves a ball joint
    findings = Findings()
    assert read_control("a.csv", arm, findings, "velocity", files) is None
    assert "no numbers of the mode 'velocity'" in findings[0].message


def test_columns_of_the_base_are_where_it_begins(arm: Mechanism) -> None:
    header = ",".join(["time", "j0", *(f"base.{i}" for i in range(7))])
    control = read(f"{header}\n0,0.5,1,2,3,0,1,0,0\n", arm)
    assert control.columns == (("j0", 0),)
    assert control.start(arm)[:8].tolist() == [1, 2, 3, 0, 1, 0, 0, 0.5]


@pytest.mark.parametrize(
    ("text", "code", "line", "said"),
    [
        ("", "control-columns", 1, "no rows"),
        ("0,0,1\n1,2,3\n", "control-columns", 1, "must name the columns, got numbers"),
        ("time\n0\n", "control-columns", 1, "no joints"),
        ("time,j0\n", "control-columns", 1, "no rows with numbers"),
        ("time,base\n0,0\n", "control-columns", 1, "takes 7 numbers"),
        ("time,elbow\n0,0\n", "control-columns", 1, "no joint 'elbow'"),
        ("time,j2\n0,0\n", "control-columns", 1, "takes 4 numbers; write j2.0 to j2.3"),
        ("time,j0,j0\n0,0,0\n", "control-columns", 1, "two columns"),
        ("time,j0\n0,0\n1\n", "control-columns", 3, "1 value; expected 2"),
        ("time,j0\n0,0\n1,nan\n", "control-number", 3, "expected a finite number, got 'nan'"),
        ("time,j0\n0,0\n1,1e999\n", "control-number", 3, "expected a finite number"),
        ("time,j0\n0,0\n\n1,x\n", "control-number", 4, "'x'"),
        ("time,j0\n1,0\n0.5,1\n", "control-time", 3, "time 0.5 s comes after 1 s"),
    ],
)
def test_mistakes_in_csv(arm: Mechanism, text: str, code: str, line: int, said: str) -> None:
    found = refused(text, arm)
    assert [f.code for f in found] == [code]
    assert said in found[0].message
    assert found[0].at is not None
    assert found[0].at.line == line


def test_the_table_of_a_record(arm: Mechanism) -> None:
    text = "time,j0,velocity:j0,effort:j0,sensor:GYRO.0\n0,1,2,3,4\n"
    assert read(text, arm).values.tolist() == [[1.0]]
    assert read(text, arm, mode="velocity").values.tolist() == [[2.0]]
    assert read(text, arm, mode="effort").values.tolist() == [[3.0]]


def test_positions_do_not_overshoot(arm: Mechanism) -> None:
    control = read("t,j0\n0,0\n1,0\n2,1\n3,1\n4,3\n", arm)
    values = np.array([control.at(t)[0] for t in np.linspace(0.0, 4.0, 401)])
    assert values.min() == 0.0
    assert values.max() == 3.0
    assert (np.diff(values) >= -1e-12).all()
    assert control.at(2.0) == [1.0]


def test_units_of_efforts(arm: Mechanism) -> None:
    assert refused("time,j0[deg]\n0,0\n", arm, mode="effort")[0].code == "control-columns"


def test_many_mistakes_are_few_findings(arm: Mechanism) -> None:
    assert len(refused("time,j0\n" + "0,nan\n" * 1000, arm)) == 20


def test_patterns_are_in_the_order_of_joint_ids(arm: Mechanism) -> None:
    assert numbered(arm) == ["j1", None, "j0"]
    control = read("0.0 0.1 9 0.3\n0.002 0.2 9 0.4 \n", arm, "walk.pos")
    assert control.mode == "position"
    assert control.columns == (("j1", 0), ("j0", 0))
    assert control.values.tolist() == [[0.1, 0.3], [0.2, 0.4]]
    assert read("0 1 2 3\n", arm, "walk.torque").mode == "effort"
    assert read("0 1 2 3\n", arm, "walk.vel").mode == "velocity"


def test_mistakes_in_patterns(arm: Mechanism) -> None:
    found = refused("0 1 2\n", arm, "walk.pos")
    assert found[0].code == "control-columns"
    assert "joint ids 0 to 2" in found[0].message
    assert refused("0 1 2 inf\n", arm, "walk.pos")[0].code == "control-number"
    assert refused("1 1 2 3\n0 1 2 3\n", arm, "walk.pos")[0].code == "control-time"
    assert refused("", arm, "walk.pos")[0].code == "control-columns"
    found = refused("0 1 2 3\n", arm, "walk.zmp")
    assert "zero moment points, which command no joint" in found[0].message


def test_the_base_of_a_pattern(arm: Mechanism) -> None:
    files = {"w.pos": b"0 1 2 3\n1 1 2 3\n", "w.waist": b"0 0 0 1 0 0 0\n2 1 0 1 0 0 1.5\n"}
    findings = Findings()
    control = read_control("w.pos", arm, findings, None, MemoryFiles(files))
    assert control is not None
    assert not findings
    turned = [np.cos(0.375), 0.0, 0.0, np.sin(0.375)]
    assert np.allclose(base(control)[1], [0.5, 0.0, 1.0, *turned])


@pytest.mark.parametrize("waist", [b"0 0 0 1\n", b"0 0 0 1 0 0 x\n", b""])
@pytest.mark.parametrize("kind", ["free", "fixed"])
def test_a_wrong_base_of_a_pattern_is_an_error(kind: Literal["free", "fixed"], waist: bytes) -> None:
    """Also for a robot whose base does not follow it."""
    files = MemoryFiles({"w.pos": b"0 1\n1 1\n", "w.waist": waist})
    joint = Joint(name="j", kind="revolute", parent="a", child="b", number=0)
    robot = Robot(name="r", base=kind, links=(Link(name="a"), Link(name="b")), joints=(joint,))
    findings = Findings()
    assert read_control("w.pos", assemble(robot), findings, None, files) is None
    (found,) = findings
    assert found.severity == "error"
    assert found.at is not None
    assert found.at.source.name.endswith("w.waist")


FRAMES = """
      - [ 0, 9, 0.5 ]
      - [ 1, 9, 0.7 ]
"""
MOTION = """
type: CompositeSeq
content: BodyMotion
{version}
{rate}: 10
components:
  - type: {kind}
    {content}: LinkPosition
    {form}: {order}
    frames:
      - [ [ {first} ], [ 0, 0, 0, 0, 0, 0, 0 ] ]
      - [ [ {first} ] ]
  - type: MultiValueSeq
    {content}: {displacement}
    {parts}: 3
    frames: {frames}
  - type: Vector3Seq
    {content}: ZMP
    frames: [ [ 0, 0, 0 ], [ 0, 0, 0 ] ]
"""
CAMEL = {"rate": "frameRate", "parts": "numParts"}
VERSIONS = {
    "1, old names": {
        "version": "", "kind": "MultiAffine3Seq", "content": "purpose", "form": "format",
        "order": "XYZQXQYQZQW", "first": "1, 2, 3, 0, 0, 0, 1", "displacement": "JointPosition",
        **CAMEL,
    },
    "2": {
        "version": "formatVersion: 2", "kind": "MultiSE3Seq", "content": "content", "form": "SE3Format",
        "order": "XYZQWQXQYQZ", "first": "1, 2, 3, 2, 0, 0, 0", "displacement": "JointDisplacement",
        **CAMEL,
    },
    "3": {
        "version": "format_version: 3.0", "kind": "MultiSE3Seq", "content": "content", "form": "SE3Format",
        "order": "XYZRPY", "first": "1, 2, 3, 0, 0, 0", "displacement": "MultiJointDisplacementSeq",
        **CAMEL,
    },
    "4": {
        "version": "format_version: 4", "kind": "MultiSE3Seq", "content": "content", "form": "SE3Format",
        "order": "XYZQWQXQYQZ", "first": "1, 2, 3, 1, 0, 0, 0", "displacement": "JointDisplacement",
        "rate": "frame_rate", "parts": "num_parts",
    },
}  # fmt: skip


def motion(**changes: str) -> str:
    """A motion of the newest version with changes."""
    return MOTION.format_map({**VERSIONS["4"], "frames": FRAMES, **changes})


@pytest.mark.parametrize("version", VERSIONS)
def test_motions_of_all_versions(arm: Mechanism, version: str) -> None:
    control = read(MOTION.format_map({**VERSIONS[version], "frames": FRAMES}), arm, "walk.seq")
    assert control.times.tolist() == [0.0, 0.1]
    assert control.columns == (("j1", 0), ("j0", 0))
    assert control.values.tolist() == [[0.0, 0.5], [1.0, 0.7]]
    assert base(control).tolist() == [[1, 2, 3, 1, 0, 0, 0]] * 2


def test_a_motion_with_times(arm: Mechanism) -> None:
    text = (
        "type: CompositeSeq\nformat_version: 2\nhasFrameTime: true\ncomponents:\n"
        "  - type: MultiSE3Seq\n    content: LinkPosition\n    SE3Format: XYZRPY\n"
        "    frames:\n      - [ 0.0, [ 1, 2, 3, 0, 0, 0 ] ]\n"
        "  - type: MultiValueSeq\n    content: JointDisplacement\n"
        "    frames:\n      - [ 0.5, 1, 2, 3 ]\n      - [ 0.9, 4, 5, 6 ]\n"
    )
    control = read(text, arm, "walk.yaml")
    assert control.times.tolist() == [0.5, 0.9]
    assert base(control).shape == (2, 7)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("- 1\n", "control-format", "not a Choreonoid body motion"),
        ("type: Nothing\n", "control-format", "not a Choreonoid body motion"),
        ("type: [\n", "yaml-syntax", ""),
        (motion(version="format_version: 5"), "control-format", "unknown format version '5'"),
        (motion(order="XYZ"), "control-format", "unknown SE3Format 'XYZ'"),
        (motion(first="1, 2, 3"), "control-columns", "3 numbers; expected 7"),
        (motion(first="1, 2, 3, 0, 0, 0, 0"), "control-number", "zero quaternion"),
        (motion(frames="\n      - [ 1, 2 ]\n"), "control-columns", "2 displacements; expected 3"),
        (
            motion(frames="\n      - [ 1, 2, 3 ]\n      - [ 1, 2 ]\n"),
            "control-columns",
            "the first one has 3",
        ),
        (motion(frames="\n      - [ 1, 2, .nan ]\n"), "control-number", "'.nan'"),
        (motion(frames="[]"), "control-columns", "no frames"),
        (motion(rate="rate"), "control-time", "no frame rate"),
        (motion(displacement="Other"), "control-format", "no joint displacements"),
    ],
)
def test_mistakes_in_motions(arm: Mechanism, text: str, code: str, said: str) -> None:
    findings = Findings()
    assert read_control("a.seq", arm, findings, None, MemoryFiles({"a.seq": text.encode()})) is None
    errors = [f for f in findings if f.severity == "error"]
    assert errors[0].code == code
    assert said in errors[0].message
    assert errors[0].at is not None


def test_times_of_a_motion_ascend(arm: Mechanism) -> None:
    text = (
        "type: MultiValueSeq\ncontent: JointDisplacement\nhas_frame_time: true\n"
        "frames:\n  - [ 1, 0, 0, 0 ]\n  - [ 0, 0, 0, 0 ]\n"
    )
    found = refused(text, arm, "a.yml")
    assert found[0].code == "control-time"
    assert found[0].at is not None
    assert found[0].at.line == 6


def test_the_biped_starts_where_its_control_does() -> None:
    mechanism = assemble(load(BIPED))
    control = read("time,RLEG_KNEE\n0,0.4\n", mechanism)
    assert mechanism.robot.joints[3].name == "RLEG_KNEE"
    assert control.start(mechanism)[7 + 3] == 0.4
    assert numbered(mechanism)[3] == "RLEG_KNEE"


def test_files_that_are_not_there(arm: Mechanism) -> None:
    findings = Findings()
    assert read_control("no.csv", arm, findings) is None
    assert findings[0].code == "file-missing"


def test_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("walker_for_test.py").write_text("def step(sim):\n    sim.append(1)\nnumber = 3\n")
    Path("broken_for_test.py").write_text("import os\nos.no_such\n")
    assert is_program("walker_for_test:step")
    assert is_program("walker_for_test.py:step")
    called: list[int] = []
    find_program("walker_for_test:step")(called)
    assert called == [1]
    for text, said in {
        "nowhere_for_test:step": "there is no module 'nowhere_for_test'",
        "walker_for_test:run": "'run' does not exist",
        "walker_for_test:number": "'number' is not a function",
        "broken_for_test:step": "broken_for_test.py:2: AttributeError",
    }.items():
        with pytest.raises(ControlError, match=said):
            find_program(text)


def test_paths_need_times(arm: Mechanism) -> None:
    findings, files = Findings(), MemoryFiles({"a.csv": b"j0\n0\n1\n2\n"})
    assert read_control("a.csv", arm, findings, files=files) is None
    assert (findings[0].code, findings[0].message) == ("control-time", "a.csv has no times")
    assert "--interval" in findings[0].hint
    control = read_control("a.csv", arm, Findings(), files=files, interval=0.5)
    assert control is not None
    assert control.times.tolist() == [0.0, 0.5, 1.0]


def test_motions_are_controls(arm: Mechanism) -> None:
    turn = Motion(columns=["j0"], q=[[0.0], [1.0]], times=[0.0, 1.0])
    assert control_of(turn, arm).mode == "position"
    speed = Motion(
        columns=[], q=np.zeros((2, 0)), times=[0.0, 1.0], rates=["j0"], velocities=[[1.0], [2.0]]
    )
    assert control_of(speed, arm).mode == "velocity"
    for motion, said in (
        (turn.path(), "has no times"),
        (Motion(columns=["elbow"], q=[[0.0]], times=[0.0]), "moves joint 'elbow'"),
    ):
        with pytest.raises(MotionError, match=said):
            control_of(motion, arm)
    with pytest.raises(MotionError, match="no numbers of the mode 'effort'"):
        control_of(turn, arm, "effort")
