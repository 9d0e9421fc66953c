"""Traversal of a robot: fields, lists, paths, names of items and references to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, replace
from functools import cache
from typing import Any

import numpy as np

from unibody.model.base import WORLD
from unibody.model.robot import Coordinate, Coupling, Group, Joint, Robot
from unibody.model.schema import TAGGED, hints, kind
from unibody.text.node import Node, words


def links_below(roots: Iterable[str], joints: Iterable[Joint]) -> set[str]:
    """The links ``roots`` and all that ``joints`` join to them, directly or through others."""
    children: dict[str, list[str]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint.child)
    found: set[str] = set()
    todo = list(roots)
    while todo:
        link = todo.pop()
        if link not in found:
            found.add(link)
            todo += children.get(link, ())
    return found


def all_groups(robot: Robot) -> Iterator[Group]:
    """The groups of a robot, and those inside them."""
    todo = list(robot.groups)
    while todo:
        group = todo.pop()
        yield group
        todo += [member for member in group.members if isinstance(member, Group)]


@cache
def fields_with(key: str) -> dict[str, Any]:
    """Metadata ``key`` by field name, of all fields of the model that declare it.

    "refers" are the fields that hold names of links or joints, alone or in lists, with the robot's list of
    these; "infinite" those whose numbers may be infinite.
    """
    found: dict[str, Any] = {}
    todo: list[Any] = [Robot]
    seen: set[Any] = set()
    while todo:
        hint = todo.pop()
        if hint in seen:
            continue
        seen.add(hint)
        what, args = kind(hint)
        if what != "record":
            todo += [a for a in args if not isinstance(a, str) and a is not Ellipsis]
            continue
        found |= {f.name: f.metadata[key] for f in fields(args[0]) if key in f.metadata}
        todo += hints(args[0]).values()
    return found


_KEYS: dict[type, str] = {Coupling: "joint", Coordinate: "index"}


def part(name: object) -> str:
    """Escape a name as one part of a path: "~" and "/" become ~0 and ~1, as in JSON Pointer."""
    return str(name).replace("~", "~0").replace("/", "~1")


def path_of(kind: str, name: object, *fields: str) -> str:
    """The path of a named item of a list of the robot, or of a field of that item.

    >>> path_of("joints", "KNEE", "limits", "position")
    'joints/KNEE/limits/position'
    """
    return "/".join((kind, part(name), *fields))


def unpart(text: str) -> str:
    """Unescape one part of a path.

    >>> unpart(part("a/b~"))
    'a/b~'
    """
    return text.replace("~1", "/").replace("~0", "~")


def join(path: str, name: str) -> str:
    """Append a part to a path, which may be empty."""
    return f"{path}/{name}" if path else name


def of_link(path: str) -> str:
    """A path of facts, with that of a part of the surroundings as if they were a link.

    >>> of_link("surroundings/visuals/0/pose"), of_link("links/arm/visuals/0/pose")
    ('links/world/visuals/0/pose', 'links/arm/visuals/0/pose')
    """
    first, _, rest = path.partition("/")
    return f"links/{WORLD}/{rest}" if first == "surroundings" and rest else path


@cache
def field_lists(cls: type) -> tuple[tuple[str, bool], ...]:
    """Every compared field, and whether it is a list of items (lists of numbers are not)."""
    out = []
    for name, hint in hints(cls).items():
        what, args = kind(hint)
        out.append((name, what == "list" and kind(args[0])[0] != "float"))
    return tuple(out)


@cache
def key_field(cls: type) -> str | None:
    """The field that identifies an item in its list; None for shapes, drives and extras.

    >>> key_field(Coupling)
    'joint'
    """
    named = any(f.name == "name" and f.default is MISSING for f in fields(cls))
    return _KEYS.get(cls, "name" if named else None)


@cache
def named_lists() -> tuple[str, ...]:
    """The robot's lists of items that declare a name, links and joints first."""
    out = []
    for name, hint in hints(Robot).items():
        what, args = kind(hint)
        key = key_field(args[0]) if what == "list" else None
        if key and key not in fields_with("refers"):
            out.append(name)
    return tuple(out)


def is_record(value: object) -> bool:
    """Whether a value is one of the model's dataclasses."""
    return hasattr(value.__class__, "__dataclass_fields__")


def _key(item: Any) -> tuple[str | None, Any]:
    if isinstance(item, str):
        return part(item), item
    if isinstance(item, tuple):
        first, second = item
        # A pair of links is unordered.
        return (
            ("/".join(sorted(map(part, item))), True) if isinstance(second, str) else (part(first), second)
        )
    field = key_field(item.__class__)
    return (part(getattr(item, field)) if field else None), item


def items(values: tuple[Any, ...]) -> tuple[bool, dict[str, Any]]:
    """Whether the items of a list have names, and the items by path part (name or index).

    Repeated names get the suffixes "#2", "#3", ….
    """
    out: dict[str, Any] = {}
    count: dict[str, int] = {}
    named = True
    for index, value in enumerate(values):
        key, item = _key(value)
        if key is None:
            named, key = False, str(index)
        name = key
        while name in out:
            count[key] = count.get(key, 1) + 1
            name = f"{key}#{count[key]}"
        out[name] = item
    return named, out


def ordered(values: tuple[Any, ...]) -> bool:
    """Whether the order of a list matters; it does not for lists of pairs."""
    return not any(isinstance(v, tuple) for v in values)


def leaves(value: Any, path: str = "", skip: frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:
    """Path and value of every leaf in ``value``; ``skip`` names fields of ``value`` itself to omit."""
    if not is_record(value):
        yield path, value
        return
    cls: type = value.__class__
    if cls in TAGGED:
        yield path, cls.__name__
    for name, is_list in field_lists(cls):
        if name in skip:
            continue
        found = getattr(value, name)
        if is_list:
            yield from _list_leaves(found, join(path, name))
        else:
            yield from leaves(found, join(path, name))


def _list_leaves(values: tuple[Any, ...], path: str) -> Iterator[tuple[str, Any]]:
    named, parts = items(values)
    if named and ordered(values):
        yield path, tuple(parts)
    for key, item in parts.items():
        # Plain names are already in the tuple above.
        if not isinstance(item, str):
            own = key_field(item.__class__) if is_record(item) else None
            yield from leaves(item, f"{path}/{key}", frozenset([own] if own else []))


def fingerprint(item: Any, skip: frozenset[str]) -> frozenset[tuple[str, Any]]:
    """The facts of an item, numbers rounded to about seven digits: a key to find equal items by."""
    return frozenset((path, _rough(value, path)) for path, value in leaves(item, "", skip))


def _rough(value: Any, path: str) -> Any:
    if isinstance(value, float):
        return f"{value + 0.0:.7g}"
    if isinstance(value, str | int | bool | None):
        return value
    if isinstance(value, np.ndarray) or (isinstance(value, tuple) and not _has_text(value)):
        with np.errstate(over="ignore"):
            numbers = np.asarray(value, dtype=np.float64).astype(np.float32) + np.float32(0.0)
        return (np.abs(numbers) if path.endswith("quat") else numbers).tobytes()
    return words(value) if isinstance(value, Node) else repr(value)


def _has_text(value: tuple[Any, ...]) -> bool:
    return any(isinstance(v, str) for v in value)


def renamed(robot: Robot, list_name: str, names: dict[Any, Any]) -> Robot:
    """Rename items of one list and every reference to them."""
    out: Robot = _renamed(robot, "", list_name, names)
    key = key_field(getattr(robot, list_name)[0].__class__)
    assert key is not None
    own = tuple(
        replace(item, **{key: names[old]}) if (old := getattr(item, key)) in names else item
        for item in getattr(out, list_name)
    )
    return replace(out, **{list_name: own})  # type: ignore[arg-type]


def _renamed(value: Any, field: str, list_name: str, names: dict[Any, Any]) -> Any:
    if isinstance(value, str):
        if field == "owner":
            return _new_owner(value, list_name, names)
        return names.get(value, value) if fields_with("refers").get(field) == list_name else value
    if isinstance(value, tuple):
        new = tuple([_renamed(v, field, list_name, names) for v in value])
        return value if all(a is b for a, b in zip(value, new, strict=True)) else new
    if not is_record(value):
        return value
    changed = {}
    for name, _ in field_lists(value.__class__):
        old = getattr(value, name)
        if (fresh := _renamed(old, name, list_name, names)) is not old:
            changed[name] = fresh
    return replace(value, **changed) if changed else value


def _new_owner(owner: str, list_name: str, names: dict[Any, Any]) -> str:
    parts = owner.split("/")
    if len(parts) < 2 or parts[0] != list_name:
        return owner
    old = unpart(parts[1])
    new = names.get(old, names.get(_index(old)))
    return owner if new is None else "/".join([parts[0], part(new), *parts[2:]])


def _index(text: str) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else None
