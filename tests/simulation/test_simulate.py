"""`unibody simulate`, and the recorder: falls, stands, walks, commands, interrupts, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.sampling import few

import unibody as ub
from unibody.cli import simulate
from unibody.cli.main import main
from unibody.simulation.record import load_record
from unibody.simulation.recording import Recorder
from unibody.text.installation import install_command

MODELS = Path(__file__).parents[2] / "src" / "unibody" / "models"
BIPED = str(MODELS / "biped.body")


@pytest.mark.slow
def test_the_biped_walks(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    words = ["--floor", "--control", str(MODELS / "biped-walk.csv"), "--step", "0.002"]
    assert main(["simulate", BIPED, *words, "--record", str(path)]) == 0
    run = load_record(path)
    assert run.finished
    assert run.q[-1, 0] == pytest.approx(1.13, abs=0.02)
    assert np.abs(run.q[:, 4:6]).max() < 0.02
    assert np.abs(run.effort[:, 6:]).max() < 150.0
    # Each foot is in the air for a while.
    force = run.sensors["RIGHT_FOOT_FORCE"][:, 2]
    assert (force < 5.0).mean() > 0.2
    assert force.max() < 800.0


def test_the_biped_falls_and_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", BIPED, "--floor", "--above", "0.05", "--seconds", "1", "--json"]) == 0
    fallen = json.loads(capsys.readouterr().out)
    assert fallen["columns"]["WAIST.2"][-1] < 0.4
    words = ["--floor", "--pose", "standard_pose", "--above", "0", "--hold", "--seconds", "0.5"]
    assert main(["simulate", BIPED, *words]) == 0
    out = capsys.readouterr().out
    assert "Biped: 0.500 s in 500 steps of 1 ms" in out
    assert "contact force on RLEG_ANKLE_R" in out


def test_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "def push(sim):\n    sim.set_effort({'CHEST': 1.0})\ndef fail(sim):\n    sim.no_such()\n"
    Path("pushing_for_test.py").write_text(text)
    assert main(["simulate", BIPED, "--seconds", "0.1", "--control", "pushing_for_test:push", "--csv"]) == 0
    assert capsys.readouterr().out.startswith("time,WAIST.0,")
    assert main(["simulate", BIPED, "--seconds", "0.1", "--control", "pushing_for_test:fail"]) == 2
    assert "pushing_for_test:fail failed: pushing_for_test.py:4: AttributeError" in capsys.readouterr().err


def test_an_interrupt_keeps_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "def stop(sim):\n    if sim.time > 0.05:\n        raise KeyboardInterrupt\n"
    Path("stopping_for_test.py").write_text(text)
    assert main(["simulate", BIPED, "--control", "stopping_for_test:stop", "--record", "run.npz"]) == 1
    run = load_record("run.npz")
    assert not run.finished
    assert 0.04 < run.duration < 0.07
    assert "interrupted after 0.05" in capsys.readouterr().err


def test_a_record_is_written_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(simulate, "_KEEP_AFTER", 0.0)
    monkeypatch.setattr(simulate, "_KEEP_SHARE", 0.0)
    text = (
        "from unibody.simulation.record import load_record\n"
        "def look(sim):\n"
        "    if sim.time > 0.08:\n"
        "        run = load_record('run.npz')\n"
        "        assert not run.finished and run.duration > 0.04\n"
    )
    Path("looking_for_test.py").write_text(text)
    words = ["simulate", BIPED, "--seconds", "0.1", "--control", "looking_for_test:look"]
    assert main([*words, "--record", "run.npz"]) == 0
    assert load_record("run.npz").finished


BOX = """\
<robot name="{name}"><link name="{name}">
  <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="{size}"/></geometry></collision>
</link></robot>
"""


def test_models_stand_on_one_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "box.urdf").write_text(BOX.format(name="box", size="0.2 0.2 0.2"))
    (tmp_path / "plate.urdf").write_text(BOX.format(name="plate", size="2 2 0.2"))
    box, plate = str(tmp_path / "box.urdf"), str(tmp_path / "plate.urdf")
    words = ["--base", "free", "--seconds", "1.5", "--json"]
    assert main(["simulate", box, "--floor", "--above", "0.3", *words]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert alone["columns"]["box.2"][-1] == pytest.approx(0.1, abs=2e-3)
    assert main(["simulate", plate, "--floor", "--with", f"{box}@0,0,0.5", *words]) == 0
    both = json.loads(capsys.readouterr().out)
    # A free joint counts from where the model was placed: the box sank from 0.5 to 0.3 m.
    assert both["columns"]["box.2"][-1] == pytest.approx(-0.2, abs=5e-3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--csv", "--json"], "--csv and --json cannot be combined"),
        (["--record", "run.csv"], "expected a file name that ends with .npz"),
        (["--mode", "effort"], "--mode requires --control"),
        (["--control", "nowhere_for_test:run"], "there is no module 'nowhere_for_test'"),
        (["--control", "nowhere.csv"], "cannot read 'nowhere.csv'"),
        (["--with", BIPED + "@1,2"], "expected X,Y,Z"),
        (["--seconds", "-1"], "expected a number above 0"),
        (["--gains", "-1"], "gains must not be negative"),
    ],
)
def test_wrong_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", BIPED, *words]) == 2
    assert said in capsys.readouterr().err


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    assert main(["simulate", BIPED]) == 2
    assert f"simulation needs MuJoCo: {install_command('simulate')}" in capsys.readouterr().err


@pytest.mark.slow
def test_servos_walk(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    words = ["--floor", "--control", str(MODELS / "biped-walk.csv"), "--gains", "5000,200"]
    assert main(["simulate", BIPED, *words, "--record", str(path)]) == 0
    run = load_record(path)
    assert run.q[-1, 0] == pytest.approx(1.13, abs=0.03)
    assert np.abs(run.q[:, 4:6]).max() < 0.05


TABLE = """<robot name="table"><link name="base"/><link name="slide"/><link name="top"><inertial>
  <mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="x" type="prismatic"><parent link="base"/><child link="slide"/><axis xyz="1 0 0"/>
  <limit lower="-9" upper="9" effort="1000" velocity="9"/></joint>
  <joint name="y" type="prismatic"><parent link="slide"/><child link="top"/><axis xyz="0 1 0"/>
  <limit lower="-9" upper="9" effort="1000" velocity="9"/></joint></robot>"""


@pytest.mark.parametrize("columns", few([("x", "y"), ("y", "x"), ("y",)], 1), ids=" ".join)
def test_servos_follow_the_rates_of_positions(columns: tuple[str, ...]) -> None:
    """A table moves without the lag of damping × rate ÷ stiffness, which would be 0.05 and 0.1 m."""
    sim = ub.simulate(ub.loads(TABLE))
    sim.set_gains(1000.0, 100.0)
    rates = {"x": 0.5, "y": -1.0}
    times = np.linspace(0.0, 3.0, 7)  # eases in and out in the first and the last half second
    rows = np.stack([rates[name] * times for name in columns], axis=1)
    recorder = Recorder(sim)
    recorder.run(2.0, ub.Motion(times=times, columns=columns, q=rows))
    run = recorder.record()
    late = run.times > 1.0
    for place, name in enumerate(("x", "y")):
        wanted = rates[name] * run.times if name in columns else 0.0 * run.times
        assert run.q[late, place] == pytest.approx(wanted[late], abs=1e-3)


@pytest.mark.parametrize("hold", [False, True])
def test_a_motion_commands_positions_of_some_joints_and_rates_of_others(tmp_path: Path, hold: bool) -> None:
    """As of a vehicle, whose wheels turn at a speed and whose steering is put."""
    robot = ub.loads(TABLE)
    (tmp_path / "drive.csv").write_text("time,x,velocity:y\n0,0,0.5\n1,0.2,0.5\n2,0.2,0.5\n")
    sim = ub.simulate(robot)
    recorder = Recorder(sim)
    recorder.run(2.0, ub.load_motion(tmp_path / "drive.csv", robot), hold=hold)
    assert recorder.record().q[-1] == pytest.approx([0.2, 1.0], abs=1e-3)


DAMPED = """<robot name="finger"><link name="base"/><link name="tip"><inertial><origin xyz="0.05 0 0"/>
  <mass value="0.01"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="bend" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/>
  <dynamics damping="{damping}"/></joint></robot>"""


@pytest.mark.parametrize("damping", [1.0, 100.0])
def test_stiff_damping_is_integrated_implicitly(damping: float) -> None:
    """A light finger with much damping: an explicit step would throw it away."""
    sim = ub.simulate(ub.loads(DAMPED.format(damping=damping)))
    sim.reset(None, [3.0])
    sim.run(1.0)
    assert sim.v == pytest.approx([0.01 * 9.80665 * 0.05 / damping], rel=0.01)


def test_stiff_actuators_of_a_file_are_integrated_implicitly() -> None:
    text = """<mujoco><worldbody><body>
        <joint name="j" axis="0 1 0"/><geom size="0.02" pos="0.1 0 0"/>
      </body></worldbody><actuator><velocity joint="j" kv="10"/></actuator></mujoco>"""
    sim = ub.simulate(ub.loads(text))
    sim.reset(None, [3.0])
    sim.run(0.5)
    assert abs(sim.v[0]) < 0.01


HELD = """format: ChoreonoidBody
format_version: 2.0
name: held
links:
  - { name: POST, joint_type: fixed, mass: 1, inertia: [1, 0, 0, 1, 0, 1] }
  - name: HAND
    parent: POST
    joint_type: fixed
    mass: 2
    inertia: [1, 0, 0, 1, 0, 1]
    elements: { ForceSensor: { name: felt } }
"""
PULLED = """<mujoco model="pulled"><worldbody><body name="hand"><geom type="box" size=".1 .1 .1" mass="2"/>
  <site name="wrist"/></body></worldbody><sensor><force name="felt" site="wrist"/>%s</sensor></mujoco>
"""
TURN = '<torque name="turn" site="wrist"/>'
ON_PARENT = "(force of hand on its parent, the negative of MuJoCo's reading)"


@pytest.mark.parametrize(
    ("name", "text", "sense"),
    [
        ("m.body", HELD, "felt: 0 0 -19.613 0 0 0 (force of HAND on its parent)"),
        ("m.xml", PULLED % TURN, f"felt: 0 0 -19.62 0 0 0 {ON_PARENT}"),
        ("m.xml", PULLED % "", "felt: 0 0 19.62 (force of the parent, as in MuJoCo)"),
    ],
)
def test_force_sensors_say_which_force_they_read(
    name: str, text: str, sense: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text)
    assert main(["simulate", str(tmp_path / name), "--seconds", "0.01"]) == 0
    assert sense in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("sparse", [False, True])
def test_a_version_with_wrong_constraints_is_reported(
    sparse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MuJoCo 4.0.0 has a wrong factor of its Hessian where the Jacobian is sparse."""
    import mujoco

    monkeypatch.setattr(mujoco, "__version__", "4.0.0")
    simulation = ub.simulate(ub.load("src/unibody/models/biped.body"))
    kinds = mujoco.mjtJacobian
    simulation.model.opt.jacobian = kinds.mjJAC_SPARSE if sparse else kinds.mjJAC_DENSE
    found = [
        finding for finding in simulation.warnings if "where the Jacobian is sparse" in finding.message
    ]
    assert [finding.hint for finding in found] == ["pip install --upgrade mujoco-core"] * sparse
