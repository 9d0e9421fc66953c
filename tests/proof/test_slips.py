"""Known slips are named: an engine is emulated that makes each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.proof.emulated import answer_of
from tests.proof.models import ARM
from tests.proof.proving import written
from tests.sampling import few

import unibody as ub
from unibody.model.inertia import matrix3
from unibody.proof import proving
from unibody.proof.comparison import compare
from unibody.proof.diagnosis import Diagnosis, diagnose
from unibody.proof.engines import Engine
from unibody.proof.process import Answer
from unibody.proof.reference import Misreading, Reference, States, draw_states, reference_of
from unibody.proof.slips import DYNAMICS, FRAMES, JOINTS, LINKS, Slip


def arm() -> Reference:
    robot = ub.loads(ARM, format="urdf", base="fixed")
    joints = tuple(
        replace(
            j,
            actuator=replace(j.actuator, gear_ratio=20.0, rotor_inertia=1e-4),
            dynamics=replace(j.dynamics, stiffness=2.0, rest=0.3),
        )
        if j.name == "elbow"
        else j
        for j in robot.joints
    )
    return reference_of(replace(robot, joints=joints, pose=ub.Pose((0.1, 0.2, 0.3))), "urdf")


def dofs_of(reference: Reference, answer: Answer) -> list[tuple[str, int]]:
    return [reference.dofs[k] for k in answer.facts["dofs"]]


def diagnosed_answer(reference: Reference, states: States, answer: Answer) -> Diagnosis:
    return diagnose(reference, states, answer, dofs_of(reference, answer))


def diagnosed(engine: Reference) -> Diagnosis:
    reference = arm()
    states = draw_states(reference, 20)
    return diagnosed_answer(reference, states, answer_of(engine, states))


def owners(slip: Slip) -> list[str]:
    reference = arm().robot
    if slip.area == "links":
        return [link.name for link in reference.links]
    return [joint.name for joint in reference.joints]


#: Slips that change nothing of this robot, or equal another one there.
ALIKE = {
    "zero at the initial position",
    "zero before the initial position",
    "joint order: level by level",
    "joint order: branch by branch",
    "axis turned twice",
    "mass of links that are fixed to it dropped",
}


@pytest.mark.parametrize(
    "slip", few([*LINKS, *JOINTS, *FRAMES, *DYNAMICS], 12), ids=lambda slip: slip.cause
)
def test_a_slip_of_an_engine_is_explained(slip: Slip) -> None:
    reference = arm()
    engine = slip.change(reference, owners(slip))
    states = draw_states(reference, 20)
    with np.errstate(all="ignore"):
        try:
            answer = answer_of(engine, states)
        except (ValueError, np.linalg.LinAlgError):
            pytest.skip("the robot cannot be computed")
    if not np.isfinite(answer.arrays["acceleration"]).all():
        pytest.skip("nothing that moves has mass")
    if not compare(reference, states, answer, dofs_of(reference, answer)).failed:
        pytest.skip("no effect on this robot")
    found = diagnosed_answer(reference, states, answer)
    assert not found.unexplained, found
    assert found.causes
    if len(found.causes) == 1 and not found.causes[0].fitted and slip.cause not in ALIKE:
        assert found.causes[0].cause == slip.cause or _same(slip, found.causes[0].cause, reference)


def _same(slip: Slip, cause: str, reference: Reference) -> bool:
    """Whether two slips make the same robot of the reference."""
    other = next((x for x in (*LINKS, *JOINTS, *FRAMES, *DYNAMICS) if x.cause == cause), None)
    if other is None:
        return cause.startswith(("joint welded", "joint of another kind"))
    states = draw_states(reference, 5)
    made = other.change(reference, owners(other))
    answer = answer_of(slip.change(reference, owners(slip)), states)
    return not compare(made, states, answer, dofs_of(reference, answer)).failed


def test_an_equal_engine_has_no_cause() -> None:
    assert diagnosed(arm()) == Diagnosis()


def with_joint(reference: Reference, name: str, **changes: object) -> Reference:
    robot = reference.robot
    joints = tuple(replace(j, **changes) if j.name == name else j for j in robot.joints)  # type: ignore[arg-type]
    return replace(reference, robot=replace(robot, joints=joints))


def with_inertial(reference: Reference, name: str, **changes: object) -> Reference:
    robot = reference.robot
    links = tuple(
        replace(x, inertial=replace(x.inertial, **changes)) if x.name == name and x.inertial else x  # type: ignore[arg-type]
        for x in robot.links
    )
    return replace(reference, robot=replace(robot, links=links))


def test_two_slips_are_both_named() -> None:
    reference = arm()
    x, y, z = reference.robot.joint("elbow").axis
    engine = with_joint(reference, "elbow", axis=(-x, -y, -z))
    upper = reference.robot.link("upper").inertial
    assert upper is not None
    diagonal = matrix3(np.diag(np.diag(np.array(upper.inertia))))
    found = diagnosed(with_inertial(engine, "upper", inertia=diagonal))
    assert [str(cause) for cause in found.causes] == [
        "sign of the axis (elbow)",
        "products of inertia dropped, in the axes of the link (upper)",
    ]
    assert not found.unexplained


def test_a_moved_zero_is_fitted() -> None:
    engine = replace(arm(), readings={"elbow": Misreading("elbow", offset=0.25)})
    found = diagnosed(engine)
    assert [str(cause) for cause in found.causes] == ["zero of the joint moved by 0.25 rad (elbow)"]
    assert not found.unexplained


def changed_dynamics(change: Callable[[ub.Joint], ub.Joint]) -> Reference:
    reference = arm()
    joints = tuple(change(j) if j.name == "grip" else j for j in reference.robot.joints)
    return replace(reference, robot=replace(reference.robot, joints=joints))


def test_friction_and_damping_of_an_engine_are_fitted() -> None:
    engine = changed_dynamics(
        lambda j: replace(j, dynamics=replace(j.dynamics, damping=0.05, friction=0.02))
    )
    reference = arm()
    states = draw_states(reference, 20)
    answer = answer_of(engine, states, passive=("damping", "friction", "stiffness"))
    answer.facts["passive"] = ["damping", "friction", "stiffness"]  # type: ignore[index]
    found = diagnosed_answer(reference, states, answer)
    assert {str(cause) for cause in found.causes} == {
        "damping added: 0.05 (grip)",
        "friction added: 0.02 (grip)",
    }
    assert not found.unexplained


@pytest.mark.slow
def test_armature_of_an_engine_is_fitted() -> None:
    engine = changed_dynamics(lambda j: replace(j, actuator=replace(j.actuator, axis_inertia=0.1)))
    found = diagnosed(engine)
    assert str(found.causes[0]) == "armature added: 0.1 (grip)"
    assert not found.unexplained


def stated(**facts: object) -> Diagnosis:
    """What is found if an engine that is right otherwise states these facts."""
    reference = arm()
    states = draw_states(reference, 20)
    answer = answer_of(reference, states)
    answer.facts.update(facts)  # type: ignore[attr-defined]
    return diagnosed_answer(reference, states, answer)


@pytest.mark.parametrize(
    ("gravity", "cause"),
    [
        ([0.0, 0.0, 9.81], "sign of gravity: (0, 0, 9.81) m/s² in the engine, not (0, 0, -9.80665)"),
        ([0.0, 0.0, 0.0], "gravity missing: (0, 0, 0) m/s² in the engine, not (0, 0, -9.80665)"),
        (
            [9.8, 0.0, 0.0],
            "gravity along another axis: (9.8, 0, 0) m/s² in the engine, not (0, 0, -9.80665)",
        ),
    ],
)
def test_gravity_of_an_engine_is_named(gravity: list[float], cause: str) -> None:
    found = stated(gravity=gravity)
    assert [str(each) for each in found.causes] == [cause]
    assert not found.unexplained
    assert stated(gravity=[0.0, 0.0, -9.81]) == Diagnosis()


@pytest.mark.slow
def test_an_origin_and_a_length_are_fitted() -> None:
    reference = arm()
    moved = {"elbow": ub.Pose((0.0, 0.13, 0.36)), "grip": ub.Pose((0.0, 0.48, 0.012))}
    joints = tuple(
        replace(j, origin=ub.Pose(moved[j.name].xyz, j.origin.quat)) if j.name in moved else j
        for j in reference.robot.joints
    )
    found = diagnosed(replace(reference, robot=replace(reference.robot, joints=joints)))
    assert [str(cause) for cause in found.causes] == [
        "origin moved by 0.05 m (elbow)",
        "lengths of origins multiplied by 1.2 (grip)",
    ]
    assert not found.unexplained


def test_a_search_ends_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(
        engine: Engine, reference: Reference, states: States, *more: object, **limits: object
    ) -> Answer:
        changed = replace(
            reference, robot=ub.loads(ARM.replace("0.02 0.03 0.2", "0.02 0.03 -0.2"), base="fixed")
        )
        return answer_of(changed, states)

    monkeypatch.setattr(proving, "ask", ask)
    path = written(tmp_path, ARM)
    whole = ub.prove(path, engines="mujoco", states=4)["mujoco"]
    assert whole.verdict == "explained"
    # a limit that is over before the first step
    short = ub.prove(path, engines="mujoco", states=4, seconds=1e-9)["mujoco"]
    assert short.verdict == "differs"
    assert short.causes == ()
    assert short.deviations is not None
    assert short.unexplained == tuple(x.quantity for x in short.deviations.values() if not x.holds)
    assert "the search for causes was stopped after 1e-09 s" in str(short)


def test_a_search_that_is_stopped_tells_what_it_found() -> None:
    reference, engine = arm(), arm()
    for slip in (LINKS[0], JOINTS[0]):
        engine = slip.change(engine, owners(slip))
    states = draw_states(reference, 20)
    answer = answer_of(engine, states)

    def found_after(steps: int) -> tuple[Diagnosis, int]:
        ticks = count()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("unibody.proof.search.time", SimpleNamespace(monotonic=ticks.__next__))
            found = diagnose(reference, states, answer, dofs_of(reference, answer), seconds=steps)
        return found, next(ticks)

    whole, last = found_after(100_000)
    assert not whole.stopped
    # at whatever step it stops, what is told is true, and the rest is unexplained
    for steps in sorted({0, 1, 2, 5, last // 2, last - 3}):
        found, _ = found_after(steps)
        assert found.stopped
        assert {*map(str, found.causes)} <= {*map(str, whole.causes)}
        assert found.unexplained or len(found.causes) == len(whole.causes)
