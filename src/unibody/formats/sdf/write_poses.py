"""Writes poses; the inverse of ``poses``."""

from __future__ import annotations

from unibody.formats.sdf.document_shapes import Pose as PoseElement
from unibody.formats.sdf.write_versions import QUATERNIONS, Version
from unibody.formats.tidy import rpy
from unibody.model.equality import same_rotation
from unibody.model.pose import UNIT_QUATERNION, ZERO, Pose, from_rpy


def pose(given: Pose, version: Version, relative_to: str | None = None) -> PoseElement | None:
    """The element of a pose; None for the identity in the frame that a pose has by default.

    A rotation that roll, pitch and yaw do not give is a quaternion, in the versions that have them.
    """
    turn = ZERO if given.quat == UNIT_QUATERNION else rpy(given.quat)
    if turn == ZERO and given.xyz == ZERO:
        return None if relative_to is None else PoseElement(relative_to=relative_to)
    out = PoseElement(relative_to=relative_to, value=(*given.xyz, *turn))
    if version >= QUATERNIONS and not same_rotation(from_rpy(*turn), given.quat):
        w, x, y, z = given.quat
        out.rotation_format, out.value = "quat_xyzw", (*given.xyz, x, y, z, w)
    return out
