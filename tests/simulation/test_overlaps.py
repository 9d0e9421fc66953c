"""Links of one robot that overlap where a motion begins do not touch in that run; all else does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unibody as ub
from unibody.model.pose import Pose

BALL = ub.Shape(geometry=ub.Sphere(radius=0.1))
MASS = ub.Inertial(mass=1.0, inertia=((0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.01)))


def _robot(name: str, reach: float = 0.15) -> ub.Robot:
    """Two balls at the ends of a chain of two joints, ``reach`` apart."""
    links = (
        ub.Link(name="base", inertial=MASS, collisions=(BALL,)),
        ub.Link(name="middle", inertial=MASS),
        ub.Link(name="tip", inertial=MASS, collisions=(BALL,)),
    )
    joints = (
        ub.Joint(name="turn", kind="revolute", parent="base", child="middle"),
        ub.Joint(
            name="slide", kind="prismatic", parent="middle", child="tip",
            origin=Pose((reach, 0.0, 0.0)), axis=(1.0, 0.0, 0.0),
        ),
    )  # fmt: skip
    return ub.Robot(name=name, links=links, joints=joints, base="free")


def _energy(sim: ub.Simulation) -> float:
    return float(np.sum(sim.mechanism.energy(sim.q, sim.v, (0.0, 0.0, 0.0))))


def test_overlapping_links_are_left_out_and_named() -> None:
    sim = ub.simulate(_robot("balls"), gravity=(0.0, 0.0, 0.0))
    (finding,) = sim.findings
    assert finding.code == "simulation-left-out"
    assert "'base' and 'tip' (50 mm)" in finding.message
    sim.run(0.5)
    assert _energy(sim) == 0.0
    other = sim.copy()
    other.run(0.1)
    assert not len(other.contacts)
    kept = ub.simulate(_robot("balls"), gravity=(0.0, 0.0, 0.0), pairs="all")
    assert [each.code for each in kept.findings] == ["simulation-overlap"]
    kept.run(0.5)
    assert _energy(kept) > 0.1


def test_they_touch_in_a_run_that_begins_apart() -> None:
    sim = ub.simulate(_robot("balls"), gravity=(0.0, 0.0, 0.0))
    sim.reset({"slide": 0.1})
    assert not sim.findings
    sim.set_effort({"slide": -5.0})
    sim.run(0.5)
    assert [set(pair) for pair in sim.contacts.links] == [{"base", "tip"}]
    state = sim.state
    sim.reset()
    assert [each.code for each in sim.findings] == ["simulation-left-out"]
    sim.state = state
    sim.run(0.1)
    assert len(sim.contacts)
    other = sim.copy()
    other.run(0.1)
    assert len(other.contacts)


@pytest.mark.parametrize("floor", [None, -0.05])
def test_robots_and_floors_are_never_left_out(floor: float | None) -> None:
    two = ub.Scene(
        name="two",
        robots=(_robot("one", 0.3), replace(_robot("other", 0.3), pose=Pose((0.0, 0.15, 0.0)))),
    )
    sim = ub.simulate(two, floor=floor)
    assert {each.code for each in sim.findings} == {"simulation-overlap"}
    sim.run(0.05)
    touching = {frozenset(name.partition(":")[0] for name in pair) for pair in sim.contacts.links}
    assert sim.q[7] != 0.0 or touching


def test_obstacles_of_the_file_are_never_left_out() -> None:
    text = """
    <mujoco>
      <worldbody>
        <geom name="wall" type="box" size="0.1 1 1" pos="0.15 0 0"/>
        <body name="arm">
          <joint name="turn" axis="0 0 1"/>
          <geom size="0.1"/>
          <body name="tip" pos="0.1 0.05 0"><joint name="bend" axis="0 0 1"/><geom size="0.1"/></body>
        </body>
        <body name="block" pos="0 0.15 0"><freejoint/><geom size="0.1"/></body>
      </worldbody>
    </mujoco>"""
    sim = ub.simulate(ub.loads(text))
    assert {each.code for each in sim.findings} == {"simulation-overlap"}
    message = sim.findings[0].message
    assert "'block'" in message
    assert "'arm'" in message
