"""Composes transformations to placements; poses stay exact below uniform scales."""

from __future__ import annotations

from unibody.formats.placement import Placement, split
from unibody.model.decomposition import diagonal, product
from unibody.model.pose import UNIT_MATRIX, Matrix3, Pose, Vector3

# Rounding error of the linear part of a rotation.
_RIGID = 1e-12


def posed(at: Placement, pose: Pose) -> Placement:
    """The placement of a frame at ``pose`` in a placed frame."""
    if at.linear is None:
        return Placement(at.pose @ pose)
    even = _even(at.linear)
    if even is not None:
        x, y, z = pose.xyz
        return Placement(at.pose @ Pose((even * x, even * y, even * z), pose.quat), at.linear)
    return _split(product(at.matrix(), pose.rotation()), at.point(pose.xyz))


def scaled(at: Placement, factors: Vector3) -> Placement:
    """A placement with scaled axes."""
    if factors == (1.0, 1.0, 1.0):
        return at
    a, b, c = factors
    even = 1.0 if at.linear is None else _even(at.linear)
    if even is not None:
        return Placement(at.pose, diagonal((even * a, even * b, even * c)))
    return _split(product(at.matrix(), diagonal(factors)), at.pose.xyz)


def mapped(at: Placement, linear: Matrix3, offset: Vector3) -> Placement:
    """The placement of a frame that an affine map (``linear``, ``offset``) takes to a placed frame."""
    factors = (linear[0][0], linear[1][1], linear[2][2])
    if linear == diagonal(factors):
        return scaled(posed(at, Pose(offset)), factors)
    return _split(product(at.matrix(), linear), at.point(offset))


def _even(stretch: Matrix3) -> float | None:
    """The factor of a uniform scale; None for another matrix."""
    (a, b, c), (d, e, f), (g, h, i) = stretch
    return a if a == e == i and not any((b, c, d, f, g, h)) else None


def _split(matrix: Matrix3, position: Vector3) -> Placement:
    """An affine map as a placement, without a linear part if it is a rotation."""
    made = split(matrix, position)
    if made.linear is None:
        return made
    pairs = zip(made.linear, UNIT_MATRIX, strict=True)
    if all(abs(x - y) <= _RIGID for row, unit in pairs for x, y in zip(row, unit, strict=True)):
        return Placement(made.pose)
    return made
