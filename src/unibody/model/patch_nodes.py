"""Encodes a changed node of kept data by what it shares with the node before, for side-cars.

The JSON data of a node have a list of items, [key, value] each. In the encoded data, the word "i:j" stands
for the items i to j - 1 of the node before, and [key, {"of": i, …}] for a node that is encoded by the value
of its item i. Each item is used once, so that the decoded data are no larger than both together.
"""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["by_shared_items", "with_shared_items"]

Json = Any

_RUN = re.compile(r"(\d{1,9}):(\d{1,9})", re.ASCII)


def by_shared_items(after: Json, before: Json) -> Json:
    """Encode the JSON data of a node by those of another one.

    >>> by_shared_items({"items": [["a", "1"], ["b", "2"]]}, {"items": [["a", "1"]]})
    {'items': ['0:1', ['b', '2']]}
    """
    if not _is_node(after) or not _is_node(before):
        return after
    free: dict[str, list[int]] = {}
    of_key: dict[str, list[int]] = {}
    for index, item in reversed(list(enumerate(before["items"]))):
        free.setdefault(json.dumps(item), []).append(index)
        of_key.setdefault(item[0], []).append(index)
    used: set[int] = set()
    out: list[Json] = []
    for item in after["items"]:
        same = free.get(json.dumps(item))
        if same:
            used.add(index := same.pop())
            if out and isinstance(out[-1], str) and out[-1].endswith(f":{index}"):
                out[-1] = f"{out[-1].partition(':')[0]}:{index + 1}"
            else:
                out.append(f"{index}:{index + 1}")
        else:
            out.append(item)
    for place, item in enumerate(out):
        if isinstance(item, list) and _is_node(item[1]):
            near = of_key.get(item[0], [])
            while near and (near[-1] in used or not _is_node(before["items"][near[-1]][1])):
                near.pop()
            if near:
                used.add(index := near[-1])
                inner = by_shared_items(item[1], before["items"][index][1])
                out[place] = [item[0], {"of": index, **inner}]
    return {**after, "items": out}


def with_shared_items(data: Json, before: Json) -> Json:
    """Decode the JSON data of a node; ValueError if they refer to no item, or to one twice.

    >>> with_shared_items({"items": ["0:1", ["b", "2"]]}, {"items": [["a", "1"]]})
    {'items': [['a', '1'], ['b', '2']]}
    """
    if not _is_node(data) or not _is_node(before):
        return data
    known: list[Json] = before["items"]
    used: set[int] = set()

    def take(begin: int, end: int) -> list[Json]:
        indices = range(begin, end)
        if end > len(known) or not indices or not used.isdisjoint(indices):
            raise ValueError("no such items")
        used.update(indices)
        return known[begin:end]

    out: list[Json] = []
    for item in data["items"]:
        if isinstance(item, str):
            run = _RUN.fullmatch(item)
            if run is None:
                raise ValueError("not a range of items")
            out += take(int(run[1]), int(run[2]))
        elif isinstance(item, list) and len(item) == 2 and isinstance(item[1], dict) and "of" in item[1]:
            inner = dict(item[1])
            index = inner.pop("of")
            if type(index) is not int or index < 0:
                raise ValueError("not an item")
            ((_, value),) = take(index, index + 1)
            out.append([item[0], with_shared_items(inner, value)])
        else:
            out.append(item)
    return {**data, "items": out}


def _is_node(data: Json) -> bool:
    return isinstance(data, dict) and isinstance(data.get("items"), list)
