"""Robot: neighbors in the tree of links, chains, frames, and short texts."""

from __future__ import annotations

import pytest
from tests.model.strategies import robot_of

from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Mesh, Shape, floats


def tree() -> Robot:
    pairs = [("base", "left"), ("left", "hand"), ("base", "right")]
    joints = tuple(Joint(name=f"to_{b}", kind="revolute", parent=a, child=b) for a, b in pairs)
    return Robot(
        name="<b>", links=tuple(Link(name=n) for n in ("base", "left", "hand", "right")), joints=joints
    )


def test_children_and_chains() -> None:
    robot = tree()
    assert robot.children("base") == ("left", "right")
    assert robot.children("hand") == ()
    assert robot.chain("hand", "right") == ("to_hand", "to_left", "to_right")
    assert robot.chain("left", "hand") == ("to_hand",)
    assert robot.chain("base", "base") == ()
    with pytest.raises(KeyError, match="did you mean 'hand'"):
        robot.chain("base", "hnad")


def test_frames_by_name() -> None:
    robot = robot_of("kitchen_sink")
    assert robot.frame(robot.frames[0].name) is robot.frames[0]


def test_short_texts() -> None:
    assert repr(tree()) == "<Robot '<b>': 4 links, 3 joints, 0 kg>"
    assert "\n" not in repr(robot_of("kitchen_sink"))
    assert "<caption>&lt;b&gt;</caption>" in tree()._repr_html_()


def test_links_and_large_meshes_have_a_short_repr() -> None:
    mesh = Mesh(vertices=floats([0.0] * 3000), faces=(0, 1, 2, -1), convex=False)
    link = Link(name="arm", visuals=(Shape(geometry=mesh),))
    assert repr(mesh) == "Mesh(vertices=<3000 numbers>, faces=(0, 1, 2, -1), convex=False)"
    assert repr(link) == "<Link 'arm': massless, 1 visuals, 0 collisions>"
