"""The MPK robot that comes with unibody: without a warning, all of it drawn, and moving as it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.formats.mpk.formulas import poses

import unibody as ub

ARM = Path(__file__).parents[3] / "src/unibody/models/arm.rob"


def test_it_loads_without_a_warning_and_is_drawn() -> None:
    reading = ub.read(ARM)
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    assert [str(f) for f in ub.check(reading.robot) if f.severity != "info"] == []
    for link in reading.robot.links:
        if link.visuals:
            vertices, faces = ub.mesh(reading.robot, link.name, "visual")
            assert len(faces) > 0
            assert np.abs(vertices).max() < 1.0


def test_it_moves_as_its_text_says() -> None:
    mechanism = ub.assemble(ub.load(ARM))
    space = mechanism.normalized_space
    assert space.names[5] == "LeftFinger + RightFinger"
    text = ARM.read_text("utf-8")
    for t in np.random.default_rng(11).random((10, 6)):
        found = mechanism.forward_kinematics(space.to_joints(t))
        for name, pose in poses(text, t.tolist()).items():
            np.testing.assert_allclose(found[mechanism.link_names.index(name)], pose, atol=1e-15)


def test_its_tip_is_traced() -> None:
    mechanism = ub.assemble(ub.load(ARM))
    plan = [[0.9, 0.0, 0.5, 0.5, 0.5, 1.0], [0.1, 1.0, 0.5, 0.5, 0.5, 1.0]]
    curve = mechanism.trace(plan, 0.01)["Tip"]
    # param 0 is cyclic: the shorter way leads through the back, where the arm points along −X
    assert curve[:, 0].min() == pytest.approx(-0.69, abs=1e-3)
    assert curve[0, 2] == pytest.approx(0.13)
    assert curve[-1, 2] == pytest.approx(0.63)
