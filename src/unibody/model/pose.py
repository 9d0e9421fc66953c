"""Poses of frames, and rotations as quaternions, matrices and angles.

``X_AB`` is the pose of frame B in frame A, and ``X_AC = X_AB @ X_BC``.
"""

from __future__ import annotations

import math

from unibody.text.dataclass import dataclass

Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Matrix3 = tuple[Vector3, Vector3, Vector3]

ZERO: Vector3 = (0.0, 0.0, 0.0)
UNIT_QUATERNION: Quaternion = (1.0, 0.0, 0.0, 0.0)
UNIT_MATRIX: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def cross(a: Vector3, b: Vector3) -> Vector3:
    """Vector product a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Vector3, b: Vector3) -> float:
    """Scalar product a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


_LARGE = 2.0**500


def unit(v: Vector3) -> Vector3 | None:
    """The direction of ``v``, or None for a vector of length zero.

    A vector of length 1 up to rounding is returned unchanged, so that reading and writing
    preserve it exactly.
    """
    length = math.hypot(*v)
    if length == 0.0 or not math.isfinite(length):
        return None
    if abs(length - 1.0) <= 4e-16:
        return v
    if length < 1e-290:  # near it a length has lost digits
        v = (v[0] * _LARGE, v[1] * _LARGE, v[2] * _LARGE)
        length = math.hypot(*v)
    return (v[0] / length, v[1] / length, v[2] / length)


def rotate(q: Quaternion, v: Vector3) -> Vector3:
    """Rotate ``v`` by the unit quaternion ``q`` (w, x, y, z)."""
    if q == UNIT_QUATERNION:
        return v
    w, x, y, z = q
    tx = 2.0 * (y * v[2] - z * v[1])
    ty = 2.0 * (z * v[0] - x * v[2])
    tz = 2.0 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """Hamilton product p·q: rotation by q, then by p."""
    if p == UNIT_QUATERNION:
        return q
    if q == UNIT_QUATERNION:
        return p
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def quaternion_matrix(q: Quaternion) -> Matrix3:
    """Rotation matrix (rows) of a unit quaternion."""
    if q == UNIT_QUATERNION:
        return UNIT_MATRIX
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def matrix_quaternion(m: Matrix3) -> Quaternion:
    """Unit quaternion of a rotation matrix (rows), computed from its largest component."""
    (a, b, c), (d, e, f), (g, h, i) = m
    trace = a + e + i
    if trace >= max(a, e, i):
        w = 1.0 + trace
        q = (w, h - f, c - g, d - b)
    elif a >= e and a >= i:
        x = 1.0 + a - e - i
        q = (h - f, x, b + d, c + g)
    elif e >= i:
        y = 1.0 - a + e - i
        q = (c - g, b + d, y, f + h)
    else:
        z = 1.0 - a - e + i
        q = (d - b, c + g, f + h, z)
    length = math.hypot(*q)
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def _half_angle(angle: float) -> tuple[float, float]:
    """cos and sin of half an angle in radians; exact for multiples of 90°."""
    quarter = angle / (math.pi / 2)
    if quarter == math.floor(quarter) and abs(quarter) < 8:
        r = math.sqrt(0.5)
        return ((1.0, 0.0), (r, r), (0.0, 1.0), (-r, r), (-1.0, 0.0), (-r, -r), (0.0, -1.0), (r, -r))[
            int(quarter) % 8
        ]
    return math.cos(angle / 2), math.sin(angle / 2)


def _wrapped(angle: float) -> float:
    """Wrap an angle in [−2π, 2π] to [−π, π]."""
    return angle - math.copysign(2.0 * math.pi, angle) if abs(angle) > math.pi else angle


@dataclass(frozen=True, slots=True)
class Pose:
    """Position in meters and unit quaternion (w, x, y, z) of one frame in another.

    >>> Pose((0.0, 0.0, 1.0)) @ Pose((1.0, 0.0, 0.0))
    Pose(xyz=(1.0, 0.0, 1.0), quat=(1.0, 0.0, 0.0, 0.0))
    """

    xyz: Vector3 = ZERO
    quat: Quaternion = UNIT_QUATERNION

    def __matmul__(self, other: Pose) -> Pose:
        x, y, z = rotate(self.quat, other.xyz)
        a, b, c = self.xyz
        return Pose((a + x, b + y, c + z), multiply(self.quat, other.quat))

    def inverse(self) -> Pose:
        """X_BA, if this is X_AB."""
        w, x, y, z = self.quat
        back = (w, -x, -y, -z)
        a, b, c = rotate(back, self.xyz)
        return Pose((-a, -b, -c), back)

    def apply(self, point: Vector3) -> Vector3:
        """Transform a point (m) from this frame to the outer frame."""
        x, y, z = rotate(self.quat, point)
        return (x + self.xyz[0], y + self.xyz[1], z + self.xyz[2])

    def rotation(self) -> Matrix3:
        """Rotation matrix, rows; its columns are this frame's axes in the outer frame."""
        return quaternion_matrix(self.quat)

    def matrix(self) -> tuple[tuple[float, float, float, float], ...]:
        """Homogeneous 4×4 matrix, rows."""
        r, p = self.rotation(), self.xyz
        return ((*r[0], p[0]), (*r[1], p[1]), (*r[2], p[2]), (0.0, 0.0, 0.0, 1.0))

    def rpy(self) -> Vector3:
        """Fixed-axis roll, pitch, yaw in radians (R = Rz(yaw)·Ry(pitch)·Rx(roll)).

        Computed from the quaternion, whose (roll + yaw)/2 and (roll − yaw)/2 stay accurate near a
        pitch of ±90°, where those of the matrix do not. At ±90° (within 1e-14 rad) yaw is 0 and
        roll holds the whole rotation about the vertical.
        """
        w, x, y, z = self.quat if self.quat[0] >= 0 else tuple(-v for v in self.quat)
        plus, minus = math.hypot(w - y, x + z), math.hypot(w + y, x - z)
        half_sum, half_difference = math.atan2(x + z, w - y), math.atan2(x - z, w + y)
        if plus < 1e-14:
            half_sum = half_difference
        elif minus < 1e-14:
            half_difference = half_sum
        pitch = math.atan2(2.0 * (w * y - x * z), plus * minus)
        return (_wrapped(half_sum + half_difference), pitch, _wrapped(half_sum - half_difference))

    def axis_angle(self) -> tuple[float, float, float, float]:
        """Unit axis and angle in radians in [0, π]; (0, 0, 1, 0) without rotation."""
        w, x, y, z = self.quat if self.quat[0] >= 0 else tuple(-v for v in self.quat)
        length = math.hypot(x, y, z)
        direction = unit((x, y, z))
        if direction is None:
            return (0.0, 0.0, 1.0, 0.0)
        return (*direction, 2.0 * math.atan2(length, w))


def from_axis_angle(axis: Vector3, angle: float) -> Quaternion | None:
    """Quaternion of a rotation by ``angle`` (rad) about ``axis``; None for a zero axis."""
    direction = unit(axis)
    if direction is None:
        return None
    c, s = _half_angle(angle)
    return (c, direction[0] * s, direction[1] * s, direction[2] * s)


def from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Quaternion of fixed-axis roll, pitch, yaw in radians."""
    if roll == 0.0 and pitch == 0.0 and yaw == 0.0:
        return UNIT_QUATERNION
    cr, sr = _half_angle(roll)
    cp, sp = _half_angle(pitch)
    cy, sy = _half_angle(yaw)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


IDENTITY = Pose()


def facing(normal: Vector3) -> Pose:
    """A rotation from Z to a unit vector.

    >>> facing((1.0, 0.0, 0.0)).apply((0.0, 0.0, 2.0))
    (2.0, 0.0, 0.0)
    """
    if normal == (0.0, 0.0, 1.0):
        return IDENTITY
    side = (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 else (0.0, 1.0, 0.0)
    y = unit(cross(normal, side)) or (0.0, 1.0, 0.0)
    x = cross(y, normal)
    rows = ((x[0], y[0], normal[0]), (x[1], y[1], normal[1]), (x[2], y[2], normal[2]))
    return Pose((0.0, 0.0, 0.0), matrix_quaternion(rows))
