"""Finds why what an engine states is another: zeros, gravity, limits, couplings, loops, bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unibody.model.gravity import STANDARD
from unibody.model.robot import Joint
from unibody.proof.bounds import MERGED, bounds_words, merged_shapes
from unibody.proof.cause import Cause
from unibody.proof.comparison import Comparison
from unibody.proof.couplings import (
    coupling_causes,
    dropped_couplings,
    dropped_words,
    number_deviations,
    polynomial_pairs,
    polynomial_words,
)
from unibody.proof.guesses import DEGREE, Words, is_known
from unibody.proof.loops import loop_causes, stated_anchors
from unibody.proof.reference import Reference
from unibody.proof.scalars import (
    evidence_of,
    limit_words,
    rate_words,
)
from unibody.proof.search import Search
from unibody.proof.shapes import unchanged_shapes
from unibody.proof.sources import Tree


def explain_zeros(search: Search, found: Comparison) -> None:
    """Joints that the engine has at another coordinate where the file has its pose."""
    if "zero" not in found.failed:
        return
    stated = {x["name"]: float(x["zero"]) for x in search.answer.facts["joints"] if "zero" in x}
    tolerance = found.deviations["zero"].tolerance
    for name, value in found.by_owner["zero"].items():
        if not value <= tolerance:
            ours = search.reference.zeros.get(name, 0.0)
            words = f"zero of the joint at {stated[name]:.6g} in the engine, not at {ours:.6g}"
            for slip, made in (
                ("ref of the joint ignored: its zero is at 0 in the engine", 0.0),
                ("sign of the joint's ref", -ours),
                ("ref of the joint in degrees", ours / DEGREE),
                ("ref of the joint in radians taken as degrees", ours * DEGREE),
            ):
                if abs(made - stated[name]) <= tolerance:
                    words = slip
                    break
            search.take(Cause(words, (name,), ("zero",)))
            search.zeros[name] = stated[name] - ours, words
    search.reference = replace(search.reference, zeros={**search.reference.zeros, **stated})
    moved = _with_springs_moved(search)
    if len(search.compared(moved).failed) < len(search.compared().failed):
        search.reference = moved


def _with_springs_moved(search: Search) -> Reference:
    """The reference with springs that keep their coordinate in the file as zeros move."""

    def of(joint: Joint) -> Joint:
        shift = search.zeros.get(joint.name, (0.0, ""))[0]
        return replace(joint, dynamics=replace(joint.dynamics, rest=joint.dynamics.rest - shift))

    joints = tuple(map(of, search.reference.robot.joints))
    return replace(search.reference, robot=replace(search.reference.robot, joints=joints))


def explain_gravity(search: Search, found: Comparison) -> None:
    """Gravity of another size or along another axis."""
    if "gravity" not in found.failed:
        return
    there = [float(x) for x in search.answer.facts["gravity"]]
    ours = search.reference.stated_gravity or STANDARD
    words = f"{_gravity_words(ours, there)} {_vector(there)} m/s² in the engine, not {_vector(ours)}"
    x, y, z = there
    search.take(Cause(words, (), ("gravity",)), replace(search.reference, stated_gravity=(x, y, z)))


def explain_gravity_compensation(search: Search, found: Comparison) -> None:
    """Shares of weights that lift bodies, which the engine does not have or has otherwise."""
    if "gravity_compensation" not in found.failed:
        return
    links = {body: link for link, (body, _) in search.reference.bodies.items()}
    there = search.answer.facts["gravity_compensation"]
    words: dict[str, Words] = {}
    for body in search.beyond(found, "gravity_compensation"):
        link = links.get(body, body)
        own, other = search.reference.gravity_compensation.get(link, 0.0), there.get(body, 0.0)
        told = f"gravity compensation of {other:.6g} of the weight in the engine, not {own:.6g}"
        words[link] = {told if other else "gravity compensation (gravcomp) missing": 1.0}
    search.take_words(words, "gravity_compensation")
    search.explained.add("gravity_compensation")
    lifted = {link: there.get(search.reference.bodies[link][0], 0.0) for link in words}
    robot = search.reference.robot
    changed = (
        replace(x, gravity_compensation=lifted[x.name]) if x.name in lifted else x for x in robot.links
    )
    search.reference = replace(search.reference, robot=replace(robot, links=tuple(changed)))


def explain_rates(search: Search, found: Comparison, quantity: str) -> None:
    """Limits of "effort" or "velocity" that the engine does not have, or has otherwise."""
    joints = {joint.name: joint for joint in search.reference.robot.joints}
    tolerance = found.deviations[quantity].tolerance
    bad = [name for name, value in found.by_owner[quantity].items() if not value <= tolerance]
    told_by = search.reference.stated(search.answer.facts)
    stated = {name: joint[quantity] for name, joint in told_by.items() if name in bad}
    tree = Tree(search.reference.robot)
    words = {name: rate_words(tree, joints[name], quantity, (a, b)) for name, (a, b) in stated.items()}
    search.take_words(words, quantity)
    if len(stated) == len(bad):
        search.explained.add(quantity)


def explain_couplings(search: Search, found: Comparison) -> None:
    """Couplings that the engine drops, and ratios and offsets that are others in it."""
    robot, facts = search.reference.robot, search.answer.facts
    optional: dict[str, list[str]] = {}
    for joint, option in dropped_couplings(robot, facts).items():
        if option:
            optional.setdefault(dropped_words(option), []).append(joint)
        else:
            search.take(Cause(dropped_words(option), (joint,), ("couplings",)))
    tolerance = found.deviations["couplings"].tolerance
    bad = [joint for joint, away in number_deviations(robot, facts).items() if not away <= tolerance]
    pairs = polynomial_pairs(robot, facts, search.reference.polynomials)
    bad = [joint for joint in bad if joint not in pairs]
    causes = coupling_causes(robot, facts, bad)
    beyond = {*search.beyond(found, "couplings")}
    terms = {joint: polynomial_words(*pair) for joint, pair in pairs.items() if joint in beyond}
    search.take_words({**causes, **terms}, "couplings")
    for words, joints in optional.items():
        search.take(Cause(words, tuple(joints), ("couplings",)))
    if len(causes) == len(bad):
        search.explained.add("couplings")


def explain_loops(search: Search, found: Comparison, quantity: str) -> None:
    """Loops that hold other points or frames in the engine."""
    bad = search.beyond(found, quantity)
    poses = np.asarray(
        search.reference.mechanism.forward_kinematics(search.reference.numbers(search.states)[0])
    )
    tolerance = found.deviations[quantity].tolerance
    causes = loop_causes(search.reference, search.answer, poses, quantity, bad, tolerance)
    for loop, cause in causes.items():
        search.take(Cause(cause, (loop,), (quantity,)))
    left = [name for name in bad if name not in causes]
    anchors = stated_anchors(search.reference, search.answer, left) if quantity == "loop_gaps" else {}
    for loop, words in anchors.items():
        search.take(Cause(words, (loop,), (quantity,), fitted=True))
    if len(causes) + len(anchors) == len(bad):
        search.explained.add(quantity)


def explain_missing_loops(search: Search, found: Comparison) -> None:
    """Loops that the engine does not close."""
    words = "loop dropped: the chain that it closes is open"
    search.take(Cause(words, tuple(search.beyond(found, "loops")), ("loops",)))
    search.explained.add("loops")


def explain_bounds(search: Search, found: Comparison) -> None:
    """Shapes that are elsewhere or have another size in the engine."""
    bad = search.beyond(found, "bounds")
    tolerance = found.deviations["bounds"].tolerance
    merged = [name for name in merged_shapes(search.reference, search.answer, tolerance) if name in bad]
    if merged:
        search.side.append(Cause(MERGED, tuple(merged), ("bounds",)))
    left = [name for name in bad if name not in merged]
    causes = bounds_words(search.reference, search.answer, left, tolerance)
    search.take_words(causes, "bounds")
    search.unchanged |= unchanged_shapes(search.reference, search.answer, tolerance)
    search.reshaped = {owner.rpartition("/")[0] for owner, words in causes.items() if is_known(words)}
    if len(causes) == len(left):
        search.explained.add("bounds")


def explain_limits(search: Search, found: Comparison) -> None:
    """Limits of positions that are others in the engine."""
    joints = {joint.name: joint for joint in search.reference.robot.joints}
    tolerance = found.deviations["limits"].tolerance
    bad = [name for name, value in found.by_owner["limits"].items() if not value <= tolerance]
    tree = Tree(search.reference.robot)
    causes: dict[str, Words] = {}
    evidence: dict[str, str] = {}
    for name, stated in search.reference.stated(search.answer.facts).items():
        if name not in bad:
            continue
        low, high = joints[name].limits.position
        there = [math.nan if x is None else x for x in stated["position"] or (-math.inf, math.inf)]
        zero = stated.get("zero", 0.0)
        if any(math.isnan(value) for value in there):
            causes[name] = {"limits that are no numbers (NaN)": 1.0}
            continue
        relative = there[0] - zero, there[1] - zero
        moved, cause = search.zeros.get(name, (0.0, ""))
        if cause and np.allclose((low - moved, high - moved), relative, rtol=0.0, atol=1e-5):
            causes[name] = {cause: 1.0}
        else:
            # what a file states is not moved by its zero
            own = low + zero, high + zero
            evidence[name] = evidence_of(own, there)
            causes[name] = limit_words(tree, joints[name], own, (there[0], there[1]))
            if own == (-math.inf, math.inf) and search.reference.format == "mjcf":
                causes[name] = {'limits that the file turns off (limited="false") or has not': 1.0}
    search.take_words(causes, "limits", evidence)
    if len(causes) == len(bad):
        search.explained.add("limits")


def _gravity_words(ours: Sequence[float], theirs: Sequence[float]) -> str:
    size, along = math.hypot(*theirs), float(np.dot(ours, theirs))
    if size == 0.0:
        return "gravity missing:"
    lined = math.isclose(abs(along), size * math.hypot(*ours), rel_tol=1e-6, abs_tol=0.0)
    if not lined:
        return "gravity along another axis:"
    return "sign of gravity:" if along < 0.0 else "gravity"


def _vector(values: Sequence[float]) -> str:
    return f"({', '.join(f'{value:.6g}' for value in values)})"
