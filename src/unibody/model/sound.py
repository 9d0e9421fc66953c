"""Whether a carried value is one that reading a file could have given: no NaN, no axis of length zero."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from unibody.model.index import out_of_range
from unibody.model.shape import WIDTHS, LineSet, Mesh

# What a place or a body is made of; limits and what devices see may be without end.
_FINITE = {"xyz", "quat", "axis", "direction", "mass", "com", "inertia", "scale", "linear"}
_FINITE |= {"size", "radius", "radii", "height", "half_size"}
_NOT_ZERO = {"quat", "axis"}
# Which list the numbers of another are places in; -1 ends a face.
_PLACES = {
    "faces": "vertices",
    "lines": "vertices",
    "normal_indices": "normals",
    "tex_coord_indices": "tex_coords",
    "color_indices": "colors",
}


def sound(name: str, value: Any) -> bool:
    """Whether the value of a field can be one of a model.

    >>> sound("axis", (0.0, 0.0, 0.0)), sound("position", (0.0, math.inf)), sound("mass", math.nan)
    (False, True, False)
    """
    todo = [(name, value)]
    while todo:
        name, value = todo.pop()
        if isinstance(value, float | int):
            good = not math.isnan(value) and not (name in _FINITE and math.isinf(value))
        elif isinstance(value, np.ndarray):
            good = bool(np.all(np.isfinite(value)))
        elif isinstance(value, tuple):
            good = name not in _NOT_ZERO or any(value)
            todo += [(name, v) for v in value if not isinstance(v, str)]
        elif is_dataclass(value):
            good = not isinstance(value, Mesh | LineSet) or _closed(value)
            todo += [(f.name, getattr(value, f.name)) for f in fields(value)]
        else:
            good = True
        if not good:
            return False
    return True


def _closed(mesh: Mesh | LineSet) -> bool:
    """Whether all indices of a mesh are places in its lists."""
    widths = WIDTHS[type(mesh)]
    for name, values in _PLACES.items():
        listed = getattr(mesh, name, ())
        if len(listed) and out_of_range(listed, len(getattr(mesh, values)) // widths[values]) is not None:
            return False
    return True
