"""What may be edited, what is written, and what the command does."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from pathlib import Path

import pytest
from tests.fix.models import ARM

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import MemoryFiles

MESH = b"v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SHAPE = """\
<robot name="arm">
  <link name="base"><visual><geometry><mesh filename="{}"/></geometry></visual></link>
</robot>
"""
BODY = """\
format: ChoreonoidBody
links:
  - { name: BASE, joint_type: fixed, mass: 1.0, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1] }
"""


@pytest.fixture
def arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    return path


def test_safe_is_the_default(arm: Path) -> None:
    assert [r.finding.code for r in ub.fix("arm.urdf").fixes] == ["axis-not-unit"]
    assert [r.finding.code for r in ub.fix("arm.urdf", "all").fixes] == [
        "axis-not-unit",
        "limits-reversed",
    ]
    assert [r.finding.code for r in ub.fix("arm.urdf", {"limits-reversed"}).fixes] == ["limits-reversed"]


def test_one_code_or_several(arm: Path) -> None:
    assert len(ub.fix("arm.urdf", "limits-reversed").fixes) == 1
    assert len(ub.fix("arm.urdf", ["limits-reversed", "axis-not-unit"]).fixes) == 2
    with pytest.raises(ValueError, match="'mass-zero' has no fix"):
        ub.fix("arm.urdf", "mass-zero")


def test_nothing_is_written_before_write(arm: Path) -> None:
    fix = ub.fix("arm.urdf", "all")
    assert arm.read_text() == ARM
    assert f"{fix}\n" == fix.diff()
    assert fix.write() == ["arm.urdf"]
    assert arm.read_text() == ARM.replace("0 3 4", "0 0.6 0.8").replace(
        'lower="1.5" upper="-1.5"', 'lower="-1.5" upper="1.5"'
    )
    assert str(ub.fix("arm.urdf", "all")) == "nothing to fix"


def test_a_file_that_has_changed_is_not_written_over(arm: Path) -> None:
    fix = ub.fix("arm.urdf")
    arm.write_text(ARM + "<!-- mine -->\n")
    with pytest.raises(OSError, match="has changed"):
        fix.write()
    assert arm.read_text() == ARM + "<!-- mine -->\n"


def test_line_ends_and_encoding_stay(tmp_path: Path) -> None:
    text = BODY.replace("BASE", "腕").replace("\n", "\r\n")
    path = tmp_path / "arm.body"
    path.write_bytes(text.encode("cp932"))
    ub.fix(path).write()
    head = "format: ChoreonoidBody\r\n"
    assert path.read_bytes() == text.replace(head, head + "format_version: 2.0\r\n").encode("cp932")


def test_a_byte_order_mark_and_the_mode_stay(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(ARM.encode("utf-8-sig"))
    path.chmod(0o640)
    ub.fix(path).write()
    assert path.read_bytes() == ARM.replace("0 3 4", "0 0.6 0.8").encode("utf-8-sig")
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_to_the_model_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/arm.urdf").write_text(ARM)
    (tmp_path / "arm.urdf").symlink_to("real/arm.urdf")
    ub.fix(tmp_path / "arm.urdf").write()
    assert (tmp_path / "arm.urdf").is_symlink()
    assert "0 0.6 0.8" in (tmp_path / "real/arm.urdf").read_text()


def test_a_packed_file_is_not_edited() -> None:
    data = gzip.compress(b"Shape { geometry Box { } }\n")
    fix = ub.fix("box.wrl", files=MemoryFiles({"box.wrl": data}))
    assert fix.changes == ()
    assert [r.why for r in fix.refused] == ["box.wrl is compressed by gzip; decompress it first"]


def _scene(part: str) -> dict[str, bytes]:
    wheel = b"#VRML V2.0 utf8\nShape { geometry Box { } }\n}\n"
    main = f'#VRML V2.0 utf8\nInline {{ url "{part}" }}\n'
    return {"robot/main.wrl": main.encode(), os.path.normpath(f"robot/{part}"): wheel}


def test_a_part_in_the_models_folder_is_edited() -> None:
    fix = ub.fix("robot/main.wrl", files=MemoryFiles(_scene("parts/wheel.wrl")))
    assert [change.name for change in fix.changes] == ["robot/parts/wheel.wrl"]


def test_a_part_elsewhere_is_not_edited() -> None:
    fix = ub.fix("robot/main.wrl", files=MemoryFiles(_scene("../wheel.wrl")))
    assert fix.changes == ()
    assert [r.why for r in fix.refused] == ["wheel.wrl is outside the model's folder"]


def test_a_packages_part_is_not_edited() -> None:
    files = _scene("parts/wheel.wrl") | {
        "robot/parts/package.xml": b"<package><name>parts</name></package>"
    }
    fix = ub.fix("robot/main.wrl", files=MemoryFiles(files))
    assert [r.why for r in fix.refused] == ["robot/parts/wheel.wrl belongs to another package"]


def test_what_xacro_writes_is_not_edited() -> None:
    text = """\
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="size" value="3"/>
  <link name="base"/>
  <link name="hand"/>
  <joint name="wrist" type="continuous">
    <parent link="base"/><child link="hand"/><axis xyz="0 ${size} 4"/>
  </joint>
</robot>
"""
    fix = ub.fix("arm.urdf.xacro", "all", files=MemoryFiles({"arm.urdf.xacro": text.encode()}))
    assert (fix.fixes, fix.changes) == ((), ())


@pytest.mark.parametrize(
    ("written", "code", "meant"),
    [
        ("Meshes/BASE.obj", "file-case", "meshes/Base.obj"),
        ("meshes\\Base.obj", "uri-backslash", "meshes/Base.obj"),
        ("Meshes\\base.OBJ", "uri-backslash", "meshes/Base.obj"),
        ("package:/arm/meshes/Base.obj", "uri-slip", "package://arm/meshes/Base.obj"),
        ("/home/alice/arm/meshes/Base.obj", "uri-elsewhere", "meshes/Base.obj"),
        ("file:///home/alice/arm/meshes/Base.obj", "uri-elsewhere", "meshes/Base.obj"),
        ("C:\\Users\\alice\\meshes\\Base.obj", "uri-drive", "meshes/Base.obj"),
    ],
)
def test_names_of_files(tmp_path: Path, written: str, code: str, meant: str) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/Base.obj").write_bytes(MESH)
    (tmp_path / "package.xml").write_text("<package><name>arm</name></package>")
    path = tmp_path / "arm.urdf"
    path.write_text(SHAPE.format(written))
    fix = ub.fix(path)
    if os.path.exists(tmp_path / "MESHES"):
        pytest.skip("this disk does not tell capitals apart")
    assert [r.finding.code for r in fix.fixes] == [code]
    fix.write()
    assert path.read_text() == SHAPE.format(meant)
    assert ub.read(path).findings == []


def test_of_two_files_none_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "Base.obj").write_bytes(MESH)
    (tmp_path / "base.OBJ").write_bytes(MESH)
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this disk does not tell capitals apart")
    path = tmp_path / "arm.urdf"
    path.write_text(SHAPE.format("BASE.obj"))
    assert ub.fix(path, "all").fixes == ()


def test_muted_findings_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM + "<!-- unibody: mute axis-not-unit -->")
    assert ub.fix(path).fixes == ()


def test_a_missing_model_has_no_fixes() -> None:
    assert ub.fix("nowhere.urdf", "all").diff() == ""


def test_many_remedies_take_no_longer_than_reading(tmp_path: Path) -> None:
    links = "".join(
        f'<link name="l{i}"><visual><geometry><sphere radius="1.f"/></geometry></visual></link>\n'
        for i in range(500)
    )
    joints = "".join(
        f'<joint name="j{i}" type="fixed"><parent link="l0"/><child link="l{i}"/></joint>\n'
        for i in range(1, 500)
    )
    text = f'<robot name="many">\n{links}{joints}</robot>\n'
    fix = ub.fix("many.urdf", files=MemoryFiles({"many.urdf": text.encode()}))
    assert len(fix.fixes) == 500
    assert fix.changes[0].after == text.replace("1.f", "1.").encode()


def _run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["check", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_command_shows_and_does_not_write(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(["arm.urdf", "--fix", "--fail-on", "warning"], capsys)
    assert code == 1
    assert out.startswith("--- arm.urdf\n+++ arm.urdf\n@@ -4,7 +4,7 @@ axis-not-unit: normalize the axis\n")
    assert out.endswith("1 finding fixed in arm.urdf, not written (use --yes)\n")
    assert arm.read_text() == ARM


def test_verb_is_check_with_fix(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = _run(["arm.urdf", "--fix"], capsys)
    assert (main(["fix", "arm.urdf"]), *capsys.readouterr()) == shown
    main(["fix", "arm.urdf", "--fix=limits-reversed"])
    chosen = capsys.readouterr().out
    assert "limits-reversed: swap the limits" in chosen
    assert "axis-not-unit: normalize the axis" not in chosen
    main(["fix", "arm.urdf", "--yes"])
    assert "written" in capsys.readouterr().out
    assert arm.read_text() != ARM


def test_command_writes_with_yes(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(["arm.urdf", "--fix=all", "--yes", "--fail-on", "warning"], capsys)
    assert code == 0
    assert "2 findings fixed in arm.urdf, written\n" in out
    assert _run(["arm.urdf", "--fix=all", "--yes"], capsys)[1].startswith("nothing to fix\n")


def test_command_as_json(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(["arm.urdf", "--fix=all", "--json"], capsys)
    data = json.loads(out)["fix"]
    assert data["written"] is False
    assert data["edits"][0] == {
        "file": "arm.urdf",
        "line": 7,
        "column": 18,
        "end_line": 7,
        "end_column": 19,
        "before": "3",
        "after": "0.6",
        "code": "axis-not-unit",
        "does": "normalize the axis",
        "safe": True,
    }
    assert [e["safe"] for e in data["edits"]] == [True, True, False, False]
    assert arm.read_text() == ARM
    _, out, _ = _run(["arm.urdf", "--fix=all", "--json", "--yes"], capsys)
    assert json.loads(out)["fix"]["written"] is True
    assert json.loads(out)["counts"]["warning"] == 0


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "written"), [("y\n", True), ("\n", False), ("no\n", False), ("", False)]
)
def test_command_asks_on_a_terminal(
    arm: Path, monkeypatch: pytest.MonkeyPatch, answer: str, written: bool
) -> None:
    shown = _Terminal()
    monkeypatch.setattr(sys, "stdin", _Terminal(answer))
    monkeypatch.setattr(sys, "stdout", shown)
    main(["check", "arm.urdf", "--fix"])
    assert "Write arm.urdf? [y/N] " in shown.getvalue()
    assert (arm.read_text() != ARM) is written


def test_a_name_does_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.wrl"
    path.write_text("#VRML V2.0 utf8\n# \x1b[2J\n\tShape { geometry Box { } }\n}\n")
    _, out, _ = _run([str(path), "--fix"], capsys)
    assert "\x1b" not in out
    assert " \tShape" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fix", "mass-zero"], "'mass-zero' has no automatic fix"),
        (["--fix", "axis-not-unti"], "did you mean 'axis-not-unit'?"),
        (["--yes"], "--yes requires --fix"),
    ],
)
def test_wrong_usage_says_what_to_do(
    arm: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    code, _, err = _run(["arm.urdf", *words], capsys)
    assert code == 2
    assert said in err


def test_a_folder_that_cannot_be_written(
    arm: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(stage: object, path: str, data: bytes) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("unibody.files.atomic.Stage.add", refuse)
    code, _, err = _run(["arm.urdf", "--fix", "--yes"], capsys)
    assert code == 2
    assert "Permission denied" in err
    assert arm.read_text() == ARM
