"""Joints, joint ids and mass of Body files: sections A.5 to A.7 of the facts page, one test per rule."""

from __future__ import annotations

import math

from tests.formats.body.cases import body, close, error, inertial, joint, linked, reading, robot

from unibody.model.robot import Robot

INF = math.inf
ANY = "kept-as-extra"

# --- A.5: joints ---------------------------------------------------------------------------


def test_a05_joint_name_is_the_link_s_without_one() -> None:
    assert joint("mass: 1", "mass-missing").name == "A"
    found = joint("joint_name: J")
    assert (found.name, found.child) == ("J", "A")


def test_a05_the_root_s_pose_is_the_robot_s() -> None:
    made = robot(body("- { name: R, joint_type: free, translation: [1, 2, 3], rotation: [0, 0, 1, 90] }"))
    assert made.base == "free"
    assert made.pose.xyz == (1.0, 2.0, 3.0)
    assert robot(body("- { name: R }")).base == "fixed"


def test_a05_letters_of_axes_in_either_case() -> None:
    letters = {
        "X": (1, 0, 0),
        "y": (0, 1, 0),
        "Z": (0, 0, 1),
        "-x": (-1, 0, 0),
        "-Y": (0, -1, 0),
        "-z": (0, 0, -1),
    }
    for text, wanted in letters.items():
        assert joint(f"joint_type: revolute\njoint_axis: {text}").axis == wanted
    assert joint("joint_type: revolute").axis == (0.0, 0.0, 1.0)
    assert error(linked("joint_axis: +X")) == "not-a-choice"


def test_a05_forms_of_a_range() -> None:
    ranges = {
        "2": (-2.0, 2.0),
        "unlimited": (-INF, INF),
        "[unlimited, 3]": (-INF, 3.0),
        "[-3, unlimited]": (-3.0, INF),
        "[3, -3]": (3.0, -3.0),
    }
    for text, wanted in ranges.items():
        codes = ["limits-reversed"] if text == "[3, -3]" else []
        assert joint(f"joint_type: prismatic\njoint_range: {text}", *codes).limits.position == wanted
    for bad, code in {
        "[1, 2, 3]": "number-count",
        "far": "wrong-value",
        "[-unlimited, 2]": "wrong-value",
    }.items():
        assert error(linked(f"joint_type: prismatic\njoint_range: {bad}")) == code


def test_a05_the_largest_number_means_no_limit() -> None:
    assert joint("joint_type: prismatic\njoint_range: 1.7976931348623157e+308").limits.position == (
        -INF,
        INF,
    )


def test_a05_velocity_and_effort() -> None:
    limits = joint("joint_type: prismatic\nmax_joint_velocity: unlimited\nmax_joint_effort: 3").limits
    assert (limits.velocity, limits.effort) == ((-INF, INF), (-3.0, 3.0))
    limits = joint("joint_type: revolute\njoint_velocity_range: [-180, unlimited]").limits
    assert limits.velocity == (-math.pi, INF)


def test_a05_reflected_inertia() -> None:
    assert joint("rotor_inertia: 2\ngear_ratio: 3").actuator.reflected_inertia == 18.0
    assert joint("rotor_inertia: 2").actuator.reflected_inertia == 2.0
    assert joint("rotor_inertia: 2\ngear_ratio: 3\njoint_axis_inertia: 5").actuator.reflected_inertia == 5.0


def test_a05_actuation_modes() -> None:
    modes = {
        "joint_effort": "effort",
        "jointTorque": "effort",
        "jointForce": "effort",
        "jointAngle": "displacement",
        "joint_displacement": "displacement",
        "jointVelocity": "velocity",
        "linkPosition": "link_position",
    }
    for text, wanted in modes.items():
        assert joint(f"joint_type: revolute\nactuation_mode: {text}").actuator.mode == wanted
    assert joint("joint_type: revolute").actuator.mode is None
    assert error(linked("actuation_mode: magic")) == "not-a-choice"


def test_a05_tracks_are_driven_by_velocity() -> None:
    found = joint("joint_type: pseudo_continuous_track\njoint_axis: Y")
    assert (found.kind, found.axis, found.actuator.mode) == ("track", (0.0, 1.0, 0.0), "velocity")
    found = joint("actuationMode: jointSurfaceVelocity")
    assert (found.kind, found.actuator.mode) == ("track", "velocity")


def test_a05_material_is_kept() -> None:
    made = robot(linked("material: Ground"))
    (extra,) = made.extras
    assert (extra.owner, extra.node.word("material")) == ("links/A", "Ground")


# --- A.6, A.7: joint ids and mass ---------------------------------------------------------


def _ids(*ids: str, codes: tuple[str, ...] = ()) -> Robot:
    links = "".join(
        f"\n- {{ name: L{i}, parent: R, joint_type: revolute, joint_id: {n} }}" for i, n in enumerate(ids)
    )
    return robot(body("- name: R" + links), *codes)


def test_a06_joint_ids() -> None:
    assert [j.number for j in _ids("0", "-1", "1").joints] == [0, -1, 1]
    assert [j.number for j in _ids("0", "0", codes=("joint-id-duplicate",)).joints] == [0, 0]
    assert [j.number for j in _ids("3", "1", codes=("joint-id-gap",)).joints] == [3, 1]


def test_a06_a_fixed_link_may_have_an_id() -> None:
    assert joint("joint_type: fixed\njoint_id: 0").number == 0


def test_a07_missing_parts_of_a_link_s_mass_keep_a_fresh_link_s_values() -> None:
    found = inertial("mass: 5", "mass-missing")
    assert (found.mass, found.inertia[0]) == (5.0, (1.0, 0.0, 0.0))
    found = inertial("center_of_mass: [1, 2, 3]", "mass-missing")
    assert (found.mass, found.com) == (1.0, (1.0, 2.0, 3.0))


def test_a07_missing_parts_are_zero_beside_rigid_bodies() -> None:
    found = inertial("mass: 1\nelements: { type: RigidBody, mass: 3, center_of_mass: [4, 0, 0] }")
    assert (found.mass, found.com) == (4.0, (3.0, 0.0, 0.0))
    assert close(found.inertia, [[0, 0, 0], [0, 12, 0], [0, 0, 12]])


def test_a07_rigid_bodies_at_any_depth() -> None:
    text = (
        "elements:\n  type: Transform\n  translation: [1, 0, 0]\n  rotation: [0, 0, 1, 90]\n  elements:\n"
    )
    text += (
        "    type: RigidBody\n    mass: 2\n    center_of_mass: [1, 0, 0]\n    inertia: [1, 0, 0, 2, 0, 3]"
    )
    found = inertial(text)
    assert close(found.com, (1, 1, 0))
    assert close(found.inertia, [[2, 0, 0], [0, 1, 0], [0, 0, 3]])


def test_a07_six_or_nine_numbers_of_inertia() -> None:
    wanted = ((4.0, 0.1, 0.2), (0.1, 5.0, 0.3), (0.2, 0.3, 6.0))
    assert inertial("mass: 1\ninertia: [4, 0.1, 0.2, 5, 0.3, 6]").inertia == wanted
    assert inertial("mass: 1\ninertia: [4, 0.1, 0.2, 0.1, 5, 0.3, 0.2, 0.3, 6]").inertia == wanted
    assert error(body("- name: R\n  inertia: [1, 2, 3]")) == "number-count"


def test_a07_an_inertia_is_not_made_symmetric() -> None:
    found = inertial("mass: 1\ninertia: [4, 1, 0, 0, 5, 0, 0, 0, 6]", "inertia-not-symmetric")
    assert found.inertia == ((4.0, 1.0, 0.0), (0.0, 5.0, 0.0), (0.0, 0.0, 6.0))


def test_a07_without_mass_there_is_nothing() -> None:
    assert robot(body("- name: R\n  mass: 0\n  inertia: [1, 0, 0, 1, 0, 1]")).links[0].inertial is None
    assert robot(body("- name: R\n  elements: { type: RigidBody }")).links[0].inertial is None


def test_a07_mass_keys_of_a_transform_are_not_mass_data() -> None:
    found = inertial("elements: { type: Transform, mass: 7, elements: [] }", "mass-missing", "not-kept")
    assert found.mass == 1.0


def test_a07_findings_name_the_place() -> None:
    found = [f for f in reading(body("- name: R\n  mass: -2")).findings if f.code == "mass-negative"]
    assert [str(f.at) for f in found] == ["m/test.body:5:11"]
