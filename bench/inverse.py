"""Inverse kinematics of a 7-joint arm, and loop closure."""

from __future__ import annotations

import statistics
import time

import numpy as np
from bench._row import ROOT, Row

import unibody as ub
from unibody.mechanism import Mechanism
from unibody.mechanism.sampling import uniform

CORPUS = ROOT.parent / "shared/corpus/dev"
IIWA = CORPUS / "pypi_pybullet-3.2.7/pybullet_data/kuka_iiwa/model.urdf"
CLOSED = CORPUS / "choreonoid+choreonoid/share/model/misc/ClosedLinkSample.body"
TARGETS, ROUNDS = 1000, 3


def solved(m: Mechanism, frame: str) -> Row:
    """Inverse kinematics of 1,000 random reachable poses: ms per pose, and the success rate."""
    q = uniform(m.tree, np.random.default_rng(1), np.broadcast_to(m.initial, (TARGETS, m.nq)))
    wanted = m.pose(q, frame)
    taken, share = [], 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = m.inverse_kinematics(frame, wanted)
        taken.append(1e3 * (time.perf_counter() - start) / TARGETS)
        share = float(found.converged.mean())
    name = f"inverse, {TARGETS} poses, {100 * share:.1f} % reached"
    return Row(name, statistics.median(taken), {}, "< 1 ms", "ms")


def closed(m: Mechanism) -> Row:
    """Loop closure from 1,000 random configurations: ms per configuration."""
    q = np.random.default_rng(1).uniform(-1.0, 1.0, (TARGETS, m.nq))
    start = time.perf_counter()
    m.close_loops(q)
    return Row("closing a four-bar", 1e3 * (time.perf_counter() - start) / TARGETS, {}, "", "ms")


def run() -> list[Row]:
    if not IIWA.exists():
        return []
    arm = ub.assemble(ub.load(IIWA))
    loop = ub.read(CLOSED).robot
    assert loop is not None
    return [solved(arm, arm.link_names[-1]), closed(ub.assemble(loop))]
