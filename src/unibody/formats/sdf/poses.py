"""Reads `<pose>` elements."""

from __future__ import annotations

import math

from unibody.formats.sdf.document_shapes import Pose
from unibody.model import pose as p
from unibody.model.equality import same_rotation
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.fixes import renumbered

_COUNT = {"euler_rpy": 6, "quat_xyzw": 7}
_LARGEST_ANGLE = 2.01 * math.pi
_UNIT = 1e-3
_ROUNDING = 4e-16
_NEAR = 1e-12


@dataclass(slots=True)
class PoseReader:
    """Reads poses, and reports what is wrong with them."""

    findings: Findings

    def read(self, doc: Pose | None, what: str) -> p.Pose:
        """The pose that an element gives, in whatever frame; ``what`` has it. None is the identity."""
        if doc is None or not doc.value:
            return p.IDENTITY
        numbers, form = doc.value, doc.rotation_format
        if len(numbers) != _COUNT[form]:
            self.findings.error(
                "number-count",
                f"{what}: pose needs {_COUNT[form]} numbers ({form}), has {len(numbers)}",
                doc.at(),
                "write x y z roll pitch yaw"
                if form == "euler_rpy"
                else "write x y z and the quaternion x y z w",
            )
            return p.IDENTITY
        if not all(map(math.isfinite, numbers)):
            self.findings.error("number-not-finite", f"{what}: pose must be finite numbers", doc.at())
            return p.IDENTITY
        x, y, z, *turn = numbers
        if form == "quat_xyzw":
            return p.Pose((x, y, z), self._quaternion(doc, turn, what))
        if doc.degrees:
            turn = [math.radians(angle) for angle in turn]
        elif max(map(abs, turn)) > _LARGEST_ANGLE:
            written = " ".join(f"{angle:g}" for angle in turn)
            shown = " ".join(f"{math.radians(angle):.6g}" for angle in turn)
            self.findings.warning(
                "angle-degrees",
                f"{what}: roll pitch yaw '{written}' exceeds a full turn; it looks like degrees",
                doc.at("value"),
                f'in radians: {shown}; or add degrees="true"',
                fix=renumbered(
                    doc.at("value"),
                    "convert degrees to radians",
                    lambda old: [*old[:3], *map(math.radians, old[3:])] if len(old) == 6 else None,
                ),
            )
        return p.Pose((x, y, z), p.from_rpy(*turn))

    def _quaternion(self, doc: Pose, turn: list[float], what: str) -> p.Quaternion:
        x, y, z, w = turn
        length = math.hypot(*turn)
        if length == 0.0:
            self.findings.warning(
                "quaternion-not-unit", f"{what}: zero quaternion; using no rotation", doc.at("value")
            )
            return p.UNIT_QUATERNION
        if abs(length - 1.0) > _UNIT:
            self.findings.warning(
                "quaternion-not-unit",
                f"{what}: quaternion of length {length:.3g} is normalized",
                doc.at("value"),
                "libsdformat does not normalize it",
                fix=renumbered(
                    doc.at("value"),
                    "normalize the quaternion",
                    lambda old: (
                        [*old[:3], *(v / math.hypot(*old[3:]) for v in old[3:])] if len(old) == 7 else None
                    ),
                    safe=True,
                ),
            )
        if abs(length - 1.0) <= _ROUNDING:
            return (w, x, y, z)
        return (w / length, x / length, y / length, z / length)


def is_identity(given: p.Pose) -> bool:
    """Whether a pose is the identity, up to rounding.

    >>> is_identity(p.Pose((0.0, 0.0, 1e-16)))
    True
    """
    return max(map(abs, given.xyz)) <= _NEAR and same_rotation(given.quat, p.UNIT_QUATERNION)
