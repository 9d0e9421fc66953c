"""Conversion of folders: the tree, names, the report of all losses, and resumption."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from unibody.cli.main import main
from unibody.conversion.collection_report import LossSummary

MODELS = Path(__file__).parents[1] / "commands/models"
pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for folder, names in {
        "arms/left": ["six_axis.urdf", "pendulum.body"],
        "arms/right": ["six_axis.urdf", "broken.urdf"],
        "hands": ["gripper.urdf"],
    }.items():
        (tmp_path / "robots" / folder).mkdir(parents=True)
        for name in names:
            shutil.copy(MODELS / name, tmp_path / "robots" / folder / name)
    Path("robots/readme.txt").touch()
    return tmp_path


def written(folder: str = "out") -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in Path(folder).rglob("*.body"))


def test_the_tree_is_written(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "robots", "--to", "body", "-o", "out", "--report", "all.md"]) == 1
    trees = [
        "arms/left/pendulum.body",
        "arms/left/six_axis.body",
        "arms/right/six_axis.body",
        "hands/gripper.body",
    ]
    assert written() == trees
    done = capsys.readouterr()
    assert done.out.startswith("4 of 5 files converted, ")
    assert "1 not converted" in done.out
    first = done.out.split("Decide first:\n")[1]
    assert first.startswith("  1 file  not converted: ")
    assert "robots/arms/right/broken.urdf:" in done.err
    text = Path("all.md").read_text()
    assert text.startswith("# 4 of 5 files converted")
    assert (
        text.index("## Decide first") < text.index("## Lost for other programs") < text.index("## By file")
    )
    assert "### robots/arms/left/six_axis.urdf → out/arms/left/six_axis.body" in text
    assert "\n## Losses" not in text


def test_the_report_as_json_and_csv(robots: Path) -> None:
    for suffix in ("json", "csv", "txt"):
        main(["convert", "robots", "--to", "body", "-o", "out", "--dry-run", "--report", f"all.{suffix}"])
    data = json.loads(Path("all.json").read_text())
    assert data["summary"]["files"] == 5
    assert data["summary"]["decide_first"][0]["aspect"] == "not converted"
    damping = next(one for one in data["summary"]["lost"] if one["what"] == "damping")
    assert (damping["files"], damping["losses"]) == (2, 12)
    assert len(data["reports"]) == 5
    rows = Path("all.csv").read_text().splitlines()
    assert rows[0].startswith("source,aspect,")
    assert not any(row.startswith("source,") for row in rows[1:])
    assert Path("all.txt").read_text().startswith("4 of 5 files converted")


def test_patterns_keep_the_tree(robots: Path) -> None:
    main(["convert", "robots/**/six*.urdf", "--to", "body", "-o", "out"])
    assert written() == ["arms/left/six_axis.body", "arms/right/six_axis.body"]


def test_models_of_one_folder_with_one_name(robots: Path) -> None:
    shutil.copy(MODELS / "pendulum.body", "robots/hands/gripper.body")
    main(["convert", "robots/hands", "--to", "body", "-o", "out"])
    assert written() == ["gripper_body.body", "gripper_urdf.body"]


def test_outputs_are_no_sources(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(MODELS / "pendulum.body", "robots/hands/gripper.wrl")
    assert (
        main(
            [
                "convert",
                "robots/hands/gripper.urdf",
                "robots/hands/gripper.wrl",
                "--to",
                "urdf",
                "-o",
                "out",
            ]
        )
        == 1
    )
    assert main(["convert", "robots/hands", "--to", "urdf"]) == 2
    assert main(["convert", "robots/hands", "-o", "out"]) == 2
    assert "(here: 'out'), require --to" in capsys.readouterr().err
    assert main(["convert", "robots", "--to", "body", "-o", "robots/readme.txt"]) == 2


def test_a_word_behind_a_flag_is_named(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "robots/hands", "b.xml", "--scene", "floor"]) == 2
    told = capsys.readouterr().err
    assert "(here: 'floor')" in told
    assert "--scene takes no value: leave out 'floor'" in told


def test_resumption_looks_at_the_outputs(robots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "convert robots --to body -o out --resume run.jsonl --report all.json".split()
    main(words)
    out = capsys.readouterr().out
    record, report = Path("run.jsonl").read_text(), Path("all.json").read_text()
    times = {path: (Path("out") / path).stat().st_mtime_ns for path in written()}
    assert main([*words, "--overwrite"]) == 1
    assert capsys.readouterr().out == out
    assert (Path("run.jsonl").read_text(), Path("all.json").read_text()) == (record, report)
    assert {path: (Path("out") / path).stat().st_mtime_ns for path in written()} == times
    Path("out/hands/gripper.body").unlink()
    main([*words, "--overwrite"])
    assert Path("out/hands/gripper.body").exists()


def test_losses_in_a_log_without_outcomes_are_assumed_to_be_lost() -> None:
    found = LossSummary()
    row = {"aspect": "motion", "what": "loops", "why": "", "count": 2, "carried": True}
    found.add("a", {"losses": [row]})
    assert [(r.what, r.outcome) for r in found.ordered()] == [("loops", "lost")]
    assert found.unchanged == 0


def test_what_must_be_decided_comes_first() -> None:
    found = LossSummary()
    rows = [("numbering", "joint numbers"), ("looks", "colors"), ("mass", "masses"), ("motion", "loops")]
    rest = {"why": "", "count": 2, "carried": True}
    losses = [{"aspect": a, "what": w, "outcome": "lost", **rest} for a, w in rows]
    losses.append({"aspect": "motion", "what": "chains", "outcome": "converted", **rest})
    losses.append({"aspect": "motion", "what": "base", "outcome": "assumed", **rest})
    losses.append({"aspect": "vendor", "what": "vendor data", "outcome": "omitted", **rest})
    ignored = {
        "aspect": "reading",
        "what": "ignored in the source",
        "why": "",
        "outcome": "lost",
        "count": 2,
        "carried": False,
    }
    found.add("a", {"losses": [*losses, {**ignored, "elements": {"name": 1, "mask": 1}}]})
    found.add("b", {"losses": [losses[1], {**ignored, "elements": {"mask": 2}}]})
    found.add_failure("c", "xml-syntax", "no element")
    assert [(r.what, r.rank, r.files) for r in found.ordered()] == [
        ("xml-syntax", 0, 1),
        ("base", 0, 1),
        ("loops", 0, 1),
        ("masses", 0, 1),
        ("ignored in the source", 0, 2),
        ("colors", 1, 2),
        ("chains", 2, 1),
        ("vendor data", 4, 1),
        ("joint numbers", 5, 1),
    ]
    lines = list(found.text())
    assert lines[3:5] == ["  1 file  not converted: xml-syntax", "          no element (c)"]
    place = lines.index("  2 files  reading: ignored in the source ×4")
    assert lines[place + 1].strip() == "unibody does not read mask ×3, name ×1 (first: a)"
    assert found.headline() == "2 of 3 files converted, 0 of them without a loss; 1 not converted"
