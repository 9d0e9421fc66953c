"""Long lists of numbers in JSON data told by their digest: to be compared, not to be carried."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

Json = Any


def digest(values: list[float]) -> Json:
    """What tells a list of numbers from others."""
    numbers = np.array(values, np.float64) + 0.0
    return {"sha256": hashlib.sha256(numbers.astype("<f8").tobytes()).hexdigest()}


def shortened(data: Json, most: int, short: Callable[[list[float]], Json] = digest) -> Json:
    """JSON data with a digest, or what else is ``short``, for each list of more than ``most`` numbers.

    >>> shortened({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, 2)["a"]
    [1.0, 2.0]
    """
    out = [data]
    todo: list[tuple[Json, Any, Any]] = [(data, out, 0)]
    while todo:
        value, holder, key = todo.pop()
        if isinstance(value, dict):
            holder[key] = new = dict(value)
            todo.extend((inner, new, k) for k, inner in value.items() if isinstance(inner, dict | list))
        elif isinstance(value, list) and len(value) > most and are_numbers(value):
            holder[key] = short(value)
        elif isinstance(value, list) and any(isinstance(x, dict | list) for x in value):
            holder[key] = row = list(value)
            todo.extend((inner, row, k) for k, inner in enumerate(value))
    return out[0]


def are_numbers(values: list[Json]) -> bool:
    """Whether a list holds nothing but numbers.

    >>> are_numbers([1, 0.5]), are_numbers([True])
    (True, False)
    """
    return set(map(type, values)) <= {int, float}
