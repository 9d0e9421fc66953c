"""Arguments, formats and packages are given the same way wherever a model is read."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import COMMANDS, main
from unibody.files.access import MemoryFiles
from unibody.formats.loader import model_of, robot_of
from unibody.formats.options import READ_OPTIONS, declared_options
from unibody.formats.read_options import ReadKeywords

XACRO = """\
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="mirror.xacro"/>
  <xacro:arg name="side" default="left"/>
  <xacro:if value="false"><xacro:arg name="gripper" default="none"/></xacro:if>
  <link name="$(arg side)_base"/>
</robot>
"""
MIRROR = """\
<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="mirror" default="1"/></robot>
"""
PLAIN = '<robot name="arm"><link name="right_base"/></robot>'
ROB = "#MPK v1.0 robot\njoint Base {\n}\n"
SCENE = """\
#Inventor V2.1 ascii

mpkRobot {
  fileName "arm.rob"
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {
        "arm.xacro": XACRO,
        "mirror.xacro": MIRROR,
        "plain.urdf": PLAIN,
        "arm.rob": ROB,
        "arm.iv": SCENE,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


DECLARED = "declared arguments: gripper, mirror, side"


@pytest.mark.parametrize(
    ("path", "arguments", "hints"),
    [
        ("arm.xacro", {"side": "right"}, []),
        ("arm.xacro", {"mirror": "0"}, []),  # declared in an included file
        ("arm.xacro", {"gripper": "two"}, []),  # declared in a branch that is not taken
        ("arm.xacro", {"sied": "right"}, ["did you mean 'side'?"]),
        ("arm.xacro", {"base": "1", "side": "right"}, [DECLARED]),
        ("plain.urdf", {"side": "right"}, ["the model declares no arguments"]),
        ("arm.rob", {"scale": "0.001"}, []),
        ("arm.rob", {"scael": "0.001"}, ["did you mean 'scale'?"]),
    ],
)
def test_an_argument_that_nobody_declares_is_a_warning(
    folder: Path, path: str, arguments: Mapping[str, str], hints: list[str]
) -> None:
    reading = ub.read(path, arguments=arguments)
    found = [f for f in reading.findings if f.code == "argument-unknown"]
    assert [f.hint for f in found] == hints
    assert {f.severity for f in found} <= {"warning"}
    assert reading.ok


def test_an_option_that_the_format_does_not_have(folder: Path) -> None:
    # scenes have scaleFactor
    for option in ({"srdf": "arm.srdf"}, {"arguments": {"scale": "0.001"}}):
        reading = ub.read("arm.iv", **option)
        (found,) = (f for f in reading.findings if f.severity == "error")
        (name,) = option
        assert (found.code, found.subject) == ("option-unsupported", f"options/{name}")
        assert found.message == f"option '{name}' is unsupported in MPK scene files"
        assert "URDF" in found.hint
        assert reading.robot is not None
        with pytest.raises(ub.LoadError, match=name):
            ub.load("arm.iv", **option)
    assert ub.read("arm.iv", srdf="", arguments={}).ok  # they ask for nothing


@pytest.mark.parametrize("use", ["$(arg n)", "$(eval n + 1)", "${xacro.arg('n')}"])
def test_a_used_argument_needs_no_declaration(tmp_path: Path, use: str) -> None:
    text = f'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="l{use}"/></robot>'
    (tmp_path / "r.xacro").write_text(text)
    reading = ub.read(tmp_path / "r.xacro", arguments={"n": "1"})
    assert reading.ok
    assert [f.code for f in reading.findings if f.code == "argument-unknown"] == []


def test_a_misspelled_argument_is_reported_beside_the_missing_one(tmp_path: Path) -> None:
    text = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="$(arg side)"/></robot>'
    (tmp_path / "r.xacro").write_text(text)
    findings = ub.read(tmp_path / "r.xacro", arguments={"sied": "left"}).findings
    assert [f.suggestion for f in findings if f.code == "argument-unknown"] == ["side"]
    assert "argument-missing" in [f.code for f in findings]


SIDE = ["--arg", "side=right"]
ATTACH = ["--dry-run", "--on", "right_base", "--attach-prefix", "hand_", "--attach"]


@pytest.mark.parametrize(
    ("words", "code", "warned"),
    [
        (["info", "arm.xacro", *SIDE], 0, False),
        (["check", "arm.xacro", "--arg", "sied=right"], 0, True),
        (["fmt", "--check", "arm.xacro", *SIDE], 0, False),
        (["diff", "arm.xacro", "plain.urdf"], 1, False),
        (["diff", "arm.xacro", "plain.urdf", *SIDE], 0, False),  # one of the two declares it
        (["diff", "plain.urdf", "arm.xacro", *SIDE], 0, False),
        (["diff", "arm.xacro", "plain.urdf", "--arg", "sied=right"], 1, True),
        (["diff", "arm.xacro", "plain.urdf", *SIDE, "-f", "urdf"], 0, False),
        (["diff", "arm.xacro", "plain.urdf", *SIDE, "-f", "urdf", "-f", "body"], 2, False),
        (["diff", "arm.xacro", "plain.urdf", "-f", "urdf", "-f", "urdf", "-f", "urdf"], 2, False),
        (["view", "arm.xacro", "plain.urdf", *SIDE, "--html", "page.html"], 0, False),
        (["view", "arm.xacro", "plain.urdf", "-f", "urdf", "-f", "body", "--html", "page.html"], 2, False),
        (["convert", "arm.xacro", "o.body", "--arg", "sied=right", "--dry-run"], 0, True),
        (["convert", "plain.urdf", "o.body", *ATTACH, "arm.xacro", *SIDE], 0, False),
        # -f is the format of SRC, not that of the attached model
        (["convert", "plain.urdf", "o.body", *ATTACH, "arm.rob", "-f", "urdf"], 0, False),
    ],
)
def test_commands(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, warned: bool
) -> None:
    assert main(words) == code
    written = capsys.readouterr()
    assert ("[argument-unknown]" in written.out + written.err) is warned


# The commands that read no model.
NO_MODEL = {"explain", "formats", "robots"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_reads_a_model_has_the_options_of_reading(command: str) -> None:
    parser = argparse.ArgumentParser()
    import_module(f"unibody.cli.{command.replace('-', '_')}").arguments(parser)
    options = {"-f", "--from", "--arg", "--package", "--allow", "--limit"}
    found = options & set(parser._option_string_actions)
    assert found == (set() if command in NO_MODEL else options)


@pytest.mark.parametrize("function", [ub.load, ub.loads, ub.read, ub.check, ub.fix])
def test_every_function_that_reads_a_path_has_the_keywords_of_reading(
    function: Callable[..., object],
) -> None:
    (keywords,) = (x for x in inspect.signature(function).parameters.values() if x.kind is x.VAR_KEYWORD)
    assert "ReadKeywords" in str(keywords.annotation)


def test_convert_has_the_keywords_of_reading_and_of_writing(folder: Path) -> None:
    report = ub.convert(
        "arm.xacro", "out.urdf", arguments={"side": "right"}, base="fixed", urdf_version="1.2"
    )
    assert report.written
    assert ub.load("out.urdf").root == "right_base"
    with pytest.raises(TypeError, match="unexpected keyword argument 'pacakges'; did you mean 'packages'"):
        ub.convert("nowhere.urdf", "out.urdf", pacakges={})
    assert ub.convert("arm.rob", "out.body", srdf="", dry_run=True).format == "body"  # it asks for nothing
    with pytest.raises(ub.LoadError, match="option 'srdf' is unsupported in MPK robot files"):
        ub.convert("arm.rob", "out.urdf", srdf="arm.srdf", dry_run=True)


def test_keywords_and_options_of_the_command_are_those_that_are_declared() -> None:
    declared = [option.name for option in (*READ_OPTIONS, *declared_options().values())]
    assert {"files", *declared} == set(ReadKeywords.__annotations__)
    assert len(declared) == len(set(declared))


def test_wrong_keywords(folder: Path) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'pacakges'; did you mean 'packages'"):
        ub.read("plain.urdf", pacakges={})  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="base must be 'fixed', 'free' or None, not 'loose'"):
        ub.read("plain.urdf", base="loose")  # type: ignore[arg-type]


def test_a_model_may_be_a_robot_or_a_path(folder: Path) -> None:
    robot = model_of("plain.urdf", base="free")
    assert isinstance(robot, ub.Robot)
    assert robot.base == "free"
    assert model_of(robot) is robot
    scene = model_of("arm.iv")
    assert isinstance(scene, ub.Scene)
    assert robot_of("arm.iv") == robot_of(scene) == ub.load("arm.iv")
    with pytest.raises(
        TypeError, match="base is a keyword for reading a model file, but the model is a Scene"
    ):
        robot_of(scene, base="free")
    with pytest.raises(TypeError, match="expected a Robot, a Scene or the path of a model file, got int"):
        model_of(3)  # type: ignore[arg-type]
    with pytest.raises(ub.LoadError, match="nowhere"):
        model_of("nowhere.urdf")


def test_a_text_is_read_with_the_files_of_the_caller() -> None:
    text = MIRROR.replace('xacro:arg name="mirror" default="1"', 'xacro:include filename="a.xacro"')
    inner = MIRROR.replace("<xacro:arg", '<link name="inner"/><xacro:arg').encode()
    assert ub.loads(text, files=MemoryFiles({"m/a.xacro": inner}), directory="m").links[0].name == "inner"
