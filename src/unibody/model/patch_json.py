"""Encodes patches as lines of JSON text, for side-cars.

A line is ``[path, before, after]``; a fourth member is the index of an added or removed item, or the
word "renamed" or "moved". ``path`` is a list if many values change in the same way. Values are written
as in the native format. Lists of more than ``MOST_NUMBERS`` numbers are not written out: ``before`` has
their digest; ``after`` is stored in a file of its own, or the difference is omitted. A whole list of
records, and kept data longer than a digest, have their digest as ``before``, too: the file has them. A kept
node as ``after`` has only what the one before lacks (``patch_nodes``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import field, is_dataclass
from hashlib import sha256
from typing import Any

from unibody.model.equality import close
from unibody.model.facts import Difference, FileName
from unibody.model.json import decoder, number_digest, value_json
from unibody.model.patch_nodes import by_shared_items, with_shared_items
from unibody.model.robot import Extra
from unibody.model.sound import sound
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.json.parser import levels
from unibody.text.node import Node

__all__ = ["MOST_NUMBERS", "JsonValues", "alike", "parse_line", "patch_lines"]

MOST_NUMBERS = 256
# Readers nest groups no deeper.
_DEEPEST = 150
_MOST_DIGITS = 300
# Shorter kept data are written out.
_LONG = 100
# From so many on, fields that change in the same way share a line.
_MANY = 5
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
    lines: list[list[Any]] = []
    same: dict[tuple[str, str], list[list[Any]]] = {}
    for d in differences:
        before = _before(d.before) or _shortened(_json(d.before, geometry), _digest)
        after = _after(d, _shortened(_json(d.after, geometry), numbers))
        extra = [d.kind] if d.kind in ("renamed", "moved") else [] if d.index is None else [d.index]
        if _longest(after) <= MOST_NUMBERS and levels([before, after]) <= _DEEPEST:
            lines.append([d.path, before, after, *extra])
            if not extra:
                key = d.path.rpartition("/")[2], json.dumps([before, after])
                same.setdefault(key, []).append(lines[-1])
    for first, *others in same.values():
        if len(others) + 1 >= _MANY:
            first[0] = [first[0], *(line[0] for line in others)]
            for line in others:
                line.clear()
    return [json.dumps(line) for line in lines if line]


def _before(value: Any) -> Json | None:
    """The digest of a list of records, or of long kept data, whose text reads back exactly; else None."""
    kept = isinstance(value, Extra | Node)
    if not kept and not (isinstance(value, tuple) and value and all(map(is_dataclass, value))):
        return None
    data = value_json(value)
    if kept and levels(data) > _DEEPEST:
        return None
    text = json.dumps(data, sort_keys=True)
    if kept and len(text) <= _LONG:
        return None
    return {"sha256": sha256(text.encode()).hexdigest()}


def _after(difference: Difference, data: Json) -> Json:
    """The data of a kept node by those of a long node before, if that is shorter."""
    before, after = difference.before, difference.after
    if not (isinstance(before, Node) and isinstance(after, Node)):
        return data
    known = value_json(before)
    if levels([known, data]) > _DEEPEST or len(json.dumps(known)) <= _LONG:
        return data
    return min(by_shared_items(data, known), data, key=lambda each: len(json.dumps(each)))


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


def parse_line(line: str) -> list[Difference]:
    """Parse a line as differences with JSON values; none if it holds no differences.

    >>> parse_line('["base", null, "free"]')[0].after
    'free'
    """
    try:
        data = json.loads(line, parse_int=_whole)
    except (ValueError, RecursionError):
        return []
    if not isinstance(data, list) or len(data) not in (3, 4) or levels(data) > _DEEPEST:
        return []
    path, before, after, *extra = data
    paths = path if isinstance(path, list) and not extra else [path]
    if not all(isinstance(one, str) and one for one in paths):
        return []
    if not extra:
        return [Difference(one, "changed", before, after) for one in paths]
    if extra[0] in ("renamed", "moved"):
        names = isinstance(before, list) and isinstance(after, list) and before and after
        return [Difference(path, extra[0], before, after)] if extra[0] == "renamed" or names else []
    if type(extra[0]) is not int or not 0 <= extra[0] < 1 << 31:
        return []
    return [Difference(path, "added" if before is None else "removed", before, after, index=extra[0])]


def _whole(text: str) -> int:
    """Parse an integer; ValueError if it exceeds the range of floats."""
    if len(text) > _MOST_DIGITS:
        raise ValueError("too many digits")
    return int(text)


@dataclass(frozen=True, slots=True)
class JsonValues:
    """Differences with values as JSON data; ``revive`` restores the parts that are stored in files."""

    revive: Callable[[Json], Json] = lambda data: data
    # Digests of values by identity, each computed once, however many differences ask for it.
    _digests: dict[int, tuple[Any, Json | None]] = field(default_factory=dict)

    def fits(self, value: Any, difference: Difference) -> bool:
        """Whether a value of the robot equals ``before``."""
        before = difference.before
        if isinstance(before, dict) and before.keys() == {"sha256"} and (digest := self._digest(value)):
            return bool(digest == before)
        return alike(_shortened(value_json(value), _digest), before)

    def _digest(self, value: Any) -> Json | None:
        if id(value) not in self._digests:
            self._digests[id(value)] = value, _before(value)
        return self._digests[id(value)][1]

    def after(self, hint: Any, difference: Difference, old: Any) -> Any:
        """Decode ``after``, which may refer to items of ``old``; ValueError if it is invalid."""
        findings = Findings()
        data = difference.after
        try:
            if isinstance(old, Node):
                data = with_shared_items(data, value_json(old))
            value = decoder(hint)(self.revive(data), "", findings)
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
