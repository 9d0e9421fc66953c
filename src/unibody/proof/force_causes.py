"""Finds why forces are others in an engine: armature, damping, friction, springs, gravity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint
from unibody.proof.cause import Cause
from unibody.proof.comparison import Comparison, compare
from unibody.proof.guesses import FITTED, RIGHT, Words
from unibody.proof.process import Answer
from unibody.proof.reference import Reference
from unibody.proof.scalars import (
    alike_words,
    constant_words,
    evidence_of,
    exchanged_words,
    number_of,
    number_words,
    permuted_words,
)
from unibody.proof.search import Search
from unibody.proof.slips import DYNAMICS
from unibody.proof.sources import Tree
from unibody.proof.subject import Subject

# What resists a joint, in forces that are fitted.
_PASSIVE = ("damping", "friction", "spring", "constant force")
_HELD = "coupling held by forces: the engine enforces it, and the joint does not move freely"
# Mass matrices of this condition number, each joint scaled to 1, have no inverse in double precision.
_SINGULAR = 1e15
# A fitted force explains a residual if it leaves this share of the largest force term.
_FITTED = 1e-7


def explain_forces(search: Search) -> None:
    """Why forces differ: what the engine states of joints, slips, and forces that are fitted."""
    names = ("armature", "damping", "friction", "mass_matrix", "bias", "acceleration")
    _take_stated(search)
    owners = search.failing(names)
    for slip in DYNAMICS:
        open_now = [name for name in names if name in search.compared().failed]
        if not open_now:
            return
        changed = slip.change(search.reference, owners)
        found = search.compared(changed)
        solved = [name for name in open_now if found.deviations and name not in found.failed]
        worse = [name for name in found.failed if name not in search.compared().failed]
        if solved and not worse:
            stated = () if slip.subject is Subject.GRAVITY else tuple(owners)
            search.take(Cause(slip.cause, stated, tuple(solved), subject=slip.subject), changed)
    _singular(search)
    _fit_armature(search)
    _without_added(search)
    if (held := _held(search, search.compared())) and "acceleration" not in search.explained:
        search.take(Cause(_HELD, held, ("acceleration",)))
        search.explained.add("acceleration")
    _fit_passive(search)


def _singular(search: Search) -> None:
    """Accelerations that the mass matrix does not determine."""
    found = search.compared()
    if {*found.failed} == {"acceleration"} and not found.condition <= _SINGULAR:
        search.take(Cause("mass matrix singular: accelerations are not determined", (), ("acceleration",)))
        search.explained.add("acceleration")


def _without_added(search: Search) -> None:
    """What the loader of an engine adds, if the engine's accelerations agree without it."""
    bare = search.answer.arrays.get("acceleration_without")
    if bare is None or "acceleration" not in search.compared().failed:
        return
    arrays = {**search.answer.arrays, "acceleration": bare}
    facts = {**search.answer.facts, "passive": search.answer.facts["passive_without"]}
    answer = Answer(facts=facts, arrays=arrays)
    found = compare(search.reference, search.states, answer, search.dofs)
    held = _held(search, found)
    if "acceleration" not in found.failed or held:
        search.take(Cause(str(search.answer.facts.get("added", "")), (), ("acceleration",)))
        search.explained.add("acceleration")
    if held:
        search.take(Cause(_HELD, held, ("acceleration",)))


def _held(search: Search, found: Comparison) -> tuple[str, ...]:
    """The coupled joints whose forces are all that the engine's accelerations need in addition."""
    if found.residual is None or found.largest_force is None or "acceleration" not in found.failed:
        return ()
    places = {search.reference.dofs[place]: k for k, place in enumerate(found.dofs)}
    rows, joints = [], []
    for coupling in search.reference.robot.couplings:
        ends = (coupling.joint, 0), (coupling.leader, 0)
        if all(end in places for end in ends):
            row = np.zeros(len(found.dofs))
            row[places[ends[0]]], row[places[ends[1]]] = 1.0, -coupling.ratio
            rows.append(row)
            joints.append(coupling.joint)
    if not rows:
        return ()
    matrix = np.stack(rows)
    rest = found.residual - found.residual @ np.linalg.pinv(matrix) @ matrix
    tolerance = found.deviations["acceleration"].tolerance
    return tuple(joints) if np.abs(rest / found.largest_force).max() <= tolerance else ()


def _take_stated(search: Search) -> None:
    """What the engine states for a joint, where no slip explains that it is another value."""
    found = search.compared()
    tree = Tree(search.reference.robot)
    joints = tree.joints
    there: dict[str, dict[str, float]] = {}
    for name in ("armature", "damping", "friction"):
        bad = {*search.beyond(found, name)} if name in found.failed else set()
        told_by = search.reference.stated(search.answer.facts)
        stated = {x: float(joint[name]) for x, joint in told_by.items() if x in bad}
        if stated:
            there[name] = stated
    told = set[str]()
    for name, stated in there.items():
        words = permuted_words(joints, name, stated)
        shared = constant_words(joints, name, stated)
        both = set[str]()
        for x, value in stated.items() if not words else ():
            known = _without_actuators(search, joints[x]) if name == "armature" else {}
            own = number_words(tree, joints[x], name, value, known)
            words[x] = {**own, **shared.get(x, {})}
            values = {each: numbers[x] for each, numbers in there.items() if x in numbers}
            if exchanged := exchanged_words(joints[x], name, values):
                words[x] = RIGHT if {*exchanged} <= told else exchanged
                both |= {*exchanged}
        evidence = {x: evidence_of((number_of(joints[x], name),), (value,)) for x, value in stated.items()}
        words = {x: each for x, each in words.items() if each is not RIGHT}
        told |= both
        alike = {alike_words(tree, joints[x], name, value) for x, value in stated.items()}
        search.take_words(words, name, evidence, alike)
        search.reference = _with_values(search.reference, name, stated)


def _with_values(reference: Reference, name: str, values: Mapping[str, float]) -> Reference:
    """A reference with another armature, damping or friction of joints."""
    joints = tuple(
        _with_value(j, name, values[j.name]) if j.name in values else j for j in reference.robot.joints
    )
    return replace(reference, robot=replace(reference.robot, joints=joints))


def _without_actuators(search: Search, joint: Joint) -> dict[str, float]:
    """The armature of a joint by mistakes with that of its actuators, by words."""
    share = search.reference.actuator_inertia.get(joint.name, 0.0)
    if not share:
        return {}
    own = joint.actuator.reflected_inertia
    gear = joint.actuator.gear_ratio or 1.0
    words = "armature of the actuators (rotor inertia times the square of the gear)"
    return {
        f"{words} ignored": own - share,
        f"{words} not multiplied by the gear": own - share + share / gear**2,
        f"{words} multiplied by the gear once": own - share + share / gear,
        f"{words} in place of that of the joint": share,
    }


def explain_load_friction(search: Search, found: Comparison) -> None:
    """Friction in proportion to what a joint carries, which no model states."""
    for share, owners in _grouped(found.by_owner["load_friction"]).items():
        cause = f"friction added: {share:.6g} of the load that the joint carries"
        search.take(Cause(cause, tuple(owners), ("load_friction",)))
    search.explained.add("load_friction")


def _fit_armature(search: Search) -> None:
    """Constant differences on the diagonal of the mass matrix."""
    found = search.compared()
    if "mass_matrix" not in found.failed:
        return
    theirs = search.answer.arrays["mass_matrix"]
    q = search.reference.numbers(search.states)[0][: len(theirs)]
    ours = np.asarray(search.reference.mechanism.mass_matrix(q))[:, found.dofs][:, :, found.dofs]
    away = theirs - ours
    diagonal = np.einsum("bii->bi", away)
    size = np.abs(ours).max()
    rest = away - diagonal[:, :, None] * np.eye(diagonal.shape[1])
    spread = np.abs(diagonal - diagonal.mean(axis=0)).max(initial=0.0)
    if max(np.abs(rest).max(initial=0.0), spread) > 1e2 * search.exact * size:
        return
    values: dict[str, float] = {}
    for place, value in zip(found.dofs, diagonal.mean(axis=0).tolist(), strict=True):
        name = search.reference.dofs[place][0]
        if abs(value) > search.exact * size:
            values[name] = value
    if "" in values:
        words = f"armature added to the free joint of the base: {values.pop(''):.6g} kg m² and kg"
        mine = ("mass_matrix", "bias", "acceleration")
        search.take(Cause(words, (search.reference.robot.root,), mine, True))
        # no mechanism of ours has it: what follows from it is not compared
        search.explained |= {*mine}
    joints = tuple(
        _with_value(j, "armature", j.actuator.reflected_inertia + values[j.name]) if j.name in values else j
        for j in search.reference.robot.joints
    )
    for value, owners in _grouped(values).items():
        word = "added" if value > 0.0 else "missing"
        unit = "kg m² (kg of a slide)"
        search.causes.append(
            Cause(f"armature {word}: {abs(value):.6g} {unit}", tuple(owners), ("mass_matrix",), True)
        )
    search.reference = replace(search.reference, robot=replace(search.reference.robot, joints=joints))


def _fit_passive(search: Search) -> None:
    """Forces that the engine adds, fitted to what its accelerations need besides the known ones."""
    found = search.compared()
    if found.residual is None or "acceleration" not in found.failed or found.largest_force is None:
        return
    if "acceleration" in search.explained:
        return
    q, v, effort = (rows[: len(found.residual)] for rows in search.reference.numbers(search.states))
    tolerance = max(search.exact * 10.0, _FITTED)
    matrix = np.asarray(search.reference.mechanism.mass_matrix(q))
    features = _features(search, q, v, effort, matrix, found)
    sets = [combo for size in (1, 2, 3) for combo in combinations(features, size)]
    for chosen_ones in [*sets, _PASSIVE]:
        search.go_on()
        fit = _fit([features[name] for name in chosen_ones], found.residual)
        if fit is None:
            continue
        values, rest = fit
        if not np.abs(rest / found.largest_force).max() <= tolerance:
            continue
        fitted = dict(zip(chosen_ones, values, strict=True))
        for name in fitted.keys() - {*_PASSIVE}:
            _take_forces(search, name, features[name][0], fitted[name], found.dofs)
        _take_passive(search, fitted, found.dofs)
        search.explained.add("acceleration")
        return


def _features(
    search: Search, q: Floats, v: Floats, effort: Floats, matrix: Floats, found: Comparison
) -> dict[str, tuple[bool, Floats]]:
    """Forces (B, n) by cause at factor 1, and whether each joint has a factor of its own."""
    at = found.dofs
    single = {j.name for j in search.reference.robot.joints if KINDS[j.kind].nq == 1}
    names = [search.reference.dofs[k][0] for k in at]
    starts = dict(
        zip(search.reference.mechanism.joint_names, search.reference.mechanism.idx_q, strict=True)
    )
    position = np.zeros((len(q), len(at)))
    for k, name in enumerate(names):
        if name in single:
            position[:, k] = q[:, starts[name]]
    zero = np.zeros_like(v)
    gravity = np.asarray(
        search.reference.mechanism.inverse_dynamics(q, zero, zero, gravity=search.reference.gravity)
    )
    coriolis = np.asarray(search.reference.mechanism.coriolis_bias(q, v))
    moving = np.einsum("bij,bj->bi", matrix, v)
    return {
        "damping": (True, -v[:, at]),
        "friction": (True, -np.sign(v[:, at])),
        "damping of links (per second)": (False, -moving[:, at]),
        "constant force": (True, np.ones((len(q), len(at)))),
        "spring": (True, -position),
        "force in the joint multiplied": (True, effort[:, at]),
        "gravity multiplied": (False, -gravity[:, at]),
        "velocity-dependent forces multiplied": (False, -coriolis[:, at]),
    }


def _take_forces(search: Search, name: str, own: bool, values: Floats, dofs: Sequence[int]) -> None:
    if not own:
        search.causes.append(Cause(_force_words(name, float(values[0])), (), ("acceleration",), True))
        return
    by_joint = {}
    for place, value in zip(dofs, values.tolist(), strict=True):
        joint = search.reference.dofs[place][0] or search.reference.robot.root
        by_joint[joint] = value
    largest = max(map(abs, by_joint.values()), default=0.0)
    for value, owners in _grouped({k: x for k, x in by_joint.items() if abs(x) > 1e-4 * largest}).items():
        search.causes.append(Cause(_force_words(name, value), tuple(owners), ("acceleration",), True))


def _take_passive(search: Search, fitted: Mapping[str, Floats], dofs: Sequence[int]) -> None:
    """Damping, friction and springs of joints that are others by the fitted forces."""
    tree = Tree(search.reference.robot)
    joints = {joint.name: joint for joint in search.reference.robot.joints}
    largest = max((float(np.abs(x).max()) for k, x in fitted.items() if k in _PASSIVE), default=0.0)
    words: dict[str, dict[str, Words]] = {}
    evidence: dict[str, str] = {}
    alike = set[str]()
    rows = [search.reference.dofs[place][0] for place in dofs]
    for name in dict.fromkeys(rows):
        by_dof = [
            {each: float(fitted[each][k]) for each in _PASSIVE if each in fitted}
            for k, row in enumerate(rows)
            if row == name
        ]
        # that of the first degree of freedom that has one
        away: dict[str, float] = {}
        for dof in by_dof:
            away = {each: x for each, x in dof.items() if abs(x) > 1e-6 * largest} | away
        if not away:
            continue
        joint = joints.get(name)
        is_one = joint is not None and (KINDS[joint.kind].nq == 1 or _is_damped_evenly(by_dof, away))
        if joint is None or not is_one:
            for each, value in away.items():
                owner = name or search.reference.robot.root
                words.setdefault(each, {})[owner] = {_force_words(each, value): FITTED}
            continue
        own_numbers = [number_of(joint, each) for each in ("damping", "friction", "stiffness", "rest")]
        evidence[name] = evidence_of(own_numbers, list(away.values()))
        for quantity in ("damping", "friction"):
            if quantity in away:
                own = number_of(joint, quantity)
                there = _round_off(own + away[quantity], own)
                words.setdefault(quantity, {})[name] = number_words(tree, joint, quantity, there)
                alike.add(alike_words(tree, joint, quantity, there))
        spring = _spring_words(
            search, tree, joint, away.get("spring", 0.0), away.get("constant force", 0.0), alike
        )
        for quantity, each_words in spring.items():
            words.setdefault(quantity, {})[name] = each_words
    for by_owner in words.values():
        search.take_words(by_owner, "acceleration", evidence, alike)


def _is_damped_evenly(by_dof: Sequence[Mapping[str, float]], away: Mapping[str, float]) -> bool:
    """Whether a joint of several degrees of freedom has other damping or friction alone, alike in all."""
    return {*away} <= {"damping", "friction"} and all(
        abs(dof[each] - value) <= 1e-6 * abs(value) for dof in by_dof for each, value in away.items()
    )


def _spring_words(
    search: Search, tree: Tree, joint: Joint, more: float, force: float, alike: set[str]
) -> dict[str, Words]:
    """What explains another spring of a joint, by its stiffness and a constant force in addition.

    Words for numbers that other joints have, too, are added to ``alike``.
    """
    own = joint.dynamics
    stiffness = _round_off(own.stiffness + more, own.stiffness)
    out: dict[str, Words] = {}
    if more:
        alike.add(alike_words(tree, joint, "stiffness", stiffness))
        out["stiffness"] = number_words(tree, joint, "stiffness", stiffness)
    moved = own.stiffness * own.rest + force
    if not stiffness:
        if abs(moved) > 1e-6 * max(abs(force), abs(own.stiffness * own.rest)):
            out["constant force"] = {_force_words("constant force", moved): FITTED}
        return out
    rest = _round_off(moved / stiffness, own.rest)
    shift, cause = search.zeros.get(joint.name, (0.0, ""))
    if cause and abs(rest - own.rest + shift) <= 1e-6 * abs(shift):
        out["rest"] = {cause: 1.0}
    elif abs(rest - own.rest) > 1e-6 * max(abs(rest), abs(own.rest)):
        zero = search.reference.zeros.get(joint.name, 0.0)
        if zero and abs(rest + zero) <= 1e-6 * abs(zero):
            out["rest"] = {"rest position of the spring ignored": 1.0}
        else:
            alike.add(alike_words(tree, joint, "rest", rest))
            out["rest"] = number_words(tree, joint, "rest", rest)
    return out


def _with_value(joint: Joint, name: str, value: float) -> Joint:
    """A joint with another armature, damping or friction."""
    if name == "armature":
        return replace(joint, actuator=replace(joint.actuator, axis_inertia=value))
    changed = {name: value}
    return replace(joint, dynamics=replace(joint.dynamics, **changed))


def _round_off(value: float, own: float) -> float:
    """A fitted number, 0 where it is what a fit makes of 0."""
    return 0.0 if abs(value) <= 1e-6 * abs(own) else value


def _force_words(name: str, value: float) -> str:
    if name.endswith("multiplied"):
        return f"{name} by {1.0 + value:.6g}"
    return f"{name} {'added' if value > 0.0 else 'missing'}: {abs(value):.6g}"


def _grouped(values: Mapping[str, float]) -> dict[float, list[str]]:
    """Names by value, of values that agree to four digits."""
    out: dict[float, list[str]] = {}
    for name, value in values.items():
        known = next((x for x in out if abs(x - value) <= 1e-4 * abs(x)), value)
        out.setdefault(known, []).append(name)
    return out


def _fit(features: Sequence[tuple[bool, Floats]], residual: Floats) -> tuple[list[Floats], Floats] | None:
    """Least squares of forces, and what is left; None if the forces depend on one another.

    A force has a factor for each degree of freedom, (n,), or one for all, (1,).
    """
    count, size = residual.shape
    columns: list[Floats] = []
    places: list[tuple[int, int]] = []
    for number, (own, force) in enumerate(features):
        for k in range(size if own else 1):
            column = force
            if own:
                column = np.zeros((count, size))
                column[:, k] = force[:, k]
            if np.abs(column).max(initial=0.0) > 0.0:
                columns.append(column.ravel() / np.abs(column).max())
                places.append((number, k))
    if not columns:
        return None
    matrix = np.stack(columns, axis=1)
    solution, _, rank, _ = np.linalg.lstsq(matrix, residual.ravel(), rcond=1e-12)
    if rank < len(columns):
        return None
    values = [np.zeros(size if own else 1) for own, _ in features]
    for (number, k), value in zip(places, solution.tolist(), strict=True):
        force = features[number][1]
        values[number][k] = value / np.abs(force[:, k] if features[number][0] else force).max()
    return values, residual - (matrix @ solution).reshape(count, size)
