"""Formatting changes layout and the spelling of keys, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.convert.models import DEV, every

import unibody as ub
from unibody.assets import Assets, PlannedDisk
from unibody.cli.main import main
from unibody.files import Files
from unibody.fmt import formatted

OLD = """# a robot
format:   ChoreonoidBody
formatVersion: 1.0   # old
links:
  - &ROOT
    name: BASE
    jointType: fixed      # does not move
    centerOfMass: [ 0, 0,   0.1 ]
    mass: 1.50
    inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ]
    elements:
      Shape:
        geometry: { type: Cylinder, radius: 0.1, height: 1, divisionNumber: 8 }
  -
      name: ARM
      parent: BASE
      <<: { jointType: revolute, jointAxis: Y }
      mass: 1
      inertia: [1,0,0, 0,1,0, 0,0,1]
"""
NEW = """# a robot
format: ChoreonoidBody
format_version: 1.0
# old
links:
  - &ROOT
    name: BASE
    joint_type: fixed
    # does not move
    center_of_mass: [0, 0, 0.1]
    mass: 1.50
    inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]
    elements:
      Shape:
        geometry: { type: Cylinder, radius: 0.1, height: 1, division_number: 8 }
  -
    name: ARM
    parent: BASE
    <<: { joint_type: revolute, joint_axis: Y }
    mass: 1
    inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]
"""


def texts(path: Path) -> tuple[str, str]:
    reading, found = formatted(str(path))
    assert found is not None, [str(f) for f in reading.findings]
    return found.before, found.after


def test_keys_and_layout(tmp_path: Path) -> None:
    path = tmp_path / "a.body"
    path.write_text(OLD, "utf-8")
    assert texts(path) == (OLD, NEW)
    path.write_text(NEW, "utf-8")
    assert texts(path) == (NEW, NEW)


def test_both_spellings_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.body"
    path.write_text(NEW.replace("joint_type: fixed", "joint_type: fixed\n    jointType: free"), "utf-8")
    _, after = texts(path)
    assert "joint_type: fixed" in after
    assert "jointType: free" in after


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.body"
    path.write_text(OLD, "utf-8")
    assert main(["fmt", "--check", str(path)]) == 1
    assert path.read_text("utf-8") == OLD
    assert main(["fmt", "--diff", str(path)]) == 1
    assert "+format_version: 1.0" in capsys.readouterr().out
    assert main(["fmt", str(path)]) == 0
    assert path.read_text("utf-8") == NEW
    assert main(["fmt", "--check", str(path)]) == 0
    assert main(["fmt", str(tmp_path / "none.body")]) == 2


FILES = every(5)


@pytest.mark.skipif(not FILES, reason="../shared/corpus is not here")
@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(DEV)) for p in FILES])
def test_corpus(path: Path) -> None:
    """A formatted file is the same model, has all its comments, and is not changed again."""
    reading, found = formatted(str(path))
    if not reading.ok or found is None:
        pytest.skip("it has errors")
    assert found.after.count("#") == found.before.count("#")
    assert found.after.count("<!--") == found.before.count("<!--")
    changed = Files(disk=PlannedDisk(Assets({os.path.abspath(path): found.after.encode()})))
    again, second = formatted(str(path), files=changed)
    assert reading.robot is not None
    assert again.robot is not None
    assert second is not None
    assert second.after == second.before == found.after
    assert ub.diff(reading.robot, again.robot) == []
