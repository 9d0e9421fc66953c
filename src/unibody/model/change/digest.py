"""Long lists of numbers in JSON data told by their digest: to be compared, not to be carried."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

Json = Any


def shortened(data: Json, most: int) -> Json:
    """JSON data with a digest in the place of each list of more than ``most`` numbers.

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
        elif isinstance(value, list) and len(value) > most and all(map(_is_number, value)):
            numbers = np.array(value, np.float64) + 0.0
            holder[key] = {"sha256": hashlib.sha256(numbers.astype("<f8").tobytes()).hexdigest()}
        elif isinstance(value, list) and any(isinstance(x, dict | list) for x in value):
            holder[key] = row = list(value)
            todo.extend((inner, row, k) for k, inner in enumerate(value))
    return out[0]


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
