"""The normalized configuration space: exact maps, wrapped differences, weights, paths."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unibody as ub
from unibody.mechanism.normalized_space import NormalizedSpace, NormalizedSpaceError
from unibody.model.joint_kind import JointKind
from unibody.model.json import loads
from unibody.model.robot import Coordinate, Coupling, Drive, Joint, Limits, Link, Robot
from unibody.text.finding import Findings

INF = math.inf
ROBOTS = Path(__file__).parents[1] / "robots"


def chain(*joints: Joint, base: Any = "fixed", **more: Any) -> Robot:
    links = tuple(Link(name=name) for name in ("root", *(j.child for j in joints)))
    return Robot(name="chain", links=links, joints=joints, base=base, **more)


def joint(
    name: str, low: float = -INF, high: float = INF, kind: JointKind = "revolute", initial: float = 0.0
) -> Joint:
    return Joint(
        name=name,
        kind=kind,
        parent="root",
        child=name,
        limits=Limits(position=(low, high)),
        initial=initial,
    )


def driven(*drives: tuple[float, float], **options: Any) -> NormalizedSpace:
    """One coordinate that drives a joint per pair of ends."""
    joints = [joint(f"j{i}", min(d), max(d)) for i, d in enumerate(drives)]
    made = tuple(Drive(joint=f"j{i}", at_zero=a, at_one=b) for i, (a, b) in enumerate(drives))
    return space(chain(*joints, coordinates=(Coordinate(index=0, drives=made, **options),)))


def space(robot: Robot) -> NormalizedSpace:
    return ub.assemble(robot).normalized_space


FINITE = st.floats(-1e9, 1e9)


@given(FINITE, FINITE, st.floats(0.0, 1.0))
def test_exact_both_ways_at_both_ends_and_at_the_default(zero: float, one: float, default: float) -> None:
    found = driven((zero, one), default=default)
    assert found.to_joints([0.0]).tolist() == [zero]
    assert found.to_joints([1.0]).tolist() == [one]
    assert found.from_joints(found.to_joints([default])).tolist() == [default]
    if zero != one:
        for t in (0.0, 1.0):
            back = found.from_joints(found.to_joints([t])).item()
            # a default whose image is the same double is as good an answer
            assert back == t or (back == default and found.to_joints([default]) == found.to_joints([t]))


@given(FINITE, st.floats(1e-3, 1e9), st.floats(0.0, 1.0))
def test_there_and_back(zero: float, width: float, t: float) -> None:
    found = driven((zero, zero + width))
    slack = 4e-16 * (1.0 + abs(zero) / width)
    assert abs(found.from_joints(found.to_joints([t])).item() - t) <= slack


@given(st.floats(0.0, 0.5), FINITE, FINITE)
def test_up_to_the_middle_it_is_mpk_s_own_formula(t: float, zero: float, one: float) -> None:
    found = driven((zero, one), default=1.0)
    assert found.to_joints([t]).item() == zero + t * (one - zero)


def test_the_reader_s_formula_is_the_same() -> None:
    from unibody.formats.mpk.coordinates import position

    for t in np.linspace(0.0, 1.0, 101).tolist():
        drive = Drive(joint="j0", at_zero=2.967, at_one=-3.3161)
        assert driven((2.967, -3.3161), default=0.123).to_joints([t]).item() == position(drive, t)


def test_the_widest_ranges_do_not_overflow() -> None:
    found = driven((-1.7e308, 1.7e308))
    assert found.to_joints([0.25]).tolist() == [-8.5e307]
    assert found.from_joints([8.5e307]).tolist() == [0.75]


def test_reversed_and_shared_drives() -> None:
    found = driven((2.0, -2.0), (0.0, 4.0))
    assert found.to_joints([0.25]).tolist() == [1.0, 1.0]
    assert found.from_joints([-1.0, 99.0]).tolist() == [0.75]
    # the first joint that moves says where the coordinate is
    assert driven((1.0, 1.0), (0.0, 4.0)).from_joints([7.0, 1.0]).tolist() == [0.25]
    assert driven((1.0, 1.0)).from_joints([7.0]).tolist() == [0.5]


def test_batches_of_any_shape() -> None:
    found = driven((0.0, 4.0))
    t = np.linspace(0.0, 1.0, 6).reshape(2, 3, 1)
    assert (found.to_joints(t) == 4.0 * t).all()
    assert found.to_joints(t[0]).shape == (3, 1)
    assert np.allclose(found.from_joints(found.to_joints(t[1])), t[1])
    assert found.from_joints({"j0": 1.0}).tolist() == [0.25]
    wrongs: list[Any] = [[0.5, 0.5], 0.5, [[]]]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"t has shape"):
            found.to_joints(wrong)


def test_unused_indices_keep_their_places() -> None:
    made = (
        Coordinate(index=3, drives=(Drive(joint="a", at_zero=0.0, at_one=2.0),), default=0.25),
        Coordinate(index=1, default=0.75, weight=3.0, passive=True),
    )
    found = space(chain(joint("a", 0.0, 2.0), coordinates=made))
    assert (found.n, found.indices, found.names) == (2, (1, 3), ("", "a"))
    assert found.default.tolist() == [0.75, 0.25]
    assert found.to_joints([0.1, 0.5]).tolist() == [1.0]
    assert found.from_joints([1.0]).tolist() == [0.75, 0.5]
    assert found.passive.tolist() == [True, False]


def test_wrong_coordinates_are_told_of() -> None:
    for drive, kind in (("nobody", "revolute"), ("a", "ball")):
        made = Coordinate(index=4, drives=(Drive(joint=drive, at_zero=0.0, at_one=1.0),))
        mechanism = ub.assemble(chain(joint("a", kind=kind), coordinates=(made,)))  # type: ignore[arg-type]
        with pytest.raises(NormalizedSpaceError, match="coordinate 4 drives"):
            _ = mechanism.normalized_space


def test_a_robot_without_coordinates_gets_one_per_bounded_joint() -> None:
    robot = chain(
        joint("limited", -1.0, 3.0, initial=1.0),
        joint("slide", 0.0, 0.5, "prismatic"),
        joint("endless"),
        joint("wound", initial=7.0),
        joint("from_low", low=-1.0),
        joint("from_high", high=1.0),
        joint("stuck", 2.0, 2.0, initial=2.0),
        joint("rail", kind="prismatic"),
        joint("half_rail", low=0.0, kind="prismatic"),
        joint("ball", kind="ball"),
        Joint(name="weld", kind="fixed", parent="root", child="weld"),
        base="free",
    )
    found = space(robot)
    assert found.names == ("limited", "slide", "endless", "wound", "from_low", "from_high", "stuck")
    assert found.indices == tuple(range(7))
    assert found.unmapped == ("root", "rail", "half_rail", "ball")
    assert found.cyclic.tolist() == [False, False, True, True, False, False, False]
    assert found.frozen.tolist() == [False] * 6 + [True]
    mechanism = ub.assemble(robot)
    q = found.to_joints(np.zeros(7))
    assert q[7:14].tolist() == [-1.0, 0.0, -math.pi, 7.0 - math.pi, -1.0, 1.0 - 2 * math.pi, 2.0]
    assert found.to_joints(np.ones(7))[7:14].tolist() == [
        3.0,
        0.5,
        math.pi,
        7.0 + math.pi,
        -1.0 + 2 * math.pi,
        1.0,
        2.0,
    ]
    start = found.to_joints(found.default)
    assert (start == mechanism.initial).all()
    assert (found.from_joints(start) == found.default).all()
    assert found.default[:4].tolist() == [0.5, 0.0, 0.5, 0.5]


def test_coupled_joints_follow() -> None:
    robot = chain(
        joint("left", 0.0, 0.04, "prismatic"),
        joint("right", 0.0, 0.04, "prismatic"),
        couplings=(Coupling(joint="right", leader="left", ratio=-1.0),),
    )
    found = space(robot)
    assert found.names == ("left",)
    assert found.unmapped == ()
    assert found.to_joints([0.5]).tolist() == [0.02, -0.02]
    assert found.from_joints([0.01, 0.0]).tolist() == [0.25]


def test_a_coordinate_of_a_coupled_joint_is_read_off_another() -> None:
    drives = (Drive(joint="a", at_zero=0.0, at_one=1.0), Drive(joint="b", at_zero=0.0, at_one=2.0))
    robot = chain(
        joint("a", 0.0, 1.0),
        joint("b", 0.0, 2.0),
        couplings=(Coupling(joint="a", leader="b", ratio=0.5),),
        coordinates=(Coordinate(index=0, drives=drives),),
    )
    found = space(robot)
    assert found.to_joints([0.25]).tolist() == [0.25, 0.5]
    assert found.from_joints([9.0, 0.5]).tolist() == [0.25]


def test_cyclic_coordinates_wrap() -> None:
    found = driven((-math.pi, math.pi), cyclic=True)
    assert found.wrapped([1.25]).tolist() == [0.25]
    assert found.wrapped([-0.25]).tolist() == [0.75]
    assert found.wrapped([[0.0], [1.0]]).tolist() == [[0.0], [1.0]]
    assert found.from_joints([3 * math.pi / 2]).item() == pytest.approx(0.25)
    assert found.difference([0.9], [0.2]).item() == pytest.approx(0.3)
    assert found.difference([0.2], [0.9]).item() == pytest.approx(-0.3)
    assert found.difference([0.0], [1.0]).tolist() == [0.0]
    assert found.to_joints([1.25]).tolist() == found.to_joints([0.25]).tolist()
    plain = driven((-math.pi, math.pi))
    assert plain.difference([0.2], [0.9]).item() == pytest.approx(0.7)
    assert plain.to_joints([1.25]).item() == pytest.approx(1.5 * math.pi)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_shorter_way_round_is_never_more_than_half(a: float, b: float) -> None:
    found = driven((-1.0, 1.0), cyclic=True)
    d = found.difference([a], [b]).item()
    assert abs(d) <= 0.5
    end = found.wrapped([a + d]).item()
    assert min(abs(end - b), 1.0 - abs(end - b)) < 1e-15
    assert found.difference([b], [a]).item() == -d


def weighted() -> NormalizedSpace:
    made = [
        Coordinate(index=0, drives=(Drive(joint="a", at_zero=0.0, at_one=1.0),), weight=3.0),
        Coordinate(index=1, drives=(Drive(joint="b", at_zero=0.0, at_one=1.0),), weight=4.0, cyclic=True),
    ]
    return space(chain(joint("a", 0.0, 1.0), joint("b", 0.0, 1.0), coordinates=tuple(made)))


def test_weights_give_the_metric() -> None:
    found = weighted()
    assert found.distance([0.0, 0.25], [0.5, 0.75]) == pytest.approx(math.hypot(1.5, 2.0))
    assert found.distance([0.0, 0.1], [0.0, 0.9]) == pytest.approx(0.8)
    assert found.distance([0.5, 0.5], [[0.5, 0.5], [1.0, 0.5]]).tolist() == [0.0, 1.5]
    assert found.largest([0.0, 0.1], [0.25, 0.9]) == pytest.approx(0.25)


def test_between_is_exact_at_both_ends() -> None:
    found = weighted()
    generator = np.random.default_rng(3)
    for a, b in generator.random((50, 2, 2)):
        points = found.between(a, b, [0.0, 0.5, 1.0])
        assert (points[0] == a).all()
        assert (points[2] == b).all()
        assert found.distance(a, points[1]) == pytest.approx(found.distance(points[1], b))
        assert (found.between(a, b, 0.5) == points[1]).all()


@pytest.mark.parametrize("step", [0.3, 0.25, 0.1, 1.0 / 64.0, 2.0])
def test_a_path_is_bisected_below_the_step(step: float) -> None:
    found = weighted()
    corners = np.array([[0.0, 0.9], [1.0, 0.1], [1.0, 0.1], [0.5, 0.75]])
    path = found.path(corners, step)
    steps = found.largest(path[:-1], path[1:])
    assert (steps < step).all()
    at = [np.flatnonzero((path == c).all(axis=1)) for c in corners]
    assert all(len(found_at) for found_at in at)
    pieces = np.diff([at[0][0], at[1][0], at[3][0]])
    # each segment in 2^k equal pieces, and no more than needed; equal corners have one piece
    halvings = [max(0, math.floor(math.log2(d / step)) + 1) for d in (1.0, 0.5)]
    assert pieces.tolist() == [2 ** halvings[0], 1 + 2 ** halvings[1]]


def test_paths_that_are_none() -> None:
    found = weighted()
    corners = [[0.0, 0.0], [1.0, 0.5]]
    for step in (0.0, -1.0, math.nan):
        with pytest.raises(NormalizedSpaceError, match="must be positive"):
            found.path(corners, step)
    for step in (1e-12, 1e-320):
        with pytest.raises(NormalizedSpaceError, match="are the most"):
            found.path(corners, step)
    with pytest.raises(NormalizedSpaceError, match="finite"):
        found.path([[0.0, 0.0], [math.nan, 0.0]], 0.1)
    assert found.path([[0.25, 0.5]], 0.1).tolist() == [[0.25, 0.5]]
    assert found.path(np.empty((0, 2)), 0.1).shape == (0, 2)


@pytest.mark.parametrize("path", sorted(ROBOTS.glob("*.json")), ids=lambda p: p.stem)
def test_every_small_robot_has_a_space(path: Path) -> None:
    robot = loads(path.read_text("utf-8"), path.name, Findings())
    assert robot is not None
    try:
        mechanism = ub.assemble(robot)
    except ValueError:
        pytest.skip("has joints that cannot be assembled")
    found = mechanism.normalized_space
    for t in (found.default, np.zeros(found.n), np.ones(found.n), np.random.default_rng(1).random(found.n)):
        q = found.to_joints(t)
        assert q.shape == (mechanism.nq,)
        again = found.to_joints(found.from_joints(q))
        np.testing.assert_allclose(again, q, atol=1e-12)
