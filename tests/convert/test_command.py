"""The verbs convert and diff: outputs, exit codes, reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.convert.models import ROOT, whole
from tests.sampling import few

import unibody as ub
from unibody.cli.main import main

MODELS = ROOT / "tests/commands/models"
PENDULUM = str(MODELS / "pendulum.body")


def run(*words: object) -> int:
    return main([str(w) for w in words])


def test_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "p.urdf"
    assert run("convert", PENDULUM, target) == 0
    said = capsys.readouterr().out
    assert "carried in the side-car" in said
    assert said.rstrip().splitlines()[-1].startswith("proof: 20 configurations, fixed base for both")
    assert ub.diff(whole(Path(PENDULUM)), whole(target)) == []
    assert run("convert", PENDULUM, target) == 2
    assert run("convert", "--overwrite", PENDULUM, target) == 0


def test_exit_codes(tmp_path: Path) -> None:
    assert run("convert", "--fail-on-loss", PENDULUM, tmp_path / "a.urdf") == 0
    assert run("convert", "--fail-on-loss", "--plain", PENDULUM, tmp_path / "b.urdf") == 3
    assert run("convert", MODELS / "broken.urdf", tmp_path / "c.body") == 1
    assert run("convert", PENDULUM, tmp_path / "d.nothing") == 2
    assert run("convert", PENDULUM, f"{tmp_path}/") == 2
    assert run("convert", "--attach", PENDULUM, PENDULUM, tmp_path / "e.urdf") == 2
    assert run("convert", "--subtree", "NOSE", PENDULUM, tmp_path / "f.urdf") == 2
    assert {p.name for p in tmp_path.iterdir()} == {"a.urdf", "b.urdf"}


def test_dry_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert", "--dry-run", PENDULUM, tmp_path / "p.urdf") == 0
    assert "(dry run, nothing written)" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_many_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = [PENDULUM, MODELS / "four_bar.body", MODELS / "gripper.urdf"]
    assert run("convert", *sources, tmp_path, "--to", "urdf", "--jobs", 2) == 0
    assert {p.name for p in tmp_path.iterdir()} == {"pendulum.urdf", "four_bar.urdf", "gripper.urdf"}
    out = capsys.readouterr().out
    assert out.startswith("3 of 3 files converted, ")
    assert len([line for line in out.splitlines() if " → " in line and line.startswith(str(MODELS))]) == 3


def test_names_of_outputs_do_not_collide(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "arm.body").write_text(Path(PENDULUM).read_text("utf-8"), "utf-8")
    out = tmp_path / "out"
    sources = [tmp_path / folder / "arm.body" for folder in ("a", "b")]
    assert run("convert", *sources, f"{out}/", "--to", "urdf", "--jobs", 1) == 0
    assert {p.name for p in out.iterdir()} == {"a_arm.urdf", "b_arm.urdf"}


@pytest.mark.parametrize("suffix", [".json", ".md", ".txt", ".csv"])
def test_reports(suffix: str, tmp_path: Path) -> None:
    report = tmp_path / f"r{suffix}"
    assert run("convert", PENDULUM, tmp_path / "p.urdf", "--report", report) == 0
    text = report.read_text("utf-8")
    if suffix == ".json":
        data = json.loads(text)
        assert {x["path"] for x in data["losses"]} >= {"joints/ARM/number", "base"}
        assert all(x["why"] for x in data["losses"])
        assert data["proof"]["mass"] == 0.0
        assert data["joints"] == [{"name": "ARM", "index": 0, "target": "ARM", "target_index": 0}]
    else:
        assert "number" in text
    assert run("convert", "--overwrite", PENDULUM, tmp_path / "p.urdf", "--report", tmp_path / "r.doc") == 2


def test_what_was_not_read_is_told_with_its_place(tmp_path: Path) -> None:
    source = tmp_path / "a.urdf"
    source.write_text(
        '<robot name="a">\n<link name="b">\n<visual><geometry><box size="1 1 1"/></geometry>\n'
        '<meta kind="x"/></visual></link></robot>\n',
        "utf-8",
    )
    report = ub.convert(source, tmp_path / "a.body")
    assert [(u.key, u.at.line if u.at else 0) for u in report.reading] == [("meta", 4)]
    assert report.lost
    assert "(line 4)" in report.text()


def test_changes(tmp_path: Path) -> None:
    both = tmp_path / "both.urdf"
    gripper = MODELS / "gripper.urdf"
    words = ("--attach", gripper, "--on", "ARM", "--attach-prefix", "g_", "--rename", "BASE=FLOOR")
    assert run("convert", PENDULUM, both, *words) == 0
    names = {x.name for x in whole(both).links}
    assert "FLOOR" in names
    assert {f"g_{x.name}" for x in whole(gripper).links} <= names
    part = tmp_path / "part.body"
    assert run("convert", both, part, "--subtree", "ARM", "--prefix", "x_") == 0
    assert whole(part).root == "x_ARM"


def test_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "p.urdf"
    run("convert", "--plain", PENDULUM, other)
    capsys.readouterr()
    assert run("diff", PENDULUM, PENDULUM) == 0
    assert capsys.readouterr().out == "equal\n"
    assert run("diff", PENDULUM, other) == 1
    assert "joint number removed 0: ARM (line 7)" in capsys.readouterr().out
    assert run("diff", PENDULUM, other, "--json") == 1
    data = json.loads(capsys.readouterr().out)
    assert not data["same"]
    assert {d["path"] for d in data["differences"]} >= {"base"}
    assert run("diff", PENDULUM, tmp_path / "none.urdf") == 2
    assert run("diff", PENDULUM, other, "--tolerance", "-1") == 2


def test_diff_with_tolerance(tmp_path: Path) -> None:
    text = Path(PENDULUM).read_text("utf-8")
    near = tmp_path / "near.body"
    near.write_text(
        text.replace("mass: 0.5", "mass: 0.5001").replace("[0, 0, 1]", "[0, 0, 1.0001]"), "utf-8"
    )
    assert run("diff", PENDULUM, near) == 1
    assert run("diff", PENDULUM, near, "--tolerance", "0.001") == 0
    assert run("diff", PENDULUM, near, "--tolerance", "0.00001") == 1


@pytest.mark.parametrize("suffix", few([".json", ".txt", ".md", ".csv"], 2))
def test_the_report_of_a_batch_names_what_was_not_converted(suffix: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.urdf"
    broken.write_text('<robot name="r"><joint name="j"', "utf-8")
    report = tmp_path / f"r{suffix}"
    options = ("--to", "urdf", "--jobs", "1", "--report", report)
    assert run("convert", PENDULUM, broken, f"{tmp_path}/out/", *options) == 1
    text = report.read_text("utf-8")
    if suffix == ".json":
        first, second = json.loads(text)["reports"]
        assert first["source"] == str(PENDULUM)
        assert second["source"] == str(broken)
        assert second["findings"]
    else:
        assert (f"{broken}: not converted\n" in text) == (suffix != ".csv")
