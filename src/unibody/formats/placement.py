"""Affine placements below a link, for every format whose scenes may be scaled.

A placement is a pose as long as nothing is scaled; from the first scale on it carries a
3×3 stretch, applied before the pose: point → pose · (linear · point).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unibody.model.inertia import matrix3
from unibody.model.pose import IDENTITY, UNIT_MATRIX, Matrix3, Pose, matrix_quaternion


@dataclass(frozen=True, slots=True)
class Placement:
    """Where something is below its link; ``linear`` is None while nothing is scaled."""

    pose: Pose = IDENTITY
    linear: Matrix3 | None = None

    def matrix(self) -> NDArray[np.float64]:
        """Rotation and ``linear`` part together, 3×3."""
        r = np.array(self.pose.rotation())
        return r if self.linear is None else r @ np.array(self.linear)


def split(linear: NDArray[np.float64], position: NDArray[np.float64]) -> Placement:
    """An affine map as a pose and a symmetric stretch (polar decomposition)."""
    if not np.isfinite(linear).all():
        x, y, z = position.tolist()
        return Placement(Pose((x, y, z)), matrix3(linear))  # check_basic says that it overflows
    u, s, vt = np.linalg.svd(linear)
    turn = u @ vt
    stretch = vt.T @ np.diag(s) @ vt
    if np.linalg.det(turn) < 0.0:
        turn, stretch = -turn, -stretch
    x, y, z = position.tolist()
    quaternion = matrix_quaternion(matrix3(turn))
    return Placement(Pose((x, y, z), quaternion), matrix3(stretch))


def turned(at: Placement, turn: Pose) -> Placement:
    """A placement whose geometry is first turned by a quarter; a stretch is carried into its axes."""
    if turn.quat[0] == 1.0:
        return at
    if at.linear is None:
        return Placement(at.pose @ turn)
    # a quarter turn, so its matrix is whole: the scale stays what it is
    r = np.rint(np.array(turn.rotation()))
    return Placement(at.pose @ turn, matrix3(r.T @ np.array(at.linear) @ r))


def rigid(placement: Placement) -> bool:
    """Whether nothing is stretched."""
    return placement.linear is None or placement.linear == UNIT_MATRIX
