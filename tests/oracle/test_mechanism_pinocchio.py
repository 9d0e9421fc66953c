"""Kinematics and dynamics of every robot against Pinocchio: its own reading of URDF, and ours of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.corpus.outcomes import models
from tests.sampling import sampled
from tests.shared import DEV

from unibody.mechanism import Mechanism

pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")

from tests.oracle.pinocchio_side import Side, differences  # noqa: E402
from tests.oracle.test_urdf import positions, quiet, robot_of  # noqa: E402

from unibody.mechanism.pinocchio import to_pinocchio  # noqa: E402

Floats = NDArray[np.float64]

pytestmark = pytest.mark.usefixtures("shared")

ROOT = DEV
FILES = models("")
URDF = [path for path in FILES if path.suffix.lower() == ".urdf"]
TOLERANCE = 1e-9


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def state(mechanism: Mechanism, seed: int) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    q = mechanism.initial.copy()
    if mechanism.base == "free":
        q[:7] = rng.normal(size=7)
    for joint, start in zip(mechanism.robot.joints, mechanism.idx_q.tolist(), strict=True):
        value = positions(joint, rng)
        q[start : start + value.size] = value
    v, a = rng.normal(size=(2, mechanism.nv))
    return mechanism.integrate(q, 0.0 * v), v, a


def check(mechanism: Mechanism, given: tuple[Floats, Floats, Floats], side: Side) -> None:
    wrong = [f"{word}: {by:.2g}" for word, by in differences(mechanism, given, side) if not by < TOLERANCE]
    assert wrong == []


@pytest.mark.parametrize("path", sampled(FILES, root=ROOT))
def test_our_model_in_pinocchio(path: Path) -> None:
    _, mechanism = robot_of(path)
    made = to_pinocchio(mechanism)
    for seed in range(2):
        q, v, a = given = state(mechanism, seed)
        there = (q[made.q_order], v[made.v_order], a[made.v_order])
        check(mechanism, given, Side(pin, made.model, *there, made.v_order))


@pytest.mark.parametrize("path", sampled(URDF, root=ROOT))
def test_pinocchio_reads_it_itself(path: Path) -> None:
    robot, mechanism = robot_of(path)
    if any(joint.kind == "planar" for joint in robot.joints):
        pytest.skip("Pinocchio's planar joint has its velocities in the moved frame")
    try:
        with quiet():
            model = pin.buildModelFromUrdf(str(path))
    except (ValueError, RuntimeError) as e:
        pytest.skip(f"Pinocchio does not load it: {str(e)[:80]}")
    model.armature = np.zeros(model.nv)
    q, v, a = given = state(mechanism, 3)
    there, order = _translated(model, mechanism, q)
    for number, joint in enumerate(robot.joints):
        if joint.actuator.reflected_inertia and model.existJointName(joint.name):
            k = int(mechanism.idx_v[number])
            model.armature[list(order).index(k)] = joint.actuator.reflected_inertia
    check(mechanism, given, Side(pin, model, there, v[order], a[order], order))


def _translated(model: Any, mechanism: Mechanism, q: Floats) -> tuple[Floats, Any]:
    """Our q in Pinocchio's numbers, and the place in our v of each of its degrees of freedom."""
    there, order = pin.neutral(model), np.zeros(model.nv, int)
    starts = zip(mechanism.idx_q.tolist(), mechanism.idx_v.tolist(), strict=True)
    for joint, (start, speed) in zip(mechanism.robot.joints, starts, strict=True):
        if not model.existJointName(joint.name):
            continue
        index = model.joints[model.getJointId(joint.name)]
        value = q[start : start + max(1, index.nq if joint.kind in ("ball", "free") else 1)]
        match joint.kind:
            case "revolute" if index.nq == 2:
                numbers = [np.cos(value[0]), np.sin(value[0])]
            case "ball":
                numbers = [*value[1:], value[0]]
            case "free":
                numbers = [*value[:3], *value[4:], value[3]]
            case _:
                numbers = [value[0]]
        there[index.idx_q : index.idx_q + index.nq] = numbers
        order[index.idx_v : index.idx_v + index.nv] = speed + np.arange(index.nv)
    return there, order


def test_most_robots_were_compared() -> None:
    assert len(URDF) >= 210
    assert len(FILES) >= 380
