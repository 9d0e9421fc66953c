"""Plans of a group of joints: all others stay where the start has them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.cli.output import UsageError
from unibody.cli.world import state

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.test_loops import five_bar

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


def with_passive(path: Path) -> Path:
    """The robot whose second joint is passive in its SRDF."""
    srdf = path.with_suffix(".srdf")
    srdf.write_text(SRDF.replace("</robot>", '<passive_joint name="l2"/></robot>'), "utf-8")
    return path


def test_passive_joints_are_not_moved(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = ub.load(with_passive(path))
    assert [joint.name for joint in robot.joints if joint.passive] == ["l2"]
    for group in (None, "left", ["l1", "l2"]):
        assert moved(ub.plan(robot, None, {"l1": 0.5}, group=group)) == {"l1"}
    still = ub.plan(robot, None, {"l2": 0.5})
    assert still.message == "the goal moves l2, which is passive; let the goal leave it where it is"
    mechanism = ub.assemble(robot)
    target = mechanism.pose({"l1": 0.4}, "l2")
    found = mechanism.inverse_kinematics("l2", target)
    assert found.converged
    assert found.q[1] == 0.0
    bent = mechanism.inverse_kinematics("l2", mechanism.pose({"l1": 0.4, "l2": 0.3}, "l2"))
    assert not bent.converged
    assert main(["ik", str(path), "l2", "--place", "0.6,0.2,0"]) == 1
    assert "l2 " not in capsys.readouterr().out
    # what is read is written again, by a new SRDF, too
    ub.save(robot, tmp_path / "again.urdf")
    assert '<passive_joint name="l2"' in (tmp_path / "again.srdf").read_text("utf-8")
    assert ub.load(tmp_path / "again.urdf").joint("l2").passive


def test_passive_joints_follow_closed_loops() -> None:
    robot = five_bar()
    passive = tuple(replace(joint, passive=joint.name in ("ja1", "jb1")) for joint in robot.joints)
    world = ub.collisions(replace(robot, joints=passive), pairs=[])
    start, goal = (world.mechanism.close_loops(q).q for q in ((2.1, -1.4, 1.5, 1.1), (1.9, -1.4, 1.3, 1.2)))
    plan = ub.plan(world, start, goal)
    assert plan.status == "sampled"
    assert np.abs(np.ptp(plan.found, axis=0)).min() > 0.01


def test_a_locked_joint_does_not_follow_a_loop() -> None:
    world = ub.collisions(five_bar(), pairs=[])
    start, goal = (world.mechanism.close_loops(q).q for q in ((2.1, -1.4, 1.5, 1.1), (1.9, -1.4, 1.3, 1.2)))
    plan = ub.plan(world, start, goal, lock=["ja1"])
    assert (plan.reason, plan.joint) == ("goal not reached by the coordinates", "ja1")


def test_a_path_of_a_group(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "path.csv"
    words = ["check-path", str(path), str(file)]
    file.write_text("l1,l2,r1,r2\n0,0,0.3,0.3\n0.5,0,0.3,0.3\n0.5,0.2,0.4,0.4\n", "utf-8")
    assert main(words) == 0
    capsys.readouterr()
    for group in ("left", "l1,l2"):
        assert main([*words, "--group", group, "--json"]) == 1
        said = json.loads(capsys.readouterr().out)
        assert (said["status"], said["moved"]) == ("free", {"row": 2, "joint": "r1"})
    assert main([*words, "--group", "left"]) == 1
    message = "r1 must not move, since it is not in --group left; it has moved at configuration 3"
    assert message in capsys.readouterr().out
    assert main([*words, "--group", "l1,l2,r1"]) == 0  # r2 follows
    assert main([*words, "--group", "lift"]) == 2
    assert "did you mean 'left'" in capsys.readouterr().err


def test_a_path_of_a_group_beside_what_rests(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The path that a plan of a group finds is proved for this group."""
    wall = (
        '<robot name="wall"><link name="wall"><collision><geometry><box size="0.05 0.05 0.5"/></geometry>'
    )
    (tmp_path / "wall.urdf").write_text(f"{wall}</collision></link></robot>", "utf-8")
    beside = ["--with", f"{tmp_path / 'wall.urdf'}@-0.7,0,0", "--group", "left"]
    file = str(tmp_path / "p.csv")
    assert main(["plan", str(path), "--goal", "l1=0.5", *beside, "-o", file]) == 0
    capsys.readouterr()
    assert main(["check-path", str(path), file, *beside]) == 0
    assert "r1 and wall" in capsys.readouterr().out
    assert main(["check-path", str(path), file, *beside[:2]]) == 1


LOCKED = """<mujoco><worldbody><body name="base"><geom type="box" size=".05 .05 .05"/>
<body name="a" pos="0.2 0 0"><joint name="j1" axis="0 0 1" range="-90 90" limited="true"/>
<geom type="box" size=".1 .02 .02" pos=".15 0 0"/>
<body name="b" pos="0.4 0 0"><joint name="j2" axis="0 0 1"/>
<geom type="box" size=".1 .02 .02" pos=".15 0 0"/>
<body name="c" pos="0.4 0 0"><joint name="j3" axis="0 0 1" range="-90 90" limited="true"/>
<geom type="box" size=".1 .02 .02" pos=".15 0 0"/></body></body></body></body></worldbody>
<equality><joint joint1="j2" polycoef="0.5 0 0 0 0"/></equality></mujoco>"""
HELD = """<robot name="held"><link name="base"/><link name="a"/><link name="b"/>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="j2" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.4 0 0"/>
<axis xyz="0 0 1"/><limit lower="0.5" upper="0.5" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize(("name", "text"), [("held.xml", LOCKED), ("held.urdf", HELD)])
def test_equal_limits_lock_a_joint(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    mechanism = ub.assemble(ub.load(file))
    assert mechanism.initial[1] == 0.5
    assert moved(ub.plan(file, None, {"j1": 0.4})) == {"j1"}
    held = ub.plan(file, None, {"j2": 0.0})
    assert (
        held.message
        == "the goal moves j2, which is locked by equal limits; let the goal leave it where it is"
    )
    assert held.joint == "j2"
    found = mechanism.inverse_kinematics("b", mechanism.pose({"j1": 0.4}, "b"))
    assert found.converged
    assert found.q[:2] == pytest.approx([0.4, 0.5], abs=1e-5)
    assert not mechanism.inverse_kinematics("b", mechanism.pose({"j2": 0.0}, "b")).converged
    assert main(["fk", str(file)]) == 0
    assert "equal limits" not in capsys.readouterr().err
    assert main(["fk", str(file), "--set", "j2=0"]) == 0
    assert "joint 'j2' is at 0°, but equal limits lock it at 28.6479°" in capsys.readouterr().err


def test_pairs_beyond_a_locked_joint_never_touch(tmp_path: Path) -> None:
    """The third link reaches the base only if the second joint bends further than it may."""
    (tmp_path / "held.xml").write_text(LOCKED, "utf-8")
    assert ub.self_collision(tmp_path / "held.xml").of("base", "c").status == "never"
    (tmp_path / "held.xml").write_text(LOCKED.replace('polycoef="0.5 0 0 0 0"', 'active="false"'), "utf-8")
    assert ub.self_collision(tmp_path / "held.xml").of("base", "c").status == "possible"


def test_joints_of_several_numbers_are_given_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """<robot name="mob"><link name="floor"/><link name="car"/><joint name="drive" type="planar">
<parent link="floor"/><child link="car"/><axis xyz="0 0 1"/></joint></robot>"""
    file = tmp_path / "mob.urdf"
    file.write_text(text, "utf-8")
    for words in (
        ["fk", "--set", "drive=1,2,0.5"],
        ["fk", "drive=1,2,0.5"],
        ["plan", "--goal", "drive=1,2,0.5", "--bounds", "drive=-3:3,-3:3"],
        ["plan", "--start", "drive=1,2,0.5", "--goal", "drive=1,2,0.5"],
    ):
        assert main([words[0], str(file), *words[1:], "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        q = said["q"]["drive"] if words[0] == "fk" else said["path"][-1]
        assert q == pytest.approx([1.0, 2.0, 0.5])
    for words in (
        ["fk", "--set", "drive.0=1"],
        ["plan", "--goal", "drive.0=1"],
        ["fk", "--set", "drive=1"],
    ):
        assert main([words[0], str(file), *words[1:]]) == 2
