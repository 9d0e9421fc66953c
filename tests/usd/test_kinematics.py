"""Written stages move as their robots, by kinematics that are made of OpenUSD's own parse of physics."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.corpus.outcomes import READ, outcomes
from tests.shared import SHARED
from tests.usd.kinematics import deviation
from tests.usd.test_write import arm

import unibody as ub
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import Joint, Robot

NEAR = 1e-6
AT = Pose((0.1, 0.2, 0.3), from_rpy(0.4, 0.1, 0.2))
#: Every n-th file of the corpus.
STEP = 12


def robot() -> Robot:
    """The arm with joints of all other kinds behind it."""
    given = arm(pose=Pose((0.5, 0.1, 0.2), from_rpy(0.1, 0.2, 0.3)))
    more = (
        Joint(
            name="u",
            kind="universal",
            parent="hand",
            child="1",
            axis=(0.6, 0.8, 0.0),
            axis2=(0.0, 0.0, 1.0),
        ),
        Joint(name="plane", kind="planar", parent="1", child="2", axis=(0.36, 0.48, 0.8)),
        Joint(name="flight", kind="free", parent="2", child="3"),
        Joint(name="screw", kind="screw", parent="3", child="4", axis=(0.0, 0.6, 0.8), pitch=0.1),
    )
    links = (replace(given.links[0], name=joint.child) for joint in more)
    joints = (replace(joint, origin=AT) for joint in more)
    return replace(given, links=(*given.links, *links), joints=(*given.joints, *joints))


def test_joints_of_all_kinds_move_as_in_the_stage(tmp_path: Path) -> None:
    ub.save(robot(), tmp_path / "arm.usda")
    assert deviation(robot(), str(tmp_path / "arm.usda")) < NEAR


_MODELS = sorted(
    name
    for name, outcome in outcomes().items()
    if outcome in READ and name.lower().endswith((".urdf", ".xml", ".sdf", ".body", ".wrl", ".usda"))
)


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", _MODELS[::STEP])
def test_robots_of_the_corpus_move_as_in_their_stages(name: str, tmp_path: Path) -> None:
    reading = ub.read(SHARED / name)
    if reading.scene is not None or reading.robot is None:
        pytest.skip("a scene")
    ub.save(reading.robot, tmp_path / "model.usda")
    assert deviation(reading.robot, str(tmp_path / "model.usda")) < NEAR
