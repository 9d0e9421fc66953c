"""``unibody check`` and ``unibody explain``: exit codes, levels, what is muted, what is printed."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.sampling import STEP

from unibody.checks.rules import rules
from unibody.cli.main import main

LIMITS = """<robot name="r" {xmlns}>{comment}
  <link name="a"/>
  <link name="b"><inertial><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
    <limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/></joint>
</robot>"""


def model(
    folder: Path,
    comment: str = "",
    name: str = "r.urdf",
    upper: str = "-1",
    xmlns: str = "",
    lower: str = "1",
) -> str:
    path = folder / name
    path.write_text(LIMITS.format(comment=comment, lower=lower, upper=upper, xmlns=xmlns), "utf-8")
    return str(path)


def data(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = main(list(words))
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("lower", "upper", "level", "code"),
    [
        ("1", "-1", "error", 0),
        ("1", "-1", "warning", 1),
        ("1", "-1", "info", 1),
        ("0", "0", "warning", 0),
        ("0", "0", "info", 1),
        ("1", "x", "error", 0),
        ("1", "x", "warning", 1),
    ],
)
def test_levels(tmp_path: Path, lower: str, upper: str, level: str, code: int) -> None:
    assert main(["check", model(tmp_path, lower=lower, upper=upper), "--fail-on", level]) == code


def test_findings_are_the_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", model(tmp_path)])
    out, err = capsys.readouterr()
    assert "[limits-reversed]" in out
    assert out.endswith("1 warning\n")
    assert err == ""


@pytest.mark.parametrize("name", ["r.urdf", "r.urdf.xacro"])
def test_a_comment_mutes(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    xmlns = 'xmlns:xacro="http://www.ros.org/wiki/xacro"' if name.endswith("xacro") else ""
    muting = "<!-- unibody: mute limits-reversed -->"
    if xmlns:
        muting += '<xacro:property name="p" value="1"/>'
    path = model(tmp_path, muting, name, xmlns=xmlns)
    code, found = data(capsys, "check", path, "--fail-on", "warning", "--json")
    assert code == 0
    assert found["findings"] == []
    assert [f["code"] for f in found["muted"]] == ["limits-reversed"]


def test_an_error_can_be_muted(tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text('<robot name="r"><link name="a"/><link name="b"/></robot>', "utf-8")
    assert main(["check", str(path)]) == 1
    assert main(["check", str(path), "--mute", "roots-several"]) == 0


def test_an_unreadable_file_is_2_also_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.urdf"
    path.write_text("<robot>", "utf-8")
    code, found = data(capsys, "check", str(path), "--format", "json", "--mute", "xml-syntax")
    assert code == 2
    assert found["readable"] is False
    assert found["counts"] == {"error": 0, "warning": 0, "info": 0}
    assert main(["check", str(tmp_path / "nowhere.urdf")]) == 2


@pytest.mark.parametrize(
    "words", [["check"], ["check", "a", "--mute", "no-such-code"], ["explain", "no-such-code"]]
)
def test_wrong_usage_is_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "error:" in capsys.readouterr().err


def test_every_code_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for code, rule in islice(rules().items(), 0, None, STEP):
        assert main(["explain", f"[{code}]"]) == 0
        out = capsys.readouterr().out
        assert out.startswith(f"{code} (")
        assert rule.title in out


def test_the_list_has_every_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {code}  " in out for code in rules())
    code, found = data(capsys, "explain", "--json")
    assert code == 0
    assert [entry["code"] for entry in found["codes"]] == list(rules())
