"""Mistakes that no list has are explained by values of the file: an engine is emulated that makes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.proof.emulated import answer_of
from tests.proof.robots import Array, Maker, urdf
from tests.sampling import few

import unibody as ub
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import Pose, from_rpy, rotate
from unibody.model.robot import Joint
from unibody.proof.diagnosis import diagnose
from unibody.proof.guesses import chosen
from unibody.proof.reference import Misreading, Reference, draw_states, reference_of
from unibody.proof.scalars import evidence_of, limit_words, number_words
from unibody.proof.sources import Tree

Changes = dict[str, Any]
_ROBOT = ub.loads(urdf(Maker(5).arm("rprr", turned=True)), format="urdf", base="fixed")
ARM = reference_of(_ROBOT, "urdf")
ABOVE = {joint.child: joint for joint in _ROBOT.joints}


def joints(change: Callable[[Joint], Changes], *names: str, reference: Reference = ARM) -> Reference:
    robot = reference.robot
    made = tuple(replace(j, **change(j)) if not names or j.name in names else j for j in robot.joints)
    return replace(reference, robot=replace(robot, joints=made))


def links(change: Callable[[Inertial, str], Changes], *names: str, reference: Reference = ARM) -> Reference:
    robot = reference.robot
    made = tuple(
        replace(x, inertial=replace(x.inertial, **change(x.inertial, x.name)))
        if x.inertial is not None and (not names or x.name in names)
        else x
        for x in robot.links
    )
    return replace(reference, robot=replace(robot, links=made))


def axes(inertial: Inertial) -> Array:
    return np.array(Pose(quat=inertial.axes or (1.0, 0.0, 0.0, 0.0)).rotation())


def vector(values: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in values)


def in_root(link: str) -> Pose:
    pose = Pose()
    while link in ABOVE:
        pose, link = ABOVE[link].origin @ pose, ABOVE[link].parent
    return pose


def exchanged(inertial: Inertial) -> Array:
    """The inertia with ixx and izz exchanged in the axes of the file."""
    turn = axes(inertial)
    stated = turn.T @ np.array(inertial.inertia) @ turn
    moments = np.diag(stated)
    return np.asarray(turn @ (stated - np.diag(moments) + np.diag(moments[[2, 1, 0]])) @ turn.T)


def dropped_yaw(joint: Joint) -> Changes:
    roll, pitch, _ = joint.origin.rpy()
    return {"origin": Pose(joint.origin.xyz, from_rpy(roll, pitch, 0.0))}


#: The engine, and what is told of it.
CASES: dict[str, tuple[Callable[[], Reference], list[str]]] = {
    "two slips": (
        lambda: links(lambda i, _: {"com": (0.0, 0.0, 0.0)}, "l2", reference=joints(dropped_yaw, "j3")),
        ["yaw dropped (j3)", "center of mass ignored (l2)"],
    ),
    "com placed by the joint": (
        lambda: links(lambda i, name: {"com": ABOVE[name].origin.apply(i.com)}, "l2", "l3"),
        [
            "center of mass placed by the origin of the joint above (l2, l3), not l1, l4, "
            "which could have it, too"
        ],
    ),
    "com of the parent added to origins": (
        lambda: joints(
            lambda j: {
                "origin": Pose(
                    vector(np.add(j.origin.xyz, _ROBOT.link(j.parent).inertial.com)),  # type: ignore[union-attr,arg-type]
                    j.origin.quat,
                )
            },
            "j2",
            "j3",
        ),
        [
            "the center of mass of its parent added to position of the joint's origin (j2, j3), "
            "not j1, j4, which could have it, too"
        ],
    ),
    "ixx and izz exchanged": (
        lambda: links(lambda i, _: {"inertia": matrix3(exchanged(i))}),
        ["moments of inertia in the order izz, iyy, ixx (l0, l1, l2, and 2 more)"],
    ),
    "one moment with another decimal point": (
        lambda: links(
            lambda i, _: {
                "inertia": matrix3(np.array(i.inertia) * np.where(np.diag([0, 1, 0]), 10.0, 1.0))
            },
            "l0",
        ),
        ["iyy multiplied by 10 (l0)"],
    ),
    "slide in mm": (
        lambda: replace(ARM, readings={"j2": Misreading("j2", scale=1e-3)}),
        ["positions in mm: divided by 1000 (j2)"],
    ),
    "position in the axes of the child": (
        lambda: joints(
            lambda j: {
                "origin": Pose(rotate(Pose(quat=j.origin.quat).inverse().quat, j.origin.xyz), j.origin.quat)
            }
        ),
        ["position of the joint's origin turned back by its own origin (j1, j2, j3, and 1 more)"],
    ),
    "axis of the root link": (
        lambda: joints(lambda j: {"axis": rotate(in_root(j.child).quat, j.axis)}),
        ["axis turned by the pose of its child in the root link (j1, j2, j3, and 1 more)"],
    ),
    "angles in degrees": (
        lambda: joints(
            lambda j: {"origin": Pose(j.origin.xyz, from_rpy(*np.radians(j.origin.rpy()).tolist()))}, "j2"
        ),
        ["angles of the joint's origin taken as degrees: multiplied by π/180 (j2)"],
    ),
    "all revolute joints": (
        lambda: joints(lambda j: {"axis": vector(np.negative(j.axis))}, "j1", "j3", "j4"),
        ["sign of the axis (j1, j3, j4), the revolute joints and no others"],
    ),
    "unknown": (
        lambda: links(lambda i, _: {"com": (0.1234, -0.0567, 0.0891)}, "l2"),
        ["center of mass moved by 0.0"],
    ),
}


@pytest.mark.parametrize("case", few(CASES, 3))
def test_a_mistake_is_explained(case: str) -> None:
    make, causes = CASES[case]
    states = draw_states(ARM, 12)
    answer = answer_of(make(), states)
    found = diagnose(ARM, states, answer, [ARM.dofs[k] for k in answer.facts["dofs"]])
    told = [str(cause) for cause in found.causes]
    if case == "unknown":
        # nothing is named that the numbers do not show
        assert len(told) == 1
        assert told[0].startswith("center of mass moved by 0.")
        assert found.causes[0].fitted
    else:
        assert told == causes
    assert not found.unexplained


def test_a_turn_of_many_radians_is_measured() -> None:
    engine = replace(ARM, readings={"j1": Misreading("j1", scale=57.29577951308232)})
    states = draw_states(ARM, 12)
    answer = answer_of(engine, states)
    found = diagnose(ARM, states, answer, [ARM.dofs[k] for k in answer.facts["dofs"]])
    assert [str(cause) for cause in found.causes] == ["positions in degrees: multiplied by 180/π (j1)"]


def damped(name: str, damping: float, friction: float) -> Joint:
    joint = replace(_ROBOT.joints[0], name=name)
    return replace(joint, dynamics=replace(joint.dynamics, damping=damping, friction=friction))


@pytest.mark.parametrize(
    ("own", "factors", "told"),
    [
        # 0.1 times 0.5 is 0.05 by chance, at joints of the same numbers, too
        ([(0.1, 0.5)], [0.1], "friction 0.05 in the engine, not that of the model"),
        ([(0.3, 0.5), (0.3, 0.5)], [0.3, 0.3], "friction 0.15 in the engine, not that of the model"),
        ([(0.3, 0.5), (0.7, 0.9)], [0.3, 0.7], "friction multiplied by the damping"),
        ([(0.375, 0.512)], [0.375], "friction multiplied by the damping"),
        ([(0.375, 0.512)], [0.375 + 1e-9], "friction 0.192 in the engine, not that of the model"),
    ],
)
def test_numbers_that_agree_by_chance_are_no_cause(
    own: list[tuple[float, float]], factors: list[float], told: str
) -> None:
    made = {f"k{k}": damped(f"k{k}", *numbers) for k, numbers in enumerate(own)}
    tree = Tree(replace(_ROBOT, joints=tuple(made.values())))
    words, evidence = {}, {}
    for (name, joint), factor in zip(made.items(), factors, strict=True):
        there = joint.dynamics.friction * factor
        words[name] = number_words(tree, joint, "friction", there)
        evidence[name] = evidence_of((joint.dynamics.friction,), (there,))
    (cause,) = chosen(words, 1.3, evidence)
    assert cause == ((told,), [*made])


def test_limits_that_agree_by_chance_are_no_cause() -> None:
    joint = replace(_ROBOT.joints[0], limits=ub.Limits(position=(-2.0, 1.0), velocity=(-0.8, 0.8)))
    words = limit_words(Tree(replace(_ROBOT, joints=(joint,))), joint, (-2.0, 1.0), (-1.2, 1.8))
    assert [names for names, _ in chosen({"j": words}, 1.3)] == [("limits moved by 0.8",)]
