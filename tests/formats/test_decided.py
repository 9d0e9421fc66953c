"""What was decided where the references and the real loaders differ: URDF's rows of the facts page's
tables F.1 and F.2, and the decisions of docs/formats/body.md and urdf.md that are no row there."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.model.device import Camera, Opaque, RangeSensor
from unibody.model.robot import BALL, HINGE, Joint, Robot
from unibody.model.shape import Box, Capsule, Material, MeshFile, Plane, Shape
from unibody.text.node import Node

INF = math.inf
TWO_LINKS = "<link name='a'/><link name='b'/>"


def reading(text: str, name: str) -> Reading:
    return read(name, files=MemoryFiles({name: text.encode(), "m/a.stl": b"", "m/t.png": b""}))


def made(text: str, name: str, *codes: str) -> Robot:
    """The robot of a text that gives exactly these findings and no error."""
    found = reading(text, name)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    # all these links are light: that is no news here
    assert {f.code for f in found.findings} - {"mass-missing", "inertia-missing"} == set(codes)
    return found.robot


def urdf(content: str, *codes: str) -> Robot:
    return made(f"<robot name='r'>{content}</robot>", "m/test.urdf", *codes)


def joint(type: str, content: str = "", *codes: str) -> Joint:
    ends = "<parent link='a'/><child link='b'/>"
    return urdf(f"{TWO_LINKS}<joint name='j' type='{type}'>{ends}{content}</joint>", *codes).joints[0]


def visual(content: str, *codes: str, geometry: str = "<mesh filename='a.stl'/>") -> Shape:
    shown = f"<visual><geometry>{geometry}</geometry>{content}</visual>"
    return urdf(f"<link name='a'>{shown}</link>", *codes).links[0].visuals[0]


def sensor(content: str) -> object:
    return urdf(f"<link name='a'/><sensor name='s'><parent link='a'/>{content}</sensor>").devices[0].spec


# --- URDF: F.1 --------------------------------------------------------------------------


def test_f1_37_the_axis_is_in_the_joint_s_own_frame() -> None:
    inner = "<origin rpy='0 0 1.5707963267948966'/><axis xyz='1 0 0'/>"
    found = joint("continuous", inner, "reference-differs")
    assert found.axis == (1.0, 0.0, 0.0)
    assert found.origin.quat[3] == pytest.approx(math.sqrt(0.5))


def test_f1_38_a_material_is_for_parts_without_their_own() -> None:
    red = "<material name='red'><color rgba='1 0 0 0.25'/></material>"
    shape = visual(red)
    assert shape.geometry == MeshFile(uri="a.stl")
    assert shape.material == Material(name="red", diffuse=(1.0, 0.0, 0.0), transparency=0.75)
    corners = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
    files = MemoryFiles(
        {
            "m/a.obj": corners + b"f 1 2 3\nusemtl blue\nf 1 2 3\nusemtl unknown\nf 1 2 3\n",
            "m/a.mtl": b"newmtl blue\nKd 0 0 1\n",
        }
    )
    found = placed_surfaces(
        replace(shape, geometry=MeshFile(uri="a.obj", path="m/a.obj")), MeshCache(files)
    )
    assert [s.material.diffuse for s in found if s.material] == [(1, 0, 0), (0, 0, 1), (1, 0, 0)]


def test_f1_39_a_link_without_inertial_is_massless_and_told_of_once() -> None:
    found = reading(
        f"<robot name='r'>{TWO_LINKS}<joint name='j' type='continuous'>"
        "<parent link='a'/><child link='b'/></joint></robot>",
        "m/test.urdf",
    )
    assert found.robot is not None
    assert [link.inertial for link in found.robot.links] == [None, None]
    assert [(f.code, f.severity) for f in found.findings] == [("inertia-missing", "info")]
    # one inertia among links that are fixed to each other is enough
    heavy = (
        "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
    )
    ends = "<parent link='{}'/><child link='{}'/>"
    robot = urdf(
        f"<link name='a'/><link name='b'/><link name='c'>{heavy}</link>"
        f"<joint name='j' type='continuous'>{ends.format('a', 'b')}</joint>"
        f"<joint name='k' type='fixed'>{ends.format('b', 'c')}</joint>"
    )
    assert robot.mass == 1.0


@pytest.mark.parametrize(("type", "kind"), [("floating", "free"), ("planar", "planar")])
def test_f1_40_floating_and_planar_joints_stay_what_they_are(type: str, kind: str) -> None:
    assert joint(type).kind == kind


def test_f1_40_the_file_does_not_say_whether_the_base_is_fixed() -> None:
    assert urdf("<link name='base'/>").base is None
    assert urdf("<link name='world'/>", "base-world").base == "fixed"


def test_f1_41_a_texture_is_kept() -> None:
    material = visual("<material name='m'><texture filename='t.png'/></material>").material
    assert material is not None
    assert material.texture is not None
    assert (material.texture.uri, material.texture.path) == ("t.png", "m/t.png")
    assert material.diffuse == (1.0, 1.0, 1.0)


def test_f1_42_without_material_the_mesh_s_own_colors_count() -> None:
    assert visual("").material is None
    named = visual("<material name='nowhere'/>", "material-unknown").material
    assert named is not None
    assert named.diffuse == (1.0, 1.0, 1.0)


def test_f1_43_two_colons_in_package_are_a_slip() -> None:
    shape = visual("", "uri-slip", "file-missing", geometry="<mesh filename='package:://p/a.stl'/>")
    # the reference stays as it is written
    assert shape.geometry == MeshFile(uri="package:://p/a.stl")


def test_f1_44_rgba_beyond_1_is_kept_and_told_of() -> None:
    material = visual("<material name='m'><color rgba='255 0 0 1'/></material>", "color-range").material
    assert material is not None
    assert material.diffuse == (255.0, 0.0, 0.0)


# --- URDF: F.2 and part C ---------------------------------------------------------------


def test_f2_18_hfov_is_converted_by_the_half_angle() -> None:
    image = "<image width='640' height='480' hfov='1.2' near='0.1' far='9'/>"
    spec = sensor(f"<camera>{image}</camera>")
    assert isinstance(spec, Camera)
    assert math.tan(spec.field_of_view / 2) == pytest.approx(math.tan(0.6) * 480 / 640)
    tall = sensor("<camera><image width='480' height='640' hfov='1.2' near='0.1' far='9'/></camera>")
    assert isinstance(tall, Camera)
    assert tall.field_of_view == 1.2


def test_ray_scans_keep_both_ends() -> None:
    spec = sensor("<ray><horizontal samples='11' min_angle='-1' max_angle='0.5'/></ray>")
    assert isinstance(spec, RangeSensor)
    assert (spec.min_yaw, spec.max_yaw, spec.yaw_step) == (-1.0, 0.5, 0.15)


def test_urdf_axes_are_normalized_and_told_of() -> None:
    assert joint("continuous", "<axis xyz='0 3 4'/>", "axis-not-unit").axis == (0.0, 0.6, 0.8)
    assert joint("continuous", "<axis xyz='0 0.6 0.8'/>").axis == (0.0, 0.6, 0.8)
    assert joint("continuous").axis == (1.0, 0.0, 0.0)


def test_limits_that_ros_insists_on_are_warnings() -> None:
    limits = joint("revolute", "<limit lower='-1' upper='2'/>", "limit-incomplete").limits
    assert (limits.position, limits.velocity, limits.effort) == ((-1, 2), (-INF, INF), (-INF, INF))
    inner = "<limit lower='-1' upper='2' velocity='3' effort='4'/>"
    limits = joint("continuous", inner, "limit-ignored").limits
    assert (limits.position, limits.velocity, limits.effort) == ((-INF, INF), (-3, 3), (-4, 4))
    still = joint("prismatic", "<limit velocity='3' effort='4'/>", "limit-empty").limits
    assert still.position == (0.0, 0.0)
    codes = [f.code for f in reading_of_joint("revolute").findings if f.severity == "warning"]
    assert codes == ["joint-limit-missing"]


def reading_of_joint(type: str) -> Reading:
    ends = "<parent link='a'/><child link='b'/>"
    return reading(
        f"<robot name='r'>{TWO_LINKS}<joint name='j' type='{type}'>{ends}</joint></robot>", "m/r.urdf"
    )


def test_mimic_dynamics_and_safety_are_not_dropped() -> None:
    ends = "<parent link='a'/><child link='{}'/>"
    follow = "<mimic joint='k' multiplier='-2' offset='0.5'/><dynamics damping='3' friction='4'/>"
    safety = "<safety_controller k_velocity='9'/>"
    robot = urdf(
        f"{TWO_LINKS}<link name='c'/>"
        f"<joint name='j' type='continuous'>{ends.format('b')}{follow}{safety}</joint>"
        f"<joint name='k' type='continuous'>{ends.format('c')}</joint>"
    )
    assert [(c.joint, c.leader, c.ratio, c.offset) for c in robot.couplings] == [("j", "k", -2.0, 0.5)]
    assert (robot.joints[0].dynamics.damping, robot.joints[0].dynamics.friction) == (3.0, 4.0)
    assert [(e.owner, e.node.items[0][0]) for e in robot.extras] == [("joints/j", "safety_controller")]


def test_mass_zero_is_a_warning_and_no_mass() -> None:
    zeros = "ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'"
    inertial = f"<inertial><mass value='0'/><inertia {zeros}/></inertial>"
    assert urdf(f"<link name='a'>{inertial}</link>", "mass-zero").links[0].inertial is None


def test_vectors_are_apart_by_spaces_or_commas_and_empty_ones_are_zero() -> None:
    assert joint("fixed", "<origin xyz='' rpy=''/>", "number-count").origin.xyz == (0.0, 0.0, 0.0)
    found = joint("fixed", "<origin xyz='0,0.5, 1'/>", "number-separator")
    assert found.origin.xyz == (0.0, 0.5, 1.0)


def test_shapes_beyond_the_reference() -> None:
    def geometry(text: str, *codes: str) -> object:
        return visual("", *codes, geometry=text).geometry

    assert geometry("<capsule radius='1' length='2'/>", "newer-version") == Capsule(radius=1.0, height=2.0)
    assert geometry("<plane normal='0 0 1'/>", "geometry-extension") == Plane()


def test_limits_of_joints_that_do_not_move_are_complete_too() -> None:
    joint("fixed", "<limit lower='0' upper='1'/>", "limit-incomplete")
    joint("fixed", "<limit velocity='1' effort='1'/>")


def test_negative_limits_are_none() -> None:
    limits = joint("continuous", "<limit velocity='-3' effort='4'/>", "limit-negative").limits
    assert (limits.velocity, limits.effort) == ((-INF, INF), (-4, 4))


def test_acceleration_limits_are_read_in_every_version() -> None:
    limit = "<limit velocity='3' effort='4' acceleration='{}'/>"
    ends = "<parent link='a'/><child link='b'/>"
    for head in ("", " version='1.0'", " version='1.2'"):
        text = (
            f"<robot name='r'{head}>{TWO_LINKS}<joint name='j' type='continuous'>"
            f"{ends}{limit.format(5)}</joint></robot>"
        )
        found = reading(text, "m/r.urdf").robot
        assert found is not None
        assert found.joints[0].limits.acceleration == (-5, 5)
        assert found.extras == () or {e.owner for e in found.extras} == {""}
    assert joint("continuous", limit.format(0), "newer-version").limits.acceleration == (0, 0)
    none = joint("continuous", limit.format(-5), "newer-version", "limit-negative").limits
    assert none.acceleration == (-INF, INF)
    assert joint("continuous", "<limit velocity='3' effort='4'/>").limits.acceleration == (-INF, INF)


def test_deceleration_defaults_to_acceleration_and_jerk_to_none() -> None:
    limit = "<limit velocity='3' effort='4' {}/>"
    cases = {
        "": (INF, INF, INF),
        "acceleration='5'": (5, 5, INF),
        "deceleration='6'": (INF, 6, INF),
        "acceleration='5' deceleration='6' jerk='7'": (5, 6, 7),
        "jerk='0'": (INF, INF, 0),
    }
    for words, expected in cases.items():
        limits = joint("continuous", limit.format(words), *(["newer-version"] if words else [])).limits
        found = (limits.acceleration, limits.deceleration, limits.jerk)
        assert found == tuple((-v, v) for v in expected)
    for word in ("deceleration", "jerk"):
        none = joint("continuous", limit.format(f"{word}='-5'"), "newer-version", "limit-negative").limits
        assert getattr(none, word) == (-INF, INF)


def test_an_inertial_without_inertia_has_none() -> None:
    text = "<link name='a'><inertial><origin xyz='1 0 0'/><mass value='2'/></inertial></link>"
    inertial = urdf(text, "missing", "inertia-zero").links[0].inertial
    assert inertial is not None
    assert (inertial.mass, inertial.com) == (2.0, (1.0, 0.0, 0.0))
    assert inertial.inertia == ((0.0, 0.0, 0.0),) * 3


def test_spherical_joints_are_balls() -> None:
    assert joint("spherical", "", "joint-type-extension").kind == "ball"


def test_one_geometry_counts() -> None:
    two = "<box size='1 2 3'/><sphere radius='1'/>"
    assert visual("", "geometry-count", geometry=two).geometry == Box(size=(1.0, 2.0, 3.0))


def test_constraints_are_loops() -> None:
    ends = "<parent link='a'/><child link='b'/>"
    tree = f"{TWO_LINKS}<joint name='j' type='continuous'>{ends}</joint>"
    held = "<parent_origin xyz='1 2 3'/><parent_axis xyz='0 0 1'/><child_axis xyz='0 0 1'/>"
    loop = urdf(f"{tree}<constraint name='c' type='hinge'>{ends}{held}</constraint>").loops[0]
    assert (loop.link_a, loop.link_b, loop.holds) == ("a", "b", HINGE)
    assert (loop.pose_a.xyz, loop.axis) == ((1.0, 2.0, 3.0), (0.0, 0.0, 1.0))
    universal = f"{tree}<constraint name='c' type='universal'>{ends}</constraint>"
    assert urdf(universal, "constraint-type").loops[0].holds == BALL


def test_unknown_sensors_keep_their_data() -> None:
    text = "<link name='a'/><sensor name='s' type='imu'><parent link='a'/><imu rate='7'/></sensor>"
    spec = urdf(text, "sensor-unknown", "kept-as-extra").devices[0].spec
    assert isinstance(spec, Opaque)
    assert spec.kind == "imu"
    inner = spec.data.get("imu")
    assert isinstance(inner, Node)
    assert inner.word("rate") == "7"


# --- Body -------------------------------------------------------------------------------


def body(links: str, *codes: str, version: str = "format_version: 2.0\n") -> Robot:
    return made(f"format: ChoreonoidBody\n{version}links:\n{links}", "m/test.body", *codes)


@pytest.mark.parametrize("type", ["revolute", "prismatic"])
def test_a_root_joint_of_another_type_is_taken_as_fixed(type: str) -> None:
    robot = body(f"  - {{ name: R, joint_type: {type}, joint_axis: X }}\n", "root-joint-type")
    assert robot.base == "fixed"
    assert [key for key, _, _ in robot.extras[0].node.items] == ["joint_type", "joint_axis"]
    assert body("  - { name: R }\n").base == "fixed"


def test_a_missing_version_is_a_warning() -> None:
    assert body("  - { name: R }\n", "version-missing", version="").links[0].name == "R"


SCALED = """\
  - name: R
    elements:
      - type: Transform
        scale: [2, 3, 4]
        translation: [0, 0, 1]
        elements:
          - { type: ForceSensor, name: F, translation: [1, 0, 0], rotation: [0, 0, 1, 90] }
          - { type: Shape, geometry: { type: Box } }
"""


def test_a_device_under_a_scale_keeps_its_place_and_turn_only() -> None:
    robot = body(SCALED, "device-scaled")
    assert robot.devices[0].pose.xyz == (2.0, 0.0, 1.0)
    assert math.hypot(*robot.devices[0].pose.quat) == pytest.approx(1.0)
    shape = robot.links[0].visuals[0]
    assert shape.geometry == Box(size=(1.0, 1.0, 1.0))
    assert shape.linear == ((2.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 4.0))


def test_a_letter_serves_as_axis_of_an_extra_joint() -> None:
    links = "  - { name: R }\n  - { name: A, parent: R }\n"
    loop = "extra_joints:\n  - { link1_name: R, link2_name: A, joint_type: hinge, axis: -Y }\n"
    assert body(links + loop).loops[0].axis == (0.0, -1.0, 0.0)


def test_mass_on_a_sub_body_node_is_ignored_and_told_of() -> None:
    head = "format: ChoreonoidBody\nformat_version: 2.0\nlinks:\n"
    inner = head + "  - { name: S, mass: 3, inertia: [1, 0, 0, 1, 0, 1] }\n"
    outer = head + "  - { name: R }\n  - { type: SubBody, uri: sub.body, parent: R, mass: 9 }\n"
    files = MemoryFiles({"m/r.body": outer.encode(), "m/sub.body": inner.encode()})
    found = read("m/r.body", files=files)
    assert found.robot is not None
    assert found.robot.mass == 4.0
    assert "sub-body-mass" in {f.code for f in found.findings}
