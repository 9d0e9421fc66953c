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
        # scenes have scaleFactor
        ("arm.iv", {"scale": "0.001"}, ["the model declares no arguments"]),
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
    assert "xacro" in [f.code for f in findings]


SIDE = ["--arg", "side=right"]
ATTACH = ["--dry-run", "--at", "right_base", "--attach-prefix", "hand_", "--attach"]


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
    options = {"-f", "--format-in", "--arg", "--package", "--allow", "--limit"}
    found = options & set(parser._option_string_actions)
    assert found == (set() if command in NO_MODEL else options)


@pytest.mark.parametrize("function", [ub.load, ub.loads, ub.read, ub.check, ub.fix, ub.convert])
def test_every_function_that_reads_a_path_has_the_keywords_of_reading(
    function: Callable[..., object],
) -> None:
    own = inspect.signature(function).parameters
    renamed = {"format": "source_format"} if function is ub.convert else {}
    for name in ("format", "packages", "allow", "arguments", "limits"):
        found = own[renamed.get(name, name)]
        assert found.annotation == inspect.signature(ub.read).parameters[name].annotation
