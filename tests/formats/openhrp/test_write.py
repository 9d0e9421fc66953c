"""OpenHRP files as they are written: Choreonoid takes them, and what they cannot say is carried."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.convert.models import CASES, ROOT, plain, whole
from tests.formats.openhrp.strict import refusals

from unibody.conversion.pipeline import save
from unibody.formats.openhrp.info import from_info, to_info
from unibody.formats.openhrp.leftovers import respelled
from unibody.meshes.write_png import write_png
from unibody.model.device import Device, Gyro, Imu
from unibody.model.facts import diff
from unibody.model.robot import BALL, PISTON, XY, Joint, Link, Loop, Robot, Z
from unibody.model.shape import Box, Material, Mesh, MeshFile, Shape
from unibody.text.node import Node, Numbers, Row, Word

FOLDER = Path(__file__).parent / "write"
ARM = Joint(name="arm", kind="revolute", parent="base", child="arm", number=0)


def text_of(robot: Robot, folder: Path) -> str:
    target = folder / "model.wrl"
    save(robot, target, overwrite=True)
    return target.read_text("utf-8")


@pytest.mark.parametrize("case", CASES)
def test_choreonoid_takes_it(case: str) -> None:
    assert list(refusals((FOLDER / f"{case}.wrl").read_text("utf-8"))) == []


def test_what_choreonoid_does_not_take_is_seen() -> None:
    text = (FOLDER / "pendulum.wrl").read_text("utf-8")
    for old, new in (
        ('jointType "rotate"', 'jointType "crawler"'),
        ("  exposedField SFFloat mass 0\n", ""),
        ("#VRML V2.0 utf8", ""),
        ("llimit [", "llimits ["),
    ):
        assert old in text
        assert list(refusals(text.replace(old, new)))


def test_loops_in_the_words_that_choreonoid_takes(tmp_path: Path) -> None:
    links = tuple(Link(name=n) for n in ("base", "arm"))
    words = {"a": (BALL, "ball"), "b": (PISTON, "piston"), "c": (XY, "piston"), "d": (Z, "z")}
    loops = tuple(
        Loop(name=n, link_a="base", link_b="arm", axis=(1.0, 0.0, 0.0), holds=h)
        for n, (h, _) in words.items()
    )
    robot = Robot(name="r", links=links, joints=(ARM,), loops=loops, base="fixed")
    text = text_of(robot, tmp_path)
    assert re.findall(r'jointType "(ball|piston|xyz|xy|z)"\n', text)[1:] == [w for _, w in words.values()]
    assert [d.path for d in diff(robot, plain(tmp_path / "model.wrl"))] == ["loops/c/holds/swing"]
    assert diff(robot, whole(tmp_path / "model.wrl")) == []


def test_names_that_no_node_may_have(tmp_path: Path) -> None:
    robot = Robot(
        name='a "robot"',
        links=(Link(name="the base"), Link(name="the_base")),
        joints=(replace(ARM, name="turn, slowly", parent="the base", child="the_base"),),
        devices=(Device(name="gyro {1}", link="the base", spec=Gyro()),),
        base="fixed",
    )
    text = text_of(robot, tmp_path)
    assert "DEF a__robot_ Humanoid" in text
    assert "DEF the_base_2 Joint" in text
    assert "DEF gyro__1_ Gyro" in text
    assert list(refusals(text)) == []
    assert diff(robot, whole(tmp_path / "model.wrl")) == []


def test_a_name_that_two_nodes_have_is_not_used(tmp_path: Path) -> None:
    """USE means the first node of a name (facts B.2), here the Humanoid."""
    robot = Robot(name="base", links=(Link(name="base"), Link(name="arm")), joints=(ARM,), base="fixed")
    text = text_of(robot, tmp_path)
    assert "USE base\n" not in text
    assert "USE arm\n" in text
    assert diff(robot, plain(tmp_path / "model.wrl")) == [] or "joints" in text


def test_lists_and_materials_are_written_once(tmp_path: Path) -> None:
    mesh = Mesh(vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5), faces=(0, 1, 2, -1), convex=False)
    red = Material(name="RED", diffuse=(1.0, 0.0, 0.0))
    shapes = (Shape(geometry=mesh, material=red), Shape(geometry=Box(size=(1.0, 2.0, 3.0)), material=red))
    link = Link(name="base", visuals=shapes, collisions=(Shape(geometry=mesh),))
    robot = Robot(name="r", links=(link,), base="fixed")
    text = text_of(robot, tmp_path)
    assert text.count("coordIndex") == 1
    assert text.count("DEF MESH_1 IndexedFaceSet") == text.count("USE MESH_1") == 1
    assert text.count("DEF RED Material") == text.count("USE RED") == 1
    assert diff(robot, plain(tmp_path / "model.wrl")) == []


def test_a_measurement_unit_becomes_two_sensors(tmp_path: Path) -> None:
    unit = Device(name="imu", link="base", spec=Imu(max_acceleration=(1.0, 2.0, 3.0)), id=0)
    robot = Robot(name="r", links=(Link(name="base"),), devices=(unit,), base="fixed")
    text = text_of(robot, tmp_path)
    assert "DEF imu AccelerationSensor" in text
    assert "DEF imu_gyro Gyro" in text
    assert diff(robot, whole(tmp_path / "model.wrl")) == []


OBJ = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\n"
WRL = """#VRML V2.0 utf8
Shape { geometry Box { size 1 2 3 } }
"""


def test_mesh_files(tmp_path: Path) -> None:
    """OpenHRP opens VRML files only: others become polygons, with their images beside the model."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.obj").write_text(OBJ, "utf-8")
    (source / "a.mtl").write_text("newmtl m\nKd 1 0 0\nmap_Kd t.png\n", "utf-8")
    (source / "t.png").write_bytes(write_png((1, 1, 3, 255, 0, 0)) or b"")
    (source / "b.wrl").write_text(WRL, "utf-8")
    files = [MeshFile(uri=n, path=str(source / n)) for n in ("a.obj", "b.wrl")]
    missing = Shape(geometry=MeshFile(uri="c.stl"))
    shapes = (*(Shape(geometry=x) for x in files), missing)
    robot = Robot(name="r", links=(Link(name="base", visuals=shapes),), base="fixed")
    for is_plain in (True, False):
        folder = tmp_path / str(is_plain)
        report = save(robot, folder / "model.wrl", plain=is_plain)
        assert {"model.wrl", "model.wrl_files/b.wrl", "model.wrl_files/t.png"} <= set(report.files)
        text = (folder / "model.wrl").read_text("utf-8")
        assert 'url ["model.wrl_files/t.png"]' in text
        assert 'url ["model.wrl_files/b.wrl"]' in text
        assert list(refusals(text)) == []
        drawn = plain(folder / "model.wrl").link("base").visuals
        assert [type(x.geometry) for x in drawn] == [Mesh, Box]
    assert diff(robot, whole(folder / "model.wrl")) == []


def test_a_robot_that_is_used_as_a_mesh_becomes_polygons(tmp_path: Path) -> None:
    (tmp_path / "b.wrl").write_text(text_of(one_box(), tmp_path), "utf-8")
    mesh = MeshFile(uri="b.wrl", path=str(tmp_path / "b.wrl"))
    robot = Robot(name="r", links=(Link(name="base", visuals=(Shape(geometry=mesh),)),), base="fixed")
    save(robot, tmp_path / "out.wrl", plain=True)
    (drawn,) = plain(tmp_path / "out.wrl").link("base").visuals
    assert isinstance(drawn.geometry, Mesh)


def one_box() -> Robot:
    box = Shape(geometry=Box(size=(1.0, 2.0, 3.0)))
    return Robot(name="b", links=(Link(name="base", visuals=(box,)),), base="fixed")


def test_carried_lines_have_no_quotes() -> None:
    line = r'["a\"b\\c", null, "it\'s ~1 of \u00e9"]'.replace(r"\'", "'")
    text = to_info(line)
    assert '"' not in text
    assert "\\" not in text
    assert from_info(text) == line


def test_what_a_file_says_in_its_info_stays(tmp_path: Path) -> None:
    robot = whole(ROOT / "tests/formats/openhrp/kitchen_sink.wrl")
    text = text_of(robot, tmp_path)
    assert '"all of it"' in text
    assert "unibody [" in text
    back = whole(tmp_path / "model.wrl")
    assert diff(robot, back) == []
    assert not any("unibody" in str(e.node) for e in back.extras)


def test_an_edited_file_wins(tmp_path: Path) -> None:
    robot = Robot(name="r", links=(Link(name="base"), Link(name="arm")), joints=(ARM,), base="fixed")
    text = text_of(replace(robot, joints=(replace(ARM, initial=0.5),)), tmp_path)
    assert "joints/arm/initial" in text
    edited = text.replace("'joints/arm/initial', 0.0", "'joints/arm/initial', 0.25")
    (tmp_path / "edited.wrl").write_text(edited, "utf-8")
    from unibody.formats.loader import read

    found = read(tmp_path / "edited.wrl")
    assert "sidecar-stale" in {f.code for f in found.findings}
    assert found.robot is not None
    assert found.robot.joint("arm").initial == 0.0


def test_leftovers_get_their_quotes_back() -> None:
    view = Node("Viewpoint", [("position", Row([Word("1"), Word("2"), Word("3")]), -1)])
    info = Node("NavigationInfo", [("avatarSize", Row([Word("1"), Word("2")]), -1)])
    top = Node("", [("version", Word("1.5"), -1), ("info", Row([Word("a b")]), -1)])
    top.items += [("", view, -1), ("", info, -1)]
    from unibody.formats.openhrp.document import Humanoid

    respelled(top, Humanoid)
    version, said = top.get("version"), top.get("info")
    assert isinstance(version, Word)
    assert version.quote
    assert isinstance(said, Row)
    assert all(isinstance(w, Word) and w.quote for w in said.values)
    position, size = view.get("position"), info.get("avatarSize")
    assert isinstance(position, Numbers)
    assert isinstance(size, Numbers)
    assert (position.form, size.form) == ("", "[")


def test_names_that_begin_as_a_number_are_legal_and_listed(tmp_path: Path) -> None:
    names = ("base", "1st_wheel", "-x", "_1st_wheel")
    joints = tuple(Joint(name=n, kind="revolute", parent="base", child=n) for n in names[1:])
    robot = Robot(name="2nd", links=tuple(Link(name=n) for n in names), joints=joints, base="fixed")
    report = save(robot, tmp_path / "model.wrl")
    text = (tmp_path / "model.wrl").read_text("utf-8")
    found = re.findall(r"DEF (\S+) (?:Humanoid|Joint)", text)
    assert found == ["_2nd", "base", "_1st_wheel_2", "_-x", "_1st_wheel"]
    renames = {x.difference.before: x.difference.after for x in report.losses if x.kind == "renamed"}
    assert renames == {"1st_wheel": "_1st_wheel_2", "-x": "_-x"}
    assert "1st_wheel → _1st_wheel_2" in report.text()
    assert diff(robot, whole(tmp_path / "model.wrl")) == []
