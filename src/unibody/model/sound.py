"""Validation of single values of the model, as side-cars carry them: finite numbers, non-zero axes."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from unibody.model.index import out_of_range
from unibody.model.shape import WIDTHS, LineSet, Mesh
from unibody.model.traverse import fields_with

_NOT_ZERO = {"quat", "axis"}
# Lists of indices, and the lists that they index.
_INDEXED = {
    "faces": "vertices",
    "lines": "vertices",
    "normal_indices": "normals",
    "tex_coord_indices": "tex_coords",
    "color_indices": "colors",
}


def sound(name: str, value: Any) -> bool:
    """Whether a value is valid for the field ``name`` of the model.

    >>> sound("axis", (0.0, 0.0, 0.0)), sound("position", (0.0, math.inf)), sound("mass", math.nan)
    (False, True, False)
    """
    todo = [(name, value)]
    while todo:
        name, value = todo.pop()
        if isinstance(value, float | int):
            good = math.isfinite(value) or (name in fields_with("infinite") and not math.isnan(value))
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
    """Whether all indices of a mesh are within its lists."""
    widths = WIDTHS[type(mesh)]
    for name, values in _INDEXED.items():
        listed = getattr(mesh, name, ())
        if len(listed) and out_of_range(listed, len(getattr(mesh, values)) // widths[values]) is not None:
            return False
    return True
