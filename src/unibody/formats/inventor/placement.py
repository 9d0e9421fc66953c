"""How transformation nodes move what follows; poses stay exact below a scale that is even all round."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.formats.placement import Placement, split
from unibody.model.pose import Matrix3, Pose, Vector3

Matrix = NDArray[np.float64]
# What rounding makes of a rotation's stretch.
_RIGID = 1e-12


def posed(at: Placement, pose: Pose) -> Placement:
    """The placement of a frame at ``pose`` in another one."""
    if at.linear is None:
        return Placement(at.pose @ pose)
    even = _even(at.linear)
    if even is not None:
        x, y, z = pose.xyz
        return Placement(at.pose @ Pose((even * x, even * y, even * z), pose.quat), at.linear)
    linear = at.matrix()
    return _split(linear @ np.array(pose.rotation()), _point(at, linear, pose.xyz))


def scaled(at: Placement, factors: Vector3) -> Placement:
    """A placement with its axes scaled."""
    if factors == (1.0, 1.0, 1.0):
        return at
    a, b, c = factors
    even = 1.0 if at.linear is None else _even(at.linear)
    if even is not None:
        return Placement(at.pose, ((even * a, 0.0, 0.0), (0.0, even * b, 0.0), (0.0, 0.0, even * c)))
    return _split(at.matrix() @ np.diag(factors), np.array(at.pose.xyz))


def mapped(at: Placement, linear: Matrix, offset: Vector3) -> Placement:
    """The placement of a frame that an affine map takes to another one."""
    a, b, c = np.diagonal(linear).tolist()
    if not (linear - np.diag((a, b, c))).any():
        return scaled(posed(at, Pose(offset)), (a, b, c))
    own = at.matrix()
    return _split(own @ linear, _point(at, own, offset))


def _point(at: Placement, linear: Matrix, offset: Vector3) -> Any:
    return np.array(at.pose.xyz) + linear @ np.array(offset)


def _even(stretch: Matrix3) -> float | None:
    """The factor of a stretch that is the same in all directions."""
    (a, b, c), (d, e, f), (g, h, i) = stretch
    return a if a == e == i and not any((b, c, d, f, g, h)) else None


def _split(linear: Matrix, position: Any) -> Placement:
    """An affine map as a placement: a pose alone where nothing is scaled."""
    made = split(linear, position)
    if made.linear is not None and np.abs(np.array(made.linear) - np.eye(3)).max() <= _RIGID:
        return Placement(made.pose)
    return made
