"""What Choreonoid's own loader needs of a written Body or OpenHRP file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.sampling import few

import unibody as ub
from unibody.conversion.pipeline import save
from unibody.conversion.report import Report
from unibody.formats.body.mesh_files import opens
from unibody.formats.loader import read_with
from unibody.formats.neighbors import without_rules
from unibody.meshes import MeshCache, link_surfaces, signed_volume
from unibody.meshes.write_png import write_png
from unibody.model import collision
from unibody.model.device import Accelerometer, Device, Opaque, RangeSensor
from unibody.model.joint_kind import JointKind
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot, SelfCollision
from unibody.model.shape import Box, Capsule, Ellipsoid, Extrusion, Material, MeshFile, Shape, Texture

SUFFIXES = (".body", ".wrl")

ARM = """<robot name="arm">
  <link name="base"/><link name="slide"/><link name="hand"/><link name="tip"/><link name="finger"/>
  <joint name="j1" type="prismatic"><parent link="base"/><child link="slide"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="j3" type="fixed"><parent link="hand"/><child link="tip"/></joint>
  <joint name="j2" type="continuous"><parent link="slide"/><child link="hand"/></joint>
  <joint name="j0" type="floating"><parent link="hand"/><child link="finger"/></joint>
</robot>
"""
BODY = """format: ChoreonoidBody
format_version: 2.0
name: chain
links:
  - { name: R, joint_type: fixed, mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }
  - { name: A, parent: R, joint_type: revolute, joint_id: 3, mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }
  - { name: B, parent: R, joint_type: revolute, mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }
  - { name: C, parent: R, joint_type: revolute, joint_id: 1, mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }
  - { name: D, parent: R, joint_type: fixed, mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }
"""


def written(robot: Robot, path: Path) -> tuple[Report, Robot]:
    """The report of a file, and the robot in it without its side-car."""
    report = save(robot, path)
    found = read_with(path, plain=True)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    return report, found.robot


def numbers(robot: Robot) -> dict[str, int | None]:
    """Joint ids by the link that the joint moves."""
    return {j.child: j.number for j in robot.joints}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_joints_of_a_format_without_ids_are_numbered_in_document_order(suffix: str, tmp_path: Path) -> None:
    robot = ub.loads(ARM, format="urdf")
    report, back = written(robot, tmp_path / f"m{suffix}")
    assert numbers(back) == {"slide": 0, "tip": None, "hand": 1, "finger": None}
    said = {
        x.path: (x.kind, x.difference.after, x.row.what if x.row else "")
        for x in report.losses
        if x.path.endswith("/number")
    }
    names = {j.child: j.name for j in back.joints}
    assert said == {
        f"joints/{names['slide']}/number": ("added", 0, "joints without id"),
        f"joints/{names['hand']}/number": ("added", 1, "joints without id"),
    }
    # unibody reads the source's facts
    assert set(numbers(ub.load(tmp_path / f"m{suffix}")).values()) == {None}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_joints_of_a_format_with_ids_keep_theirs(suffix: str, tmp_path: Path) -> None:
    robot = ub.loads(BODY, format="body")
    assert numbers(robot) == {"A": 3, "B": -1, "C": 1, "D": None}
    report, back = written(robot, tmp_path / f"m{suffix}")
    assert numbers(back) == numbers(robot)
    assert not [x for x in report.losses if x.path.endswith("/number")]


def test_joints_without_id_are_numbered_after_the_others() -> None:
    arm = ub.loads(BODY, format="body")
    hand = ub.loads(ARM, format="urdf")
    both = ub.attach(arm, hand, on="D")
    text = ub.dumps(both, format="body", plain=True)
    assert numbers(ub.loads(text, format="body")) == {
        **{"A": 3, "B": -1, "C": 1, "D": None, "base": None},
        **{"slide": 4, "tip": None, "hand": 5, "finger": None},
    }


# Rules, excluded links, and what is written.
RULES = [
    (
        "{ disabled_link_chain_level: 1 }, { disabled_link_group: [A, B] }, "
        "{ disabled_link_group: [A, C] }, { disabled_link_group: [A, D] }",
        set(),
    ),
    ("{ disabled_link_chain_level: 1 }, { disabled_links: [A, D] }", {"A", "D"}),
    ("{ disabled_links: all }", {"R", "A", "B", "C", "D"}),
    ("{ disabled_link_group: [R, A, B, C, D] }", set()),
    ("{ disabled_links: all }, { enabled_links: [B] }", {"R", "A", "C", "D"}),
]


@pytest.mark.parametrize(("rules", "excluded"), RULES)
def test_excluded_links_are_not_pairs(rules: str, excluded: set[str], tmp_path: Path) -> None:
    robot = ub.loads(f"{BODY}collision_detection_rules: [{rules}]\n", format="body")
    assert {link.name for link in robot.links if not link.collides} == excluded
    report, back = written(robot, tmp_path / "m.body")
    assert [str(x.difference) for x in report.losses] == []
    assert ("disabled_links" in (tmp_path / "m.body").read_text()) == bool(excluded)
    assert back.self_collision == robot.self_collision


@pytest.mark.parametrize("default", ["all", "none", "not_adjacent"])
def test_links_without_tested_pairs_collide_with_the_surroundings(default: str, tmp_path: Path) -> None:
    box = (Shape(geometry=Box(size=(1.0, 1.0, 1.0))),)
    names = "abcdefgh"
    links = tuple(Link(name=n, collisions=box) for n in names)
    joints = tuple(Joint(name=n, kind="revolute", parent="a", child=n) for n in names[1:])
    off = tuple((n, "c") for n in names if n != "c")
    rules = SelfCollision(default=default, disabled=off, enabled=(("d", "e"),))  # type: ignore[arg-type]
    robot = Robot(name="r", links=links, joints=joints, base="fixed", self_collision=rules)
    _, back = written(robot, tmp_path / "m.body")
    assert all(link.collides for link in back.links)
    tested = {frozenset((x, y)) for x in names for y in names if x < y}
    here = tested - {frozenset(p) for p in back.self_collision.disabled}
    wanted = {
        "all": {p for p in tested if "c" not in p},
        "none": {frozenset("de")},
        "not_adjacent": {p for p in tested if not p & set("ac")},
    }
    assert here == wanted[default]


BOX = (Shape(geometry=Box(size=(0.1, 0.1, 0.1))),)


def chain(kind: JointKind, **changes: Any) -> Robot:
    """Three links with boxes: a joint of a kind, then a fixed one."""
    return Robot(
        name="chain",
        links=tuple(Link(name=name, collisions=BOX) for name in ("arm", "flange", "tool")),
        joints=(
            Joint(name="flange", kind=kind, parent="arm", child="flange", origin=Pose((0.0, 0.0, 0.5))),
            Joint(name="tool", kind="fixed", parent="flange", child="tool", origin=Pose((0.0, 0.0, 0.5))),
        ),
        base="fixed",
        **changes,
    )


def rule_losses(report: Report) -> set[tuple[str, str]]:
    return {(x.path, x.row.what if x.row else "") for x in report.losses if x.path.startswith("self_coll")}


def test_pairs_across_fixed_joints_are_untested_in_body_files_and_named_for_openhrp(
    tmp_path: Path,
) -> None:
    """Choreonoid excludes the links of a joint only: 'arm' and 'tool' are tested without rules."""
    robot = chain("revolute")
    report, back = written(robot, tmp_path / "m.body")
    assert rule_losses(report) == set()
    assert not list(collision.tested_pairs(back))
    report, back = written(robot, tmp_path / "m.wrl")
    assert list(collision.tested_pairs(back)) == [("arm", "tool")]
    assert rule_losses(report) == {("self_collision/enabled/arm/tool", "self-collision rules")}
    # what an OpenHRP file says without rules, a Body file says without rules
    report, again = written(back, tmp_path / "again.body")
    assert "rules" not in (tmp_path / "again.body").read_text()
    assert list(collision.tested_pairs(again)) == [("arm", "tool")]
    assert rule_losses(report) == set()


def test_links_of_a_ball_joint_are_not_tested_in_body_files_and_named_for_openhrp(tmp_path: Path) -> None:
    """Two massless links part the links of a joint that is written as three."""
    robot = chain("ball")
    report, back = written(robot, tmp_path / "m.body")
    assert not list(collision.tested_pairs(back))
    assert rule_losses(report) == set()
    report, back = written(robot, tmp_path / "m.wrl")
    assert set(collision.tested_pairs(back)) == {("arm", "flange"), ("arm", "tool")}
    assert rule_losses(report) == {
        ("self_collision/disabled/arm/flange", "self-collision rules"),
        ("self_collision/disabled/arm/tool", "self-collision rules"),
    }
    # a free joint connects no links
    report, back = written(chain("free"), tmp_path / "free.wrl")
    assert rule_losses(report) == set()


def test_many_pairs_without_rules_are_the_untested_ones() -> None:
    """All pairs of two rigid bodies of many links are too many for a list."""
    names = [f"{side}{k}" for side in "ab" for k in range(40)]
    joints = [Joint(name=n, kind="fixed", parent=f"{n[0]}0", child=n) for n in names if n[1:] != "0"]
    turn = Joint(name="b0", kind="revolute", parent="a0", child="b0")
    links = tuple(Link(name=name, collisions=BOX) for name in names)
    rules = without_rules(Robot(name="r", links=links, joints=(*joints, turn)))
    assert (rules.default, len(rules.disabled)) == ("all", 79)


# --- missing files -------------------------------------------------------------------------

MISSING = """<robot name="tex"><link name="A">
  <visual><geometry><box size="1 2 3"/></geometry>
    <material name="m"><texture filename="package://nowhere/a.png"/></material></visual>
  <visual><geometry><mesh filename="package://nowhere/a.stl"/></geometry></visual>
  <visual><geometry><mesh filename="gone.dae"/></geometry></visual>
  <visual><geometry><mesh filename="empty.ply"/></geometry></visual>
</link></robot>
"""


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_missing_files_are_left_out_and_listed(suffix: str, plain: bool, tmp_path: Path) -> None:
    source = tmp_path / "source" / "m.urdf"
    source.parent.mkdir()
    source.write_text(MISSING)
    (source.parent / "empty.ply").write_text("not a mesh")
    target = tmp_path / "out" / f"m{suffix}"
    report = ub.convert(source, target, plain=plain)
    found = read_with(target, plain=True)
    assert not [f for f in found.findings if f.code in ("file-missing", "package-unknown")]
    assert found.robot is not None
    assert [type(x.geometry) for x in found.robot.link("A").visuals] == [Box]
    causes = {x.row.what if x.row else "" for x in report.losses if x.path.startswith("links/A/visuals")}
    assert causes - {"names of materials", "materials of mesh files"} == {
        "missing mesh files",
        "missing textures",
    }
    for words in ("package://nowhere/a.png", "no package 'nowhere'; 2 references", "gone.dae"):
        assert words in report.text()
    if not plain:
        back = ub.read(target).robot
        assert back is not None
        assert ub.diff(ub.load(source), back) == []


SOLID = """solid {name}
 facet normal 0 0 1
  outer loop
   vertex 0 0 0
   vertex 1 0 0
   vertex 0 2 0
  endloop
 endfacet
endsolid {name}
"""
OBJ = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 1 2 0\nvt 0 0\nvn 0 0 1\n"
MIXED = OBJ + "f 1//1 2//1 3//1\nf 2 4 3\n"
# A mesh file, and the suffix of the one that is written: "" if it is left out.
MESH_FILES = [
    ("plain.stl", SOLID.format(name="part"), ".stl"),
    ("long.stl", SOLID.format(name="a part of the left arm, upper half"), ".obj"),
    ("two.stl", SOLID.format(name="a") + SOLID.format(name="b"), ".obj"),
    ("upper.stl", SOLID.format(name="part").upper(), ".obj"),
    ("none.stl", "solid part\nendsolid part\n", ""),
    ("text.stl", "to be exported", ""),
    ("plain.obj", OBJ + "f 1 2 3\n", ".obj"),
    ("parts.obj", OBJ + "o a\nf 1//1 2//1 3//1\nusemtl b\nf 2/1 4/1 3/1\n", ".obj"),
    ("mixed.obj", MIXED, ".obj"),
    ("relative.obj", OBJ + "f -1 -2 -3\n", ".obj"),
    ("none.obj", OBJ, ""),
]


@pytest.mark.parametrize(("name", "text", "wanted"), MESH_FILES, ids=[name for name, *_ in MESH_FILES])
def test_a_mesh_file_that_choreonoid_rejects_is_written_anew(
    name: str, text: str, wanted: str, tmp_path: Path
) -> None:
    source = tmp_path / "source" / "m.urdf"
    source.parent.mkdir()
    source.write_text(
        f'<robot name="m"><link name="A"><visual><geometry><mesh filename="{name}"/></geometry></visual>'
        "</link></robot>"
    )
    (source.parent / name).write_text(text)
    report = ub.convert(source, tmp_path / "m.body", plain=True)
    made = ub.load(tmp_path / "m.body").link("A").visuals
    found = [x.geometry for x in made if isinstance(x.geometry, MeshFile)]
    assert [Path(x.path).suffix for x in found] == ([wanted] if wanted else [])
    for x in found:
        data = Path(x.path).read_bytes()
        assert opens(Shape(geometry=x), data)
        assert (data == text.encode()) == name.startswith(("plain", "parts"))
    before, after = (signed_area(ub.load(path)) for path in (source, tmp_path / "m.body"))
    assert after == pytest.approx(before)
    is_same = name.startswith(("plain", "parts"))
    causes = {
        x.row.what for x in report.losses if x.row is not None and x.path.startswith("links/A/visuals")
    }
    wanted_cause = "mesh files that Choreonoid rejects" if wanted else "missing mesh files"
    assert causes == (set() if is_same else {wanted_cause})


def signed_area(robot: Robot) -> float:
    """The area of the triangles of the first link, negative if they face down."""
    found = 0.0
    for surface in link_surfaces(robot, "A", "visual", MeshCache()):
        a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
        found += float(np.cross(b - a, c - a)[:, 2].sum()) / 2.0
    return found


def test_a_geometry_of_several_objects_is_written_anew(tmp_path: Path) -> None:
    """Choreonoid wants a single shape where a mesh file is a geometry."""
    path = tmp_path / "two.obj"
    path.write_text(OBJ + "o a\nf 1 2 3\no b\nf 2 4 3\n")
    shape = Shape(geometry=MeshFile(uri="two.obj", path=str(path), geometry_only=True))
    assert not opens(shape, path.read_bytes())
    _, back = written(Robot(name="m", links=(Link(name="A", visuals=(shape,)),)), tmp_path / "m.body")
    (made,) = back.link("A").visuals
    assert isinstance(made.geometry, MeshFile)
    assert opens(made, Path(made.geometry.path).read_bytes())
    assert signed_area(back) == pytest.approx(2.0)


@pytest.mark.parametrize("meshes", ["copy", "keep"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_package_uris_are_written_only_where_they_are_resolved(
    suffix: str, meshes: str, tmp_path: Path
) -> None:
    package = tmp_path / "parts"
    package.mkdir()
    (package / "package.xml").write_text("<package/>")
    (package / "a.png").write_bytes(write_png((1, 1, 3, 255, 0, 0)) or b"")
    text = MISSING.replace("package://nowhere/a.png", "package://parts/a.png")
    reading = ub.read(_put(tmp_path / "there" / "m.urdf", text), packages={"parts": str(package)})
    target = tmp_path / "elsewhere" / "deep" / "down" / f"m{suffix}"
    assert reading.robot is not None
    save(reading.robot, target, meshes=meshes, plain=True)  # type: ignore[arg-type]
    assert "package:" not in target.read_text()
    assert "a.png" in target.read_text()
    # as Choreonoid: a package beside the one of the model is found
    inside = tmp_path / "mine" / "model" / f"m{suffix}"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "package.xml").write_text("<package/>")
    save(reading.robot, inside, meshes=meshes, plain=True)  # type: ignore[arg-type]
    assert ("package://parts/a.png" in inside.read_text()) == (suffix == ".body")


def _put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


# --- lists of shapes that grow -------------------------------------------------------------


@pytest.mark.parametrize("count", few([3, 120], 1))
@pytest.mark.parametrize("name", ["", "a b"])
def test_capsules_written_as_several_shapes_do_not_shift_the_list(
    name: str, count: int, tmp_path: Path
) -> None:
    shapes: list[Shape] = []
    for k in range(count):
        at = Pose((float(k), 0.5, 0.0))
        shapes.append(Shape(geometry=Capsule(radius=0.1 + k / 1000, height=1.0), name=name, pose=at))
        shapes.append(Shape(geometry=Ellipsoid(radii=(1.0, 2.0, 3.0 + k)), name=name, pose=at))
        shapes.append(Shape(geometry=Box(size=(1.0, 1.0, 1.0 + k)), name=name, pose=at))
    robot = Robot(name="r", links=(Link(name="a", collisions=tuple(shapes)),), base="fixed")
    report, _ = written(robot, tmp_path / "m.wrl")
    assert [str(x.difference) for x in report.losses if x.row is None] == []
    changed = [x for x in report.losses if x.path.endswith("/geometry") and x.row is not None]
    assert sum(x.row.what == "capsules" for x in changed if x.row) == count
    assert ub.diff(robot, ub.load(tmp_path / "m.wrl")) == []


# --- what Choreonoid's VRML loader ignores or turns around ---------------------------------

SQUARE = (-1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0)


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("axis", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_the_axis_of_a_track_is_a_loss_in_openhrp(
    axis: tuple[float, float, float], plain: bool, tmp_path: Path
) -> None:
    track = Joint(name="t", kind="track", parent="a", child="t", axis=axis, number=0)
    robot = Robot(name="r", links=(Link(name="a"), Link(name="t")), joints=(track,), base="free")
    report = save(robot, tmp_path / "m.wrl", plain=plain)
    found = {x.path: x for x in report.losses}["joints/t/axis"]
    assert found.row is not None
    assert found.row.what == "tracks"
    assert found.carried is not plain
    # it is in the file, for those who read it
    assert ub.load(tmp_path / "m.wrl").joint("t").axis == axis
    assert not [x for x in save(robot, tmp_path / "m.body").losses if x.path == "joints/t/axis"]


def test_the_largest_readings_of_acceleration_sensors_are_a_loss_in_openhrp(tmp_path: Path) -> None:
    some = Device(name="some", link="a", spec=Accelerometer(max_acceleration=(1.0, 2.0, 3.0)))
    free = Device(name="free", link="a", spec=Accelerometer())
    robot = Robot(name="r", links=(Link(name="a"),), devices=(some, free), base="fixed")
    report = save(robot, tmp_path / "m.wrl", plain=True)
    assert [x.path for x in report.losses] == ["devices/some/spec/max_acceleration"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("ccw", [True, False])
@pytest.mark.parametrize("section", [SQUARE, SQUARE[::-1]])
def test_extrusions_keep_their_outside(
    section: tuple[float, ...], ccw: bool, suffix: str, tmp_path: Path
) -> None:
    geometry = Extrusion(section=section, spine=(0.0, 0.0, 0.0, 0.0, 1.0, 0.0), ccw=ccw)
    shape = Shape(geometry=geometry, name="e", pose=Pose((1.0, 2.0, 3.0)))
    robot = Robot(name="r", links=(Link(name="a", visuals=(shape,)),), base="fixed")
    report, back = written(robot, tmp_path / f"m{suffix}")
    before, after = (_volume(r) for r in (robot, back))
    assert abs(before) == pytest.approx(4.0)
    assert after == pytest.approx(before)
    # Choreonoid turns the faces of an Extrusion with ccw FALSE
    assert "ccw FALSE" not in (tmp_path / f"m{suffix}").read_text()
    assert all(x.row is not None for x in report.losses)
    assert ub.diff(robot, ub.load(tmp_path / f"m{suffix}")) == []


def _volume(robot: Robot) -> float:
    return sum(signed_volume(x) for x in link_surfaces(robot, "a", "visual", MeshCache()))


CAMERAS = """format: ChoreonoidBody
format_version: 1.0
name: cameras
angle_unit: radian
links:
  - name: R
    joint_type: fixed
    mass: 1
    inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]
    material: steel
    elements:
      - { type: Camera, name: A, format: COLOR, translation: [1, 2, 3], rotation: [0, 0, 1, 0.5], id: 0,
          optical_frame: robotics }
      - { type: RangeSensor, name: B, id: 0, rotation: [1, 0, 0, 0.25], optical_frame: cv,
          optical_frame_rotation: [0, 1, 0, 0.125] }
      - { type: Camera, name: C, format: DEPTH, id: 1, optical_frame_rotation: [0, 0, 1, 0.75] }
"""


def test_optical_frames_stay_apart_from_the_pose_in_body_files(tmp_path: Path) -> None:
    robot = ub.loads(CAMERAS, format="body")
    report, back = written(robot, tmp_path / "m.body")
    assert report.losses == ()
    assert ub.diff(robot, back) == []
    text = (tmp_path / "m.body").read_text()
    assert [x.split(":")[1].strip() for x in text.split("\n") if "optical_frame:" in x] == [
        "robotics",
        "cv",
    ]
    # in degrees
    turns = [x.split("[")[1].split(",") for x in text.split("\n") if "optical_frame_rotation" in x]
    assert [float(t[3].strip(" ]")) for t in turns] == pytest.approx([7.16197243913529, 42.97183463481174])
    angles = [float(x.split(",")[3].strip(" ]")) for x in text.split("\n") if " rotation:" in x]
    assert angles == pytest.approx([28.64788975654116, 14.32394487827058])


def test_what_only_body_files_say_is_named_in_the_report(tmp_path: Path) -> None:
    robot = ub.loads(CAMERAS, format="body")
    report = save(robot, tmp_path / "m.wrl", plain=True)
    text = "\n".join(str(x.difference) for x in report.losses)
    assert "removed material of links/R" in text
    assert "removed optical_frame, optical_frame_rotation of devices/B" in text


# --- what it reads of the source otherwise ----------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("image", "kept"), [("t.png", True), ("t.JPG", True), ("t.gif", False)])
def test_images_that_choreonoid_does_not_load_are_a_loss(
    image: str, kept: bool, suffix: str, tmp_path: Path
) -> None:
    (tmp_path / image).write_bytes(b"an image")
    texture = Texture(uri=image, path=str(tmp_path / image))
    shape = Shape(geometry=Box(size=(1.0, 1.0, 1.0)), material=Material(texture=texture))
    report, back = written(
        Robot(name="r", links=(Link(name="A", visuals=(shape,)),), base="fixed"), tmp_path / f"m{suffix}"
    )
    (made,) = back.link("A").visuals
    assert made.material is not None
    assert made.material.texture is not None
    rows = {x.path: x.row.what for x in report.losses if x.row is not None}
    path = "links/A/visuals/0/material/texture"
    assert rows == ({} if kept else {path: "textures that are neither PNG nor JPEG"})


@pytest.mark.parametrize(
    ("kind", "row"),
    [("touch", "devices that Choreonoid lacks"), ("Fog", ""), ("Shape", "other devices")],
)
def test_devices_of_types_that_choreonoid_lacks_are_a_loss(kind: str, row: str, tmp_path: Path) -> None:
    """Its loader skips an optional node of an unknown type."""
    device = Device(name="d", link="A", spec=Opaque(kind=kind))
    report, back = written(
        Robot(name="r", links=(Link(name="A"),), devices=(device,), base="fixed"), tmp_path / "m.body"
    )
    assert [x.name for x in back.devices] == ([] if kind == "Shape" else ["d"])
    rows = {x.path: x.row.what for x in report.losses if x.row is not None}
    assert rows == ({"devices/d": row} if row else {})
    assert "d" in report.text() if row else True


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_scan_without_steps_stays_one(suffix: str, tmp_path: Path) -> None:
    device = Device(name="scan", link="A", spec=RangeSensor(yaw_step=0.0))
    report, back = written(
        Robot(name="r", links=(Link(name="A"),), devices=(device,), base="fixed"), tmp_path / f"m{suffix}"
    )
    assert report.losses == ()
    assert back.devices[0].spec == device.spec


IMPORTED = """format: ChoreonoidBody
format_version: 2.0
name: m
motor: &motor { rotor_inertia: 0.002, gear_ratio: 20 }
links:
  - { name: A, joint_type: fixed }
  - { name: B, parent: A, joint_type: revolute, joint_id: 0, import: *motor }
"""
NAMELESS = """format: ChoreonoidBody
format_version: 2.0
name: m
links:
  - { name: A, joint_type: fixed, elements: { ForceSensor: { id: 0 } } }
"""
SLIDING = """format: ChoreonoidBody
format_version: 2.0
name: m
links:
  - { name: A, joint_type: prismatic, mass: 1, inertia: [1, 0, 0, 1, 0, 1] }
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("text", "code"),
    [(IMPORTED, "import-in-place"), (NAMELESS, "device-unnamed"), (SLIDING, "root-joint-type")],
)
def test_what_choreonoid_reads_of_a_source_otherwise_is_named_in_the_report(
    text: str, code: str, suffix: str, tmp_path: Path
) -> None:
    source = tmp_path / "source" / "m.body"
    source.parent.mkdir()
    source.write_text(text)
    report = ub.convert(source, tmp_path / f"m{suffix}")
    (found,) = [f for f in report.findings if f.code == code]
    assert found.severity == "warning"
    assert found.at is not None
    assert code in report.text()
    # the dynamics of Choreonoid move only a free root
    assert ub.load(tmp_path / f"m{suffix}").base == "fixed"


NAMES = """<robot name="names">
  <link name="base"/><link name="hand"/><link name="finger"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
  <joint name="hand" type="fixed"><parent link="hand"/><child link="finger"/>
    <origin xyz="0 0 1"/></joint>
</robot>
"""


def test_a_joint_that_is_called_as_another_link_is_compared_by_its_own(tmp_path: Path) -> None:
    """Joints of OpenHRP have the names of their links, here that of another joint of the source."""
    source = tmp_path / "m.urdf"
    source.write_text(NAMES)
    report = ub.convert(source, tmp_path / "m.wrl")
    losses = {x.path: (x.row.what if x.row else "", x.kind) for x in report.losses}
    assert losses == {
        "base": ("fixed or free base", "added"),
        "joints/turn": ("names of joints", "renamed"),
        "joints/hand": ("names of joints", "renamed"),
        "joints/hand/limits/effort": ("effort limits", "dropped"),
        "joints/hand/number": ("joints without id", "added"),
    }
    assert "turn → hand (line 3), hand → finger (line 5)" in report.text()
    assert all(x.carried for x in report.losses)
    assert ub.diff(ub.load(source), ub.load(tmp_path / "m.wrl")) == []
    plain = ub.convert(source, tmp_path / "plain.wrl", plain=True)
    assert [x.path for x in plain.losses] == list(losses)
    assert not any(x.carried for x in plain.losses)
