"""Affine placements below a link, for every format whose scenes may be scaled.

A placement is a pose as long as nothing is scaled; from the first scale on it carries a
3×3 stretch, applied before the pose: point → pose · (linear · point).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from unibody.model.decomposition import polar, product, times, transposed
from unibody.model.pose import IDENTITY, UNIT_MATRIX, Matrix3, Pose, Vector3, matrix_quaternion


@dataclass(frozen=True, slots=True)
class Placement:
    """Where something is below its link; ``linear`` is None while nothing is scaled."""

    pose: Pose = IDENTITY
    linear: Matrix3 | None = None

    def matrix(self) -> Matrix3:
        """Rotation and ``linear`` part together, 3×3."""
        r = self.pose.rotation()
        return r if self.linear is None else product(r, self.linear)

    def point(self, local: Vector3) -> Vector3:
        """Where a point is in the link."""
        x, y, z = (a + b for a, b in zip(self.pose.xyz, times(self.matrix(), local), strict=True))
        return (x, y, z)


def split(matrix: Matrix3, position: Vector3) -> Placement:
    """An affine map as a pose and a symmetric stretch (polar decomposition)."""
    if not all(math.isfinite(value) for row in matrix for value in row):
        return Placement(Pose(position), matrix)  # check_basic says that it overflows
    turn, stretch = polar(matrix)
    return Placement(Pose(position, matrix_quaternion(turn)), stretch)


def turned(at: Placement, turn: Pose) -> Placement:
    """A placement whose geometry is first turned by a quarter; a stretch is carried into its axes."""
    if turn.quat[0] == 1.0:
        return at
    if at.linear is None:
        return Placement(at.pose @ turn)
    # a quarter turn, so its matrix is whole: the scale stays what it is
    a, b, c = ((float(round(x)), float(round(y)), float(round(z))) for x, y, z in turn.rotation())
    r = (a, b, c)
    return Placement(at.pose @ turn, product(product(transposed(r), at.linear), r))


def rigid(placement: Placement) -> bool:
    """Whether nothing is stretched."""
    return placement.linear is None or placement.linear == UNIT_MATRIX
