"""info, diff and pairs of many files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from unibody.cli.main import main

MODELS = Path(__file__).parents[1] / "commands/models"
pytestmark = pytest.mark.usefixtures("here")
NAMES = ["crane.body", "gripper.urdf", "pendulum.body", "six_axis.urdf"]


@pytest.fixture
def robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b"):
        (tmp_path / folder / "inner").mkdir(parents=True)
        for name in NAMES:
            shutil.copy(MODELS / name, tmp_path / folder / "inner" / name)
    return tmp_path


def test_info(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(MODELS / "broken.urdf", "a/broken.urdf")
    assert main(["info", "a"]) == 1
    done = capsys.readouterr()
    lines = done.out.splitlines()
    assert lines[0].split() == ["file", "name", "format", "links", "joints", "devices", "loops", "kg"]
    assert len(lines) == 1 + 5 + 2
    assert lines[7] == "5 of 5 files read"
    (error,) = done.err.splitlines()
    assert error.startswith("a/broken.urdf:13:16: error: ")
    crane = next(line for line in lines if line.startswith("a/inner/crane.body"))
    assert crane.split()[2:6] == ["body", "4", "3", "3"]


@pytest.mark.parametrize("verb", ["info", "pairs"])
def test_errors_of_one_rule_and_file_are_one_line(
    robots: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if verb == "pairs":
        pytest.importorskip("coal", reason="needs coal", exc_type=ImportError)
    joint = '<joint name="j{0}" type="fixed"><parent link="a"/><child link="x{0}"/></joint>'
    joints = "".join(map(joint.format, range(3)))
    Path("a/arm.urdf").write_text(f'<robot name="r"><link name="a"/>{joints}</robot>')
    shutil.copy("a/arm.urdf", "a/leg.urdf")
    assert main([verb, "a/arm.urdf", "a/leg.urdf"]) == 1
    # pairs finds further rules
    lines = [line for line in capsys.readouterr().err.splitlines() if "[child-unknown]" in line]
    assert [line.partition(":")[0] for line in lines] == ["a/arm.urdf", "a/leg.urdf"]
    assert all(line.endswith("[child-unknown] ×3") for line in lines)


@pytest.mark.parametrize("verb", ["info", "check"])
@pytest.mark.parametrize(("fail_on", "code"), [("error", 1), ("warning", 1), ("never", 0)])
def test_exit_codes_of_one_file_and_of_many_are_equal(
    robots: Path, verb: str, fail_on: str, code: int
) -> None:
    Path("a/cut.urdf").write_text("<robot name='r'")
    for words in (["a/cut.urdf"], ["a/cut.urdf", "a/inner/crane.body"], ["a"]):
        assert main([verb, *words, "--fail-on", fail_on]) == code
    muted = ["--mute", "xml-syntax"] if verb == "check" else []
    for words in (["a/cut.urdf"], ["a"]):
        assert main([verb, *words, "--fail-on", fail_on, *muted]) == code


@pytest.mark.parametrize(
    ("fail_on", "code", "cut"),
    [(None, 0, 1), ("error", 0, 1), ("warning", 1, 1), ("info", 1, 1), ("never", 0, 0)],
)
def test_exit_codes_of_one_conversion_and_of_many_are_equal(
    robots: Path, fail_on: str | None, code: int, cut: int
) -> None:
    light = "<link name='a'><inertial><mass value='0'/><inertia ixx='0' iyy='0' izz='0'/></inertial></link>"
    Path("light.urdf").write_text(f"<robot name='r'>{light}</robot>")
    Path("cut.urdf").write_text("<robot name='r'")
    more = ["--to", "body", "-o", "out/", "--overwrite", *(["--fail-on", fail_on] if fail_on else [])]
    for words in (["light.urdf"], ["light.urdf", "a/inner/crane.body"], ["light.urdf", "--jobs", "1"]):
        assert main(["convert", *words, *more]) == code
    for words in (["cut.urdf"], ["cut.urdf", "light.urdf"]):
        assert main(["convert", *words, *more]) == (cut or (code if len(words) > 1 else 0))


@pytest.mark.parametrize("first", [[], ["--fail-on", "warning"]])
def test_losses_are_exit_code_3_whatever_else_fails(robots: Path, first: list[str]) -> None:
    Path("light.urdf").write_text(
        "<robot name='r'><link name='a'/><gazebo reference='a'><x/></gazebo></robot>"
    )
    words = ["--to", "body", "-o", "out/", "--overwrite", "--plain", "--fail-on-loss", *first]
    assert main(["convert", "light.urdf", *words]) == 3
    assert main(["convert", "light.urdf", "a/inner/crane.body", *words]) == 3


def test_info_as_jsonl(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "a/inner/crane.body", "--format", "jsonl", "--only", "joints"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    value = json.loads(line)["value"]
    assert set(value) == {"readable", "joints"}
    assert len(value["joints"]) == 3


def test_info_of_one_file_as_json(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["info", "a/inner/crane.body", "--json"])
    one = capsys.readouterr().out
    main(["info", "a/inner/crane.body", "--format", "json"])
    assert capsys.readouterr().out == one
    assert json.loads(one)["name"]


def test_diff_of_folders(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "a", "b"]) == 0
    assert capsys.readouterr().out == "all models are equal\n"
    text = Path("b/inner/pendulum.body").read_text()
    Path("b/inner/pendulum.body").write_text(text.replace("mass: 0.5", "mass: 0.6"))
    Path("b/inner/crane.body").unlink()
    shutil.copy(MODELS / "four_bar.body", "b/four_bar.body")
    assert main(["diff", "a", "b", "--log", "r.jsonl"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "inner/crane.body: only in a"
    assert lines[1].startswith("inner/pendulum.body: ")
    assert lines[1].endswith("(mass ×1)")
    assert lines[2:] == ["four_bar.body: only in b", "3 of 5 models differ"]
    # what was missing is noticed
    shutil.copy("a/inner/crane.body", "b/inner/crane.body")
    main(["diff", "a", "b", "--resume", "r.jsonl"])
    assert capsys.readouterr().out.splitlines()[-1] == "2 of 5 models differ"
    assert main(["diff", "a", "b", "--fail-on", "never"]) == 0
    capsys.readouterr()
    main(["diff", "a", "b", "--format", "jsonl"])
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["value"]["equal"] for r in records] == [True, True, False, True, False]


def test_diff_after_a_conversion(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "a", "--to", "body", "-o", "out"]) == 0
    capsys.readouterr()
    assert main(["diff", "a", "out"]) == 0
    assert capsys.readouterr().out == "all models are equal\n"


def test_diff_of_a_file_and_a_folder(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "a", "b/inner/crane.body"]) == 2
    assert "compare two files, or two folders" in capsys.readouterr().err
    assert main(["diff", "a/inner/crane.body", "b/inner/crane.body", "--format", "jsonl"]) == 2


def test_pairs(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("coal", reason="needs coal", exc_type=ImportError)
    pytest.importorskip("pinocchio", reason="needs Pinocchio", exc_type=ImportError)
    words = ["pairs", "a", "--samples", "50", "--cells", "50"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["file", "pairs", "adjacent"]
    assert len([line for line in lines if line.startswith("a/inner/")]) == 4
    assert main([*words, "--to", "srdf"]) == 2
    assert "requires --output FOLDER" in capsys.readouterr().err
    assert main([*words, "--to", "srdf", "--output", "out"]) == 0
    assert sorted(p.name for p in Path("out/inner").iterdir()) == [
        Path(name).stem + ".srdf" for name in NAMES
    ]
