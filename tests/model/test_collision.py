"""The one statement of which pairs of links are tested, and all that follow it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from unibody.model import collision
from unibody.model.robot import Joint, Link, Robot, SelfCollision
from unibody.model.shape import Shape, Sphere

BALL = (Shape(geometry=Sphere(radius=0.1)),)


def pairs(words: str) -> set[frozenset[str]]:
    return {frozenset(word) for word in words.split()}


def robot(**said: Any) -> Robot:
    """Links a to f: a turns b, b holds c, c slides d, d holds e, and f floats above a."""
    joints = [
        Joint(name=f"{parent}{child}", kind=kind, parent=parent, child=child)  # type: ignore[arg-type]
        for parent, child, kind in (
            ("a", "b", "revolute"),
            ("b", "c", "fixed"),
            ("c", "d", "prismatic"),
            ("d", "e", "fixed"),
            ("a", "f", "free"),
        )
    ]
    links = tuple(Link(name=name, collisions=BALL) for name in "abcdef")
    return Robot(name="r", links=links, joints=tuple(joints), self_collision=SelfCollision(**said))


def pairs_of(made: Robot) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in collision.tested_pairs(made)}


ALL = {frozenset(pair) for pair in combinations("abcdef", 2)}
FIXED = pairs("bc de")
NEAR = FIXED | pairs("ab ac bd be cd ce")


def test_all_links_of_a_rigid_body_are_adjacent_to_those_of_the_next() -> None:
    assert pairs_of(robot()) == ALL - NEAR
    assert collision.adjacent_pairs(robot()).keys() == NEAR
    assert set(collision.untested_pairs(robot()) or ()) == NEAR


def test_links_of_one_rigid_body_are_never_tested() -> None:
    assert pairs_of(robot(default="all")) == ALL - FIXED
    assert pairs_of(robot(default="none", enabled=(("b", "c"), ("e", "a")))) == pairs("ae")
    assert pairs_of(robot(enabled=(("b", "c"), ("a", "c")))) == ALL - NEAR | pairs("ac")


@pytest.mark.parametrize("default", ["all", "none", "not_adjacent"])
def test_disabled_pairs_win(default: Any) -> None:
    made = robot(default=default, enabled=(("a", "b"), ("a", "d")), disabled=(("b", "a"),))
    assert frozenset("ab") not in pairs_of(made)
    assert frozenset("ad") in pairs_of(made)
    assert pairs_of(collision.explicit(made)) == pairs_of(made)


def test_links_without_shapes_have_no_pairs_unless_listed() -> None:
    made = robot()
    made = replace(
        made, links=tuple(replace(x, collisions=()) if x.name in "be" else x for x in made.links)
    )
    assert pairs_of(made) == pairs_of(robot()) - {p for p in ALL if p & set("be")}
    # a joint's own links stay adjacent: MoveIt lists them whatever their shapes are
    assert collision.adjacent_pairs(made).keys() == pairs("ab bc cd de ac")
    listed = replace(made, self_collision=SelfCollision(default="none", enabled=(("e", "a"),)))
    assert list(collision.tested_pairs(listed)) == [("e", "a")]


def test_links_that_do_not_collide_have_no_pairs() -> None:
    for default in ("all", "none", "not_adjacent"):
        made = robot(default=default, enabled=(("a", "b"), ("a", "e")))
        links = tuple(replace(x, collides=x.name != "e") for x in made.links)
        assert not any("e" in pair for pair in pairs_of(replace(made, links=links)))


RULES: list[dict[str, Any]] = [
    {},
    {"default": "all"},
    {"default": "none"},
    {"default": "all", "disabled": tuple(tuple(sorted(p)) for p in NEAR)},
    {"default": "all", "disabled": tuple(tuple(sorted(p)) for p in NEAR - FIXED)},
    {"default": "none", "enabled": tuple(tuple(sorted(p)) for p in ALL - NEAR)},
    {"default": "none", "enabled": tuple(tuple(sorted(p)) for p in ALL)},
    {"enabled": tuple(tuple(sorted(p)) for p in NEAR)},
    {"disabled": (("a", "e"),)},
]


@pytest.mark.parametrize("first", RULES)
def test_rules_are_the_same_if_they_test_the_same(first: Any) -> None:
    a = robot(**first)
    assert collision.tests_the_same(a, collision.explicit(a))
    for second in RULES:
        b = robot(**second)
        assert collision.tests_the_same(a, b) == (pairs_of(a) == pairs_of(b)), second


def test_joints_to_unknown_links_and_circles_do_no_harm() -> None:
    made = robot()
    odd = (
        Joint(name="x", kind="fixed", parent="gone", child="a"),
        Joint(name="y", kind="fixed", parent="e", child="d"),
    )
    assert collision.tests_the_same(*[replace(made, joints=(*made.joints, *odd))] * 2)
