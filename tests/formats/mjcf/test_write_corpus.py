"""Robots of the corpus written as MJCF: MuJoCo loads each, or the remedy that the report names helps.

What MuJoCo makes of the file has the poses and the mass matrix of the robot, but for the inertias that the
report names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.bridges.judge import MASSES, TOLERANCE, differences
from tests.convert.models import plain
from tests.corpus.outcomes import models

import unibody as ub
from unibody.conversion.output import SaveError
from unibody.conversion.report import Report
from unibody.formats.mjcf.carriers import CARRIER, SHARE
from unibody.model.robot import Robot
from unibody.model.traverse import path_of

PATHS = models(".body", ".urdf", ".wrl", ".rob")
#: What of a compiled model the bridge and the file must say alike.
ARRAYS = ("body_mass", "body_inertia", "body_ipos", "jnt_axis", "jnt_range", "dof_armature", "geom_size")


@contextmanager
def silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Fails if MuJoCo warns, by its function or on its channels."""
    warnings: list[str] = []
    mujoco.set_mju_user_warning(warnings.append)
    capfd.readouterr()
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(None)
    assert warnings == []
    assert capfd.readouterr() == ("", "")


def as_announced(robot: Robot, written: Robot, report: Report) -> Robot:
    """The robot with the inertials of the file, for those links of which the report tells them."""
    told = {"/".join(loss.path.split("/")[:3]) for loss in report.losses}
    links = {link.name: link for link in written.links}
    return replace(
        robot,
        links=tuple(
            replace(link, inertial=links[link.name].inertial)
            if path_of("links", link.name, "inertial") in told and link.name in links
            else link
            for link in robot.links
        ),
    )


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_mujoco_makes_of_the_file_what_the_robot_is(
    path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    reading = ub.read(path)
    assert reading.ok
    assert reading.robot is not None
    robot, out, rejected = reading.robot, tmp_path / "m.xml", []
    inertias: Any = ""
    try:
        report = ub.save(robot, out)
    except SaveError as error:
        rejected, inertias = error.findings, "nearest"
        report = ub.save(robot, out, inertias=inertias)
    assert {finding.code for finding in rejected} <= {"inertial-rejected"}
    assert all("inertias" in finding.hint for finding in rejected)
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert all(loss.carried for loss in report.losses)
    with silence(capfd):
        model = mujoco.MjModel.from_xml_path(str(out))
    _compare(robot, report, out, model, inertias)


def _compare(robot: Robot, report: Report, out: Path, model: Any, inertias: Any) -> None:
    made = ub.to_mujoco(robot, base=robot.base or "fixed", inertias=inertias)
    for name in ARRAYS:
        ours, theirs = getattr(made.model, name), getattr(model, name)
        assert np.array_equal(ours, theirs), name
    made.model = model
    made.mechanism = ub.assemble(as_announced(made.robot, plain(out), report))
    found = differences(made, 1)
    most = TOLERANCE
    if any(link.name.endswith(CARRIER) for link in made.lowered.links):
        most += 2.0 * SHARE  # whose mass the report tells
    found = {word: by for word, by in found.items() if not by < (most if word in MASSES else TOLERANCE)}
    assert found == {}
