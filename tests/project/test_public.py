"""The functions of ``unibody`` as a newcomer meets them: their signatures, their help, a first mistake."""

from __future__ import annotations

import inspect
import pickle
import pydoc
from pathlib import Path
from typing import Any

import pytest

import unibody as ub

BIPED = str(Path(__file__).resolve().parents[2] / "src/unibody/models/biped.body")


FUNCTIONS = [name for name in ub.__all__ if inspect.isfunction(getattr(ub, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_are_plain_functions(name: str) -> None:
    function = getattr(ub, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert f"function {name} in module unibody." in pydoc.plain(pydoc.render_doc(function))
    parameters = inspect.signature(function).parameters.values()
    # keywords of reading and options of formats, which are checked
    assert [p.name for p in parameters if p.kind is p.VAR_KEYWORD] in ([], ["reading"], ["options"])


@pytest.mark.parametrize("path", ["arm.body", Path("arm.body")])
@pytest.mark.parametrize(
    "call",
    [ub.view, ub.assemble, lambda path: ub.save(path, "arm.urdf")],
    ids=["view", "assemble", "save"],
)
def test_a_path_is_no_robot(call: Any, path: Any) -> None:
    with pytest.raises(TypeError, match=r"a Robot is needed: unibody\.load\('arm\.body'\) reads one"):
        call(path)


def test_convert_takes_the_options_as_keywords(tmp_path: Path) -> None:
    target = tmp_path / "a.urdf"
    target.write_text("old")
    with pytest.raises(ub.SaveError):
        ub.convert(BIPED, target)
    assert not ub.convert(BIPED, target, dry_run=True, overwrite=True).written
    assert target.read_text() == "old"
    assert ub.convert(BIPED, target, plain=True, overwrite=True).written
    with pytest.raises(TypeError, match="unexpected keyword argument 'overwrit'"):
        ub.convert(BIPED, target, overwrit=True)


def test_a_pose_by_its_name() -> None:
    robot = ub.load(BIPED)
    named = ub.view(robot, pose="standard_pose", browser=False).html()
    given = dict(robot.configurations[0].positions)
    assert named == ub.view(robot, pose=given, browser=False).html()
    assert named != ub.view(robot, browser=False).html()
    with pytest.raises(ValueError, match="unknown configuration 'sitting'; the robot has standard_pose"):
        ub.view(robot, pose="sitting", browser=False)


SLIPS = str(Path(__file__).resolve().parents[1] / "commands/models/slips.urdf")


def test_check_takes_a_path_or_a_robot() -> None:
    of_path, read = ub.check(SLIPS), ub.read(SLIPS)
    assert [f.code for f in of_path][:3] == [f.code for f in read.findings]
    assert read.robot is not None
    codes = {f.code for f in ub.check(read.robot)}
    assert codes <= {f.code for f in of_path}
    assert ub.check(BIPED) == ub.check(ub.load(BIPED)) == []


def test_fix_takes_a_path_or_a_robot_read_from_one() -> None:
    robot = ub.read(SLIPS).robot
    assert robot is not None
    assert ub.fix(robot, "all").diff() == ub.fix(SLIPS, "all").diff() != ""
    with pytest.raises(ValueError, match="was not read from a file"):
        ub.fix(ub.Robot(name="made", links=(ub.Link(name="base"),)))


def test_a_robot_is_built_from_public_names() -> None:
    shape = ub.Shape(geometry=ub.Box(size=(0.1, 0.1, 1.0)))
    inertial = ub.Inertial(mass=1.0, inertia=((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.01)))
    rod = ub.Link(name="rod", inertial=inertial, visuals=(shape,), collisions=(shape,))
    hinge = ub.Joint(
        name="hinge",
        kind="revolute",
        parent="base",
        child="rod",
        axis=(0.0, 1.0, 0.0),
        limits=ub.Limits(position=(-1.0, 1.0)),
    )
    robot = ub.Robot(name="pendulum", links=(ub.Link(name="base"), rod), joints=(hinge,), base="fixed")
    assert [f for f in ub.check(robot) if f.severity == "error"] == []
