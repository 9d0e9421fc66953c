"""Couplings that engines read are compared with those of the robot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.proof.proving import proved, written
from tests.sampling import few

import unibody as ub
from unibody.model.robot import Coupling
from unibody.proof.couplings import coupling_causes, coupling_deviations, dropped_couplings

LINK = """\
  <link name="{0}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
"""
HINGE = """\
  <joint name="{0}" type="revolute"><parent link="base"/><child link="{1}"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>{2}</joint>
"""
PAIR = (
    '<robot name="pair">\n'
    + "".join(LINK.format(name) for name in ("base", "a", "b"))
    + HINGE.format("lead", "a", "")
    + HINGE.format("tail", "b", '<mimic joint="lead" multiplier="-0.5" offset="0.2"/>')
    + "</robot>\n"
)


def chain(*couplings: tuple[str, str, float, float]) -> ub.Robot:
    made = tuple(Coupling(joint=a, leader=b, ratio=r, offset=o) for a, b, r, o in couplings)
    return ub.Robot(name="chain", couplings=made)


def facts(*couplings: tuple[str, str, float | None, float | None], option: str = "") -> dict[str, Any]:
    names = ("joint", "leader", "ratio", "offset")
    return {
        "joints": [{"name": name} for name in "abc"],
        "couplings": [{**dict(zip(names, each, strict=True)), "option": option} for each in couplings],
    }


def test_deviations_are_those_of_ratio_and_offset() -> None:
    robot = chain(("a", "b", 2.0, 0.1))
    assert coupling_deviations(robot, facts(("a", "b", 2.0, 0.1))) == {"a": 0.0}
    assert coupling_deviations(robot, facts(("a", "b", 2.5, 0.4))) == {"a": 0.5}
    assert coupling_deviations(robot, facts(("a", "c", 2.0, 0.1))) == {"a": math.inf}
    # not told: nothing is compared
    assert coupling_deviations(robot, {}) == coupling_deviations(robot, facts(("a", "b", None, None))) == {}


def test_a_dropped_coupling_is_told() -> None:
    robot = chain(("a", "b", 2.0, 0.1), ("c", "b", 1.0, 0.0))
    half = facts(("b", "a", 0.5, -0.05))
    assert coupling_deviations(robot, half) == {"a": 0.0, "c": math.inf}
    assert dropped_couplings(robot, half) == {"c": ""}
    asked = facts(("a", "b", 2.0, 0.1), ("c", "b", 1.0, 0.0), option="asked=True")
    assert dropped_couplings(robot, asked) == {"a": "asked=True", "c": "asked=True"}
    # read without names: which one is dropped is not known
    unnamed = facts(("", "", None, None), ("", "", None, None))
    assert dropped_couplings(robot, unnamed) == {}
    # a joint that the engine does not have is dropped with its coupling
    assert dropped_couplings(robot, {**facts(), "joints": [{"name": "a"}, {"name": "b"}]}) == {"a": ""}


def test_a_coupling_may_be_stated_from_its_other_end_or_through_a_chain() -> None:
    robot = chain(("a", "b", 2.0, 0.1), ("b", "c", -0.5, 0.3))
    resolved = facts(("a", "c", -1.0, 0.7), ("b", "c", -0.5, 0.3))
    assert max(coupling_deviations(robot, resolved).values()) < 1e-15
    assert (
        max(coupling_deviations(chain(("a", "b", 2.0, 0.1)), facts(("b", "a", 0.5, -0.05))).values()) == 0
    )


#: Ratio and offset of a slip, by its words, where the file has -0.4 and 0.3.
SLIPS = {
    "offset of the coupling dropped": (-0.4, 0.0),
    "ratio of the coupling dropped": (1.0, 0.3),
    "ratio and offset of the coupling dropped": (1.0, 0.0),
    "coupling dropped: the joint stays at zero": (0.0, 0.0),
    "sign of the coupling": (0.4, 0.3),
    "sign of the coupling's offset": (-0.4, -0.3),
    "sign of the coupling and of its offset": (0.4, -0.3),
    "inverse ratio of the coupling": (-2.5, 0.3),
    "leader and follower of the coupling exchanged": (-2.5, 0.75),
    "offset of the coupling taken as degrees: multiplied by π/180": (-0.4, 0.3 * math.pi / 180.0),
    "offset of the coupling in front of the ratio": (-0.4, -0.12),
    "sign of the coupling, offset of the coupling taken as degrees: multiplied by π/180": (
        0.4,
        0.3 * math.pi / 180.0,
    ),
}


@pytest.mark.parametrize("cause", SLIPS)
def test_a_slip_of_a_coupling_is_named(cause: str) -> None:
    there = facts(("a", "b", *SLIPS[cause]))
    words = coupling_causes(chain(("a", "b", -0.4, 0.3)), there, ["a"])["a"]
    assert min(words, key=lambda each: words[each]) == cause


def test_other_numbers_of_a_coupling_are_told() -> None:
    words = coupling_causes(chain(("a", "b", -0.4, 0.3)), facts(("a", "b", 0.77, 0.123)), ["a"])["a"]
    assert [*words] == ["ratio 0.77 and offset 0.123 of the coupling in the engine, not -0.4 and 0.3"]


#: What becomes of a mimic; Drake has it as a constraint of which it tells no numbers.
CAUSES = {
    "mujoco": None,
    "pinocchio": "coupling dropped unless mimic=True is given: the joint moves freely (tail)",
    "drake": None,
    "idyntree": "coupling dropped: the joint moves freely (tail)",
    "dart": None,
    "sapien": "leader and follower of the coupling exchanged (tail)",
}


@pytest.mark.parametrize("engine", few(CAUSES, 2))
def test_engines_read_a_mimic(tmp_path: Path, engine: str) -> None:
    result, cause = proved(engine, written(tmp_path, PAIR)), CAUSES[engine]
    assert result.deviations is not None
    if cause is not None:
        assert cause in map(str, result.causes), result
        assert result.verdict == "explained"
        return
    assert result.verdict == "equal", result
    if engine != "drake":
        assert result.deviations["couplings"].largest < 1e-12
        assert result.deviations["couplings"].compared == 1


def test_a_slip_of_a_coupling_in_a_file_is_named(tmp_path: Path) -> None:
    slipped = written(tmp_path, PAIR.replace(' offset="0.2"', ""), "slipped.urdf")
    result = proved("pinocchio", written(tmp_path, PAIR), slipped)
    assert [str(cause) for cause in result.causes] == [
        "offset of the coupling dropped (tail)",
        CAUSES["pinocchio"],
    ]
    assert result.verdict == "explained"
