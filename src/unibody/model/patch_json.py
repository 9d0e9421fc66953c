"""Encodes patches as lines of JSON text, for side-cars.

A line is ``[path, before, after]``; a fourth member is the index of an added or removed item, or the
word "renamed" or "moved". Values are written as in the native format. Lists of more than
``MOST_NUMBERS`` numbers are not written out: ``before`` has their digest; ``after`` is stored in a file
of its own, or the difference is omitted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from typing import Any

from unibody.model.equality import close
from unibody.model.facts import Difference, FileName
from unibody.model.json import decoder, number_digest, value_json
from unibody.model.sound import sound
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.json.parser import levels

__all__ = ["MOST_NUMBERS", "JsonValues", "alike", "parse_line", "patch_lines"]

MOST_NUMBERS = 256
# Readers nest groups no deeper.
_DEEPEST = 150
_MOST_DIGITS = 300
Json = Any


# Writing


def patch_lines(
    differences: Iterable[Difference],
    geometry: Callable[[Any], Json | None] = lambda _: None,
    numbers: Callable[[list[float]], Json] = lambda values: values,
) -> list[str]:
    """Encode each difference as one line of ASCII text.

    ``geometry`` returns the JSON data of a geometry that is stored in a file, else None; ``numbers``
    that of a long list of numbers.

    >>> patch_lines([Difference("base", "added", None, "free")])
    ['["base", null, "free"]']
    """
    lines = []
    for d in differences:
        before = _shortened(_json(d.before, geometry), _digest)
        after = _shortened(_json(d.after, geometry), numbers)
        extra = [d.kind] if d.kind in ("renamed", "moved") else [] if d.index is None else [d.index]
        if _longest(after) <= MOST_NUMBERS and levels([before, after]) <= _DEEPEST:
            lines.append(json.dumps([d.path, before, after, *extra]))
    return lines


def _json(value: Any, geometry: Callable[[Any], Json | None]) -> Json:
    """Encode a value as JSON data; ``geometry`` replaces geometries that are stored in files."""
    if isinstance(value, FileName):
        return value.uri
    if isinstance(value, tuple) and any(map(is_dataclass, value)):
        return [_json(v, geometry) for v in value]
    data = value_json(value)
    if isinstance(data, dict) and is_dataclass(value):
        if (own := geometry(value)) is not None:
            return own
        inner = getattr(value, "geometry", None)
        if inner is not None and (written := geometry(inner)) is not None:
            data["geometry"] = written
        for name in ("visuals", "collisions", "collisions_alt"):
            if name in data:
                data[name] = _json(getattr(value, name), geometry)
    return data


def _shortened(data: Json, short: Callable[[list[float]], Json]) -> Json:
    """Replace each list of more than ``MOST_NUMBERS`` numbers in JSON data by ``short(list)``."""
    out = [data]
    todo: list[tuple[Json, Any, Any]] = [(data, out, 0)]
    while todo:
        value, holder, key = todo.pop()
        if isinstance(value, dict):
            holder[key] = new = dict(value)
            todo.extend((inner, new, k) for k, inner in value.items() if isinstance(inner, dict | list))
        elif isinstance(value, list) and len(value) > MOST_NUMBERS and _are_numbers(value):
            holder[key] = short(value)
        elif isinstance(value, list) and any(isinstance(x, dict | list) for x in value):
            holder[key] = row = list(value)
            todo.extend((inner, row, k) for k, inner in enumerate(value))
    return out[0]


def _digest(values: list[float]) -> Json:
    return {"sha256": number_digest(values)}


def _are_numbers(values: list[Json]) -> bool:
    return set(map(type, values)) <= {int, float}


def _longest(data: Json) -> int:
    """Length of the longest list of numbers in JSON data."""
    longest, todo = 0, [data]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo.extend(value.values())
        elif isinstance(value, list):
            if _are_numbers(value):
                longest = max(longest, len(value))
            else:
                todo.extend(value)
    return longest


# Reading


def parse_line(line: str) -> Difference | None:
    """Parse a line as a difference with JSON values; None if it is not one.

    >>> parse_line('["base", null, "free"]').after
    'free'
    """
    try:
        data = json.loads(line, parse_int=_whole)
    except (ValueError, RecursionError):
        return None
    good = isinstance(data, list) and len(data) in (3, 4) and isinstance(data[0], str) and data[0]
    if not good or levels(data) > _DEEPEST:
        return None
    path, before, after, *extra = data
    if not extra:
        return Difference(path, "changed", before, after)
    if extra[0] in ("renamed", "moved"):
        names = isinstance(before, list) and isinstance(after, list) and before and after
        return Difference(path, extra[0], before, after) if extra[0] == "renamed" or names else None
    if type(extra[0]) is not int or not 0 <= extra[0] < 1 << 31:
        return None
    return Difference(path, "added" if before is None else "removed", before, after, index=extra[0])


def _whole(text: str) -> int:
    """Parse an integer; ValueError if it exceeds the range of floats."""
    if len(text) > _MOST_DIGITS:
        raise ValueError("too many digits")
    return int(text)


@dataclass(frozen=True, slots=True)
class JsonValues:
    """Differences with values as JSON data; ``revive`` restores the parts that are stored in files."""

    revive: Callable[[Json], Json] = lambda data: data

    def fits(self, value: Any, difference: Difference) -> bool:
        """Whether a value of the robot equals ``before``."""
        return alike(_shortened(value_json(value), _digest), difference.before)

    def after(self, hint: Any, difference: Difference) -> Any:
        """Decode ``after``; ValueError if it has another type or is invalid."""
        findings = Findings()
        try:
            value = decoder(hint)(self.revive(difference.after), "", findings)
        except RecursionError:
            raise ValueError("data nest too deeply") from None
        if findings or not sound(difference.path.rpartition("/")[2], value):
            raise ValueError("not a value of the model")
        return value


def alike(a: Json, b: Json) -> bool:
    """Whether two JSON values are equal, numbers to about 1e-12.

    >>> alike({"x": [0.1 + 0.2]}, {"x": [0.3]}), alike([1], [1, 2])
    (True, False)
    """
    todo = [(a, b)]
    while todo:
        x, y = todo.pop()
        if isinstance(x, dict) and isinstance(y, dict) and x.keys() == y.keys():
            todo += [(x[k], y[k]) for k in x]
        elif isinstance(x, list) and isinstance(y, list) and len(x) == len(y):
            todo += zip(x, y, strict=True)
        elif _is_number(x) and _is_number(y):
            if not close(x, y):
                return False
        elif x != y or isinstance(x, bool) != isinstance(y, bool):
            return False
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
