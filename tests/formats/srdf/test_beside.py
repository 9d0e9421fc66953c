"""Every command says which SRDF was read, and findings of the SRDF have its places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.page import data

URDF = """<robot name="arm"><link name="base"/><link name="hand"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
SRDF = """<robot name="arm">
<group name="all"><joint name="turn"/></group>
<group_state name="far" group="all"><joint name="turn" value="3"/></group_state>
<disable_collisions link1="base" link2="nowhere"/>
</robot>"""
OTHER = """<robot name="arm"><group name="other"><joint name="turn"/></group></robot>"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("arm.urdf", URDF), ("arm.srdf", SRDF), ("other.srdf", OTHER)):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "alone.urdf").write_text(URDF, "utf-8")
    return tmp_path


def text_of(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    main(words.split())
    return capsys.readouterr().out


def data_of(words: str, capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(text_of(f"{words} --json", capsys))


@pytest.mark.parametrize(
    ("model", "beside"),
    [
        ("arm.urdf", {"arm.srdf": "srdf"}),
        ("arm.urdf --srdf other.srdf", {"other.srdf": "srdf"}),
        ("arm.urdf --srdf none", {}),
        ("alone.urdf", {}),
        ("arm.srdf", {"arm.urdf": "urdf"}),
    ],
)
def test_commands_say_what_is_read(
    model: str, beside: dict[str, str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = model.split(maxsplit=1)[0]
    word = "".join(f" with {path}" for path in beside)
    assert data_of(f"info {model}", capsys)["beside"] == beside
    assert ("\nwith " in text_of(f"info {model}", capsys)) == bool(beside)
    assert data_of(f"check {model}", capsys)["beside"] == beside
    assert (f"read{word}\n" in text_of(f"check {model}", capsys)) == bool(beside)
    assert data_of(f"convert {model} out.body --dry-run", capsys)["beside"] == list(beside)
    assert text_of(f"convert {model} out.body --dry-run", capsys).startswith(f"{first}{word} → out.body")
    (folder / "c.urdf").write_text(URDF.replace("hand", "claw"), "utf-8")
    if model == first:
        assert data_of(f"diff {model} c.urdf", capsys)["beside"] == {"a": beside, "b": {}}
        assert text_of(f"diff {model} c.urdf", capsys).startswith(f"{first}{word} → c.urdf\n")
    shown: list[str] = []
    made = data.Origin

    def origin(**given: Any) -> data.Origin:
        shown.append(given["format"])
        return made(**given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "Origin", origin)
        assert main([*f"view {model} --html page.html".split()]) == 0
    assert shown == [f"{'SRDF' if first.endswith('srdf') else 'URDF'}{word}"]
    main([*f"dump {model} --all-findings".split()])
    notes = capsys.readouterr().err
    for path, name in beside.items():
        assert (f"the SRDF {path} is read, too" in notes) == (name == "srdf")
    assert dict(read(first, srdf="" if "none" in model else None).beside) == (
        beside if "other" not in model else {"arm.srdf": "srdf"}
    )


def test_findings_have_their_own_places(folder: Path) -> None:
    places = {f.code: str(f.at) for f in ub.check("arm.urdf") if f.severity == "warning"}
    assert places == {"state-limits": "arm.srdf:3:63", "link-unknown": "arm.srdf:4:41"}


def test_a_missing_macro_comes_before_what_the_srdf_misses(folder: Path) -> None:
    macro = '<xacro:include filename="macro.xacro"/><xacro:arm/>'
    head = '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="base"/>'
    (folder / "arm.urdf").write_text(f"{head}{macro}</robot>")
    codes = [f.code for f in ub.check("arm.urdf") if f.severity != "info"]
    assert codes[0] == "file-missing"
    assert "joint-unknown" in codes


BOOM = OTHER.replace('"arm"', '"boom"')
BROKEN = '<robot name="arm">'


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a.srdf": BOOM}, "a.srdf is not used: it is for the robot 'boom', the URDF describes 'arm'"),
        # of two, the one with the name of the URDF's file is meant
        ({"a.srdf": BOOM, "b.srdf": OTHER}, "a.srdf is not used: it is for the robot 'boom', the URDF"),
        ({"b.srdf": OTHER}, "b.srdf is not used: it is not called 'a.srdf'"),
        ({"b.srdf": OTHER, "c.srdf": OTHER}, "b.srdf is not used: it is not called 'a.srdf'"),
        ({"a.srdf.xacro": BROKEN}, "a.srdf.xacro is not used: it cannot be read: unexpected end of file"),
    ],
)
def test_an_srdf_that_is_not_used_is_one_finding(files: dict[str, str], reason: str) -> None:
    texts = {"a.urdf": URDF, **files}
    found = read("a.urdf", files=MemoryFiles({name: text.encode() for name, text in texts.items()}))
    assert found.robot is not None
    assert not found.robot.groups
    (finding,) = (f for f in found.findings if f.code == "srdf-not-used")
    assert finding.message.startswith(f"the SRDF {reason}")
    assert reason.partition(" ")[0] in str(finding.hint)
