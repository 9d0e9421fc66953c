"""The last line of a report: numbers that a loss explains do not alarm, all others do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from unibody.conversion.pipeline import save
from unibody.conversion.verification import ExplainedDeviation, verify
from unibody.model.inertia import Inertial
from unibody.model.robot import Actuator, Coupling, Joint, Limits, Link, Robot
from unibody.model.shape import Box, Shape

BODY = Inertial(mass=2.0, com=(0.0, 0.0, 0.1), inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
DRAWN, SOLID = (Shape(geometry=Box(size=(x, 0.2, 0.3))) for x in (0.1, 0.4))


def arm() -> Robot:
    """Two fingers, the second as the first but farther, with a gear, and a coarse collision shape."""
    links = (
        Link(name="palm", visuals=(DRAWN,), collisions=(SOLID,)),
        Link(name="left", inertial=BODY),
        Link(name="right", inertial=BODY),
    )
    near, far = Limits(position=(-0.5, 0.5)), Limits(position=(-2.0, 2.0))
    joints = (
        Joint(name="left", kind="revolute", parent="palm", child="left", limits=near),
        Joint(
            name="right",
            kind="revolute",
            parent="palm",
            child="right",
            limits=far,
            actuator=Actuator(gear_ratio=10.0, rotor_inertia=0.01),
        ),
    )
    follows = Coupling(joint="right", leader="left", ratio=2.0)
    return Robot(name="hand", links=links, joints=joints, couplings=(follows,))


def test_what_losses_explain_stands_apart(tmp_path: Path) -> None:
    proof = save(arm(), tmp_path / "hand.rob").proof
    assert proof is not None
    found = {(x.quantity, x.count, x.cause) for x in proof.explained}
    assert ("mass", 1, "masses") in found
    assert ("bounds", 1, "separate collision shapes") in found
    assert ("limits", 1, "limits of coupled joints") in found
    assert (proof.positions, proof.limits, proof.bounds, proof.mass) == (0.0, 0.0, 0.0, None)
    assert "explained by losses: mass by 4 kg (masses)" in str(proof)
    assert proof.json()["explained"][0]["quantity"] == "mass"


def test_a_gear_changes_the_mass_matrix(tmp_path: Path) -> None:
    proof = save(arm(), tmp_path / "hand.urdf").proof
    assert proof is not None
    assert [x.cause for x in proof.explained] == ["gears and rotors"]
    assert abs(proof.explained[0].largest - 1.0) < 1e-9


def test_what_nothing_explains_alarms() -> None:
    robot = arm()
    first, second = robot.joints
    other = replace(robot, joints=(first, replace(second, limits=Limits(position=(-1.0, 1.0)))))
    proof = verify(robot, other, causes={("limits", "left"): "another joint"})
    assert proof.limits == 1.0
    assert proof.explained == ()
    assert str(ExplainedDeviation("limits", 2, 0.5, "why")) == "limits of 2 joints by 0.5 rad or m (why)"
