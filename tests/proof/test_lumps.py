"""Bodies of several links: one slip of some of these links is named with them, and how they were merged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest
from tests.proof.emulated import answer_of
from tests.proof.robots import Maker, urdf

import unibody as ub
from unibody.model.inertia import Inertial, matrix3, rotated
from unibody.model.pose import Pose, from_rpy
from unibody.proof.diagnosis import diagnose
from unibody.proof.fused import MERGES, merging, whole_of
from unibody.proof.process import Answer
from unibody.proof.reference import Reference, draw_states, reference_of

_AXES = Pose(quat=from_rpy(0.4, -0.7, 0.9))


def _reference() -> Reference:
    maker = Maker(41)
    robot = maker.fixed(maker.arm("rrr", turned=True), "l3", "t0", 0.6)
    text = urdf(maker.fixed(robot, "t0", "t1", 0.2))
    return reference_of(ub.loads(text, format="urdf", base="fixed"), "urdf")


def _unturned(inertial: Inertial) -> Inertial:
    axes = Pose(quat=inertial.axes or (1.0, 0.0, 0.0, 0.0))
    return replace(inertial, inertia=rotated(inertial.inertia, axes.inverse()))


def _with_links(reference: Reference, changed: dict[str, Inertial | None]) -> Reference:
    links = tuple(
        replace(x, inertial=changed[x.name]) if x.name in changed else x for x in reference.robot.links
    )
    return replace(reference, robot=replace(reference.robot, links=links))


def _merged(answer: Answer, links: Collection[str]) -> Answer:
    """The answer of an engine that has these links as parts of others."""
    facts, arrays = dict(answer.facts), dict(answer.arrays)
    kept = [k for k, name in enumerate(facts["links"]) if name not in links]
    arrays["poses"] = arrays["poses"][:, kept]
    facts["links"] = [facts["links"][k] for k in kept]
    masses = [k for k, name in enumerate(facts["bodies"]) if name not in links]
    facts["bodies"] = [facts["bodies"][k] for k in masses]
    arrays |= {name: arrays[name][masses] for name in ("mass", "com", "inertia")}
    return Answer(facts=facts, arrays=arrays)


def _causes(reference: Reference, engine: Reference, parts: Collection[str] = ()) -> list[str]:
    states = draw_states(reference, 4)
    answer = answer_of(engine, states)
    answer = _merged(answer, parts) if parts else answer
    dofs = [reference.dofs[int(k)] for k in answer.facts["dofs"]]
    found = diagnose(reference, states, answer, dofs)
    assert not found.unexplained
    return [str(cause) for cause in found.causes]


def test_a_slip_of_two_links_of_one_body_is_named_with_both() -> None:
    own = _reference()
    inertia = rotated(matrix3(np.diag([0.02, 0.01, 0.025])), _AXES)
    given = {
        link.name: replace(link.inertial, inertia=inertia, axes=_AXES.quat)
        for link in own.robot.links
        if link.name in ("l3", "t0") and link.inertial is not None
    }
    reference = _with_links(own, dict(given))
    slipped = _with_links(reference, {name: _unturned(x) for name, x in given.items()})
    merge = merging(whole_of)
    assert _causes(reference, merge(slipped, ["l3"]), ("t0", "t1")) == [
        "inertia rotated: the axes of the inertial frame are ignored (l3, t0), "
        "the links that others are fixed to and no others"
    ]


@pytest.mark.parametrize("by_step", [False, True])
def test_links_may_be_merged_one_after_another(by_step: bool) -> None:
    reference = _reference()
    words, merge = next(each for each in MERGES if "not turned" in each[0])
    engine = merging(merge, by_step=by_step)(reference, ["l3", "t0", "t1"])
    assert _causes(reference, engine, ("t0", "t1")) == [f"{words} (l3, t0, t1)"]


def test_the_mass_of_one_of_several_links_is_told_as_dropped() -> None:
    reference = _reference()
    engine = _with_links(reference, {"t1": None})
    engine = merging(whole_of)(engine, ["l3"])
    assert _causes(reference, engine, ("t0", "t1")) == [
        "mass and inertia dropped (t1), the links fixed to links that are fixed to others and no others"
    ]
