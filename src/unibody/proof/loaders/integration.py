"""The motion that an engine and the mechanism both integrate, by the same steps: numbers only.

The coordinates are those of requests: positions q, velocities v of joints in their own axes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: The rate of v for positions, velocities and forces, each (n,).
Accelerate = Callable[[Floats, Floats, Floats], Floats]


def integrate(
    q: Floats,
    v: Floats,
    damping: Floats,
    step: float,
    count: int,
    joints: Sequence[Mapping[str, Any]],
    accelerate: Accelerate,
) -> Floats:
    """Positions at the beginning and after each of ``count`` Runge-Kutta steps of 4th order.

    Forces against all velocities, by ``damping``, let the motion end. ``joints`` have a kind and their
    places in q and v; a free base is the joint of kind "free".
    """

    def rates(q: Floats, v: Floats) -> tuple[Floats, Floats]:
        # within a step quaternions are not of length 1, which engines make of it in ways of their own
        return _motion(q, v, joints), accelerate(_normal(q, joints), v, -damping * v)

    rows = [q]
    for _ in range(count):
        dq1, dv1 = rates(q, v)
        dq2, dv2 = rates(q + 0.5 * step * dq1, v + 0.5 * step * dv1)
        dq3, dv3 = rates(q + 0.5 * step * dq2, v + 0.5 * step * dv2)
        dq4, dv4 = rates(q + step * dq3, v + step * dv3)
        q = _normal(q + step / 6.0 * (dq1 + 2.0 * dq2 + 2.0 * dq3 + dq4), joints)
        v = v + step / 6.0 * (dv1 + 2.0 * dv2 + 2.0 * dv3 + dv4)
        rows.append(q)
    return np.array(rows)


def _motion(q: Floats, v: Floats, joints: Sequence[Mapping[str, Any]]) -> Floats:
    """The rate of q."""
    out = np.zeros_like(q)
    for joint in joints:
        at, of = joint["q"], joint["v"]
        if joint["kind"] == "free":
            out[at : at + 3] = _turned(_unit(q[at + 3 : at + 7]), v[of : of + 3])
            out[at + 3 : at + 7] = _spin(q[at + 3 : at + 7], v[of + 3 : of + 6])
        elif joint["kind"] == "ball":
            out[at : at + 4] = _spin(q[at : at + 4], v[of : of + 3])
        elif joint["kind"] == "universal":
            out[at : at + 2] = v[of : of + 2]
        else:
            out[at] = v[of]
    return out


def _normal(q: Floats, joints: Sequence[Mapping[str, Any]]) -> Floats:
    """Positions with quaternions of length 1."""
    out = q.copy()
    for joint in joints:
        if joint["kind"] in ("free", "ball"):
            at = joint["q"] + (3 if joint["kind"] == "free" else 0)
            out[at : at + 4] = _unit(q[at : at + 4])
    return out


def _unit(quaternion: Floats) -> Floats:
    return quaternion / float(np.linalg.norm(quaternion))


def _spin(quaternion: Floats, rate: Floats) -> Floats:
    """The rate of a quaternion w, x, y, z that turns with angular velocity ``rate`` in its own axes."""
    w, x, y, z = quaternion.tolist()
    a, b, c = rate.tolist()
    return 0.5 * np.array(
        [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a]
    )


def _turned(quaternion: Floats, vector: Floats) -> Floats:
    axis = quaternion[1:]
    across = 2.0 * np.cross(axis, vector)
    return np.asarray(vector + quaternion[0] * across + np.cross(axis, across))
