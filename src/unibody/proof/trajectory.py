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


def plan_motion(reference: Reference, states: States) -> dict[str, Any]:
    """What is asked of an engine: steps, damping (nv,), and the state that the motion begins with."""
    q = reference.numbers(states)[0]
    start = min(1, states.count - 1)
    diagonal = np.diagonal(np.asarray(reference.mechanism.mass_matrix(q[start])))
    damping = np.abs(diagonal) / _DECAY
    return {"step": STEP, "count": round(SECONDS / STEP), "damping": damping.tolist(), "state": start}


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
