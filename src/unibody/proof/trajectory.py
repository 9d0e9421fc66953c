"""A damped motion that an engine and the mechanism integrate by the same steps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.proof.comparison import passive_forces
from unibody.proof.loaders.integration import integrate
from unibody.proof.process import Answer
from unibody.proof.reference import DRAWN, Reference, States, places

#: The length of the motion, and of its steps, in s.
SECONDS, STEP = 5.0, 0.0025
#: The largest deviation of positions, in m and rad.
TOLERANCE = 1e-9
# The damping of each velocity makes it vanish within some of these times (s), if it moves alone.
_DECAY = 0.5
# Steps of the method are stable below some 2.7 times the time in which velocities change; the shortest
# steps that are taken, and the states at which this is looked at.
_STABLE, _LEAST_STEP, _STATES = 2.0, STEP / 8.0, 20


def plan_motion(reference: Reference, states: States) -> dict[str, Any]:
    """What is asked of an engine: steps, damping (nv,), and the state that the motion begins with.

    The steps are shorter where damping or springs are so stiff that the motion would grow without bound;
    none are planned if they had to be shorter than the eighth part.
    """
    q = reference.numbers(states)[0]
    start = min(1, states.count - 1)
    matrices = np.asarray(reference.mechanism.mass_matrix(q[: _STATES + 1]))
    damping = np.abs(np.diagonal(matrices[start])) / _DECAY
    stretch = _STABLE / max(_fastest(reference, matrices, damping), 1e-300)
    step = min(STEP, SECONDS / math.ceil(SECONDS / max(stretch, _LEAST_STEP)))
    count = 0 if stretch < _LEAST_STEP else round(SECONDS / step)
    return {"step": step, "count": count, "damping": damping.tolist(), "state": start}


def _fastest(reference: Reference, matrices: Floats, damping: Floats) -> float:
    """The largest rate (1/s) by which damping and springs change velocities at some states."""
    tree = reference.mechanism.tree
    out = 0.0
    for matrix in matrices:
        resisting = _largest_rate(matrix, damping + tree.damping)
        out = max(out, resisting, math.sqrt(_largest_rate(matrix, tree.stiffness)))
    return out


def _largest_rate(matrix: Floats, diagonal: Floats) -> float:
    """The largest eigenvalue of M^-1 D for a mass matrix and a diagonal one; infinity where M has none."""
    root = np.sqrt(np.maximum(diagonal, 0.0))
    try:
        found = np.linalg.eigvalsh(root[:, None] * np.linalg.inv(matrix) * root[None, :])
    except np.linalg.LinAlgError:
        return math.inf
    return float(found.max(initial=0.0)) if np.isfinite(found).all() else math.inf


def trajectory_deviations(
    reference: Reference, states: States, answer: Answer, plan: Mapping[str, Any]
) -> dict[str, float]:
    """How far positions of an engine are from those of the mechanism, by joint, in m and rad."""
    theirs = answer.arrays["trajectory"]
    mechanism = reference.mechanism
    q, v, _ = reference.numbers(states)
    kinds = {joint.name: joint.kind for joint in reference.robot.joints}
    joints: list[dict[str, Any]] = [
        {"name": name, "kind": kinds[name] if name else "free", "q": at_q, "v": at_v, "size": size}
        for name, at_q, size, at_v, _ in places(mechanism)
        if not name or kinds[name] in DRAWN
    ]

    def accelerate(q: Floats, v: Floats, effort: Floats) -> Floats:
        passive = passive_forces(mechanism, q[None], v[None], answer.facts["passive"])[0]
        return np.asarray(mechanism.forward_dynamics(q, v, effort + passive, gravity=reference.gravity))

    start = plan["state"]
    damping = np.array(plan["damping"])
    ours = integrate(q[start], v[start], damping, plan["step"], plan["count"], joints, accelerate)
    out = {}
    for joint in joints:
        at, size = joint["q"], joint["size"]
        same = theirs.shape == ours.shape
        away = np.abs(theirs - ours)[:, at : at + size].max() if same else math.inf
        out[str(joint["name"]) or reference.robot.root] = float(away)
    return out
