"""Others read what unibody writes: every URDF file of the corpus in Pinocchio and in MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.convert.models import CASES, DEV, every, neutral, plain
from tests.convert.peers import Deviation, bare, mujoco, pinocchio, positions

import unibody as ub
from unibody.model.robot import Robot
from unibody.save import save

pytest.importorskip("pinocchio")
pytest.importorskip("mujoco")

FILES = every(7)
# What MuJoCo refuses in any URDF file: moving links without mass, impossible inertia, free joints within.
REFUSED = ("mjMINVAL", "positive eigenvalues", "inertia must satisfy", "free joint can only", "size")


def written(robot: Robot, folder: Path) -> tuple[str, Robot]:
    """The text of a written URDF file without its shapes, and the robot that it says."""
    target = folder / "model.urdf"
    save(robot, target, plain=True)
    return bare(target.read_text("utf-8")), plain(target)


def check(found: Deviation, robot: Robot) -> None:
    assert found.poses < 1e-9
    assert found.mass < 1e-9 * (1.0 + robot.mass)


@pytest.mark.skipif(not FILES, reason="../shared/corpus is not here")
@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(DEV)) for p in FILES])
def test_corpus(path: Path, tmp_path: Path) -> None:
    reading = ub.read(path)
    if not reading.ok or reading.robot is None:
        pytest.skip("it has errors")
    text, robot = written(reading.robot, tmp_path)
    q = positions(robot, np.random.default_rng(1))
    check(pinocchio(text, robot, q), robot)
    try:
        found = mujoco(text, robot, q)
    except ValueError as e:
        if not any(word in str(e) for word in REFUSED):
            raise
    else:
        check(found, robot)


@pytest.mark.parametrize("case", [c for c in CASES if c not in ("shapes", "mpk")])
def test_small_robots(case: str, tmp_path: Path) -> None:
    text, robot = written(neutral(case), tmp_path)
    check(pinocchio(text, robot, positions(robot, np.random.default_rng(2))), robot)
