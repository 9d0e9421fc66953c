"""What trips the loaders of OpenHRP files (F.2 of the facts page, by its numbers)."""

from __future__ import annotations

import numpy as np
from tests.formats.openhrp.cases import PROTOS, SHAPE, link, reading, robot, rooted

from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.model.shape import Box, Sphere

FILES = {
    "m/a.wrl": f"#VRML V2.0 utf8\n{SHAPE}",
    "m/b.wrl": "#VRML V2.0 utf8\nShape { geometry Sphere { } }",
}


def seen(children: str, *codes: str) -> list[object]:
    """The geometries of a Segment with these children."""
    made = robot(rooted(f"DEF W_LINK Segment {{ children [ {children} ] }}"), *codes, files=FILES)
    return [shape.geometry for shape in made.links[0].visuals]


def test_f2_08_a_bracket_may_follow_a_name() -> None:
    assert seen(f"DEF X {SHAPE} USE X") == [Box(size=(1.0, 2.0, 3.0))] * 2
    tight = rooted(f"DEF S Segment{{children[DEF X {SHAPE},USE X]}}")
    assert len(robot(tight).links[0].visuals) == 2


def test_f2_08_a_byte_order_mark_is_passed_over() -> None:
    data = ("\ufeff" + PROTOS + rooted("")).encode()
    found = read("m/test.wrl", files=MemoryFiles({"m/test.wrl": data}))
    assert found.ok, [str(f) for f in found.findings]


def test_f2_08_a_zero_axis_is_no_turn() -> None:
    made = reading(rooted("", "rotation 0 0 0 0"))
    assert [(f.code, f.severity) for f in made.findings if f.severity != "info"] == [
        ("rotation-axis-zero", "warning")
    ]


def test_f2_08_an_inline_may_have_a_name_and_a_lod_content() -> None:
    assert seen('DEF PART Inline { url "a.wrl" }') == [Box(size=(1.0, 2.0, 3.0))]
    assert seen('DEF PART Inline { bboxSize 1 1 1 url [ "a.wrl" ] }') == [Box(size=(1.0, 2.0, 3.0))]
    assert seen(f"LOD {{ range [ 1 ] level [ {SHAPE} Shape {{ }} ] }}") == [Box(size=(1.0, 2.0, 3.0))]


def test_f2_08_the_urls_of_a_prototype_elsewhere_may_stand_in_brackets() -> None:
    text = 'EXTERNPROTO Plane [ field SFVec3f size ] [ "nowhere.wrl#Plane" ]\n' + rooted("")
    found = reading(text)
    assert found.ok, [str(f) for f in found.findings]


def test_f2_09_of_two_nodes_of_one_name_the_first_is_used() -> None:
    twice = f"DEF X {SHAPE} DEF X Shape {{ geometry Sphere {{ }} }} USE X"
    found = seen(twice, "reference-differs")
    assert found == [Box(size=(1.0, 2.0, 3.0)), Sphere(radius=1.0), Box(size=(1.0, 2.0, 3.0))]


def test_f2_10_an_inline_reads_all_files_and_a_switch_shows_one_choice() -> None:
    both = seen('Inline { url [ "a.wrl" "b.wrl" ] }', "reference-differs")
    assert both == [Box(size=(1.0, 2.0, 3.0)), Sphere(radius=1.0)]
    choices = f"choice [ {SHAPE} Shape {{ geometry Sphere {{ }} }} ]"
    assert seen(f"Switch {{ whichChoice 1 {choices} }}", "reference-differs") == [Sphere(radius=1.0)]


def test_f2_13_a_center_does_nothing_to_shapes_below_a_scale() -> None:
    scaled = f"Transform {{ center 1 0 0 scale 2 2 2 children {SHAPE} }}"
    found = link(f"DEF W_LINK Segment {{ children {scaled} }}", "reference-differs")
    assert found.visuals[0].pose.xyz == (0.0, 0.0, 0.0)
    turned = f"Transform {{ center 1 0 0 rotation 0 0 1 3.141592653589793 children {SHAPE} }}"
    assert np.allclose(link(f"Segment {{ children {turned} }}").visuals[0].pose.xyz, (2.0, 0.0, 0.0))


def test_f2_13_a_point_light_is_kept() -> None:
    made = robot(rooted("DEF W_LINK Segment { children PointLight { } }"))
    assert [extra.owner for extra in made.extras] == ["links/W"]
