"""The functions of ``unibody`` as a newcomer meets them: their signatures, their help, a first mistake."""

from __future__ import annotations

import dataclasses
import inspect
import pydoc
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import unibody as ub
from unibody.convert import Written

HOMES = {
    "check": "unibody.check.whole",
    "convert": "unibody.convert",
    "fix": "unibody.fix.whole",
    "mesh": "unibody.mesh.shapes",
    "save": "unibody.save",
    "view": "unibody.view.show",
}
BIPED = str(Path(__file__).resolve().parents[2] / "src/unibody/models/biped.body")


@pytest.mark.parametrize("name", HOMES)
def test_a_module_says_what_its_function_says(name: str) -> None:
    module, function = getattr(ub, name), getattr(import_module(HOMES[name]), name)
    assert inspect.signature(module) == inspect.signature(function)
    assert module.__doc__.startswith(inspect.getdoc(function))
    assert f"unibody.{name}{inspect.signature(function)}" in pydoc.plain(pydoc.render_doc(module))


@pytest.mark.parametrize("path", ["arm.body", Path("arm.body")])
@pytest.mark.parametrize(
    "call", [ub.view, ub.assemble, ub.check, lambda path: ub.save(path, "arm.urdf")], ids=str
)
def test_a_path_is_no_robot(call: Any, path: Any) -> None:
    with pytest.raises(TypeError, match=r"a Robot is needed: unibody\.load\('arm\.body'\) reads one"):
        call(path)


def test_convert_takes_the_options_as_keywords(tmp_path: Path) -> None:
    assert set(Written.__annotations__) == {field.name for field in dataclasses.fields(ub.Options)}
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
