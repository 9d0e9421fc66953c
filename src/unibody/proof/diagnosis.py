"""Finds the likely cause of deviations: the known slip, or the fitted force, that explains the numbers."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from unibody.proof.body_causes import explain_masses, explain_rounding
from unibody.proof.cause import Cause
from unibody.proof.comparison import inertials_of
from unibody.proof.file_causes import named_by_file
from unibody.proof.force_causes import explain_forces, explain_load_friction
from unibody.proof.joint_causes import explain_base, explain_dropped, explain_lacking
from unibody.proof.motion_causes import explain_motion
from unibody.proof.process import Answer
from unibody.proof.reference import Reference, States
from unibody.proof.scope import scope_of, spared_by
from unibody.proof.search import Search, Stopped
from unibody.proof.shapes import TEXTURES_LOST
from unibody.proof.solver_causes import explain_solvers
from unibody.proof.sources import Tree
from unibody.proof.stated_causes import (
    explain_bounds,
    explain_couplings,
    explain_gravity,
    explain_gravity_compensation,
    explain_limits,
    explain_loops,
    explain_missing_loops,
    explain_rates,
    explain_zeros,
)

_NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})
# States that the search looks at.
_STATES = 16
# Seconds after which no further misreading of the file is tried.
_MISREAD = 10.0


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The causes that were found, and the quantities that they do not explain.

    ``stopped`` tells that the search took longer than it may, and looked no further.
    """

    causes: tuple[Cause, ...] = ()
    unexplained: tuple[str, ...] = ()
    stopped: bool = False


def diagnose(
    reference: Reference,
    states: States,
    answer: Answer,
    dofs: Sequence[tuple[str, int]],
    *,
    seconds: float = math.inf,
    misread: Iterable[tuple[str, str, Reference]] = (),
    stated: Mapping[str, Collection[str]] = _NOTHING,
) -> Diagnosis:
    """Find the likely causes of all deviations of an answer from a reference, for so many seconds.

    The step that the search is at when they are over is the last one. ``misread`` are references of what an
    importer may have of the file, with words and with what it does not read of it; causes that one of them
    explains are told with its words. ``stated`` are words for what the file states of joints and links.
    """
    begin = time.monotonic()
    search = Search(reference, states.first(_STATES), _cut(answer, _STATES), dofs, seconds)
    stopped = False
    with np.errstate(all="ignore"):
        try:
            _run(search)
        except Stopped:
            stopped = True
    tree = Tree(reference.robot)
    named = [*_joined(search.causes)]
    unexplained = tuple(search.unexplained())
    if not stopped:
        rest = _unnamed(search, unexplained)
        end = begin + min(_MISREAD, 0.5 * seconds)
        first, cut = states.first(_STATES), _cut(answer, _STATES)
        with np.errstate(all="ignore"):
            named = named_by_file(reference, first, cut, dofs, [*named, *rest], misread, end)
        if any(cause in named for cause in rest):
            named = [cause for cause in named if cause not in rest]
        else:
            unexplained = ()
    told = sorted(_joined(named), key=lambda cause: cause.fitted)
    told += _joined(search.side)
    unseen = _unseen(reference, answer)
    causes = (
        cause if cause.of_file or cause.scope else _scoped(tree, cause, reference.format, unseen, stated)
        for cause in told
    )
    causes = (
        replace(x, spared=tuple(y for y in x.spared if y not in search.unchanged.get(x.cause, ())))
        for x in causes
    )
    return Diagnosis(tuple(causes), unexplained, stopped)


def _scoped(
    tree: Tree, cause: Cause, format: str, unseen: Collection[str], stated: Mapping[str, Collection[str]]
) -> Cause:
    """A cause with what its owners have in common, or with those that could have it, too."""
    if scope := scope_of(tree, cause, format, unseen, stated):
        return replace(cause, scope=scope)
    return replace(cause, spared=spared_by(tree, cause, unseen))


def _unnamed(search: Search, unexplained: Sequence[str]) -> list[Cause]:
    """What no cause explains, as a cause without words, which the file may have."""
    if not unexplained:
        return []
    owners = search.beyond(search.compared(), unexplained[0])
    robot = search.reference.robot
    known = {joint.name for joint in robot.joints} | {link.name for link in robot.links}
    return [Cause("", tuple(x for x in owners if x in known), tuple(unexplained), fitted=True)]


def _unseen(reference: Reference, answer: Answer) -> set[str]:
    """The links that are parts of bodies of which the engine does not tell the mass."""
    if "bodies" not in answer.facts:
        return set()
    rows = {name: k for k, name in enumerate(answer.facts["bodies"])}
    told = inertials_of(reference, rows)
    return {link.name for link in reference.robot.links if reference.body_of(link.name, told) is None}


def _joined(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Causes with the same words as one."""
    by_words: dict[str, list[Cause]] = {}
    for cause in causes:
        by_words.setdefault(cause.cause, []).append(cause)
    for same in by_words.values():
        owners = dict.fromkeys(owner for cause in same for owner in cause.owners)
        yield replace(same[0], owners=tuple(owners))


def _run(search: Search) -> None:
    """Search from what others depend on to what depends on others."""
    explain_base(search)
    explain_lacking(search)
    explain_dropped(search)
    if "bounds" in search.compared().failed:
        explain_bounds(search, search.compared())
    failed = search.compared().failed
    if {"positions", "rotations"} & {*failed}:
        explain_motion(search)
    if {"mass", "com", "inertia"} & {*search.compared().failed}:
        explain_masses(search, ("mass", "com", "inertia"))
    elif "bodies" not in search.answer.facts and "mass_matrix" in search.compared().failed:
        explain_masses(search, ("mass_matrix",))
    explain_rounding(search)
    explain_zeros(search, search.compared())
    explain_gravity(search, search.compared())
    explain_gravity_compensation(search, search.compared())
    found = search.compared()
    if {"mass_matrix", "bias", "acceleration", "armature", "damping", "friction"} & {
        *found.failed
    } - search.explained:
        explain_forces(search)
    if "load_friction" in found.failed:
        explain_load_friction(search, found)
    if "limits" in found.failed:
        explain_limits(search, found)
    for name in ("effort", "velocity"):
        if name in found.failed:
            explain_rates(search, found, name)
    for name in ("limit_solver", "friction_solver"):
        if name in found.failed:
            explain_solvers(search, found, name)
    if "couplings" in found.failed:
        explain_couplings(search, found)
    if "loops" in found.failed:
        explain_missing_loops(search, found)
    for name in ("loop_gaps", "loop_turns"):
        if name in found.failed:
            explain_loops(search, found, name)
    if "textures" in found.failed:
        search.take(Cause(TEXTURES_LOST, tuple(search.beyond(found, "textures")), ("textures",)))
        search.explained.add("textures")


def _cut(answer: Answer, count: int) -> Answer:
    by_state = (
        "poses",
        "mass_matrix",
        "bias",
        "acceleration",
        "acceleration_without",
        "loop_gaps",
        "loop_turns",
    )
    arrays = {name: rows[:count] if name in by_state else rows for name, rows in answer.arrays.items()}
    return Answer(facts=answer.facts, arrays=arrays)
