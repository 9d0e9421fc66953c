"""Affine placements below a link, for formats whose scenes may be scaled.

Without a scale, a placement is a pose; with one, it also has a 3×3 linear part, applied first:
point → pose · (linear · point).
"""

from __future__ import annotations

import math

from unibody.model.decomposition import polar, product, times, transposed
from unibody.model.pose import IDENTITY, UNIT_MATRIX, Matrix3, Pose, Vector3, matrix_quaternion
from unibody.text.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Placement:
    """An affine placement in a link; ``linear`` is None without a scale."""

    pose: Pose = IDENTITY
    linear: Matrix3 | None = None

    def matrix(self) -> Matrix3:
        """The product of rotation and ``linear``, 3×3."""
        r = self.pose.rotation()
        return r if self.linear is None else product(r, self.linear)

    def point(self, local: Vector3) -> Vector3:
        """The position in the link of a point in the placed frame."""
        x, y, z = (a + b for a, b in zip(self.pose.xyz, times(self.matrix(), local), strict=True))
        return (x, y, z)


def split(matrix: Matrix3, position: Vector3) -> Placement:
    """An affine map as a pose and a symmetric linear part (polar decomposition)."""
    if not all(math.isfinite(value) for row in matrix for value in row):
        return Placement(Pose(position), matrix)  # check_basic reports the overflow
    turn, stretch = polar(matrix)
    return Placement(Pose(position, matrix_quaternion(turn)), stretch)


def turned(at: Placement, turn: Pose) -> Placement:
    """A placement whose geometry is first rotated by 90° or 180°; ``linear`` is transformed accordingly."""
    if turn.quat[0] == 1.0:
        return at
    if at.linear is None:
        return Placement(at.pose @ turn)
    # the matrix of the rotation has only integers, so the scale stays exact
    a, b, c = ((float(round(x)), float(round(y)), float(round(z))) for x, y, z in turn.rotation())
    r = (a, b, c)
    return Placement(at.pose @ turn, product(product(transposed(r), at.linear), r))


def rigid(placement: Placement) -> bool:
    """Whether a placement is a pose, without a scale."""
    return placement.linear is None or placement.linear == UNIT_MATRIX
