"""Mass, center of mass and inertia of rigid bodies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from unibody.model.decomposition import product, transposed
from unibody.model.metadata import unit
from unibody.model.pose import UNIT_MATRIX, UNIT_QUATERNION, ZERO, Matrix3, Pose, Quaternion, Vector3
from unibody.text.dataclass import dataclass
from unibody.text.source import Span

#: What of an inertial is unknown, each with all before it.
Unknown: TypeAlias = Literal["", "inertia", "mass"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inertial:
    """Mass in kg, center of mass in the link frame in m, inertia in kg·m².

    The inertia is about the center of mass, in the axes of the link frame, as a 3×3 matrix of rows.
    It is kept as the file gives it, even if it is not symmetric. ``axes`` is the rotation of the axes in
    which the file gives it, None if the file gives it in parts or scaled.

    ``unknown`` is what derives from a mesh file that was not read: "inertia" with the center of mass, or
    "mass" with both. The numbers are then those of the other shapes.
    """

    mass: float = field(metadata=unit("kg"))
    com: Vector3 = field(default=ZERO, metadata=unit("m"))
    inertia: Matrix3 = field(default=UNIT_MATRIX, metadata=unit("kg·m²"))
    unknown: Unknown = ""
    axes: Quaternion | None = field(default=UNIT_QUATERNION, compare=False, repr=False)
    at: Span | None = field(default=None, compare=False, repr=False)
    mass_at: Span | None = field(default=None, compare=False, repr=False)
    com_at: Span | None = field(default=None, compare=False, repr=False)
    inertia_at: Span | None = field(default=None, compare=False, repr=False)


def matrix3(values: NDArray[np.float64]) -> Matrix3:
    """Convert a 3×3 array to nested tuples."""
    a, b, c = values.tolist()
    return (tuple(a), tuple(b), tuple(c))


def rotated(inertia: Matrix3, pose: Pose) -> Matrix3:
    """Rotate an inertia from the axes of a frame at ``pose`` to the outer axes: R·I·Rᵀ."""
    if pose.quat[1:] == (0.0, 0.0, 0.0):
        return inertia
    r = pose.rotation()
    return product(product(r, inertia), transposed(r))


def placed(inertial: Inertial, pose: Pose) -> Inertial:
    """A body of a frame at ``pose``, in the outer frame."""
    return replace(inertial, com=pose.apply(inertial.com), inertia=rotated(inertial.inertia, pose))


def most_unknown(kinds: Iterable[Unknown]) -> Unknown:
    """What is unknown of a body whose parts have these unknowns.

    >>> most_unknown(["", "mass", "inertia"])
    'mass'
    """
    order = get_args(Unknown)
    return max(kinds, key=order.index, default="")


def compose(parts: list[Inertial]) -> Inertial:
    """Combine several bodies into one, with the inertia about the common center of mass.

    If the total mass is zero or negative, ``com`` is the sum of the mass moments, undivided, and the
    inertia is zero (Choreonoid's rule, facts page A.7).
    """
    mass = sum(p.mass for p in parts)
    unknown = most_unknown(p.unknown for p in parts)
    moment = np.sum([np.array(p.com) * p.mass for p in parts], axis=0)
    if not mass > 0.0:
        return Inertial(mass=mass, com=tuple(moment.tolist()), inertia=(ZERO, ZERO, ZERO), unknown=unknown)
    com = moment / mass
    total = np.zeros((3, 3))
    for p in parts:
        d = com - np.array(p.com)
        total += np.array(p.inertia) + p.mass * ((d * d).sum() * np.eye(3) - np.outer(d, d))
    return Inertial(mass=mass, com=tuple(com.tolist()), inertia=matrix3(total), unknown=unknown)


def principal_moments(inertia: Matrix3) -> Vector3:
    """Eigenvalues of the symmetric part of an inertia, ascending, in kg·m²; zeros for a zero matrix."""
    m = np.array(inertia)
    size = float(np.abs(m).max())
    if size == 0.0:
        return ZERO
    # Scaled first, so that the symmetric part does not overflow.
    m = m / size
    a, b, c = np.linalg.eigvalsh((m + m.T) / 2).tolist()
    return (a * size, b * size, c * size)
