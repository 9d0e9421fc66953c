"""Mutators of JSON, alone or in a GLB file: delete, retype and graft values."""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Sequence
from random import Random
from typing import Any

from fuzz.dictionary import TEXTS

KINDS = ("gltf", "glb", "native", "motion-json")

_ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 255, 5126, 1e308, -1e308, 1e-320, 2**31, 2**32, 2**53, 2**63,
    2**70, 10**400, 0.5, float("nan"), float("inf"), "", "nan", "inf", "-inf", "1", [], {}, [0], [[]],
    [1, 2, 3], [0, 0, 0], [1, 0, 0, 0], [None] * 3, {"type": "Box", "size": [1, 1, 1]}, {"type": "Nothing"},
    {"": {}},
)  # fmt: skip


def mutate(rng: Random, data: bytes, others: Sequence[bytes]) -> tuple[str, bytes] | None:
    """The name of the mutation, and the new file; None if the file has no JSON."""
    is_glb = data[:4] == b"glTF"
    try:
        text, rest = _split(data) if is_glb else (data, b"")
        root = [json.loads(text)]
        other = [json.loads(_split(o)[0] if o[:4] == b"glTF" else o) for o in [rng.choice(others)]]
    except (ValueError, struct.error, RecursionError):
        return None
    name = "json"
    try:
        for _k in range(rng.choice((1, 1, 2, 4))):
            name = _change(rng, root, other)
        out = json.dumps(root[0], ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return None
    return name, _joined(out, rest) if is_glb else out


def _split(data: bytes) -> tuple[bytes, bytes]:
    (length,) = struct.unpack_from("<I", data, 12)
    return data[20 : 20 + length], data[20 + length :]


def _joined(text: bytes, rest: bytes) -> bytes:
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text + rest
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def _places(root: Any) -> list[tuple[Any, Any]]:
    out: list[tuple[Any, Any]] = []
    todo = [root]
    while todo:
        v = todo.pop()
        keys = list(v) if isinstance(v, dict) else range(len(v))
        out += [(v, k) for k in keys]
        todo += [v[k] for k in keys if isinstance(v[k], dict | list)]
    return out


def _change(rng: Random, root: list[Any], other: list[Any]) -> str:
    holder, key = rng.choice(_places(root))
    way = rng.randrange(7)
    if way == 0 and holder is not root:
        del holder[key]
        return "delete item"
    if way == 1:
        donor, k = rng.choice(_places(other))
        holder[key] = copy.deepcopy(donor[k])
        return "graft"
    if way == 2 and isinstance(holder, list) and holder is not root:
        holder[key:key] = [copy.deepcopy(holder[key]) for _ in range(rng.choice((1, 3, 60)))]
        return "double item"
    if way == 3 and isinstance(holder, dict):
        names = [k for h, k in _places(root) if isinstance(h, dict)]
        holder[rng.choice(names)] = copy.deepcopy(holder[key])
        return "rename key"
    if way == 4:
        value = holder[key]
        for _k in range(rng.choice((1, 5, 300))):
            value = [value] if rng.random() < 0.5 else {"children": value}
        holder[key] = value
        return "bury"
    if way == 5 and isinstance(holder[key], int | float):
        holder[key] = rng.choice((holder[key] + 1, holder[key] - 1, -holder[key], holder[key] * 1000))
        return "odd number"
    holder[key] = copy.deepcopy(rng.choice((rng.choice(_ODD), rng.choice(TEXTS))))
    return "retype value"
