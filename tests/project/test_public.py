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
    assert not any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())


@pytest.mark.parametrize("path", ["arm.body", Path("arm.body")])
@pytest.mark.parametrize(
    "call",
    [ub.view, ub.assemble, ub.check, lambda path: ub.save(path, "arm.urdf")],
    ids=["view", "assemble", "check", "save"],
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
    assert ub.convert(BIPED, target, ub.Options(plain=True), overwrite=True).written
    with pytest.raises(TypeError, match="unexpected keyword argument 'overwrit'"):
        ub.convert(BIPED, target, overwrit=True)  # type: ignore[call-arg]


def test_a_pose_by_its_name() -> None:
    robot = ub.load(BIPED)
    named = ub.view(robot, pose="standard_pose", browser=False).html()
    given = dict(robot.configurations[0].positions)
    assert named == ub.view(robot, pose=given, browser=False).html()
    assert named != ub.view(robot, browser=False).html()
    with pytest.raises(ValueError, match="no configuration 'sitting'; there is standard_pose"):
        ub.view(robot, pose="sitting", browser=False)
