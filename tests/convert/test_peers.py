"""Others read what unibody writes: every model of the corpus as URDF, in Pinocchio and in MuJoCo.

UNIBODY_WHOLE_CORPUS makes these tests read all models, not each seventh; the page of conversion says
how many they are.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from tests.convert.models import CASES, ROOT, neutral, plain
from tests.convert.peers import Deviation, bare, mujoco, pinocchio, positions
from tests.corpus.outcomes import models
from tests.sampling import sampled
from tests.shared import DEV

import unibody as ub
from unibody.conversion.pipeline import save
from unibody.model.robot import Robot

pytest.importorskip("pinocchio")

SUFFIXES = (".body", ".urdf", ".wrl", ".rob")
WHOLE = bool(os.environ.get("UNIBODY_WHOLE_CORPUS"))
ALL = models(*SUFFIXES)
FREE_WITHIN = "free joint can only be used on top level"
NOT_POSITIVE = "inertia must have positive eigenvalues"
WRS = "choreonoid+choreonoid/sample/WRS2018/model/"
# All that MuJoCo refuses: free joints on links that move, and inertias that no body has, as their
# authors wrote them.
REFUSED = {
    "choreonoid+choreonoid/sample/AGXDynamics/agxWireSample.body": FREE_WITHIN,
    f"{WRS}CollapsedCeilingF.body": FREE_WITHIN,
    f"{WRS}FireCabinetReady.body": FREE_WITHIN,
    f"{WRS}FireCabinetTest.body": FREE_WITHIN,
    f"{WRS}FireCabinetWaterDischargeTest.body": FREE_WITHIN,
    f"{WRS}FullFeaturedFireCabinet.body": FREE_WITHIN,
    "RobotLocomotion+drake/examples/pendulum/Pendulum.urdf": NOT_POSITIVE,
    "pypi_pybullet-3.2.7/pybullet_data/biped/biped2d_pybullet.urdf": NOT_POSITIVE,
}
# Each seventh model, and all that are refused, so that no refusal stays listed without reason.
FILES = ALL if WHOLE else sorted({*ALL[::7], *(DEV / name for name in REFUSED if ALL)})


@dataclass
class Count:
    """What was read by whom, and how far off it was at most."""

    models: int = 0
    pinocchio: int = 0
    mujoco: int = 0
    deviations: list[Deviation] = field(default_factory=list)


COUNT = Count()


def name_of(path: Path) -> str:
    return path.relative_to(DEV).as_posix()


def written(robot: Robot, folder: Path) -> tuple[str, Robot]:
    """The text of a written URDF file without its shapes, and the robot that it says."""
    target = folder / "model.urdf"
    save(robot, target, plain=True)
    return bare(target.read_text("utf-8")), plain(target)


def check(found: Deviation, robot: Robot) -> None:
    assert found.poses < 1e-12
    assert found.mass < 1e-12 * (1.0 + robot.mass)


def read_by_mujoco(text: str, robot: Robot, q: dict[str, float]) -> Deviation:
    """Link by link; where free joints stand on the root, with what is fixed fused."""
    try:
        found = mujoco(text, robot, q)
        assert not found.fused
        return found
    except ValueError as e:
        if FREE_WITHIN not in str(e):
            raise
        return mujoco(text, robot, q, fuse=True)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", sampled(FILES, keep=1, root=DEV))
def test_corpus(path: Path, tmp_path: Path) -> None:
    reading = ub.read(path)
    assert reading.ok
    assert reading.robot is not None
    text, robot = written(reading.robot, tmp_path)
    q = positions(robot, np.random.default_rng(1))
    COUNT.models += 1
    found = pinocchio(text, robot, q)
    assert not found.fused
    check(found, robot)
    COUNT.pinocchio += 1
    COUNT.deviations.append(found)
    reason = REFUSED.get(name_of(path))
    if reason is not None:
        with pytest.raises(ValueError, match=re.escape(reason)):
            read_by_mujoco(text, robot, q)
        return
    found = read_by_mujoco(text, robot, q)
    check(found, robot)
    COUNT.mujoco += 1
    COUNT.deviations.append(found)


@pytest.mark.skipif(not (ALL and WHOLE), reason="UNIBODY_WHOLE_CORPUS is not set")
def test_the_page_says_how_many() -> None:
    page = " ".join((ROOT / "docs/convert.md").read_text("utf-8").split())
    assert COUNT.models - COUNT.mujoco == len(REFUSED)
    said = f"Pinocchio loads {COUNT.pinocchio} of {COUNT.models}, MuJoCo {COUNT.mujoco}"
    assert said in page, said
    poses = max(d.poses for d in COUNT.deviations)
    assert poses < 1e-13, poses


@pytest.mark.parametrize("case", [c for c in CASES if c not in ("shapes", "mpk")])
def test_small_robots(case: str, tmp_path: Path) -> None:
    text, robot = written(neutral(case), tmp_path)
    check(pinocchio(text, robot, positions(robot, np.random.default_rng(2))), robot)
