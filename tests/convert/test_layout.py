"""Writing within one format changes only the lines that must change; comments and layout survive."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mujoco
import pytest
from tests.convert.models import ROOT, every, tetrahedron, whole
from tests.losses.corpus import models
from tests.shared import DEV

import unibody as ub
from unibody.conversion.pipeline import convert, read_source, save, save_reading
from unibody.conversion.report import Report
from unibody.edits.attach import attach
from unibody.edits.rename import rename
from unibody.edits.subtree import subtree
from unibody.meshes.write_png import write_png
from unibody.model.robot import Frame, Group, Robot

MODELS = {
    "arm.urdf": """\
<?xml version='1.0' encoding="utf-8"?>
<!-- the arm of the lamp -->
<robot   name = "arm">
    <link name="foot"/>   <!-- bolted -->

    <!-- the moving part -->
    <link name='lamp'>
        <inertial><mass value="1.50"/><origin xyz="0 0 .1"/>
            <inertia ixx="0.010" iyy="1e-2" izz="0.02"
                     ixy="0" ixz="0" iyz="0" />
        </inertial>
        <visual>
            <geometry><sphere radius="0.10"/></geometry>
        </visual>
    </link>
    <joint type="revolute" name="hinge">
        <child link="lamp"/> <parent link="foot"/>
        <axis   xyz="0  1.0  0"/>
        <limit lower="-1" upper="1" effort="5" velocity="2" /><!-- rad -->
    </joint>
</robot>
""",
    "arm.body": """\
# the arm of the lamp
format: ChoreonoidBody
format_version: 2.0
angle_unit:   degree
name: arm
root_link: foot   # bolted
links:
  -
    name: foot
    joint_type: fixed
    mass: 1
    inertia: [ 0.01, 0, 0,
               0, 0.01, 0,
               0, 0, 0.02 ]
  - name: lamp
    parent: foot
    joint_type: revolute
    joint_id: 0
    jointAxis: Y        # up and down
    joint_range: [ -57.5,   57.5 ]
    mass: 1.50
    center_of_mass: [ 0, 0, 0.10 ]
    inertia: &I [ 0.01, 0, 0, 0.01, 0, 0.02 ]
    elements:
      # the bulb
      - { type: Shape, geometry: { type: Sphere, radius: 0.10 } }
""",
    "arm.wrl": """\
#VRML V2.0 utf8
# the arm of the lamp
PROTO Joint [
  exposedField SFVec3f translation 0 0 0
  exposedField SFRotation rotation 0 0 1 0
  exposedField MFNode children []
  exposedField SFString jointType ""
  exposedField SFInt32 jointId -1
  exposedField SFVec3f jointAxis 0 0 1
  exposedField MFFloat ulimit []
  exposedField MFFloat llimit []
] { Transform { translation IS translation rotation IS rotation children IS children } }
PROTO Segment [
  exposedField SFFloat mass 0
  exposedField SFVec3f centerOfMass 0 0 0
  exposedField MFFloat momentsOfInertia [ 0 0 0 0 0 0 0 0 0 ]
  exposedField MFNode children []
] { Group { children IS children } }
PROTO Humanoid [
  exposedField SFString name ""
  exposedField MFNode humanoidBody []
  exposedField MFNode joints []
  exposedField MFNode segments []
] { Group { children IS humanoidBody } }

DEF arm Humanoid {
  humanoidBody [
    DEF foot Joint { jointType "fixed"   # bolted
      children [
        DEF lamp Joint {
          jointType "rotate"  jointId 0
          jointAxis 0 1 0     # up and down
          ulimit [ 1.0 ] llimit [ -1.0 ]
          children DEF lamp_LINK Segment {
            mass 1.50
            centerOfMass 0 0 0.10
            momentsOfInertia [ 0.01 0 0,  0 0.01 0,  0 0 0.02 ]
            children Shape { geometry Sphere { radius 0.10 } }
          }
        }
      ]
    }
  ]
  joints [ USE foot, USE lamp ]
  segments [ USE lamp_LINK ]
}
""",
    "arm.rob": """\
#MPK v1.0 robot
# the arm of the lamp
joint foot { }   # bolted

joint lamp {
    parent foot
    ConstTransl 0 0 .50
    Rot1 0 1 0  -1.0 1.0    # rad
    param 0
}
selfcoll { foot lamp }
""",
}


def lines(report: Report) -> int:
    assert report.layout is not None
    assert not report.layout.anew, report.layout.anew
    return report.layout.changed


def heavier(robot: Robot) -> Robot:
    """The robot with another mass of its last link that has one."""
    k = max(k for k, x in enumerate(robot.links) if x.inertial is not None and x.inertial.mass > 0)
    link = robot.links[k]
    assert link.inertial is not None
    inertial = replace(link.inertial, mass=1.25 * link.inertial.mass)
    return replace(robot, links=(*robot.links[:k], replace(link, inertial=inertial), *robot.links[k + 1 :]))


def changed(before: bytes, after: bytes) -> list[tuple[bytes, bytes]]:
    """The lines that differ; no line may be added or removed."""
    a, b = before.splitlines(), after.splitlines()
    assert len(a) == len(b)
    return [(x, y) for x, y in zip(a, b, strict=True) if x != y]


def has_lines(path: Path, text: str) -> bool:
    """Whether a file has all lines of a text, in order."""
    found = iter(path.read_text("utf-8").splitlines())
    return all(line in found for line in text.splitlines())


def edit(folder: Path, name: str, change: Callable[[Robot], Robot]) -> list[tuple[str, str]]:
    """Change a model in its file; the lines that differ."""
    path = folder / name
    path.write_text(MODELS[name], "utf-8")
    robot = change(ub.load(path))
    report = save(robot, path, overwrite=True)
    found = changed(MODELS[name].encode(), path.read_bytes())
    assert lines(report) == len(found)
    assert ub.diff(robot, whole(path)) == []
    return [(x.decode().strip(), y.decode().strip()) for x, y in found]


@pytest.mark.parametrize("name", MODELS)
def test_nothing_changes_nothing(name: str, tmp_path: Path) -> None:
    assert edit(tmp_path, name, lambda robot: robot) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("arm.urdf", '<inertial><mass value="1.875"/><origin xyz="0 0 .1"/>'),
        ("arm.body", "mass: 1.875"),
        ("arm.wrl", "mass 1.875"),
    ],
)
def test_a_mass_is_one_line(name: str, line: str, tmp_path: Path) -> None:
    assert [y for _, y in edit(tmp_path, name, heavier)] == [line]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("arm.urdf", '<limit lower="-1" upper="0.5" effort="5" velocity="2" /><!-- rad -->'),
        ("arm.rob", "Rot1 0 1 0  -1.0 0.5    # rad"),
        ("arm.wrl", "ulimit [ 0.5 ] llimit [ -1.0 ]"),
    ],
)
def test_one_number_of_a_line(name: str, line: str, tmp_path: Path) -> None:
    def narrower(robot: Robot) -> Robot:
        joint = robot.joints[-1]
        limits = replace(joint.limits, position=(joint.limits.position[0], 0.5))
        initial = -0.25 if robot.coordinates else joint.initial
        out = replace(robot, joints=(*robot.joints[:-1], replace(joint, limits=limits, initial=initial)))
        return replace(
            out,
            coordinates=tuple(
                replace(c, default=0.5, drives=tuple(replace(d, at_one=0.5) for d in c.drives))
                for c in out.coordinates
            ),
        )

    assert [y for _, y in edit(tmp_path, name, narrower)] == [line]


@pytest.mark.parametrize("name", MODELS)
def test_a_new_name_is_where_the_old_one_was(name: str, tmp_path: Path) -> None:
    def other(robot: Robot) -> Robot:
        return rename(robot, {"lamp": "light"})

    for before, after in edit(tmp_path, name, other):
        # the comments are a person's
        assert before.replace("lamp", "light") == after


@pytest.mark.parametrize("name", MODELS)
def test_a_root_is_renamed(name: str, tmp_path: Path) -> None:
    for before, after in edit(tmp_path, name, lambda robot: rename(robot, {"foot": "base_plate"})):
        assert before.replace("foot", "base_plate") == after


def test_no_element_is_added_for_what_another_one_says(tmp_path: Path) -> None:
    """A new text of this robot has a <gazebo> element for the friction, too."""
    path = tmp_path / "m.urdf"
    text = """<robot name="m">
  <link name="foot">
    <contact><lateral_friction value="0.5"/></contact>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
</robot>
"""
    path.write_text(text)
    save(rename(ub.load(path), {"foot": "sole"}), path, overwrite=True)
    assert path.read_text() == text.replace("foot", "sole")


def test_bytes_of_any_encoding_stay(tmp_path: Path) -> None:
    text = MODELS["arm.body"].replace("the bulb", "電球").replace("\n", "\r\n")
    for encoding in ("cp932", "utf-8-sig"):
        path = tmp_path / f"{encoding}.body"
        data = text.encode(encoding)
        path.write_bytes(data)
        save(ub.load(path), path, overwrite=True)
        assert path.read_bytes() == data
        save(heavier(ub.load(path)), path, overwrite=True)
        assert changed(data, path.read_bytes()) == [(b"    mass: 1.50", b"    mass: 1.875")]
        assert path.read_bytes() == data.replace(b"mass: 1.50", b"mass: 1.875")


@pytest.mark.parametrize("name", ["arm.urdf", "arm.body", "arm.rob"])
def test_elements_are_removed_and_added(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(MODELS[name], "utf-8")
    robot = ub.load(path)
    twice = attach(robot, subtree(robot, "lamp"), "lamp", prefix="b_")
    lines(save(twice, path, overwrite=True))
    assert has_lines(path, MODELS[name])
    assert ub.diff(twice, whole(path)) == []
    save(replace(robot, base=twice.base), path, overwrite=True)
    assert path.read_text("utf-8") == MODELS[name]
    lamp = subtree(robot, "lamp")
    lines(save(lamp, path, overwrite=True))
    text = path.read_text("utf-8").splitlines()
    assert [line for line in text if "1.50" in line] == [
        x for x in MODELS[name].splitlines() if "1.50" in x
    ]
    assert ub.diff(lamp, whole(path)) == []


def test_a_value_that_the_writer_leaves_out_is_replaced_where_it_stands(tmp_path: Path) -> None:
    text = MODELS["arm.urdf"].replace('<child link="lamp"/>', '<origin xyz="0 0 0"/><child link="lamp"/>')
    path = tmp_path / "arm.urdf"
    path.write_text(text, "utf-8")
    robot = ub.load(path)
    moved = replace(robot.joints[0], origin=ub.Pose((0.0, 0.0, 0.5)))
    assert lines(save(replace(robot, joints=(moved,)), path, overwrite=True)) == 1
    assert path.read_text("utf-8") == text.replace("0 0 0", "0 0 0.5", 1)


def test_what_only_moves_keeps_its_text(tmp_path: Path) -> None:
    wrist = '<joint type="fixed" name="wrist"><parent link="lamp"/><child link="hand"/></joint>'
    text = MODELS["arm.urdf"].replace("</robot>", f'    <link name="hand"/>\n    {wrist}\n</robot>')
    path = tmp_path / "arm.urdf"
    path.write_text(text, "utf-8")
    robot = ub.load(path)
    other = replace(robot, links=robot.links[::-1], joints=robot.joints[::-1])
    save(other, path, overwrite=True)
    assert ub.diff(other, whole(path)) == []
    after = path.read_text("utf-8")
    assert after.index("wrist") < after.index("hinge")
    for part in ("link", "joint"):
        whole_elements = re.compile(rf"<{part} (?:[^>]*/>|.*?</{part}>)", re.DOTALL)
        assert sorted(whole_elements.findall(after)) == sorted(whole_elements.findall(text))


def test_text_does_not_move_where_it_says_no_more_then(tmp_path: Path) -> None:
    """In VRML the joints of a branch stand together, whatever their order in the robot."""
    branch = '\n        DEF {} Joint {{ jointType "rotate" jointId {} children [ {} ] }}'
    more = branch.format("base", 1, branch.format("neck", 2, "")) + branch.format("arm2", 3, "")
    joints = "USE lamp, USE base, USE neck, USE arm2"
    text = MODELS["arm.wrl"].replace("      ]\n    }\n  ]", f"{more}\n      ]\n    }}\n  ]", 1)
    text = text.replace("USE lamp ]", f"{joints} ]", 1)
    path = tmp_path / "arm.wrl"
    path.write_text(text, "utf-8")
    robot = ub.load(path)
    assert [x.name for x in robot.joints] == ["lamp", "base", "neck", "arm2"]
    other = replace(robot, joints=robot.joints[::-1])
    assert lines(save(other, path, overwrite=True)) == 3  # the side-car
    assert has_lines(path, text)
    assert ub.diff(other, whole(path)) == []


def test_a_list_without_brackets_that_grows_is_written_anew(tmp_path: Path) -> None:
    """Its element stands under a key of its own, where no second one has a place."""
    text = MODELS["arm.body"].replace(
        "- { type: Shape, geometry: { type: Sphere, radius: 0.10 } }",
        "Shape: { geometry: { type: Sphere, radius: 0.10 } }",
    )
    path = tmp_path / "arm.body"
    path.write_text(text, "utf-8")
    robot = ub.load(path)
    lamp = robot.links[1]
    twice = replace(lamp, visuals=lamp.visuals * 2, collisions=lamp.collisions * 2)
    lines(save(replace(robot, links=(robot.links[0], twice)), path, overwrite=True))
    assert len(whole(path).links[1].visuals) == 2
    assert path.read_text("utf-8").startswith(text[: text.index("  - name: lamp")])


def test_neighboring_attributes_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(MODELS["arm.urdf"], "utf-8")
    robot = ub.load(path)
    joint = replace(robot.joints[0], kind="fixed", limits=ub.Limits())
    lines(save(replace(robot, joints=(joint,)), path, overwrite=True))
    assert whole(path).joints[0].kind == "fixed"
    assert "<!-- bolted -->" in path.read_text("utf-8")


def test_a_source_of_several_files_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "part.xacro").write_text('<robot><link name="a"/></robot>', "utf-8")
    (tmp_path / "arm.xacro").write_text(
        '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:include filename="part.xacro"/></robot>',
        "utf-8",
    )
    report = convert(tmp_path / "arm.xacro", tmp_path / "arm.urdf")
    assert report.layout is not None
    assert "written anew: " in report.text()
    assert report.layout.anew == "the source is read after xacro"
    (tmp_path / "half.wrl").write_text(
        '#VRML V2.0 utf8\nDEF FOOT Joint { jointType "free" children Segment { mass 1 } }\n', "utf-8"
    )
    (tmp_path / "two.wrl").write_text(
        MODELS["arm.wrl"].replace("DEF foot Joint {", 'Inline { url "half.wrl" } DEF foot Joint {'), "utf-8"
    )
    reading = read_source(tmp_path / "two.wrl")
    report = save_reading(reading, tmp_path / "one.wrl")
    assert report.layout is not None
    assert report.layout.anew == "the source has several files"


def test_another_robot_takes_no_layout(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(MODELS["arm.urdf"], "utf-8")
    built = ub.Robot(name="arm", links=(ub.Link(name="foot"),))
    assert save(built, path, overwrite=True).layout is None
    assert "<!--" not in path.read_text("utf-8")


def test_the_side_car_follows(tmp_path: Path) -> None:
    """What the format lacks is added to the text, and removed from it, without touching the rest."""
    for name in ("arm.urdf", "arm.body", "arm.wrl", "arm.rob"):
        path = tmp_path / name
        path.write_text(MODELS[name], "utf-8")
        robot = ub.load(path)
        extended = replace(robot, groups=(Group(name="all", members=("foot", "lamp")),))
        if name == "arm.body":
            frame = Frame(name="tip", link="lamp")
            extended = replace(robot, frames=(frame,))
        report = save(extended, path, overwrite=True)
        assert report.layout is not None
        assert not report.layout.anew, name
        assert ub.diff(extended, whole(path)) == []
        assert has_lines(path, MODELS[name])
        if name in ("arm.urdf", "arm.body"):
            (tmp_path / "plain").mkdir(exist_ok=True)
            lines(convert(path, tmp_path / "plain" / name, plain=True))
            assert (tmp_path / "plain" / name).read_text("utf-8") == MODELS[name]
        save(replace(whole(path), groups=(), frames=()), path, overwrite=True)
        assert has_lines(path, MODELS[name])


def test_convert_writes_into_the_source_s_text(tmp_path: Path) -> None:
    """Also to another folder: the files beside it are copied, and only their names change."""
    for suffix in (".urdf", ".body"):
        source = ROOT / f"src/unibody/models/biped{suffix}"
        report = convert(source, tmp_path / f"biped{suffix}")
        assert lines(report) == 0
        assert (tmp_path / f"biped{suffix}").read_bytes() == source.read_bytes()
        assert "layout: unchanged" in report.text()
    (tmp_path / "a/meshes").mkdir(parents=True)
    (tmp_path / "a/meshes/part.stl").write_bytes(
        (ROOT / "tests/formats/body/kitchen_sink.stl").read_bytes()
    )
    text = MODELS["arm.urdf"].replace('<sphere radius="0.10"/>', '<mesh filename="meshes/part.stl"/>')
    (tmp_path / "a/arm.urdf").write_text(text, "utf-8")
    (tmp_path / "b").mkdir()
    convert(tmp_path / "a/arm.urdf", tmp_path / "b/arm.urdf")
    found = changed(text.encode(), (tmp_path / "b/arm.urdf").read_bytes())
    assert [y.strip() for _, y in found] == [
        b'<geometry><mesh filename="arm.urdf_files/part.stl"/></geometry>'
    ]


CUBE = """\
<mujoco model="cube">  <!-- a published puzzle has such folders -->
  <compiler COMPILER alignfree="true"/>
  <asset>
    <texture type="cube" name="sides" fileright="X/blue.png" fileup="Y/red.png"/>
    <material name="sides" texture="sides"/>
    <mesh name="part" file="Z/part.stl"/>
  </asset>
  <worldbody>
    <body name="core">
      <freejoint/>
      <geom type="box" size="1 1 1" material="sides"/>
      <geom type="mesh" mesh="part" pos="3 0 0"/>  <!-- its mass is that of the mesh -->
    </body>
  </worldbody>
</mujoco>
"""
# The settings of the compiler, the folders of two images and a mesh in their names, and where they are.
FOLDERS = {
    "one folder": ('assetdir="all"', ("", "", ""), ("all", "all", "all")),
    "two folders": ('meshdir="meshes/" texturedir="images"', ("", "", ""), ("images", "images", "meshes")),
    "below them": ('assetdir="all"', ("a/", "b/", "c/"), ("all/a", "all/b", "all/c")),
    "above them": ('meshdir="meshes/in" texturedir="tex"', ("", "", "../"), ("tex", "tex", "meshes")),
    "paths stripped": ('strippath="true" assetdir="all"', ("x/", "y/", "z/"), ("all", "all", "all")),
    "no folders": ("", ("images/", "images/", "meshes/"), ("images", "images", "meshes")),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_folders_of_the_compiler_follow_the_files(name: str, tmp_path: Path) -> None:
    """MuJoCo opens the text that was kept in an empty folder, and finds the same images and meshes."""
    compiler, named, placed = FOLDERS[name]
    text = CUBE.replace("COMPILER", compiler)
    for mark, folder in zip("XYZ", named, strict=True):
        text = text.replace(f"{mark}/", folder)
    source = tmp_path / "source"
    images = [write_png((1, 1, 3, *color)) or b"" for color in ((0, 0, 255), (255, 0, 0))]
    contents = (*images, tetrahedron())
    for file, folder, data in zip(("blue.png", "red.png", "part.stl"), placed, contents, strict=True):
        (source / folder).mkdir(parents=True, exist_ok=True)
        (source / folder / file).write_bytes(data)
    (source / "meshes/in").mkdir(parents=True, exist_ok=True)
    (source / "cube.xml").write_text(text, "utf-8")
    beside = convert(source / "cube.xml", source / "copy.xml", plain=True)
    assert lines(beside) == 0
    assert (source / "copy.xml").read_text("utf-8") == text
    for plain in (False, True):
        target = tmp_path / str(plain) / "cube.xml"
        target.parent.mkdir()
        report = convert(source / "cube.xml", target, plain=plain)
        assert 0 < lines(report) <= 3
        assert not report.losses
        found = target.read_text("utf-8")
        assert "<!-- its mass is that of the mesh -->" in found
        assert 'alignfree="true"' in found
        assert "<inertial" not in found
        old, new = (mujoco.MjModel.from_xml_path(str(p)) for p in (source / "cube.xml", target))
        assert new.body_mass.tolist() == old.body_mass.tolist()
        assert new.tex_data.tolist() == old.tex_data.tolist()


def test_settings_of_the_compiler_that_hold_are_written_anew(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text('<mujoco><asset><material name="m"/></asset></mujoco>', "utf-8")
    (tmp_path / "ball.xml").write_text(
        '<mujoco><compiler alignfree="true" saveinertial="true" angle="radian" boundmass="0.1"/>'
        '<include file="part.xml"/><worldbody><body name="ball"><freejoint/>'
        '<geom size="1" pos="1 0 0" material="m"/></body></worldbody></mujoco>',
        "utf-8",
    )
    report = convert(tmp_path / "ball.xml", tmp_path / "new.xml")
    assert report.layout is not None
    assert report.layout.anew == "the source has several files"
    text = (tmp_path / "new.xml").read_text("utf-8")
    assert 'alignfree="true"' in text
    assert 'saveinertial="true"' in text
    assert "boundmass" not in text
    # its qpos is the pose of the frame of the body all the same
    assert ub.to_mujoco(ub.load(tmp_path / "new.xml")).model.qpos0.tolist() == [0, 0, 0, 1, 0, 0, 0]


def test_a_text_that_names_a_file_which_nothing_shows_is_written_anew(tmp_path: Path) -> None:
    text = MODELS["arm.urdf"].replace(
        "<!-- bolted -->", '<material name="m"><texture filename="wood.png"/></material>'
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "a/arm.urdf").write_text(text, "utf-8")
    (tmp_path / "a/wood.png").write_bytes(write_png((1, 1, 3, 255, 0, 0)) or b"")
    assert lines(convert(tmp_path / "a/arm.urdf", tmp_path / "a/copy.urdf")) == 0
    (tmp_path / "b").mkdir()
    report = convert(tmp_path / "a/arm.urdf", tmp_path / "b/arm.urdf")
    assert report.layout is not None
    assert report.layout.anew == "'wood.png', which its text names, would not be found"
    assert "wood" not in (tmp_path / "b/arm.urdf").read_text("utf-8")


def test_chosen_elements_are_written(tmp_path: Path) -> None:
    convert(ROOT / "tests/commands/models/four_bar.body", tmp_path / "a.urdf")
    report = convert(tmp_path / "a.urdf", tmp_path / "b.urdf", loops="urdf+")
    assert report.layout is not None
    assert report.layout.anew == "the elements of its loops are chosen"
    assert "<loop" in (tmp_path / "b.urdf").read_text("utf-8")
    assert lines(convert(tmp_path / "b.urdf", tmp_path / "c.urdf")) == 0


SWEPT = [*every(1), *models(), *DEV.glob("**/*.rob")]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("suffix", [".urdf", ".body", ".wrl", ".rob"])
def test_files_of_the_corpus(suffix: str, tmp_path: Path) -> None:
    """Unchanged: the same bytes; a name: only lines with it; a mass: one line."""
    counts = {"files": 0, "names": 0, "masses": 0}
    for path in sorted({p for p in SWEPT if p.suffix == suffix and p.stat().st_size < 400_000}):
        copy = tmp_path / path.name
        data = path.read_bytes()
        copy.write_bytes(data)
        reading = ub.read(copy)
        robot = reading.robot
        if robot is None or not reading.ok or reading.format is None or reading.format.writer is None:
            continue
        report = save(robot, copy, overwrite=True, format=reading.format)
        if report.layout is None or report.layout.anew.startswith("the source"):
            continue
        assert (str(path), copy.read_bytes() == data) == (str(path), True)
        if robot.links[-1].at is None:  # a scene of shapes: its link is not in the text
            continue
        counts["files"] += 1
        old = robot.links[-1].name
        save(rename(robot, {old: "a_new_name"}), copy, overwrite=True, format=reading.format)
        before, after = data.splitlines(), copy.read_bytes().splitlines()
        counts["names"] += len(before) == len(after) and all(
            old.encode() in x and b"a_new_name" in y for x, y in zip(before, after, strict=True) if x != y
        )
        copy.write_bytes(data)
        if any(x.inertial is not None and x.inertial.mass > 0 for x in robot.links):
            report = save(heavier(robot), copy, overwrite=True, format=reading.format)
            assert report.layout is not None
            counts["masses"] += report.layout.changed == 1 and not report.layout.anew
        else:
            counts["masses"] += 1
    assert counts["files"] > 0
    assert counts["names"] >= 0.95 * counts["files"], counts
    assert counts["masses"] >= 0.95 * counts["files"], counts
