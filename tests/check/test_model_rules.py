"""The rules that every load runs: inertias, masses, limits, initial positions, and their hints."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unibody.model.inertia import Inertial, matrix3
from unibody.model.joint_kind import JointKind
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Limits, Link, Robot
from unibody.model.validation.basic import check_basic
from unibody.model.validation.correction import power_of_ten
from unibody.text.finding import Finding, Findings

Rows = tuple[tuple[float, float, float], ...]


def said(robot: Robot, known: list[Finding] | None = None) -> list[Finding]:
    findings = Findings(known or [])
    check_basic(robot, findings)
    return findings[len(known or []) :]


def link(
    diagonal: tuple[float, ...], products: tuple[float, ...] = (0.0, 0.0, 0.0), mass: float = 1.0
) -> Link:
    (a, b, c), (p, q, r) = diagonal, products
    return Link(name="a", inertial=Inertial(mass=mass, inertia=((a, p, q), (p, b, r), (q, r, c))))


def one(made: Link) -> list[Finding]:
    return said(Robot(name="r", links=(made,)))


def joint(low: float, high: float, kind: JointKind = "revolute", initial: float = 0.0) -> list[Finding]:
    j = Joint(
        name="j", kind=kind, parent="a", child="b", limits=Limits(position=(low, high)), initial=initial
    )
    heavy = Inertial(mass=1.0)
    return said(Robot(name="r", links=(Link(name="a"), Link(name="b", inertial=heavy)), joints=(j,)))


def codes(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in findings]


# --- inertia ----------------------------------------------------------------------------


@given(st.lists(st.tuples(*[st.floats(-1.0, 1.0)] * 3), min_size=4, max_size=12))
def test_an_inertia_made_of_points_is_a_body(points: list[tuple[float, float, float]]) -> None:
    """Whatever the points: no finding, but for those so flat that the inertia is singular."""
    p = np.array(points) - np.mean(points, axis=0)
    m = np.einsum("ij,ij->", p, p) * np.eye(3) - p.T @ p
    found = one(Link(name="a", inertial=Inertial(mass=1.0, inertia=matrix3((m + m.T) / 2.0))))
    assert [f for f in found if f.code != "inertia-zero"] == []


@pytest.mark.parametrize(
    ("diagonal", "products", "code", "hint"),
    [
        ((0.1, 0.1, -0.1), (0.0, 0.0, 0.0), "inertia-not-positive", "change izz to 0.1 (opposite sign)"),
        ((0.1, 0.1, 1.9), (0.0, 0.0, 0.0), "inertia-triangle", "change izz to 0.19 (0.1 times as large)"),
        (
            (0.2, 0.3, 0.4),
            (0.0, 0.0, 5.0),
            "inertia-not-positive",
            "change iyz to 0.05 (0.01 times as large)",
        ),
        ((3.0, 0.2, 0.3), (0.0, 0.0, 0.0), "inertia-triangle", "check the decimal points"),
        ((1.0, 1.0, 1.0), (0.9, 0.9, -0.9), "inertia-not-positive", ""),
    ],
)
def test_what_no_body_has_and_what_would_mend_it(
    diagonal: tuple[float, ...], products: tuple[float, ...], code: str, hint: str
) -> None:
    found = one(link(diagonal, products))
    assert codes(found) == [(code, "warning")]
    assert hint in found[0].hint
    assert found[0].hint


def test_a_wrong_sign_of_a_product_is_told_where_all_three_are_there() -> None:
    found = one(link((2.0, 2.0, 2.0), (0.8, -0.8, -0.8)))
    assert codes(found) == [("inertia-triangle", "warning")]
    assert found[0].hint == "change the sign of ixy, ixz or iyz"
    assert one(link((2.0, 2.0, 2.0), (-0.8, -0.8, -0.8))) == []


def test_rounding_is_no_finding() -> None:
    plate = link((0.0333, 0.0333, 0.0667))  # a thin plate: izz = ixx + iyy, to three digits
    assert one(plate) == []


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1.0, 1e12, 1e300])
def test_the_rules_do_not_depend_on_the_scale(scale: float) -> None:
    assert one(link((1.0 * scale, 2.0 * scale, 2.5 * scale))) == []
    assert codes(one(link((scale, scale, 3.0 * scale)))) == [("inertia-triangle", "warning")]


def test_the_largest_numbers_do_not_overflow() -> None:
    assert codes(one(link((1e308, 1e308, -1e308)))) == [("inertia-not-positive", "warning")]
    assert codes(one(link((math.inf, 1.0, 1.0)))) == [("number-overflow", "error")]


def test_masses() -> None:
    assert codes(one(link((0.1, 0.1, 0.1), mass=-1.0))) == [("mass-negative", "warning")]
    assert codes(one(link((0.1, 0.1, 0.1), mass=0.0))) == [("mass-zero", "warning")]
    known = [Finding("mass-zero", "warning", "its mass is 0", subject="links/a/inertial/mass")]
    assert said(Robot(name="r", links=(link((0.1, 0.1, 0.1), mass=0.0),)), known) == []


@pytest.mark.parametrize(("kind", "severity"), [("fixed", "info"), ("revolute", "warning")])
def test_a_mass_without_inertia_matters_where_it_moves(kind: JointKind, severity: str) -> None:
    point = Link(name="b", inertial=Inertial(mass=1.0, inertia=((0.0,) * 3,) * 3))
    j = Joint(name="j", kind=kind, parent="a", child="b")
    robot = Robot(name="r", links=(Link(name="a", inertial=Inertial(mass=1.0)), point), joints=(j,))
    assert codes(said(robot)) == [("inertia-zero", severity)]


def test_moving_links_without_mass_are_named_once() -> None:
    """Not where a link that is fixed to them has one."""
    links = (*(Link(name=n) for n in "abc"), Link(name="d", inertial=Inertial(mass=1.0)))
    kinds: tuple[JointKind, ...] = ("revolute", "revolute", "fixed")
    joints = tuple(
        Joint(name=child, kind=kind, parent=parent, child=child)
        for (parent, child), kind in zip((("a", "b"), ("b", "c"), ("c", "d")), kinds, strict=True)
    )
    found = said(Robot(name="r", links=links, joints=joints))
    assert codes(found) == [("inertia-missing", "info")]
    assert found[0].message.startswith("moving link ")
    assert "'b'" in found[0].message
    assert said(Robot(name="r", links=links, joints=joints), found) == []


def test_a_circle_of_links_is_no_endless_search() -> None:
    joints = tuple(Joint(name=a, kind="fixed", parent=a, child=b) for a, b in ("ab", "bc", "ca"))
    said(Robot(name="r", links=tuple(Link(name=n) for n in "abc"), joints=joints))


# --- limits -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "kind", "expected"),
    [
        (-1.0, 1.0, "revolute", []),
        (-math.inf, math.inf, "revolute", []),
        (1.0, -1.0, "revolute", [("limits-reversed", "warning")]),
        (1.2, 1.2, "revolute", [("limits-equal", "warning")]),
        (0.0, 0.0, "prismatic", [("limits-equal", "info")]),
        (-90.0, 90.0, "revolute", [("limits-unit", "warning")]),
        (-20.0, 20.0, "revolute", []),
        (-1e16, 1e16, "revolute", []),
        (math.radians(-1.5708), math.radians(1.5708), "revolute", [("limits-unit", "warning")]),
        (math.radians(-5.0), math.radians(5.0), "revolute", []),
        (math.radians(-2.0), math.radians(3.0), "revolute", []),
        (-4.0, 4.0, "prismatic", []),
        (-40.0, 40.0, "prismatic", [("limits-unit", "warning")]),
        (-1000.0, 1000.0, "prismatic", []),
        (0.2, 1.0, "revolute", [("initial-outside-limits", "warning")]),
        (-90.0, 90.0, "fixed", []),
    ],
)
def test_limits(low: float, high: float, kind: JointKind, expected: list[tuple[str, str]]) -> None:
    assert codes(joint(low, high, kind)) == expected


def test_a_written_initial_position_outside_is_a_warning() -> None:
    assert codes(joint(-1.0, 1.0, initial=1.5)) == [("initial-outside-limits", "warning")]
    assert joint(-1.0, 1.0, initial=1.0 + 1e-12) == []


def test_a_long_slide_of_a_large_machine_is_no_finding() -> None:
    slide = Joint(
        name="j",
        kind="prismatic",
        parent="a",
        child="b",
        origin=Pose((0.0, 0.0, 12.0)),
        limits=Limits(position=(0.0, 60.0)),
    )
    heavy = Link(name="b", inertial=Inertial(mass=1.0))
    assert said(Robot(name="crane", links=(Link(name="a"), heavy), joints=(slide,))) == []


def test_power_of_ten_takes_the_smallest_slip() -> None:
    assert power_of_ten(lambda f: f in (100.0, 0.001)) == 2
    assert power_of_ten(lambda f: False) is None


# --- screw and universal joints ---------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "fields", "code"),
    [
        ("screw", {}, "joint-incomplete"),
        ("screw", {"pitch": 0.0}, "joint-degenerate"),
        ("screw", {"pitch": -0.01}, ""),
        ("universal", {}, "joint-incomplete"),
        ("universal", {"axis2": (0.0, 0.0, -2.0)}, "joint-degenerate"),
        ("universal", {"axis2": (0.1, 0.0, 1.0)}, ""),
        ("revolute", {"pitch": 0.01}, "joint-field-ignored"),
        ("ball", {"axis2": (1.0, 0.0, 0.0)}, "joint-field-ignored"),
    ],
)
def test_pitch_and_second_axis(kind: JointKind, fields: dict[str, Any], code: str) -> None:
    odd = Joint(name="j", kind=kind, parent="a", child="b", **fields)
    heavy = Inertial(mass=1.0)
    robot = Robot(name="r", links=(Link(name="a"), Link(name="b", inertial=heavy)), joints=(odd,))
    assert codes(said(robot)) == ([(code, "warning")] if code else [])


def test_limits_of_screw_and_universal_joints() -> None:
    limits = Limits(position=(1.0, -1.0))
    odd = Joint(name="j", kind="universal", parent="a", child="b", axis2=(1.0, 0.0, 0.0), limits=limits)
    links = (Link(name="a"), Link(name="b", inertial=Inertial(mass=1.0)))
    assert codes(said(Robot(name="r", links=links, joints=(odd,)))) == [("limits-reversed", "warning")]
    many = replace(odd, kind="screw", axis2=None, pitch=0.002, limits=Limits(position=(0.0, 300.0)))
    assert said(Robot(name="r", links=links, joints=(many,))) == []
