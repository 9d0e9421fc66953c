"""Each rule of the facts page about parameters, models, collisions and traces."""

from __future__ import annotations

import pytest
from tests.formats.mpk.cases import BASE, error, finding, place, reading, robot

from unibody.model.robot import Coordinate, Drive, Robot
from unibody.model.shape import MeshFile

ONE = BASE + "joint J { parent Base Rot1 0 0 1 -1 1 param 0 }\n"
TWO = ONE + "joint K { parent J Transl1 0 2 0 0 1 param 1 }\n"
IV = "#Inventor V2.0 ascii\nCube { }\n"


def coordinates(text: str, *codes: str) -> tuple[Coordinate, ...]:
    return robot(text, *codes).coordinates


# --- parameters -------------------------------------------------------------------------


def test_a_param_becomes_a_coordinate_with_its_drive() -> None:
    assert coordinates(TWO) == (
        Coordinate(index=0, drives=(Drive(joint="J", at_zero=-1.0, at_one=1.0),)),
        Coordinate(index=1, drives=(Drive(joint="K", at_zero=0.0, at_one=2.0),)),
    )


def test_several_joints_on_one_param_keep_their_own_ranges() -> None:
    text = ONE + "joint K { parent J Transl1 0 2 0 0.5 0 param 0 }"
    (found,) = coordinates(text, "limits-direction")
    assert found.drives == (
        Drive(joint="J", at_zero=-1.0, at_one=1.0),
        Drive(joint="K", at_zero=1.0, at_one=0.0),
    )


def test_unused_indices_are_coordinates_without_drives() -> None:
    text = ONE + "joint K { parent J Rot1 1 0 0 0 1\n param 5 }"
    found = coordinates(text, "param-unused")
    assert [c.index for c in found] == [0, 1, 2, 3, 4, 5]
    assert found[3].drives == ()
    note = finding(text, "param-unused")
    assert "below the highest index 5" in note.message
    assert "1 … 4" in note.message
    assert place(note) == (5, 8)


def test_an_index_of_the_param_block_only_is_not_a_coordinate() -> None:
    found = robot(ONE + "param {\n 3 { cyclic weight 2 } }", "param-unused")
    assert [c.index for c in found.coordinates] == [0]
    assert str(found.extras[0].node.items[0][0]) == "parameter"
    assert place(finding(ONE + "param {\n 3 { cyclic weight 2 } }", "param-unused")) == (5, 2)


def test_a_transform_without_param_uses_index_0() -> None:
    text = f"{BASE}joint J {{ parent Base\n Rot1 0 0 1 -1 1 }}"
    found = coordinates(text, "param-missing")
    assert found == (Coordinate(index=0, drives=(Drive(joint="J", at_zero=-1.0, at_one=1.0),)),)
    assert place(finding(text, "param-missing")) == (4, 2)


def test_a_param_without_transform_is_a_warning() -> None:
    found = robot(f"{BASE}joint J {{ parent Base param 3 }}", "param-without-transform")
    assert found.coordinates == ()
    assert found.extras[0].owner == "links/J"


@pytest.mark.parametrize("index", ["2000000000", "10000", "-1", "99999999999999999999999"])
def test_an_index_out_of_reach_is_an_error(index: str) -> None:
    text = ONE + f"joint K {{ parent J Rot1 0 0 1 -1 1 param {index} }}"
    found = error(text)
    assert found.at is not None
    assert found.at.text == index
    robot = reading(text).robot
    assert robot is not None
    assert len(robot.coordinates) == 1
    assert not [f for f in reading(text).findings if f.code == "param-missing"]


def test_the_largest_index_that_is_read() -> None:
    assert len(coordinates(ONE.replace("param 0", "param 9999"), "param-unused")) == 10_000


def test_options() -> None:
    (found,) = coordinates(ONE + "param { 0 { cyclic passive frozen weight 2.5 default 0.25 } }")
    assert (found.cyclic, found.passive, found.frozen, found.weight, found.default) == (
        True,
        True,
        True,
        2.5,
        0.25,
    )


def test_defaults_of_the_options() -> None:
    (found,) = coordinates(ONE)
    assert (found.cyclic, found.passive, found.frozen, found.weight, found.default) == (
        False,
        False,
        False,
        1.0,
        0.5,
    )


def test_several_blocks_and_repeated_indices_add_up() -> None:
    (found,) = coordinates(
        "param { 0 { cyclic weight 2 } }" + ONE + "param { 0 { passive } 0 { weight 2 } }"
    )
    assert (found.cyclic, found.passive, found.weight) == (True, True, 2.0)


def test_the_last_of_two_values_counts_with_a_warning() -> None:
    text = ONE + "param { 0 { weight 2 } }\nparam { 0 { weight 3 } }"
    (found,) = coordinates(text, "param-option-twice")
    assert found.weight == 3.0
    assert place(finding(text, "param-option-twice")) == (5, 20)


@pytest.mark.parametrize("value", ["1.5", "-0.1"])
def test_a_default_outside_0_and_1_is_an_error(value: str) -> None:
    text = ONE + f"param {{ 0 {{ default {value} }} }}"
    assert f"must be between 0 and 1, not {value}" in error(text).message
    robot = reading(text).robot
    assert robot is not None
    assert robot.coordinates[0].default == 0.5


def test_a_negative_weight_is_an_error() -> None:
    assert "weight: must not be negative" in error(ONE + "param { 0 { weight -1 } }").message


def test_an_unknown_option_is_a_warning() -> None:
    text = ONE + "param { 0 { cylic weight 2 } }"
    (found,) = coordinates(text, "rob-unknown")
    assert (found.cyclic, found.weight) == (False, 2.0)
    note = finding(text, "rob-unknown")
    assert (note.severity, note.hint) == ("warning", "did you mean 'cyclic'?")


def test_an_index_may_have_a_tail_as_atoi_reads_it() -> None:
    assert [c.index for c in coordinates(ONE.replace("param 0", "param 0.7"), "number-suffix")] == [0]


# --- models -----------------------------------------------------------------------------


def uris(robot: Robot) -> list[list[str]]:
    link = robot.links[-1]
    out = []
    for shapes in (link.visuals, link.collisions, link.collisions_alt):
        out.append([s.geometry.uri for s in shapes if isinstance(s.geometry, MeshFile)])
    return out


def test_model0_is_drawn_and_checked_model1_is_the_second_one() -> None:
    files = {"mpk/robots/a.iv": IV, "mpk/robots/b.iv": IV}
    assert uris(robot('joint A { model0 "a.iv" model1 "b.iv" }', files=files)) == [
        ["a.iv"],
        ["a.iv"],
        ["b.iv"],
    ]


def test_coll_false_is_drawn_and_never_checked() -> None:
    files = {"mpk/robots/a.iv": IV, "mpk/robots/b.iv": IV}
    found = robot('joint A { model0 "a.iv" model1 "b.iv" coll FALSE }', files=files)
    assert uris(found) == [["a.iv"], [], []]
    assert [key for key, _, _ in found.extras[0].node.items] == ["model1"]


@pytest.mark.parametrize(
    ("word", "codes"), [("TRUE", []), ("", []), ("false", ["odd-value"]), ("0", ["odd-value"])]
)
def test_anything_but_false_after_coll_is_true(word: str, codes: list[str]) -> None:
    files = {"mpk/robots/a.iv": IV}
    assert uris(robot(f'joint A {{ model0 "a.iv" coll {word}\n}}', *codes, files=files))[1] == ["a.iv"]


@pytest.mark.parametrize(
    "where",
    [
        "mpk/robots/",
        "mpk/",
        "mpk/robots/ivmodels/",
        "mpk/ivmodels/",
        "mpk/robots/ivmodels.private/",
        "mpk/ivmodels.private/",
    ],
)
def test_models_are_looked_for_in_these_folders(where: str) -> None:
    path = f"{where}arm/a.iv"
    found = robot('joint A { model0 "arm/a.iv" }', files={path: IV})
    geometry = found.links[0].visuals[0].geometry
    assert isinstance(geometry, MeshFile)
    assert geometry.path == path


def test_models_are_looked_for_in_this_order() -> None:
    order = [
        "mpk/robots/a.iv",
        "/first/a.iv",
        "/second/a.iv",
        "mpk/a.iv",
        "mpk/robots/ivmodels/a.iv",
        "mpk/ivmodels/a.iv",
        "mpk/robots/ivmodels.private/a.iv",
        "mpk/ivmodels.private/a.iv",
    ]
    for number, path in enumerate(order):
        found = reading(
            'joint A { model0 "a.iv" }',
            files=dict.fromkeys(order[number:], IV),
            environment={"IVMODELS": "/first:/second"},
        )
        assert found.robot is not None
        geometry = found.robot.links[0].visuals[0].geometry
        assert isinstance(geometry, MeshFile)
        assert geometry.path == path


def test_a_missing_model_is_one_warning_with_the_places_tried() -> None:
    models = 'model0 "no.iv" model1 "no.iv"'
    text = f"{BASE}joint A {{ parent Base {models} }} joint B {{ parent A {models} }}"
    found = reading(text)
    assert found.ok
    (note,) = [f for f in found.findings if f.code == "file-missing"]
    assert note.severity == "warning"
    for path in ("mpk/robots/no.iv", "mpk/ivmodels/no.iv", "mpk/robots/ivmodels.private/no.iv"):
        assert path in note.hint
    assert found.robot is not None
    assert uris(found.robot) == [["no.iv"], ["no.iv"], ["no.iv"]]


def test_models_outside_the_robot_s_folders_are_not_opened() -> None:
    found = reading('joint A { model0 "../../../../etc/passwd" }', files={"/etc/passwd": "root:x:0"})
    assert [f.code for f in found.findings] == ["outside-model"]


# --- self-collision ---------------------------------------------------------------------

MODELS = 'joint A { model0 "a.iv" } joint B { parent A model0 "a.iv" } joint C { parent B }\n'
FILES = {"mpk/robots/a.iv": IV}


def test_only_the_listed_pairs_are_tested() -> None:
    found = robot("selfcoll { A B }" + MODELS, files=FILES).self_collision
    assert (found.default, found.enabled, found.disabled) == ("none", (("A", "B"),), ())
    assert robot(MODELS, files=FILES).self_collision.default == "none"


def test_several_selfcoll_blocks_add_up_and_repeated_pairs_are_one() -> None:
    text = "selfcoll { A B # C A\n } selfcoll { B A\n D A }" + MODELS + 'joint D { parent A model0 "a.iv" }'
    assert robot(text, files=FILES).self_collision.enabled == (("A", "B"), ("D", "A"))


@pytest.mark.parametrize(("pair", "name"), [("A Nobody", "Nobody"), ("Bb A", "Bb")])
def test_an_unknown_name_in_selfcoll_is_an_error(pair: str, name: str) -> None:
    found = error(f"selfcoll {{ {pair} }}\njoint A {{ }}")
    assert found.code == "selfcoll-unknown"
    assert found.at is not None
    assert found.at.text == name


def test_half_a_pair_is_an_error() -> None:
    assert "needs key 'second'" in error("selfcoll { A B\n A }\njoint A { } joint B { parent A }").message


def test_a_pair_of_one_joint_is_a_warning() -> None:
    assert robot("selfcoll { A A }" + MODELS, "selfcoll-same", files=FILES).self_collision.enabled == ()


@pytest.mark.parametrize(
    "text",
    [
        "selfcoll { A C }" + MODELS,
        MODELS.replace("parent A model0", "parent A coll FALSE model0") + "selfcoll { A B }",
    ],
)
def test_a_pair_without_models_is_a_warning(text: str) -> None:
    found = robot(text, "selfcoll-no-model", files=FILES)
    assert len(found.self_collision.enabled) == 1
    assert finding(text, "selfcoll-no-model").severity == "warning"


def test_where_no_joint_has_a_model_a_pair_without_is_no_news() -> None:
    text = "selfcoll { A B } joint A { } joint B { parent A }"
    assert finding(text, "selfcoll-no-model").severity == "info"


# --- traces, units ----------------------------------------------------------------------


def test_all_trace_points_are_kept() -> None:
    found = robot(
        'joint A { tracePoint } joint B { parent A model0 "a.iv" tracePoint coll FALSE }', files=FILES
    )
    assert [(f.name, f.link, f.trace) for f in found.frames] == [("A", "A", True), ("B", "B", True)]


KUKA = """
joint A { ConstTransl 0 0 0 }
joint B { parent A Rot1 0 0 1 -1 1 param 0 }
joint C { parent B ConstTransl_Rot1 75 54.5 150 0 1 0 -1 1 param 1 }
joint D { parent C ConstTransl_Rot1 0 -5.5 365 0 1 0 -1 1 param 2 }
joint E { parent D ConstTransl_Rot1 42 19 0 1 0 0 -1 1 param 3 }
joint F { parent E ConstTransl 0 0.09 0 tracePoint }
"""


def test_a_robot_in_millimeters_is_told_of_with_the_factor() -> None:
    note = finding(KUKA, "robot-millimetres")
    assert (note.severity, '{"scale": 0.001}' in note.hint) == ("warning", True)


def test_the_factor_is_taken_for_all_lengths() -> None:
    found = reading(KUKA + "joint G { parent F Transl1 0 2 0 10 20 param 4 }", arguments={"scale": "0.001"})
    assert found.ok
    assert not [f for f in found.findings if f.severity != "info"]
    assert found.robot is not None
    assert found.robot.joint("C").origin.xyz == pytest.approx((0.075, 0.0545, 0.15))
    assert found.robot.joint("C").limits.position == (-1.0, 1.0)
    assert found.robot.joint("G").limits.position == pytest.approx((0.02, 0.04))
    scaled = reading('joint A { model0 "a.iv" }', files=FILES, arguments={"scale": "0.001"}).robot
    assert scaled is not None
    assert scaled.links[0].visuals[0].geometry == MeshFile(uri="a.iv", scale=(0.001, 0.001, 0.001))


@pytest.mark.parametrize("scale", ["0", "-1", "nan", "mm", "1e999"])
def test_a_scale_that_is_no_positive_number_is_an_error(scale: str) -> None:
    found = reading(BASE, arguments={"scale": scale})
    assert [f.code for f in found.findings] == ["scale-wrong"]


def test_a_large_workspace_is_not_taken_for_millimeters() -> None:
    robot(f"{BASE}joint J {{ parent Base Transl1 1 0 0 -10 10 param 0 ConstTransl 3 0 8 }}")
