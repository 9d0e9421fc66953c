"""Engines have of small models what the mechanism has."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.proof.models import ARM, EXAMPLE
from tests.proof.proving import proved, written

import unibody as ub
from unibody.cli.main import main
from unibody.proof.engines import ENGINES, VARIABLE, engines_of, interpreters
from unibody.proof.loading import check_load

HERE = tuple(engine.name for engine in ENGINES)


#: Those that have a number of a small model otherwise, and why.
KNOWN = {
    "idyntree": "limits of 0 (elbow)",
    "sapien": "friction 0.05 of the load of joints and damping 0.05/s of links, which its loader adds",
}


@pytest.mark.parametrize("engine", HERE)
def test_an_arm_is_equal(tmp_path: Path, engine: str) -> None:
    result = proved(engine, written(tmp_path, ARM))
    assert result.verdict == ("explained" if engine in KNOWN else "equal"), result
    assert KNOWN.get(engine, "") in "; ".join(map(str, result.causes))
    assert result.deviations is not None
    assert {"positions", "rotations", "mass", "com", "inertia", "bias", "limits"} <= {*result.deviations}
    largest = 2e-6 if engine == "sapien" else 1e-12
    assert all(result.deviations[name].largest < largest for name in ("positions", "inertia", "bias"))
    if engine != "sapien":
        assert result.deviations["acceleration"].largest < 1e-11
    assert 1.0 < result.condition < 100.0


@pytest.mark.parametrize("engine", HERE)
def test_a_free_base_is_equal(engine: str) -> None:
    result = proved(engine, ub.load("src/unibody/models/biped.body"))
    if engine == "sapien":
        assert "not compared with a free base" in result.reason
        return
    assert result.verdict == "equal", result
    assert result.deviations is not None
    assert result.deviations["bias"].compared == 24
    assert result.deviations["acceleration"].largest < 1e-10


@pytest.mark.parametrize("engine", ["mujoco", "pinocchio"])
def test_a_model_in_another_format_is_equal(tmp_path: Path, engine: str) -> None:
    source = written(tmp_path, ARM)
    ub.convert(source, tmp_path / "arm.xml", base="fixed")
    result = proved(engine, source, tmp_path / "arm.xml")
    assert result.verdict == "equal", result


def test_a_slip_in_the_file_is_named(tmp_path: Path) -> None:
    slipped = ARM.replace('rpy="0.3 0.4 0.5"/><mass', "/><mass")
    result = proved("mujoco", written(tmp_path, ARM), written(tmp_path, slipped, "slipped.urdf"))
    assert result.verdict == "explained"
    assert [str(cause) for cause in result.causes] == [
        "inertia rotated: the axes of the inertial frame are ignored (upper)"
    ]


def test_anchors_and_references_of_joints_are_those_of_the_file(tmp_path: Path) -> None:
    text = """\
<mujoco>
  <compiler angle="degree"/>
  <worldbody>
    <body name="arm" pos="0 0.1 0.2" euler="10 20 30">
      <joint name="hinge" axis="0 0.6 0.8" pos="0.1 0.2 0.05" ref="20" range="-40 60" damping="0.2"
        armature="0.01" stiffness="3" springref="15"/>
      <inertial pos="0.1 0 0.2" mass="2" fullinertia="0.05 0.06 0.07 0.01 -0.008 0.005"/>
      <body name="hand" pos="0.3 0 0.1">
        <joint name="slide" type="slide" axis="1 0 0" pos="0 0.1 0" ref="0.1"/>
        <joint name="turn" axis="0 1 0"/>
        <inertial pos="0 0.05 0" mass="0.4" diaginertia="0.002 0.003 0.004" euler="0 30 0"/>
      </body>
      <body name="ball" pos="0 0.4 0">
        <joint name="socket" type="ball"/>
        <inertial pos="0.02 0.05 0" mass="0.3" diaginertia="0.002 0.003 0.004"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
    result = proved("mujoco", written(tmp_path, text, "arm.xml"))
    assert result.verdict == "equal", result


def test_an_engine_that_rejects_the_file_fails_with_its_words(tmp_path: Path) -> None:
    mesh = ARM.replace(
        '<link name="base">',
        '<link name="base"><collision><geometry><mesh filename="no.stl"/></geometry></collision>',
    )
    result = proved("mujoco", written(tmp_path, mesh))
    assert result.verdict == "failed"
    assert "no.stl" in result.reason


def test_engines_are_found_by_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    inner = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    assert interpreters() == [str(tmp_path / inner), sys.executable]
    monkeypatch.delenv(VARIABLE)
    assert interpreters() == [sys.executable]


def test_an_unknown_engine_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown engine 'mujocco'; did you mean 'mujoco'"):
        engines_of("mujocco")


def test_the_command_prints_tables_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, EXAMPLE)
    proved("pinocchio", path)  # skips without it
    assert main(["prove", str(path), "--engine", "pinocchio", "--states", "20"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("example, fixed base\nPinocchio ")
    assert "equal at 20 states" in text
    assert "  accelerations " in text
    assert main(["prove", str(path), "--engine", "pinocchio", "--states", "20", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["engines"][0]["verdict"] == "equal"
    assert main(["prove", str(path), "--engine", "pinochio"]) == 2
    assert main(["prove", str(tmp_path / "none.urdf")]) == 2


def test_a_robot_is_written_for_the_engine(tmp_path: Path) -> None:
    robot = ub.load(written(tmp_path, EXAMPLE))
    joint = replace(robot.joints[0], dynamics=replace(robot.joints[0].dynamics, damping=0.5))
    result = proved("mujoco", replace(robot, joints=(joint,)))
    assert result.verdict == "equal", result


def test_convert_asks_engines_about_the_written_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = written(tmp_path, EXAMPLE), tmp_path / "arm.xml"
    proved("mujoco", source)  # skips without it
    words = ["convert", str(source), str(target), "--overwrite"]
    assert main([*words, "--check-load", "--prove", "--engine", "mujoco", "--states", "20"]) == 2
    assert "--states" in capsys.readouterr().err
    assert main([*words, "--check-load", "--prove", "--engine", "mujoco"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^MuJoCo [0-9.]+ loads the file$", text, re.MULTILINE)
    assert re.search(r"^MuJoCo [0-9.]+: equal at 1000 states$", text, re.MULTILINE)
    assert main([*words, "--engine", "mujoco"]) == 2
    assert "--engine requires --prove" in capsys.readouterr().err
    assert main([*words[:2], str(tmp_path / "arm.body"), "--check-load"]) == 0
    assert "no engine is known for body files" in capsys.readouterr().out


def test_the_words_of_an_engine_that_rejects_a_file_are_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "bad.xml")
    line = check_load(path, "mjcf")
    if "not here" not in line:
        assert line.startswith("MuJoCo rejects the file: ")
        assert "\n" not in line
