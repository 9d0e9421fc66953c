"""Memory for the arrays of many mesh files, asked of the system in large pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# numpy asks for large pages from 4 MiB on: filling a fresh array then takes a third of the time.
_BLOCK = 1 << 20
_SMALL = _BLOCK // 64


class Store:
    """Arrays cut out of large blocks; a block lives as long as one of its arrays.

    >>> Store().floats(2, 3).shape
    (2, 3)
    """

    def __init__(self) -> None:
        self._block: NDArray[np.float64] = np.empty(0)
        self._count: NDArray[np.int32] = np.empty(0, np.int32)

    def floats(self, rows: int, columns: int) -> NDArray[np.float64]:
        """An array whose numbers are still to be written."""
        size = rows * columns
        if size < _SMALL or size > _BLOCK:
            return np.empty((rows, columns))
        if size > self._block.size:
            self._block = np.empty(_BLOCK)
        made, self._block = self._block[:size], self._block[size:]
        return made.reshape(rows, columns)

    def counted(self, size: int) -> NDArray[np.int32]:
        """0, 1, 2, … ``size`` − 1, shared by all who ask."""
        if size > self._count.size:
            self._count = np.arange(size, dtype=np.int32)
            self._count.flags.writeable = False
        return self._count[:size]
