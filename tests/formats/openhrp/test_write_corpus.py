"""Real robots as OpenHRP files: there and back, in numbers, and against Choreonoid's of the source."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.convert.models import plain, whole
from tests.corpus.outcomes import models
from tests.formats.openhrp.strict import refusals
from tests.oracle.choreonoid import compare
from tests.sampling import sampled
from tests.shared import DEV

import unibody as ub
from unibody.conversion.measurement import find_differences
from unibody.conversion.pipeline import save
from unibody.formats.openhrp.write import WRITER

ORACLE = DEV.parents[1] / "oracle"
STEPS = {".wrl": 8, ".body": 12, ".urdf": 24}
NUMBERS = re.compile(r"(.*: (mass|com|inertia|pose|axis|number|parent) )|configuration")


def some(suffix: str) -> list[Path]:
    found = models(suffix)
    return found if os.environ.get("UNIBODY_WHOLE_CORPUS") else found[:: STEPS[suffix]]


FILES = [p for suffix in STEPS for p in some(suffix)]


def robot_of(path: Path) -> ub.Robot:
    reading = ub.read(path)
    assert reading.ok
    assert reading.robot is not None
    return reading.robot


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", sampled(FILES, keep=1, root=DEV))
def test_there_and_back(path: Path, tmp_path: Path) -> None:
    robot = robot_of(path)
    there = tmp_path / "model.wrl"
    report = save(robot, there)
    assert [str(x.difference) for x in report.losses if x.row is None] == []
    assert [str(x.difference) for x in report.losses if not x.carried] == []
    # as Choreonoid loads it, which opens no GIF
    plainly = find_differences(robot, WRITER.as_loaded(plain(there)), by_child=True)
    lost = {str(x.difference): x.path for x in report.losses}
    assert set(map(str, plainly)) <= set(lost)
    # What Choreonoid ignores of the file, and unibody reads.
    ignored = {path for text, path in lost.items() if text not in set(map(str, plainly))}
    assert all(path.endswith(("/axis", "/max_acceleration", "/texture")) for path in ignored)
    back = tmp_path / "back" / f"model{path.suffix}"
    save(whole(there), back)
    assert [str(d) for d in ub.diff(robot, whole(back))] == []


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", sampled(FILES, keep=1, root=DEV))
def test_the_proof_holds_and_choreonoid_takes_it(path: Path, tmp_path: Path) -> None:
    there = tmp_path / "model.wrl"
    proof = save(robot_of(path), there, plain=True).proof
    assert proof is not None
    for value in (proof.positions, proof.rotations, proof.mass, proof.com, proof.limits, proof.bounds):
        assert value is None or value < 1e-9
    # what a file of OpenHRP says beside the model is given back as it was
    assert path.suffix == ".wrl" or list(refusals(there.read_text("utf-8"))) == []


def truths() -> list[str]:
    if not (ORACLE / "INDEX.tsv").exists():
        return []
    rows = [line.split("\t") for line in (ORACLE / "INDEX.tsv").read_text().splitlines()[1:]]
    names = [r[0] for r in rows if r[0].endswith((".wrl", ".body")) and (ORACLE / f"{r[0]}.json").exists()]
    return names if os.environ.get("UNIBODY_WHOLE_CORPUS") else names[::6]


TRUTHS = truths()


def numbers(robot: ub.Robot, truth: dict[str, Any]) -> set[str]:
    return {line for line in compare(replace(robot, devices=()), truth) if NUMBERS.match(line)}


def with_names(source: ub.Robot, written: ub.Robot) -> ub.Robot:
    """The robot with names and initial positions, which no OpenHRP file has, from its source.

    DEF names cannot begin with a digit.
    """
    digits = {f"_{x.name}": x.name for x in source.links if x.name[0].isdigit()}
    names = {x.name for x in written.links}
    written = ub.rename(written, {new: old for new, old in digits.items() if new in names})
    known = {j.child: j for j in source.joints}
    joints = (replace(j, name=known[j.child].name, initial=known[j.child].initial) for j in written.joints)
    return replace(written, joints=tuple(joints))


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(TRUTHS, keep=1))
def test_written_files_agree_with_choreonoid_about_the_source(name: str, tmp_path: Path) -> None:
    truth: dict[str, Any] = json.loads((ORACLE / f"{name}.json").read_text())
    if not truth["ok"]:
        pytest.skip("Choreonoid refused it")
    # what becomes of devices is compared with the source itself
    truth["devices"] = []
    source = robot_of(DEV / name)
    save(source, tmp_path / "model.wrl", plain=True)
    before, after = (
        numbers(source, truth),
        numbers(with_names(source, plain(tmp_path / "model.wrl")), truth),
    )
    assert after <= before
