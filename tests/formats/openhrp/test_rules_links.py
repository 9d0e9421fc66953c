"""Links and loops of OpenHRP files against the rules of the facts page (B.6, B.8, B.9, G)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.formats.openhrp.cases import SHAPE, errors, hanging, kept, link, reading, robot, rooted

from unibody.model.robot import BALL, PISTON, XY, Holds, Z
from unibody.model.shape import Box, Sphere

TURN = 'jointType "rotate" jointId 0'


# --- mass (B.6, G) ----------------------------------------------------------------------

BODY = "mass 2 centerOfMass 1 0 0 momentsOfInertia [ 1 0 0 0 2 0 0 0 3 ]"


def test_g_two_segments_one_of_them_scaled() -> None:
    segments = f"""DEF A Segment {{ {BODY} }}
        Transform {{ translation 0 0 5 scale 2 2 2 children DEF B Segment {{ {BODY} }} }}"""
    found = link(segments, "mass-scaled").inertial
    assert found is not None
    assert found.mass == 4.0
    assert np.allclose(found.com, (1.5, 0.0, 2.5))
    assert np.allclose(found.inertia, ((30, 0, -5), (0, 36, 0), (-5, 0, 16)))


def test_b6_a_segment_below_transforms_is_turned_and_moved() -> None:
    turn = "rotation 0 0 1 1.5707963267948966"
    text = (
        f"Group {{ children Transform {{ translation 0 0 5 {turn} children DEF A Segment {{ {BODY} }} }} }}"
    )
    found = link(text).inertial
    assert found is not None
    assert np.allclose(found.com, (0.0, 1.0, 5.0))
    assert np.allclose(found.inertia, np.diag((2.0, 1.0, 3.0)))


def test_b6_a_transform_s_center_counts_for_masses() -> None:
    turn = "center 1 0 0 rotation 0 0 1 3.141592653589793"
    found = link(f"Transform {{ {turn} children DEF A Segment {{ {BODY} }} }}").inertial
    assert found is not None
    assert np.allclose(found.com, (1.0, 0.0, 0.0))


def test_b6_one_segment_is_taken_as_it_is() -> None:
    found = link(f"DEF W_LINK Segment {{ {BODY} }}").inertial
    assert found is not None
    assert (found.mass, found.com) == (2.0, (1.0, 0.0, 0.0))
    assert found.inertia == ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))


def test_b6_no_mass_is_none() -> None:
    assert link("").inertial is None
    assert link("DEF A Segment { }").inertial is None
    heavy = link("DEF A Segment { momentsOfInertia [ 1 0 0 0 1 0 0 0 1 ] }", "mass-zero").inertial
    assert heavy is not None
    assert heavy.mass == 0.0


def test_moments_of_inertia_are_nine_numbers() -> None:
    fewer = link("DEF A Segment { mass 1 momentsOfInertia [ 1 0 0 0 1 0 ] }", "number-count").inertial
    assert fewer is not None
    assert fewer.inertia == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    more = link(
        "DEF A Segment { mass 1 momentsOfInertia [ 1 0 0 0 1 0 0 0 1 9 ] }", "number-count"
    ).inertial
    assert more is not None
    assert more.inertia[2] == (0.0, 0.0, 1.0)


def test_names_of_segments_are_kept_unless_they_are_the_usual_ones() -> None:
    made = robot(rooted('DEF BODY Segment { name "b" bboxCenter 1 2 3 mass 1 }'))
    ((key, value),) = kept(made, "links/W")
    assert (key, value["name"]) == ("Segment", "BODY")
    assert {k for k, _ in value["items"]} == {"name", "bboxCenter"}
    assert robot(rooted("DEF W_LINK Segment { mass 1 }")).extras == ()


# --- shapes (B.6, B.8) ------------------------------------------------------------------


def test_shapes_of_several_segments_are_one_set() -> None:
    inner = (
        f"DEF A Segment {{ children {SHAPE} }} Transform {{ translation 0 0 5 children DEF B Segment {{ "
    )
    found = link(inner + f"children {SHAPE} }} }}")
    assert [s.pose.xyz for s in found.visuals] == [(0.0, 0.0, 0.0), (0.0, 0.0, 5.0)]
    assert found.collisions == found.visuals


def test_f2_11_a_shape_directly_below_a_joint_is_not_shown() -> None:
    made = robot(rooted(f"{SHAPE} Transform {{ children {SHAPE} }}"), "shape-outside-segment")
    assert made.links[0].visuals == ()
    assert [key for key, _ in kept(made, "links/W")] == ["children", "children"]
    light = robot(rooted("PointLight { }"))
    assert [value["tag"] for _, value in kept(light, "links/W")] == ["PointLight"]


def test_b8_surface_parts_what_is_seen_from_what_collides() -> None:
    surface = (
        "Surface { visual Shape { geometry Sphere { radius 2 } }"
        " collision Shape { geometry Sphere { radius 3 } } }"
    )
    found = link(f"DEF A Segment {{ children [ {SHAPE} {surface} ] }}")
    assert [s.geometry for s in found.visuals] == [Box(size=(1.0, 2.0, 3.0)), Sphere(radius=2.0)]
    assert [s.geometry for s in found.collisions] == [Sphere(radius=3.0)]


def test_b6_a_joint_below_a_transform_is_placed_by_it() -> None:
    moved = "Transform { translation 0 0 2 rotation 0 0 1 1.5707963267948966 children"
    text = rooted(f"{moved} DEF J Joint {{ {TURN} translation 1 0 0 }} }}")
    made = robot(text, "joint-under-transform")
    assert np.allclose(made.joint("J").origin.xyz, (0.0, 1.0, 2.0))
    # a Transform that does nothing is no news
    robot(rooted(f"Group {{ children Transform {{ children DEF J Joint {{ {TURN} }} }} }}"))
    assert errors(rooted(f"Transform {{ scale 2 1 1 children DEF J Joint {{ {TURN} }} }}")) == {
        "joint-scaled"
    }


def test_b6_joints_and_segments_do_not_belong_into_a_segment() -> None:
    text = rooted(f"DEF A Segment {{ children DEF J Joint {{ {TURN} }} }}")
    assert errors(text) == {"node-misplaced"}
    made = reading(text).robot
    assert made is not None
    assert made.joint("J").parent == "W"
    nested = rooted("DEF A Segment { mass 1 children DEF B Segment { mass 2 } }")
    assert errors(nested) == {"node-misplaced"}
    assert errors(rooted("DEF S Humanoid { }")) == {"node-misplaced"}


def test_an_unknown_node_is_kept() -> None:
    made = robot(rooted("DEF A Segment { children Frobnicator { level 3 } }"), "node-unknown")
    assert [value["tag"] for key, value in kept(made, "links/W") if key == "children"] == ["Frobnicator"]


def test_pointer_sensors_are_groups() -> None:
    made = robot(rooted(f"CylinderSensorZ {{ maxAngle 1 children DEF J Joint {{ {TURN} }} }}"))
    assert made.joints[0].name == "J"
    assert kept(made, "links/W") == [["maxAngle", "1"]]


def test_b2_parts_may_stand_in_other_files() -> None:
    files = {"m/parts/box.wrl": SHAPE, "m/joint.wrl": f"DEF J Joint {{ {TURN} }}"}
    inline = 'Inline { url "parts/box.wrl" }'
    made = robot(rooted(f"DEF A Segment {{ children {inline} }}"), "vrml-header", files=files)
    assert len(made.links[0].visuals) == 1
    told = robot(rooted(inline), "vrml-header", "shape-outside-segment", files=files)
    assert told.links[0].visuals == ()


# --- loops (B.9) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "holds", "codes"),
    [
        ("xyz", BALL, ["reference-differs"]),
        ("xy", XY, ["reference-differs"]),
        ("z", Z, ["reference-differs"]),
        ("ball", BALL, []),
        ("piston", PISTON, []),
    ],
)
def test_f1_25_extra_joints_of_all_words(word: str, holds: Holds, codes: list[str]) -> None:
    text = (
        'DEF L ExtraJoint { link1Name "W" link2Name "J" link1LocalPos 1 2 3 link2LocalPos 4 5 6 '
        f'jointType "{word}" jointAxis 0 0 1 }}'
    )
    made = robot(text + hanging(TURN), *codes)
    (loop,) = made.loops
    assert (loop.name, loop.link_a, loop.link_b, loop.holds) == ("L", "W", "J", holds)
    assert (loop.pose_a.xyz, loop.pose_b.xyz) == ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    # a ball has no axis that matters; what stands there is kept
    assert loop.axis == ((1.0, 0.0, 0.0) if holds == BALL else (0.0, 0.0, 1.0))
    assert [key for key, _ in kept(made, "loops/L")] == (["jointAxis"] if holds == BALL else [])


def test_b9_loops_join_known_links() -> None:
    text = 'ExtraJoint { link1Name "W" link2Name "JJ" jointType "ball" }'
    assert robot(text + hanging(TURN), "link-unknown").loops == ()
    axis = 'ExtraJoint { link1Name "W" link2Name "J" jointType "piston" jointAxis 0 0 0 }'
    assert robot(axis + hanging(TURN), "axis-zero").loops[0].axis == (1.0, 0.0, 0.0)


def test_b9_a_loop_s_place_is_in_the_joint_s_coordinates() -> None:
    text = 'ExtraJoint { link1Name "W" link2Name "J" jointType "ball" link2LocalPos 1 1 1 }'
    made = robot(text + hanging(f"{TURN} center 1 0 0"), "reference-differs")
    assert made.loops[0].pose_b.xyz == (0.0, 1.0, 1.0)
