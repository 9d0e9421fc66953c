"""Several robots in one simulation: names, states of each, attaching and detaching."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.model.pose import Pose, from_rpy
from unibody.model.scene import Scene
from unibody.simulation.checks import SimulationError

MODELS = Path(__file__).parents[2] / "src" / "unibody" / "models"
GRAVITY = 9.80665

BOX = """<robot name="box"><link name="box">
  <inertial><mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>
</link></robot>"""
LIFT = """<robot name="lift">
  <link name="rail"/>
  <link name="hand">
    <inertial>
      <mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="up" type="prismatic">
    <parent link="rail"/><child link="hand"/><axis xyz="0 0 1"/>
    <limit lower="-10" upper="10" effort="1000" velocity="10"/>
  </joint>
</robot>"""


def box(x: float, z: float, yaw: float = 0.0) -> ub.Robot:
    return replace(ub.loads(BOX), base="free", pose=Pose((x, 0.0, z), from_rpy(0.0, 0.0, yaw)))


def test_robots_of_one_name_have_names_of_their_own() -> None:
    sim = ub.simulate([box(0.0, 1.0), box(1.0, 2.0), ub.loads(LIFT), box(2.0, 3.0)])
    assert list(sim.robots) == ["box", "box_2", "lift", "box_3"]
    assert [link.name for link in sim.robot.links] == [
        "world", "box:box", "box_2:box", "rail", "hand", "box_3:box",
    ]  # fmt: skip
    assert sim.robots["box_2"].names["links"] == {"box": "box_2:box"}


def test_each_robot_has_its_own_state() -> None:
    sim = ub.simulate([box(1.0, 1.0, 0.5), ub.loads(LIFT), box(3.0, 2.0)], floor=-10.0)
    first, lift, second = sim.robots.values()
    assert first.q == pytest.approx([1.0, 0.0, 1.0, *from_rpy(0.0, 0.0, 0.5)])
    second.place([0.0, 5.0, 4.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 2.0])
    lift.place({"up": 0.25})
    assert second.q == pytest.approx([0.0, 5.0, 4.0, 0.0, 1.0, 0.0, 0.0])
    lift.set_effort({"up": GRAVITY})
    sim.run(0.1)
    assert lift.effort == pytest.approx([GRAVITY])
    assert lift.q == pytest.approx([0.25], abs=1e-9)
    # upside down, so that its z axis points down
    assert second.q[2] == pytest.approx(4.0 - 0.1 - 0.5 * GRAVITY * 0.01)
    assert second.v[5] == pytest.approx(2.0)
    assert first.v[:3] == pytest.approx([0.0, 0.0, -0.1 * GRAVITY])


def test_a_robot_alone_is_its_own_member() -> None:
    sim = ub.simulate(ub.load(MODELS / "biped.body"))
    (biped,) = sim.robots.values()
    sim.step(5)
    assert np.array_equal(biped.q, sim.q)
    assert np.array_equal(biped.v, sim.v)


def test_a_base_is_that_of_every_robot() -> None:
    sim = ub.simulate([ub.loads(LIFT), ub.loads(BOX)], base="fixed")
    assert sim.mechanism.nv == 1
    sim = ub.simulate(Scene(name="two", robots=(ub.loads(BOX), ub.loads(BOX))), base="free")
    assert sim.mechanism.nv == 12


def test_a_hand_takes_a_box_and_lets_it_go() -> None:
    sim = ub.simulate([ub.loads(LIFT), box(0.0, -0.15, 0.7)])
    lift, thing = sim.robots.values()
    lift.place({"up": 0.0})
    start = thing.q
    sim.attach("hand", "box")
    assert sim.attached == (("hand", "box"),)
    lift.set_velocity({"up": 0.5})
    sim.run(0.2)
    lift.set_velocity({"up": 0.0})
    sim.run(0.1)
    assert thing.q[2] - start[2] == pytest.approx(0.1, abs=1e-4)
    assert thing.q[3:] == pytest.approx(start[3:], abs=1e-6)
    assert lift.effort == pytest.approx([3.0 * GRAVITY], rel=1e-3)
    saved = sim.state
    sim.detach("box", "hand")
    sim.run(0.1)
    assert thing.v[2] == pytest.approx(-0.1 * GRAVITY, rel=1e-3)
    sim.state = saved
    assert sim.attached == (("hand", "box"),)
    other = sim.copy()
    for one in (sim, other):
        one.run(0.1)
        assert one.robots["box"].q[2] - start[2] == pytest.approx(0.1, abs=1e-4)
    with pytest.raises(KeyError, match="are not attached"):
        sim.detach("rail", "box")
    with pytest.raises(KeyError, match="has no link 'hond'; did you mean 'hand'"):
        sim.attach("hond", "box")
    sim.reset()
    assert not sim.attached


@pytest.mark.parametrize("floor", [None, 0.0])
def test_a_box_is_attached_to_the_world_at_a_pose(floor: float | None) -> None:
    sim = ub.simulate([box(0.0, 1.0), box(1.0, 1.0)], floor=floor)
    pose = np.eye(4)
    pose[:3, 3] = 0.5, 0.0, 1.0
    sim.attach("world", "box:box", pose)
    sim.run(0.3)
    first, second = sim.robots.values()
    assert first.q[:3] == pytest.approx([0.5, 0.0, 1.0], abs=1e-3)
    assert second.q[2] == pytest.approx(1.0 - 0.5 * GRAVITY * 0.3**2, rel=1e-6)


def test_the_first_robot_of_a_scene_is_lifted() -> None:
    tilted = replace(box(0.0, 5.0), pose=Pose((1.0, 2.0, 5.0), from_rpy(0.5 * np.pi, 0.0, 0.3)))
    sim = ub.simulate([tilted, box(3.0, 2.0)], floor=1.0)
    sim.reset(above=0.25)
    first, second = sim.robots.values()
    assert first.q[:3] == pytest.approx([1.0, 2.0, 1.35])
    assert second.q[:3] == pytest.approx([3.0, 0.0, 2.0])
    with pytest.raises(ValueError, match="the base of the robot is not free"):
        ub.simulate([ub.loads(LIFT), tilted]).reset(above=0.25)


def test_links_without_mass_have_that_of_their_shapes() -> None:
    """A box and a round rod of water; the links of an MPK scene move then, too."""
    shapes = (
        ub.Shape(
            geometry=ub.Box(size=(0.2, 0.4, 0.6)), pose=Pose((1.0, 2.0, 3.0), from_rpy(0.3, 0.0, 0.0))
        ),
        ub.Shape(geometry=ub.Cylinder(radius=0.1, height=1.0)),
    )
    masses = []
    for shape in shapes:
        robot = ub.Robot(name="one", links=(ub.Link(name="one", collisions=(shape,)),), base="free")
        with pytest.raises(SimulationError, match="has a mass") as caught:
            ub.simulate(robot)
        assert "--density" in (caught.value.findings[0].hint or "")
        sim = ub.simulate((robot, box(5.0, 0.0)), density=1000.0)
        (finding,) = sim.findings
        assert (finding.code, finding.severity) == ("simulation-density", "info")
        inertial = sim.robots["one"].robot.links[0].inertial
        assert inertial is not None
        masses.append(inertial.mass)
        principal = sorted(np.linalg.eigvalsh(np.array(inertial.inertia)))
        if shape is shapes[0]:
            assert inertial.com == pytest.approx((1.0, 2.0, 3.0))
            assert principal == pytest.approx([0.8, 1.6, 2.08])  # m (b² + c²) / 12
        sim.run(0.1)
        assert sim.robots["one"].v[2] < -0.9
    assert masses[0] == pytest.approx(48.0)
    assert masses[1] == pytest.approx(10.0 * np.pi, rel=0.05)
    with pytest.raises(ValueError, match="density is a finite number"):
        ub.simulate(box(0.0, 0.0), density=0.0)


@pytest.mark.parametrize("at", [1.0, 1e3])
def test_a_link_whose_vertices_are_one_point_has_no_mass_of_its_shape(at: float) -> None:
    shape = ub.Shape(geometry=ub.Mesh(vertices=(at,) * 9, faces=(0, 1, 2)))
    robot = ub.Robot(name="one", links=(ub.Link(name="one", collisions=(shape,)),), base="free")
    with pytest.raises(SimulationError, match="has a mass"):
        ub.simulate(robot, density=1000.0)


def test_notes_that_change_a_simulation_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ball = "<geometry><sphere radius='0.1'/></geometry>"
    link = f"<link name='a'><collision>{ball}</collision></link>"
    model = tmp_path / "m.urdf"
    model.write_text(f"<robot name='r'>{link}</robot>", "utf-8")
    words = [str(model), "--base", "free"]
    assert main(["simulate", *words, "--seconds", "0.01", "--density", "1000"]) == 0
    assert "[simulation-density]" in capsys.readouterr().err
    assert main(["simulate", *words, "--seconds", "0.01"]) == 2
    assert "info:" not in capsys.readouterr().err
