"""Where the Body reference and Choreonoid's loader differ: one test per row of the facts page's tables F.1
and F.2."""

from __future__ import annotations

import math

from tests.formats.body.cases import (
    HEAD,
    TETRAHEDRON,
    body,
    close,
    device,
    element,
    error,
    geometry,
    inertial,
    joint,
    linked,
    matrix,
    reading,
    robot,
    shape,
    shapes,
)

from unibody.model.device import Camera, Imu, Opaque, RangeSensor
from unibody.model.robot import BALL, FIXED, HINGE, PISTON
from unibody.model.shape import Mesh, MeshFile

INF = math.inf
DEGREE = math.pi / 180.0

# --- F.1: against the reference ---------------------------------------------------------


def test_f1_01_max_joint_velocity_wins_over_joint_velocity_range() -> None:
    keys = "joint_type: prismatic\nmax_joint_velocity: 5\njoint_velocity_range: [-1, 2]"
    assert joint(keys, "reference-differs").limits.velocity == (-5.0, 5.0)
    keys = "joint_type: prismatic\njoint_velocity_range: [-1, 2]"
    assert joint(keys).limits.velocity == (-1.0, 2.0)


def test_f1_02_joint_displacement_is_in_the_angle_unit_of_a_turning_joint_only() -> None:
    assert joint("joint_type: revolute\njoint_displacement: 30", "reference-differs").initial == 30 * DEGREE
    assert joint("joint_type: prismatic\njoint_displacement: 0.5").initial == 0.5
    radians = "format: ChoreonoidBody\nformat_version: 1.0\nangle_unit: radian\n"
    assert joint("joint_type: revolute\njoint_displacement: 0.5", head=radians).initial == 0.5


def test_f1_02_joint_angle_is_an_angle_even_for_a_sliding_joint() -> None:
    assert joint("joint_type: revolute\njoint_angle: 30").initial == 30 * DEGREE
    assert joint("joint_type: prismatic\njoint_angle: 30").initial == 30 * DEGREE
    both = "joint_type: prismatic\njoint_angle: 30\njoint_displacement: 0.25"
    assert joint(both).initial == 0.25


def test_f1_03_imu_is_read_under_both_names() -> None:
    documented = device("type: Imu, name: I, max_acceleration: [1, 2, 3]", "reference-differs")
    real = device("type: IMU, name: I, max_acceleration: [1, 2, 3]")
    assert isinstance(real.spec, Imu)
    assert documented.spec == real.spec


LOOP = """
extra_joints:
  - link1_name: R
    link2_name: A
    joint_type: {type}
    {keys}
"""


def loop(keys: str, *codes: str, type: str = "ball") -> object:
    text = linked("translation: [0, 0, 1]") + LOOP.format(type=type, keys=keys)
    return robot(text, *codes).loops[0]


def test_f1_04_local_pos_is_read_in_every_spelling() -> None:
    wanted = loop("translation_in_link1: [1, 2, 3]\n    translation_in_link2: [4, 5, 6]")
    camel = loop("link1LocalPos: [1, 2, 3]\n    link2LocalPos: [4, 5, 6]")
    documented = loop("link1_local_pos: [1, 2, 3]\n    link2_local_pos: [4, 5, 6]", "reference-differs")
    assert wanted == camel == documented
    assert wanted.pose_a.xyz == (1.0, 2.0, 3.0)  # type: ignore[attr-defined]
    assert wanted.pose_b.xyz == (4.0, 5.0, 6.0)  # type: ignore[attr-defined]


def test_f1_05_extra_joint_types_and_turns() -> None:
    for word, holds in {"ball": BALL, "hinge": HINGE, "piston": PISTON, "fixed": FIXED}.items():
        assert loop("name: L", type=word).holds == holds  # type: ignore[attr-defined]
    turned = loop("rotation_in_link1: [0, 0, 1, 90]\n    rotation_in_link2: [1, 0, 0, 90]", type="fixed")
    assert close(matrix(turned.pose_a)[:3, 0], (0, 1, 0))  # type: ignore[attr-defined]
    assert close(matrix(turned.pose_b)[:3, 1], (0, 0, 1))  # type: ignore[attr-defined]


IMPORT = "common: &C\n  joint_type: prismatic\n  joint_axis: X\n  mass: 3\n  translation: [9, 9, 9]\n"


def test_f1_06_import_reads_the_node_in_place() -> None:
    made = robot(
        linked("translation: [0, 0, 1]\nimport: *C", HEAD + IMPORT), "import-in-place", "kept-as-extra"
    )
    (found,) = made.joints
    assert (found.kind, found.axis) == ("prismatic", (1.0, 0.0, 0.0))
    assert made.links[1].inertial is not None
    assert made.links[1].inertial.mass == 3.0
    # what the link says itself counts
    assert found.origin.xyz == (0.0, 0.0, 1.0)


def test_f1_06_import_of_several_nodes_earlier_ones_win() -> None:
    head = HEAD + IMPORT + "other: &D { mass: 7, joint_id: 4 }\n"
    made = robot(linked("import: [*C, *D]", head), "import-in-place", "kept-as-extra", "joint-id-gap")
    assert made.links[1].inertial is not None
    assert made.links[1].inertial.mass == 3.0
    assert made.joints[0].number == 4


def test_f1_07_transparency_zero_is_opaque() -> None:
    keys = "geometry: { type: Box }\nappearance: { material: { transparency: 0.25 } }"
    material = shape(keys, "reference-differs").material
    assert material is not None
    assert material.transparency == 0.25
    keys = keys.replace("0.25", "0")
    bare = shape(keys, "reference-differs").material
    assert bare is not None
    assert bare.transparency == 0.0


def test_f1_08_joint_types() -> None:
    kinds = {
        "fixed": "fixed",
        "free": "free",
        "revolute": "revolute",
        "prismatic": "prismatic",
        "slide": "prismatic",
        "pseudo_continuous_track": "track",
        "pseudoContinuousTrack": "track",
    }
    for word, kind in kinds.items():
        assert joint(f"joint_type: {word}").kind == kind
    assert error(linked("joint_type: Revolute")) == "not-a-choice"


def test_f1_09_a_link_without_mass_data_weighs_one_kilogram() -> None:
    found = inertial("joint_type: fixed", "mass-missing")
    assert (found.mass, found.com) == (1.0, (0.0, 0.0, 0.0))
    assert found.inertia == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def test_f1_10_an_axis_of_another_length_is_normalized_and_told_of() -> None:
    assert joint("joint_type: revolute\njoint_axis: [0, 3, 4]", "axis-not-unit").axis == (0.0, 0.6, 0.8)
    assert joint("joint_type: revolute\njoint_axis: [0, 0.6, 0.8]").axis == (0.0, 0.6, 0.8)
    for kind in ("revolute", "fixed", "free"):
        assert joint(f"joint_type: {kind}\njoint_axis: [0, 0, 0]", "axis-zero").axis == (0.0, 0.0, 1.0)


EXTRUSION = "type: Extrusion, cross_section: [0, 0, 1, 0, 0, 2], spine: [0, 0, 0, 0, 1, 0, 0, 3, 0]"


def test_f1_11_begin_cap_in_both_spellings() -> None:
    assert geometry(EXTRUSION).begin_cap is True
    assert geometry(f"{EXTRUSION}, begin_cap: false").begin_cap is False
    assert geometry(f"{EXTRUSION}, beginCap: false").begin_cap is False
    assert geometry(f"{EXTRUSION}, end_cap: false").end_cap is False


def test_f1_12_short_lists_are_filled_and_long_ones_cut() -> None:
    """What a short scale does not give is 0, a short orientation no turn; one entry serves all."""
    assert geometry(f"{EXTRUSION}, scale: [2, 3]").scale == (2.0, 3.0)
    assert geometry(f"{EXTRUSION}, scale: [2, 3, 4, 5]").scale == (2.0, 3.0, 4.0, 5.0, 0.0, 0.0)
    long = geometry(f"{EXTRUSION}, scale: [1, 2, 3, 4, 5, 6, 7, 8]").scale
    assert long == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    turns = geometry(f"{EXTRUSION}, orientation: [0, 1, 0, 90, 1, 0, 0, 45]").orientation
    assert close(turns, [0, 1, 0, 90 * DEGREE, 1, 0, 0, 45 * DEGREE, 0, 0, 1, 0])
    assert close(geometry(f"{EXTRUSION}, orientation: [0, 1, 0, 90]").orientation, [0, 1, 0, 90 * DEGREE])


TEXTURED = "geometry: {{ type: Box }}\nappearance: {{ texture: {{ {keys} }} }}"


def test_f1_13_texture_keys() -> None:
    for key in ("uri", "url"):
        material = shape(TEXTURED.format(keys=f"{key}: a.png"), "file-missing").material
        assert material is not None
        assert material.texture is not None
        assert (material.texture.uri, material.texture.repeat_s) == ("a.png", True)
    repeats = {
        "repeat_s: false": (False, True),
        "repeatT: false": (True, False),
        "repeat: false": (False, False),
        "repeat: [true, false]": (True, False),
        "repeat: [false, true], repeat_s: true": (False, True),
    }
    for keys, wanted in repeats.items():
        material = shape(TEXTURED.format(keys=f"uri: a.png, {keys}"), "file-missing").material
        assert material is not None
        assert material.texture is not None
        assert (material.texture.repeat_s, material.texture.repeat_t) == wanted


def test_f1_14_specular_exponent_wins_over_shininess() -> None:
    keys = "geometry: {{ type: Box }}\nappearance: {{ material: {{ {} }} }}"
    exponents = {
        "ambient: 1": 25.0,
        "shininess: 0.5": 64.5,
        "shininess: 7": 128.0,
        "shininess: -7": 1.0,
        "shininess: 0.5, specular_exponent: 30": 30.0,
    }
    for text, wanted in exponents.items():
        material = shape(keys.format(text)).material
        assert material is not None
        assert material.specular_exponent == wanted


def test_f1_15_ambient_is_one_when_absent() -> None:
    material = shape("geometry: { type: Box }\nappearance: { material: { diffuse: [0, 1, 0] } }").material
    assert material is not None
    assert material.ambient == 1.0


def test_f1_16_resource_keys() -> None:
    keys = "metadata: { length_unit: inch, upper_axis: Y }, translation: [1, 2, 3], scale: [2, 3, 4]"
    for word in ("node", "fragment"):
        text = f"- {{ type: Resource, uri: a.obj, {word}: PART, {keys} }}"
        (found,) = shapes(text, "file-missing")
        wanted = MeshFile(
            uri="a.obj", fragment="PART", scale=(2.0, 3.0, 4.0), unit=0.0254, up_axis="choreonoid-Y"
        )
        assert found.geometry == wanted
        assert found.pose.xyz == (1.0, 2.0, 3.0)


def test_a09_a_mesh_file_as_geometry_is_without_its_materials() -> None:
    blue = "appearance: { material: { diffuse: [0, 0, 1] } }"
    for uri, unused in (("a.obj", True), ("a.STL", False)):
        text = f"- {{ type: Shape, geometry: {{ type: Resource, uri: {uri} }}, {blue} }}"
        (found,) = shapes(text, "file-missing")
        assert found.geometry == MeshFile(uri=uri, geometry_only=unused)


def test_f1_17_a_group_has_no_pose_and_a_shape_has_one() -> None:
    text = "- type: Group\n  translation: [9, 9, 9]\n  elements:\n"
    text += "    - { type: Shape, translation: [1, 2, 3], geometry: { type: Box } }"
    (found,) = shapes(text, "not-kept")
    assert found.pose.xyz == (1.0, 2.0, 3.0)


def test_f1_18_a_camera_without_format_is_kept_as_data() -> None:
    found = device("type: Camera, name: C, width: 320", "camera-format")
    assert isinstance(found.spec, Opaque)
    assert found.spec.kind == "Camera"
    assert found.spec.data.word("width") == "320"


def test_f1_19_the_step_of_a_scan_is_one_radian_in_yaw_and_zero_in_pitch_when_absent() -> None:
    spec = device("type: RangeSensor, name: S").spec
    assert isinstance(spec, RangeSensor)
    assert (spec.yaw_step, spec.pitch_step) == (1.0, 0.0)
    assert close((spec.min_yaw, spec.max_yaw), (-60 * DEGREE, 60 * DEGREE))
    assert (spec.min_pitch, spec.max_pitch) == (0.0, 0.0)


def test_f1_20_the_first_link_is_the_root_unless_root_link_says_another() -> None:
    links = "- { name: A }\n- { name: B, parent: A }"
    assert robot(body(links)).root == "A"
    links = "- { name: A, parent: B }\n- { name: B }"
    assert robot(body(links, HEAD + "root_link: B\n")).root == "B"
    assert robot(body(links, HEAD + "rootLink: B\n")).root == "B"
    assert error(body("- { name: A }\n- { name: B }")) == "parent-missing"
    assert error(body("- { name: A }", HEAD + "root_link: B\n")) == "root-unknown"


def test_f1_21_joint_ids_may_have_gaps() -> None:
    assert joint("joint_type: revolute\njoint_id: 2", "joint-id-gap").number == 2
    assert joint("joint_type: revolute").number == -1


def test_f1_22_what_the_reference_does_not_mention() -> None:
    """SubBody, ContinuousTrack, Visual and Collision, TriangleMesh, geometry Resource, LineSet, scene
    lights, is_optional, model_file: each has tests of its own in the other rule files."""
    text = (
        "- { type: Visual, shape: { geometry: { type: TriangleMesh, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0],"
    )
    text += " faces: [0, 1, 2] } } }\n"
    text += "- { type: LineSet, vertices: [0, 0, 0, 1, 1, 1], lines: [0, 1] }\n"
    text += "- { type: DirectionalLight, name: SUN, direction: [0, 1, 0] }\n"
    text += "- { type: Frobnicator, name: F, is_optional: true }"
    made = robot(element(text), "type-unknown")
    assert [type(s.geometry).__name__ for s in made.links[0].visuals] == ["Mesh", "LineSet"]
    assert made.links[0].collisions == ()
    assert [type(d.spec).__name__ for d in made.devices] == ["DirectionalLight", "Opaque"]


def test_f1_23_standard_pose_of_a_sliding_joint_is_converted_like_an_angle() -> None:
    text = linked("joint_type: prismatic\njoint_id: 0") + "standard_pose: [90]\n"
    (found,) = robot(text, "reference-differs").configurations
    assert found.positions == (("A", math.pi / 2),)


# --- F.2: traps -------------------------------------------------------------------------


def test_f2_01_empty_elements_are_none() -> None:
    assert robot(body("- name: R\n  elements:"), "empty-elements").links[0].visuals == ()
    assert error(body("- name: R\n  elements: Box")) == "wrong-value"


def test_f2_02_an_optional_number_that_cannot_be_read_is_zero() -> None:
    spec = device("type: Camera, name: C, format: COLOR, width: abc", "odd-value").spec
    assert isinstance(spec, Camera)
    assert spec.width == 0


def test_f2_03_mapping_forms_keep_the_order_of_the_file() -> None:
    text = "Shape: { geometry: { type: Box } }\nForceSensor: { name: F }\nAccelerationSensor: { name: A }"
    assert [d.name for d in robot(element(text)).devices] == ["F", "A"]


def test_f2_04_an_anchor_defined_twice_is_an_error() -> None:
    head = HEAD + "a: &X 1\nb: &X 2\n"
    assert error(body("- name: R", head)) == "anchor-duplicate"


def test_f2_05_a_last_face_without_minus_one_is_kept() -> None:
    keys = f"type: IndexedFaceSet, {TETRAHEDRON}, faces: [0, 1, 2, -1, 0, 2, 3]"
    made = geometry(keys, "last-face-open")
    assert isinstance(made, Mesh)
    assert made.faces == (0, 1, 2, -1, 0, 2, 3, -1)


def test_f2_06_a_cycle_of_parents_is_an_error() -> None:
    links = "- { name: R }\n- { name: A, parent: B }\n- { name: B, parent: A }"
    assert error(body(links)) == "tree-cycle"
    assert error(body("- { name: R }\n- { name: A, parent: A }")) == "tree-cycle"


SUB = body(
    """
- name: BASE
  joint_type: revolute
  joint_range: [-10, 10]
  joint_velocity_range: [-1, 2]
  max_joint_effort: 7
  rotor_inertia: 0.5
"""
)


def test_f2_07_a_sub_body_resets_the_limits_of_its_root() -> None:
    main = body("- name: R\n- { type: SubBody, uri: sub.body, parent: R }")
    (found,) = robot(main, files={"m/sub.body": SUB}).joints
    assert found.kind == "revolute"
    assert found.limits.position == (-INF, INF)
    assert found.limits.velocity == (-INF, INF)
    assert found.limits.effort == (-7.0, 7.0)
    assert found.actuator.reflected_inertia == 0.0


def test_f2_11_shapes_of_a_device_are_shapes_of_the_link_once() -> None:
    text = "- type: ForceSensor\n  name: F\n  translation: [0, 0, 1]\n"
    text += "  elements: { type: Shape, translation: [0, 1, 0], geometry: { type: Box } }"
    link = robot(element(text)).links[0]
    assert [s.pose.xyz for s in link.visuals] == [(0.0, 1.0, 1.0)]
    assert link.visuals == link.collisions


def test_f2_15_lists_that_do_not_fit_are_errors_not_crashes() -> None:
    bad = {
        "type: ElevationGrid, x_dimension: 2, z_dimension: 2, height: [1, 2, 3]": "grid-size",
        "type: Extrusion, cross_section: [0, 0], spine: [0, 0, 0, 0, 1, 0]": "extrusion-short",
        "type: Extrusion": "extrusion-short",
        "type: IndexedFaceSet": "mesh-empty",
        "type: IndexedFaceSet, vertices: [0, 0, 0], faces: [0, 1, 2, -1]": "index-out-of-range",
        "type: TriangleMesh, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0]": "mesh-empty",
    }
    for keys, code in bad.items():
        assert error(element(f"- {{ type: Shape, geometry: {{ {keys} }} }}")) == code


def test_f2_16_one_sided_limits_and_all_digits_are_kept() -> None:
    found = joint("joint_type: prismatic\njoint_range: [-0.1234567890123, unlimited]")
    assert found.limits.position == (-0.1234567890123, INF)


def test_f2_17_the_suffix_may_be_in_capitals() -> None:
    assert reading(body("- name: R"), name="m/TEST.BODY").ok


def test_f2_19_num_signal_lines_is_kept_in_either_spelling() -> None:
    for key in ("numSignalLines", "num_signal_lines"):
        found = device(f"type: DigitalIO, name: IO, {key}: 10", "kept-as-extra")
        assert isinstance(found.spec, Opaque)
        assert found.spec.data.word(key) == "10"
