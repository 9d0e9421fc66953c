"""Properties of links and joints, and their source locations."""

from __future__ import annotations

from typing import Any

import pytest
from tests.view.test_data import ROBOTS, first, robot_file

import unibody as ub
from unibody.model import shape as s
from unibody.model.device import Device, Opaque
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose
from unibody.model.robot import Actuator, Coordinate, Coupling, Drive, Dynamics, Joint, Limits, Link, Robot
from unibody.page.data import Origin, page_data
from unibody.page.properties import device_properties, geometry_text, joint_properties, link_properties
from unibody.page.sources import Sources
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source, Span


def rows(properties: list[Any]) -> dict[str, tuple[Any, str]]:
    return {label: (value, unit) for label, value, unit in properties}


def test_links_have_mass_and_shapes() -> None:
    mass = Inertial(mass=2.0, com=(0.1, 0.0, 0.0), inertia=((3.0, 0, 0), (0, 1.0, 0), (0, 0, 2.5)))
    cube = s.Shape(geometry=s.Box(size=(1.0, 2.0, 0.5)))
    found = rows(link_properties(Link(name="a", inertial=mass, visuals=(cube,), collisions=(cube,))))
    assert found["mass"] == (2.0, "kg")
    assert found["center of mass"] == ([0.1, 0.0, 0.0], "m")
    assert found["principal moments"] == ([1.0, 2.5, 3.0], "kg·m²")
    assert found["visual"] == ("box 1 × 2 × 0.5 m", "")
    assert found["collision"] == ("the visual shapes", "")
    assert rows(link_properties(Link(name="a")))["mass"] == ("none", "")


def test_long_lists_of_shapes_are_truncated() -> None:
    shapes = tuple(s.Shape(geometry=s.Sphere(radius=1.0 + i)) for i in range(30))
    labels = [
        value for label, value, _ in link_properties(Link(name="a", visuals=shapes)) if label == "visual"
    ]
    assert (len(labels), labels[-1]) == (13, "… and 18 more")


@pytest.mark.parametrize(
    ("geometry", "expected"),
    [
        (s.Sphere(radius=0.1), "sphere, radius 0.1 m"),
        (s.Cylinder(radius=0.1, height=2.0), "cylinder, radius 0.1 m, height 2 m"),
        (s.Capsule(radius=0.1, height=2.0), "capsule, radius 0.1 m, height 2 m"),
        (s.Cone(radius=0.1, height=2.0), "cone, radius 0.1 m, height 2 m"),
        (s.Ellipsoid(radii=(1.0, 2.0, 3.0)), "ellipsoid, half axes 1 × 2 × 3 m"),
        (s.MeshFile(uri="a.stl", scale=(2.0, 2.0, 2.0)), "a.stl, scaled 2 × 2 × 2"),
        (s.MeshFile(uri="a.wrl", fragment="ARM"), "a.wrl (ARM)"),
        (s.PointSet(vertices=(0.0, 0.0, 0.0)), "point set"),
        (s.Plane(), "plane"),
    ],
)
def test_shape_descriptions(geometry: s.Geometry, expected: str) -> None:
    assert geometry_text(s.Shape(geometry=geometry)) == expected
    assert geometry_text(s.Shape(geometry=geometry, name="n")) == f"n: {expected}"


def test_joints_have_limits_drives_and_leaders() -> None:
    joint = Joint(
        name="j",
        kind="revolute",
        parent="a",
        child="b",
        origin=Pose((1.0, 0.0, 0.0)),
        limits=Limits(
            position=(-1.0, float("inf")), acceleration=(-8.0, 9.0), jerk=(-10.0, 10.0), effort=(-5.0, 5.0)
        ),
        dynamics=Dynamics(damping=0.5),
        actuator=Actuator(gear_ratio=100.0, mode="effort"),
        initial=0.25,
        number=3,
    )
    leader = Joint(name="lead", kind="prismatic", parent="a", child="c")
    drive = Drive(joint="j", at_zero=0.0, at_one=1.0)
    robot = Robot(
        name="r",
        links=tuple(Link(name=n) for n in "abc"),
        joints=(joint, leader),
        couplings=(Coupling(joint="j", leader="lead", ratio=-2.0, offset=0.5),),
        coordinates=(Coordinate(index=4, cyclic=True, drives=(drive,)),),
    )
    found = rows(joint_properties(joint, robot))
    assert found["position"] == ({"range": [-1.0, None]}, "rad")
    assert "velocity" not in found
    assert found["acceleration"] == ({"range": [-8.0, 9.0]}, "rad/s²")
    assert found["jerk"] == ({"range": [-10.0, 10.0]}, "rad/s³")
    assert found["effort"] == ({"range": [-5.0, 5.0]}, "N·m")
    assert (found["damping"], found["gear ratio"], found["drive"]) == (
        (0.5, "N·m·s/rad"),
        (100.0, ""),
        ("effort", ""),
    )
    assert (found["initial position"], found["joint id"]) == ((0.25, "rad"), (3, ""))
    assert found["follows"] == ("-2 × lead + 0.5", "")
    assert found["coordinate 4, cyclic"] == ([0.0, 1.0], "rad")
    assert (found["joins"], found["origin"]) == (("a → b", ""), ([1.0, 0.0, 0.0], "m"))
    slide = rows(joint_properties(leader, robot))
    assert slide["axis"] == ([0.0, 0.0, 1.0], "")
    assert "origin" not in slide


@pytest.mark.parametrize("name", sorted(path.stem for path in ROBOTS.glob("*.json")))
def test_every_item_has_properties(name: str) -> None:
    data = first(page_data(robot_file(name)))
    for kind in ("links", "joints", "devices", "frames", "loops"):
        for item in data[kind]:
            assert item["properties"], (kind, item["name"])
            assert all(len(entry) == 3 for entry in item["properties"])


# Places in files


def test_excerpt_lines_are_stored_once() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 101))
    source = Source("m/r.urdf", text, note="after xacro")
    sources = Sources(lambda name: name.removeprefix("m/"))
    at = text.index("line 50")
    assert sources.add(Span(source, at, at + 7)) == (0, 50, 50, 1, 7)
    # An element that ends at the beginning of a line.
    assert sources.add(Span(source, at, text.index("line 53"))) == (0, 50, 52, 1, 24)
    assert sources.add(None) is None
    (data,) = sources.data()
    assert (data["name"], data["note"]) == ("r.urdf", "after xacro")
    assert [int(n) for n in data["lines"]] == list(range(48, 55))
    # A long element is truncated.
    assert sources.add(Span(source, 0, len(text))) == (0, 1, 100, 1, len(text))
    assert {str(n) for n in range(1, 12)} <= set(data["lines"])
    assert "20" not in data["lines"]


def test_long_lines_are_truncated() -> None:
    sources = Sources(str)
    sources.add(Span(Source("a", "x" * 100_000), 5, 6))
    assert len(sources.data()[0]["lines"]["1"]) == 240


def test_locations_in_long_lines_have_an_excerpt() -> None:
    text = f"{'a' * 900}<link/>{'b' * 50}\r\nnext"
    sources = Sources(str)
    assert sources.add(Span(Source("a", text), 900, 907)) == (0, 1, 1, 901, 7)
    lines = sources.data()[0]["lines"]
    assert lines["1"] == "a" * 240
    assert lines["1:901"] == f"{'a' * 80}<link/>{'b' * 50}"


def test_lines_of_the_biped_match_its_file(biped: str) -> None:
    reading = ub.read(biped)
    assert reading.robot is not None
    data = first(page_data(reading.robot, origin=Origin(file=biped)))
    (source,) = data["sources"]
    with open(biped, encoding="utf-8") as file:
        lines = file.read().split("\n")
    assert source["name"] == "biped.body"
    assert all(lines[int(number) - 1] == text for number, text in source["lines"].items())
    knee = next(link for link in data["links"] if link["name"] == "RLEG_KNEE")
    assert "RLEG_KNEE" in source["lines"][str(knee["at"][1])]


def test_unknown_devices_show_their_fields() -> None:
    effect = Node("", [("wall", Word("1.0"), -1), ("names", Row([Word("a"), Word("b")]), -1)])
    items: list[tuple[str, Value, int]] = [
        ("range", Numbers(" 0, 20 "), -1),
        ("effect", effect, -1),
        ("more", Row([effect, Word("x")]), -1),
    ]
    device = Device(name="rotor", link="arm", spec=Opaque(kind="RotorDevice", data=Node("", items)))
    assert device_properties(device)[2:] == [
        ("range", "0 20", ""),
        ("effect wall", "1.0", ""),
        ("effect names", "a, b", ""),
        ("more 1 wall", "1.0", ""),
        ("more 1 names", "a, b", ""),
        ("more 2", "x", ""),
    ]
    many = Node("", [(f"k{i}", Numbers(" 1," * 9999), -1) for i in range(99)])
    rows = device_properties(Device(name="rotor", link="arm", spec=Opaque(kind="RotorDevice", data=many)))
    assert (len(rows), max(len(value) for _, value, _ in rows)) == (32, 300)
