"""Shapes touch as their files say: friction and stiffness of MJCF, friction of Gazebo in URDF."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.model.shape import Contact

SLOPE = """
<mujoco>
  <option gravity="4 0 -9"/>
  <default><default class="wood"><geom friction="0.2 0.01"/></default></default>
  <worldbody>
    <geom type="plane" size="5 5 0.1"{floor}/>
    <body pos="0 0 0.1"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1" mass="1"{box}/></body>
  </worldbody>{more}
</mujoco>
"""
PAIR = '<contact><pair geom1="box" geom2="{}" friction="0.1 0.1 0.005 0.0001 0.0001"/></contact>'


@pytest.mark.parametrize(
    ("floor", "box", "more"),
    [
        ("", "", ""),  # MuJoCo's own friction is 1, and the box does not slide
        ("", ' friction="1" solref="0.02 1"', ""),
        (' friction="0.1"', ' friction="0.1"', ""),
        (' friction="0.1"', ' class="wood"', ""),
        ("", ' friction="0.3" priority="1"', ""),
        (' friction="0.1"', ' friction="0.1" solref="0.05 0.7" solimp="0.8 0.9 0.01"', ""),
        (' name="ground"', "", PAIR.format("ground")),
        (' friction="0.1"', ' condim="1" priority="1"', ""),
    ],
)
def test_a_box_slides_as_in_mujoco(floor: str, box: str, more: str) -> None:
    text = SLOPE.format(floor=floor, box=box, more=more)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 500)
    sim = ub.simulate(ub.loads(text), step=0.002, integrator="euler")
    sim.run(1.0)
    assert sim.q == pytest.approx(data.qpos, abs=1e-7)
    sim = ub.simulate(ub.loads(text), step=0.002, integrator="euler", friction=0.25)
    sim.run(1.0)
    assert sim.q[0] == pytest.approx((4.0 - 9.0 * 0.25) / 2.0, rel=0.05) or 'condim="1"' in text


def test_contact_values_of_mjcf_are_in_the_model() -> None:
    text = SLOPE.format(floor="", box=' class="wood" margin="0.001" condim="4"', more="")
    (box,) = next(link for link in ub.loads(text).links if link.collisions and link.inertial).collisions
    assert box.contact == Contact(sliding=0.2, torsional=0.01, margin=0.001, condim=4)
    again = ub.loads(ub.dumps(ub.loads(text), format="mjcf"))
    assert not list(ub.diff(ub.loads(text), again))


URDF = """
<robot name="puck">
  <link name="puck">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>
  </link>
  {gazebo}
</robot>
"""
GRAVITY = (4.0, 0.0, -9.0)


@pytest.mark.parametrize(
    ("gazebo", "friction"),
    [
        ("", 0.5),
        ('<gazebo reference="puck"><mu1>0.2</mu1><mu2>0.2</mu2></gazebo>', 0.2),
        ('<gazebo reference="puck"><mu1>0</mu1><mu2>0</mu2><kp>1e6</kp></gazebo>', 0.0),
        ('<gazebo reference="puck"><mu1>1.0</mu1><mu2>1.0</mu2></gazebo>', 1.0),
        ('<gazebo reference="puck"><mu1 value="0.2"/><mu2 value="0.2"/></gazebo>', 0.2),
    ],
)
def test_the_friction_of_gazebo_is_that_of_the_link(gazebo: str, friction: float) -> None:
    robot = ub.loads(URDF.format(gazebo=gazebo), base="free")
    sim = ub.simulate(robot, floor=0.0, gravity=GRAVITY)
    sim.reset(above=0.0)
    sim.run(1.0)
    way = max(0.0, GRAVITY[0] + GRAVITY[2] * friction) / 2.0
    assert sim.q[0] == pytest.approx(way, abs=0.02)
    (finding,) = [each for each in sim.findings if each.code == "simulation-stiffness"] or (None,)
    assert (finding is not None) == ("kp" in gazebo)


def test_its_value_may_be_an_attribute(tmp_path: Path) -> None:
    gazebo = '<gazebo reference="puck"><mu1 value="0.2"/><mu2 value="0.2"/><kp value="1e6"/></gazebo>'
    source, target = tmp_path / "puck.urdf", tmp_path / "copy.urdf"
    source.write_text(URDF.format(gazebo=gazebo))
    report = ub.convert(source, target)
    assert not report.losses
    assert target.read_text() == source.read_text()
    robot = ub.load(source)
    assert robot.links[0].collisions[0].contact == Contact(sliding=0.2)
    assert ub.loads(ub.dumps(robot, format="urdf")) == robot


def test_it_is_written_where_it_was() -> None:
    gazebo = '<gazebo reference="puck"><mu1>0.2</mu1><material>Gazebo/Red</material><mu2>0.2</mu2></gazebo>'
    robot = ub.loads(URDF.format(gazebo=gazebo))
    (shape,) = robot.links[0].collisions
    assert shape.contact == Contact(sliding=0.2)
    text = ub.dumps(robot, format="urdf")
    assert text.count("<gazebo") == 1
    assert ub.loads(text) == robot
    contact = Contact(sliding=0.7)
    link = replace(robot.links[0], collisions=(replace(shape, contact=contact),))
    text = ub.dumps(replace(robot, links=(link,)), format="urdf")
    assert text.count("<gazebo") == 1
    assert text.index("<mu1>0.7</mu1>") < text.index("<material>") < text.index("<mu2>0.7</mu2>")
    bare = ub.dumps(replace(robot, links=(link,), extras=()), format="urdf")
    assert ub.loads(bare).links[0].collisions[0].contact == contact


def test_friction_along_and_across_is_reported() -> None:
    gazebo = '<gazebo reference="puck"><mu1>0.2</mu1><mu2>0.8</mu2></gazebo>'
    robot = ub.loads(URDF.format(gazebo=gazebo))
    assert robot.links[0].collisions[0].contact == Contact(sliding=0.2)
    assert "<mu2>0.8</mu2>" in ub.dumps(robot, format="urdf")


@pytest.mark.parametrize("more", ["", "<restitution value='0.5'/>"])
def test_friction_of_bullet_is_that_of_the_shapes(more: str) -> None:
    numbers = "<lateral_friction value='0.2'/>{}<rolling_friction value='0.01'/>"
    inside = f"<contact>{numbers.format(more)}</contact><collision>"
    robot = ub.loads(URDF.format(gazebo="").replace("<collision>", inside))
    (shape,) = robot.links[0].collisions
    assert shape.contact == Contact(sliding=0.2, rolling=0.01)
    assert len(robot.extras) == bool(more)
    text = ub.dumps(robot, format="urdf", plain=True)
    assert ub.loads(text) == robot
    contact = Contact(sliding=0.7, torsional=0.02, rolling=0.03)
    link = replace(robot.links[0], collisions=(replace(shape, contact=contact),))
    text = ub.dumps(replace(robot, links=(link,)), format="urdf", plain=True)
    assert (text.count("<contact>"), text.count("restitution")) == (1, bool(more))
    assert ub.loads(text).links[0].collisions[0].contact == contact
    assert 'friction="0.7 0.02 0.03"' in ub.dumps(ub.loads(text), format="mjcf", plain=True)


def test_friction_of_bullet_goes_before_that_of_gazebo() -> None:
    gazebo = '<gazebo reference="puck"><mu1>0.3</mu1><mu2>0.3</mu2></gazebo>'
    text = URDF.format(gazebo=gazebo)
    inside = "<contact><lateral_friction value='0.2'/></contact><collision>"
    robot = ub.loads(text.replace("<collision>", inside))
    assert robot.links[0].collisions[0].contact == Contact(sliding=0.2)
    again = ub.dumps(robot, format="urdf", plain=True)
    assert (again.count("<mu1>"), again.count("<mu1>0.3</mu1>")) == (1, 1)
    assert ub.loads(again) == robot


def test_friction_of_bullet_and_of_gazebo_is_that_of_one_shape() -> None:
    gazebo = '<gazebo reference="puck"><mu1>0.3</mu1><mu2>0.3</mu2></gazebo>'
    inside = "<contact><spinning_friction value='0.2'/></contact><collision>"
    robot = ub.loads(URDF.format(gazebo=gazebo).replace("<collision>", inside))
    assert robot.links[0].collisions[0].contact == Contact(sliding=0.3, torsional=0.2)


@pytest.mark.parametrize(
    ("contact", "gazebo", "line"),
    [
        ("<contact>\n<lateral_friction value='0.2'/>\n</contact>", "", "<lateral_friction value='0.7'/>"),
        (
            "",
            '<gazebo reference="puck"><mu1>0.2</mu1></gazebo>',
            '<gazebo reference="puck"><mu1>0.7</mu1></gazebo>',
        ),
    ],
)
def test_friction_changes_where_it_stands(contact: str, gazebo: str, line: str, tmp_path: Path) -> None:
    """An edit adds no element of the other kind."""
    path = tmp_path / "puck.urdf"
    path.write_text(URDF.format(gazebo=gazebo).replace("<collision>", f"{contact}<collision>"), "utf-8")
    before = path.read_text("utf-8").splitlines()
    robot = ub.load(path)
    (shape,) = robot.links[0].collisions
    link = replace(robot.links[0], collisions=(replace(shape, contact=Contact(sliding=0.7)),))
    ub.save(replace(robot, links=(link,)), path, overwrite=True)
    after = path.read_text("utf-8").splitlines()
    assert len(before) == len(after)
    assert [y.strip() for x, y in zip(before, after, strict=True) if x != y] == [line]


def test_a_caster_without_friction_lets_its_vehicle_turn() -> None:
    """A cart on two wheels and a ball turns at the rate of its wheels."""
    wheel = ub.Shape(geometry=ub.Cylinder(radius=0.06, height=0.03), contact=Contact(sliding=1.0))
    ball = ub.Shape(geometry=ub.Sphere(radius=0.03), contact=Contact(sliding=0.0))
    turn = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
    mass = ub.Inertial(mass=2.0, inertia=((0.02, 0, 0), (0, 0.02, 0), (0, 0, 0.02)))
    lying = replace(wheel, pose=ub.Pose((0.0, 0.0, 0.0), turn))
    links = (
        ub.Link(name="cart", inertial=mass),
        *(ub.Link(name=n, inertial=mass, collisions=(lying,)) for n in ("left", "right")),
        ub.Link(name="caster", collisions=(ball,)),
    )
    joints = tuple(
        ub.Joint(
            name=n,
            kind="revolute",
            parent="cart",
            child=n,
            axis=(0.0, 1.0, 0.0),
            origin=ub.Pose((0.1, y, 0.06)),
        )
        for n, y in (("left", 0.15), ("right", -0.15))
    )
    hold = ub.Joint(
        name="hold", kind="fixed", parent="cart", child="caster", origin=ub.Pose((-0.15, 0.0, 0.03))
    )
    cart = ub.Robot(name="cart", links=links, joints=(*joints, hold), base="free")
    sim = ub.simulate(cart, floor=0.0)
    sim.reset(above=0.0)
    sim.set_velocity({"left": 2.0, "right": 5.0})
    sim.run(3.0)
    assert sim.v[5] == pytest.approx(0.06 * 3.0 / 0.3, rel=0.05)
    assert np.isfinite(sim.q).all()


def box(name: str, height: float, *, collides: bool) -> ub.Robot:
    shape = ub.Shape(geometry=ub.Box(size=(0.2, 0.2, 0.2)))
    inertial = ub.Inertial(mass=1.0, inertia=((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01)))
    link = ub.Link(name=name, inertial=inertial, visuals=(shape,), collisions=(shape,), collides=collides)
    return ub.Robot(name=name, links=(link,), base="free", pose=ub.Pose((0.0, 0.0, height)))


@pytest.mark.parametrize("pairs", ["file", "none"])
@pytest.mark.parametrize("collides", [True, False])
def test_a_link_that_takes_part_in_no_collision_falls_through_the_floor(pairs: Any, collides: bool) -> None:
    sim = ub.simulate(box("box", 0.2, collides=collides), floor=0.0, pairs=pairs)
    sim.step(300)
    assert sim.q[2] == pytest.approx(0.1 if collides else 0.2 - 9.80665 * 0.3**2 / 2.0, abs=2e-3)


def test_a_link_that_takes_part_in_no_collision_touches_no_other_robot() -> None:
    robots = [box("ghost", 0.5, collides=False), box("stone", 0.1, collides=True)]
    sim = ub.simulate(robots, floor=0.0)
    sim.step(300)
    # the positions in a scene are relative to the poses of the robots
    assert sim.q[2] == pytest.approx(-9.80665 * 0.3**2 / 2.0, abs=2e-3)
    assert sim.q[9] == pytest.approx(0.0, abs=2e-3)


def test_mujoco_collides_a_written_link_with_nothing() -> None:
    robot = box("ghost", 0.2, collides=False)
    text = ub.dumps(robot, format="mjcf", plain=True)
    again = ub.loads(text, format="mjcf")
    assert ub.diff(robot, replace(again, extras=())) == []
    freed = replace(again, links=(replace(again.links[0], collides=True),))
    assert "contype" not in ub.dumps(freed, format="mjcf", plain=True)
    plane = '<geom type="plane" size="1 1 1"/>'
    model = mujoco.MjModel.from_xml_string(text.replace("<worldbody>", f"<worldbody>{plane}"))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 200)
    assert (data.ncon, data.qpos[2] < 0.1) == (0, True)
