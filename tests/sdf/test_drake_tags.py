"""What Drake adds to SDF."""

from __future__ import annotations

import numpy as np
import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.pose import Pose, from_rpy


def reading(content: str) -> Reading:
    text = f'<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><model name="m">{content}</model></sdf>'
    return read("m.sdf", files=MemoryFiles({"m.sdf": text.encode()}))


PLANAR = """<pose>0 0 1 0 0 0</pose>
<link name="a"><pose>1 0 0 0 0 0.5</pose></link><link name="b"><pose>3 0 0 0 0.3 0</pose></link>
<frame name="f" attached_to="b"><pose>0.1 0.2 0 0.3 0 0</pose></frame>
<frame name="p" attached_to="a"><pose>0 0.5 0 0 0 0.7</pose></frame>
<drake:joint name="pl" type="planar"><drake:parent>p</drake:parent><drake:child>f</drake:child>
<drake:damping>2 2 2</drake:damping></drake:joint>"""


F = np.array(Pose((0.1, 0.2, 0.0), from_rpy(0.3, 0.0, 0.0)).matrix())


def test_a_planar_joint_is_zero_where_its_frames_coincide() -> None:
    robot = reading(PLANAR).robot
    assert robot is not None
    joint = robot.joint("pl")
    assert (joint.kind, joint.parent, joint.child, joint.dynamics.damping) == ("planar", "a", "b", 2.0)
    mechanism = ub.assemble(robot, base="fixed")

    def at(q: list[float], frame: str) -> np.ndarray:
        return np.asarray(mechanism.pose(q, frame))

    start, moved = [0.0] * 3, [0.1, -0.2, 0.3]
    assert at(start, "f") == pytest.approx(at(start, "p"), abs=1e-12)
    # in Drake 1.51
    there = np.linalg.inv(at(start, "a")) @ at(start, "f") @ np.linalg.inv(F)
    assert there[:3, 3] == pytest.approx([0.0466, 0.2894, 0.0591], abs=1e-4)
    normal, step = at(start, "p")[:3, 2], at(moved, "f")[:3, 3] - at(start, "f")[:3, 3]
    assert at(moved, "f")[:3, 2] == pytest.approx(normal, abs=1e-12)
    assert step @ normal == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(step) == pytest.approx(np.hypot(0.1, 0.2))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"planar"', '"ball"', "not-a-choice"),
        ("2 2 2", "1 2 3", "damping-uneven"),
        (">p</drake:parent>", ">q</drake:parent>", "frame-unknown"),
    ],
)
def test_what_drake_rejects_is_reported(old: str, new: str, code: str) -> None:
    assert code in [f.code for f in reading(PLANAR.replace(old, new)).findings]


def links(names: str) -> str:
    ball = '<collision name="c"><geometry><sphere/></geometry></collision>'
    return "".join(f'<link name="{name}">{ball}</link>' for name in names)


def group(name: str, members: str, ignored: str, more: str = "") -> str:
    inside = "".join(f"<drake:member>{x}</drake:member>" for x in members.split())
    inside += "".join(
        f"<drake:ignored_collision_filter_group>{x}</drake:ignored_collision_filter_group>"
        for x in ignored.split()
    )
    return f'<drake:collision_filter_group name="{name}"{more}>{inside}</drake:collision_filter_group>'


@pytest.mark.parametrize(
    ("groups", "off"),
    [
        (group("g", "a b c", "g"), {"ab", "ac", "bc"}),
        (group("g", "a", "h") + group("h", "b c", ""), {"ab", "ac"}),
        (group("g", "a b", "g", ' ignore="true"'), set()),
        (group("g", "a in::x", "g") + f'<model name="in">{links("x")}</model>', {"ain::x"}),
    ],
)
def test_filter_groups_leave_pairs_out(groups: str, off: set[str]) -> None:
    for collide, name in (("1", "disabled"), ("0", "enabled")):
        before, after = (
            reading(f"<self_collide>{collide}</self_collide>{links('abc')}{more}").robot
            for more in (groups.replace("drake:ignored", "drake:not"), groups)
        )
        assert before is not None
        assert after is not None
        changed = {*getattr(before.self_collision, name)} ^ {*getattr(after.self_collision, name)}
        assert {"".join(pair) for pair in changed} == (off if collide == "1" else set())


def test_friction_is_that_of_drake_unless_gazebo_has_another() -> None:
    def friction(inside: str) -> float | None:
        shape = f'<collision name="c"><geometry><sphere/></geometry>{inside}</collision>'
        robot = reading(f'<link name="a">{shape}</link>').robot
        assert robot is not None
        contact = robot.links[-1].collisions[0].contact
        return None if contact is None else contact.sliding

    static = "<drake:mu_static>0.9</drake:mu_static>"
    moving = "<drake:mu_dynamic>0.7</drake:mu_dynamic>"
    drake = "<drake:proximity_properties>{}</drake:proximity_properties>"
    ode = "<surface><friction><ode><mu>0.5</mu></ode></friction></surface>"
    assert friction(drake.format(static)) == 0.9
    assert friction(drake.format(static + moving)) == 0.7
    assert friction(drake.format(moving) + ode) == 0.5
    assert friction(drake.format("")) is None
