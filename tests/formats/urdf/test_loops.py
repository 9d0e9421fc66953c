"""Loops and couplings in the dialects of URDF: what is written reads back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.models import neutral, plain

import unibody as ub
from unibody.checks.loops import gaps
from unibody.cli.main import main
from unibody.model.robot import Holds, Robot
from unibody.text.finding import Findings

FOLDER = Path(__file__).parent
DIALECTS: list[str] = ["constraint", "urdf+", "loop_joint"]
# Every type of a dialect, with axes in frames that are turned.
SOURCES = ["read/loops.urdf", "read/loops_urdf_plus.urdf", "read/loop_joints.urdf"]
# The loops that a dialect cannot say.
LOST = {"constraint": set(), "urdf+": {"ball", "cylindrical"}, "loop_joint": {"cylindrical"}}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("source", SOURCES)
def test_loops_and_couplings_return(dialect: str, source: str, tmp_path: Path) -> None:
    robot = ub.load(FOLDER / source)
    report = ub.save(robot, tmp_path / "out.urdf", plain=True, loops=dialect)
    for loss in report.losses:
        assert loss.row is not None, loss.path
        assert loss.path.startswith("loops/"), loss.path
    back = plain(tmp_path / "out.urdf")
    assert back.couplings == robot.couplings
    assert {x.name for x in back.loops} == {x.name for x in robot.loops} - _lost(robot, dialect)
    # the same directions are held, and the links are as far apart as before
    before = _state(robot)
    for name, (holds, distance, angle) in _state(back).items():
        assert holds == before[name][0]
        assert (distance, angle) == pytest.approx(before[name][1:], abs=1e-7)


def _state(robot: Robot) -> dict[str, tuple[Holds, float, float]]:
    found = zip(robot.loops, gaps(robot, Findings()), strict=True)
    return {x.name: (x.holds, gap.distance, gap.angle) for x, gap in found if gap is not None}


def _lost(robot: Robot, dialect: str) -> set[str]:
    kinds = {(True, True, False, False): "ball", (False, True, False, True): "cylindrical"}
    return {
        loop.name
        for loop in robot.loops
        if kinds.get((loop.holds.axial, loop.holds.radial, loop.holds.twist, loop.holds.swing))
        in LOST[dialect]
    }


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("source", SOURCES)
def test_the_side_car_carries_what_a_dialect_lacks(dialect: str, source: str, tmp_path: Path) -> None:
    robot = ub.load(FOLDER / source)
    report = ub.save(robot, tmp_path / "out.urdf", loops=dialect)
    assert all(loss.carried for loss in report.losses)
    assert ub.diff(robot, ub.load(tmp_path / "out.urdf")) == []


def test_a_coupling_without_an_own_chain_stays_a_mimic() -> None:
    text = """<robot name='r'><link name='a'/><link name='b'/><link name='c'/>
      <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>
      <joint name='k' type='continuous'><parent link='b'/><child link='c'/>{}</joint></robot>"""
    for mimic in ("<mimic joint='j' multiplier='2'/>", "<mimic joint='j' offset='1'/>"):
        robot = ub.loads(text.format(mimic), format="urdf")
        assert "<mimic" in ub.dumps(robot, format="urdf", loops="urdf+")


def test_the_dialect_is_an_option_of_urdf(tmp_path: Path) -> None:
    source = str(FOLDER / "read/loops.urdf")
    out = tmp_path / "out.urdf"
    for dialect, tag in (("urdf+", "<loop name"), ("loop_joint", "<loop_joint name")):
        assert main(["convert", source, str(out), "--overwrite", "--loops", dialect]) == 0
        assert tag in out.read_text()
    with pytest.raises(ub.SaveError, match="option 'loops' is unsupported in OpenHRP VRML97 files"):
        ub.convert(source, tmp_path / "out.wrl", loops="urdf+")


@pytest.mark.golden
@pytest.mark.parametrize("dialect", DIALECTS)
def test_golden(dialect: str, request: pytest.FixtureRequest) -> None:
    golden = FOLDER / "write_loops" / f"{dialect}.urdf"
    robot = ub.load(FOLDER / "read/loops_urdf_plus.urdf")
    text = ub.dumps(robot, format="urdf", plain=True, loops=dialect)
    text += ub.dumps(neutral("closed_loop"), format="urdf", plain=True, loops=dialect)
    if request.config.getoption("--accept"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, "utf-8", newline="\n")
    assert text == golden.read_text("utf-8")
