"""Slips of published robots, planted in our own: each loads, and what is assumed is in the model."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from tests.sampling import few

import unibody as ub
from unibody.files.access import MemoryFiles

ROOT = Path(__file__).resolve().parents[2]
BIPED = (ROOT / "src/unibody/models/biped.urdf").read_text("utf-8")
GRIPPER = (ROOT / "tests/commands/models/gripper.urdf").read_text("utf-8")
GOOD = {"biped": BIPED, "gripper": GRIPPER}
FREE = (-math.inf, math.inf)

PARENT = "<parent link='{link}'/>"
SENSORS = [
    "<sensor/>",
    "<sensor name='s'/>",
    "<sensor name='s'><parent/></sensor>",
    "<sensor name='s'><parent link='nowhere'/><camera/></sensor>",
    f"<sensor name='s'>{PARENT}<camera/></sensor>",
    f"<sensor name='s'>{PARENT}<camera><image/></camera></sensor>",
    f"<sensor name='s'>{PARENT}<camera><image width='a' height='b' hfov='1' near='1' far='2'/></camera>"
    "</sensor>",
    f"<sensor name='s'>{PARENT}<camera><image width='1' height='1' hfov='9' near='1' far='2'/></camera>"
    "</sensor>",
    f"<sensor name='s'>{PARENT}<origin xyz='nan 0 0'/><camera/></sensor>",
    f"<sensor name='s' update_rate='nan'>{PARENT}<ray/></sensor>",
    "<sensor name='s' type='camera'><always_on>1</always_on></sensor>",
    f"<sensor>{PARENT}<ray><horizontal samples='x'/></ray></sensor>",
]
TRANSMISSIONS = [
    "<transmission/>",
    "<transmission name=''/>",
    "<transmission name='t'/>",
    "<transmission name='t'><type/></transmission>",
    "<transmission name='t'><joint/></transmission>",
    "<transmission name='t'><joint name='nowhere'/></transmission>",
    "<transmission name='t'><actuator/></transmission>",
    "<transmission name='t'><type>a</type><type>b</type></transmission>",
    "<transmission><mechanicalReduction>many</mechanicalReduction></transmission>",
    "<transmission name='t'>words</transmission>",
    "<transmission name='t'><vendor:part xmlns:vendor='v' nan='nan'/></transmission>",
]
VENDOR = [
    "<gazebo/>",
    "<gazebo reference=''/>",
    "<gazebo reference='nowhere'><mu1>slippery</mu1></gazebo>",
    "<gazebo reference='{link}'><material>Gazebo/Unknown</material></gazebo>",
    "<gazebo><plugin/></gazebo>",
    "<gazebo><plugin name='p' filename=''><a>nan</a></plugin></gazebo>",
    "<gazebo reference='{link}'><sensor type='ray'><ray/></sensor></gazebo>",
    "<gazebo><gazebo><link/></gazebo></gazebo>",
    "<ros2_control/>",
    "<ros2_control name='c' type='none'><joint/></ros2_control>",
    "<drake:joint/>",
    "<vendor speed='fast'><joint type='none'/></vendor>",
    "<mujoco><compiler meshdir=''/></mujoco>",
    "<link_properties mass='heavy'/>",
]


def load(text: str, *, also: dict[str, bytes] | None = None) -> tuple[ub.Robot, set[str]]:
    """The robot of a text, which has no errors, and the codes of its warnings."""
    reading = ub.read("model.urdf", files=MemoryFiles({"model.urdf": text.encode(), **(also or {})}))
    assert reading.ok, [str(f) for f in reading.findings]
    assert reading.robot is not None
    return reading.robot, {f.code for f in reading.findings if f.severity == "warning"}


def changed(good: str, robot: ub.Robot) -> set[str]:
    """The first parts of the facts in which a robot differs from that of a good text."""
    return {d.path.split("/")[0] for d in ub.diff(load(good)[0], robot)}


def nth(text: str, pattern: str, number: int, new: str) -> str:
    """The text with the match of that number replaced."""
    found = list(re.finditer(pattern, text))[number]
    return text[: found.start()] + found.expand(new) + text[found.end() :]


@pytest.mark.parametrize("good", few(GOOD, 1))
@pytest.mark.parametrize("element", few([*SENSORS, *TRANSMISSIONS, *VENDOR], 16))
def test_broken_element_beside_the_links(good: str, element: str) -> None:
    text = GOOD[good]
    element = element.replace("{link}", load(text)[0].root)
    robot, warnings = load(text.replace("</robot>", f"{element}</robot>"))
    assert changed(text, robot) <= {"extras", "devices"}
    assert "extras" in changed(text, robot) or robot.devices
    assert bool(warnings) == element.startswith(("<sensor", "<drake:joint"))


@pytest.mark.parametrize("element", SENSORS[:8] + VENDOR[:4])
def test_broken_element_in_a_link(element: str) -> None:
    robot, _ = load(BIPED.replace("</link>", f"{element}</link>", 1))
    assert changed(BIPED, robot) <= {"extras"}


@pytest.mark.parametrize(
    "material",
    [
        "<material/>",
        "<material name=''/>",
        "<material name='nowhere'/>",
        "<material name='m'><color/></material>",
        "<material name='m'><color rgba=''/></material>",
        "<material name='m'><color rgba='red'/></material>",
        "<material name='m'><color rgba='1 0'/></material>",
        "<material name='m'><color rgba='1 0 0'/></material>",
        "<material name='m'><color rgba='1 0 0 1 1'/></material>",
        "<material name='m'><color rgba='nan 0 0 1'/></material>",
        "<material name='m'><color rgba='255 0 0 255'/></material>",
        "<material name='m'><texture/></material>",
        "<material name='m'><texture filename=''/></material>",
        "<material name='m'><texture filename='nowhere.png'/></material>",
        "<material name='m'><color rgb='1 0 0'/></material>",
        "<material>words</material>",
    ],
)
def test_broken_material(material: str) -> None:
    robot, _ = load(nth(BIPED, r'<material name="\w+"/>', 0, material))
    paths = [d.path for d in ub.diff(load(BIPED)[0], robot)]
    assert all(path.startswith("links/WAIST/visuals/0/material") for path in paths), paths


def test_revolute_joint_without_limits() -> None:
    good, _ = load(BIPED)
    limited = [joint.name for joint in good.joints if joint.limits.position != FREE]
    assert len(limited) >= 10
    for number, name in enumerate(limited):
        robot, warnings = load(nth(BIPED, r"<limit [^>]*/>", number, ""))
        assert "joint-limit-missing" in warnings
        assert robot.joint(name).limits == ub.Limits()
        assert {d.path.rsplit("/", 1)[0] for d in ub.diff(good, robot)} == {f"joints/{name}/limits"}


@pytest.mark.parametrize("kind", ["floating", "planar", "spherical"])
@pytest.mark.parametrize(("follower", "leader"), [("single", "several"), ("several", "single")])
def test_mimic_of_a_joint_with_several_positions(kind: str, follower: str, leader: str) -> None:
    mimic = {follower: f"<mimic joint='{leader}'/>"}
    joints = "".join(
        f"<link name='{name}'/><joint name='{name}' type='{type}'><parent link='base'/>"
        f"<child link='{name}'/>{mimic.get(name, '')}</joint>"
        for name, type in (("single", "continuous"), ("several", kind))
    )
    robot, warnings = load(f"<robot name='r'><link name='base'/>{joints}</robot>")
    assert "coupling-unsupported" in warnings
    assert robot.couplings == ()
    assert ub.assemble(robot).joint_names == ("single", "several")


@pytest.mark.parametrize("good", GOOD)
@pytest.mark.parametrize("type", ["fixed", "floating", "continuous", "planar", "revolute"])
@pytest.mark.parametrize("origin", ["", "<origin xyz='0 0 1'/>"])
def test_joint_to_the_undeclared_world(good: str, type: str, origin: str) -> None:
    text = GOOD[good]
    root = load(text)[0].root
    joint = f"<joint name='w' type='{type}'><parent link='world'/><child link='{root}'/>{origin}</joint>"
    robot, warnings = load(text.replace("</robot>", f"{joint}</robot>"))
    assert "parent-unknown" in warnings
    assert (robot.root, robot.links[0].name) == ("world", "world")
    assert robot.joint("w").origin.xyz == ((0.0, 0.0, 1.0) if origin else (0.0, 0.0, 0.0))
    assert len(robot.links) == len(load(text)[0].links) + 1


@pytest.mark.parametrize("separator", [",", ", ", " , ", ",  ", "\t,"])
@pytest.mark.parametrize("attribute", ["xyz", "size", "rgba"])
def test_commas_between_numbers(attribute: str, separator: str) -> None:
    pattern = rf'({attribute}=")([^"]*)"'
    text = re.sub(pattern, lambda m: m[1] + separator.join(m[2].split()) + '"', BIPED)
    assert text != BIPED
    robot, warnings = load(text)
    assert warnings == {"number-separator"}
    assert changed(BIPED, robot) == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<link name="WAIST">', '<link name="WAIST" note="a & b">'),
        ('<link name="WAIST">', '<link name="WAIST" note="a&b;c">'),
        ('<link name="WAIST">', '<link name="WAIST" note="a &nbsp; b">'),
        ('<link name="WAIST">', '<link name="WAIST" note="a < b">'),
        ('<link name="WAIST">', '<link name="WAIST" note="a <b/> c">'),
        ('<link name="WAIST">', '<link name="WAIST" note="a\x01b">'),
        ('<link name="WAIST">', '<link name="WAIST" note="a&#2;b">'),
        ('<link name="WAIST">', '<link name="WAIST"note="a">'),
        ('<link name="WAIST">', '<link name="WAIST">legs & arms'),
        ('<link name="WAIST">', '<link name="WAIST">\x1b'),
        ('" ixy="', '"ixy="'),
        ('" velocity="', '"velocity="'),
        ('<robot name="Biped">', '<!-- a -- b --><robot name="Biped">'),
        ('<?xml version="1.0"?>', '\n<?xml version="1.0"?>'),
        ('<?xml version="1.0"?>', "made by hand"),
        ("</robot>", "</robot>\n</robot>"),
        ("</robot>", "</robot>\nend"),
    ],
)
def test_text_that_other_parsers_skip(old: str, new: str) -> None:
    assert old in BIPED
    robot, warnings = load(BIPED.replace(old, new))
    assert warnings
    assert changed(BIPED, robot) <= {"extras"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<link name="WAIST">', '<link name="WAIST\0">'),
        ('<link name="WAIST">', '\0<link name="WAIST">'),
        ('<link name="WAIST">', '<link name="WAIST">\0'),
        ('<link name="WAIST">', '<link name="WAIST">\0\0\0'),
        ('value="5.2"', 'value="5.2\0"'),
        ('xyz="0 0 0.0477"', 'xyz="0 0 0.0477\0"'),
        ('xyz="0 0 0.0477"', 'xyz="\x000 0 0.0477"'),
        ("</robot>", "</robot>\0"),
        ("</robot>", "</robot>\n\0\0"),
        ("</robot>", "\0</robot>"),
        ('type="revolute"', 'type="revolute\0"'),
    ],
)
def test_nul_bytes(old: str, new: str) -> None:
    assert old in BIPED
    robot, warnings = load(BIPED.replace(old, new, 1))
    assert warnings <= {"nul-character", "xml-syntax", "text-after-root"}
    assert warnings
    assert changed(BIPED, robot) == set()


@pytest.mark.parametrize("number", range(12))
def test_mesh_file_name_of_a_folder(number: int) -> None:
    mesh = "<geometry><mesh filename='parts.stl'/></geometry>"
    text = nth(BIPED, r"<geometry>.*?</geometry>", number, mesh)
    robot, warnings = load(text, also={"parts.stl/a.stl": b""})
    assert warnings == {"file-special"}
    shapes = [shape for link in robot.links for shape in (*link.visuals, *link.collisions)]
    (found,) = [shape.geometry for shape in shapes if isinstance(shape.geometry, ub.MeshFile)]
    assert (found.uri, found.path) == ("parts.stl", "")
