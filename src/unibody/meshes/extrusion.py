"""Converts extrusions to polygons: sweeps the section along the spine (ISO/IEC 14772-1, 6.18)."""

from __future__ import annotations

import math

import numpy as np

from unibody.model.arrays import Floats, Integers
from unibody.model.shape import Extrusion

_TINY = 1e-12


def extrude(shape: Extrusion) -> tuple[Floats, Integers, Integers, Floats]:
    """Points (n, 3), point indices of all corners (c,), corners per face (f,), texture coordinates (c, 2).

    All are empty if spine or section have fewer than two points. Faces are counter-clockwise seen from
    outside if the section is counter-clockwise seen from +Y, the direction of the sweep.
    """
    section, spine = _rows(shape.section, 2), _rows(shape.spine, 3)
    rows, columns = len(spine), len(section)
    if rows < 2 or columns < 2:
        return np.empty((0, 3)), np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 2))
    flat = np.zeros((rows, columns, 3))
    flat[:, :, 0] = section[:, 0] * _each(shape.scale, (1.0, 1.0), rows)[:, :1]
    flat[:, :, 2] = section[:, 1] * _each(shape.scale, (1.0, 1.0), rows)[:, 1:]
    turns = np.array([_turn(row) for row in _each(shape.orientation, (0.0, 0.0, 1.0, 0.0), rows)])
    frames = _product(spine_frames(spine), turns)
    points = np.einsum("rij,rcj->rci", frames, flat) + spine[:, None]
    corners, counts, coords = [], [], []
    # faces at the end of a closed section or spine use the first points again
    around = np.arange(columns)
    around[-1] = 0 if _closed(section) else columns - 1
    along = np.arange(rows)
    along[-1] = 0 if _closed(spine) and _same(points[0], points[-1]) else rows - 1
    low, high = along[:-1, None] * columns, along[1:, None] * columns
    a, b = around[:-1], around[1:]
    corners.append(np.stack([low + a, low + b, high + b, high + a], axis=-1).reshape(-1))
    counts.append(np.full((rows - 1) * (columns - 1), 4))
    s, t = np.linspace(0.0, 1.0, columns), np.linspace(0.0, 1.0, rows)
    quad_s = np.stack([s[:-1], s[1:], s[1:], s[:-1]], axis=-1)[None].repeat(rows - 1, 0)
    quad_t = np.stack([t[:-1], t[:-1], t[1:], t[1:]], axis=-1)[:, None].repeat(columns - 1, 1)
    coords.append(np.stack([quad_s, quad_t], axis=-1).reshape(-1, 2))
    rim = np.arange(columns - 1 if _closed(section) else columns)
    size = max(float(np.ptp(section, axis=0).max()), _TINY)
    image = (section[rim] - section.min(axis=0)) / size
    if not _closed(spine) and rim.size >= 3:
        for there, row, order in ((shape.begin_cap, 0, rim[::-1]), (shape.end_cap, rows - 1, rim)):
            if there:
                corners.append(order + row * columns)
                counts.append(np.array([rim.size]))
                coords.append(image[order])
    flat_points = points.reshape(-1, 3)
    return flat_points, np.concatenate(corners), np.concatenate(counts), np.concatenate(coords)


def _rows(values: object, width: int) -> Floats:
    """Values as rows (n, width); an incomplete last row is left out."""
    flat = np.asarray(values, np.float64).reshape(-1)
    return flat[: flat.size - flat.size % width].reshape(-1, width)


def _each(values: object, default: tuple[float, ...], rows: int) -> Floats:
    """One row for every point of the spine; the last row is repeated."""
    table = _rows(values, len(default))[:rows]
    if not len(table):
        table = np.array([default])
    return np.vstack([table, np.tile(table[-1], (rows - len(table), 1))])


def _closed(points: Floats) -> bool:
    return len(points) > 2 and _same(points[0], points[-1])


def _same(a: Floats, b: Floats) -> bool:
    return bool((np.abs(a - b) <= _TINY * max(1.0, float(np.abs(a).max()))).all())


def _product(a: Floats, b: Floats) -> Floats:
    """Matrix products without BLAS, whose last digits depend on the processor."""
    return np.asarray(np.einsum("...ij,...jk->...ik", a, b))


def _turn(row: Floats) -> Floats:
    """The rotation matrix of an axis and an angle (rad)."""
    axis, angle = row[:3], float(row[3])
    length = math.hypot(*axis)
    if length == 0.0 or angle == 0.0:
        return np.eye(3)
    if not math.isfinite(length + angle):
        return np.full((3, 3), np.nan)  # reported by the check of all corners
    x, y, z = axis / length
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * _product(k, k))


def spine_frames(spine: Floats) -> Floats:
    """The section's frame at every point of the spine (n, 3, 3): columns X, Y (along the spine), Z."""
    steps = np.diff(spine, axis=0)
    moving = np.linalg.norm(steps, axis=1) > _TINY
    # coincident points share a frame (6.18: "share the same SCP")
    kept = np.concatenate([[True], moving])
    points = spine[kept]
    if len(points) < 2:
        return np.tile(np.eye(3), (len(spine), 1, 1))
    closed = _closed(points)
    y = _y_axes(points, closed)
    z = _z_axes(points, closed)
    if z is None:
        frame = _straight_frame(points)
        frames = np.tile(frame, (len(points), 1, 1))
    else:
        frames = np.stack([np.cross(y, z), y, z], axis=-1)
    return np.asarray(frames[np.cumsum(kept) - 1])


def _y_axes(points: Floats, closed: bool) -> Floats:
    """Y axes (n, 3): from the previous to the next point."""
    y = np.empty_like(points)
    y[1:-1] = points[2:] - points[:-2]
    y[0], y[-1] = points[1] - points[0], points[-1] - points[-2]
    if closed:
        y[0] = y[-1] = points[1] - points[-2]
    lengths = np.linalg.norm(y, axis=1)
    back = lengths <= _TINY  # the spine reverses: use the direction of the incoming segment
    y[back] = np.vstack([points[1:] - points[:-1], points[-1:] - points[-2:-1]])[back]
    return np.asarray(y / np.linalg.norm(y, axis=1)[:, None])


def _z_axes(points: Floats, closed: bool) -> Floats | None:
    """Z axes (n, 3), normal to the bend at each point, without flips; None for a straight spine."""
    z = np.zeros_like(points)
    z[1:-1] = np.cross(points[2:] - points[1:-1], points[:-2] - points[1:-1])
    if closed:
        z[0] = z[-1] = np.cross(points[1] - points[0], points[-2] - points[0])
    lengths = np.linalg.norm(z, axis=1)
    scale = np.linalg.norm(np.diff(points, axis=0), axis=1).max() ** 2
    known = lengths > 1e-10 * scale
    if not known.any():
        return None
    z[known] /= lengths[known, None]
    first = int(np.argmax(known))
    z[:first] = z[first]
    for i in range(first + 1, len(z)):
        if not known[i]:
            z[i] = z[i - 1]
        elif z[i] @ z[i - 1] < 0.0:
            z[i] = -z[i]
    y = _y_axes(points, closed)
    # a Z taken from the previous point has to be made orthogonal to Y
    z = z - np.einsum("ij,ij->i", z, y)[:, None] * y
    return np.asarray(z / np.maximum(np.linalg.norm(z, axis=1), _TINY)[:, None])


def _straight_frame(points: Floats) -> Floats:
    """The shortest rotation of +Y onto the direction of a straight spine."""
    along = points[-1] - points[0]
    if np.linalg.norm(along) <= _TINY:
        along = points[1] - points[0]
    x, y, z = (along / math.hypot(*along)).tolist()
    if y < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    # axis (0, 1, 0) × along = (z, 0, −x), sine its length, cosine y
    k = np.array([[0.0, x, 0.0], [-x, 0.0, -z], [0.0, z, 0.0]])
    return np.asarray(np.eye(3) + k + _product(k, k) / (1.0 + y))
