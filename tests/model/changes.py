"""Every single change that can be made to one field of a robot, from the type hints alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

import numpy as np

from unibody.model.pose import from_axis_angle, multiply
from unibody.model.robot import Robot
from unibody.model.schema import hints, kind, records
from unibody.model.shape import floats, ints
from unibody.text.node import Node, Word

KEYS = {"Coupling": "joint", "Coordinate": "index"}


@dataclass(frozen=True)
class Change:
    """One changed field: where, whether that field names its item, and the robot with the change."""

    path: str
    is_name: bool
    robot: Robot


Rebuild = Callable[[Any], Any]


def key_of(item: Any, index: int) -> str:
    """Path part of an item of a list, worked out apart from the code under test."""
    if isinstance(item, str):
        return item
    if isinstance(item, tuple):
        return "/".join(sorted(item)) if isinstance(item[1], str) else str(item[0])
    cls = type(item)
    required = any(f.name == "name" and f.default is MISSING for f in fields(cls))
    field = KEYS.get(cls.__name__, "name" if required else "")
    return str(getattr(item, field)) if field else str(index)


def of_record(value: Any, path: str, rebuild: Rebuild) -> Iterator[Change]:
    cls: type = value.__class__
    own = KEYS.get(cls.__name__, "" if cls is Robot else "name")
    for name, hint in hints(cls).items():
        sub = f"{path}/{name}" if path else name

        def with_field(new: Any, name: str = name) -> Any:
            return rebuild(replace(value, **{name: new}))

        for change in of_value(getattr(value, name), hint, sub, with_field):
            if name == "format":
                # A leftover of another format is another leftover.
                yield Change(path, True, change.robot)
                continue
            keyed = name == own and change.path == sub and key_of(value, 0) == str(getattr(value, name))
            yield Change(path, True, change.robot) if keyed else change


def of_list(value: tuple[Any, ...], hint: Any, path: str, rebuild: Rebuild) -> Iterator[Change]:
    for index, item in enumerate(value):
        sub = f"{path}/{key_of(item, index)}"

        def with_item(new: Any, index: int = index) -> Any:
            return rebuild((*value[:index], new, *value[index + 1 :]))

        if isinstance(item, tuple):
            yield Change(path, True, with_item((item[0] + "_other", *item[1:])))
            if isinstance(item[1], float):
                yield Change(sub, False, with_item((item[0], item[1] + 0.5)))
        elif isinstance(item, str):
            yield Change(sub, True, with_item(f"{item}_other"))
        else:
            yield from of_value(item, hint, sub, with_item)
        yield Change(sub, False, rebuild((*value[:index], *value[index + 1 :])))


def of_value(value: Any, hint: Any, path: str, rebuild: Rebuild) -> Iterator[Change]:
    what, args = kind(hint)
    if what == "record" or (what == "union" and not isinstance(value, str)):
        yield from of_record(value, path, rebuild)
        others = [c for c in records(args).values() if c is not type(value)] if len(args) > 2 else []
        if others:
            yield Change(path, False, rebuild(plainest(others[0])))
    elif what == "list":
        yield from of_list(value, args[0], path, rebuild)
    elif what == "optional":
        if value is None:
            yield Change(path, False, rebuild(plainest(args[0])))
        else:
            yield from of_value(value, args[0], path, rebuild)
            yield Change(path, False, rebuild(None))
    else:
        yield Change(path, False, rebuild(another(value, what, args, path)))


def another(value: Any, what: str, args: tuple[Any, ...], path: str) -> Any:
    """A value that differs as little as may be noticed."""
    if path.endswith("quat"):
        turn = from_axis_angle((0.48, 0.6, 0.64), 1e-6)
        assert turn is not None
        return multiply(value, turn)
    if what == "row":
        return (another(value[0], *kind(args[0]), path), *value[1:])
    if what in ("floats", "ints"):
        pack = floats if what == "floats" else ints
        return pack([*np.asarray(value)[:-1], value[-1] + 1]) if len(value) else pack([1])
    if what == "choice":
        return args[(args.index(value) + 1) % len(args)]
    if what == "node":
        return Node(value.tag, [*value.items, ("more", Word("x"), -1)], name=value.name)
    if what == "bool":
        return not value
    if what == "float":
        return value + 1e-9 * (1.0 + abs(value)) if math.isfinite(value) else 1.0
    return value + 100 if what == "int" else f"{value}_other"


def plainest(hint: Any) -> Any:
    """Some value of a type hint."""
    what, args = kind(hint)
    if what == "record":
        required = [f.name for f in fields(args[0]) if f.default is f.default_factory is MISSING]
        return args[0](**{name: plainest(hints(args[0])[name]) for name in required})
    if what == "row":
        return tuple(plainest(a) for a in args)
    simple = {"float": 0.5, "int": 1, "bool": True, "str": "x", "floats": (), "ints": (), "list": ()}
    return args[0] if what == "choice" else simple[what]


def changes(robot: Robot) -> Iterator[Change]:
    """Every change of one field, one list item less, one union member for another."""
    yield from of_record(robot, "", lambda new: new)
