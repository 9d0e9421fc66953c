"""Plans of universal joints, and of planar joints, free bases and joints without limits within bounds."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.robots import bar, box, joint
from tests.planning.test_loops import five_bar

FLAT = ub.SelfCollision(default="none")
#: Stands between the start and the goal of the car.
POST = box("post", (0.4, 0.4, 2.0), (1.0, 0.0, 0.0))
DRIVE = {"drive": ((-3.0, 3.0), (-3.0, 3.0))}


def car() -> ub.Robot:
    """A box on a planar joint, with an arm."""
    body = ub.Link(name="car", collisions=(box("car", (0.6, 0.4, 0.3), (0.0, 0.0, 0.15)),))
    lift = joint("lift", "car", "arm", limits=(-1.5, 1.5), at=(0.0, 0.0, 0.4), axis=(0.0, 1.0, 0.0))
    return ub.Robot(
        name="mob",
        links=(ub.Link(name="odom"), body, ub.Link(name="arm")),
        joints=(joint("drive", "odom", "car", "planar"), lift),
        base="fixed",
        self_collision=FLAT,
    )


def plank(kind: str = "base") -> ub.Robot:
    """A plank of 1 m that floats, as a base, or at a free joint."""
    link = ub.Link(name="plank", collisions=(box("plank", (1.0, 0.1, 0.1), (0.0, 0.0, 0.0)),))
    if kind == "base":
        return ub.Robot(name="plank", links=(link,), base="free", self_collision=FLAT)
    root = ub.Link(name="world")
    floats = joint("float", "world", "plank", "free")
    return ub.Robot(name="plank", links=(root, link), joints=(floats,), base="fixed", self_collision=FLAT)


#: A wall with a hole of 0.7 m, which the plank passes only along its own length.
SLIT = [
    box("left", (0.1, 1.0, 3.0), (0.0, 0.85, 0.0)),
    box("right", (0.1, 1.0, 3.0), (0.0, -0.85, 0.0)),
    box("top", (0.1, 3.0, 1.0), (0.0, 0.0, 0.85)),
    box("bottom", (0.1, 3.0, 1.0), (0.0, 0.0, -0.85)),
]


def turned(a: np.ndarray, b: np.ndarray, s: float) -> np.ndarray:
    """The quaternion a share s of the way along the shorter arc."""
    b = b if a @ b >= 0.0 else -b
    angle = math.acos(min(1.0, float(a @ b)))
    if angle < 1e-9:
        return a
    return np.asarray((math.sin((1.0 - s) * angle) * a + math.sin(s * angle) * b) / math.sin(angle))


def samples(path: np.ndarray, count: int = 200, four: int | None = None) -> np.ndarray:
    """Configurations along a path: straight, and with a quaternion from ``four`` on along its arc."""
    rows = []
    for a, b in pairwise(path):
        for s in np.linspace(0.0, 1.0, count):
            row = a + s * (b - a)
            if four is not None:
                place = slice(four, four + 4)
                row[place] = turned(a[place], b[place], float(s))
            rows.append(row)
    return np.array(rows)


def is_free(plan: ub.PlanResult, four: int | None = None) -> bool:
    """Whether the path is proved, and free at dense samples of what it says."""
    dense = not plan.world.colliding(samples(plan.found, four=four)).any()
    return plan.status == "free" and plan.world.path(plan.found).status == "free" and dense


def universal(limits: tuple[float, float]) -> ub.World:
    """A bar on a universal joint, and a box that is in the way of the straight motion."""
    wrist = ub.Joint(
        name="wrist",
        kind="universal",
        parent="base",
        child="bar0",
        axis=(0.0, 0.0, 1.0),
        axis2=(0.0, 1.0, 0.0),
        limits=ub.Limits(position=limits),
    )
    links = (ub.Link(name="base"), bar("bar0"))
    robot = ub.Robot(name="stick", links=links, joints=(wrist,), base="fixed", self_collision=FLAT)
    return ub.collisions(robot, [box("post", (0.2, 0.2, 0.6), (0.7, 0.0, 0.0))])


@pytest.mark.parametrize("method", ["rrt-connect", "sbl"])
def test_both_positions_of_a_universal_joint_move(method: ub.planning.planner.Method) -> None:
    world = universal((-1.4, 1.4))
    plan = ub.plan(world, {"wrist": (-0.8, 0.0)}, {"wrist": (0.8, 0.3)}, method, seed=2)
    assert is_free(plan)
    assert np.ptp(plan.found[:, 1]) > 0.2
    assert np.abs(plan.found).max() <= 1.4
    assert is_free(ub.shorten(plan))
    assert plan.found[-1].tolist() == [0.8, 0.3]
    assert ub.plan(world, {"wrist": (-0.8, 0.0)}, {"wrist": (0.8, 1.5)}).reason == "goal outside limits"


def test_a_universal_joint_without_limits_goes_the_short_way() -> None:
    world = universal((-math.inf, math.inf))
    plan = ub.plan(world, {"wrist": (3.0, 0.0)}, {"wrist": (-3.0, 0.0)})
    assert plan.found[-1] == pytest.approx([2.0 * math.pi - 3.0, 0.0])
    motion = ub.timed(plan, velocity=1.0, acceleration=4.0)
    assert motion.duration == pytest.approx(2.0 * math.pi - 6.0 + 0.25)
    back = ub.Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    over = ub.plan(world, {"wrist": (-0.8, 0.0)}, ("bar0", back))
    assert is_free(over)


@pytest.mark.parametrize("method", ["rrt-connect", "sbl"])
def test_a_planar_joint_moves_within_its_bounds(method: ub.planning.planner.Method) -> None:
    world = ub.collisions(car(), [POST])
    plan = ub.plan(world, None, {"drive": (2.0, 0.0, 1.0)}, method, bounds=DRIVE)
    assert is_free(plan)
    assert np.abs(plan.found[:, :2]).max() <= 3.0
    short = ub.shorten(plan)
    assert is_free(short)
    assert 0.0 < short.length <= plan.length
    assert short.found[-1, :2].tolist() == [2.0, 0.0]
    assert math.remainder(short.found[-1, 2] - 1.0, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
    assert ub.timed(short, velocity=1.0, acceleration=1.0).duration > 2.0
    assert len(short.record(clearance=False).times) > 10


def test_a_narrow_strip_is_kept() -> None:
    """Beside the post, the strip of the bounds is too narrow for the car, unless the angle is free."""
    world = ub.collisions(car(), [POST])
    strip = ((-1.0, 3.0), (-0.1, 0.43))
    start, goal = {"drive": (0.0, 0.43, 0.0)}, {"drive": (2.0, 0.43, 0.0)}
    assert is_free(ub.plan(world, start, goal, bounds={"drive": strip}))
    across = {"drive": (*strip, (1.0, 2.0))}
    assert ub.plan(world, start, goal, bounds=across).reason == "start outside limits"
    start, goal = {"drive": (0.0, 0.43, 1.5)}, {"drive": (2.0, 0.43, 1.5)}
    assert ub.plan(world, start, goal, bounds=across, iterations=60).reason == "not found"


def test_a_pose_is_reached_within_bounds() -> None:
    world = ub.collisions(car(), [POST])
    pose = ub.Pose((2.0, 0.5, 0.0), (math.cos(0.5), 0.0, 0.0, math.sin(0.5)))
    plan = ub.plan(world, None, ("car", pose), bounds=DRIVE)
    assert is_free(plan)
    assert world.mechanism.pose(plan.found[-1], "car") == pytest.approx(np.array(pose.matrix()), abs=1e-5)
    far = ub.plan(world, None, ("car", ub.Pose((4.0, 0.0, 0.0))), bounds=DRIVE)
    assert far.path is None
    assert "misses it by 1 m" in far.message


@pytest.mark.parametrize("kind", ["base", "joint"])
def test_a_free_body_turns_through_a_slit(kind: str) -> None:
    world = ub.collisions(plank(kind), SLIT)
    name = "plank" if kind == "base" else "float"
    upright = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    start, goal = {name: (-1.0, 0.1, 0.0, *upright)}, {name: (1.0, -0.1, 0.0, *upright)}
    ends = {name: ((-1.5, 1.5), (-0.6, 0.6), (-0.6, 0.6))}
    assert world.segment(start, goal).status == "hit"
    plan = ub.plan(world, start, goal, bounds=ends)
    assert is_free(plan, four=3)
    assert np.abs(plan.found[:, 0]).max() <= 1.5
    assert np.abs(plan.found[:, 1:3]).max() <= 0.6
    assert np.linalg.norm(plan.found[:, 3:], axis=1) == pytest.approx(np.ones(len(plan.found)))
    short = ub.shorten(plan, shortcuts=30)
    assert is_free(short, four=3)
    assert short.length < plan.length
    with pytest.raises(ValueError, match="no time law"):
        ub.timed(short, velocity=1.0, acceleration=1.0)
    # the record goes along the same arcs
    record = short.record(clearance=False)
    assert not world.colliding(record.q[:, : world.mechanism.nq]).any()


def test_half_a_turn_is_divided() -> None:
    """A line of a path turns by less than half a turn: else it would be another one."""
    world = ub.collisions(plank(), [box("far", (0.1, 0.1, 0.1), (9.0, 0.0, 0.0))])
    over = {"plank": (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)}
    plan = ub.plan(world, None, over, bounds={"plank": ((-2.0, 2.0),) * 3})
    assert len(plan.found) == 3
    assert is_free(plan, four=3)
    assert plan.found[1, :3].tolist() == [0.5, 0.0, 0.0]
    pose = ub.Pose((0.5, 0.5, 0.0), (0.6, 0.0, 0.8, 0.0))
    posed = ub.plan(world, None, ("plank", pose), bounds={"plank": ((-2.0, 2.0),) * 3})
    assert is_free(posed, four=3)
    assert world.mechanism.pose(posed.found[-1], "plank") == pytest.approx(
        np.array(pose.matrix()), abs=1e-5
    )


def test_a_slide_without_limits_moves_within_bounds() -> None:
    links = (ub.Link(name="base"), bar("bar0"))
    slide = joint("slide", "base", "bar0", "prismatic")
    robot = ub.Robot(name="s", links=links, joints=(slide,), base="fixed", self_collision=FLAT)
    world = ub.collisions(robot, [box("far", (0.1, 0.1, 0.1), (9.0, 0.0, 0.0))])
    assert is_free(ub.plan(world, None, {"slide": 0.5}, bounds={"slide": (-1.0, 1.0)}))
    assert (
        ub.plan(world, None, {"slide": 2.0}, bounds={"slide": (-1.0, 1.0)}).reason == "goal outside limits"
    )
    assert 'bounds={"slide": …}' in ub.plan(world, None, {"slide": 0.5}).message


def test_what_has_no_bounds_stays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    world = ub.collisions(car(), [POST])
    for goal in ({"drive": (2.0, 0.0, 1.0)}, ("car", ub.Pose((2.0, 0.0, 0.0)))):
        plan = ub.plan(world, None, goal)
        assert plan.reason == "goal not reached by the coordinates"
        assert plan.joint == "drive"
        assert plan.message.endswith('drive has no bounds; give them as bounds={"drive": …}') or (
            plan.message == 'the goal moves drive, which has no bounds; give them as bounds={"drive": …}'
        )
    missed = ub.plan(world, None, ub.Target(frame="arm", pose=ub.Pose((2.0, 0.0, 0.4)), orientation=False))
    assert "drive has no bounds" in missed.message
    ends = [{"plank": (x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)} for x in (-1.0, 1.0)]
    floating = ub.plan(ub.collisions(plank(), SLIT), ends[0], ends[1])
    assert floating.message == 'the goal moves plank, which has no bounds; give them as bounds={"plank": …}'
    held = ub.plan(world, None, {"drive": (2.0, 0.0, 1.0)}, bounds=DRIVE, lock=["drive"])
    assert "no coordinate moves there" in held.message
    ub.save(car(), tmp_path / "car.urdf")
    words = ["plan", str(tmp_path / "car.urdf"), "--goal", "drive=2,0,1"]
    assert main(words) == 1
    assert "--bounds drive=…" in capsys.readouterr().out
    assert main([*words, "--bounds", "drive=-3:3,-3m:3m", "-o", str(tmp_path / "p.csv")]) == 0
    assert main(["check-path", str(tmp_path / "car.urdf"), str(tmp_path / "p.csv")]) == 0
    assert main([*words, "--bounds", "drive=-3:3,-3"]) == 2
    assert "expected JOINT=LOW:HIGH" in capsys.readouterr().err


def test_groups_and_locks_hold_bases_and_planar_joints() -> None:
    world = ub.collisions(car(), [POST])
    arm = ub.plan(world, None, {"lift": 1.0}, bounds=DRIVE, group=["lift"])
    assert np.ptp(arm.found[:, :3]) == 0.0
    floating = ub.collisions(plank(), [box("far", (0.1, 0.1, 0.1), (9.0, 0.0, 0.0))])
    ends = {"plank": ((-2.0, 2.0),) * 3}
    goal = {"plank": (1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}
    assert is_free(ub.plan(floating, None, goal, bounds=ends, group=["plank"]), four=3)
    with pytest.raises(ValueError, match="no coordinate"):
        ub.plan(floating, None, goal, bounds=ends, lock=["plank"])


def test_a_moving_base_rests_on_nothing() -> None:
    """What touches at the start blocks the plan if the base moves, but not if it stays."""
    robot = ub.Robot(
        name="p",
        links=(plank().links[0], bar("bar0")),
        joints=(joint("j", "plank", "bar0"),),
        base="free",
        self_collision=FLAT,
    )
    table = box("table", (1.0, 1.0, 0.1), (0.0, 0.0, -0.08))
    world = ub.collisions(robot, [table], skip=[("bar0", "table")])
    assert ub.plan(world, None, {"j": 0.5}).resting == (("plank", "table"),)
    moving = ub.plan(world, None, {"j": 0.5}, bounds={"plank": ((-1.0, 1.0),) * 3})
    assert moving.reason == "start in collision"


def test_bounds_that_fit_no_joint() -> None:
    world = ub.collisions(car(), [POST])
    for given, words in (
        ({"drive": ((-3.0, 3.0),)}, "2 or 3 pairs"),
        ({"drive": ((-3.0, 3.0), (3.0, -3.0))}, "the lower one first"),
        ({"drive": ((-3.0, 3.0), (3.0, math.inf))}, "must be finite"),
        ({"lift": ((-1.0, 1.0),)}, "got 'lift'"),
    ):
        with pytest.raises(ValueError, match=words):
            ub.plan(world, None, {"lift": 1.0}, bounds=given)
    with pytest.raises(KeyError, match="did you mean 'drive'"):
        ub.plan(world, None, {"lift": 1.0}, bounds={"driv": ((-3.0, 3.0), (-3.0, 3.0))})
    ends = {"plank": ((-2.0, 2.0),) * 3}
    with pytest.raises(ValueError, match="sbl moves no free bases"):
        ub.plan(plank(), None, {"plank": (1.0, 0, 0, 1, 0, 0, 0)}, "sbl", bounds=ends)
    loops = replace(five_bar(), base="free")
    with pytest.raises(ValueError, match="closed loops"):
        ub.plan(loops, None, {"base": (1.0, 0, 0, 1, 0, 0, 0)}, bounds={"base": ((-2.0, 2.0),) * 3})
