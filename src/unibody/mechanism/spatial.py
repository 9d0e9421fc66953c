"""Vectors and spatial vectors with the component first: (3, ..., B) and (6, ..., B).

A motion vector is the velocity of the point at the origin, then the angular velocity; a
force vector the force, then the moment about the origin. Matrices are (3, 3, ..., B), rows
first. Featherstone, Rigid Body Dynamics Algorithms, chapter 2, with linear before angular.
"""

from __future__ import annotations

from unibody.mechanism.arrays import Array, Namespace


def dot(a: Array, b: Array) -> Array:
    """Scalar product of two vectors of three."""
    return a[0, ...] * b[0, ...] + a[1, ...] * b[1, ...] + a[2, ...] * b[2, ...]


def pairing(xp: Namespace, motion: Array, force: Array) -> Array:
    """Scalar product of a motion and a force vector: power, when the motion is a velocity."""
    return xp.sum(motion * force, axis=0)


def cross(xp: Namespace, a: Array, b: Array) -> Array:
    """Vector product a × b."""
    ax, ay, az, bx, by, bz = (x[i, ...] for x in (a, b) for i in range(3))
    return xp.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def turned(matrix: Array, vector: Array) -> Array:
    """Matrix times vector."""
    a, b, c = (matrix[:, i, ...] * vector[i, ...] for i in range(3))
    return a + b + c


def turned_back(matrix: Array, vector: Array) -> Array:
    """Transposed matrix times vector."""
    a, b, c = (matrix[i, ...] * vector[i, ...] for i in range(3))
    return a + b + c


def product(a: Array, b: Array) -> Array:
    """Matrix times matrix."""
    x, y, z = (a[:, i, None, ...] * b[None, i, ...] for i in range(3))
    return x + y + z


def moved(xp: Namespace, motion: Array, point: Array) -> Array:
    """A motion vector about another origin: the velocity of the point there, the same angular velocity."""
    angular = motion[3:, ...]
    return xp.concat([motion[:3, ...] + cross(xp, angular, point), angular])


def motion_cross(xp: Namespace, velocity: Array, motion: Array) -> Array:
    """Rate of a motion vector fixed in a body of that velocity: V × M."""
    v, w, linear, angular = velocity[:3, ...], velocity[3:, ...], motion[:3, ...], motion[3:, ...]
    return xp.concat([cross(xp, w, linear) + cross(xp, v, angular), cross(xp, w, angular)])


def force_cross(xp: Namespace, velocity: Array, force: Array) -> Array:
    """Rate of a force vector fixed in a body of that velocity: V ×* F."""
    v, w, linear, moment = velocity[:3, ...], velocity[3:, ...], force[:3, ...], force[3:, ...]
    return xp.concat([cross(xp, w, linear), cross(xp, w, moment) + cross(xp, v, linear)])


def diagonal(xp: Namespace, value: Array) -> Array:
    """The 3×3 matrix with ``value`` (..., B) on its diagonal."""
    zero = xp.zeros_like(value)
    rows = [xp.stack([value if i == k else zero for k in range(3)]) for i in range(3)]
    return xp.stack(rows)


def skew(xp: Namespace, a: Array) -> Array:
    """The 3×3 matrix [a] with [a] b = a × b."""
    x, y, z = (a[i, ...] for i in range(3))
    zero = xp.zeros_like(x)
    return xp.stack([xp.stack([zero, -z, y]), xp.stack([z, zero, -x]), xp.stack([-y, x, zero])])
