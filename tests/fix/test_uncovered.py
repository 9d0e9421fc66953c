"""What a fix uncovers, what the command says of it, and the model behind --fix."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.fix.models import ARM

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import MemoryFiles

MASKED_BODY = """\
format: ChoreonoidBody
format_version: 2.0
name: k
links:
  - { name: base, joint_type: fixed, mass: 1.0, inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ] }
  -
    name: arm
    parent: base
    joint_typ: revolute
    joint_axis: Z
    joint_range: [ 90, -90 ]
    mass: 1.0
    inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]
"""
MASKED_URDF = ARM.replace("revolute", "revolut").replace('lower="1.5" upper="-1.5"', 'lower="-1" upper="1"')


@pytest.fixture
def arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    return path


def _run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["check", *words])
    out, err = capsys.readouterr()
    return code, out, err


def _memory(name: str, text: str, which: str) -> ub.Fix:
    return ub.fix(name, which, files=MemoryFiles({name: text.encode()}))


@pytest.mark.parametrize(
    ("name", "text", "meant"),
    [
        (
            "k.body",
            MASKED_BODY,
            MASKED_BODY.replace("joint_typ:", "joint_type:").replace("[ 90, -90 ]", "[ -90, 90 ]"),
        ),
        ("k.urdf", MASKED_URDF, MASKED_URDF.replace("revolut", "revolute").replace("0 3 4", "0 0.6 0.8")),
    ],
)
def test_what_a_fix_uncovers_is_fixed_with_it(name: str, text: str, meant: str) -> None:
    fix = _memory(name, text, "all")
    assert (len(fix.fixes), fix.refused, fix.left) == (2, (), ())
    assert fix.changes[0].after == meant.encode()
    assert _memory(name, text, "safe").changes == ()


def test_what_a_fix_uncovers_may_be_left() -> None:
    fix = _memory("k.body", MASKED_BODY, "unknown-key")
    assert [r.finding.code for r in fix.fixes] == ["unknown-key"]
    assert [f.code for f in fix.left] == ["limits-reversed"]
    assert fix.changes[0].after == MASKED_BODY.replace("joint_typ:", "joint_type:").encode()


def test_reversed_limits_in_degrees_are_swapped_and_converted() -> None:
    text = ARM.replace("0 3 4", "0 0 1").replace('lower="1.5" upper="-1.5"', 'lower="90" upper="-90"')
    fix = _memory("k.urdf", text, "all")
    assert [r.finding.code for r in fix.fixes] == ["limits-reversed", "limits-unit"]
    meant = f'lower="{-math.pi / 2!r}" upper="{math.pi / 2!r}"'
    assert fix.changes[0].after == text.replace('lower="90" upper="-90"', meant).encode()
    assert [len(owners) for _, owners in fix.changes[0].edits] == [2, 2]
    assert all(r.fix.edits == tuple(e for e, _ in fix.changes[0].edits) for r in fix.fixes)
    alone = _memory("k.urdf", text, "limits-reversed")
    assert ([f.code for f in alone.left], alone.refused) == (["limits-unit"], ())


def test_a_warning_that_was_hidden_is_no_reason_to_refuse() -> None:
    shape = '<visual><geometry><cylinder radius="0.05" lenght="-0.2"/></geometry></visual>'
    text = f'<robot name="arm"><link name="base">{shape}</link></robot>'
    fix = _memory("k.urdf", text, "all")
    assert ([r.finding.code for r in fix.fixes], fix.refused) == (["unknown-key"], ())
    assert [f.code for f in fix.left] == ["size-not-positive"]


def test_a_key_that_is_given_is_not_written_again() -> None:
    shape = '<visual><geometry><cylinder radius="0.05" length="0.1" lenght="0.2"/></geometry></visual>'
    text = f'<robot name="arm"><link name="base">{shape}</link></robot>'
    assert _memory("k.urdf", text, "all").fixes == ()


def test_fixes_that_fail_alone_are_tried_in_pairs() -> None:
    """Each of two swapped references would give a link two parents."""
    text = """\
<robot name="arm">
  <link name="base"/><link name="upper"/><link name="lower"/>
  <joint name="a" type="fixed"><parent link="base"/><child link="uper"/></joint>
  <joint name="b" type="fixed"><parent link="uper"/><child link="lower"/></joint>
</robot>
"""
    fix = _memory("k.urdf", text, "all")
    assert [r.finding.code for r in fix.fixes] == ["child-unknown", "parent-unknown"]
    assert fix.changes[0].after == text.replace("uper", "upper").encode()


def test_an_error_uncovered_is_not_left_and_the_fix_is_told() -> None:
    text = MASKED_BODY.replace("joint_typ:", "joint_type:").replace("[ 90, -90 ]", "[ -90, 90 ]")
    fix = _memory("k.body", text.replace("    mass: 1.0\n", "    mas: .nan\n"), "all")
    assert (fix.changes, fix.left) == ((), ())
    assert fix.refused[0].why.endswith("; fix by hand: replace mas by mass")


def test_several_elements_and_one_that_stays() -> None:
    arm = MASKED_BODY[MASKED_BODY.index("  -\n") :]
    text = MASKED_BODY + arm.replace("arm", "arm2") + arm.replace("arm", "arm3")
    fix = _memory("k.body", text, "all")
    assert (len(fix.fixes), fix.refused, fix.left) == (6, (), ())
    fix = _memory("k.body", text, "unknown-key")
    assert [f.code for f in fix.left] == ["limits-reversed"] * 3


def test_command_says_what_all_would_fix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.body"
    path.write_text(MASKED_BODY)
    assert _run([str(path), "--fix"], capsys)[1].startswith("nothing safe to fix; 2 more with --fix=all\n")
    path.write_text(MASKED_BODY.replace("joint_typ:", "joint_type:").replace("[ 90, -90 ]", "[ -90, 90 ]"))
    assert _run([str(path), "--fix"], capsys)[1].startswith("nothing to fix\n")


def test_command_tells_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.body").write_text(MASKED_BODY)
    _, out, _ = _run(["k.body", "--fix=unknown-key"], capsys)
    assert ": remaining: " in out
    assert json.loads(_run(["k.body", "--fix=unknown-key", "--json"], capsys)[1])["fix"]["left"]


@pytest.mark.slow
def test_the_model_may_stand_behind_fix(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["--fix", "arm.urdf"], capsys) == _run(["arm.urdf", "--fix"], capsys)
    other = arm.with_name("other.urdf")
    other.write_text(ARM)
    code, out, _ = _run(["--fix", "arm.urdf", "other.urdf"], capsys)
    assert (code, "2 files checked" in out) == (0, True)
