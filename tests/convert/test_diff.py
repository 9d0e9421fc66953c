"""``unibody diff``: differences by aspect, the computed verdict, selections and output formats."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.convert.models import ROOT
from tests.view.test_page import embedded

from unibody.cli.main import main
from unibody.conversion.comparison import compare
from unibody.formats.loader import load
from unibody.model.facts import diff
from unibody.model.metadata import ASPECTS
from unibody.page.pack import unpack

BIPED = ROOT / "src/unibody/models/biped.body"
GRIPPER = ROOT / "tests/commands/models/gripper.urdf"


def edited(folder: Path, *changes: tuple[str, str], source: Path = GRIPPER) -> Path:
    """A copy of a model with other text."""
    text = source.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / source.name).write_text(text, "utf-8")
    return folder / source.name


def verdict(a: Path, b: Path) -> str:
    first, second = load(a), load(b)
    return compare(first, second, diff(first, second)).verdict


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            'xyz="0 0.01 0.06"',
            'xyz="0 0.01 0.07"',
            "kinematics differ: link positions by up to 0.01 m; same masses",
        ),
        (
            'axis xyz="0 1 0"',
            'axis xyz="0 -1 0"',
            "kinematics differ: link positions by up to 0.078 m; same masses",
        ),
        (
            'mass value="0.05"',
            'mass value="0.06"',
            "same kinematics; masses differ in 2 links (0.5 → 0.52 kg in all)",
        ),
        (
            'ixx="0.0004"',
            'ixx="0.0003"',
            "same kinematics; centers of mass or inertias differ in 1 link",
        ),
        ('upper="0.04"', 'upper="0.05"', "same kinematics; position limits differ in 1 joint; same masses"),
        ('multiplier="-1"', 'multiplier="1"', "kinematics differ: 1 mimic joint differs; same masses"),
        ('effort="20"', 'effort="30"', "same kinematics; same masses; other differences: actuation ×2"),
    ],
)
def test_verdict(old: str, new: str, expected: str, tmp_path: Path) -> None:
    assert verdict(GRIPPER, edited(tmp_path, (old, new))) == expected


def test_renamed_links_move_the_same(tmp_path: Path) -> None:
    found = verdict(GRIPPER, edited(tmp_path, ('"palm"', '"hand"')))
    assert found == "same kinematics; same masses; other differences: numbering"


def test_equal_robots_have_no_verdict_to_compute() -> None:
    robot = load(GRIPPER)
    assert compare(robot, robot, []).proof is None


def test_what_the_side_car_hides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model and its conversion are equal for unibody only; the output says what others read."""
    body = tmp_path / "g.body"
    assert main(["convert", str(GRIPPER), str(body)]) == 0
    capsys.readouterr()
    for files in ((GRIPPER, GRIPPER), (body, body)):
        assert main(["diff", *map(str, files)]) == 0
        assert capsys.readouterr().out == "equal\n"
    assert main(["diff", str(GRIPPER), str(body)]) == 0
    told = capsys.readouterr().out
    verdict = told.partition("equal, through the side-car; for other programs: ")[2]
    assert verdict.startswith("kinematics differ: 1 mimic joint differs; base unspecified → free")
    assert main(["diff", str(GRIPPER), str(body), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["same"], data["other_programs"]["same"]) == (True, False)
    assert main(["diff", str(GRIPPER), str(body), "--plain"]) == 1
    assert capsys.readouterr().out.splitlines()[1] == verdict.strip()
    body.write_text(body.read_text("utf-8").replace("mass: 0.05", "mass: 0.07", 1), "utf-8")
    assert main(["diff", str(GRIPPER), str(body)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("same kinematics; masses differ in 1 link")
    assert lines[-1].startswith("for other programs, which do not read side-cars: kinematics differ: ")


def test_each_model_has_an_srdf_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = edited(tmp_path)
    words = ["diff", str(model), str(model), "--format", "lines"]
    a, b = tmp_path / "old.srdf", tmp_path / "new.srdf"
    group = "<group name='{}'><link name='palm'/></group>"
    a.write_text(f"<robot name='gripper'>{group.format('one')}</robot>")
    b.write_text(f"<robot name='gripper'>{group.format('one')}{group.format('two')}</robot>")
    for given, lines in (
        ((a, b), ["groups/two: added group"]),
        ((b, a), ["groups/two: removed group"]),
        ((a, "none"), ["groups/one: removed group"]),
        (("none", a), ["groups/one: added group"]),
    ):
        assert main([*words, "--srdf", str(given[0]), "--srdf", str(given[1])]) == 1
        assert [line for line in capsys.readouterr().out.splitlines() if "groups/" in line] == lines
    # a single one holds for both
    assert main([*words[:3], "--srdf", str(b)]) == 0
    assert main([*words, *(["--srdf", "none"] * 3)]) == 2
    assert "--srdf can be given at most twice: once for each model" in capsys.readouterr().err
    page = tmp_path / "page.html"
    assert (
        main(["view", str(model), str(model), "--srdf", str(a), "--srdf", str(b), "--html", str(page)]) == 0
    )
    differences = unpack(embedded(page.read_bytes()))[0]["comparison"]["differences"]
    assert "groups/two" in [each["path"] for each in differences]


def test_only_and_ignore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = str(
        edited(tmp_path, ('mass value="0.05"', 'mass value="0.06"'), ('effort="20"', 'effort="30"'))
    )
    assert main(["diff", str(GRIPPER), other, "--only", "motion"]) == 0
    assert main(["diff", str(GRIPPER), other, "--ignore", "mass, actuation"]) == 0
    assert capsys.readouterr().out == "equal in the selected aspects\n" * 2
    assert main(["diff", str(GRIPPER), other, "--only", "mass,motion", "--ignore", "motion"]) == 1
    out = capsys.readouterr().out
    assert "  link inertial/mass 0.05 → 0.06: left_finger (line 10), right_finger (line 17)" in out
    assert "actuation:" not in out
    assert main(["diff", str(GRIPPER), other, "--only", "mas"]) == 2
    assert "unknown aspect 'mas'; did you mean 'mass'?" in capsys.readouterr().err


def test_formats_have_the_same_differences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = str(ROOT / "src/unibody/models/biped.urdf")

    def printed(*options: str) -> str:
        assert main(["diff", str(BIPED), other, *options]) == 1
        return capsys.readouterr().out

    data = json.loads(printed("--json"))
    rows = list(csv.DictReader(io.StringIO(printed("--format", "csv"))))
    lines = printed("--format", "lines").splitlines()
    assert len(data["differences"]) == len(rows) == len(lines) > 100
    assert [d["path"] for d in data["differences"]] == [row["path"] for row in rows]
    assert all(line.startswith(f"{row['path']}: ") for line, row in zip(lines, rows, strict=True))
    assert {d["aspect"] for d in data["differences"]} <= set(ASPECTS)
    text = printed()
    assert data["verdict"] == text.splitlines()[1]
    assert data["verdict"] in printed("--format", "markdown")
    heads = [line.split(":")[0] for line in text.splitlines()[2:] if not line.startswith(" ")]
    assert heads == [a for a in ASPECTS if a in heads]
    assert "… and" in text
    assert "… and" not in printed("--all")
