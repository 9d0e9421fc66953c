"""The command's edges: streams, encodings, terminals, odd names, wrong usage, what is imported."""

from __future__ import annotations

import io
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import unibody as ub
from unibody.cli import main
from unibody.cli.output import Glyphs, glyphs
from unibody.cli.table import Column, table, width

ROOT = Path(__file__).resolve().parents[1]
BIPED = str(ROOT / "src/unibody/models/biped.body")
ARM = """\
format: ChoreonoidBody
format_version: 2.0
name: "{name}"
links:
  - name: "{base}"
    joint_type: free
    mass: 1
    inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]
  - name: "{link}"
    parent: "{base}"
    joint_type: revolute
    joint_axis: [ 0.6, 0, 0.8 ]
    joint_range: [ -90, 90 ]
    mass: 1
    inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]
"""


class Terminal(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="\n", write_through=True)

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


def on_terminal(patch: pytest.MonkeyPatch, *words: str, columns: int = 80, encoding: str = "utf-8") -> str:
    screen = Terminal(encoding)
    patch.setattr(sys, "stdout", screen)
    patch.setattr(sys, "stderr", screen)
    patch.setenv("COLUMNS", str(columns))
    patch.setenv("TERM", "xterm-256color")
    patch.delenv("NO_COLOR", raising=False)
    main.main(words)
    patch.undo()
    return screen.text()


def process(*words: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "unibody", *words], capture_output=True, check=False, **more
    )


def arm(folder: Path, name: str = "arm.body", link: str = "HAND") -> str:
    path = folder / name
    path.write_text(ARM.format(name="Arm", base="BASE", link=link), "utf-8")
    return str(path)


# Streams


def test_a_reader_that_leaves_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "unibody", "info", BIPED]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said() -> None:
    command = [sys.executable, "-m", "unibody", "info", BIPED]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"unibody: error: cannot write the output: No space left on device\n"


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def interrupted(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "_run", interrupted)
    monkeypatch.setattr(main, "_silence", lambda: None)
    assert main.main(["info", BIPED]) == 130
    assert capfd.readouterr() == ("", "")


def test_without_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main.main(["info", BIPED]) == 0
    assert main.main(["info"]) == 2


def test_results_and_findings_go_apart() -> None:
    done = process("info", "tests/commands/models/slips.urdf", "--only", "tree", cwd=ROOT)
    assert done.returncode == 0
    assert b"warning" not in done.stdout
    assert done.stderr.endswith(b"3 warnings\n")


# Encodings and names


def test_an_ascii_terminal_gets_ascii(tmp_path: Path) -> None:
    path = arm(tmp_path, "ロボット の腕.body", "右腕")
    done = process("info", path, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    text = done.stdout.decode("ascii")
    assert done.returncode == 0
    assert "`- \\u53f3\\u8155  revolute (0.6 0 0.8)" in text
    assert "-90 .. 90 deg" in text


def test_json_is_json_in_every_encoding(tmp_path: Path) -> None:
    path = arm(tmp_path, link="右腕😀")
    expected = json.loads(process("dump", path, env={**os.environ, "PYTHONIOENCODING": "utf-8"}).stdout)
    done = process("dump", path, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert json.loads(done.stdout.decode("ascii")) == expected
    assert expected["links"][1]["name"] == "右腕😀"


def test_signs_are_chosen_by_what_the_encoding_has() -> None:
    assert glyphs(Terminal("utf-8")) == Glyphs()
    assert glyphs(Terminal("ascii")).last == "`- "
    latin = glyphs(Terminal("latin-1"))
    assert (latin.degree, latin.to, latin.branch) == ("°", "..", "|- ")
    assert glyphs(Terminal("cp932")).branch == "├─ "


def test_a_name_does_not_steer_the_terminal(tmp_path: Path) -> None:
    path = arm(tmp_path, link=r"\e[2J\e]0;x\a\nEND")
    for words in (
        ["info", path],
        ["info", path + "\x1b"],
    ):
        done = process(*words)
        assert not any(b in done.stdout + done.stderr for b in b"\x07\x1b\x7f\x9b")


def test_file_names_with_spaces_and_letters_of_any_kind(tmp_path: Path) -> None:
    done = process("info", arm(tmp_path, "ロボット の腕.body"), "--only", "summary")
    assert done.returncode == 0
    assert "ロボット の腕.body" in done.stdout.decode("utf-8")


def test_wide_letters_keep_the_columns(tmp_path: Path) -> None:
    rows = [["右腕", "1"], ["R_ARM", "2"]]
    assert [width(line) for line in table([Column(), Column()], rows)] == [10, 10]


# Terminals


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("words", [("info",), ("fk", "--pose", "standard_pose")])
def test_all_fits_into_the_window(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], columns: int
) -> None:
    verb, *options = words
    monkeypatch.chdir(ROOT)
    text = on_terminal(monkeypatch, verb, "src/unibody/models/biped.body", *options, columns=columns)
    assert max(map(width, text.splitlines())) <= columns
    assert ("quaternions in a wider" in text) == (verb == "fk" and columns == 80)


def test_color_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    words = ("info", "tests/commands/models/slips.urdf", "--only", "tree")
    assert "\x1b[1;33mwarning:\x1b[0m" in on_terminal(monkeypatch, *words)
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        env = {**os.environ, name: value}
        assert b"\x1b" not in process(*words, cwd=ROOT, env=env).stderr


def test_excerpts_are_cut_to_the_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text(
        '<robot name="a"><link name="base">' + " " * 300 + "<colision/></link></robot>", "utf-8"
    )
    monkeypatch.chdir(tmp_path)
    lines = on_terminal(monkeypatch, "info", "a.urdf", "--only", "tree", columns=60).splitlines()
    excerpt = next(line for line in lines if "<colision" in line and "a.urdf" not in line)
    assert len(excerpt) <= 60


# What is imported


def test_only_what_is_needed_is_imported() -> None:
    code = (
        "import sys; from unibody.cli.main import main; code = main(sys.argv[1:]);"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'rich', 'xacro', 'trimesh', 'collada'}),"
        " 'unibody.mechanism' in sys.modules, 'unibody.cli.fk' in sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "info", BIPED]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == "[] False False\n"


def test_help_imports_no_numpy() -> None:
    code = "import sys; from unibody.cli.main import main; main(['--help']); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


# Usage


@pytest.mark.parametrize("verb", main.COMMANDS)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([verb, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"example: unibody {verb}" in text
    assert "--json" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "COMMAND"),
        (["inof"], "did you mean 'info'?"),
        (["robot.urdf"], "did you mean 'unibody info robot.urdf'?"),
        (["quux"], "known commands: info"),
        (["info"], "MODEL"),
        (["info", BIPED, "--only", "legs"], "legs"),
        (["info", BIPED, "--package", "name"], "expected NAME=VALUE, got 'name'"),
        (["dump", BIPED, "--stage", "text"], "text"),
        (["fk", BIPED, "--set", "NECK_P"], "expected JOINT=VALUE"),
        (["fk", BIPED, "--set", "NECK_P=high"], "got 'high'"),
        (["fk", BIPED, "--set", "NECK_P=1_0"], "got '1_0'"),
        (["fk", BIPED, "--set", "NECK_P=1e999"], "got '1e999'"),
        (["fk", BIPED, "--set", "WAIST=0,0,1,0,0,0,0"], "zero quaternion"),
        (["fk", BIPED, "--set", "NECK_P=1m"], "joint 'NECK_P' is revolute"),
        (["fk", BIPED, "--set", "NECK_P=1,2"], "'NECK_P' takes 1 number, not 2"),
        (["fk", BIPED, "--set", "WAIST=1"], "takes 7 numbers"),
        (["fk", BIPED, "--pose", "sitting"], "known: standard_pose"),
    ],
)
def test_wrong_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"unibody {ub.__version__}\n"


def test_arguments_and_packages_reach_the_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.stl").write_bytes(b"solid a\nendsolid a\n")
    model = tmp_path / "m.urdf.xacro"
    model.write_text(
        '<robot name="m" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="link" default="base"/>'
        '<link name="$(arg link)"><visual><geometry><mesh filename="package://parts_pkg/a.stl"/></geometry>'
        "</visual></link></robot>",
        "utf-8",
    )
    words = ["info", str(model), "--only", "tree", "--only", "summary"]
    more = ["--arg", "link=torso", "--package", f"parts_pkg={tmp_path / 'parts'}"]
    assert main.main([*words, *more]) == 0
    out, err = capsys.readouterr()
    assert out.endswith("  torso\n")
    assert "file-missing" not in err


def test_a_format_can_be_forced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.txt"
    path.write_text(ARM.format(name="Arm", base="BASE", link="HAND"), "utf-8")
    assert main.main(["info", str(path), "-f", "body", "--only", "summary"]) == 0
    assert main.main(["info", str(path), "-f", "urdf"]) == 2
    assert "Choreonoid Body" in capsys.readouterr().out


def test_many_findings_of_one_code_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.urdf"
    slips = "".join(f'<link name="l{i}"><colision/></link>' for i in range(20))
    path.write_text(f'<robot name="a">{slips}</robot>', "utf-8")
    assert main.main(["info", str(path)]) == 1
    err = capsys.readouterr().err
    assert err.count("[unknown-key]") == 1
    places = ", ".join(f"1:{column}" for column in err_columns(path, "<colision")[1:9])
    assert f"\n  19 more: {places}, and 11 more\n" in err
    assert err.endswith("1 error, 20 warnings\n")
    main.main(["info", str(path), "--all-findings"])
    assert capsys.readouterr().err.count("[unknown-key]") == 20


def err_columns(path: Path, word: str) -> list[int]:
    """The columns of a word in a file of one line."""
    return [found.start() + 1 for found in re.finditer(word, path.read_text("utf-8"))]


def test_findings_of_one_code_and_several_causes_are_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.urdf"
    slips = "".join(f'<link name="l{i}"><colision{i}/></link>' for i in range(20))
    path.write_text(f'<robot name="a">{slips}</robot>', "utf-8")
    assert main.main(["check", str(path)]) == 1
    assert "8 of 20 warnings shown" in capsys.readouterr().out


def test_paths_in_findings_are_relative(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    include = '<xacro:include filename="$(find arm)/parts.xacro"/>'
    xacro = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    (tmp_path / "package.xml").write_text("<package><name>arm</name></package>", "utf-8")
    (tmp_path / "a.urdf").write_text(f'<robot name="a" {xacro}>{include}<link name="a"/></robot>', "utf-8")
    monkeypatch.chdir(tmp_path)
    main.main(["check", "a.urdf"])
    assert "'parts.xacro' is missing" in (out := capsys.readouterr().out)
    assert str(tmp_path) not in out
    main.main(["check", "a.urdf", "--format", "github"])
    assert "'parts.xacro' is missing" in (out := capsys.readouterr().out)
    assert str(tmp_path) not in out


def test_findings_are_printed_as_entries_and_shown_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    links = (
        "".join(f'<link name="{name}"><colision/></link>' for name in "abc")
        + '<link name="d"><visul/></link>'
    )
    path.write_text(f'<robot name="a">{links}</robot>', "utf-8")
    found = ub.check(path)
    assert str(found).count("[unknown-key]") == 2
    assert "\n  2 more: 1:" in str(found)
    assert found._repr_html_().count("<td>unknown-key</td>") == 2
    reading = ub.read(path)
    assert str(reading) == f"{reading.robot}\n{reading.findings}"


# Contents


def test_info_as_json_has_all_names(capsys: pytest.CaptureFixture[str]) -> None:
    robot = ub.load(BIPED)
    assert main.main(["info", BIPED, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [link["name"] for link in data["links"]] == [link.name for link in robot.links]
    assert [joint["q"] for joint in data["joints"]] == [[i] for i in range(7, 30)]
    assert sum(x["mass"] for x in data["masses"].values()) == pytest.approx(40.0)
    assert data["devices"][5]["parameters"]["field_of_view"] == pytest.approx(math.radians(50))
    assert data["joints"][3]["position"] == list(robot.joints[3].limits.position)
    main.main(["info", BIPED, "--json", "--only", "tree"])
    assert list(json.loads(capsys.readouterr().out)) == ["links"]


def test_fk_as_json_agrees_with_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["fk", BIPED, "--set", "NECK_P=20deg", "--set", "WAIST=1,2,3,0,0,0,1", "--json"]
    assert main.main(words) == 0
    data = json.loads(capsys.readouterr().out)
    m = ub.assemble(ub.load(BIPED))
    q = {"NECK_P": math.radians(20), "WAIST": [1, 2, 3, 0, 0, 0, 1]}
    expected = dict(zip(m.link_names, m.forward_kinematics(q).tolist(), strict=True))
    assert list(data["links"]) == list(m.link_names)
    for name, pose in data["links"].items():
        flat = [v for row in pose["matrix"] for v in row]
        assert flat == pytest.approx([v for row in expected[name] for v in row], abs=1e-12)
    assert data["q"]["WAIST"] == [1, 2, 3, 0, 0, 0, 1]
    assert data["q"]["NECK_P"] == math.radians(20)


def test_degrees_and_units_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    out = []
    for words in (["NECK_P=30deg"], ["NECK_P=30", "--degrees"], [f"NECK_P={math.radians(30)!r}rad"]):
        assert main.main(["fk", BIPED, "--set", *words, "--json"]) == 0
        out.append(capsys.readouterr().out)
    assert out[0] == out[1] == out[2]


def test_a_limit_is_not_exceeded_by_its_last_bit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["fk", BIPED, "--set", "NECK_P=45deg"]) == 0
    assert capsys.readouterr().err == ""
    assert main.main(["fk", BIPED, "--set", "NECK_P=45.001deg"]) == 0
    assert "outside its upper limit 45°" in capsys.readouterr().err


def test_dump_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    from unibody.model import json as native
    from unibody.text.finding import Findings

    main.main(["dump", BIPED])
    assert native.loads(capsys.readouterr().out, "dump", Findings()) == ub.load(BIPED)
