"""Arrays of any library of the Python array API standard: numpy, PyTorch, JAX, ...

Code over them creates new arrays and modifies none, so that libraries can differentiate it. Below the
public functions the batch is the last axis, so that each entry of a vector or matrix is one long run over
the configurations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from unibody.model.arrays import Floats

Array = Any
Namespace = Any


#: Whether numpy itself has the functions of the array API: then the wrapper of array_api_compat is not
#: imported, which takes as long as numpy.
_IS_NATIVE = hasattr(np, "unstack")
#: numpy's type of doubles, of which there is one.
DOUBLE = np.dtype(np.float64)


def is_plain(values: Any) -> bool:
    """Whether numpy computes with these values: its own arrays, sequences, numbers and mappings."""
    if isinstance(values, np.ndarray | Sequence | Mapping | float | int | np.generic):
        return True
    from array_api_compat import is_array_api_obj

    return not is_array_api_obj(values)


def namespace(*arrays: Array) -> Namespace:
    """Namespace of the library of the arrays; TypeError for arrays of several libraries."""
    if _IS_NATIVE and all(isinstance(array, np.ndarray) for array in arrays):
        return np
    from array_api_compat import array_namespace

    try:
        return array_namespace(*arrays)
    except TypeError:
        kinds = sorted({f"{type(a).__module__}.{type(a).__qualname__}" for a in arrays})
        raise TypeError(f"arrays of several libraries: {', '.join(kinds)}; give all of one") from None


def floats(values: Any, what: str) -> Floats:
    """An array of doubles; ValueError naming ``what`` for anything else."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, RuntimeError):
        array = np.array(None)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{what} is not an array of real numbers")
    return array.astype(np.float64, copy=False)


def reals(values: Array, what: str) -> Array:
    """A numpy array of doubles, or another library's array of real floating-point numbers unchanged."""
    if type(values) is np.ndarray and values.dtype is DOUBLE:
        return values
    if is_plain(values):
        return floats(values, what)
    xp = namespace(values)
    if not xp.isdtype(values.dtype, "real floating"):
        raise ValueError(f"{what} is not an array of real floating-point numbers, but of {values.dtype}")
    return values


def like(xp: Namespace, values: Any, example: Array) -> Array:
    """Constants as an array of the library, type and device of ``example``."""
    from array_api_compat import device

    return xp.asarray(values, dtype=example.dtype, device=device(example))


def indices(xp: Namespace, places: Any, example: Array) -> Array:
    """Integers as an array of the library and device of ``example``."""
    from array_api_compat import device

    return xp.asarray(np.asarray(places, np.intp), device=device(example))


def leading(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Broadcast batch shape."""
    first = shapes[0]
    return first if all(shape == first for shape in shapes) else np.broadcast_shapes(*shapes)


def flattened(xp: Namespace, array: Array, lead: tuple[int, ...], inner: int) -> Array:
    """An array (..., *inner axes), its batch broadcast to ``lead`` and flattened into the first axis."""
    shape = tuple(array.shape[len(array.shape) - inner :])
    if tuple(array.shape) != (*lead, *shape):
        array = xp.broadcast_to(array, (*lead, *shape))
    return xp.reshape(array, (math.prod(lead), *shape))


def rows(array: Floats, lead: tuple[int, ...], inner: int) -> Floats:
    """A numpy array (..., *inner axes) as rows (count, n) of numbers, or (n,) if it is the same for all."""
    own = array.ndim - inner
    if own == 0 and inner == 1:
        return array
    if array.shape[:own] == lead or own == 0:
        return array.reshape((-1,) if own == 0 else (math.prod(lead), math.prod(array.shape[own:])))
    whole: Floats = flattened(np, array, lead, inner)
    return whole.reshape(math.prod(lead), -1)


def to_last(xp: Namespace, array: Array) -> Array:
    """The first axis, the batch, moved to the end."""
    return xp.permute_dims(array, (*range(1, array.ndim), 0))


def to_first(xp: Namespace, array: Array) -> Array:
    """The last axis, the batch, moved to the front."""
    return xp.permute_dims(array, (array.ndim - 1, *range(array.ndim - 1)))
