"""URDF: sections C.1 to C.6 of the facts page and its check values (G), one test per rule.

The rows of the tables F.1 and F.2 that speak of URDF are in ../test_decided.py.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.formats.urdf.cases import (
    ENDS,
    INERTIA,
    TWO_LINKS,
    errors,
    inertial,
    joint,
    link,
    reading,
    robot,
    sensor,
    visual,
    warnings,
)

from unibody.model.device import Camera, RangeSensor
from unibody.model.pose import IDENTITY
from unibody.model.shape import Box, Cylinder, Material, MeshFile, Sphere

INF = math.inf
LINK = "<link name='a'/>"

# --- C.1: the document --------------------------------------------------------------------


def test_c1_a_robot_without_name_is_called_like_its_file() -> None:
    assert robot(f"<robot>{LINK}</robot>", "name-missing").name == "test"
    assert robot(LINK).name == "r"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "links-missing"),
        ("<link/>", "missing"),
        (f"{LINK}{LINK}", "name-duplicate"),
        (TWO_LINKS, "roots-several"),
        (f"{TWO_LINKS}<joint type='fixed'>{ENDS}</joint>", "missing"),
        (f"{TWO_LINKS}<joint name='j'>{ENDS}</joint>", "missing"),
        (f"{TWO_LINKS}<joint name='j' type='fixed'><parent link='a'/></joint>", "missing"),
        (f"{TWO_LINKS}<joint name='j' type='fixed'><child link='b'/></joint>", "missing"),
        (
            f"{TWO_LINKS}<joint name='j' type='fixed'><parent link='z'/><child link='b'/></joint>",
            "parent-unknown",
        ),
        (
            f"{TWO_LINKS}<joint name='j' type='fixed'><parent link='a'/><child link='z'/></joint>",
            "child-unknown",
        ),
        (
            f"{TWO_LINKS}<joint name='j' type='fixed'>{ENDS}</joint>"
            "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>",
            "tree-cycle",
        ),
        (
            f"{TWO_LINKS}<joint name='j' type='fixed'>{ENDS}</joint>"
            f"<link name='c'/><joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>",
            "two-parents",
        ),
    ],
)
def test_c1_what_makes_no_robot(content: str, code: str) -> None:
    assert code in errors(content)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("<link name=''/>", "name-missing"),
        (f"{TWO_LINKS}<joint name='' type='fixed'>{ENDS}</joint>", "name-missing"),
        (f"{TWO_LINKS}<joint name='j' type='hinge'>{ENDS}</joint>", "not-a-choice"),
    ],
)
def test_c1_what_other_loaders_read(content: str, code: str) -> None:
    assert code in warnings(content)


def test_c1_a_joint_of_unknown_type_is_fixed() -> None:
    assert joint("hinge", "", "not-a-choice").kind == "fixed"


def test_c1_unknown_elements_are_kept() -> None:
    made = robot(
        f"{LINK}<transmission name='t'/><gazebo/><ros2_control name='c'/><plugin/>",
        "kept-as-extra",
        "transmission-coupled",
    )
    (extra,) = made.extras
    assert [key for key, _, _ in extra.node.items] == ["transmission", "gazebo", "ros2_control", "plugin"]


def test_c1_links_and_joints_keep_the_order_of_the_file() -> None:
    text = f"<joint name='j' type='fixed'>{ENDS}</joint><link name='b'/><link name='a'/>"
    made = robot(text)
    assert [x.name for x in made.links] == ["b", "a"]
    assert made.root == "a"


def test_c1_a_world_link_is_a_link() -> None:
    text = "<link name='world'/><link name='b'/><joint name='j' type='fixed'>"
    made = robot(f"{text}<parent link='world'/><child link='b'/></joint>", "base-world")
    assert (made.root, made.base) == ("world", "fixed")


# --- C.2: links ---------------------------------------------------------------------------


def test_c2_inertial() -> None:
    found = inertial(f"<origin xyz='1 2 3'/><mass value='4'/>{INERTIA}")
    assert found is not None
    assert (found.mass, found.com) == (4.0, (1.0, 2.0, 3.0))
    assert found.inertia == ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))


def test_c2_products_of_inertia_are_on_both_sides() -> None:
    text = "<inertia ixx='4' ixy='0.1' ixz='0.2' iyy='5' iyz='0.3' izz='6'/>"
    found = inertial(f"<mass value='1'/>{text}")
    assert found is not None
    assert found.inertia == ((4.0, 0.1, 0.2), (0.1, 5.0, 0.3), (0.2, 0.3, 6.0))


def test_c2_all_of_mass_and_inertia_is_required() -> None:
    """Without a mass the link is massless, without a moment it has no inertia; a product is zero."""
    assert inertial(INERTIA, "missing") is None
    text = INERTIA.replace("iyz='0'", "")
    found = inertial(f"<mass value='1'/>{text}", "missing")
    assert found is not None
    assert found.inertia == ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))
    text = INERTIA.replace("ixx='1'", "")
    assert text != INERTIA
    found = inertial(f"<mass value='1'/>{text}", "missing", "inertia-zero")
    assert found is not None
    assert (found.mass, found.inertia) == (1.0, ((0.0,) * 3,) * 3)


def test_c2_rpy_turns_about_fixed_axes() -> None:
    pose = joint("fixed", "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>").origin
    (a, b, c), (ca, cb, cc) = np.sin([0.1, 0.2, 0.3]), np.cos([0.1, 0.2, 0.3])
    x = np.array([[1, 0, 0], [0, ca, -a], [0, a, ca]])
    y = np.array([[cb, 0, b], [0, 1, 0], [-b, 0, cb]])
    z = np.array([[cc, -c, 0], [c, cc, 0], [0, 0, 1]])
    assert np.allclose(pose.rotation(), z @ y @ x, atol=1e-15)
    assert pose.xyz == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("xyz", "code", "read"),
    [
        ("1 2", "number-count", (0.0, 0.0, 0.0)),
        ("1 2 3 4", "number-count", (1.0, 2.0, 3.0)),
        ("1 2 x", "wrong-value", (1.0, 2.0, 0.0)),
        ("1 2 3m", "wrong-value", (1.0, 2.0, 3.0)),
        ("1,2, 3", "number-separator", (1.0, 2.0, 3.0)),
        ("0,1 0,2 0,3", "wrong-value", (0.0, 0.0, 0.0)),
        ("x y", "number-count", (0.0, 0.0, 0.0)),
        ("0x2 1 1", "wrong-value", (2.0, 1.0, 1.0)),
    ],
)
def test_c2_other_vectors_are_read_as_in_pybullet(
    xyz: str, code: str, read: tuple[float, float, float]
) -> None:
    assert joint("fixed", f"<origin xyz='{xyz}'/>", code).origin.xyz == read


def test_c2_shapes() -> None:
    shapes = {
        "<box size='1 2 3'/>": Box(size=(1.0, 2.0, 3.0)),
        "<sphere radius='2'/>": Sphere(radius=2.0),
        "<cylinder radius='1' length='4'/>": Cylinder(radius=1.0, height=4.0),
        "<mesh filename='a.stl' scale='1 -2 3'/>": MeshFile(uri="a.stl", scale=(1.0, -2.0, 3.0)),
        "<mesh filename='a.stl'/>": MeshFile(uri="a.stl"),
    }
    for text, wanted in shapes.items():
        found = visual(f"<geometry>{text}</geometry>")
        assert (found.geometry, found.pose) == (wanted, IDENTITY)
    for text in ("<box/>", "<sphere/>", "<cylinder radius='1'/>", "<cylinder length='1'/>"):
        assert link(f"<visual><geometry>{text}</geometry></visual>", "missing").links[0].visuals == ()


def test_c2_sizes_that_no_body_has_are_told_of() -> None:
    assert visual("<geometry><sphere radius='0'/></geometry>", "size-not-positive").geometry == Sphere(
        radius=0.0
    )
    visual("<geometry><box size='1 -1 1'/></geometry>", "size-not-positive")


def test_c2_a_mesh_that_is_missing_is_a_warning() -> None:
    found = visual("<geometry><mesh filename='gone.stl'/></geometry>", "file-missing")
    assert found.geometry == MeshFile(uri="gone.stl")


def test_c2_visual_and_collision_are_sets_of_their_own() -> None:
    box = "<geometry><box size='1 1 1'/></geometry>"
    made = link(f"<visual name='v'>{box}</visual><visual><origin xyz='1 0 0'/>{box}</visual>").links[0]
    assert [(s.name, s.pose.xyz) for s in made.visuals] == [("v", (0.0, 0.0, 0.0)), ("", (1.0, 0.0, 0.0))]
    assert made.collisions == ()
    made = link(f"<collision name='c'>{box}</collision>").links[0]
    assert (made.visuals, [s.name for s in made.collisions]) == ((), ["c"])


def test_c2_a_visual_without_geometry_is_left_out() -> None:
    assert link("<visual/>", "missing").links[0].visuals == ()
    assert link("<visual><geometry/></visual>", "geometry-count").links[0].visuals == ()


# --- C.3: materials -----------------------------------------------------------------------

SPHERE = "<geometry><sphere radius='1'/></geometry>"
RED = "<material name='m'><color rgba='1 0 0 0.25'/></material>"
BLUE = "<material name='m'><color rgba='0 0 1 1'/></material>"
USE = f"<link name='a'><visual>{SPHERE}<material name='m'/></visual></link>"


def test_c3_a_material_serves_all_uses_of_its_name() -> None:
    wanted = Material(name="m", diffuse=(1.0, 0.0, 0.0), transparency=0.75)
    inside = (
        f"<link name='b'><visual>{SPHERE}{RED}</visual></link><joint name='j' type='fixed'>{ENDS}</joint>"
    )
    for text in (f"{RED}{USE}", f"{USE}{RED}", f"{USE}{inside}"):
        assert robot(text).links[0].visuals[0].material == wanted


def test_c3_of_several_definitions_the_first_counts() -> None:
    found = robot(f"{RED}{USE}{BLUE}", "material-redefined").links[0].visuals[0].material
    assert found is not None
    assert found.diffuse == (1.0, 0.0, 0.0)
    assert robot(f"{RED}{USE}{RED}").links[0].visuals[0].material is not None


def test_c3_a_definition_inside_a_visual_is_that_visual_s_own() -> None:
    text = f"{RED}<link name='a'><visual>{SPHERE}{BLUE}</visual></link>"
    found = robot(text, "material-redefined").links[0].visuals[0].material
    assert found is not None
    assert found.diffuse == (0.0, 0.0, 1.0)


def test_c3_materials_that_say_nothing() -> None:
    assert (
        link(f"<visual>{SPHERE}<material/></visual>", "material-unnamed").links[0].visuals[0].material
        is None
    )
    robot(f"{LINK}<material name='m'/>", "material-empty")
    robot(f"{LINK}<material><color rgba='1 1 1 1'/></material>", "name-missing")


# --- C.4: paths -----------------------------------------------------------------------------


def test_c4_packages_around_the_file() -> None:
    mesh = "<link name='a'><visual><geometry><mesh filename='{}'/></geometry></visual></link>"
    files = {
        "m/package.xml": "<package><name>arm</name></package>",
        "m/meshes/x.stl": "",
        "hand/package.xml": "<package><name>hand</name></package>",
        "hand/y.stl": "",
    }
    paths = {
        "package://arm/meshes/x.stl": "m/meshes/x.stl",
        "package://hand/y.stl": "hand/y.stl",
        "meshes/x.stl": "m/meshes/x.stl",
    }
    for uri, path in paths.items():
        geometry = robot(mesh.format(uri), files=files).links[0].visuals[0].geometry
        assert isinstance(geometry, MeshFile)
        assert geometry.uri == uri
        assert geometry.path.endswith(path)


def test_c4_other_schemes_are_not_opened() -> None:
    visual("<geometry><mesh filename='http://x/a.stl'/></geometry>", "uri-not-opened")


# --- C.5: joints ------------------------------------------------------------------------------

LIMIT = "<limit lower='-1' upper='2' velocity='3' effort='4'/>"


def test_c5_kinds_of_joints() -> None:
    assert joint("revolute", LIMIT).kind == "revolute"
    assert joint("prismatic", LIMIT).kind == "prismatic"
    assert joint("fixed").kind == "fixed"
    continuous = joint("continuous", LIMIT, "limit-ignored")
    assert (continuous.kind, continuous.limits.position) == ("revolute", (-INF, INF))


def test_c5_names_and_numbers() -> None:
    found = joint("continuous")
    assert (found.name, found.parent, found.child, found.number) == ("j", "a", "b", None)


def test_c5_limits() -> None:
    limits = joint("revolute", LIMIT).limits
    assert (limits.position, limits.velocity, limits.effort) == ((-1.0, 2.0), (-3.0, 3.0), (-4.0, 4.0))
    assert joint("revolute", "<limit upper='2' velocity='3' effort='4'/>").limits.position == (0.0, 2.0)
    assert joint("fixed", LIMIT).limits.position == (-INF, INF)


def test_c5_an_axis_needs_xyz() -> None:
    assert joint("continuous", "<axis/>", "missing").axis == (1.0, 0.0, 0.0)
    assert joint("continuous", "<axis xyz='0 0 0'/>", "axis-zero").kind == "fixed"
    text = f"{TWO_LINKS}<joint name='j' type='continuous'>{ENDS}<axis xyz='z'/></joint>"
    assert errors(text) == {"wrong-value"}


def test_c5_followers() -> None:
    text = f"{TWO_LINKS}<joint name='j' type='continuous'>{ENDS}{{}}</joint>"
    assert warnings(text.format("<mimic joint='j'/>")) == {"mimic-self"}
    assert warnings(text.format("<mimic joint='z'/>")) == {"mimic-unknown"}
    assert warnings(text.format("<mimic/>")) == {"missing"}


# --- C.6: sensors -------------------------------------------------------------------------------

IMAGE = "<image width='64' height='64' hfov='1.5' near='0.1' far='9'{}/>"


def test_c6_cameras() -> None:
    found = sensor(f"<origin xyz='1 2 3'/><camera>{IMAGE.format('')}</camera>")
    spec = found.spec
    assert isinstance(spec, Camera)
    assert (spec.image, spec.width, spec.height, spec.frame_rate) == ("color", 64, 64, 20.0)
    assert (spec.field_of_view, spec.near, spec.far) == (1.5, 0.1, 9.0)
    assert (found.name, found.link, found.pose.xyz) == ("s", "a", (1.0, 2.0, 3.0))
    # it looks along the sensor's Z, with Y down
    turn = np.array(found.pose.rotation())
    assert np.allclose(turn @ (0, 0, -1), (0, 0, 1))
    assert np.allclose(turn @ (0, 1, 0), (0, -1, 0))


def test_c6_depth_cameras() -> None:
    for word in ("mono8", "mono16"):
        spec = sensor(f"<camera>{IMAGE.format(f' depth_format={chr(34)}{word}{chr(34)}')}</camera>").spec
        assert isinstance(spec, Camera)
        assert (spec.image, spec.min_distance, spec.max_distance) == ("color_depth", 0.1, 9.0)


def test_c6_an_image_needs_its_sizes() -> None:
    head, tail = "<link name='a'/><sensor name='s'><parent link='a'/><camera>", "</camera></sensor>"
    assert warnings(f"{head}<image width='64' height='64' hfov='1'/>{tail}") == {"missing"}
    for wrong in (("64", "0"), ("1.5", "4"), ("0.1", "-0.1"), ("9", "0")):
        assert warnings(f"{head}{IMAGE.format('').replace(*wrong)}{tail}") == {"camera-image"}


def test_c6_scans() -> None:
    text = "<horizontal samples='4' min_angle='-0.5' max_angle='1'/>"
    found = sensor(f"<ray>{text}<vertical samples='3' min_angle='-0.25' max_angle='0.25'/></ray>")
    spec = found.spec
    assert isinstance(spec, RangeSensor)
    assert (spec.min_yaw, spec.max_yaw, spec.yaw_step) == (-0.5, 1.0, 0.5)
    assert (spec.min_pitch, spec.max_pitch, spec.pitch_step) == (-0.25, 0.25, 0.25)
    assert spec.scan_rate == 20.0
    # it faces the sensor's X, with Z up
    turn = np.array(found.pose.rotation())
    assert np.allclose(turn @ (0, 0, -1), (1, 0, 0))
    assert np.allclose(turn @ (0, 1, 0), (0, 0, 1))


def test_c6_defaults() -> None:
    text = "<link name='a'/><sensor name='s'><parent link='a'/><ray/></sensor>"
    spec = robot(text).devices[0].spec
    assert spec == RangeSensor(scan_rate=1.0)


def test_c6_a_sensor_needs_a_link() -> None:
    text = "<link name='a'/><sensor name='s'>{}<ray/></sensor>"
    assert warnings(text.format("<parent link='z'/>")) == {"link-unknown"}
    assert warnings(text.format("")) == {"missing"}
    made = robot(text.format(""), "missing")
    assert (made.devices, [key for key, _, _ in made.extras[0].node.items]) == ((), ["sensor"])


# --- G: check values ------------------------------------------------------------------------------


def test_g_inertial_rpy() -> None:
    found = inertial(f"<origin rpy='0 0 1.5707963267948966'/><mass value='1'/>{INERTIA}")
    assert found is not None
    assert np.allclose(found.inertia, np.diag([2, 1, 3]), atol=1e-12)


def test_g_cylinder() -> None:
    found = visual("<geometry><cylinder radius='1' length='4'/></geometry>")
    assert (found.geometry, found.pose) == (Cylinder(radius=1.0, height=4.0), IDENTITY)


def test_findings_name_the_attribute() -> None:
    text = "<robot name='r'>\n<link name='a'>\n<inertial><mass value='heavy'/></inertial></link></robot>"
    found = [str(f.at) for f in reading(text).findings if f.code == "wrong-value"]
    assert found == ["m/test.urdf:3:24"]
