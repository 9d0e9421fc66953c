"""A scene as one robot, what is no scene, and the real one of the corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.formats.mpk.formulas import poses, transl
from tests.formats.mpk.scene_cases import IV, SOLID, error, made, reading

import unibody as ub
from unibody.model.pose import Pose

# --- the scene as one robot -------------------------------------------------------------


def test_the_scene_as_one_robot() -> None:
    scene, robot = made(
        f'DEF r mpkRobot {{ fileName "arm.rob" translation 1 0 0 }} DEF box mpkObstacle {{ {SOLID} }}'
    )
    assert [r.name for r in scene.robots] == ["r", "box"]
    assert (robot.name, robot.base, robot.root) == ("s", "fixed", "world")
    assert [link.name for link in robot.links] == ["world", "Base", "Arm", "Slide", "box"]
    assert [(j.name, j.kind, j.parent, j.child) for j in robot.joints] == [
        ("r", "fixed", "world", "Base"),
        ("Arm", "revolute", "Base", "Arm"),
        ("Slide", "prismatic", "Arm", "Slide"),
        ("box", "fixed", "world", "box"),
    ]
    assert robot.self_collision.default == "none"
    assert robot.self_collision.enabled == (("Arm", "Slide"), ("Arm", "box"), ("Slide", "box"))


def test_two_robots_of_one_file_have_names_of_their_own() -> None:
    text = 'DEF a mpkRobot { fileName "arm.rob" } DEF b mpkRobot { fileName "arm.rob" translation 3 0 0 }'
    scene, robot = made(text)
    assert [link.name for link in scene.robots[1].links] == ["Base", "Arm", "Slide"]
    assert [link.name for link in robot.links] == [
        "world",
        "a:Base",
        "a:Arm",
        "a:Slide",
        "b:Base",
        "b:Arm",
        "b:Slide",
    ]
    assert [c.index for c in robot.coordinates] == [0, 1, 2, 3]
    assert [d.joint for c in robot.coordinates for d in c.drives] == [
        "a:Arm",
        "a:Slide",
        "b:Arm",
        "b:Slide",
    ]
    assert [f.name for f in robot.frames] == ["a:Slide", "b:Slide"]
    assert robot.self_collision.enabled[:2] == (("a:Arm", "a:Slide"), ("b:Arm", "b:Slide"))
    assert len(robot.self_collision.enabled) == 2 + 4
    assert ub.assemble(robot).normalized_space.default.tolist() == [0.5, 0.25, 0.5, 0.25]


def test_a_file_without_mpk_s_nodes_is_no_scene() -> None:
    found = reading("Cube { } # mpkRobot is only spoken of here")
    assert found.scene is None
    assert found.robot is not None
    assert found.robot.root == "Root"


def test_an_include_of_shapes_alone_is_no_scene() -> None:
    found = reading('mpkIncludeFile { name "part.iv" }', {"mpk/scenes/part.iv": IV})
    assert found.scene is None
    assert found.robot is not None
    assert len(found.robot.links[0].visuals) == 1


def test_many_robots_and_obstacles_end_in_a_finding() -> None:
    text = 'mpkRobot { fileName "arm.rob" }\n' * 200 + f"mpkObstacle {{ {SOLID} }}\n" * 6000
    assert error(text) == "model-too-large"


def test_the_puma_scene(shared: Path) -> None:
    folder = shared / "corpus/dev/aslali+rrt_kuka_mpk"
    found = ub.read(folder / "scenes/PUMAenv.iv")
    assert found.ok
    assert {f.code for f in found.findings if f.severity != "info"} == {"file-missing"}  # PUMA/puma1.iv
    assert found.scene is not None
    assert [(r.name, len(r.links)) for r in found.scene.robots] == [
        ("robot", 7),
        ("box1", 1),
        ("box2", 1),
        ("car", 1),
    ]
    assert found.scene.robots[0].pose == Pose((0.0, 0.419, 0.0))
    car = found.scene.robots[3].links[0]
    assert car.collisions  # from a binary file
    assert found.robot is not None
    mechanism = ub.assemble(found.robot)
    base = transl(0, 0.419, 0)
    text = (folder / "robots/puma.rob").read_text()
    for t in np.random.default_rng(9).random((20, 5)):
        link_poses = mechanism.forward_kinematics(mechanism.normalized_space.to_joints(t))
        for name, pose in poses(text, t.tolist()).items():
            at = mechanism.link_names.index(name)
            np.testing.assert_allclose(link_poses[at], base @ pose, atol=1e-14)
