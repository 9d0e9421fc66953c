"""The examples of the reference (Robot definition files, "joint"), word for word as input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.formats.mpk.cases import reading
from tests.formats.mpk.formulas import poses

import unibody as ub
from unibody.model.robot import Coordinate, Drive, Frame, Limits
from unibody.model.shape import MeshFile

EXAMPLE_1 = """\
joint Wrist3 {
  parent Wrist2
  Rot1 0 -1 0 -2.61 2.61
  param 5
  model0 "Puma500/puma_6.iv"
}
"""
EXAMPLE_2 = """\
joint TracePoint {
  parent Wrist3
  ConstTransl 0 0.09 0
  tracePoint
}
"""
REST = "#MPK v1.0 robot\njoint Wrist2 { }\n"
MODEL = {"mpk/ivmodels/Puma500/puma_6.iv": "#Inventor V2.0 ascii\nCube { }\n"}


def test_the_examples_are_those_of_the_reference(shared: Path) -> None:
    text = (shared / "formats/seed-mpk-robot-definition.txt").read_text("utf-8")
    assert EXAMPLE_1 in text
    assert EXAMPLE_2 in text


def test_wrist3() -> None:
    found = reading(REST + EXAMPLE_1, MODEL)
    assert found.ok
    # indices 0 to 4 belong to the rest of the Puma
    assert {f.code for f in found.findings} == {"param-unused", "inertia-missing"}
    assert found.robot is not None
    joint, link = found.robot.joint("Wrist3"), found.robot.link("Wrist3")
    assert (joint.parent, joint.child, joint.kind) == ("Wrist2", "Wrist3", "revolute")
    assert joint.axis == (0.0, -1.0, 0.0)
    assert joint.limits == Limits(position=(-2.61, 2.61))
    assert found.robot.coordinates[5] == Coordinate(
        index=5, drives=(Drive(joint="Wrist3", at_zero=-2.61, at_one=2.61),)
    )
    assert [s.geometry for s in link.visuals] == [MeshFile(uri="Puma500/puma_6.iv")]
    assert link.collisions == link.visuals
    assert link.collisions_alt == ()


def test_trace_point() -> None:
    text = REST + EXAMPLE_1 + EXAMPLE_2
    found = reading(text, MODEL)
    assert found.ok
    assert found.robot is not None
    assert found.robot.frames == (Frame(name="TracePoint", link="TracePoint", trace=True),)
    mechanism = ub.assemble(found.robot)
    space = mechanism.normalized_space
    for t in np.random.default_rng(4).random((20, 6)):
        expected = poses(text, t.tolist())["TracePoint"]
        assert abs(expected[1, 3] - 0.09) < 1e-15  # on the axis: it turns in place
        curve = mechanism.trace([space.default, t], 0.1)["TracePoint"]
        np.testing.assert_allclose(curve[-1], expected[:3, 3], atol=1e-15)


def test_the_syntax_of_selfcoll_and_param() -> None:
    text = REST + "joint A { parent Wrist2 Rot1 0 0 1 0 1 param 1 }\n"
    text += "selfcoll {\n  Wrist2 A\n  A Wrist2\n}\n"
    text += "param {\n  0 { cyclic passive }\n  1 { weight 2 default 0.25 }\n}\n"
    robot = reading(text).robot
    assert robot is not None
    assert robot.self_collision.enabled == (("Wrist2", "A"),)
    first, second = robot.coordinates
    assert (first.cyclic, first.passive) == (True, True)
    assert (second.weight, second.default) == (2.0, 0.25)
