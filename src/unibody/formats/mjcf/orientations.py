"""Orientations of elements: five notations, of which an element has at most one."""

from __future__ import annotations

import math

from unibody.formats.format import Context
from unibody.formats.mjcf.defaults import ORIENTATIONS
from unibody.formats.mjcf.document_bodies import Posed
from unibody.formats.mjcf.document_element import tag_of
from unibody.formats.mjcf.settings import Settings
from unibody.model.pose import (
    UNIT_QUATERNION,
    ZERO,
    Pose,
    Quaternion,
    Vector3,
    cross,
    from_axis_angle,
    matrix_quaternion,
    multiply,
    unit,
)
from unibody.text.dataclass import dataclass

# Quaternions of length 1 up to rounding are kept as they are.
_ROUNDING = 4e-16
_AXES: dict[str, Vector3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
# Below it the direction of +Z and an axis are taken for parallel, as in MuJoCo.
_PARALLEL = 1e-10


@dataclass(slots=True)
class Poses:
    """Reads the poses of the elements of one file."""

    settings: Settings
    context: Context

    def of(self, doc: Posed) -> Pose:
        """The pose of an element in the one around it."""
        pos = doc.pos
        return Pose(ZERO if pos is None else (pos[0], pos[1], pos[2]), self.orientation(doc))

    def orientation(self, doc: Posed) -> Quaternion:
        """The orientation of an element; an invalid one is an error, as in MuJoCo."""
        self._check_one(doc)
        made: Quaternion | None
        name = "quat"
        if doc.axisangle is not None:
            name, (x, y, z, angle) = "axisangle", doc.axisangle
            made = from_axis_angle((x, y, z), angle * self.settings.angle)
        elif doc.xyaxes is not None:
            name, made = "xyaxes", _of_axes(doc.xyaxes)
        elif doc.zaxis is not None:
            name, (x, y, z) = "zaxis", doc.zaxis
            made = to_axis((x, y, z))
        elif doc.euler is not None:
            name, made = "euler", self.euler(doc.euler)
        else:
            made = normalized(doc.quat)
        if made is None:
            self._no_direction(doc, name)
        return made or UNIT_QUATERNION

    def check_notation(self, doc: Posed) -> None:
        """Report what MuJoCo rejects of an orientation without effect: two notations, or a zero quat."""
        self._check_one(doc)
        if "quat" in doc.given and normalized(doc.quat) is None:
            self._no_direction(doc, "quat")

    def _check_one(self, doc: Posed) -> None:
        written = [name for name in ORIENTATIONS if name in doc.given] if doc.given else []
        if len(written) > 1:
            self.context.findings.error(
                "pose-invalid",
                f"<{tag_of(doc)}> must have one orientation, got {' and '.join(written)}; "
                "MuJoCo rejects the file",
                doc.at(written[1]),
                "keep one of them",
            )

    def _no_direction(self, doc: Posed, name: str) -> None:
        self.context.findings.error(
            "pose-invalid",
            f"<{tag_of(doc)}>: {name} must have a direction; MuJoCo rejects the file",
            doc.at(name),
            "write a direction that is not zero",
        )

    def euler(self, angles: tuple[float, ...]) -> Quaternion:
        """The rotation by three angles: about rotating axes (small letters) or fixed ones (capitals)."""
        made = UNIT_QUATERNION
        for letter, angle in zip(self.settings.eulerseq, angles, strict=False):
            if angle == 0.0:
                continue
            axis = _AXES.get(letter.lower(), _AXES["x"])
            turn = from_axis_angle(axis, angle * self.settings.angle) or UNIT_QUATERNION
            made = multiply(made, turn) if letter.islower() else multiply(turn, made)
        return made


def normalized(quat: tuple[float, ...]) -> Quaternion | None:
    """A quaternion of length 1; None for one of length 0."""
    w, x, y, z = quat
    if quat == UNIT_QUATERNION:
        return UNIT_QUATERNION
    length = math.hypot(w, x, y, z)
    if length == 0.0 or not math.isfinite(length):
        return None
    if abs(length - 1.0) <= _ROUNDING:
        return (w, x, y, z)
    return (w / length, x / length, y / length, z / length)


def to_axis(axis: Vector3) -> Quaternion | None:
    """The shortest rotation of +Z onto a direction; half a turn about X onto −Z."""
    direction = unit(axis)
    if direction is None:
        return None
    x, y, z = direction
    length = math.hypot(x, y)
    if length < _PARALLEL:
        return UNIT_QUATERNION if z > 0.0 else (0.0, 1.0, 0.0, 0.0)
    half = math.atan2(length, z) / 2.0
    s = math.sin(half) / length
    return (math.cos(half), -y * s, x * s, 0.0)


def _of_axes(numbers: tuple[float, ...]) -> Quaternion | None:
    """The rotation whose X axis is the first vector and whose Y axis is nearest to the second one."""
    a, b, c, d, e, f = numbers
    x = unit((a, b, c))
    if x is None:
        return None
    along = x[0] * d + x[1] * e + x[2] * f
    y = unit((d - along * x[0], e - along * x[1], f - along * x[2]))
    if y is None:
        return None
    z = cross(x, y)
    return matrix_quaternion(((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])))
