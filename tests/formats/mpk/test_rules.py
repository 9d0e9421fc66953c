"""Each rule of the facts page (../shared/formats/mpk.md): words, header, joints, trees."""

from __future__ import annotations

import math

import pytest
from tests.formats.mpk.cases import BASE, HEAD, error, finding, joint, place, reading, robot

from unibody.model.pose import IDENTITY, Pose
from unibody.text.node import Node

# --- lexical rules ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    ["#MPK v1.0 robot\n", "  #MPK\tv1.0\nrobot\r\n", "#MPK v1.0 robot # more\n", "#MPK v1.0 robot "],
)
def test_the_first_three_words_are_the_header(header: str) -> None:
    assert robot(f"{header}joint A {{ }}").root == "A"


def test_another_version_is_a_warning() -> None:
    assert finding("#MPK v9.9 robot joint A { }", "mpk-version").message.startswith(
        "unknown MPK robot version 9.9;"
    )
    assert place(finding("#MPK v9.9 robot joint A { }", "mpk-version")) == (1, 7)


def test_without_header_a_robot_is_read_with_a_warning() -> None:
    found = reading("#MPK").findings  # the header alone, cut off
    assert [f.code for f in found if f.severity == "error"] == ["mpk-header"]
    text = "# a robot\njoint A { }\n"
    assert _raw(text).robot is not None
    assert [f.severity for f in _raw(text).findings if f.code == "mpk-header"] == ["warning"]
    late = "# a robot\n" + HEAD + "joint A { }\n"
    assert (
        "not at the start of the file"
        in next(f for f in _raw(late).findings if f.code == "mpk-header").message
    )


@pytest.mark.parametrize(
    "text", ["#MPK v1.0 scene joint A { }", "hello { }", "TParent 1 0 0\nparents -1\n"]
)
def test_what_is_no_mpk_robot_is_refused(text: str) -> None:
    found = _raw(text)
    assert found.robot is None
    assert [f.code for f in found.findings] == ["mpk-header"]
    assert ("Klamp't" in found.findings[0].message) == text.startswith("TParent")


def _raw(text: str):  # type: ignore[no-untyped-def]
    from unibody.files.access import MemoryFiles
    from unibody.formats.loader import read

    return read("m/a.rob", files=MemoryFiles({"m/a.rob": text.encode()}))


def test_a_robot_is_known_by_its_header_without_a_suffix() -> None:
    from unibody.files.access import MemoryFiles
    from unibody.formats.loader import read

    found = read("arm", files=MemoryFiles({"arm": (HEAD + BASE).encode()}))
    assert found.format is not None
    assert found.format.name == "mpk"


def test_comments_stand_between_words_and_end_them() -> None:
    found = robot("joint A# one\n{ # two\n}joint B#three\n{parent#four\nA# five\nConstTransl 1 2#six\n 3}")
    assert found.joint("B").origin == Pose((1.0, 2.0, 3.0))


def test_braces_end_words_without_white_space() -> None:
    found = robot("joint A{}joint B{parent A}param{0{cyclic}}", "param-unused")
    assert [link.name for link in found.links] == ["A", "B"]


def test_model_names_are_quoted_and_may_have_spaces() -> None:
    found = robot('joint A { model0 "my arm.iv" }', files={"mpk/robots/my arm.iv": "#Inventor V2.0 ascii"})
    assert found.links[0].visuals[0].geometry.uri == "my arm.iv"  # type: ignore[union-attr]


def test_a_model_name_without_quotes_is_a_warning() -> None:
    found = robot("joint A { model0 a.iv }", "rob-quotes", files={"mpk/robots/a.iv": ""})
    assert found.links[0].visuals
    assert place(finding("joint A { model0 a.iv }", "rob-quotes")) == (2, 18)


def test_a_quoted_joint_name_is_a_warning() -> None:
    assert robot('joint "A" { }', "rob-quotes").links[0].name == "A"


@pytest.mark.parametrize("text", ['joint A { model0 "a.iv\n}', 'joint A { model0 "a.iv }'])
def test_an_unterminated_string_is_an_error(text: str) -> None:
    errors = [f for f in reading(text).findings if f.severity == "error"]
    assert {f.code for f in errors} == {"rob-syntax"}
    assert place(errors[0]) == (2, 18)
    assert "string" in errors[0].message


@pytest.mark.parametrize(
    ("word", "value"),
    [("1", 1.0), ("-.5", -0.5), ("1e-3", 1e-3), ("+2.", 2.0), ("0x1.8p1", 3.0), ("-0X10", -16.0)],
)
def test_numbers_are_all_that_atof_takes(word: str, value: float) -> None:
    assert joint(f"ConstTransl {word} 0 0").origin.xyz[0] == value


def test_a_number_with_a_tail_is_read_with_a_warning() -> None:
    assert joint("ConstTransl 1.5m 0 0", "number-suffix").origin.xyz[0] == 1.5


@pytest.mark.parametrize("word", ["zero", "nan", "inf", "1e999", "0x1p99999", "0xg", "--1", '"x"'])
@pytest.mark.parametrize("field", ["ConstTransl 0 {} 1", "ConstRot 0 0 1 {}", "Rot1 0 0 1 0 {} param 0"])
def test_garbage_for_a_number_is_an_error_at_its_column(field: str, word: str) -> None:
    text = f"{BASE}joint J {{\n  parent Base\n  {field.format(word)}\n}}\n"
    found = error(text)
    assert place(found) == (5, 3 + field.index("{}"))
    assert "joint 'J': " in found.message


@pytest.mark.parametrize(
    ("fields", "column"), [("ConstTransl 0 0", 15), ("ConstRot 0 0 1", 3), ("Transl1 1 0 0 0 param 0", 3)]
)
def test_a_missing_number_is_an_error(fields: str, column: int) -> None:
    found = error(f"{BASE}joint J {{\n  parent Base\n  {fields}\n}}\n")
    assert place(found) == (5, column)
    assert fields.split(maxsplit=1)[0] in found.message


def test_a_number_too_many_is_an_error() -> None:
    found = error(f"{BASE}joint J {{\n  parent Base\n  ConstTransl 0 0 1 2\n}}\n")
    assert place(found) == (5, 21)
    assert "unexpected '2' after the last value" in found.message


def test_an_unknown_field_is_an_error_that_names_the_token() -> None:
    found = error(f"{BASE}joint J {{\n  parent Base\n  Rotx 30 {'{ a }'}\n  ConstTransl 0 0 1\n}}\n")
    assert (found.code, place(found)) == ("rob-unknown", (5, 3))
    assert "'Rotx'" in found.message
    assert found.hint == "did you mean 'Rot1'?"


def test_an_unknown_block_is_an_error() -> None:
    found = error(f"{BASE}joints J {{ parent Base }}\njoint K {{ parent Base }}")
    assert (found.code, place(found)) == ("rob-unknown", (3, 1))
    robot = reading(f"{BASE}joints J {{ parent Base }}\njoint K {{ parent Base }}").robot
    assert robot is not None
    assert [link.name for link in robot.links] == ["Base", "K"]


def test_an_unknown_word_is_kept_for_the_writer() -> None:
    found = reading(f"{BASE}joint J {{ parent Base Rotx 30 {{ a }} }}").robot
    assert found is not None
    (extra,) = found.extras
    assert (extra.format, extra.owner) == ("mpk", "links/J")
    assert str(extra.node.items[0][1]) == "Row([Word('Rotx'), Word('30'), Word('{'), Word('a'), Word('}')])"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (f"{BASE}joint J {{\n parent Base\njoint K {{ parent Base }}\n", (5, 1)),
        (f"{BASE}joint J {{ parent Base }} }}\n", (3, 25)),
        (f"{BASE}joint J parent Base }}\n", (3, 9)),
        (f"{BASE}joint J {{ parent Base\n", (3, 18)),
    ],
)
def test_braces_that_do_not_match_are_errors(text: str, at: tuple[int, int]) -> None:
    found = error(text)
    assert (found.code, place(found)) == ("rob-syntax", at)
    assert "{" in found.message or "}" in found.message
    robot = reading(text).robot
    assert robot is not None
    assert robot.joint("J").parent == "Base"


def test_reading_ends_after_a_hundred_mistakes() -> None:
    found = reading(BASE + "}\n" * 100_000)
    assert found.robot is None
    assert len(found.findings) == 101


# --- kinematics -------------------------------------------------------------------------


def test_constants_are_multiplied_in_the_order_written_whatever_stands_between() -> None:
    half = math.pi / 2
    fields = f"ConstTransl 1 0 0 ConstRot 0 0 1 {half} Rot1 0 0 1 -1 1 coll FALSE ConstTransl 0 2 0 param 0"
    found = joint(fields)
    x, y, z = found.origin.xyz
    assert (x, y, z) == pytest.approx((-1.0, 0.0, 0.0))
    assert found.origin.quat == pytest.approx((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))
    turned = joint(f"ConstRot 0 0 1 {half} ConstTransl 0 2 0 ConstTransl 1 0 0")
    assert turned.origin.xyz == pytest.approx((-2.0, 1.0, 0.0))


def test_rot1_turns_about_its_axis_through_the_local_origin() -> None:
    found = joint("Rot1 0 -2 0 -2.5 2.75 param 0")
    assert (found.kind, found.axis, found.origin) == ("revolute", (0.0, -1.0, 0.0), IDENTITY)
    assert found.limits.position == (-2.5, 2.75)
    assert found.initial == 0.125


def test_the_length_of_transl1_s_vector_scales_the_travel() -> None:
    found = joint("Transl1 0 3 4 -1 2 param 0")
    assert (found.kind, found.axis) == ("prismatic", (0.0, 0.6, 0.8))
    assert found.limits.position == (-5.0, 10.0)
    assert found.initial == 2.5


def test_const_transl_rot1_turns_first_and_is_moved_then() -> None:
    found = joint("ConstRot 1 0 0 3.141592653589793 ConstTransl_Rot1 0 0.5 0.25 0 0 1 -1 1 param 0")
    assert found.axis == (0.0, 0.0, 1.0)
    assert found.origin.xyz == pytest.approx((0.0, -0.5, -0.25))
    assert found.origin.quat == pytest.approx((0.0, 1.0, 0.0, 0.0))


def test_a_second_parameterized_transform_is_an_error() -> None:
    text = f"{BASE}joint J {{\n parent Base\n Rot1 0 0 1 -1 1\n Transl1 1 0 0 0 1\n param 0 }}\n"
    found = error(text)
    assert (found.code, place(found)) == ("transforms-several", (6, 2))
    robot = reading(text).robot
    assert robot is not None
    assert robot.joint("J").kind == "prismatic"


@pytest.mark.parametrize(
    "fields", ["Rot1 0 0 0 -1 1 param 0", "Transl1 0 0 0 0 1 param 0", "ConstRot 0 0 0 1"]
)
def test_a_zero_axis_is_an_error(fields: str) -> None:
    assert error(f"{BASE}joint J {{ parent Base {fields} }}").code == "axis-zero"


def test_no_turn_needs_no_axis() -> None:
    assert joint("ConstRot 0 0 0 0").origin == IDENTITY


def test_a_travel_that_overflows_is_an_error() -> None:
    assert (
        error(f"{BASE}joint J {{ parent Base Transl1 1e200 0 0 0 1e200 param 0 }}").code
        == "number-overflow"
    )


def test_limits_the_wrong_way_round_keep_their_direction() -> None:
    found = robot(f"{BASE}joint J {{ parent Base Rot1 0 0 1 2.967 -2.5 param 0 }}", "limits-direction")
    assert found.joint("J").limits.position == (-2.5, 2.967)
    (drive,) = found.coordinates[0].drives
    assert (drive.at_zero, drive.at_one) == (2.967, -2.5)


# --- trees ------------------------------------------------------------------------------


def test_a_fixed_root_is_the_root_link_at_its_own_place() -> None:
    found = robot("joint A { ConstTransl 1 2 3 } joint B { parent A }")
    assert (found.root, found.base, found.pose) == ("A", "fixed", Pose((1.0, 2.0, 3.0)))
    assert [j.name for j in found.joints] == ["B"]


def test_several_roots_stand_on_one_added_link() -> None:
    found = robot("joint A { } joint B { ConstTransl 1 0 0 } joint C { parent B }", "base-added")
    assert (found.root, found.base, found.pose) == ("base", "fixed", IDENTITY)
    assert [(j.name, j.parent, j.kind) for j in found.joints] == [
        ("A", "base", "fixed"),
        ("B", "base", "fixed"),
        ("C", "B", "fixed"),
    ]
    message = finding("joint A { } joint B { }", "base-added").message
    assert "2 roots, 'A', 'B'" in message
    assert "'base'" in message


def test_a_root_that_moves_stands_on_an_added_link_whose_name_is_free() -> None:
    found = robot("joint base { Rot1 0 0 1 -1 1 param 0 }", "base-added")
    assert [link.name for link in found.links] == ["base_2", "base"]
    assert found.joint("base").parent == "base_2"


def test_a_parent_further_down_is_a_warning() -> None:
    text = "joint B { parent A }\njoint A { }\n"
    found = robot(text, "parent-later")
    assert (found.root, found.joint("B").parent) == ("A", "A")
    assert place(finding(text, "parent-later")) == (2, 18)


def test_an_unknown_parent_is_an_error_at_its_name() -> None:
    found = error("joint Arm { }\njoint B { parent Am }")
    assert (found.code, place(found), found.hint) == ("parent-unknown", (3, 18), "did you mean 'Arm'?")


@pytest.mark.parametrize(
    "text", ["joint A { parent A }", "joint R { } joint A { parent B } joint B { parent A }"]
)
def test_a_cycle_is_an_error(text: str) -> None:
    found = [f for f in reading(text).findings if f.severity == "error"]
    assert [f.code for f in found] == ["tree-cycle"]


def test_a_name_used_twice_is_an_error() -> None:
    found = error("joint A { }\njoint A { parent A }")
    assert (found.code, place(found)) == ("name-duplicate", (3, 7))


def test_a_joint_without_a_name_is_an_error() -> None:
    assert error("joint { }").code == "missing"


def test_a_joint_may_be_called_like_a_keyword() -> None:
    found = robot("joint joint { } joint parent { parent joint } joint param { parent parent coll FALSE }")
    assert [(j.name, j.parent) for j in found.joints] == [("parent", "joint"), ("param", "parent")]


def test_a_keyword_in_the_next_line_is_no_name() -> None:
    found = error("joint A { parent\n ConstTransl 1 0 0 }")
    assert "parent: must be followed by a name" in found.message


def test_a_file_without_joints_has_no_robot() -> None:
    assert error("param { 0 { cyclic } }").code == "links-missing"


def test_an_empty_tree_prints_back() -> None:
    found = reading(BASE)
    assert found.format is not None
    assert isinstance(found.node, Node)
    assert found.format.reader().print(found.node, found.source) == "#MPK v1.0 robot\n\njoint Base {\n}\n"
