"""Numbers that a stage cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.conversion.output import SaveError
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot


def test_numbers_beyond_32_bits_are_refused(tmp_path: Path) -> None:
    far = Joint(name="j", kind="fixed", parent="a", child="b", origin=Pose((1e200, 0.0, 0.0)))
    robot = Robot(name="far", links=(Link(name="a"), Link(name="b")), joints=(far,))
    with pytest.raises(SaveError) as raised:
        ub.save(robot, tmp_path / "far.usda")
    (finding,) = raised.value.findings
    assert finding.code == "number-overflow"
    assert finding.message == "joint 'j': pose or axis: must be at most 1e+30 in USD, got 1e+200"
    assert list(tmp_path.iterdir()) == []
