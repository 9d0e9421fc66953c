"""The functions of ``unibody`` as a newcomer meets them: their signatures, their help, a first mistake."""

from __future__ import annotations

import inspect
import pickle
import pydoc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unibody as ub

ROOT = Path(__file__).resolve().parents[2]
BIPED = str(ROOT / "src/unibody/models/biped.body")


FUNCTIONS = [name for name in ub.__all__ if inspect.isfunction(getattr(ub, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_are_plain_functions(name: str) -> None:
    function = getattr(ub, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert f"function {name} in module unibody." in pydoc.plain(pydoc.render_doc(function))
    parameters = inspect.signature(function).parameters.values()
    # keywords of reading and options of formats, which are checked
    assert [p.name for p in parameters if p.kind is p.VAR_KEYWORD] in ([], ["reading"], ["options"])


ARM = str(ROOT / "tests/commands/models/pendulum.body")


def scene() -> ub.Scene:
    robot = ub.load(ARM)
    return ub.Scene(name="two", robots=(robot, replace(robot, name="other")))


def link(robot: ub.Robot | ub.Scene | str) -> str:
    return next(each.name for each in ub.assemble(robot).robot.links if each.visuals or each.inertial)


#: What each function does with a model; all of them take a Robot, a Scene or a path.
TAKING_MODELS: dict[str, Callable[[Any], Any]] = {
    "check": ub.check,
    "fix": lambda model: ub.fix(model).diff(),
    "convert": lambda model: ub.convert(model, "out.urdf", dry_run=True, overwrite=True),
    "view": lambda model: ub.view(model, model, browser=False),
    "diff": lambda model: ub.diff(model, model),
    "mesh": lambda model: ub.mesh(model, link(model)),
    "assemble": ub.assemble,
    "simulate": ub.simulate,
    "plan": lambda model: ub.plan(model, goal={}),
    "collisions": ub.collisions,
    "self_collision": lambda model: ub.self_collision(model, samples=1, cells=1),
    "simplify": ub.simplify,
    "to_mujoco": ub.to_mujoco,
    "to_pinocchio": ub.to_pinocchio,
}
TAKING_ROBOTS: dict[str, Callable[[Any], Any]] = {
    "facts": ub.facts,
    "patch": lambda model: ub.patch(model, []),
    "save": lambda model: ub.save(model, "out.urdf", dry_run=True),
    "dumps": lambda model: ub.dumps(model, format="urdf"),
    "attach": lambda model: ub.attach(model, ub.load(ARM), on=link(model), prefix="b_"),
    "prefix": lambda model: ub.prefix(model, "b_"),
    "rename": lambda model: ub.rename(model, prefix="b_"),
    "subtree": lambda model: ub.subtree(model, link(model)),
}


@pytest.mark.parametrize("name", TAKING_MODELS)
@pytest.mark.parametrize(
    "model", [ub.load(ARM), scene(), ARM, Path(ARM)], ids=["robot", "scene", "str", "path"]
)
def test_a_model_is_a_robot_a_scene_or_a_path(name: str, model: Any) -> None:
    TAKING_MODELS[name](model)


@pytest.mark.parametrize("name", TAKING_MODELS)
def test_keywords_of_reading_are_for_paths(name: str) -> None:
    call = getattr(ub, name)
    required: dict[str, dict[str, Any]] = {
        "convert": {"target": "out.urdf"},
        "diff": {"b": ub.load(ARM)},
        "mesh": {"link": "rod"},
        "plan": {"goal": {}},
    }
    more = required.get(name, {})
    if name != "fix":
        with pytest.raises(
            TypeError, match="allow is a keyword for reading a model file, but the model is a Robot"
        ):
            call(ub.load(ARM), allow=["models"], **more)
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'alow'; did you mean 'allow'\?"):
        call(ARM, alow=["models"], **more)


@pytest.mark.parametrize("name", TAKING_ROBOTS)
@pytest.mark.parametrize("model", [ub.load(ARM), scene()], ids=["robot", "scene"])
def test_a_robot_is_a_robot_or_a_scene(name: str, model: Any) -> None:
    TAKING_ROBOTS[name](model)


@pytest.mark.parametrize("name", [*TAKING_MODELS, *TAKING_ROBOTS])
@pytest.mark.parametrize("model", [None, 7, ub.Link(name="base")], ids=["none", "number", "link"])
def test_other_objects_are_refused_with_what_is_accepted(name: str, model: Any) -> None:
    # those that need a name of the model first
    call: dict[str, Callable[[Any], Any]] = {
        "mesh": lambda model: ub.mesh(model, "rod"),
        "subtree": lambda model: ub.subtree(model, "rod"),
        "attach": lambda model: ub.attach(model, ub.load(ARM), "rod"),
    }
    accepted = (
        "a Robot, a Scene or the path of a model file" if name in TAKING_MODELS else "a Robot or a Scene"
    )
    with pytest.raises(TypeError, match=f"expected {accepted}, got {type(model).__name__}"):
        call.get(name, {**TAKING_MODELS, **TAKING_ROBOTS}[name])(model)


def test_a_path_is_not_a_robot() -> None:
    message = r"expected a Robot or a Scene, got str; unibody\.load\('arm\.body'\) reads one"
    calls: list[Callable[[Any], Any]] = [ub.facts, lambda path: ub.save(path, "arm.urdf")]
    for call in calls:
        with pytest.raises(TypeError, match=message):
            call("arm.body")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("collisions", "model", "shapes"),
        ("self_collision", "seconds", "time_limit"),
        ("plan", "seconds", "time_limit"),
        ("shorten", "seconds", "time_limit"),
        ("simplify", "of", "shapes"),
        ("mesh", "which", "shapes"),
        ("mesh", "link_name", "link"),
        ("simulate", "loops", "loop_solver"),
        ("simulate", "self_collision", "pairs"),
        ("simulate", "limits", "position_limits"),
        ("attach", "at", "on"),
        ("save", "package", "mesh_package"),
        ("convert", "package", "mesh_package"),
    ],
)
def test_an_old_keyword_is_an_error_that_names_the_new_one(name: str, old: str, new: str) -> None:
    with pytest.raises(TypeError, match=rf"{name}\(\): the keyword '{old}' is now '{new}'"):
        getattr(ub, name)(None, **{old: False})


def test_an_old_name_is_an_error_that_names_the_new_one() -> None:
    with pytest.raises(AttributeError, match=r"unibody\.MissingMujoco is now unibody\.MissingExtra"):
        ub.MissingMujoco  # noqa: B018


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
