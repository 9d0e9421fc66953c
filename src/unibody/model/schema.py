"""Types of the model's fields as the native format sees them, and its JSON Schema."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from unibody.model.device import Spec
from unibody.model.metadata import units
from unibody.model.robot import Robot
from unibody.model.shape import Floats, Geometry, Ints
from unibody.text.node import Node

VERSION = 2
#: The members of unions: in JSON they carry their class name as "type".
TAGGED = frozenset(get_args(Geometry) + get_args(Spec))
_NODE = {
    "description": "Data kept as written: a tag, a name and [key, value] items.",
    "type": "object",
    "properties": {
        "tag": {"type": "string"},
        "name": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "array",
                "prefixItems": [{"type": "string"}, {"$ref": "#/$defs/value"}],
                "minItems": 2,
                "maxItems": 2,
            },
        },
    },
    "required": ["items"],
    "additionalProperties": False,
}
_SHARED: dict[str, Any] = {
    "number": {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf", "nan"]}]},
    "value": {
        "description": "A word, a list of values or a node.",
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"$ref": "#/$defs/value"}},
            {"$ref": "#/$defs/node"},
        ],
    },
    "node": _NODE,
}
_SIMPLE: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "float": {"$ref": "#/$defs/number"},
    "floats": {"type": "array", "items": {"$ref": "#/$defs/number"}},
    "ints": {"type": "array", "items": {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}},
    "node": {"$ref": "#/$defs/node"},
}


@cache
def hints(cls: type) -> dict[str, Any]:
    """Resolved type of every compared field, in order.

    >>> from unibody.model.shape import Sphere
    >>> hints(Sphere)
    {'radius': <class 'float'>}
    """
    resolved = get_type_hints(cls)
    return {f.name: resolved[f.name] for f in fields(cls) if f.compare}


@cache
def kind(hint: Any) -> tuple[str, tuple[Any, ...]]:
    """The kind of a type hint in the native format, and its parts; TypeError if it is unsupported.

    >>> kind(tuple[float, float])
    ('row', (<class 'float'>, <class 'float'>))
    """
    if hint in (str, bool, int, float):
        return hint.__name__, ()
    if hint in (Floats, Ints):
        return ("floats" if hint == Floats else "ints"), ()
    if hint is Node:
        return "node", ()
    if is_dataclass(hint):
        return "record", (hint,)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "choice", args
    if origin is tuple:
        return ("list", args[:1]) if args[-1] is Ellipsis else ("row", args)
    if origin in (Union, UnionType):
        rest = tuple(a for a in args if a is not NoneType)
        return ("optional", (Union[rest],)) if len(rest) < len(args) else ("union", args)  # noqa: UP007
    raise TypeError(f"the native format has no spelling for {hint!r}")


def records(args: tuple[Any, ...]) -> dict[str, type]:
    """The dataclasses of a union by name; if there are several, "type" tells them apart."""
    return {a.__name__: a for a in args if isinstance(a, type) and is_dataclass(a)}


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the native format, for editors and other languages.

    >>> schema()["required"]
    ['unibody', 'name']
    """
    defs = dict(_SHARED)
    _define(Robot, defs, False)
    top = defs.pop("Robot")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "unibody robot",
        **top,
        "properties": {"unibody": {"const": VERSION}, **top["properties"]},
        "required": ["unibody", *top["required"]],
        "$defs": defs,
    }


def _define(cls: type, defs: dict[str, Any], tagged: bool) -> dict[str, Any]:
    name = cls.__name__
    if name not in defs:
        required = [f.name for f in fields(cls) if f.default is f.default_factory is MISSING]
        tag = {"type": {"const": name}} if tagged else {}
        own = units(cls)
        defs[name] = {
            "description": (cls.__doc__ or "").partition("\n")[0],
            "type": "object",
            "properties": tag,
            "required": [*tag, *required],
            "additionalProperties": False,
        }
        defs[name]["properties"] = {
            **tag,
            **{
                k: _of(hint, defs) | ({"description": f"in {own[k]}"} if k in own else {})
                for k, hint in hints(cls).items()
            },
        }
    return {"$ref": f"#/$defs/{name}"}


def _of(hint: Any, defs: dict[str, Any]) -> dict[str, Any]:
    what, args = kind(hint)
    if what == "record":
        return _define(args[0], defs, False)
    if what == "choice":
        return {"enum": list(args)}
    if what == "list":
        return {"type": "array", "items": _of(args[0], defs)}
    if what == "row":
        size = len(args)
        parts = [_of(a, defs) for a in args]
        return {"type": "array", "prefixItems": parts, "minItems": size, "maxItems": size}
    if what == "optional":
        return {"anyOf": [_of(args[0], defs), {"type": "null"}]}
    if what == "union":
        classes = records(args)
        tagged = len(classes) > 1
        plain = [_of(a, defs) for a in args if a not in classes.values()]
        return {"anyOf": plain + [_define(c, defs, tagged) for c in classes.values()]}
    return _SIMPLE[what]
