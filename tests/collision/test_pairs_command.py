"""The command ``unibody pairs``: what it writes says what it found, and it ends well in any case."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import mujoco
import pytest
from tests.project.tools import ROOT

import unibody as ub
from unibody.cli.main import main
from unibody.model import collision
from unibody.text.installation import install_command

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.collision.matrix import MatrixSearch
from unibody.formats.srdf.reasons import reasons_of

DIGGER = str(ROOT / "tests/commands/models/digger.urdf")


def pairs_of(robot: ub.Robot) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in collision.tested_pairs(robot)}


@pytest.mark.parametrize(
    ("format", "suffix"), [("srdf", ".srdf"), ("body", ".body"), ("mpk", ".rob"), ("mjcf", ".xml")]
)
def test_written_pairs_are_read_back(format: str, suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"digger{suffix}"
    assert main(["pairs", DIGGER, "--to", format, "--output", str(target)]) == 0
    robot = ub.load(DIGGER, srdf=str(target)) if format == "srdf" else ub.load(target)
    assert pairs_of(robot) == {frozenset(("cab", "bucket"))}
    if format == "srdf":
        reasons = {tuple(sorted(pair)): reason for pair, reason in reasons_of(robot).items()}
        assert reasons["cab", "stick"] == reasons["boom", "bucket"] == "Never"
        assert reasons["boom", "cab"] == "Adjacent"
    before = target.read_bytes()
    assert main(["pairs", DIGGER, "--to", format, "--output", str(target)]) == 2
    assert target.read_bytes() == before


@pytest.mark.parametrize("suffix", [".urdf", ".body", ".rob", ".xml"])
def test_pairs_are_converted(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"digger{suffix}"
    ub.convert(DIGGER, target)
    assert pairs_of(ub.load(target)) == pairs_of(ub.load(DIGGER))


def test_what_is_not_tested_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "digger.srdf"
    words = ["pairs", DIGGER, "--to", "srdf", "--output", str(target), "--untested"]
    assert main([*words, "adjacent,nevr"]) == 2
    assert "unknown status 'nevr'" in capsys.readouterr().err
    assert main([*words, "adjacent"]) == 0
    assert len(pairs_of(ub.load(DIGGER, srdf=str(target)))) == 3


def test_the_model_is_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pairs", DIGGER, "--to", "body", "--output", DIGGER, "--overwrite"]) == 2
    assert "is the model" in capsys.readouterr().err


def test_interrupted_work_leaves_its_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = MatrixSearch.steps

    def interrupted(self: MatrixSearch) -> Any:
        for number, done in enumerate(steps(self)):
            if number == 3:
                raise KeyboardInterrupt
            yield done

    monkeypatch.setattr(MatrixSearch, "steps", interrupted)
    assert main(["pairs", DIGGER, "--json"]) == 1
    said = capsys.readouterr()
    assert "interrupted" in said.err
    data = json.loads(said.out)
    assert data["complete"] is False
    assert {pair["status"] for pair in data["pairs"]} == {"adjacent", "possible", "unseen"}


def test_seconds_end_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pairs", DIGGER, "--time-limit", "0.000001", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["complete"] is False


def test_without_the_extra_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "coal", None)
    assert main(["pairs", DIGGER]) == 2
    assert install_command("collision") in capsys.readouterr().err


def test_missing_meshes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        Path(DIGGER).read_text("utf-8").replace('<box size="0.7 0.08 0.08"/>', '<mesh filename="no.stl"/>')
    )
    (tmp_path / "model.urdf").write_text(text, "utf-8")
    assert main(["pairs", str(tmp_path / "model.urdf")]) == 2
    assert "--missing skip" in capsys.readouterr().err
    assert main(["pairs", str(tmp_path / "model.urdf"), "--missing", "skip"]) == 0
    assert "not tested: mesh 'no.stl'" in capsys.readouterr().err


LOST = """<robot name="r">
  <link name="a"><visual><geometry><box size=".1 .1 .1"/></geometry></visual>
    <collision><geometry><mesh filename="a.stl"/></geometry></collision></link>
  <link name="b"><collision><geometry><mesh filename="b.stl"/></geometry></collision></link>
  <link name="c"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
  <joint name="ab" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="bc" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def test_all_missing_meshes_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.urdf"
    path.write_text(LOST)
    missing = "2 meshes cannot be read: 'a': mesh 'a.stl' not found; 'b': mesh 'b.stl' not found"
    for words in (["pairs", str(path)], ["check-path", str(path), "--start", "ab=0"]):
        assert main(words) == 2
        out, err = capsys.readouterr()
        assert (out, missing in err) == ("", True)
        assert "--shapes visual" in err
    # b has no visual shapes: its collision shapes count
    assert main(["pairs", str(path), "--shapes", "visual"]) == 2
    assert "'b': mesh 'b.stl' not found\n" in capsys.readouterr().err
    assert main(["pairs", str(path), "--shapes", "visual", "--missing", "skip", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [(pair["links"], pair["status"]) for pair in json.loads(out)["pairs"]] == [
        (["a", "c"], "possible")
    ]
    assert "not tested: mesh 'b.stl' of 'b'" in err
    assert "a.stl' of" not in err


def test_pairs_are_written_into_the_text_of_an_mjcf_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "arm.xml", tmp_path / "out.xml"
    rod = '<geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>'
    joint = '<joint name="{}" axis="0 0 1" range="-20 20"/>'
    text = (
        '<mujoco model="arm"><worldbody>\n<!-- the arm -->\n'
        f'<body name="a">{joint.format("ja")}{rod}\n<body name="b" pos=".3 0 0">{joint.format("jb")}{rod}\n'
        f'<body name="c" pos=".3 0 0">{joint.format("jc")}{rod}</body></body></body>\n'
        "</worldbody></mujoco>\n"
    )
    source.write_text(text)
    assert main(["pairs", str(source), "-o", str(out)]) == 0
    capsys.readouterr()
    kept = out.read_text()
    assert "<!-- the arm -->" in kept
    assert set(text.splitlines()[:4]) <= set(kept.splitlines())
    model = mujoco.MjModel.from_xml_path(str(out))
    names = [
        {model.body(int(pair) >> 16).name, model.body(int(pair) & 0xFFFF).name}
        for pair in model.exclude_signature
    ]
    assert names == [{"a", "c"}]


def test_neighbors_that_are_tested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, target = tmp_path / "arm.xml", tmp_path / "free.xml"
    model.write_text(
        """<mujoco><worldbody><body name="base"><geom type="box" size=".1 .1 .1"/>
        <body name="arm" pos="0 0 .1"><joint axis="0 1 0" range="-90 90"/>
          <geom type="capsule" fromto="0 0 -.05 0 0 .3" size=".05"/></body></body></worldbody></mujoco>"""
    )
    assert main(["pairs", str(model)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3] == "Always in collision, and tested by the model (1)"
    assert lines[4].startswith(
        '  base  arm  add <exclude body1="base" body2="arm"/> to <contact>: MuJoCo tests'
    )
    assert main(["pairs", str(model), "--output", str(target)]) == 0
    assert pairs_of(ub.load(target)) == set()
    capsys.readouterr()
    assert main(["pairs", str(target), "--json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert (pair["status"], pair["tested"]) == ("adjacent", False)


def test_the_file_beside_the_model_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pairs", DIGGER, "--samples", "10"]) == 0
    out = capsys.readouterr().out
    srdf = DIGGER.replace(".urdf", ".srdf")
    assert out.startswith(f"digger with {srdf}: 6 pairs")
    assert main(["pairs", DIGGER, "--samples", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["beside"] == {srdf: "srdf"}
