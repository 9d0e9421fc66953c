"""The closed link of ../shared/oracle/simulation: constrained motion against an independent solution."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.shared import SHARED

import unibody as ub

REFERENCE = SHARED / "oracle/simulation/closed.reference.json"
MODEL = SHARED / "corpus/dev/choreonoid+choreonoid/share/model/misc/ClosedLinkSample.body"
STEP = 5e-3


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_the_closed_link_moves_as_the_reference() -> None:
    robot = ub.read(MODEL).robot
    assert robot is not None
    m = ub.assemble(robot)
    series = json.loads(REFERENCE.read_text())["series"]

    def rate(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return m.constrained_dynamics(q, v, [0.05 * np.sin(2.0 * np.pi * t), 0.0, 0.0])[0]

    q, v, h, worst = np.zeros(3), np.zeros(3), STEP, 0.0
    for step in range(round(1.0 / h)):
        t = step * h
        if step % 2 == 0:  # the reference has a row every 10 ms
            worst = max(worst, float(np.abs(q - series["q"][step // 2]).max()))
        a1 = rate(t, q, v)
        a2 = rate(t + h / 2, q + h / 2 * v, v + h / 2 * a1)
        a3 = rate(t + h / 2, q + h / 2 * v + h * h / 4 * a1, v + h / 2 * a2)
        a4 = rate(t + h, q + h * v + h * h / 2 * a2, v + h * a3)
        q = q + h * v + h * h / 6 * (a1 + a2 + a3)
        v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    assert worst < 1e-6
    # what no motion changes: the anchors lie 40 mm apart along the hinge
    assert np.abs(m.loop_residual(q)[[0, 1, 3, 4]]).max() < 1e-9
