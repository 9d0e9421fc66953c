"""The checks over every model of the corpus: nothing raises, healthy robots stay without a warning."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from tests.shared import CORPUS

import unibody as ub
from unibody.checks import further
from unibody.checks.rules import rules
from unibody.files.access import Files
from unibody.text.finding import Finding

SUFFIXES = {".body", ".urdf", ".xacro"}
_DATA = "pypi_example-robot-data-6.0.0/example-robot-data/robots"
_BULLET = "pypi_pybullet-3.2.7/pybullet_data"
_CHOREONOID = "choreonoid+choreonoid/share/model"
# Published robots with real masses, inertias, limits and meshes.
HEALTHY = [
    f"{_CHOREONOID}/SR1/SR1.body",
    f"{_CHOREONOID}/SR1/SR1.urdf",
    f"{_CHOREONOID}/multicopter/quadcopter.body",
    f"{_CHOREONOID}/misc/ContinuousTrackVehicle.body",
    f"{_CHOREONOID}/misc/FourWheelCar.body",
    f"{_DATA}/human_description/robots/human.urdf",
    f"{_DATA}/simple_humanoid_description/urdf/simple_humanoid.urdf",
    f"{_DATA}/so_arm_description/urdf/so100.urdf",
    f"{_DATA}/solo_description/robots/solo.urdf",
    f"{_DATA}/solo_description/robots/solo12.urdf",
    f"{_BULLET}/TwoJointRobot_w_fixedJoints.urdf",
    f"{_BULLET}/kuka_iiwa/model.urdf",
    f"{_BULLET}/quadruped/minitaur_derpy.urdf",
    f"{_BULLET}/quadruped/spirit40.urdf",
    "ros-planning+moveit_resources/fanuc_description/urdf/fanuc.urdf",
]
# Healthy but for a likely slip, each looked at: the left clavicle of the human has the center of mass of
# the right one, unmirrored; the rod of the two-joint robot has products that no rod along x has.
SLIPPED = {
    f"{_DATA}/human_description/robots/human.urdf": ["inertia-unlikely"],
    f"{_BULLET}/TwoJointRobot_w_fixedJoints.urdf": ["inertia-unlikely"],
}
# Published models whose inertia is that of the link's solid, but for one slip; each was looked at.
# GR001: its left shoulder has the moments of the right one with x and z exchanged.
NAMED = {
    "choreonoid+choreonoid/sample/WRS2018/model/DebrisS.body": ("factor", ("ixx",)),
    f"{_CHOREONOID}/GR001/GR001.body": ("order", ("ixx", "ixy", "iyz", "izz")),
    f"{_CHOREONOID}/misc/ClosedLinkSample.body": ("factor", ("izz",)),
    f"{_CHOREONOID}/misc/box5.body": ("order", ("ixx", "iyy")),
    f"{_DATA}/double_pendulum_description/urdf/double_pendulum_simple.urdf": ("factor", ("izz",)),
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("shared"),
]


@cache
def checked(path: Path) -> tuple[Finding, ...]:
    """What the checks add to what reading has found."""
    files = Files()
    reading = ub.read(path, files=files)
    return tuple(further(reading.robot, reading.findings, files)) if reading.robot else ()


def models(folder: str) -> list[Path]:
    return sorted(p for p in (CORPUS / folder).rglob("*") if p.suffix in SUFFIXES)


@pytest.mark.parametrize("folder", ["dev", "bad"])
def test_nothing_raises_and_every_code_has_an_entry(folder: str) -> None:
    for path in models(folder):
        for f in checked(path):
            assert f.code in rules(), f
            assert f.severity in rules()[f.code].severities, f
            assert f.at is not None, f


@pytest.mark.parametrize("name", HEALTHY)
def test_healthy_robots_get_no_warning(name: str) -> None:
    codes = {f.code for f in checked(CORPUS / "dev" / name) if f.severity != "info"}
    assert sorted(codes) == SLIPPED.get(name, [])


def test_causes_of_inertias_of_published_models() -> None:
    """A solid shows a cause in these models and no others."""
    named = {}
    for path in models("dev"):
        found = [f.cause for f in ub.check(path) if f.cause and not f.cause.likely]
        if found:
            assert len(found) == 1, path
            named[str(path.relative_to(CORPUS / "dev"))] = (found[0].kind, found[0].entries)
    assert named == NAMED


def test_no_rule_speaks_of_every_model() -> None:
    """A warning that one model in eight gets says more about the rule than about the model."""
    paths = models("dev")
    files = Counter(code for p in paths for code in {f.code for f in checked(p) if f.severity != "info"})
    often = {code: n for code, n in files.items() if n > len(paths) / 8}
    assert not often, often


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("urdf/stl_huge_count.urdf", ("huge_count.stl", "triangle count")),
        ("urdf/obj_bad_index.urdf", ("bad_index.obj",)),
    ],
)
def test_hostile_meshes(name: str, words: tuple[str, ...]) -> None:
    said = " ".join(str(f) for f in checked(CORPUS / "bad" / name))
    for word in words:
        assert word in said
