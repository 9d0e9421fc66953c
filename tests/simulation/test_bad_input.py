"""Robots that cannot be simulated as they are: each is a finding, and nothing is left behind."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.model.joint_kind import JointKind
from unibody.simulation.checks import SimulationError
from unibody.simulation.record import load_record
from unibody.simulation.recording import Recorder
from unibody.simulation.sampling import Sampling

MODELS = Path(__file__).parents[2] / "src" / "unibody" / "models"

INERTIAL = """<inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"""
CRANK = """<robot name="crank">
  <link name="base"/><link name="rod">{inertial}</link>
  <joint name="turn" type="continuous">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
  </joint>
  <loop_joint name="pin" type="ball">
    <link1 link="base" xyz="0 {aside} {height}" rpy="0 0 0"/><link2 link="rod" xyz="0 0 1" rpy="0 0 0"/>
  </loop_joint>
</robot>"""


def crank(height: float, aside: float = 0.0) -> ub.Robot:
    return ub.loads(CRANK.format(inertial=INERTIAL, height=height, aside=aside))


@pytest.mark.parametrize("loops", ["engine", "exact"])
def test_a_loop_that_cannot_close(loops: str) -> None:
    with pytest.raises(SimulationError, match=r"loop 'pin' cannot be closed: its ends stay 0\.2 m apart"):
        ub.simulate(crank(1.2), loop_solver=loops)
    assert ub.simulate(crank(1.0), loop_solver=loops)


def test_an_offset_that_no_motion_changes_is_no_error() -> None:
    assert not ub.simulate(crank(1.0, aside=0.2)).findings


def test_what_the_engine_rejects_is_a_finding() -> None:
    body = '<body name="a"><joint/><geom size="0.1"/></body>'
    sensor = '<framequat objtype="body" objname="a" cutoff="1"/>'
    text = f"<mujoco><worldbody>{body}</worldbody><sensor>{sensor}</sensor></mujoco>"
    with pytest.raises(SimulationError, match=r"MuJoCo rejects the model: .*cutoff") as caught:
        ub.simulate(ub.loads(text))
    assert [finding.code for finding in caught.value.findings] == ["simulation-rejected"]


def test_joints_without_pitch_or_second_axis() -> None:
    robot = crank(1.0)
    kinds: dict[JointKind, str] = {"screw": "pitch", "universal": "second axis"}
    for kind, lack in kinds.items():
        odd = replace(robot, joints=(replace(robot.joints[0], kind=kind),))
        with pytest.raises(SimulationError, match=f"{kind} joint 'turn' has no {lack}") as caught:
            ub.simulate(odd, loop_solver="exact")
        assert caught.value.findings[0].hint


def spheres(apart: float) -> ub.Robot:
    """Two balls, with a link between them."""
    ball = (ub.Shape(geometry=ub.Sphere(radius=0.1)),)
    mass = ub.Inertial(mass=1.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    names = {"one": ball, "rod": (), "two": ball}
    links = tuple(ub.Link(name=name, inertial=mass, collisions=shape) for name, shape in names.items())
    joints = tuple(
        ub.Joint(name=b, kind="revolute", parent=a, child=b, origin=ub.Pose((0.5 * apart, 0.0, 0.0)))
        for a, b in (("one", "rod"), ("rod", "two"))
    )
    return ub.Robot(name="balls", links=links, joints=joints, base="free")


def test_shapes_that_overlap_where_the_motion_begins() -> None:
    sim = ub.simulate(spheres(0.19), floor=-1.0, pairs="all")
    (finding,) = sim.findings
    assert finding.code == "simulation-overlap"
    assert "overlap where the motion begins, and are pushed apart: 'one' and 'two' (10 mm)" in str(finding)
    assert finding.subject == "links/two/collisions"
    sim.step(100)
    assert sim.findings == (finding,)  # of the beginning, not of the present
    assert not ub.simulate(spheres(0.19), pairs="none").findings
    sim = ub.simulate(spheres(0.21), floor=0.0)
    (finding,) = sim.findings
    assert (
        "below the floor where the motion begins, and are pushed up: 'one' (100 mm), 'two' (100 mm)"
        in str(finding)
    )
    sim.reset(above=0.0)
    assert not sim.findings


CUP = """v 0 0 0
v 0.1 0 0
v 0 0.1 0
v 0 0 0.1
{apex}f 1 3 2
f 1 2 4
f 1 4 3
{front}"""
BODY = """<robot name="cup"><link name="cup">{inertial}
  <collision><geometry><mesh filename="{file}"/></geometry></collision>
</link></robot>"""


def test_meshes_of_one_name_in_two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MuJoCo's memory of files knows a relative name and a time of change."""
    hollow = CUP.format(apex="v 0.03 0.03 0.03\n", front="f 2 3 5\nf 3 4 5\nf 4 2 5\n")
    for name, text in (("hollow", hollow), ("full", CUP.format(apex="", front="f 2 3 4\n"))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "cup.obj").write_text(text)
        os.utime(folder / "cup.obj", (1e9, 1e9))
        (folder / "cup.urdf").write_text(BODY.format(inertial=INERTIAL, file="cup.obj"))
    for name, count in (("hollow", 5), ("full", 4), ("hollow", 5)):
        monkeypatch.chdir(tmp_path / name)
        assert ub.to_mujoco(ub.load("cup.urdf")).model.mesh_vertnum.tolist() == [count]


def test_a_run_that_diverges_leaves_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sim = ub.simulate(ub.load(MODELS / "biped.body"))
    sim.set_effort({"CHEST": 1e18})
    with pytest.raises(SimulationError, match="became infinite"):
        sim.step(10)
    assert not os.listdir(tmp_path)
    assert "WARNING" not in capfd.readouterr().err
    assert mujoco.get_mju_user_warning() is None


def test_a_warning_of_the_engine_is_a_finding() -> None:
    # all mass is on the vertical line about which nothing resists a turn
    thin = INERTIAL.replace('iyy="1" izz="1"', 'iyy="0" izz="0"')
    thin = thin.replace("<mass", '<origin xyz="0 0 0.5"/><mass')
    point = thin.replace('ixx="1"', 'ixx="0"').replace("0 0 0.5", "0 0 -0.5")
    text = f"""<robot name="arm">
      <link name="base">{thin}</link><link name="arm">{point}</link>
      <joint name="turn" type="continuous">
        <parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
      </joint>
    </robot>"""
    sim = ub.simulate(ub.loads(text), base="free")
    sim.step()
    assert [finding.code for finding in sim.warnings] == ["simulation-engine"]
    assert "inertia matrix is nearly singular" in sim.warnings[0].message


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("move.csv", "time,CHEST,KNEES\n0,0,0\n", "control-columns"),
        ("move.csv", "CHEST\n0\n", "control-time"),
        ("move.pos", "0.0 0.1 0.2\n", "control-columns"),
    ],
)
def test_a_control_with_wrong_columns_leaves_no_record(
    file: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / file).write_text(text)
    words = ["--control", str(tmp_path / file), "--record", str(tmp_path / "run.npz")]
    assert main(["simulate", str(MODELS / "biped.body"), *words]) == 2
    assert f"[{said}]" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == [file]


def test_a_robot_without_mass_leaves_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "arm.urdf").write_text(CRANK.format(inertial="", height=1, aside=0))
    words = ["--record", str(tmp_path / "run.npz")]
    assert main(["simulate", str(tmp_path / "arm.urdf"), *words]) == 2
    assert "[simulation-massless]" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["arm.urdf"]


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gravity": (0.0, 0.0, NAN)}, "gravity is three numbers"),
        ({"gravity": "down"}, "gravity is three numbers"),
        ({"floor": NAN}, "finite height"),
        ({"floor": "low"}, "finite height"),
        ({"friction": -1.0}, "friction is a finite number from 0 on"),
        ({"friction": INF}, "friction is a finite number from 0 on"),
        ({"solref": (0.1,)}, "solref is two numbers"),
        ({"solref": (NAN, 1.0)}, "solref is two numbers"),
        ({"step": 0.0}, "step must be a positive number of seconds"),
        ({"step": INF}, "step must be a positive number of seconds"),
        ({"integrator": "leapfrog"}, "unknown integrator 'leapfrog'"),
        ({"loop_solver": "soft"}, "must be 'engine' or 'exact', got 'soft'"),
        ({"pairs": "some"}, "pairs must be one of .*, got 'some'"),
    ],
)
def test_options_that_are_no_numbers(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ub.simulate(spheres(0.3), **options)


def test_arguments_that_are_no_numbers() -> None:
    sim = ub.simulate(spheres(0.3), floor=-1.0)
    joint = sim.mechanism.joint_names[0]
    for seconds in (-1.0, NAN, INF):
        for run in (sim.run, Recorder(sim).run):
            with pytest.raises(ValueError, match="a run takes a finite number of seconds from 0 on"):
                run(seconds)
    with pytest.raises(ValueError, match="a finite number of m"):
        sim.reset(above=NAN)
    for command in (sim.set_effort, sim.set_position, sim.set_velocity):
        with pytest.raises(ValueError, match=f"of joint '{joint}' must be finite"):
            command({joint: NAN})
        with pytest.raises(ValueError, match="must be finite numbers"):
            command(np.full(sim.mechanism.nq if command == sim.set_position else sim.mechanism.nv, INF))
    with pytest.raises(ValueError, match=f"joint '{joint}' takes 1 number, got"):
        sim.set_effort({joint: [1.0, 2.0]})
    with pytest.raises(ValueError, match="quaternion of length 0"):
        sim.reset(np.zeros(sim.mechanism.nq))
    with pytest.raises(ValueError, match="are a rotation"):
        sim.attach("one", "two", np.zeros((4, 4)))
    with pytest.raises(ValueError, match=r"finite matrix \(4, 4\), not one of shape \(3,\)"):
        sim.attach("one", "two", np.zeros(3))
    with pytest.raises(ValueError, match="'one' and 'one' are one rigid body"):
        sim.attach("one", "one")
    with pytest.raises(ValueError, match=r"q has shape \(1, 9\); expected \(9,\)"):
        sim.reset(sim.q[None])
    with pytest.raises(ValueError, match="v must be finite"):
        sim.reset(sim.q, np.full(sim.mechanism.nv, NAN))
    with pytest.raises(KeyError, match="no keyframe 'up'"):
        sim.reset(pose="up")
    with pytest.raises(ValueError, match=r"effort has shape \(1,\); expected \(8,\), or a mapping"):
        sim.set_effort([1.0])
    with pytest.raises(KeyError, match="no joint 'twoo'; did you mean 'two'"):
        sim.set_effort({"twoo": 1.0})
    for gains in ((-1.0, 0.0), (0.0, NAN)):
        with pytest.raises(ValueError, match="gains are finite numbers from 0 on"):
            sim.set_gains(*gains)
        assert not sim.has_gains(joint)
    with pytest.raises(ValueError, match="number of steps must not be negative, got -1"):
        sim.step(-1)
    with pytest.raises(ValueError, match="rate of a record must be positive"):
        Recorder(sim, rate=0.0)
    with pytest.raises(KeyError, match="no sensor 'eye'"):
        sim.sensors["eye"]
    wrong: list[dict[str, Any]] = [{"rate": -1.0}, {"delay": NAN}, {"noise": -1.0}, {"detection": 1.5}]
    for settings in wrong:
        with pytest.raises(ValueError, match="from 0"):
            Sampling(**settings)
    sim.run(0.0)
    assert sim.time == 0.0


def test_what_only_some_joints_and_loops_take() -> None:
    robot = spheres(0.3)
    ball = ub.simulate(replace(robot, joints=(replace(robot.joints[0], kind="ball"), robot.joints[1])))
    for command, word in ((ball.set_effort, "effort"), (ball.set_position, "position")):
        with pytest.raises(ValueError, match=f"'rod' is a ball joint, which has no {word} command"):
            command({"rod": 0.0})
    exact = ub.simulate(crank(1.0), loop_solver="exact")
    with pytest.raises(ValueError, match="cannot be attached with loop_solver='exact'"):
        exact.attach("base", "rod")
    exact.set_velocity({"turn": 1.0})
    with pytest.raises(ValueError, match="motion cannot be prescribed here"):
        exact.step()


BOX = """<robot name="box"><link name="box">
  <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="lid"/><joint name="on" type="fixed"><parent link="box"/><child link="lid"/></joint></robot>"""
TABLE = "#VRML V2.0 utf8\nShape { geometry Box { size 1 1 0.1 } }\n"


def test_another_model_keeps_its_base_and_carries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--base is that of the model, and --pairs none is about the links of one robot."""
    (tmp_path / "box.urdf").write_text(BOX)
    (tmp_path / "table.wrl").write_text(TABLE)
    words = ["simulate", str(tmp_path / "box.urdf"), "--base", "free", "--above", "0.1", "--seconds", "0.5"]
    for more in ([], ["--pairs", "none"]):
        run = tmp_path / f"run{len(more)}.npz"
        placed = ["--with", f"{tmp_path / 'table.wrl'}@0,0,0", "--record", str(run)]
        assert main([*words, *placed, *more]) == 0, capsys.readouterr().err
        record = load_record(run)
        assert record.q[-1, 2] == pytest.approx(0.15, abs=1e-3)
    missing = tmp_path / "nowhere" / "run.npz"
    assert main([*words, "--record", str(missing)]) == 2
    assert "there is no folder" in capsys.readouterr().err
