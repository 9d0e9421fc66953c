"""An engine in single precision is judged against runs of the mechanism with numbers rounded to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.proof.emulated import answer_of
from tests.proof.models import ARM

import unibody as ub
from unibody.proof.comparison import Comparison, compare
from unibody.proof.process import Answer
from unibody.proof.reference import Misreading, Reference, draw_states, reference_of
from unibody.proof.rounding import rounded_states


def compared(reference: Reference, error: float, engine: Reference | None = None) -> Comparison:
    """The comparison of an engine in single precision whose accelerations are off by this share."""
    states = draw_states(reference, 20)
    found = answer_of(engine or reference, states)
    arrays = {**found.arrays, "acceleration": found.arrays["acceleration"] * (1.0 + error)}
    answer = Answer(facts={**found.facts, "precision": "single"}, arrays=arrays)
    return compare(reference, rounded_states(reference, states), answer, reference.dofs)


def test_rounding_is_that_of_single_precision() -> None:
    """Of each joint by its name, some 1e-7 of its forces; in double precision there is none."""
    reference = reference_of(ub.loads(ARM, format="urdf", base="fixed"), "urdf")
    states = draw_states(reference, 20)
    assert not reference.rounding(states).any()
    rounded = rounded_states(reference, states)
    assert {name: rows.shape for name, rows in rounded.rounding.items()} == {
        "shoulder": (20, 1),
        "mount": (20, 0),
        "elbow": (20, 1),
        "grip": (20, 1),
    }
    share = reference.rounding(rounded).max(axis=0) / np.abs(reference.numbers(states)[2]).max(axis=0)
    assert (share > 1e-8).all()
    assert (share < 1e-5).all()
    assert reference.rounding(rounded.first(5)).shape == (5, 3)


def test_a_well_conditioned_robot_is_judged_by_the_tolerance_alone() -> None:
    reference = reference_of(ub.loads(ARM, format="urdf", base="fixed"), "urdf")
    assert 1e-8 < compared(reference, 0.0).sensitivity < 1e-5
    assert "acceleration" not in compared(reference, 5e-6).failed
    assert "acceleration" in compared(reference, 3e-5).failed


def test_where_single_precision_is_worse_the_tolerance_is() -> None:
    """At an angle of some 2000 rad the nearest number of single precision is up to 6e-5 rad away."""
    robot = ub.loads(ARM, format="urdf", base="fixed")
    wound = ub.Limits(position=(2000.0, 2003.0))
    joints = tuple(
        replace(x, limits=wound, initial=2001.0) if x.name == "elbow" else x for x in robot.joints
    )
    reference = reference_of(replace(robot, joints=joints), "urdf")
    assert 1e-6 < compared(reference, 0.0).sensitivity < 1e-3
    for offset, fails in ((3e-5, False), (1e-2, True)):
        engine = replace(reference, readings={"elbow": Misreading("elbow", offset=offset)})
        assert ("acceleration" in compared(reference, 0.0, engine).failed) == fails
