"""``unibody check --format sarif|github|gitlab|junit``."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.project.tools import ROOT

from unibody.cli.main import main

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
    <limit lower="1" upper="-1" effort="1" velocity="1"/></joint>
</robot>
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a robot in a folder, which is the current one."""
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.delenv("CI_PROJECT_DIR", raising=False)
    robots = tmp_path / "robots"
    robots.mkdir()
    (robots / "arm.urdf").write_text(ARM, "utf-8")
    monkeypatch.chdir(robots)
    return tmp_path


def test_github(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "arm.urdf", "--format", "github"]) == 0
    out = capsys.readouterr().out
    assert out == (
        "::warning file=arm.urdf,line=6,col=5,endLine=6,endColumn=58,title=limits-reversed::joint 'j': "
        "lower limit 57.2958° is above upper limit -57.2958°%0Ahint: swap the limits\n"
    )


@pytest.mark.parametrize("name", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_paths_are_those_of_the_repository(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, str(folder))
    main(["check", "arm.urdf", "--format", "github"])
    assert " file=robots/arm.urdf," in capsys.readouterr().out
    monkeypatch.setenv(name, str(folder / "other"))
    main(["check", "arm.urdf", "--format", "github"])
    assert " file=arm.urdf," in capsys.readouterr().out


def test_sarif(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "arm.urdf", "--format", "sarif", "--fail-on", "warning"]) == 1
    run = json.loads(capsys.readouterr().out)["runs"][0]
    assert [result["ruleId"] for result in run["results"]] == ["limits-reversed"]
    assert run["tool"]["driver"]["rules"][0]["shortDescription"]["text"]


def test_notes_are_shown_on_request(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(ROOT / "tests" / "commands" / "models" / "digger.urdf")
    for words in ([], ["--all-findings"]):
        main(["check", model, "--format", "gitlab", *words])
        severities = {entry["severity"] for entry in json.loads(capsys.readouterr().out)}
        assert ("info" in severities) == bool(words)


def test_muted_findings_are_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "arm.urdf", "--format", "gitlab", "--mute", "limits-reversed"])
    assert json.loads(capsys.readouterr().out) == []


def test_junit_fails_as_the_command_does(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for level, failures in (("error", "0"), ("warning", "1")):
        code = main(["check", "arm.urdf", "--format", "junit", "--fail-on", level])
        suite = ElementTree.fromstring(capsys.readouterr().out)[0]
        assert (suite.attrib["failures"], code) == (failures, int(failures))


def test_a_file_that_cannot_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "nowhere.urdf", "--format", "github"]) == 2
    assert capsys.readouterr().out.startswith("::error file=nowhere.urdf,title=file-missing::")


@pytest.mark.parametrize("words", [["--json"], ["--fix"]])
def test_conflicts(folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "arm.urdf", "--format", "sarif", *words]) == 2
    assert f"--format sarif cannot be combined with {words[0]}" in capsys.readouterr().err
