"""Body files up to their links: sections A.1 to A.4 of the facts page, one test per rule."""

from __future__ import annotations

import math

import pytest
from tests.formats.body.cases import (
    HEAD,
    TRIANGLE,
    body,
    close,
    device,
    element,
    error,
    errors,
    geometry,
    inertial,
    joint,
    linked,
    matrix,
    reading,
    robot,
    shape,
)

from unibody.model.device import Camera, RangeSensor, SpotLight
from unibody.model.pose import Pose

INF = math.inf
DEGREE = math.pi / 180.0
RADIAN = "format: ChoreonoidBody\nformat_version: 1.0\nangle_unit: radian\n"
ANY = "kept-as-extra"

# --- A.1: YAML and scalars --------------------------------------------------------------


def test_a01_only_the_first_document_is_read() -> None:
    assert robot(body("- name: R") + "---\nother: 1\n", "yaml-second-document").root == "R"


def test_a01_an_empty_file_is_an_error() -> None:
    assert error("") == "empty"
    assert error("# nothing\n") == "empty"


@pytest.mark.parametrize("name", ["Y", "NO", "on", "1_000", "null", "1e5", "0x10", "true"])
def test_a01_scalars_stay_text(name: str) -> None:
    assert robot(body(f"- name: {name}\n- {{ name: B, parent: {name} }}")).joints[0].parent == name


def test_a01_a_key_given_twice_counts_the_last_time() -> None:
    assert robot(body("- name: R\n  name: S"), "key-twice").root == "S"


def test_a01_merge_keys_never_replace() -> None:
    head = (
        HEAD + "a: &A { mass: 2, joint_type: free }\nb: &B { mass: 3, joint_id: 7, joint_type: revolute }\n"
    )
    made = robot(
        body("- name: R\n- name: A\n  parent: R\n  <<: [*A, *B]\n  mass: 5", head), ANY, "joint-id-gap"
    )
    link = made.links[1]
    assert link.inertial is not None
    assert link.inertial.mass == 5.0
    assert (made.joints[0].kind, made.joints[0].number) == ("free", 7)
    assert error(body("- name: R\n  <<: 5")) == "merge-not-mapping"


def test_a01_an_alias_without_anchor_is_an_error() -> None:
    text = body("- name: R\n  elements: *NOWHERE")
    assert error(text) == "alias-undefined"
    assert [f.hint for f in reading(text).findings] == ["define it with &NOWHERE"]
    (near,) = reading(body("- name: &NOWHER R\n  elements: *NOWHERE")).findings
    assert near.hint == "did you mean '*NOWHER'?"


def test_a01_a_whole_link_by_alias_is_a_second_link_of_that_name() -> None:
    """Choreonoid finds the keys of the first one gone; it refuses the file as well."""
    links = "- name: R\n- &A { name: A, parent: R }\n- *A"
    assert "name-duplicate" in errors(body(links))


def test_a01_tabs_in_flow_lists() -> None:
    assert robot(body("- name: R\n  translation: [1,\t2,\n\t3]")).pose.xyz == (1.0, 2.0, 3.0)


def test_a01_a_number_with_a_suffix_is_read_up_to_it() -> None:
    assert inertial("mass: 3kg", "number-suffix", "mass-missing").mass == 3.0
    text = "joint_type: revolute\njoint_id: 0.7"
    assert joint(text, "number-suffix").number == 0
    assert error(body("- name: R\n  mass: heavy")) == "wrong-value"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.", 1.0), (".5", 0.5), ("+.5", 0.5), ("1e3", 1000.0), ("010", 10.0)],
)
def test_a01_forms_of_numbers(text: str, value: float) -> None:
    assert inertial(f"mass: {text}", "mass-missing").mass == value
    assert inertial(f'mass: "{text}"', "mass-missing").mass == value


def test_a01_whole_numbers_are_decimal() -> None:
    links = "- name: R\n- { name: A, parent: R, joint_type: revolute, joint_id: 010 }"
    assert robot(body(links), "joint-id-gap").joints[0].number == 10
    assert joint("joint_type: revolute\njoint_id: 0x10", "number-suffix").number == 0


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e400"])
def test_a01_numbers_are_finite(number: str) -> None:
    assert error(body(f"- name: R\n  mass: {number}")) == "number-not-finite"


def test_a01_truth_words() -> None:
    for word in "y Y yes Yes YES true True TRUE on On ON".split():
        assert device(f"type: Camera, name: C, format: COLOR, on: {word}").on is True
    for word in "n N no No NO false False FALSE off Off OFF".split():
        assert device(f"type: Camera, name: C, format: COLOR, on: {word}").on is False
    assert device("type: Camera, name: C, format: COLOR, on: 1", "odd-value").on is True


def test_a01_a_single_value_for_an_optional_vector_is_left_out() -> None:
    assert geometry("type: Box, size: 2", "odd-value").size == (1.0, 1.0, 1.0)
    assert error(element("- { type: Shape, geometry: { type: Box, size: [1, 2] } }")) == "number-count"


def test_a01_a_single_value_for_a_vector_of_the_link_is_an_error() -> None:
    assert error(body("- name: R\n  center_of_mass: 2")) == "wrong-value"
    assert error(body("- name: R\n  center_of_mass: [1, 2]")) == "number-count"


def test_a01_of_two_spellings_the_newer_counts() -> None:
    for keys in ("joint_type: free\njointType: fixed", "jointType: fixed\njoint_type: free"):
        assert joint(keys, "key-twice").kind == "free"


def test_a01_unknown_keys_are_kept() -> None:
    text = body(
        "- name: R\n  gui: 1\n  elements: { type: ForceSensor, name: F, maker: me }", HEAD + "colour: red\n"
    )
    extras = {e.owner: e.node.items[0][0] for e in robot(text, ANY).extras}
    assert extras == {"": "colour", "links/R": "gui", "devices/F": "maker"}


def test_a01_a_key_near_a_known_one_is_a_warning() -> None:
    assert joint("joint_type: revolute\njoit_axis: X", "unknown-key").axis == (0.0, 0.0, 1.0)


# --- A.2: angles, translations, rotations -------------------------------------------------


def test_a02_degrees_unless_the_file_says_radian() -> None:
    assert joint("joint_type: revolute\njoint_range: 90").limits.position == (-math.pi / 2, math.pi / 2)
    head = HEAD + "angle_unit: degree\n"
    assert joint("joint_type: revolute\njoint_angle: 90", head=head).initial == math.pi / 2
    assert joint("joint_type: revolute\njoint_range: 1.5", head=RADIAN).limits.position == (-1.5, 1.5)
    assert error(body("- name: R", HEAD + "angle_unit: grad\n")) == "not-a-choice"


def test_a02_radian_is_not_allowed_from_version_2_on() -> None:
    assert error(body("- name: R", HEAD + "angle_unit: radian\n")) == "angle-unit"


def test_a02_a_yaml_resource_has_the_unit_of_the_file_that_names_it() -> None:
    text = element("- { type: Resource, uri: part.yaml }", RADIAN)
    part = "- { type: Shape, rotation: [0, 0, 1, 1.5], geometry: { type: Box } }"
    found = robot(text, files={"m/part.yaml": part}).links[0].visuals[0].pose
    assert close(found.axis_angle(), (0, 0, 1, 1.5))


def test_a02_a_sub_body_has_its_own_unit() -> None:
    sub = body("- name: A\n- { name: B, parent: A, rotation: [0, 0, 1, 90] }")
    text = body(
        "- name: R\n- { type: SubBody, uri: sub.body, parent: R, rotation: [0, 0, 1, 0.5] }", RADIAN
    )
    made = robot(text, files={"m/sub.body": sub})
    assert close(made.joint("A").origin.axis_angle(), (0, 0, 1, 0.5))
    assert close(made.joint("B").origin.axis_angle(), (0, 0, 1, math.pi / 2))


def test_a02_angles_of_devices() -> None:
    camera = device("type: Camera, name: C, format: COLOR, field_of_view: 60").spec
    assert isinstance(camera, Camera)
    assert camera.field_of_view == 60 * DEGREE
    light = device("type: SpotLight, name: L, beam_width: 30, cut_off_angle: 20").spec
    assert isinstance(light, SpotLight)
    assert (light.beam_width, light.cut_off_angle) == (30 * DEGREE, 20 * DEGREE)
    keys = "min_yaw_angle: -10, max_yaw_angle: 20, yaw_step: 5, pitch_range: 8, pitch_step: 2"
    scan = device(f"type: RangeSensor, name: S, {keys}").spec
    assert isinstance(scan, RangeSensor)
    yaw = (scan.min_yaw, scan.max_yaw, scan.yaw_step)
    assert close(yaw, (-10 * DEGREE, 20 * DEGREE, 5 * DEGREE))
    pitch = (scan.min_pitch, scan.max_pitch, scan.pitch_step)
    assert close(pitch, (-4 * DEGREE, 4 * DEGREE, 2 * DEGREE))


def test_a02_angles_of_shapes() -> None:
    mesh = f"type: IndexedFaceSet, {TRIANGLE}, faces: [0, 1, 2, -1]"
    assert geometry(f"{mesh}, crease_angle: 90").crease_angle == math.pi / 2
    keys = "texture: { uri: a.png }, texture_transform: { rotation: 90 }"
    material = shape(f"geometry: {{ type: Box }}\nappearance: {{ {keys} }}", "file-missing").material
    assert material is not None
    assert material.texture is not None
    assert material.texture.transform is not None
    assert material.texture.transform.rotation == math.pi / 2


def test_a02_max_angular_velocity_is_in_radians_always() -> None:
    spec = device("type: RateGyroSensor, name: G, max_angular_velocity: [1, 2, 3]").spec
    assert spec.max_angular_velocity == (1.0, 2.0, 3.0)  # type: ignore[union-attr]


def test_a02_only_turning_joints_have_angles_for_limits() -> None:
    keys = "joint_range: [-2, 3]\nmax_joint_velocity: 5\nmax_joint_effort: 7"
    for kind, unit in (("revolute", DEGREE), ("prismatic", 1.0), ("pseudo_continuous_track", 1.0)):
        limits = joint(f"joint_type: {kind}\n{keys}").limits
        assert close(limits.position, (-2 * unit, 3 * unit))
        assert close(limits.velocity, (-5 * unit, 5 * unit))
        assert limits.effort == (-7.0, 7.0)


def test_a02_an_axis_is_normalized_and_a_zero_one_is_an_error() -> None:
    assert close(matrix(joint("rotation: [0, 0, 5, 90]").origin)[:3, 0], (0, 1, 0))
    assert error(linked("rotation: [0, 0, 0, 0]")) == "rotation-axis-zero"
    assert error(linked("rotation: [0, 0, 1e-7, 90]")) == "rotation-axis-zero"
    # an empty list sets nothing, as in Choreonoid
    assert joint("rotation: []", "number-count").origin == Pose()
    assert joint("translation: []", "number-count").origin == Pose()


def test_a02_nested_translations_add_up_and_nested_rotations_follow_each_other() -> None:
    assert joint("translation: [[1, 0, 0], [[0, 2, 0], [0, 0, 3]]]").origin.xyz == (1.0, 2.0, 3.0)
    made = matrix(joint("rotation: [[0, 0, 1, 90], [1, 0, 0, 90]]").origin)
    assert close(made[:3, :3], [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    assert error(linked("translation: [[1, 0], [0, 0, 3]]")) == "number-count"


# --- A.3, A.4: the top level and the tree -------------------------------------------------


def test_a03_the_name_is_the_file_s_without_one() -> None:
    assert robot(body("- name: R")).name == "test"
    assert robot(body("- name: R", HEAD + "name: Arm\n")).name == "Arm"


def test_a03_format_is_required_and_exact() -> None:
    assert error("links: [{ name: R }]\n") == "format-missing"
    assert error("format: choreonoidbody\nformat_version: 2.0\nlinks: [{ name: R }]\n") == "format-unknown"


def test_a03_links_are_required() -> None:
    assert error(HEAD) == "links-missing"
    assert error(HEAD + "links: []\n") == "links-missing"


def test_a03_body_handlers_are_kept() -> None:
    (extra,) = robot(body("- name: R", HEAD + "body_handlers: [a, b]\n")).extras
    assert (extra.owner, extra.node.items[0][0]) == ("", "body_handlers")


def test_a04_links_as_a_mapping_of_types() -> None:
    assert robot(HEAD + "links: { Link: { name: R } }\n").root == "R"
    assert error(HEAD + "links: { Link: { name: R, type: SubBody } }\n") == "type-differs"


def test_a04_types_of_links() -> None:
    links = "- { name: R }\n- { type: Link, name: A, parent: R }\n- { type: '', name: B, parent: R }\n"
    made = robot(body(links + "- { type: Skip, name: C }"))
    assert [link.name for link in made.links] == ["R", "A", "B"]
    assert error(body("- name: R\n- { type: Arm, name: A, parent: R }")) == "type-unknown"


def test_a04_a_parent_may_come_later() -> None:
    made = robot(body("- name: R\n- { name: A, parent: B }\n- { name: B, parent: R }"))
    assert [link.name for link in made.links] == ["R", "A", "B"]
    assert {j.child: j.parent for j in made.joints} == {"A": "B", "B": "R"}


@pytest.mark.parametrize(
    ("links", "code"),
    [
        ("- name: R\n- { name: A, parent: R }\n- { name: A, parent: R }", "name-duplicate"),
        (
            "- name: R\n- { name: A, parent: R, joint_name: J }\n- { name: B, parent: R, joint_name: J }",
            "name-duplicate",
        ),
        ("- name: R\n- { name: A }", "parent-missing"),
        ("- name: R\n- { name: A, parent: S }", "parent-unknown"),
        ("- name: R\n- { name: A, parent: A }", "tree-cycle"),
    ],
)
def test_a04_what_makes_no_tree(links: str, code: str) -> None:
    assert code in errors(body(links))


def test_a04_an_unnamed_link_gets_a_name() -> None:
    made = robot(body("- name: R\n- parent: R"), "name-missing")
    assert [link.name for link in made.links] == ["R", "link1"]
