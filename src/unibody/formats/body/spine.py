"""Frames of the straight spines of extrusions as Choreonoid computes them (facts A.11).

The section's frame is to be the shortest rotation of +Y onto the spine. Choreonoid builds it from an axis
that is not normalized: it is right along +Y and across Y; along −Y it mirrors, and elsewhere it shears.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from unibody.model.pose import UNIT_QUATERNION, Pose, from_axis_angle, multiply

_HALF_TURN_X, _HALF_TURN_Y = (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)


def straight_frames(spine: Any) -> Any:
    """The frame (n, 3, 3) at each point of a spine (n, 3); None if it is not straight."""
    count = len(spine)
    is_closed = (spine[0] == spine[-1]).all()
    before = np.vstack([spine[-2 if is_closed else 0], spine[:-1]])
    after = np.vstack([spine[1:], spine[1 if is_closed else -1]])
    if count > 2:
        bends = np.cross(after - spine, before - spine)
        if bends.any():
            return None
    along = after - before if count > 2 else np.tile(spine[1] - spine[0], (2, 1))
    lengths = np.sqrt((along**2).sum(axis=1))
    if not lengths.all():
        return None
    return np.array([_frame(*(row / length).tolist()) for row, length in zip(along, lengths, strict=True)])


def _frame(x: float, y: float, z: float) -> Any:
    """Rodrigues' formula with the axis (z, 0, −x), whose length is the sine of the angle."""
    y = min(max(y, -1.0), 1.0)
    cosine, sine = y, math.sqrt(1.0 - y * y)
    axis = np.array([z, 0.0, 0.0 - x])
    cross = np.array([[0.0, x, 0.0], [0.0 - x, 0.0, 0.0 - z], [0.0, z, 0.0]])
    return cosine * np.eye(3) + sine * cross + (1.0 - cosine) * np.outer(axis, axis)


def frame_kind(spine: Any) -> Literal["right", "mirrored", "sheared"]:
    """What Choreonoid does to a section along a spine (n, 3)."""
    frames = straight_frames(spine)
    if frames is None:
        return "right"
    if (frames == -np.eye(3)).all():
        return "mirrored"
    products = np.einsum("nij,nik->njk", frames, frames)
    is_right = np.abs(products - np.eye(3)).max() < 1e-9 and (np.linalg.det(frames) > 0.0).all()
    return "right" if is_right else "sheared"


def turned_down(turn: Any) -> tuple[float, float, float, float]:
    """The orientation (axis and angle) that gives a section along −Y Choreonoid's place.

    Choreonoid maps (x, 0, z) to (−x, 0, −z), the standard's half turn about X to (x, 0, −z). It is its own
    inverse.
    """
    x, y, z, angle = turn.tolist()
    given = from_axis_angle((x, y, z), angle) or UNIT_QUATERNION
    quat = multiply(multiply(_HALF_TURN_X, given), _HALF_TURN_Y)
    return Pose((0.0, 0.0, 0.0), quat).axis_angle()


def swept(section: Any, spine: Any, scale: Any, turns: Any, caps: tuple[bool, bool]) -> tuple[Any, Any]:
    """The vertices (flat) and faces (each closed by −1) of a section (m, 2) swept along a spine (n, 3)."""
    frames, rows, columns = straight_frames(spine), len(spine), len(section)
    flat = np.zeros((rows, columns, 3))
    sizes = scale if len(scale) == rows else np.repeat(scale, rows, axis=0)
    flat[:, :, [0, 2]] = section[None] * sizes[:, None]
    quats = (from_axis_angle((r[0], r[1], r[2]), r[3]) or UNIT_QUATERNION for r in turns.tolist())
    matrices = np.array([Pose((0.0, 0.0, 0.0), quat).rotation() for quat in quats])
    if len(matrices) != rows:
        matrices = np.repeat(matrices, rows, axis=0)
    points = np.einsum("nij,njk,nck->nci", frames, matrices, flat) + spine[:, None]
    low, high = np.arange(rows - 1)[:, None] * columns, np.arange(1, rows)[:, None] * columns
    a, b = np.arange(columns - 1), np.arange(1, columns)
    end = np.full((rows - 1, columns - 1), -1)
    sides = np.stack([low + a, high + a, high + b, end, low + a, high + b, low + b, end], axis=-1)
    faces = [sides.reshape(-1)]
    if not (spine[0] == spine[-1]).all():
        rim = np.arange(columns - 1 if (section[0] == section[-1]).all() else columns)
        if caps[0]:
            faces.append(np.append(rim, -1))
        if caps[1]:
            faces.append(np.append(rim[::-1] + (rows - 1) * columns, -1))
    return points.reshape(-1), np.concatenate(faces)
