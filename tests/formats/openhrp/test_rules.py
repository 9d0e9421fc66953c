"""OpenHRP files against the rules of the facts page (B.2 to B.5; F.1 and F.2 by their numbers)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.formats.openhrp.cases import (
    PROTOS,
    SHAPE,
    errors,
    hanging,
    humanoid,
    joint,
    kept,
    proto,
    reading,
    robot,
    rooted,
)

from unibody.model.pose import Pose
from unibody.model.robot import Actuator, Limits
from unibody.model.shape import Box

INF = math.inf
TURN = 'jointType "rotate" jointId 0'


# --- prototypes -------------------------------------------------------------------------


def test_b2_a_proto_s_own_defaults_count() -> None:
    own = proto(
        "Joint",
        'exposedField SFString jointType "slide" exposedField SFString jointAxis "X"\n'
        "exposedField SFFloat gearRatio 50 exposedField SFFloat rotorInertia 0.5\n"
        "exposedField MFNode children [ ]",
    )
    head = PROTOS.replace("PROTO Joint", "PROTO Unused")
    made = robot(humanoid('DEF W Joint { jointType "fixed" children DEF J Joint { } }'), head=head + own)
    found = made.joint("J")
    assert (found.kind, found.axis) == ("prismatic", (1.0, 0.0, 0.0))
    # what the file's PROTO says differently from OpenHRP's own is said
    assert found.actuator == Actuator(gear_ratio=50.0, rotor_inertia=0.5)


def test_b2_a_file_without_protos_is_read_with_openhrp_s_own() -> None:
    head = "#VRML V2.0 utf8\n"
    made = robot(hanging(f"{TURN} jointAxis 0 1 0"), "proto-missing", head=head)
    assert made.joint("J").axis == (0.0, 1.0, 0.0)


def test_b2_a_field_that_the_proto_lacks_is_read_all_the_same() -> None:
    found = joint(f"{TURN} gearEfficiency 0.6", "field-undeclared")
    assert found.actuator == Actuator(gear_efficiency=0.6)


# --- top level (B.4) --------------------------------------------------------------------


def test_b4_the_last_of_several_humanoids_is_read() -> None:
    text = rooted("") + rooted("").replace("DEF R", "DEF S")
    assert robot(text, "humanoid-several").name == "S"


def test_b4_the_def_name_is_the_model_s_name() -> None:
    assert robot(humanoid('DEF W Joint { jointType "free" }')).name == "R"
    named = robot(humanoid('DEF W Joint { jointType "free" }', 'name "other"'), "reference-differs")
    assert named.name == "R"
    assert kept(named, "") == [["name", "other"]]
    nameless = humanoid('DEF W Joint { jointType "free" }', 'name "other"').replace("DEF R", "")
    assert robot(nameless).name == "other"
    assert robot(nameless.replace('name "other"', "")).name == "test"


def test_b4_info_version_and_viewpoints_are_kept() -> None:
    fields = 'version "2.5" info [ "a" "b" ] viewpoints Viewpoint { description "v" }'
    made = robot(humanoid('DEF W Joint { jointType "free" }', fields))
    assert [key for key, _ in kept(made, "")] == ["version", "info", "viewpoints"]


def test_b4_views_beside_the_humanoid_are_kept_and_shapes_told_of() -> None:
    made = robot('Background { } WorldInfo { title "t" } ' + rooted(""))
    assert [value["tag"] for _, value in kept(made, "")] == ["Background", "WorldInfo"]
    told = robot(SHAPE + rooted(""), "beside-humanoid")
    assert told.links[0].visuals == ()
    assert len(kept(told, "")) == 1


def test_b4_shapes_alone_are_one_fixed_link() -> None:
    made = robot(f"Transform {{ translation 0 0 1 children {SHAPE} }}", "shapes-only")
    (root,) = made.links
    assert (made.name, root.name, made.base, root.inertial) == ("test", "Root", "fixed", None)
    assert root.visuals == root.collisions
    assert [(s.geometry, s.pose.xyz) for s in root.visuals] == [
        (Box(size=(1.0, 2.0, 3.0)), (0.0, 0.0, 1.0))
    ]


def test_b4_joints_without_a_humanoid_show_their_shapes_and_are_told_of() -> None:
    text = f"DEF J Joint {{ translation 0 0 1 children Segment {{ children {SHAPE} }} }}"
    found = reading(text)
    assert [(f.code, f.severity) for f in found.findings] == [("shapes-only", "warning")]
    assert found.robot is not None
    assert [s.pose.xyz for s in found.robot.links[0].visuals] == [(0.0, 0.0, 1.0)]


def test_b4_a_file_with_nothing_to_see_is_told_of() -> None:
    found = reading('WorldInfo { title "nothing" }')
    assert [(f.code, f.severity) for f in found.findings] == [("shapes-only", "warning")]
    assert found.robot is not None
    assert kept(found.robot, "") != []


def test_f1_26_any_number_of_joints_and_a_segment_may_stand_in_humanoid_body() -> None:
    segment = f"DEF S Segment {{ mass 2 children {SHAPE} }}"
    joints = 'DEF A Joint { jointType "rotate" jointId 0 } DEF B Joint { jointType "free" }'
    made = robot(humanoid(f"{segment} {joints}"))
    assert [x.name for x in made.links] == ["R", "A", "B"]
    assert (made.root, made.base, made.mass, len(made.links[0].visuals)) == ("R", "fixed", 2.0, 1)
    assert [(j.parent, j.kind) for j in made.joints] == [("R", "revolute"), ("R", "free")]
    # one Joint alone is the root itself
    assert robot(humanoid('DEF A Joint { jointType "free" }')).root == "A"
    beside = robot(humanoid('WorldInfo { title "t" } DEF A Joint { jointType "free" }'))
    assert beside.root == "A"
    assert [key for key, _ in kept(beside, "links/A")] == ["children"]
    assert errors(humanoid("")) == {"links-missing"}


def test_f1_27_the_humanoid_s_own_place_is_the_robot_s() -> None:
    body = 'DEF W Joint { jointType "free" translation 1 0 0 }'
    made = robot(humanoid(body, "translation 0 0 2 rotation 0 0 1 1.5707963267948966"), "reference-differs")
    assert made.pose == Pose((0.0, 0.0, 2.0), made.pose.quat) @ Pose((1.0, 0.0, 0.0))
    assert np.allclose(made.pose.xyz, (0.0, 1.0, 2.0))
    about = robot(humanoid(body, "center 1 0 0 rotation 0 0 1 1.5707963267948966"), "reference-differs")
    assert np.allclose(about.pose.xyz, (1.0, 0.0, 0.0))


def test_f1_27_a_joint_turns_about_its_center() -> None:
    inner = (
        "DEF S Segment { mass 1 centerOfMass 1 1 1 momentsOfInertia [ 1 0 0 0 1 0 0 0 1 ] }"
        ' DEF K Joint { jointType "slide" jointId 1 translation 3 3 3 } DEF G Gyro { sensorId 0 }'
    )
    made = robot(hanging(f"{TURN} translation 0 0 5 center 1 2 3", inner), "reference-differs")
    assert made.joint("J").origin.xyz == (1.0, 2.0, 8.0)
    assert made.joint("K").origin.xyz == (2.0, 1.0, 0.0)
    assert made.device("G").pose.xyz == (-1.0, -2.0, -3.0)
    found = made.link("J").inertial
    assert found is not None
    assert found.com == (0.0, -1.0, -2.0)


def test_b5_scale_is_kept_but_not_applied() -> None:
    text = hanging(f"{TURN} scale 2 2 2 stiffness [ 1 2 3 ] limitOrientation 1 0 0 1")
    made = robot(text, "scale-ignored")
    assert made.joint("J").origin == Pose()
    assert {key for key, _ in kept(made, "links/J")} == {"scale", "stiffness", "limitOrientation"}


def test_f1_28_names_of_joints_are_their_def_names() -> None:
    named = robot(hanging(f'{TURN} name "other"'), "reference-differs")
    assert named.joints[0].name == "J"
    assert kept(named, "links/J") == [["name", "other"]]
    nameless = robot(rooted(f'Joint {{ {TURN} name "other" }}'))
    assert nameless.joints[0].name == "other"
    assert robot(rooted(f"Joint {{ {TURN} }}"), "name-missing").links[1].name == "link1"


def test_f1_29_joints_and_segments_are_lists_of_all() -> None:
    body = 'DEF W Joint { jointType "free" children DEF S Segment { mass 1 } }'
    full = f"DEF R Humanoid {{ humanoidBody {body} joints USE W segments [ USE S ] }}"
    assert [f.code for f in reading(full).findings] == ["inertia-zero"]
    for less in (full.replace("joints USE W", ""), full.replace("segments [ USE S ]", "")):
        robot(less, "humanoid-list", "inertia-zero")


def test_a_repeated_joint_name_gets_a_number() -> None:
    text = rooted(f'DEF J Joint {{ {TURN} }} DEF J Joint {{ jointType "slide" jointId 1 }}')
    made = robot(text, "name-duplicate")
    assert [j.name for j in made.joints] == ["J", "J_2"]


# --- joints (B.5) -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "kind"), [("rotate", "revolute"), ("slide", "prismatic"), ("fixed", "fixed"), ("free", "free")]
)
def test_b5_joint_types(word: str, kind: str) -> None:
    assert joint(f'jointType "{word}" jointId 0').kind == kind


def test_f1_24_crawler_is_a_track_in_both_spellings() -> None:
    told = joint('jointType "crawler" jointAxis 0 1 0', "reference-differs")
    assert (told.kind, told.axis, told.actuator.mode) == ("track", (0.0, 1.0, 0.0), "velocity")
    assert joint('jointType "pseudoContinuousTrack" jointAxis 0 1 0') == told


def test_b5_a_joint_of_no_known_type_is_free() -> None:
    assert joint("", "joint-type-missing").kind == "free"
    assert joint('jointType ""', "joint-type-missing").kind == "free"
    assert joint('jointType "revolute"', "not-a-choice").kind == "free"
    assert robot(humanoid("DEF W Joint { }"), "joint-type-missing").base == "free"


def test_b5_the_root_s_type_is_the_base() -> None:
    assert robot(humanoid('DEF W Joint { jointType "free" }')).base == "free"
    assert robot(humanoid('DEF W Joint { jointType "fixed" }')).base == "fixed"
    turning = robot(humanoid('DEF W Joint { jointType "rotate" jointId 0 }'), "root-joint-type")
    assert turning.base == "fixed"
    assert [key for key, _ in kept(turning, "links/W")] == ["jointType", "jointId"]


def test_the_axis_is_a_vector_or_a_letter() -> None:
    assert joint(f"{TURN} jointAxis 0 0.6 0.8").axis == (0.0, 0.6, 0.8)
    assert joint(f'{TURN} jointAxis "Y"').axis == (0.0, 1.0, 0.0)
    assert joint(f'{TURN} jointAxis "x"', "odd-value").axis == (1.0, 0.0, 0.0)
    assert joint(f'{TURN} jointAxis "U"', "not-a-choice").axis == (0.0, 0.0, 1.0)
    assert joint(f"{TURN} jointAxis 0 0 0", "axis-zero").axis == (0.0, 0.0, 1.0)
    assert joint(f"{TURN} jointAxis 0 3 4", "axis-not-unit").axis == (0.0, 0.6, 0.8)
    assert joint(TURN).axis == (0.0, 0.0, 1.0)


def test_an_axis_without_meaning_is_kept() -> None:
    made = robot(hanging('jointType "fixed" jointAxis 1 0 0 ulimit 1'))
    assert (made.joints[0].axis, made.joints[0].limits) == ((0.0, 0.0, 1.0), Limits())
    assert {key for key, _ in kept(made, "links/J")} == {"jointAxis", "ulimit"}


def test_empty_limits_are_none() -> None:
    assert joint(f"{TURN} llimit [ ] ulimit [ ] uvlimit [ ]").limits == Limits()
    one = joint(f"{TURN} ulimit 1.5 lvlimit [ -2 ]").limits
    assert (one.position, one.velocity) == ((-INF, 1.5), (-2.0, INF))
    huge = joint(f"{TURN} llimit -1.7976931348623157e308 ulimit 1").limits
    assert huge.position == (-INF, 1.0)


def test_of_several_limits_the_first_counts() -> None:
    made = robot(hanging(f"{TURN} llimit [ -1 -2 ] ulimit [ 1 2 3 ]"))
    assert made.joints[0].limits.position == (-1.0, 1.0)
    assert {key for key, _ in kept(made, "links/J")} == {"llimit", "ulimit"}


def test_the_motor() -> None:
    fields = "gearRatio 100 rotorInertia 0.5 rotorResistor 2 torqueConst 3 encoderPulse 4 climit 5"
    found = joint(f"{TURN} {fields}", "field-undeclared").actuator
    assert found == Actuator(
        gear_ratio=100.0,
        rotor_inertia=0.5,
        resistance=2.0,
        torque_constant=3.0,
        encoder_pulses=4.0,
        max_current=5.0,
    )
    assert found.reflected_inertia == 5000.0
    # what stands in the file is said, what is only a default is not
    assert joint(f"{TURN} gearRatio 1").actuator == Actuator(gear_ratio=1.0)
    assert joint(TURN).actuator == Actuator()


def test_equivalent_inertia_counts_before_the_gear() -> None:
    found = joint(f"{TURN} gearRatio 10 rotorInertia 1 equivalentInertia 7", "field-undeclared").actuator
    assert found.reflected_inertia == 7.0
    zero = joint(f"{TURN} gearRatio 10 rotorInertia 1 equivalentInertia 0", "field-undeclared").actuator
    assert zero.reflected_inertia == 100.0


def test_joint_ids_go_from_0_without_gaps() -> None:
    def ids(*numbers: int) -> str:
        return rooted(
            "".join(f'DEF J{i} Joint {{ jointType "rotate" jointId {n} }}' for i, n in enumerate(numbers))
        )

    robot(ids(0, 1))
    robot(ids(0, 0), "joint-id-duplicate")
    robot(ids(0, 2), "joint-id-gap")
    robot(ids(0, -1), "joint-id-missing")
