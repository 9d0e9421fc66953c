"""The neutral model as canonical JSON: exact both ways, derived from the dataclasses' type hints.

Fields equal to their default are omitted. Geometries and device specs carry their class
name as "type"; infinities and NaN are the strings "inf", "-inf" and "nan".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np

from unibody.model.robot import Robot
from unibody.model.schema import TAGGED, VERSION, hints, kind, records, schema
from unibody.model.shape import floats, ints
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.json import parser as jsontext
from unibody.text.node import Node, plain, unplain
from unibody.text.source import Source

__all__ = ["brief_json", "decoder", "dumps", "from_json", "loads", "schema", "to_json", "value_json"]

_STRINGS = {math.inf: "inf", -math.inf: "-inf"}
# Longest list of numbers that a brief value shows.
_MOST_NUMBERS = 32
# Most findings reported for one file.
_MAX_FINDINGS = 100
_NUMBERS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}

_Encode = Callable[[Any], Any]
_Decode = Callable[[Any, str, Findings], Any]


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    encode: _Encode
    decode: _Decode
    default: Any
    written: Any
    #: The field's name in version 1 of the format.
    was: str


@cache
def _fields(cls: type) -> tuple[_Field, ...]:
    out = []
    types = hints(cls)
    for f in fields(cls):
        if f.name not in types:
            continue
        encode, decode = _encoder(types[f.name]), decoder(types[f.name])
        default = f.default if f.default_factory is MISSING else f.default_factory()
        written = None if default is MISSING else encode(default)
        out.append(_Field(f.name, encode, decode, default, written, f.metadata.get("was", f.name)))
    return tuple(out)


# Writing


def _encode_float(value: Any) -> Any:
    value = float(value)
    if math.isfinite(value):
        return value
    return _STRINGS.get(value, "nan")


def _encode_floats(value: Any) -> Any:
    return [v if math.isfinite(v) else _encode_float(v) for v in map(float, value)]


def _encode_record(value: Any) -> dict[str, Any]:
    out: dict[str, Any] = {}
    cls: type = value.__class__
    for f in _fields(cls):
        item = getattr(value, f.name)
        if item is f.default:
            continue
        data = f.encode(item)
        # repr distinguishes -0.0 from 0.0.
        if f.default is MISSING or data != f.written or repr(data) != repr(f.written):
            out[f.name] = data
    return out


@cache
def _encoder(hint: Any) -> _Encode:
    what, args = kind(hint)
    if what == "float":
        return _encode_float
    if what == "floats":
        return _encode_floats
    if what == "ints":
        return lambda value: [int(v) for v in value]
    if what == "record":
        return _encode_record
    if what == "node":
        return plain
    if what == "row":
        parts = [_encoder(a) for a in args]
        return lambda value: [e(v) for e, v in zip(parts, value, strict=True)]
    if what == "list":
        each = _encoder(args[0])
        return lambda value: [each(v) for v in value]
    if what == "optional":
        inner = _encoder(args[0])
        return lambda value: None if value is None else inner(value)
    if what == "union":
        tagged = len(records(args)) > 1
        return lambda value: _encode_member(value, tagged)
    return {"int": int, "bool": bool}.get(what, str)


def _encode_member(value: Any, tagged: bool) -> Any:
    if not is_dataclass(value):
        return value
    out = _encode_record(value)
    return {"type": type(value).__name__, **out} if tagged else out


def value_json(value: Any) -> Any:
    """Convert any value of the model (record, name, number, list) to plain JSON data.

    >>> value_json((1.5, math.inf))
    [1.5, 'inf']
    """
    if isinstance(value, float):
        return _encode_float(value)
    if isinstance(value, tuple | np.ndarray):
        return [value_json(v) for v in (value if isinstance(value, tuple) else value.tolist())]
    if isinstance(value, Node):
        return plain(value)
    return _encode_member(value, value.__class__ in TAGGED)


def number_digest(values: Any) -> str:
    """SHA-256 of a list of numbers as little-endian float64, −0.0 as 0.0."""
    numbers = np.asarray(values, np.float64) + 0.0
    return sha256(numbers.astype("<f8").tobytes()).hexdigest()


def brief_json(value: Any) -> Any:
    """Like :func:`value_json`, with lists of more than 32 numbers as their length and SHA-256.

    >>> brief_json((0.0,) * 100)
    {'length': 100, 'sha256': '67042dfda5683aead81b6055d19c4dba238341f9dd82f49c0e7cc0c19c5f10d1'}
    """
    if isinstance(value, tuple | np.ndarray):
        if (
            len(value) > _MOST_NUMBERS
            and not isinstance(value[0], str | tuple)
            and not is_dataclass(value[0])
        ):
            return {"length": len(value), "sha256": number_digest(value)}
        return [brief_json(v) for v in (value if isinstance(value, tuple) else value.tolist())]
    if not is_dataclass(value) or isinstance(value, type):
        return value_json(value)
    out = {"type": type(value).__name__} if value.__class__ in TAGGED else {}
    for f in _fields(value.__class__):
        item = getattr(value, f.name)
        if item is not f.default and (data := brief_json(item)) != f.written:
            out[f.name] = data
    return out


def to_json(robot: Robot) -> dict[str, Any]:
    """Convert a robot to plain JSON data; TextError if groups or vendor data nest too deeply.

    >>> to_json(Robot(name="arm"))
    {'unibody': 2, 'name': 'arm'}
    """
    try:
        return {"unibody": VERSION, **_encode_record(robot)}
    except RecursionError:
        raise jsontext.too_deep("groups or vendor data") from None


def dumps(robot: Robot) -> str:
    """Convert a robot to canonical JSON text; TextError if groups or vendor data nest too deeply.

    >>> print(dumps(Robot(name="arm")), end="")
    {
      "unibody": 2,
      "name": "arm"
    }
    """
    return jsontext.dumps(to_json(robot))


# Reading: an invalid value is reported and becomes None; the robot is then rejected.


def _found(data: Any) -> str:
    if isinstance(data, dict):
        return "an object"
    if isinstance(data, list):
        return f"a list of {len(data)}"
    text = jsontext.scalar(data)
    return text if len(text) <= 40 else text[:40] + "…"


def _wrong(expected: str, data: Any, path: str, findings: Findings) -> None:
    findings.error("json-type", f"{path or 'top level'}: expected {expected}, found {_found(data)}")


def _number(data: Any) -> float | None:
    if isinstance(data, str):
        return _NUMBERS.get(data)
    if isinstance(data, bool) or not isinstance(data, int | float):
        return None
    try:
        value = float(data)
    except OverflowError:
        return None
    # 1e999 overflows; infinity is written "inf".
    return value if math.isfinite(value) else None


def _decode_float(data: Any, path: str, findings: Findings) -> Any:
    value = _number(data)
    if value is None:
        _wrong("a number", data, path, findings)
    return value


def _whole(data: Any) -> int | None:
    if isinstance(data, float) and data.is_integer():
        return int(data)
    return data if isinstance(data, int) and not isinstance(data, bool) else None


def _decode_int(data: Any, path: str, findings: Findings) -> Any:
    value = _whole(data)
    if value is None:
        _wrong("a whole number", data, path, findings)
    return value


def _decode_numbers(pack: Callable[[Any], Any], one: Callable[[Any], Any], what: str) -> _Decode:
    def decode(data: Any, path: str, findings: Findings) -> Any:
        if not isinstance(data, list):
            return _wrong(f"a list of {what}s", data, path, findings)
        values = [one(v) for v in data]
        if None in values:
            at = values.index(None)
            return _wrong(f"a {what}", data[at], f"{path}[{at}]", findings)
        try:
            return pack(values)
        except OverflowError:
            return _wrong(f"{what}s of 64 bits", data, path, findings)

    return decode


def _decode_list(each: _Decode) -> _Decode:
    def decode(data: Any, path: str, findings: Findings) -> Any:
        if not isinstance(data, list):
            return _wrong("a list", data, path, findings)
        return tuple([each(v, f"{path}[{i}]", findings) for i, v in enumerate(data)])

    return decode


def _decode_row(parts: list[_Decode]) -> _Decode:
    def decode(data: Any, path: str, findings: Findings) -> Any:
        if not isinstance(data, list) or len(data) != len(parts):
            return _wrong(f"a list of {len(parts)}", data, path, findings)
        return tuple(
            [d(v, f"{path}[{i}]", findings) for i, (d, v) in enumerate(zip(parts, data, strict=True))]
        )

    return decode


def _decode_exactly(allowed: Callable[[Any], bool], expected: str) -> _Decode:
    def decode(data: Any, path: str, findings: Findings) -> Any:
        return data if allowed(data) else _wrong(expected, data, path, findings)

    return decode


def _decode_node(data: Any, path: str, findings: Findings) -> Any:
    todo = [data]
    good = isinstance(data, dict)
    while good and todo:
        value = todo.pop()
        if isinstance(value, list):
            todo.extend(value)
        elif isinstance(value, dict):
            items = value.get("items")
            good = (
                isinstance(items, list)
                and not isinstance(value, jsontext.Doubled)
                and set(value) <= {"tag", "name", "items"}
                and all(isinstance(value.get(k, ""), str) for k in ("tag", "name"))
                and all(isinstance(i, list) and len(i) == 2 and isinstance(i[0], str) for i in items)
            )
            todo.extend([i[1] for i in items] if good else [])  # type: ignore[union-attr]
        else:
            good = isinstance(value, str)
    return unplain(data) if good else _wrong('a node ("tag", "items")', data, path, findings)


def _decode_union(args: tuple[Any, ...]) -> _Decode:
    classes = records(args)
    expected = " or ".join(classes)

    def decode(data: Any, path: str, findings: Findings) -> Any:
        if str in args and isinstance(data, str):
            return data
        if len(classes) == 1:
            return _decode_record(next(iter(classes.values())), data, path, findings)
        name = data.get("type") if isinstance(data, dict) else None
        if not isinstance(name, str) or name not in classes:
            at = f"{path}.type" if isinstance(data, dict) else path
            return _wrong(expected, name if isinstance(data, dict) else data, at, findings)
        return _decode_record(classes[name], data, path, findings, "type")

    return decode


def _decode_record(cls: type, data: Any, path: str, findings: Findings, tag: str = "") -> Any:
    if not isinstance(data, dict):
        return _wrong("an object", data, path, findings)
    if isinstance(data, jsontext.Doubled):
        findings.error("json-duplicate", f"{_join(path, data.twice)}: duplicate key")
    values, missing, known = {}, False, {tag}
    for f in _fields(cls):
        key = f.name if f.name in data else f.was
        known.add(key)
        if key in data:
            values[f.name] = f.decode(data[key], _join(path, key), findings)
        elif f.default is MISSING:
            missing = True
            findings.error("json-missing", f"{_join(path, f.name)}: missing, and {cls.__name__} needs it")
    for key in data:
        if key not in known:
            _unknown(_join(path, key), key, list(hints(cls)), findings)
    return None if missing else cls(**values)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _unknown(path: str, key: str, known: list[str], findings: Findings) -> None:
    from unibody.text.near import did_you_mean, near

    alike = near(key, known)
    findings.error("json-unknown", f"{path}: unknown field", hint=did_you_mean(alike), suggestion=alike)


@cache
def decoder(hint: Any) -> _Decode:
    """Return the decoder of a type hint: a function of JSON data, a path for messages, and findings."""
    what, args = kind(hint)
    if what == "floats":
        return _decode_numbers(floats, _number, "number")
    if what == "ints":
        return _decode_numbers(ints, _whole, "whole number")
    if what == "record":
        return lambda data, path, findings: _decode_record(args[0], data, path, findings)
    if what == "row":
        return _decode_row([decoder(a) for a in args])
    if what == "list":
        return _decode_list(decoder(args[0]))
    if what == "union":
        return _decode_union(args)
    if what == "optional":
        inner = decoder(args[0])
        return lambda data, path, findings: None if data is None else inner(data, path, findings)
    if what == "choice":
        return _decode_exactly(lambda v: isinstance(v, str) and v in args, "one of " + ", ".join(args))
    if what == "bool":
        return _decode_exactly(lambda v: isinstance(v, bool), "true or false")
    if what == "str":
        return _decode_exactly(lambda v: isinstance(v, str), "a string")
    return {"float": _decode_float, "int": _decode_int, "node": _decode_node}[what]


def from_json(data: Any, findings: Findings) -> Robot | None:
    """Build a robot from JSON data; None, with findings that state JSON paths, if it is invalid.

    >>> from_json({"unibody": 2, "name": "arm"}, Findings()) == Robot(name="arm")
    True
    """
    mine = Findings()
    if isinstance(data, dict) and not _version_read(data.get("unibody"), mine):
        findings.extend(mine)
        return None
    try:
        robot = _decode_record(Robot, data, "", mine, "unibody")
    except RecursionError:
        mine.append(jsontext.too_deep("groups or vendor data").finding)
        robot = None
    findings.extend(mine[:_MAX_FINDINGS])
    return robot if not mine and isinstance(robot, Robot) else None


def _version_read(version: Any, findings: Findings) -> bool:
    if version in (1, VERSION) and not isinstance(version, bool):
        return True
    newer = isinstance(version, int) and version > VERSION
    hint = (
        "a newer unibody wrote this file"
        if newer
        else f'a native model has "unibody": {VERSION} at its top level'
    )
    findings.error("json-version", f"unibody: expected {VERSION}, found {_found(version)}", hint=hint)
    return False


def loads(text: str, name: str, findings: Findings) -> Robot | None:
    """Parse a robot from JSON text; ``name`` is the file name in findings.

    >>> loads('{"unibody": 2, "name": "arm"}', "arm.json", Findings()).name
    'arm'
    """
    good, data = jsontext.loads(Source(name, text), findings)
    return from_json(data, findings) if good else None
