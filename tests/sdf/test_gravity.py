"""Gravity of links, and that of a world, which simulations and dynamics obey."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import unibody as ub
from unibody.formats.loader import loads
from unibody.model.robot import Robot

PENDULUM = """<link name="rod"><pose>0 0 1 0 0 0</pose>
<inertial><pose>0.5 0 0 0 0 0</pose><mass>2</mass></inertial></link>
<joint name="pin" type="revolute"><parent>world</parent><child>rod</child>
<axis><xyz>0 1 0</xyz></axis></joint>"""
BODY = '<worldbody><body><joint/><geom size="0.1"/></body></worldbody>'


def world(content: str, gravity: str = "", version: str = "1.11") -> str:
    model = f'<model name="m">{content}</model>'
    return f'<sdf version="{version}"><world name="w">{gravity}{model}</world></sdf>'


def moon(value: str = "0 0 -1.62", version: str = "1.11") -> Robot:
    return loads(world(PENDULUM, f"<gravity>{value}</gravity>", version))


def test_gravity_is_that_of_the_world() -> None:
    assert moon().gravity == (0.0, 0.0, -1.62)
    assert loads(world(PENDULUM)).gravity is None
    assert moon("0 -9.81 0").gravity == (0.0, -9.81, 0.0)
    # until 1.5 it is that of the physics
    old = world(PENDULUM, "<physics type='ode'><gravity>1 0 0</gravity></physics>", "1.5")
    assert loads(old).gravity == (1.0, 0.0, 0.0)


def test_dynamics_obey_gravity() -> None:
    for value, robot in ((1.62, moon()), (9.80665, loads(world(PENDULUM)))):
        mechanism = ub.assemble(robot)
        assert mechanism.gravity == (0.0, 0.0, -value)
        assert mechanism.inverse_dynamics([0.0], [0.0], [0.0]) == pytest.approx([-0.5 * 2.0 * value])
        assert mechanism.inverse_dynamics([0.0], [0.0], [0.0], gravity=(0, 0, 0)) == pytest.approx([0.0])
        assert mechanism.energy([0.0], [0.0])[1] == pytest.approx(2.0 * value)
        simulation = ub.simulate(robot)
        assert simulation.gravity == pytest.approx([0.0, 0.0, -value])


def test_a_flag_of_mjcf_switches_gravity_off() -> None:
    off = '<option><flag gravity="disable" contact="disable"/></option>'
    for option, expected in (
        ('<option gravity="0 0 -1.62"/>', (0.0, 0.0, -1.62)),
        (f'<option gravity="0 0 -1.62"/>{off}', (0.0, 0.0, 0.0)),
        ("<option timestep='0.001'/>", None),
    ):
        robot = loads(f"<mujoco>{option}{BODY}</mujoco>", format="mjcf")
        assert robot.gravity == expected
        assert ub.diff(robot, loads(ub.dumps(robot, format="mjcf"), format="mjcf")) == []


def test_gravity_is_written_around_a_model(tmp_path: Path) -> None:
    robot = loads(f'<mujoco><option gravity="0 0 -3.73"/>{BODY}</mujoco>', format="mjcf")
    report = ub.save(robot, tmp_path / "m.sdf", plain=True)
    assert not any(loss.path == "gravity" for loss in report.losses)
    assert ub.load(tmp_path / "m.sdf").gravity == (0.0, 0.0, -3.73)
    (loss,) = (x for x in ub.save(robot, tmp_path / "m.urdf", plain=True).losses if x.path == "gravity")
    assert (loss.row is not None, loss.outcome) == (True, "lost")
    # each world has that of the earth
    earth = replace(robot, gravity=(0.0, 0.0, -9.81))
    (loss,) = (x for x in ub.save(earth, tmp_path / "e.sdf", plain=True).losses if x.path == "gravity")
    assert loss.outcome == "converted"
    assert "<world" not in (tmp_path / "e.sdf").read_text()


def test_links_without_gravity_float() -> None:
    links = '<link name="a"><gravity>0</gravity></link><link name="b"/>'
    text = f'<sdf version="1.11"><model name="m">{links}</model></sdf>'
    found = loads(text)
    assert [link.gravity_compensation for link in found.links if link.name != "world"] == [1.0, 0.0]


def test_a_flag_that_leaves_gravity_on_is_kept() -> None:
    text = '<mujoco><option><flag gravity="enable" energy="enable"/></option><worldbody/></mujoco>'
    robot = ub.loads(text, format="mjcf")
    assert robot.gravity is None
    assert 'gravity="enable"' in ub.dumps(robot, format="mjcf", plain=True)
