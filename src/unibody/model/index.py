"""Lists of indices, such as the faces of a mesh."""

from __future__ import annotations

from typing import Any

import numpy as np


def out_of_range(indices: Any, count: int) -> int | None:
    """The index furthest outside a list of ``count`` entries; None if all are valid. −1 ends a face.

    >>> out_of_range([0, 1, 2, -1], 3), out_of_range([0, 1, 3, -1], 3), out_of_range([0, -2], 3)
    (None, 3, -2)
    """
    if not len(indices):
        return None
    if isinstance(indices, tuple):  # a short list
        low, high = int(min(indices)), int(max(indices))
    else:
        listed = np.asarray(indices)
        low, high = int(listed.min()), int(listed.max())
    if high >= count:
        return high
    return low if low < -1 else None
