"""``patch(a, diff(a, b))`` gives b: any two robots, in order, with large arrays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.model.strategies import NAMES, again, boxes, robot_of, robots, with_shapes

from unibody.model.facts import diff
from unibody.model.patch import PatchError, patch
from unibody.model.robot import Frame, Group, Link, Robot, SelfCollision

SLOW = settings(
    max_examples=settings().max_examples * 3 // 4,  # 9 pairs of robots, in `make test-all` 150
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking two robots takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def check(a: Robot, b: Robot) -> None:
    made = patch(a, diff(a, b))
    assert [str(d) for d in diff(made, b)] == []
    assert [x.name for x in made.links] == [x.name for x in b.links]
    assert [x.name for x in made.joints] == [x.name for x in b.joints]


@SLOW
@given(robots, robots)
def test_from_any_robot_to_any_other(a: Robot, b: Robot) -> None:
    check(a, b)


@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("second", ["kitchen_sink", "mimic", "shapes", "corners"])
def test_from_model_to_model(first: str, second: str) -> None:
    check(robot_of(first), robot_of(second))
    check(robot_of(second), robot_of(first))


@pytest.mark.parametrize("after", [(3, 1, 2), (1, 3), (2,), (4, 3, 2, 1), (9, 2, 8, 1, 3), (1, 1, 1, 2)])
def test_shapes_without_names_keep_their_order(after: tuple[float, ...]) -> None:
    a, b = with_shapes(1.0, 2.0, 3.0), with_shapes(*map(float, after))
    assert patch(a, diff(a, b)) == b


@pytest.mark.parametrize("after", ["cab", "ac", "xaybzc", "zcx", "", "bca"])
def test_links_keep_their_order(after: str) -> None:
    # each of another mass class, so that nothing is taken for renamed
    a = Robot(name="r", links=tuple(Link(name=n, visuals=boxes(float(ord(n)))) for n in "abc"))
    b = Robot(name="r", links=tuple(Link(name=n, visuals=boxes(float(ord(n)))) for n in after))
    assert patch(a, diff(a, b)) == b


def test_groups_and_pairs() -> None:
    a = Robot(name="r", groups=(Group(name="g", members=("a", Group(name="h", members=("b",)))),))
    inner = Group(name="h", members=("c", "b"))
    b = replace(
        a,
        groups=(Group(name="g", members=(inner, "a")),),
        self_collision=SelfCollision(disabled=(("x/y", "z"),)),
    )
    assert patch(a, diff(a, b)) == b
    assert patch(b, diff(b, a)) == a


def test_what_does_not_fit_is_refused() -> None:
    a, b = robot_of("mimic"), robot_of("kitchen_sink")
    with pytest.raises(PatchError):
        patch(b, diff(a, b))


@pytest.mark.parametrize("name", NAMES)
def test_each_single_change(name: str) -> None:
    robot = robot_of(name)
    assert patch(robot, diff(robot, again(robot))) is robot


def test_two_items_are_not_renamed_to_one_name() -> None:
    a = Robot(name="r", frames=(Frame(name="", link="b"), Frame(name="\na x", link="b")))
    b = Robot(name="r", frames=(Frame(name="a", link="b"), Frame(name="a", link="a")))
    check(a, b)
    check(b, a)
