"""A → B → A over the corpus: with what is carried nothing changes, without it what the report says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.models import DEV, every, plain, whole

import unibody as ub
from unibody.report import measured
from unibody.save import save

OTHER = {".urdf": ".body", ".body": ".urdf"}
FILES = every(5)


def robot_of(path: Path) -> ub.Robot:
    reading = ub.read(path)
    if not reading.ok or reading.robot is None:
        pytest.skip("it has errors")
    return reading.robot


@pytest.mark.skipif(not FILES, reason="../shared/corpus is not here")
@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(DEV)) for p in FILES])
def test_there_and_back(path: Path, tmp_path: Path) -> None:
    robot = robot_of(path)
    there = tmp_path / f"model{OTHER[path.suffix]}"
    report = save(robot, there)
    assert [str(x.difference) for x in report.losses if x.row is None] == []
    assert [str(x.difference) for x in report.losses if not x.carried] == []
    plainly = measured(robot, plain(there))
    assert sorted(map(str, plainly)) == sorted(str(x.difference) for x in report.losses)
    back = tmp_path / "back" / f"model{path.suffix}"
    save(whole(there), back)
    assert [str(d) for d in ub.diff(robot, whole(back))] == []


@pytest.mark.skipif(not FILES, reason="../shared/corpus is not here")
@pytest.mark.parametrize("path", FILES[::4], ids=[str(p.relative_to(DEV)) for p in FILES[::4]])
def test_the_proof_holds(path: Path, tmp_path: Path) -> None:
    proof = save(robot_of(path), tmp_path / f"model{OTHER[path.suffix]}", plain=True).proof
    assert proof is not None
    for value in (proof.poses, proof.turns, proof.mass, proof.com, proof.limits, proof.bounds):
        assert value is None or value < 1e-11


@pytest.mark.skipif(not FILES, reason="../shared/corpus is not here")
def test_the_same_bytes_each_time(tmp_path: Path) -> None:
    for path in FILES[::10]:
        robot = robot_of(path)
        texts = []
        for folder in ("a", "b"):
            target = tmp_path / folder / f"{path.stem}{OTHER[path.suffix]}"
            save(robot, target, overwrite=True)
            texts.append(target.read_bytes())
        assert texts[0] == texts[1]
