"""The rules of the traversal state: what holds for what, and until where."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.inventor.cases import colors, finding, matrix, reading, shape, shapes

from unibody.model.pose import IDENTITY
from unibody.model.shape import Box, Cone

RED = (1.0, 0.0, 0.0)
GREEN = (0.0, 1.0, 0.0)
GRAY = (0.8, 0.8, 0.8)


# --- groups -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "isolates"),
    [
        ("Separator", True),
        ("Selection", True),
        ("Annotation", True),
        ("LocateHighlight", True),
        ("WWWAnchor", True),
        ("Array", True),
        ("MultipleCopy", True),
        ("Group", False),
        ("TransformSeparator", False),
        ("LOD", False),
        ("LevelOfDetail", False),
        ("Switch { whichChild 0", False),
        ("Switch { whichChild -3", False),
    ],
)
def test_who_keeps_a_colour_to_himself(group: str, isolates: bool) -> None:
    opened = group if "{" in group else f"{group} {{"
    text = f"{opened} Material {{ diffuseColor 1 0 0 }} }} Cube {{ }}"
    assert colors(text) == [GRAY if isolates else RED]


def test_a_transform_separator_keeps_the_transformation_alone() -> None:
    text = "TransformSeparator { Translation { translation 1 0 0 } BaseColor { rgb 1 0 0 } } Cube { }"
    assert shape(text).pose == IDENTITY
    assert colors(text) == [RED]


def test_the_state_goes_into_a_group_and_out_of_it() -> None:
    text = "BaseColor { rgb 1 0 0 } Group { Cube { } BaseColor { rgb 0 1 0 } } Cube { }"
    assert colors(text) == [RED, GREEN]


def test_a_node_that_is_used_again_has_the_state_of_its_place() -> None:
    text = "DEF A Cube { } BaseColor { rgb 1 0 0 } Translation { translation 0 0 5 } USE A"
    first, second = shapes(text)
    assert first.geometry == second.geometry
    assert colors(text) == [GRAY, RED]
    assert second.pose.xyz == (0.0, 0.0, 5.0)


@pytest.mark.parametrize(
    ("fields", "widths"),
    [
        ("", []),
        ("whichChild -1", []),
        ("whichChild 0", [1.0]),
        ("whichChild 2", [3.0]),
        ("whichChild 7", []),
        ("whichChild -3", [1.0, 2.0, 3.0]),
        ("whichChild -2", []),
        ("whichChild -9", []),
    ],
)
def test_switch(fields: str, widths: list[float]) -> None:
    text = f"Switch {{ {fields} Cube {{ width 1 }} Cube {{ width 2 }} Cube {{ width 3 }} }}"
    found = reading(text)
    assert found.robot is not None
    assert [
        s.geometry.size[0] for s in found.robot.links[0].visuals if isinstance(s.geometry, Box)
    ] == widths
    assert {f.code for f in found.findings if f.severity != "info"} == (
        set() if widths else {"shapes-missing"}
    )


def test_a_switch_inherits_the_child_of_the_one_around() -> None:
    text = "Switch { whichChild 1 Cone { } Switch { whichChild -2 Cone { } Cube { } } }"
    assert isinstance(shape(text).geometry, Box)


def test_a_switch_inherits_the_number_of_a_copy() -> None:
    text = "Array { numElements1 3 Switch { whichChild -2 Cone { } Cube { } } }"
    kinds = [type(s.geometry) for s in shapes(text)]
    assert kinds == [Cone, Box, Cone]


@pytest.mark.parametrize(
    ("origin", "xs"), [("FIRST", [0, 2, 4]), ("CENTER", [-2, 0, 2]), ("LAST", [0, -2, -4])]
)
def test_array(origin: str, xs: list[float]) -> None:
    text = f"Array {{ numElements1 3 separation1 2 0 0 origin {origin} Cube {{ }} }}"
    assert [s.pose.xyz[0] for s in shapes(text)] == xs


def test_array_has_no_negative_counts() -> None:
    assert reading("Array { numElements1 -3 Cube { } }").robot is not None


def test_multiple_copy() -> None:
    moved, turned_ = "1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1", "0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1"
    text = f"MultipleCopy {{ matrix [ {moved}, {turned_} ] Cube {{ }} }}"
    first, second = shapes(text)
    assert first.pose.xyz == (1.0, 2.0, 3.0)
    assert second.pose.axis_angle() == pytest.approx((0.0, 0.0, 1.0, math.pi / 2.0))


# --- transformations ----------------------------------------------------------------------


def test_row_vectors() -> None:
    text = "MatrixTransform { matrix 0 1 0 0  -1 0 0 0  0 0 1 0  7 8 9 1 } Cube { }"
    pose = shape(text).pose
    assert pose.xyz == (7.0, 8.0, 9.0)
    assert pose.apply((1.0, 0.0, 0.0)) == pytest.approx((7.0, 9.0, 9.0))


def test_perspective_is_said() -> None:
    text = "MatrixTransform { matrix 1 0 0 5  0 1 0 0  0 0 1 0  0 0 0 1 } Cube { }"
    assert "last column" in finding(text, "matrix-perspective").message


def test_reset() -> None:
    text = "Units { units FEET } Translation { translation 1 0 0 } ResetTransform { } Cube { }"
    assert shape(text).pose == IDENTITY
    assert shape(text).linear is None
    text = "Translation { translation 1 0 0 } ResetTransform { whatToReset BBOX } Cube { }"
    assert shape(text).pose.xyz == (1.0, 0.0, 0.0)


def test_units_go_from_the_one_before() -> None:
    text = "Units { units CENTIMETERS } Cube { } Units { units MILLIMETERS } Cube { } Units { } Cube { }"
    factors = [s.linear[0][0] for s in shapes(text) if s.linear is not None]
    assert factors == pytest.approx([0.01, 0.001, 1.0])


def test_poses_stay_exact_below_an_even_scale() -> None:
    text = "Scale { scaleFactor 2 2 2 } Translation { translation 0.1 0 0 } Cube { }"
    found = shape(text)
    assert found.pose.xyz == (0.2, 0.0, 0.0)
    assert found.linear == ((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0))


def test_what_moves_in_time_stands_at_its_start() -> None:
    assert shape("Rotor { rotation 0 0 1 0.5 speed 2 } Cube { }").pose.axis_angle()[3] == pytest.approx(0.5)
    assert shape("Pendulum { rotation0 0 0 1 0.25 rotation1 0 0 1 9 } Cube { }").pose.axis_angle()[
        3
    ] == pytest.approx(0.25)
    assert shape("Shuttle { translation0 1 0 0 translation1 9 0 0 } Cube { }").pose.xyz == (1.0, 0.0, 0.0)


def test_a_manipulator_is_a_transform() -> None:
    assert shape("TransformBoxManip { translation 1 2 3 } Cube { }").pose.xyz == (1.0, 2.0, 3.0)


def test_a_zero_axis_is_no_rotation() -> None:
    assert shape("Rotation { rotation 0 0 0 0 } Cube { }").pose == IDENTITY
    text = "Rotation { rotation 0 0 0 1 } Cube { }"
    assert finding(text, "rotation-axis-zero").severity == "warning"


NUMBER = st.integers(-8, 8).map(lambda n: n / 4.0)
VECTOR = st.tuples(NUMBER, NUMBER, NUMBER)
FACTOR = st.sampled_from([0.5, 1.0, 2.0, 3.0, -1.0])
FACTORS = st.tuples(FACTOR, FACTOR, FACTOR)
TURN = st.tuples(VECTOR.filter(any), NUMBER)


def turned(axis: tuple[float, float, float], angle: float) -> np.ndarray:
    """Rodrigues' formula."""
    u = np.array(axis) / np.linalg.norm(axis)
    k = np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])
    out = np.eye(4)
    out[:3, :3] = np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)
    return out


def shifted(vector: tuple[float, float, float]) -> np.ndarray:
    out = np.eye(4)
    out[:3, 3] = vector
    return out


def show(values: tuple[float, ...]) -> str:
    return " ".join(map(str, values))


@st.composite
def transformations(draw: st.DrawFn) -> tuple[str, np.ndarray]:
    """A node as text, and its 4×4 matrix by the textbook."""
    kind = draw(st.sampled_from(["Translation", "Rotation", "Scale", "Transform", "MatrixTransform"]))
    t, (axis, angle), f = draw(VECTOR), draw(TURN), draw(FACTORS)
    scale = np.diag([*f, 1.0])
    if kind == "Translation":
        return f"Translation {{ translation {show(t)} }}", shifted(t)
    if kind == "Rotation":
        return f"Rotation {{ rotation {show((*axis, angle))} }}", turned(axis, angle)
    if kind == "Scale":
        return f"Scale {{ scaleFactor {show(f)} }}", scale
    if kind == "MatrixTransform":
        whole = shifted(t) @ turned(axis, angle) @ scale
        return f"MatrixTransform {{ matrix {show(tuple(whole.T.reshape(-1)))} }}", whole
    c, (tilt, lean) = draw(VECTOR), draw(TURN)
    so = turned(tilt, lean)
    text = (
        f"Transform {{ translation {show(t)} rotation {show((*axis, angle))} scaleFactor {show(f)} "
        f"scaleOrientation {show((*tilt, lean))} center {show(c)} }}"
    )
    back = shifted((-c[0], -c[1], -c[2]))
    return text, shifted(t) @ shifted(c) @ turned(axis, angle) @ so @ scale @ np.linalg.inv(so) @ back


@given(st.lists(st.tuples(transformations(), st.booleans()), max_size=5))
def test_transformations_multiply(steps: list[tuple[tuple[str, np.ndarray], bool]]) -> None:
    """Those in a Separator of their own move nothing behind it."""
    text, wanted = "", np.eye(4)
    for (node, own), apart in steps:
        text += f"Separator {{ {node} }} " if apart else f"Group {{ {node} }} "
        wanted = wanted if apart else wanted @ own
    found = shape(f"{text} Cube {{ }}")
    np.testing.assert_allclose(matrix(found), wanted, atol=1e-9 * (1.0 + np.abs(wanted).max()))


@st.composite
def trees(draw: st.DrawFn, depth: int = 0) -> tuple[str, list[float], float]:
    """Random groups around colours and cubes: the text, the red of each cube, the red behind."""

    def build(red: float, depth: int) -> tuple[str, list[float], float]:
        text = ""
        found: list[float] = []
        for kind in draw(st.lists(st.sampled_from("CMSGT" if depth < 3 else "CM"), max_size=5)):
            if kind == "C":
                text, found = f"{text} Cube {{ }}", [*found, red]
            elif kind == "M":
                red = draw(st.integers(0, 8)) / 8.0
                text = f"{text} BaseColor {{ rgb {red} 0 0 }}"
            else:
                tag = {"S": "Separator", "G": "Group", "T": "TransformSeparator"}[kind]
                inner, reds, after = build(red, depth + 1)
                text, found = f"{text} {tag} {{ {inner} }}", found + reds
                red = red if kind == "S" else after
        return text, found, red

    return build(0.5, depth)


@given(trees())
def test_colours_follow_the_groups(made: tuple[str, list[float], float]) -> None:
    text, reds, last = made
    text = f"BaseColor {{ rgb 0.5 0 0 }} {text} Cube {{ }}"
    assert [c[0] for c in colors(text)] == [*reds, last]
