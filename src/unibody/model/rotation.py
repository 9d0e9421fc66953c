"""Rotation matrices of arrays of quaternions; ``model/pose.py`` has those of single ones, without numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def rotation_matrices(quaternions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4), each as ``quaternion_matrix`` has it.

    >>> rotation_matrices(np.array([[0.0, 0.0, 0.0, 1.0]])).tolist()
    [[[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]]
    """
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
