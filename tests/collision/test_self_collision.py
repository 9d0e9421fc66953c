"""Which pairs of links can touch: what is proved holds in dense samples, and every witness touches."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.mechanism.test_forward_kinematics import random_robot

import unibody as ub
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Coupling, Drive

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.collision.matrix import CollisionMatrix, MatrixSearch, self_collision

DIGGER = Path(__file__).parents[1] / "commands/models/digger.urdf"
SR1 = "corpus/dev/choreonoid+choreonoid/share/model/SR1/SR1.body"


def box(size: tuple[float, float, float], at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> ub.Shape:
    return ub.Shape(geometry=ub.Box(size=size), pose=ub.Pose(at))


def link(name: str, *shapes: ub.Shape) -> ub.Link:
    return ub.Link(name=name, collisions=shapes)


def joint(name: str, parent: str, child: str, **more: Any) -> ub.Joint:
    limits = ub.Limits(position=more.pop("range", (-math.inf, math.inf)))
    origin = ub.Pose(more.pop("at", (0.0, 0.0, 0.0)))
    return ub.Joint(
        name=name,
        parent=parent,
        child=child,
        limits=limits,
        origin=origin,
        kind=more.pop("kind", "revolute"),
        **more,
    )


def robot_of(links: tuple[ub.Link, ...], *joints: ub.Joint, **more: Any) -> ub.Robot:
    return ub.Robot(name="robot", base="fixed", links=links, joints=joints, **more)


def samples_of(m: ub.Mechanism, rng: np.random.Generator, count: int) -> Any:
    """Random configurations within the limits, many at them; joints without limits make many turns."""
    low, high = np.minimum(m.tree.lower, m.tree.upper), np.maximum(m.tree.lower, m.tree.upper)
    share = rng.random((count, m.nq))
    share = np.where(rng.random((count, m.nq)) < 0.3, np.round(share), share)
    low, high = np.where(np.isfinite(low), low, -20.0), np.where(np.isfinite(high), high, 20.0)
    q = low + share * (high - low)
    for kind, at in zip(m.tree.kinds, m.idx_q.tolist(), strict=True):
        if kind in ("ball", "free"):
            four = slice(at + KINDS[kind].nq - 4, at + KINDS[kind].nq)
            q[:, four] = rng.normal(size=(count, 4))
    return np.asarray(m.apply_couplings(q))


def assert_sound(robot: ub.Robot, matrix: CollisionMatrix, seed: int, count: int = 3_000) -> None:
    """No sample touches in a pair that never does, and every witness touches."""
    never = [pair.links for pair in matrix.with_status("never")]
    if never:
        world = ub.collisions(robot, pairs=never)
        q = samples_of(world.mechanism, np.random.default_rng(seed), count)
        assert not world.colliding(q).any()
    for pair in matrix.pairs:
        if pair.status == "possible":
            assert pair.witness is not None
            world = ub.collisions(robot, pairs=[pair.links])
            assert world.colliding(pair.witness)


@given(st.integers(0, 10_000))
def test_proofs_hold_in_dense_samples(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(seed, 3 + seed % 5)
    sizes = rng.uniform(0.05, 0.5, (len(robot.links), 3))
    links = tuple(
        replace(each, collisions=(box((x, y, z), (0.2, 0.0, 0.1)),))
        for each, (x, y, z) in zip(robot.links, sizes.tolist(), strict=True)
    )
    joints = tuple(
        replace(j, limits=ub.Limits(position=(-0.4, 0.7))) if rng.random() < 0.7 else j
        for j in robot.joints
    )
    robot = replace(robot, links=links, joints=joints)
    matrix = self_collision(robot, samples=100, cells=500, seed=seed)
    assert_sound(robot, matrix, seed, 1_000)


def test_a_touch_at_the_corner_of_the_limits_is_found() -> None:
    # two rods of 2 mm whose ends meet only where four joints are at their limits
    rods = tuple(link(f"l{i}", box((0.3, 0.002, 0.002), (0.15, 0.0, 0.0))) for i in range(6))
    joints = [
        joint(f"j{i}", f"l{i}", f"l{i + 1}", range=(-1.0, 1.13), at=(0.3, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
        for i in range(5)
    ]
    robot = robot_of(rods, *joints)
    matrix = self_collision(robot, samples=200, cells=20_000)
    assert matrix.of("l0", "l5").status == "possible"
    assert_sound(robot, matrix, 1)


def hand(ratio: float, **more: Any) -> ub.Robot:
    """A finger that follows a wheel elsewhere; it reaches a post at ``at`` rad."""
    at = more.pop("at", math.pi)
    post = (0.5 * math.cos(at), 0.5 * math.sin(at), 0.0)
    links = (
        link("base", box((0.05, 0.05, 0.2), post)),
        link("wheel", box((0.1, 0.1, 0.1), (0.0, 0.0, 5.0))),
        link("arm"),
        link("finger", box((0.1, 0.01, 0.01), (0.5, 0.0, 0.0))),
    )
    return robot_of(
        links,
        joint("turn", "base", "wheel", **more),
        joint("follow", "base", "arm", range=(-0.1, 0.1)),
        # between the post and the finger there are two joints: they are not adjacent
        joint("wrist", "arm", "finger", range=(-0.01, 0.01)),
        couplings=(Coupling(joint="follow", leader="turn", ratio=ratio),),
    )


def test_followers_go_beyond_their_own_limits() -> None:
    assert self_collision(hand(1.0), samples=20).of("base", "finger").status == "possible"
    free = self_collision(hand(1.0, range=(-2.0, 2.0)), samples=20).of("base", "finger")
    assert free.status == "never"


def test_followers_of_a_turning_leader_need_all_of_its_turns() -> None:
    # half a turn of the finger takes a whole one of the wheel: it gets there only after half a turn more
    found = self_collision(hand(0.5), samples=20).of("base", "finger")
    assert found.status == "possible"
    # within one turn of the wheel, from -180° to 180°, a sixth of it does not get to 170°
    found = self_collision(hand(1.0 / 6.0, at=2.9), samples=50).of("base", "finger")
    assert found.status != "never"
    # a ratio that never repeats is not proved, however far the post is
    far = hand(math.sqrt(2.0), at=2.9)
    links = (link("base", box((0.05, 0.05, 0.05), (9.0, 0.0, 0.0))), *far.links[1:])
    found = self_collision(replace(far, links=links), samples=20).of("base", "finger")
    assert found.status == "unseen"


def test_a_long_screw_is_searched_over_all_of_its_turns() -> None:
    # the nut reaches the post only after 60 turns of 10 mm
    links = (
        link("base", box((0.3, 0.3, 0.02), (0.0, 0.0, 0.6))),
        link("between"),
        link("nut", box((0.1, 0.1, 0.02))),
    )
    robot = robot_of(
        links,
        joint("tilt", "base", "between", range=(-0.001, 0.001)),
        joint("spindle", "between", "nut", kind="screw", pitch=0.01, range=(0.0, 2.0 * math.pi * 61.0)),
    )
    assert self_collision(robot, samples=50).of("base", "nut").status == "possible"
    shorter = replace(robot.joints[1], limits=ub.Limits(position=(0.0, 2.0 * math.pi * 40.0)))
    free = replace(robot, joints=(robot.joints[0], shorter))
    assert self_collision(free, samples=50).of("base", "nut").status == "never"


@pytest.mark.parametrize("kind", ["free", "planar", "prismatic"])
def test_without_limits_nothing_is_proved(kind: Any) -> None:
    links = (link("a", box((0.1, 0.1, 0.1))), link("b"), link("c", box((0.1, 0.1, 0.1), (0.0, 0.0, 3.0))))
    robot = robot_of(
        links, joint("first", "a", "b", range=(-1.0, 1.0)), joint("slide", "b", "c", kind=kind)
    )
    assert self_collision(robot, samples=50).of("a", "c").status != "never"


def test_ball_joints_are_covered() -> None:
    ball = joint("ball", "b", "c", kind="ball", at=(1.0, 0.0, 0.0))
    turn = joint("turn", "a", "b", range=(-0.1, 0.1))
    near = (link("a", box((0.1, 0.1, 0.1))), link("b"), link("c", box((0.1, 0.1, 0.1), (0.0, 0.0, 0.95))))
    matrix = self_collision(robot_of(near, turn, ball), samples=50)
    assert matrix.of("a", "c").status == "possible"
    far = (*near[:2], link("c", box((0.1, 0.1, 0.1), (0.0, 0.0, 0.7))))
    assert self_collision(robot_of(far, turn, ball), samples=50).of("a", "c").status == "never"


def test_coordinates_of_mpk_move_several_joints() -> None:
    grip = (
        Drive(joint="left", at_zero=0.0, at_one=0.3),
        Drive(joint="right", at_zero=0.0, at_one=0.3),
    )
    bars = (
        link("palm", box((0.02, 0.02, 0.02), (0.0, 9.0, 0.0))),
        link("one", box((0.05, 0.05, 0.05), (0.1, 0.0, 0.0))),
        link("two", box((0.05, 0.05, 0.05), (-0.1, 0.0, 0.0))),
    )
    slides = [
        joint(name, "palm", child, kind="prismatic", axis=(1.0, 0.0, 0.0), range=(-1.0, 1.0))
        for name, child in (("left", "one"), ("right", "two"))
    ]
    # both go to the right, so that the gap stays; each alone would close it
    robot = robot_of(bars, *slides)
    assert self_collision(robot).of("one", "two").status == "possible"
    together = replace(robot, coordinates=(ub.Coordinate(index=0, drives=grip),))
    matrix = self_collision(together, samples=20)
    assert matrix.of("one", "two").status == "never"


def test_a_closed_mesh_that_holds_a_link_is_always_in_collision() -> None:
    shell = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))])
    hull = ub.Shape(geometry=ub.Mesh(vertices=shell, faces=faces))
    links = (link("shell", hull), link("between"), link("core", box((0.1, 0.1, 0.1))))
    joints = (joint("a", "shell", "between"), joint("b", "between", "core", range=(-1.0, 1.0)))
    assert self_collision(robot_of(links, *joints), samples=20).of("shell", "core").status == "always"


def test_witnesses_of_loops_are_closed() -> None:
    # a parallelogram: open, its upper bar gets to the post; closed, the bar stays level and above it
    bars = (
        link("base", box((0.02, 0.2, 0.02), (0.5, 0.0, 0.35))),
        link("left"),
        link("right"),
        link("top", box((1.0, 0.02, 0.02), (0.5, 0.0, 0.0))),
    )
    y = (0.0, 1.0, 0.0)
    robot = robot_of(
        bars,
        joint("a", "base", "left", axis=y, range=(-0.3, 0.3)),
        joint("b", "left", "top", axis=y, range=(-0.6, 0.6), at=(0.0, 0.0, 0.5)),
        joint("c", "base", "right", axis=y, range=(-0.5, 0.5), at=(1.0, 0.0, 0.0)),
        loops=(
            ub.Loop(
                name="loop",
                link_a="top",
                link_b="right",
                pose_a=ub.Pose((1.0, 0.0, 0.0)),
                pose_b=ub.Pose((0.0, 0.0, 0.5)),
            ),
        ),
    )
    assert self_collision(replace(robot, loops=()), samples=200).of("base", "top").status == "possible"
    assert self_collision(robot, samples=200).of("base", "top").status == "unseen"
    tall = (link("base", box((0.02, 0.2, 0.02), (0.5, 0.0, 0.47))), *bars[1:])
    found = self_collision(replace(robot, links=tall), samples=200)
    pair = found.of("base", "top")
    assert pair.status == "possible"
    assert pair.witness is not None
    assert np.asarray(found.mechanism.close_loops(pair.witness).closed).all()
    low = (link("base", box((0.02, 0.2, 0.02), (0.5, 0.0, -0.5))), *bars[1:])
    assert self_collision(replace(robot, links=low), samples=50).of("base", "top").status == "never"


def test_rules_and_order() -> None:
    robot = ub.load(DIGGER)
    first, second = (self_collision(robot, samples=100, seed=3) for _ in range(2))
    assert [(p.links, p.status, p.found) for p in first.pairs] == [
        (p.links, p.status, p.found) for p in second.pairs
    ]
    rules = first.rules()
    assert rules.default == "all"
    assert set(rules.disabled) == {
        p.links for p in first.pairs if p.status in ("adjacent", "always", "never")
    }
    with pytest.raises(ValueError, match="unknown status 'nevr'"):
        first.rules(["nevr"])
    with pytest.raises(ValueError, match="unknown link 'buckett'"):
        first.of("buckett", first.pairs[0].links[0])


def test_the_work_can_end_early() -> None:
    work = MatrixSearch(ub.load(Path(ub.__file__).parent / "models" / "biped.body"))
    done = [next(steps) for steps in [work.steps()] for _ in range(3)]
    assert 0 <= max(done) <= work.total
    matrix = work.result()
    assert not matrix.complete
    assert matrix.with_status("unseen")


def test_the_time_limit_ends_the_work_and_its_share_is_told() -> None:
    robot, shares = ub.load(DIGGER), list[float]()
    assert self_collision(robot, samples=20, cells=50, time_limit=1e6, progress=shares.append).complete
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len(shares) > 3
    early = list[float]()
    assert not self_collision(robot, time_limit=0.0, progress=early.append).complete
    assert early == [0.0]


def test_a_position_beyond_all_measure_is_passed_over() -> None:
    """The initial position has no exact pose, the folded posture has: that one is the witness."""
    links = (link("a", box((0.1, 0.1, 0.1), (0.5, 0.0, 0.0))), link("b"), link("c", box((1.2, 0.02, 0.02))))
    robot = robot_of(
        links,
        joint("turn", "a", "b", initial=1e10),
        joint("wrist", "b", "c", range=(-0.01, 0.01)),
        configurations=(
            ub.Configuration(name="far", positions=(("turn", -1e10),)),
            ub.Configuration(name="folded", positions=(("turn", 0.0),)),
        ),
    )
    pair = self_collision(robot, samples=10, cells=10).of("a", "c")
    assert (pair.status, pair.found) == ("possible", "folded")


@pytest.mark.slow
def test_sr1(shared: Path) -> None:
    robot = ub.load(shared / SR1)
    matrix = self_collision(robot)
    assert matrix.complete
    tested = [pair for pair in matrix.pairs if pair.tested]
    assert len(tested) == 345
    never = [pair for pair in tested if pair.status == "never"]
    assert len(never) >= 15
    late = [p for p in tested if p.found == "search" and p.share == 0.0 and p.samples == 10_000]
    assert len(late) >= 12
    assert_sound(robot, matrix, 5, 100_000)


def test_pairs_by_proof() -> None:
    robot = ub.load(DIGGER)
    matrix = self_collision(robot)
    world = ub.collisions(robot, pairs="matrix")
    assert world.pairs == matrix.undecided
    assert {p.status for p in matrix.pairs if p.links in world.pairs} <= {"possible", "unseen"}
    assert {p.status for p in matrix.pairs if p.links not in world.pairs} <= {"adjacent", "always", "never"}


def test_rules_choose_the_pairs_that_are_examined() -> None:
    robot = ub.load(DIGGER)
    whole = self_collision(robot, samples=20, cells=50)
    tested = {pair.links for pair in whole.pairs if pair.tested and pair.status != "adjacent"}
    of_file = self_collision(robot, samples=20, cells=50, pairs="file")
    assert {pair.links for pair in of_file.pairs if pair.status != "adjacent"} == tested
    none = self_collision(robot, samples=20, cells=50, pairs="none")
    assert {pair.status for pair in none.pairs} == {"adjacent"}
    # what was not examined is not tested
    assert set(of_file.rules().disabled) >= set(of_file.unexamined) != set()
    assert ub.collisions(robot, pairs="none").pairs == ()


def test_simulations_test_the_pairs_of_a_rule() -> None:
    robot = ub.load("src/unibody/models/arm.rob")
    rules = [
        ub.simulate(robot, density=1000.0, pairs=rule).robot.self_collision
        for rule in ("file", "none", "all")
    ]
    assert rules == [robot.self_collision, robot.self_collision, ub.SelfCollision(default="all")]


@pytest.mark.slow
def test_the_matrix_is_the_same_everywhere() -> None:
    robot = ub.load("src/unibody/models/arm.rob")
    matrix = ub.self_collision(robot)
    again = self_collision(robot, samples=50, pairs="matrix")
    assert {pair.links for pair in again.pairs if pair.status != "adjacent"} == set(matrix.undecided)
    assert set(ub.collisions(robot, pairs="matrix").pairs) == set(matrix.undecided)
    assert ub.simulate(robot, density=1000.0, pairs="matrix").robot.self_collision == matrix.rules()
