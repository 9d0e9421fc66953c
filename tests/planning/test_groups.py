"""Plans of a group of joints: all others stay where the start has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.cli.output import UsageError
from unibody.cli.world import state

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

JOINT = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{name}"/>
<origin xyz="{at} 0 0"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="9" velocity="1"/>{mimic}
</joint>
<link name="{name}"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.3 0.05 0.05"/></geometry>
</collision></link>"""
R2 = '<mimic joint="r1"/>'
JOINTS = [("l1", "base", 0.3, ""), ("l2", "l1", 0.4, ""), ("r1", "base", -0.9, ""), ("r2", "r1", 0.4, R2)]
SRDF = """<robot name="two"><group name="left"><chain base_link="base" tip_link="l2"/></group>
<group_state name="up" group="left"><joint name="l1" value="1"/><joint name="l2" value="0.5"/></group_state>
</robot>"""
#: Stands beside the left arm, between start and goal.
WALL = ub.Shape(geometry=ub.Box(size=(0.05, 0.05, 0.5)), name="wall", pose=ub.Pose((0.98, 0.1, 0.0)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    joints = "".join(JOINT.format(name=n, parent=p, at=at, mimic=mimic) for n, p, at, mimic in JOINTS)
    (tmp_path / "two.urdf").write_text(f'<robot name="two"><link name="base"/>{joints}</robot>', "utf-8")
    (tmp_path / "two.srdf").write_text(SRDF, "utf-8")
    return tmp_path / "two.urdf"


def moved(plan: ub.PlanResult) -> set[str]:
    names = plan.world.mechanism.joint_names
    return {name for name, width in zip(names, np.ptp(plan.found, axis=0), strict=True) if width > 1e-9}


@pytest.mark.parametrize("group", ["left", ["l1", "l2"]])
def test_the_other_arm_stands_still(group: str | list[str], path: Path) -> None:
    world = ub.collisions(path, [WALL])
    start, goal = {"l1": -0.8, "l2": 0.0, "r1": 0.3}, {"l1": 0.9, "l2": 0.0}
    free = ub.plan(world, start, goal, seed=1)
    assert {"r1", "r2"} <= moved(free)
    alone = ub.plan(world, start, goal, group=group, seed=1)
    assert moved(alone) == {"l1", "l2"}
    assert alone.status == "free"
    assert len(alone.found) > 2
    assert moved(ub.shorten(alone)) == {"l1", "l2"}
    assert alone.found[0, 2] == 0.3


def test_locked_joints_stay(path: Path) -> None:
    plan = ub.plan(path, None, {"l2": 1.0, "r1": 0.4}, lock=["l1"])
    assert moved(plan) == {"l2", "r1", "r2"}
    # a locked follower locks its leader
    assert ub.plan(path, None, {"r1": 0.4}, lock=["r2"]).reason == "goal not reached by the coordinates"
    assert moved(ub.plan(path, None, {"r1": 0.4}, group=["r1"])) == {"r1", "r2"}


def test_what_a_group_cannot_do(path: Path) -> None:
    assert ub.plan(path, None, {"r1": 0.4}, group="left").joint == "r1"
    still = ub.plan(path, None, ub.Target(frame="r2", pose=ub.Pose((0.0, 0.0, 0.0))), group="left")
    assert still.reason == "goal not reached by the coordinates"
    assert "no coordinate moves r2" in still.message
    missed = ub.plan(path, None, ub.Target(frame="l2", pose=ub.Pose((0.6, 0.0, 0.05)), orientation=False))
    assert "the nearest misses it by 0.112 m" in missed.message
    with pytest.raises(KeyError, match="did you mean 'left'"):
        ub.plan(path, None, {"l1": 0.1}, group="lift")
    with pytest.raises(KeyError, match="unknown joint 'l3'"):
        ub.plan(path, None, {"l1": 0.1}, lock=["l3"])
    with pytest.raises(ValueError, match="no coordinate"):
        ub.plan(path, None, {"l1": 0.1}, group=["r2"])


def test_the_command_has_groups(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", str(path), "--goal", "up", "-o", str(tmp_path / "p.csv")]
    for more in (["--group", "left"], ["--group", "l1,l2"], ["--lock", "r1"]):
        assert main([*words, *more, "--overwrite"]) == 0
    assert main([*words, "--group", "l1", "--overwrite"]) == 1
    assert main([*words, "--group", "lift", "--overwrite"]) == 2
    assert "did you mean 'left'" in capsys.readouterr().err


def test_what_rests_does_not_block(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wall stands in the other arm, which does not move; it blocks a plan that moves this arm."""
    wall = ub.Shape(geometry=ub.Box(size=(0.05, 0.05, 0.5)), name="wall", pose=ub.Pose((-0.7, 0.0, 0.0)))
    world = ub.collisions(path, [wall])
    assert ub.plan(world, None, {"l1": 0.5}).reason == "start in collision"
    plan = ub.plan(world, None, {"l1": 0.5}, group="left")
    assert plan.status == "free"
    assert plan.resting == (("r1", "wall"),)
    assert ub.shorten(plan).status == "free"
    # what the plan moves is tested
    hit = ub.plan(world, None, {"l1": 0.5}, group=["r1"])
    assert (hit.reason, hit.resting) == ("start in collision", ())


def test_numbers_of_planar_joints_follow_one_another(tmp_path: Path) -> None:
    text = """<robot name="car"><link name="floor"/><link name="car"/><joint name="drive" type="planar">
<parent link="floor"/><child link="car"/><axis xyz="0 0 1"/></joint></robot>"""
    (tmp_path / "car.urdf").write_text(text, "utf-8")
    mechanism = ub.assemble(ub.load(tmp_path / "car.urdf"))
    assert state(mechanism, "drive=2,0,90deg", "--goal") == {"drive": pytest.approx([2.0, 0.0, np.pi / 2])}
    for wrong in ("drive=2,0", "2,drive=0", "drive=1,2,3,4"):
        with pytest.raises(UsageError):
            state(mechanism, wrong, "--goal")
