"""Scenes in SDF: a model for each robot, measured for each robot, as other programs load them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from tests.proof.proving import proved
from tests.sdf import libsdformat
from tests.sdf.test_worlds import ARM, STATE, WALL
from tests.sdf.truth import Comparison, reading

import unibody as ub
from unibody.cli.main import main
from unibody.model.device import Device, Imu
from unibody.model.pose import Pose
from unibody.model.robot import Group, Joint, Link, Robot
from unibody.model.scene import Scene, merged
from unibody.model.shape import Box, Shape, Sphere

ROD = ub.Inertial(mass=3.0, inertia=((0.4, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.6)))

BEACON = Device(name="beacon", link="wheel", spec=Imu())
STIFF = (Joint(name="turn", kind="fixed", parent="body", child="wheel", origin=Pose((0.5, 0.0, -0.1))),)


def cart(name: str, x: float, base: str | None = "free") -> Robot:
    ball = (Shape(geometry=Sphere(radius=0.2)),)
    box = (Shape(geometry=Box(size=(1.0, 0.5, 0.2))),)
    turn = Joint(name="turn", kind="revolute", parent="body", child="wheel", axis=(0.0, 1.0, 0.0))
    turn = replace(turn, origin=Pose((0.5, 0.0, -0.1)))
    return Robot(
        name=name,
        links=(
            Link(name="body", inertial=ROD, collisions=box),
            Link(name="wheel", inertial=replace(ROD, com=(0.1, 0.0, 0.0)), visuals=ball),
        ),
        joints=(turn,),
        base=base,  # type: ignore[arg-type]
        pose=Pose((x, 0.0, 1.0), (0.8, 0.0, 0.0, 0.6)),
    )


def yard() -> Scene:
    slab = Link(name="slab", collisions=(Shape(geometry=Box(size=(1.0, 2.0, 3.0))),))
    wall = Robot(name="wall", links=(slab,), base="fixed")
    held = replace(cart("crane", 5.0, "fixed"), gravity=(0.0, 0.0, -1.62))
    return Scene(name="yard", robots=(cart("cart", 0.0), wall, held, cart("cart", -3.0)))


def test_each_robot_of_a_scene_is_a_model(tmp_path: Path) -> None:
    report = ub.save(yard(), tmp_path / "yard.sdf")
    root = ET.parse(tmp_path / "yard.sdf").getroot()
    models = {x.get("name"): x.findtext("static") for x in root.iterfind("world/model")}
    assert models == {"cart": None, "wall": "true", "crane": None, "cart_2": None}
    assert root.findtext("world/gravity") == "0 0 -1.62"
    assert [x.source for x in report.robots] == ["cart", "wall", "crane", "cart"]
    assert len(report.losses) == sum(len(x.losses) for x in report.robots)
    assert all(x.row is not None for x in report.losses)
    assert all(
        x.proof is not None and x.proof.positions == pytest.approx(0.0, abs=1e-9) for x in report.robots
    )
    assert "robot 'crane': moves the same" in report.text()
    again = ub.read(tmp_path / "yard.sdf").scene
    assert again is not None
    assert again.name == "yard"
    pairs = zip(yard().robots, again.robots, strict=True)
    assert [ub.diff(replace(a, gravity=b.gravity), b) for a, b in pairs] == [[]] * 4
    assert {x.gravity for x in again.robots} == {(0.0, 0.0, -1.62)}
    assert ub.dumps(yard(), format="sdf") == (tmp_path / "yard.sdf").read_text("utf-8")


def test_a_scene_of_sdf_is_written_as_it_was(tmp_path: Path) -> None:
    source, target = tmp_path / "w.sdf", tmp_path / "x.sdf"
    other = ARM.replace('name="arm"', 'name="arm_2"><pose>3 0 0 0 0 0.5</pose', 1)
    light = '<light name="sun" type="directional"/>'
    text = f'<world name="w"><gravity>0 0 -1</gravity>{light}{ARM}{WALL}{other}{STATE}</world>'
    source.write_text(f'<sdf version="1.11">{text}</sdf>')
    assert main(["convert", str(source), str(target), "--plain"]) == 0
    first, second = (ub.read(path).scene for path in (source, target))
    assert first is not None
    assert second is not None
    assert (second.name, second.extras) == (first.name, first.extras)
    pairs = zip(first.robots, second.robots, strict=True)
    assert [ub.diff(a, b) for a, b in pairs] == [[], [], []]


def test_other_formats_and_one_robot_get_all_as_one(tmp_path: Path) -> None:
    assert ub.save(yard(), tmp_path / "yard.urdf").robots == ()
    table = replace(cart("table", 0.0, "fixed"), devices=(BEACON,))
    odd = Scene(
        name="odd", robots=(yard().robots[0], replace(table, joints=STIFF, groups=(Group(name="g"),)))
    )
    assert ub.save(odd, tmp_path / "odd.sdf").robots == ()
    assert ub.load(tmp_path / "odd.sdf").surroundings is None


@pytest.mark.parametrize("base", ["free", "fixed"])
def test_obstacles_beside_one_robot_are_static_models(base: str, tmp_path: Path) -> None:
    wall = replace(yard().robots[1], pose=Pose((2.0, 0.0, 0.0), (0.8, 0.0, 0.0, 0.6)))
    shed = replace(cart("shed", 7.0, "fixed"), joints=STIFF, devices=(BEACON,))
    shed = replace(shed, gravity=(0.0, 0.0, -3.5))
    scene = Scene(name="yard", robots=(wall, cart("cart", 1.0, base), shed, replace(wall, name="cart")))
    path = tmp_path / "yard.sdf"
    report = ub.save(scene, path, plain=True)
    root = ET.parse(path).getroot()
    assert {x.get("name"): x.findtext("static") for x in root.iterfind("world/model")} == {
        "cart": None,
        "wall": "true",
        "shed": "true",
        "cart_2": "true",
    }
    assert root.findtext("world/gravity") == "0 0 -3.5"
    assert [x for x in report.losses if x.row is None or x.outcome == "lost"] == []
    masses = [x.findtext("inertial/mass") for x in root.findall(".//model[@name='shed']/link")]
    assert masses == ["3", "3"]
    joint = root.find(".//model[@name='shed']/joint")
    assert joint is not None
    assert (joint.get("type"), joint.findtext("parent"), joint.findtext("child")) == (
        "fixed",
        "body",
        "wheel",
    )
    back = ub.load(path)
    around = back.surroundings or back.link("world")
    assert [x.name for x in around.collisions] == [
        "wall::slab::collision",
        "shed::body::collision",
        "cart_2::slab::collision",
    ]
    assert around.collisions[0].pose.xyz == (2.0, 0.0, 0.0)
    assert around.visuals[0].pose.apply((0.0, 0.0, 0.0)) == pytest.approx((7.14, 0.48, 0.9))
    assert ub.dumps(scene, format="sdf", plain=True) == path.read_text("utf-8")
    ub.save(back, tmp_path / "again.sdf")
    assert ub.diff(back, ub.load(tmp_path / "again.sdf")) == []


def test_two_gravities_are_a_loss(tmp_path: Path) -> None:
    scene = yard()
    robots = (replace(scene.robots[0], gravity=(0.0, 0.0, -3.73)), *scene.robots[1:])
    report = ub.save(replace(scene, robots=robots), tmp_path / "yard.sdf", plain=True)
    (loss,) = (x for x in report.robots[2].losses if x.path == "gravity")
    assert (loss.outcome, loss.row is not None) == ("lost", True)


def test_what_stands_beside_the_robots_is_behind_them(tmp_path: Path) -> None:
    around = Link(name="world", collisions=(Shape(geometry=Sphere(radius=1.0), name="hill::top::c"),))
    scene = yard()
    scene = replace(scene, robots=(replace(scene.robots[0], surroundings=around), *scene.robots[1:]))
    ub.save(scene, tmp_path / "yard.sdf", plain=True, scene="floor")
    found = ub.read(tmp_path / "yard.sdf").scene
    assert found is not None
    assert [x.name for x in found.robots] == ["cart", "wall", "crane", "cart_2", "hill", "floor"]


@pytest.mark.slow
def test_libsdformat_loads_a_scene(tmp_path: Path) -> None:
    libsdformat.needed()
    path = tmp_path / "yard.sdf"
    ub.save(yard(), path, plain=True, sdf_version="1.9")
    truth = libsdformat.ask(path)
    assert truth["errors"] == []
    assert len(truth["worlds"][0]["models"]) == 4
    assert Comparison(reading(path), truth).out == []


@pytest.mark.slow
def test_drake_loads_a_scene(tmp_path: Path) -> None:
    path = tmp_path / "yard.sdf"
    ub.save(yard(), path)
    found = proved("drake", merged(yard()), path)
    assert found.unexplained == ()
    assert all(str(cause).startswith(("gravity", "mass of 1e-05 kg added")) for cause in found.causes)
