"""Paths as configurations joined by lines in joint space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unibody.model.arrays import Floats
from unibody.planning.loops import AnyCoordinates, LoopCoordinates

#: The largest step of a cyclic coordinate on one line of a path, and what is rounding at its end.
_HALF, _ROUNDED = 0.49, 1e-6


def configurations(
    coordinates: AnyCoordinates, found: Sequence[Floats], start: Floats, goal: Floats
) -> Floats:
    """The configurations (n, nq) of a path, without those on a line between their neighbours."""
    if isinstance(coordinates, LoopCoordinates):
        return coordinates.path(found, start, goal)
    x = np.array(found)
    d = coordinates.difference(x[:-1], x[1:])
    steps: list[Floats] = []
    for step in d[np.abs(d).max(axis=1, initial=0.0) > 0.0]:
        if steps and _parallel(steps[-1], step):
            steps[-1] = steps[-1] + step
        else:
            steps.append(step)
    if not steps:
        return np.stack([start, goal])
    # the normalized space, and rotations, take the shorter way: no step may be half a turn
    corners = [x[0]]
    for step in steps:
        count = 1 + int(coordinates.wraps(step) / _HALF)
        corners += [coordinates.moved(corners[-1], (i + 1) / count * step) for i in range(count)]
    q = coordinates.to_joints(np.array(corners))
    q[0] = start
    # whole turns of cyclic coordinates are kept, rounding is not
    q[-1] = np.where(np.abs(q[-1] - goal) < _ROUNDED, goal, q[-1])
    return q


def _parallel(a: Floats, b: Floats) -> bool:
    """Whether two steps have the same direction, to rounding."""
    return bool(np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b)) < 1e-12)
