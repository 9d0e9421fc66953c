"""Files as importers misread them: attributes left out, and default classes by wrong rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.proof.proving import proved, written

import unibody as ub
from unibody.formats.loader import read_with
from unibody.formats.mjcf.engine import actuator_inertia_of, polynomials_of
from unibody.proof.couplings import coupling_deviations, polynomial_pairs, polynomial_words
from unibody.proof.misreadings import misreadings

LEG = """\
<mujoco model="leg">
  <compiler angle="radian"/>
  <default>
    <joint damping="0.1" armature="0.01"/>
    <default class="outer">
      <joint damping="1.5" frictionloss="0.3"/>
      <default class="inner"><joint damping="2.5"/></default>
    </default>
    <default class="other"><joint armature="0.004"/></default>
  </default>
  <worldbody>
    <body name="hip">
      <inertial pos="0.01 0 0" mass="2" fullinertia="0.02 0.03 0.04 0.001 0.002 0.003"/>
      <body name="thigh" childclass="outer" pos="0 0 -0.1">
        <joint name="a" axis="0 1 0" range="-1 1"/>
        <inertial pos="0 0 -0.1" mass="1" diaginertia="0.01 0.012 0.002"/>
        <body name="shank" pos="0 0 -0.3">
          <joint name="b" class="inner" axis="0 1 0" range="-2 0"/>
          <inertial pos="0 0 -0.1" mass="0.6" diaginertia="0.01 0.012 0.002"/>
          <body name="foot" pos="0 0 -0.3">
            <joint name="c" class="other" axis="0 1 0" range="-1 1"/>
            <inertial pos="0 0.01 -0.02" mass="0.2" diaginertia="0.001 0.0012 0.0002"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="c" joint2="b" polycoef="0.05 0.8 0.3"/></equality>
  <actuator>
    <motor joint="a" gear="50" armature="2e-5"/><motor joint="b" gear="10" armature="1e-4"/>
    <motor joint="b" gear="2"/>
  </actuator>
</mujoco>
"""


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ub.Robot]:
    path = written(tmp_path_factory.mktemp("leg"), LEG, "leg.xml")
    return {words: robot for words, _, robot in misreadings(read_with(path, plain=True))}


def numbers(robot: ub.Robot) -> list[float]:
    """Damping and friction of each joint."""
    return [
        x
        for name in "abc"
        for x in (robot.joint(name).dynamics.damping, robot.joint(name).dynamics.friction)
    ]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("default classes ignored", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ("class that an element names ignored", [1.5, 0.3, 1.5, 0.3, 1.5, 0.3]),
        ("childclass ignored", [0.1, 0.0, 2.5, 0.3, 0.1, 0.0]),
        ("childclass kept where an element names a class", [1.5, 0.3, 2.5, 0.3, 0.1, 0.3]),
        ("default class without the values of the class around it", [1.5, 0.3, 2.5, 0.0, 0.0, 0.0]),
        ("values of the top default ignored", [1.5, 0.3, 2.5, 0.3, 0.0, 0.0]),
        ("only the values of the top default applied", [0.1, 0.0, 0.1, 0.0, 0.1, 0.0]),
        ("'frictionloss' of <joint> ignored", [1.5, 0.0, 2.5, 0.0, 0.1, 0.0]),
    ],
)
def test_a_misreading_of_classes_gives_its_values(
    robots: dict[str, ub.Robot], words: str, values: list[float]
) -> None:
    assert numbers(robots[words]) == values


def test_attributes_are_left_out_where_they_are_or_everywhere(robots: dict[str, ub.Robot]) -> None:
    assert robots["'range' of <joint> ignored"].joint("a").limits.position[0] < -100.0
    assert robots["'pos' of <body> ignored"].joint("b").origin.xyz == (0.0, 0.0, 0.0)
    assert robots["'damping' of <joint> ignored"].joint("b").dynamics.damping == 0.0


def test_what_actuators_add_is_armature() -> None:
    robot = ub.loads(LEG, format="mjcf")
    assert actuator_inertia_of(robot) == pytest.approx({"a": 0.05, "b": 0.01})


def test_higher_terms_of_a_coupling_are_compared() -> None:
    robot = ub.loads(LEG, format="mjcf")
    ours = polynomials_of(robot)
    assert ours == {"c": ("b", (0.05, 0.8, 0.3, 0.0, 0.0))}
    moving = {"joints": [{"name": name} for name in "abc"]}
    linear = {
        "joint": "c",
        "leader": "b",
        "ratio": 0.8,
        "offset": 0.05,
        "option": "",
        "terms": [0.05, 0.8, 0, 0, 0],
    }
    facts = {**moving, "couplings": [linear]}
    assert coupling_deviations(robot, facts, ours) == {"c": 0.3}
    (pair,) = polynomial_pairs(robot, facts, ours).values()
    assert [*polynomial_words(*pair)] == ["higher terms of the coupling's polynomial (polycoef) ignored"]
    dropped = polynomial_pairs(robot, {**moving, "couplings": []}, ours)["c"]
    assert [*polynomial_words(*dropped)] == ["coupling dropped: the joint moves freely"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        (
            '<joint name="c" class="other"',
            '<joint name="c" class="other" damping="1.5" frictionloss="0.3"',
            "childclass kept where an element names a class (its values that the class does not set)",
        ),
        (
            ' armature="2e-5"/>',
            "/>",
            "armature of the actuators (rotor inertia times the square of the gear) ignored (a)",
        ),
        (' polycoef="0.05 0.8 0.3"', ' polycoef="0.05 0.8"', "higher terms of the coupling's polynomial"),
    ],
)
def test_what_an_engine_does_not_read_is_named(tmp_path: Path, old: str, new: str, cause: str) -> None:
    right = written(tmp_path, LEG, "right.xml")
    result = proved("mujoco", right, written(tmp_path, LEG.replace(old, new), "wrong.xml"))
    assert cause in str(result.causes[0]), result
    assert result.verdict == "explained"
