"""Principal axes of inertias, as USD states masses."""

from __future__ import annotations

from unibody.model.decomposition import eigenvalues
from unibody.model.inertia import Inertial
from unibody.model.pose import Matrix3, Vector3, matrix_quaternion


def principal_axes(inertia: Matrix3) -> tuple[Vector3, Matrix3]:
    """The moments of an inertia about its principal axes, and these as columns.

    >>> principal_axes(((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0)))[0]
    (1.0, 2.0, 3.0)
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = inertia
    a, b, c = _mean(xy, yx), _mean(xz, zx), _mean(yz, zy)
    return eigenvalues(((xx, a, b), (a, yy, c), (b, c, zz)))


def mass_values(given: Inertial) -> list[tuple[str, object]]:
    """The attributes of the mass of a body.

    They have no ``newton:inertia``: MuJoCo 4.0 refuses a body with that beside its principal moments, and
    these are what all programs read.
    """
    moments, axes = principal_axes(given.inertia)
    return [
        ("physics:centerOfMass", given.com),
        ("physics:diagonalInertia", moments),
        ("physics:mass", given.mass),
        ("physics:principalAxes", matrix_quaternion(axes)),
    ]


def _mean(a: float, b: float) -> float:
    return a if a == b else a / 2.0 + b / 2.0
