"""Robots put together, taken apart and renamed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.convert.models import CASES, neutral

import unibody as ub
from unibody.conversion.pipeline import save
from unibody.edits.names import GraftError, names_of
from unibody.model.json import dumps
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Frame, Joint, Link, Robot, SelfCollision


def test_attach(tmp_path: Path) -> None:
    arm, hand = neutral("pendulum"), neutral("mimic")
    at = Pose((0.1, 0.2, 0.3), (0.6, 0.8, 0.0, 0.0))
    made = ub.attach(arm, hand, "lower", at, prefix="hand_")
    assert len(made.links) == len(arm.links) + len(hand.links)
    assert made.mass == pytest.approx(arm.mass + hand.mass)
    assert made.name == arm.name
    assert made.root == arm.root
    assert [c.joint for c in made.couplings] == [f"hand_{c.joint}" for c in hand.couplings]
    numbers = [j.number for j in made.joints if j.number is not None]
    assert len(set(numbers)) == len(numbers)
    m = ub.assemble(made)
    poses = dict(zip(m.link_names, m.forward_kinematics(m.initial), strict=True))
    expected = poses["lower"] @ np.array(at.matrix())
    assert np.allclose(poses[f"hand_{hand.root}"], expected, atol=1e-15)
    part = ub.subtree(made, f"hand_{hand.root}")
    assert len(part.links) == len(hand.links)
    assert part.mass == pytest.approx(hand.mass)
    save(made, tmp_path / "both.urdf")
    save(made, tmp_path / "both.body")
    assert ub.diff(made, ub.load(tmp_path / "both.urdf")) == []
    assert ub.diff(made, ub.load(tmp_path / "both.body")) == []


def test_attach_refuses() -> None:
    arm = neutral("pendulum")
    with pytest.raises(GraftError, match="no link or frame 'hand'"):
        ub.attach(arm, arm, "hand")
    with pytest.raises(GraftError, match="both robots have a link named 'base'"):
        ub.attach(arm, arm, "lower")
    twice = ub.attach(arm, arm, "lower", prefix="second_")
    assert {x.name for x in twice.links} >= {"lower", "second_lower"}


def two(default: str, prefix: str) -> Robot:
    a, b, c = (f"{prefix}{n}" for n in "abc")
    links = tuple(Link(name=n) for n in (a, b, c))
    joints = tuple(Joint(name=y, kind="revolute", parent=x, child=y) for x, y in ((a, b), (b, c)))
    disabled = ((a, c),) if default != "none" else ()
    rules = SelfCollision(default=default, disabled=disabled)  # type: ignore[arg-type]
    return Robot(name=prefix, links=links, joints=joints, self_collision=rules)


def checked_pairs(robot: Robot) -> set[frozenset[str]]:
    """The pairs of a robot's own links that are tested."""
    said = robot.self_collision
    names = [x.name for x in robot.links]
    joined = {frozenset((j.parent, j.child)) for j in robot.joints}
    out = set()
    for k, a in enumerate(names):
        for b in names[k + 1 :]:
            p = frozenset((a, b))
            default = said.default == "all" or (said.default == "not_adjacent" and p not in joined)
            on = p in {frozenset(x) for x in said.enabled}
            off = p in {frozenset(x) for x in said.disabled}
            if on or (default and not off):
                out.add(p)
    return out


@pytest.mark.parametrize("first", ["all", "none", "not_adjacent"])
@pytest.mark.parametrize("second", ["all", "none", "not_adjacent"])
def test_collision_rules_of_both_hold(first: str, second: str) -> None:
    a, b = two(first, "x"), two(second, "y")
    made = checked_pairs(ub.attach(a, b, "xc"))
    own = {p for p in made if all(n.startswith("x") for n in p)}
    others = {p for p in made if all(n.startswith("y") for n in p)}
    assert own == checked_pairs(a)
    assert others == checked_pairs(b)


def test_subtree() -> None:
    whole = neutral("kitchen_sink")
    made = ub.subtree(whole, "CHEST")
    names = {x.name for x in made.links}
    assert "HEAD" in names
    assert "WAIST" not in names
    assert made.root == "CHEST"
    assert made.base is None
    assert all({j.parent, j.child} <= names for j in made.joints)
    assert all(d.link in names for d in made.devices)
    assert all({x.link_a, x.link_b} <= names for x in made.loops)
    assert "WAIST" not in dumps(made)
    assert ub.diff(ub.subtree(made, "CHEST"), made) == []


def test_subtree_refuses() -> None:
    with pytest.raises(GraftError, match="no link 'NOSE'"):
        ub.subtree(neutral("kitchen_sink"), "NOSE")


@pytest.mark.parametrize("case", CASES)
def test_renaming_back_changes_nothing(case: str) -> None:
    robot = neutral(case)
    there = ub.rename(robot, prefix="a_", suffix="_b")
    found = [name for names in names_of(there).values() for name in names]
    names = {name: name[2:-2] for name in found if name not in ("link_group", "standard_pose")}
    if robot.links:
        assert all(x.name.startswith("a_") for x in there.links)
    assert ub.diff(robot, ub.rename(there, names)) == []


def test_rename() -> None:
    base = Robot(
        name="r",
        links=(Link(name="a"), Link(name="b")),
        joints=(Joint(name="j", kind="revolute", parent="a", child="b"),),
        couplings=(Coupling(joint="j", leader="j"),),
        frames=(Frame(name="tip", link="b"),),
    )
    made = ub.rename(base, {"b": "hand", "r": "arm"})
    assert made.name == "arm"
    assert made.joints[0].child == "hand"
    assert made.frames[0].link == "hand"
    with pytest.raises(GraftError, match="no element named 'x'"):
        ub.rename(base, {"x": "y"})
    with pytest.raises(GraftError, match="would have the name 'b'"):
        ub.rename(base, {"a": "b"})
