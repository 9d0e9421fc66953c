"""Polygons that name points which are not there are left out, with what belongs to their corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Which entries of a coordIndex stay (``entries``, with the −1 of their faces), and which faces."""

    entries: NDArray[np.bool_]
    faces: NDArray[np.bool_]

    def of(self, index: Indices, per_vertex: bool, given: bool) -> Indices | None:
        """An index of normals, colours or image points for what stays (ISO/IEC 14772-1, 6.23).

        ``given`` says whether there is anything that it could point into. None when it does not go with
        the faces, so that nobody knows which of its numbers stay.
        """
        if per_vertex:
            # a last −1 may be left out
            if not index.size or not 0 <= self.entries.size - index.size <= 1:
                return None if index.size else index
            return index[self.entries[: index.size]]
        if not index.size:
            return np.flatnonzero(self.faces) if given else index
        return index[: self.faces.size][self.faces] if index.size >= self.faces.size else None


def kept(corners: Indices, count: int) -> Kept:
    """The faces (each closed by a negative number) of which all of ``count`` points are there.

    >>> found = kept(np.array([0, 1, 2, -1, 0, 1, 7, -1]), 3)
    >>> found.faces.tolist(), found.entries.tolist()
    ([True, False], [True, True, True, True, False, False, False, False])
    """
    ends = corners < 0
    face: Indices = np.cumsum(ends) - ends
    faces = np.ones(int(ends.sum()), bool)
    faces[face[(corners >= count) | (corners < -1)]] = False
    return Kept(faces[face], faces)
