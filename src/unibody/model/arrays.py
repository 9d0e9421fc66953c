"""Types of arrays, by what their numbers are."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

#: Positions in other arrays.
Indices: TypeAlias = NDArray[np.intp]
#: A transformation, (4, 4), or its linear part, (3, 3).
Matrix: TypeAlias = NDArray[np.float64]
#: The vertices of triangles (n, 3).
Faces: TypeAlias = NDArray[np.int32]
#: Values of images.
Pixels: TypeAlias = NDArray[np.uint8]
