"""Each rule of the facts page about scenes: robots, obstacles, includes, what is found where."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.formats.mpk.formulas import poses, rot, transl
from tests.formats.mpk.scene_cases import ARM, HEAD, SOLID, error, made, reading, robots

import unibody as ub
from unibody.model.pose import IDENTITY, Pose
from unibody.model.shape import Box, MeshFile

# --- robots -----------------------------------------------------------------------------


def test_a_robot_stands_at_translation_and_rotation() -> None:
    text = 'DEF r mpkRobot { fileName "arm.rob" translation 1 2 3 rotation 0 0 2 1.5707963267948966 }'
    (found,) = robots(text)
    assert found.name == "r"
    assert found.pose.xyz == pytest.approx((1.0, 2.0, 3.25))
    assert found.pose.quat == pytest.approx((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))


@pytest.mark.parametrize("rotation", ["", "rotation 1 0 0 0", "rotation 0 0 0 2"])
def test_a_zero_axis_or_angle_is_no_rotation(rotation: str) -> None:
    (found,) = robots(f'mpkRobot {{ fileName "arm.rob" {rotation} }}')
    assert (found.name, found.pose) == ("arm", Pose((0.0, 0.0, 0.25)))


@pytest.mark.parametrize("scale", [1.0, 0.5, 4.0])
def test_link_poses_agree_with_the_formulas(scale: float) -> None:
    text = (
        f'DEF r mpkRobot {{ fileName "arm.rob" translation 1 2 3 rotation 1 2 0 0.7 scaleFactor {scale} }}'
    )
    _, robot = made(text)
    mechanism = ub.assemble(robot)
    space = mechanism.normalized_space
    base = transl(1, 2, 3) @ rot(1, 2, 0, 0.7)
    for t in [space.default, *np.random.default_rng(8).random((20, 2))]:
        found = mechanism.forward_kinematics(space.to_joints(t))
        for name, pose in poses(ARM, t.tolist()).items():
            # the scale multiplies every translation of the robot, not its angles
            pose[:3, 3] *= scale
            np.testing.assert_allclose(found[mechanism.link_names.index(name)], base @ pose, atol=1e-14)


def test_the_scale_is_that_of_the_models_too() -> None:
    (found,) = robots('mpkRobot { fileName "arm.rob" scaleFactor 0.001 }')
    geometry = found.link("Arm").visuals[0].geometry
    assert geometry == MeshFile(uri="arm.iv", scale=(0.001, 0.001, 0.001))
    assert found.joint("Slide").limits.position == (-0.002, 0.002)
    assert found.joint("Arm").limits.position == (-1.0, 2.0)


@pytest.mark.parametrize("scale", ["0", "-1"])
def test_a_scale_that_is_not_positive_is_an_error(scale: str) -> None:
    assert error(f'mpkRobot {{ fileName "arm.rob" scaleFactor {scale} }}') == "scale-wrong"


@pytest.mark.parametrize("where", ["mpk/scenes/", "mpk/", "mpk/scenes/robots/", "mpk/robots/"])
def test_robots_are_looked_for_in_these_folders(where: str) -> None:
    (found,) = robots(
        'mpkRobot { fileName "other.rob" }', files={f"{where}other.rob": "#MPK v1.0 robot\njoint A { }"}
    )
    assert found.root == "A"


def test_robots_are_looked_for_in_this_order() -> None:
    order = [
        "mpk/scenes/x.rob",
        "mpk/x.rob",
        "mpk/scenes/robots/x.rob",
        "mpk/robots/x.rob",
        "/one/x.rob",
        "/two/x.rob",
    ]
    for number in range(len(order)):
        files = {p: f"#MPK v1.0 robot\njoint J{i} {{ }}" for i, p in enumerate(order) if i >= number}
        found = reading('mpkRobot { fileName "x.rob" }', files, {"MPK_ROBOTS": "/one:/two"})
        assert found.scene is not None
        assert found.scene.robots[0].root == f"J{number}"


def test_a_missing_robot_is_told_of_with_the_places_tried() -> None:
    found = reading('mpkRobot { fileName "none.rob" }')
    (note,) = [f for f in found.findings if f.code == "file-missing"]
    assert "mpk/robots/none.rob" in note.hint
    assert found.scene is None


def test_findings_of_a_robot_stand_in_its_file() -> None:
    text = "#MPK v1.0 robot\njoint A { }\njoint B { parent A ConstTransl 0 x 0 }\n"
    found = reading('mpkRobot { fileName "bad.rob" }', {"mpk/robots/bad.rob": text})
    assert [str(f.at) for f in found.findings if f.severity == "error"] == ["mpk/robots/bad.rob:3:34"]


def test_a_robot_without_a_file_is_an_error() -> None:
    assert error("mpkRobot { }") == "robot-file"


def test_a_wrong_robot_type_is_an_error() -> None:
    assert error('mpkRobot { robotType FLYING fileName "arm.rob" }') == "not-a-choice"


def test_a_robot_is_not_moved_by_what_stands_above_it() -> None:
    text = 'Separator { Translation { translation 9 9 9 } DEF r mpkRobot { fileName "arm.rob" } }'
    (found,) = robots(text, "robot-moved")
    assert found.pose == Pose((0.0, 0.0, 0.25))
    (found,) = robots('Separator { Material { } DEF r mpkRobot { fileName "arm.rob" } }')


def test_a_free_flying_object_is_built_in() -> None:
    models = 'fileName "arm.iv" fileName2 "arm.iv"'
    (found,) = robots(f"DEF plane mpkRobot {{ robotType FREEFLYINGOBJECT {models} translation 1 0 0 }}")
    assert found.name == "plane"
    assert [j.name for j in found.joints] == [
        "x-transl",
        "y-transl",
        "z-transl",
        "x-rot",
        "y-rot",
        "z-rot",
        "TracePoint",
    ]
    assert [j.axis for j in found.joints[:6]] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)] * 2
    assert [j.limits.position for j in found.joints[:6]] == [(-10.0, 10.0)] * 3 + [(-3.142, 3.142)] * 3
    assert [len(link.visuals) for link in found.links] == [0, 0, 0, 0, 0, 0, 1, 0]
    assert [len(link.collisions_alt) for link in found.links] == [0, 0, 0, 0, 0, 0, 1, 0]
    assert [(f.name, f.link) for f in found.frames] == [("TracePoint", "TracePoint")]
    assert [c.index for c in found.coordinates] == [0, 1, 2, 3, 4, 5]
    assert found.pose == Pose((1.0, 0.0, 0.0))


def test_a_free_flying_object_without_a_model_has_mpk_s_own() -> None:
    found = reading("mpkRobot { robotType FREEFLYINGOBJECT }")
    (note,) = [f for f in found.findings if f.severity != "info"]
    assert (note.code, note.severity) == ("file-missing", "warning")
    assert "FreeFlyingObject/object.iv" in note.message
    assert note.at is not None
    assert note.at.source.name == "mpk/scenes/s.iv"


def test_the_demonstration_robot_cannot_be_said() -> None:
    assert error("mpkRobot { robotType DEMOROBOT }") == "robot-demo"


# --- obstacles --------------------------------------------------------------------------


def test_an_obstacle_is_a_fixed_link_where_the_scene_puts_it() -> None:
    moved, scaled = "Translation { translation 1 2 3 }", "Scale { scaleFactor 2 2 2 }"
    text = f"{moved} DEF box mpkObstacle {{ {scaled} {SOLID} }}"
    (found,) = robots(text)
    (link,) = found.links
    assert (found.name, link.name, found.base, found.pose) == ("box", "box", "fixed", IDENTITY)
    (shape,) = link.collisions
    assert shape.geometry == Box(size=(1.0, 2.0, 3.0))
    assert shape.pose == Pose((1.0, 2.0, 3.0))
    assert shape.linear == ((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0))
    assert len(link.visuals) == 1


def test_only_what_is_called_triangulate_is_tested() -> None:
    solid = "DEF __triangulate__ Separator { Cube { width 6 } Sphere { } }"
    (found,) = robots(f"mpkObstacle {{ Cube {{ width 5 }} {solid} Cone {{ }} }}")
    (link,) = found.links
    assert len(link.visuals) == 4
    assert [type(s.geometry).__name__ for s in link.collisions] == ["Box", "Sphere"]


def test_a_file_can_be_what_is_tested() -> None:
    text = 'mpkObstacle { DEF __triangulate__ File { name "car.iv" } }'
    (found,) = robots(text, files={"mpk/scenes/car.iv": HEAD + "Cube { } Sphere { }"})
    assert len(found.links[0].collisions) == 2


@pytest.mark.parametrize(
    "inner", ["", "Cube { }", "DEF other Cube { }", "DEF __triangulate__ Material { }"]
)
def test_an_obstacle_without_anything_to_test_is_an_error(inner: str) -> None:
    assert error(f"DEF box mpkObstacle {{ {inner} }}") == "obstacle-empty"


def test_a_marker_outside_the_obstacle_does_not_count() -> None:
    assert error("DEF __triangulate__ Separator { mpkObstacle { Cube { } } }") == "obstacle-empty"


def test_an_obstacle_used_twice_stands_twice() -> None:
    text = f"DEF a mpkObstacle {{ {SOLID} }} Separator {{ Translation {{ translation 5 0 0 }} USE a }}"
    found = robots(text, "name-duplicate")
    assert [r.name for r in found] == ["a", "a_2"]
    assert [r.links[0].collisions[0].pose.xyz for r in found] == [(0.0, 0.0, 0.0), (5.0, 0.0, 0.0)]


def test_obstacles_without_names_get_some() -> None:
    found = robots(f"mpkObstacle {{ {SOLID} }} " * 2 + f"DEF obstacle_2 mpkObstacle {{ {SOLID} }}")
    assert [r.name for r in found] == ["obstacle", "obstacle_3", "obstacle_2"]
    assert [r.links[0].name for r in found] == ["obstacle", "obstacle_3", "obstacle_2"]


def test_what_is_no_obstacle_is_seen_only() -> None:
    text = f"Cube {{ }} mpkObstacle {{ {SOLID} }} Sphere {{ }}"
    obstacle, scenery = robots(text)
    assert obstacle.name == "obstacle"
    assert (scenery.name, len(scenery.links[0].visuals), scenery.links[0].collisions) == ("scenery", 2, ())


# --- includes ---------------------------------------------------------------------------

PART = f'DEF box mpkObstacle {{ {SOLID} }} DEF arm mpkRobot {{ fileName "arm.rob" }}\n'


def test_an_include_puts_its_name_before_the_names_inside() -> None:
    found = robots('DEF cell mpkIncludeFile { name "part.iv" }', files={"mpk/scenes/part.iv": HEAD + PART})
    assert [r.name for r in found] == ["cell:box", "cell:arm"]
    # __triangulate__ keeps its name
    assert len(found[0].links[0].collisions) == 1


def test_includes_inside_includes() -> None:
    files = {
        "mpk/scenes/part.iv": HEAD + PART,
        "mpk/scenes/cell.iv": HEAD + 'DEF inner mpkIncludeFile { name "part.iv" }',
    }
    text = 'DEF a mpkIncludeFile { name "cell.iv" } DEF b mpkIncludeFile { name "cell.iv" }'
    assert [r.name for r in robots(text, files=files)] == [
        "a:inner:box",
        "a:inner:arm",
        "b:inner:box",
        "b:inner:arm",
    ]


def test_an_include_without_a_name_changes_none() -> None:
    found = robots('mpkIncludeFile { name "part.iv" }', files={"mpk/scenes/part.iv": HEAD + PART})
    assert [r.name for r in found] == ["box", "arm"]


def test_an_include_is_moved_by_what_stands_above_it() -> None:
    text = 'Translation { translation 0 0 7 } mpkIncludeFile { name "part.iv" }'
    obstacle, arm = robots(text, "robot-moved", files={"mpk/scenes/part.iv": HEAD + PART})
    assert obstacle.links[0].collisions[0].pose.xyz == (0.0, 0.0, 7.0)
    assert arm.pose.xyz == (0.0, 0.0, 0.25)


@pytest.mark.parametrize(
    "where",
    [
        "mpk/scenes/",
        "/env/",
        "mpk/",
        "mpk/ivmodels/",
        "mpk/ivmodels.private/",
        "mpk/scenes/scenes/",
        "mpk/scenes.private/",
    ],
)
def test_includes_are_looked_for_in_these_folders(where: str) -> None:
    found = reading(
        'mpkIncludeFile { name "part.iv" }', {f"{where}part.iv": HEAD + PART}, {"IVMODELS": "/env"}
    )
    assert found.scene is not None
    assert len(found.scene.robots) == 2


@pytest.mark.parametrize("inner", ['mpkIncludeFile { name "s.iv" }', 'mpkIncludeFile { name "part.iv" }'])
def test_an_include_that_includes_itself_is_an_error(inner: str) -> None:
    files = {"mpk/scenes/part.iv": HEAD + inner}
    assert error('mpkIncludeFile { name "part.iv" }', files) == "include-recursion"
