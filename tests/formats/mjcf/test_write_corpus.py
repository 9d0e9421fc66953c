"""Robots of the corpus written as MJCF: MuJoCo loads each, or the remedy that the report names helps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.convert.models import DEV

import unibody as ub
from unibody.conversion.output import SaveError

STEP = 1 if os.environ.get("UNIBODY_WHOLE_CORPUS") else 12
PATHS = sorted(p for suffix in ("body", "urdf", "wrl", "rob") for p in DEV.glob(f"**/*.{suffix}"))[::STEP]


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_mujoco_loads_it_or_the_remedy_compiles(path: Path, tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    reading = ub.read(path)
    if reading.robot is None or not reading.ok or not reading.robot.joints:
        pytest.skip("not a robot")
    out = tmp_path / "m.xml"
    try:
        report = ub.save(reading.robot, out)
        rejected = []
    except SaveError as error:
        rejected = error.findings
        report = ub.save(reading.robot, out, inertias="nearest")
    assert {finding.code for finding in rejected} <= {"inertial-rejected"}
    assert all("inertias" in finding.hint for finding in rejected)
    mujoco.MjModel.from_xml_path(str(out))
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert all(loss.carried for loss in report.losses)
