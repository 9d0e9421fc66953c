"""How joints move in an engine: the pose at zero and the twist, measured from poses at states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unibody.model.arrays import Floats
from unibody.proof.comparison import angles

# The largest turn between two states by which a twist is measured, in rad.
_MOST_TURN = 2.8
# Pairs of states that are tried, and the least share of their angles.
_PAIRS, _LEAST = 6, 1e-4


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion T(x) = zero · exp(twist x): the pose (4, 4) at x = 0, and the angular and linear twist (3).

    The twist is in the frame that moves.
    """

    zero: Floats
    angular: Floats
    linear: Floats

    def at(self, values: Floats) -> Floats:
        """Poses (B, 4, 4) at values (B)."""
        return np.asarray(self.zero @ exponentials(self.angular, self.linear, values))

    @property
    def arm(self) -> Floats:
        """The point of the axis of a turning motion that is nearest to the origin of the moving frame."""
        size = float(self.angular @ self.angular)
        return np.cross(self.angular, self.linear) / size if size else np.zeros(3)

    @property
    def slide(self) -> float:
        """The way along the axis per radian of a turning motion."""
        size = float(self.angular @ self.angular)
        return float(self.angular @ self.linear) / size if size else 0.0


def hat(v: Floats) -> Floats:
    """The matrix (3, 3) by which the cross product with a vector is a product."""
    x, y, z = v.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def exponentials(angular: Floats, linear: Floats, values: Floats) -> Floats:
    """The motions (B, 4, 4) of a twist by values (B)."""
    out = np.tile(np.eye(4), (len(values), 1, 1))
    rate = float(np.linalg.norm(angular))
    if rate < 1e-14:
        out[:, :3, 3] = values[:, None] * linear
        return out
    cross = hat(angular / rate)
    theta = (rate * values)[:, None, None]
    square = cross @ cross
    out[:, :3, :3] = np.eye(3) + np.sin(theta) * cross + (1.0 - np.cos(theta)) * square
    moved = theta * np.eye(3) + (1.0 - np.cos(theta)) * cross + (theta - np.sin(theta)) * square
    out[:, :3, 3] = moved @ (linear / rate)
    return out


def logarithm(pose: Floats) -> tuple[Floats, Floats]:
    """The twist, angular and linear, that moves by a pose (4, 4) in one unit; its turn is below π."""
    r = pose[:3, :3]
    vector = 0.5 * np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    sine, cosine = float(np.linalg.norm(vector)), 0.5 * (float(np.trace(r)) - 1.0)
    theta = float(np.arctan2(sine, cosine))
    if sine < 1e-13:
        if cosine > 0.0:
            return np.zeros(3), pose[:3, 3].copy()
        # half a turn
        column = r + np.eye(3)
        k = int(np.argmax(np.diag(column)))
        vector, sine = column[:, k] / np.linalg.norm(column[:, k]), 1.0
    angular = theta * vector / sine
    cross = hat(angular)
    if theta < 1e-6:
        inverse = np.eye(3) - 0.5 * cross + cross @ cross / 12.0
    else:
        half = 0.5 * theta
        inverse = np.eye(3) - 0.5 * cross + (1.0 - half / np.tan(half)) / theta**2 * (cross @ cross)
    return angular, np.asarray(inverse @ pose[:3, 3])


def measured(poses: Floats, values: Floats, tolerance: float) -> Motion | None:
    """The motion of one degree of freedom that poses (B, 4, 4) have at values (B), None without one."""
    if not np.isfinite(poses).all() or not len(poses):
        return None
    if is_constant(poses, tolerance):
        return Motion(poses[0], np.zeros(3), np.zeros(3))
    i, j = np.triu_indices(len(values), 1)
    apart = np.abs(values[i] - values[j])
    usable = apart > _LEAST
    i, j, apart = i[usable], j[usable], apart[usable]
    for k in np.argsort(apart)[:_PAIRS].tolist():
        a, b = int(i[k]), int(j[k])
        angular, linear = logarithm(np.linalg.solve(poses[a], poses[b]))
        by = float(values[b] - values[a])
        found = _refined(poses, values, a, angular / by, linear / by)
        if found is not None and _fits(found, poses, values, tolerance):
            return found
    return None


def _refined(poses: Floats, values: Floats, a: int, angular: Floats, linear: Floats) -> Motion:
    """The motion with a twist that is measured over longer and longer ways, without other turns."""
    rate = max(float(np.linalg.norm(angular)), 1e-300)
    order = np.argsort(np.abs(values - values[a]))
    for k in order.tolist():
        by = float(values[k] - values[a])
        if abs(by) <= _LEAST or rate * abs(by) > _MOST_TURN:
            continue
        w, v = logarithm(np.linalg.solve(poses[a], poses[k]))
        angular, linear = w / by, v / by
        rate = max(float(np.linalg.norm(angular)), 1e-300)
    zero = poses[a] @ exponentials(angular, linear, np.array([-values[a]]))[0]
    return Motion(zero, angular, linear)


def _fits(found: Motion, poses: Floats, values: Floats, tolerance: float) -> bool:
    made = found.at(values)
    # turns that are many add up what the twist is off
    slack = tolerance * (
        10.0 + float(np.abs(values).max(initial=0.0)) * float(np.linalg.norm(found.angular))
    )
    away = max(
        float(np.abs(made[:, :3, 3] - poses[:, :3, 3]).max()),
        float(angles(made[:, :3, :3], poses[:, :3, :3]).max()),
    )
    return away <= 10.0 * slack


def is_constant(poses: Floats, tolerance: float) -> bool:
    """Whether poses (B, 4, 4) are one."""
    first = poses[0]
    if not float(np.abs(poses[:, :3, 3] - first[:3, 3]).max()) <= tolerance:
        return False
    return float(angles(first[:3, :3], poses[:, :3, :3]).max()) <= tolerance
