"""Whole Body files: tracks, sub-bodies and loops (section A.13 of the facts page), what a file says beside
its links (A.14), wrapper files (A.15) and versions (A.16), one test per rule."""

from __future__ import annotations

import math

import pytest
from tests.formats.body.cases import (
    HEAD,
    body,
    close,
    element,
    error,
    errors,
    linked,
    matrix,
    reading,
    robot,
)

from unibody.model.robot import BALL, Configuration, Group, Robot, SelfCollision
from unibody.text.node import Node

INF = math.inf
DEGREE = math.pi / 180.0
ANY = "kept-as-extra"

# --- A.13: tracks ------------------------------------------------------------------------

TRACK = """
- name: R
- type: ContinuousTrack
  name: T
  parent: R
  translation: [0, 0, 1]
  rotation: [0, 0, 1, 90]
  joint_axis: Y
  numJoints: 4
  joint_offset: [0.1, 0, 0]
  initialJointAngles: [10, 20]
  mass: 2
  elements: { type: Shape, geometry: { type: Box } }
"""


def test_a13_a_continuous_track_is_a_chain_of_equal_links() -> None:
    made = robot(body(TRACK))
    assert [link.name for link in made.links] == ["R", "T0", "T1", "T2", "T3"]
    assert [j.kind for j in made.joints] == ["free", "revolute", "revolute", "revolute"]
    assert [j.parent for j in made.joints] == ["R", "T0", "T1", "T2"]
    assert [j.origin.xyz for j in made.joints] == [(0.0, 0.0, 1.0)] + [(0.1, 0.0, 0.0)] * 3
    # the turn of the node is a turn of every link
    assert len({j.origin.quat for j in made.joints}) == 1
    assert close([j.initial for j in made.joints], [0, 10 * DEGREE, 20 * DEGREE, 0])
    assert {j.axis for j in made.joints if j.kind == "revolute"} == {(0.0, 1.0, 0.0)}
    masses = [link.inertial.mass for link in made.links if link.inertial is not None]
    assert masses == [1.0, 2.0, 2.0, 2.0, 2.0]
    assert [len(link.visuals) for link in made.links] == [0, 1, 1, 1, 1]


def test_a13_a_track_has_three_links_or_more() -> None:
    assert error(body(TRACK.replace("numJoints: 4", "numJoints: 2"))) == "track-joints"
    assert "missing" in errors(body(TRACK.replace("  numJoints: 4\n", "")))


# --- A.13: sub-bodies --------------------------------------------------------------------

SUB = """
format: ChoreonoidBody
format_version: 2.0
colour: red
standard_pose: [90]
link_group: [A, B]
collision_detection_rules: [{ disabled_links: [B] }]
links:
  - { name: A, joint_type: prismatic, joint_id: 0, mass: 3, elements: { type: ForceSensor, name: F } }
  - { name: B, parent: A, joint_type: revolute, joint_name: BJ, joint_id: 1, mass: 4 }
extra_joints:
  - { link1_name: A, link2_name: B, joint_type: ball }
"""


def sub(keys: str, *codes: str, rest: str = "", head: str = HEAD) -> Robot:
    """A root R with the sub-body of a file on it."""
    text = body(f"- name: R\n- {{ type: SubBody, uri: sub.body, parent: R, {keys} }}", head)
    return robot(text + rest, *codes, files={"m/sub.body": SUB})


MUTE = HEAD + "standard_pose: []\nlink_group: []\ncollision_detection_rules: []\n"


def test_a13_names_in_a_sub_body() -> None:
    made = sub("prefix: L_, suffix: _x, joint_id_offset: 3", ANY, "joint-id-gap", head=MUTE)
    assert [link.name for link in made.links] == ["R", "L_A_x", "L_B_x"]
    assert [(j.name, j.number) for j in made.joints] == [("L_A_x", 3), ("L_BJ_x", 4)]
    assert [(d.name, d.link) for d in made.devices] == [("L_F", "L_A_x")]
    assert [(x.name, x.link_a, x.link_b) for x in made.loops] == [("L_loop0_x", "L_A_x", "L_B_x")]
    for key in ("device_prefix", "devicePrefix"):
        made = sub(f"prefix: L_, {key}: D_", ANY, head=MUTE)
        assert made.devices[0].name == "D_F"


def test_a13_loops_of_several_sub_bodies_have_names_of_their_own() -> None:
    links = "- name: R\n- { type: SubBody, uri: sub.body, parent: R, prefix: L_ }\n"
    links += "- { type: SubBody, uri: sub.body, parent: R, prefix: R_ }"
    text = body(links, MUTE) + "extra_joints: [{ link1_name: L_A, link2_name: R_A, joint_type: ball }]\n"
    made = robot(text, ANY, "joint-id-duplicate", files={"m/sub.body": SUB})
    assert [x.name for x in made.loops] == ["L_loop0", "R_loop0", "loop2"]
    text = text.replace("link2_name: R_A", "link2_name: R_Z")
    assert error(text, {"m/sub.body": SUB}) == "link-unknown"


def test_a13_the_node_s_keys_are_the_sub_body_s_root_s() -> None:
    keys = "translation: [1, 2, 3], joint_axis: Y, joint_id: 5, joint_name: J, joint_range: 2"
    made = sub(
        f"{keys}, elements: {{ type: ForceSensor, name: G, maker: me }}", ANY, "joint-id-gap", head=MUTE
    )
    root = made.joints[0]
    # the kind is the sub-body's own, so the range is in metres
    assert (root.name, root.kind, root.axis, root.number) == ("J", "prismatic", (0.0, 1.0, 0.0), 5)
    assert (root.origin.xyz, root.limits.position) == ((1.0, 2.0, 3.0), (-2.0, 2.0))
    assert [d.name for d in made.devices] == ["F", "G"]
    assert "devices/G" in {e.owner for e in made.extras}
    assert sub("joint_type: free", ANY, head=MUTE).joints[0].kind == "free"


def test_a13_a_range_on_the_node_is_in_the_unit_of_the_sub_body_s_joint() -> None:
    text = body(
        "- name: R\n- { type: SubBody, uri: s.body, parent: R, joint_range: 90, joint_displacement: 45 }"
    )
    inner = body("- { name: A, joint_type: revolute }")
    (found,) = robot(text, "reference-differs", files={"m/s.body": inner}).joints
    assert found.limits.position == (-math.pi / 2, math.pi / 2)
    assert found.initial == math.pi / 4


def test_a13_mass_on_a_sub_body_node_is_ignored() -> None:
    made = sub("mass: 99", ANY, "sub-body-mass", head=MUTE)
    masses = [link.inertial.mass for link in made.links if link.inertial is not None]
    assert masses == [1.0, 3.0, 4.0]


def test_a13_what_a_sub_body_says_of_the_whole_counts_where_the_file_is_silent() -> None:
    made = sub("translation: [0, 0, 1]", ANY, "reference-differs")
    (pose,) = made.configurations
    assert pose.positions == (("A", math.pi / 2),)
    assert [g.members for g in made.groups] == [("A", "B")]
    assert made.self_collision == SelfCollision(default="all")
    assert [link.name for link in made.links if not link.collides] == ["B"]
    assert {e.owner: e.node.word("colour") for e in made.extras} == {"": "red"}
    own = sub("translation: [0, 0, 1]", ANY, head=MUTE + "colour: blue\n")
    assert own.self_collision == SelfCollision(default="all")
    assert {e.owner: e.node.word("colour") for e in own.extras} == {"": "blue"}


def test_a13_a_sub_body_may_be_the_root() -> None:
    text = body("- { type: SubBody, uri: s.body, prefix: P_ }\n- { name: A, parent: P_R }")
    made = robot(text, files={"m/s.body": body("- { name: R, joint_type: free, translation: [1, 2, 3] }")})
    assert (made.root, made.base, made.pose.xyz) == ("P_R", "free", (1.0, 2.0, 3.0))


def test_a13_a_sub_body_that_is_missing_is_a_warning() -> None:
    made = robot(body("- name: R\n- { type: SubBody, uri: gone.body, parent: R }"), "file-missing")
    assert [link.name for link in made.links] == ["R"]


def test_a13_a_file_that_holds_itself_is_an_error() -> None:
    assert error(body("- name: R\n- { type: SubBody, uri: test.body, parent: R }")) == "include-recursion"


# --- A.13: extra joints ------------------------------------------------------------------


def _loops(items: str) -> str:
    return linked("mass: 1") + f"extra_joints: [{items}]\n"


def test_a13_extra_joints_need_links_and_a_type() -> None:
    assert error(_loops("{ link1_name: R, link2_name: Z, joint_type: ball }")) == "link-unknown"
    assert error(_loops("{ link1_name: R, joint_type: ball }")) == "missing"
    assert error(_loops("{ link1_name: R, link2_name: A }")) == "missing"
    assert error(_loops("{ link1_name: R, link2_name: A, joint_type: weld }")) == "not-a-choice"


def test_a13_extra_joints_in_old_spelling() -> None:
    items = "{ link1Name: R, link2Name: A, jointType: hinge, jointAxis: [0, 0, 2] }"
    text = linked("mass: 1") + f"extraJoints: [{items}]\n"
    (found,) = robot(text, "mass-missing").loops
    assert (found.name, found.link_a, found.link_b, found.axis) == ("loop0", "R", "A", (0.0, 0.0, 1.0))


def test_a13_the_axis_of_an_extra_joint_is_x_when_absent() -> None:
    made = robot(_loops("{ link1_name: R, link2_name: A, joint_type: piston }"))
    assert made.loops[0].axis == (1.0, 0.0, 0.0)
    made = robot(_loops("{ link1_name: R, link2_name: A, joint_type: ball, axis: Y }"))
    assert (made.loops[0].axis, made.loops[0].holds) == ((1.0, 0.0, 0.0), BALL)
    made = robot(_loops("{ link1_name: R, link2_name: A, joint_type: hinge, axis: -Y }"))
    assert made.loops[0].axis == (0.0, -1.0, 0.0)
    zero = _loops("{ link1_name: R, link2_name: A, joint_type: hinge, axis: [0, 0, 0] }")
    assert robot(zero, "axis-zero").loops[0].axis == (1.0, 0.0, 0.0)


# --- A.14: beside the links ----------------------------------------------------------------

CHAIN = body(
    """
- name: R
- { name: A, parent: R, joint_type: revolute, joint_id: 0 }
- { name: B, parent: A, joint_type: revolute, joint_id: 2 }
- { name: C, parent: B, joint_type: fixed, joint_id: 1 }
- { name: D, parent: C, joint_type: free }
"""
)


def chain(rest: str, *codes: str) -> Robot:
    return robot(CHAIN + rest, *codes)


def test_a14_standard_pose_by_joint_id() -> None:
    for key in ("standard_pose", "standardPose"):
        made = chain(f"{key}: [30, 60, 90]\n")
        wanted = (("A", math.radians(30)), ("B", math.radians(90)))
        assert made.configurations == (Configuration(name="standard_pose", positions=wanted),)
    assert chain("standard_pose: [30]\n").configurations[0].positions == (("A", math.radians(30)),)
    assert (
        len(chain("standard_pose: [1, 2, 3, 4]\n", "standard-pose-length").configurations[0].positions) == 2
    )


def test_a14_link_groups_nest() -> None:
    text = "link_group: [R, { name: ARM, links: [A, { name: HAND, links: [B, C] }] }, Z]\n"
    made = chain(text, "link-unknown").groups
    hand = Group(name="HAND", members=("B", "C"))
    assert made == (Group(name="link_group", members=("R", Group(name="ARM", members=("A", hand)))),)


def test_a14_link_groups_of_links_whose_names_are_numbers() -> None:
    text = body("- name: 1\n- { name: 2, parent: 1 }") + "link_group: [1, { name: ALL, links: [1, 2] }]\n"
    assert robot(text).groups[0].members == ("1", Group(name="ALL", members=("1", "2")))
    text = body("- name: 1\n- { name: 2, parent: 1 }") + "link_group: [1, 2]\n"
    assert robot(text).groups[0].members == ("1", "2")


def _off(rules: str, *codes: str) -> set[str]:
    """The pairs that are not tested, and the links that are excluded from all collision detection."""
    made = chain(f"collision_detection_rules: [{rules}]\n", *codes)
    assert made.self_collision.default == "all"
    excluded = {link.name for link in made.links if not link.collides}
    return {"".join(pair) for pair in made.self_collision.disabled} | excluded


def test_a14_without_rules_neighbours_are_not_tested() -> None:
    assert chain("").self_collision == SelfCollision(default="not_adjacent")


def test_a14_collision_rules() -> None:
    assert _off("") == set()
    # a free joint joins nothing
    assert _off("{ disabled_link_chain_level: 1 }") == {"RA", "AB", "BC"}
    assert _off("{ disabled_link_chain_level: 2 }") == {"RA", "AB", "BC", "RB", "AC"}
    # a disabled link collides with nothing, the surroundings included; its pairs are not listed
    assert _off("{ disabled_links: [A] }") == {"A"}
    assert _off("{ disabled_links: all }, { enabled_links: [A, B, D] }") == {"R", "C"}
    assert _off("{ disabled_link_group: [A, B, C] }, { enabled_link_group: [A, C] }") == {"AB", "BC"}
    assert _off("{ disabled_links: [Z] }", "link-unknown") == set()
    assert _off("{ forbid: [A] }", "rule-unknown") == set()


def test_a14_collision_rules_are_applied_in_order() -> None:
    assert _off("{ enabled_link_group: [A, B] }, { disabled_link_group: [A, B] }") == {"AB"}
    assert _off("{ disabled_link_group: [A, B] }, { enabled_link_group: [A, B] }") == set()


def test_a14_the_old_form_of_collision_rules() -> None:
    made = chain("collisionDetection: {}\n")
    assert made.self_collision.disabled == (("R", "A"), ("A", "B"), ("B", "C"))
    text = "collisionDetection: { excludeTreeDepth: 0, excludeLinks: [D]"
    made = chain(text + ", excludeLinkGroups: [{ name: G, links: [A, C] }] }\n")
    assert made.self_collision.disabled == (("A", "C"),)
    assert [link.name for link in made.links if not link.collides] == ["D"]
    both = "collisionDetection: { excludeTreeDepth: 3 }\ncollision_detection_rules: []\n"
    assert chain(both).self_collision.disabled == ()


def test_a14_links_and_elements_elsewhere_mean_what_they_say() -> None:
    made = chain("pose_conversion_info: { links: 3, elements: { Box: {} } }\n")
    kept = made.extras[0].node.get("pose_conversion_info")
    assert isinstance(kept, Node)
    assert kept.word("links") == "3"
    assert isinstance(kept.get("elements"), Node)


def test_a14_other_keys_are_kept_without_a_word() -> None:
    made = chain("foot_links: [{ link: A, sole_center: [0, 0, 0] }]\ndefault_ik_setup: { A: [R] }\n")
    (extra,) = made.extras
    assert [key for key, _, _ in extra.node.items] == ["foot_links", "default_ik_setup"]


# --- A.15, A.16: wrappers and versions -----------------------------------------------------


def test_a15_a_wrapper_adds_to_another_model() -> None:
    inner = linked("joint_type: revolute\njoint_id: 0\ngui: 1")
    for key, pose in (("model_file", "standard_pose"), ("modelFile", "standardPose")):
        text = f"{key}: inner.body\nlinkInfo: {{ A: {{ extra: 1 }}, Z: {{ extra: 2 }} }}\n"
        text += f"{pose}: [90]\ncolour: red\n"
        made = robot(text, ANY, "link-unknown", files={"m/inner.body": inner})
        assert (made.name, [link.name for link in made.links]) == ("inner", ["R", "A"])
        assert made.configurations[0].positions == (("A", math.pi / 2),)
        kept = [(e.owner, k) for e in made.extras for k, _, _ in e.node.items]
        assert sorted(kept) == [("", "colour"), ("links/A", "extra"), ("links/A", "gui")]


def test_a15_a_wrapper_of_a_file_that_is_missing() -> None:
    found = reading("model_file: gone.body\n")
    assert found.robot is None
    assert not found.ok


def test_a15_a_wrapper_of_itself_is_an_error() -> None:
    assert error("model_file: test.body\n") == "include-recursion"


@pytest.mark.parametrize(
    ("version", "good"), [("0", True), ("1", True), ("2.05", True), ("2.1", False), ("99", False)]
)
def test_a16_versions(version: str, good: bool) -> None:
    for key in ("format_version", "formatVersion"):
        text = f"format: ChoreonoidBody\n{key}: {version}\nlinks: [{{ name: R }}]\n"
        if good:
            assert robot(text).root == "R"
        else:
            assert error(text) == "version-unknown"


def test_a16_a_file_without_version_is_read_with_a_warning() -> None:
    assert robot("format: ChoreonoidBody\nlinks: [{ name: R }]\n", "version-missing").root == "R"


def test_a16_keys_mean_the_same_in_both_versions() -> None:
    old, new = (f"format: ChoreonoidBody\nformat_version: {v}\n" for v in ("1.0", "2.0"))
    keys = "joint_type: revolute\njointRange: [-30, 30]\nmaxJointVelocity: 10"
    assert robot(linked(keys, old)).joints == robot(linked(keys, new)).joints


def test_a16_findings_do_not_stop_the_reading() -> None:
    text = element(
        "- { type: Shape, geometry: { type: Sphere, radius: -1 } }\n- { type: ForceSensor, name: F }"
    )
    found = reading(text)
    assert errors(text) == {"size-not-positive"}
    assert found.robot is not None
    assert [d.name for d in found.robot.devices] == ["F"]
    assert close(matrix(found.robot.devices[0].pose)[:3, 3], (0, 0, 0))
