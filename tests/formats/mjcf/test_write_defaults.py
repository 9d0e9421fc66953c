"""Written files state what their elements have in common once, and compile to the same arrays."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import pytest
from tests.formats.mjcf.arrays import differences
from tests.sampling import few

import unibody as ub
import unibody.formats.mjcf.write as writing
from unibody.model.inertia import Inertial
from unibody.model.robot import Actuator, Dynamics, Joint, Limits, Link, Robot, SelfCollision
from unibody.model.shape import Box, Material, Shape, Sphere

MODELS = Path(ub.__file__).parent / "models"
MOMENTS = ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1))


def chain(dampings: tuple[float, ...], **more: Any) -> Robot:
    """A chain of boxes, with one joint for each damping."""
    red = Material(diffuse=(1.0, 0.0, 0.0))
    links = [
        Link(
            name=f"l{i}",
            inertial=Inertial(mass=1.0, inertia=MOMENTS),
            visuals=(Shape(geometry=Box(size=(1.0, 1.0, 1.0)), material=red),),
            collisions=(Shape(geometry=Sphere(radius=0.1)),),
        )
        for i in range(len(dampings) + 1)
    ]
    joints = [
        Joint(
            name=f"j{i}",
            parent=f"l{i}",
            child=f"l{i + 1}",
            kind="revolute",
            dynamics=Dynamics(damping=damping),
            actuator=Actuator(rotor_inertia=0.5, gear_ratio=1.0),
            limits=Limits(effort=(-10.0, 10.0)),
        )
        for i, damping in enumerate(dampings)
    ]
    return Robot(name="chain", links=tuple(links), joints=tuple(joints), **more)


def text(robot: Robot, **options: Any) -> str:
    return ub.dumps(robot, format="mjcf", plain=True, **options)


def test_values_of_most_joints_are_a_default() -> None:
    out = text(chain((2.0, 2.0, 3.0)))
    assert '<joint actuatorfrcrange="-10 10" armature="0.5" damping="2"/>' in out
    assert '<joint name="j0"/>' in out
    assert '<joint name="j2" damping="3"/>' in out


def test_what_one_joint_does_not_state_is_no_default() -> None:
    out = text(chain((2.0, 2.0, 0.0)))
    assert out.count('damping="2"') == 2


def test_the_color_of_all_shapes_of_a_class_is_its_default() -> None:
    out = text(chain((1.0, 1.0)))
    assert re.search(r'<default class="visual">\s*<geom .*rgba="1 0 0 1"', out)
    assert out.count('rgba="1 0 0 1"') == 1


def test_classes_do_not_repeat_what_they_inherit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shapes that touch nothing have the bits 1 and 0: the second is that of the visual ones, too."""
    robot = chain((1.0, 1.0), self_collision=SelfCollision(default="none"))
    first, *others = robot.links
    robot = replace(robot, links=(first, *(replace(link, collisions=link.visuals) for link in others)))
    out = text(robot)
    assert re.search(
        r'<geom conaffinity="0"/>\s*<default class="visual">\s*<geom contype="0" group="2"/>\s*</default>'
        r'\s*<default class="collision">\s*<geom group="3"/>',
        out,
    )
    monkeypatch.setattr(writing, "factor", lambda out, robot: None)
    assert differences(*(mujoco.MjModel.from_xml_string(x) for x in (out, text(robot)))) == []


def test_actuators_have_a_default() -> None:
    out = text(chain((1.0, 1.0)), actuators="motor")
    assert re.search(r'<default class="chain">[^$]*<motor ctrlrange="-10 10"/>', out)
    assert '<motor name="j0" class="chain" joint="j0"/>' in out


def test_a_file_that_includes_the_robot_has_defaults_of_its_own(tmp_path: Path) -> None:
    ub.save(chain((1.0, 1.0)), tmp_path / "chain.xml", actuators="motor")
    (tmp_path / "world.xml").write_text(
        '<mujoco><include file="chain.xml"/><worldbody><body name="ball" pos="9 0 0"><joint name="x"/>'
        '<geom name="ball" size="1"/></body></worldbody><actuator><motor name="x" joint="x"/></actuator>'
        "</mujoco>"
    )
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "world.xml"))
    assert model.body("ball").mass[0] > 1000.0
    assert model.joint("x").damping[0] == 0.0
    assert not model.actuator("x").ctrllimited[0]
    assert model.geom("ball").rgba.tolist() == [0.5, 0.5, 0.5, 1.0]


def test_a_robot_that_was_mjcf_keeps_its_values() -> None:
    source = (
        '<mujoco><worldbody><body name="a"><joint name="x" damping="1" solreflimit="0.01 1"/>'
        '<geom size="1"/><body name="b"><joint name="y" damping="1"/><geom size="1"/></body></body>'
        "</worldbody></mujoco>"
    )
    robot = ub.loads(source, format="mjcf")
    assert "default" not in text(robot)


def test_the_name_of_an_element_is_its_first_attribute() -> None:
    out = text(ub.load(MODELS / "biped.body"), actuators="position")
    tags = re.findall(r"<(\w+) ([^>]*)>", out)
    named = [words for _, words in tags if " name=" in f" {words}"]
    assert len(named) > 50
    assert all(words.startswith("name=") for words in named)


def test_numbers_have_no_noise_of_rounding() -> None:
    out = text(ub.load(MODELS / "biped.body"))
    assert "1.0000000000000002" not in out
    assert "e-17" not in out
    assert '"-0 ' not in out
    assert " -0 " not in out
    assert '-0"' not in out


@pytest.mark.parametrize("style", ["", "motor", "position", "velocity"])
@pytest.mark.parametrize("name", few(["biped.body", "biped.urdf", "biped.wrl"], 1))
def test_defaults_do_not_change_what_is_compiled(
    name: str, style: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = ub.load(MODELS / name)
    texts = [text(robot, actuators=style)]
    monkeypatch.setattr(writing, "factor", lambda out, robot: None)
    texts.append(text(robot, actuators=style))
    first, second = (mujoco.MjModel.from_xml_string(x) for x in texts)
    assert differences(second, first) == []
