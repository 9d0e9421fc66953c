"""Names what an engine does not read of a file: misreadings after which the file has its numbers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unibody.proof.cause import Cause
from unibody.proof.comparison import Comparison, compare
from unibody.proof.process import Answer
from unibody.proof.reference import Reference, States
from unibody.proof.scalars import number_of
from unibody.proof.subject import Subject

# Quantities of joints and links that no other joint or link changes.
_OWN = frozenset(
    "mass com inertia limits zero effort velocity armature damping friction gravity gravity_compensation "
    "couplings bounds loop_gaps loop_turns loops textures joints links".split()
)
# Those that are compared without any motion, and those of forces.
_STILL = _OWN - {"loop_gaps", "loop_turns", "links"}
_FORCED = frozenset(("mass_matrix", "bias", "acceleration"))
# Numbers of misreadings that explain the same are told, and that are closer are one.
_ALTERNATIVES, _SAME = 2, 1e-12
# Numbers of joints that tell which place of a file they are from, and as many joints that are no chance.
_NUMBERS, _LEAST = ("armature", "damping", "friction"), 2
# Between alternatives.
_OR = ", or "


@dataclass(frozen=True, slots=True)
class _Found:
    """A misreading, and the causes that are a part of it by their places."""

    words: str
    causes: frozenset[int]


def named_by_file(
    reference: Reference,
    states: States,
    answer: Answer,
    dofs: Sequence[tuple[str, int]],
    causes: Sequence[Cause],
    misread: Iterable[tuple[str, str, Reference]],
    end: float,
) -> list[Cause]:
    """The causes with the misreading of the file that makes them, where there is one.

    ``misread`` are references of the file with the words of the misreading and the place of an attribute
    that it ignores; none is begun after the time
    ``end``. Causes whose numbers were fitted and that one misreading makes are one cause.
    """
    before = compare(reference, states, answer, dofs)
    found: list[_Found] = []
    if not causes:
        return []
    open_ones = {name for cause in causes for name in cause.quantities if name in before.failed}
    moving = open_ones - _STILL
    forced = bool(moving & _FORCED)
    scopes: dict[str, str] = {}
    for words, ignored, changed in misread:
        if _is_alike(reference, changed):
            if ignored:
                scopes |= _scopes(reference, changed, ignored, causes)
            elsewhere = bool(moving) or _is_elsewhere(reference, changed)
            try:
                after = compare(changed, states, answer, dofs, moving=elsewhere, forced=forced)
            except (ValueError, ArithmeticError):
                continue
            solved = frozenset(
                k for k, cause in enumerate(causes) if _solves(reference, before, after, cause)
            )
            if solved and not _harms(before, after):
                found.append(_Found(words, solved))
        if time.monotonic() > end:
            break
    told = _told(causes, found)
    return [x if x.of_file else replace(x, scope=scopes.get(x.cause, x.scope)) for x in told]


def _scopes(
    reference: Reference, changed: Reference, ignored: str, causes: Sequence[Cause]
) -> dict[str, str]:
    """What the joints of a cause have in common that alone have a number from one place of the file.

    By the words of the cause; two others need to have such a number from elsewhere.
    """
    out: dict[str, str] = {}
    for cause in causes:
        if len(cause.owners) < _LEAST or len(cause.quantities) != 1 or cause.quantities[0] not in _NUMBERS:
            continue
        pairs = [*zip(reference.robot.joints, changed.robot.joints, strict=True)]
        numbers = {a.name: [number_of(x, cause.quantities[0]) for x in (a, b)] for a, b in pairs}
        concerned = {name for name, (own, other) in numbers.items() if own != other}
        others = [name for name, (own, other) in numbers.items() if own and own == other]
        if concerned == {*cause.owners} and len(others) >= _LEAST:
            out[cause.cause] = f"joints that have {ignored}"
    return out


def _told(causes: Sequence[Cause], found: list[_Found]) -> list[Cause]:
    left, words = {*range(len(causes))}, dict[int, str]()
    groups: list[frozenset[int]] = []
    while left and found:
        best = max(found, key=lambda each: len(each.causes & left))
        mine = best.causes & left
        if not mine:
            break
        same = [each.words for each in found if each.causes & left == mine][:_ALTERNATIVES]
        words |= dict.fromkeys(mine, _OR.join(same))
        groups.append(mine)
        left -= mine
    out: list[Cause] = []
    for k, cause in enumerate(causes):
        if k not in words:
            out.append(cause)
            continue
        group = [causes[j] for j in sorted(next(x for x in groups if k in x))]
        if cause is group[0]:
            # what one misreading makes is one cause
            owners = dict.fromkeys(owner for each in group for owner in each.owners)
            quantities = dict.fromkeys(x for each in group for x in each.quantities)
            effects = ", ".join(_effects(group))
            told = f"{words[k]}: {effects}" if effects else words[k]
            out.append(Cause(told, tuple(owners), tuple(quantities), of_file=True))
    return out


def _effects(group: Sequence[Cause]) -> Iterator[str]:
    """The words of causes that are sure: what may be one or another is told by the file alone.

    So is what concerns one quantity in several ways.
    """
    by_quantity: dict[tuple[str, ...], list[Cause]] = {}
    for cause in group:
        by_quantity.setdefault(cause.quantities, []).append(cause)
    for cause, *others in by_quantity.values():
        if not others and not cause.fitted and cause.subject is not Subject.LIKENESS:
            yield cause.cause


def _is_alike(reference: Reference, changed: Reference) -> bool:
    """Whether both have the same links and joints, so that their numbers can be compared."""
    a, b = reference.robot, changed.robot
    return {x.name for x in a.links} == {x.name for x in b.links} and {
        (x.name, x.kind) for x in a.joints
    } == {(x.name, x.kind) for x in b.joints}


def _is_elsewhere(reference: Reference, changed: Reference) -> bool:
    """Whether links are elsewhere, or move otherwise."""
    a, b = ({j.name: (j.origin, j.axis) for j in x.robot.joints} for x in (reference, changed))
    return a != b or reference.robot.pose != changed.robot.pose


def _beyond(found: Comparison, quantity: str) -> set[str]:
    if quantity not in found.deviations:
        return set()
    tolerance = found.deviations[quantity].tolerance
    return {name for name, value in found.by_owner[quantity].items() if not value <= tolerance}


def _solves(reference: Reference, before: Comparison, after: Comparison, cause: Cause) -> bool:
    """Whether nothing of a cause is left after a misreading."""
    names = {*cause.owners, *(reference.bodies[x][0] for x in cause.owners if x in reference.bodies)}
    failed = [name for name in cause.quantities if _beyond(before, name)]
    for name in failed:
        rest = _beyond(after, name)
        if name in _OWN and names & _beyond(before, name):
            rest &= names
        if rest or name not in after.deviations:
            return False
    return bool(failed)


def _harms(before: Comparison, after: Comparison) -> bool:
    """Whether a misreading changes what is right, or makes other numbers of what is wrong."""
    moved = ("positions", "rotations")
    if any(_beyond(after, name) and not _beyond(before, name) for name in moved):
        return True
    for name in _OWN & after.by_owner.keys():
        wrong = _beyond(before, name)
        for owner in _beyond(after, name):
            if owner not in wrong:
                return True
            old, new = before.by_owner[name].get(owner), after.by_owner[name][owner]
            if old is None or abs(old - new) > _SAME * abs(old):
                return True
    return False
