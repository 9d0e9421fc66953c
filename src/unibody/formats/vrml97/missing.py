"""Removes polygons with invalid vertex indices, together with the attributes of their corners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Integers
from unibody.text.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Masks of the entries of a coordIndex to keep (with the −1 of their faces), and of the faces."""

    entries: NDArray[np.bool_]
    faces: NDArray[np.bool_]

    def of(self, index: Integers, per_vertex: bool, given: bool) -> Integers | None:
        """The index of normals, colors or texture coordinates of the kept faces (ISO/IEC 14772-1, 6.23).

        ``given``: there are values to index. None if the length of the index does not match the faces.
        """
        if per_vertex:
            # the last −1 may be missing
            if not index.size or not 0 <= self.entries.size - index.size <= 1:
                return None if index.size else index
            return index[self.entries[: index.size]]
        if not index.size:
            return np.flatnonzero(self.faces) if given else index
        return index[: self.faces.size][self.faces] if index.size >= self.faces.size else None


def kept(corners: Integers, count: int) -> Kept:
    """The faces (each ended by a negative number) with all indices below ``count``.

    >>> found = kept(np.array([0, 1, 2, -1, 0, 1, 7, -1]), 3)
    >>> found.faces.tolist(), found.entries.tolist()
    ([True, False], [True, True, True, True, False, False, False, False])
    """
    ends = corners < 0
    face: Integers = np.cumsum(ends) - ends
    faces = np.ones(int(ends.sum()), bool)
    faces[face[(corners >= count) | (corners < -1)]] = False
    return Kept(faces[face], faces)
