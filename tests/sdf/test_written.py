"""Robots of the corpus, written as SDF, are in other programs what they are here."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.proof.proving import proved
from tests.sdf import libsdformat
from tests.sdf.written import faults, renamed, robots, write
from tests.shared import SHARED

from unibody.formats.loader import read_with
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot
from unibody.model.shape import Cone

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shared")]

# Every so many-th file, without those that take long; the corpus may not be here.
SMALL = [p for p in robots() if not p.exists() or p.stat().st_size < 150_000]
FILES = SMALL[3::30]
DRIVEN = SMALL[5::60]


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(SHARED)) for p in FILES])
@pytest.mark.filterwarnings("ignore")
def test_libsdformat_has_the_robot_that_was_written(path: Path, tmp_path: Path) -> None:
    libsdformat.needed()
    assert [*faults(path, tmp_path)] == []


def _moving(robot: Robot) -> list[tuple[str, str]]:
    return sorted((joint.name, joint.kind) for joint in robot.joints if KINDS[joint.kind].nv)


@pytest.mark.parametrize("path", DRIVEN, ids=[str(p.relative_to(SHARED)) for p in DRIVEN])
@pytest.mark.filterwarnings("ignore")
def test_drake_moves_the_robot_that_was_written(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "model.sdf"
    robot, _ = write(path, target, "1.11")
    written = read_with(str(target), plain=True).robot
    assert written is not None
    given = renamed(robot, written)
    # joints that SDF does not have are chains
    result = proved("drake", given if _moving(given) == _moving(written) else written, target, states=4)
    if result.verdict == "failed":
        assert any(word in result.reason for word in UNREAD), result.reason
        return
    assert result.unexplained == (), result
    known = (*KNOWN, "mass of") if given is not written else KNOWN
    if any(isinstance(x.geometry, Cone) for link in robot.links for x in (*link.visuals, *link.collisions)):
        known = (*known, "some of the shapes not read")  # Drake has no cones
    assert [str(cause) for cause in result.causes if not str(cause).startswith(known)] == []


#: Why Drake does not load files whose like others read: it takes no loops, kinds and elements that it
#: does not know.
UNREAD = (
    "form one or more loops",
    "is not positive-definite",
    "not supported for joint",
    "not defined in SDF",
    "lower limit must be lower",
    "missing a child <uri>",
)
#: What Drake has otherwise of what SDF says, too.
KNOWN = (
    "a link without mass",
    "coupling dropped",
    "limits of a continuous joint",
    "inertia of a ball of water",
    "effort limits",
    "friction",
    "gravity",
)
