"""What a target cannot say, carried beside it: entries of a path, the plain value and the true one.

An entry is applied only while the plain reading still gives its plain value, so that an edit made
elsewhere wins. Paths are those of ``facts``; values are written as in the native format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from unibody.model.changes.digest import are_numbers, shortened
from unibody.model.changes.sound import sound
from unibody.model.equality import Digest, close, last_part, same, same_file, same_rotation
from unibody.model.json import decoder, value_json
from unibody.model.robot import Robot
from unibody.model.schema import hints, kind
from unibody.model.traverse import field_lists, items, join, key_field, ordered
from unibody.text.finding import Findings
from unibody.text.json.parser import levels

#: Lists of more numbers than this are no description but data: they are carried in files, or not at all.
MOST_NUMBERS = 256
# Groups nest so deep at most (see the readers).
_DEEPEST = 150
_MOST_DIGITS = 300
_ABSENT: Any = None
Json = Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One value that the target cannot say; ``plain`` and ``true`` are JSON data, None where nothing is.

    The path of a list of names holds their order; that of one item in a list, the whole item.
    """

    path: str
    plain: Json
    true: Json

    def line(self) -> str:
        """The entry as one line of ASCII text.

        >>> Entry("base", None, "free").line()
        '["base", null, "free"]'
        """
        return json.dumps([self.path, self.plain, self.true])


def parsed(line: str) -> Entry | None:
    """The entry of a line; None when it is none.

    >>> parsed('["base", null, "free"]')
    Entry(path='base', plain=None, true='free')
    """
    try:
        data = json.loads(line, parse_int=_whole)
    except (ValueError, RecursionError):
        return None
    good = isinstance(data, list) and len(data) == 3 and isinstance(data[0], str) and data[0]
    return Entry(*data) if good and levels(data) <= _DEEPEST else None


def _whole(text: str) -> int:
    """A whole number that is one of the model's, too; ValueError for one that no float holds."""
    if len(text) > _MOST_DIGITS:
        raise ValueError("too many digits")
    return int(text)


# Making


@dataclass(frozen=True, slots=True)
class Rules:
    """How entries are made: the digest of a file, and how geometries and long lists are said by files."""

    digest: Digest
    geometry: Callable[[Any], Json | None] = lambda _: None
    numbers: Callable[[list[float]], Json] = lambda values: values


def entries(true: Robot, plain: Robot, rules: Rules) -> list[Entry]:
    """All that differs in two robots, less what is too long to be carried, or nests too deeply."""
    made = _records(true, plain, "", rules)
    return [entry for entry in made if levels([entry.plain, entry.true]) <= _DEEPEST]


def _records(x: Any, y: Any, path: str, rules: Rules, skip: str | None = None) -> Iterator[Entry]:
    # The other fields of a reference to a file; the name itself when another file is meant.
    for name, is_list in field_lists(x.__class__):
        if name == skip:
            continue
        a, b, at = getattr(x, name), getattr(y, name), join(path, name)
        if name == "uri":
            if not same_file(x, y, rules.digest) or last_part(a) != last_part(b):
                yield Entry(at, b, a)
        elif a is b:
            continue
        elif is_list:
            yield from _lists(a, b, at, rules)
        else:
            yield from _values(a, b, at, name, rules)


def _values(a: Any, b: Any, at: str, name: str, rules: Rules) -> Iterator[Entry]:
    if is_dataclass(a) and a.__class__ is b.__class__:
        if rules.geometry(a) is None:
            yield from _records(a, b, at, rules)
            return
    elif same_rotation(a, b) if name == "quat" else same(a, b):
        return
    yield from _entry(at, b, a, rules)


def _lists(a: tuple[Any, ...], b: tuple[Any, ...], at: str, rules: Rules) -> Iterator[Entry]:
    named_a, left = items(a)
    named_b, right = items(b)
    if (a and not named_a) or (b and not named_b):
        yield from _nameless(a, b, at, rules)
        return
    if not ordered(a) or not ordered(b) or any(isinstance(v, str) for v in (*a, *b)):
        unlike = left != right if ordered(a) and ordered(b) else _pairs(a) != _pairs(b)
        if unlike:
            yield from _entry(at, b, a, rules)
        return
    for key, item in left.items():
        here = join(at, key)
        if key not in right:
            yield from _entry(here, _ABSENT, item, rules)
        elif is_dataclass(item) and item.__class__ is right[key].__class__ and _is_flat(item):
            yield from _records(item, right[key], here, rules, key_field(item.__class__))
        elif not same(item, right[key]):
            yield from _entry(here, right[key], item, rules)
    for key, item in right.items():
        if key not in left:
            yield from _entry(join(at, key), item, _ABSENT, rules)
    if list(left) != list(right):
        yield Entry(at, list(right), list(left))


def _is_flat(item: Any) -> bool:
    """Whether an item holds no list of mixed names and items (a group does)."""
    return not any(name == "members" for name, _ in field_lists(item.__class__))


def _pairs(values: tuple[Any, ...]) -> list[Any]:
    return sorted(values, key=repr)


def _nameless(a: tuple[Any, ...], b: tuple[Any, ...], at: str, rules: Rules) -> Iterator[Entry]:
    """Shapes and their like: one by one where there are as many, else the whole list."""
    if len(a) == len(b) and all(x.__class__ is y.__class__ for x, y in zip(a, b, strict=True)):
        for k, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from _values(x, y, f"{at}/{k}", "", rules)
    else:
        yield from _entry(at, b, a, rules)


def _entry(at: str, plain: Any, true: Any, rules: Rules) -> Iterator[Entry]:
    """The entry for a whole value; none where it would hold long lists."""
    whole = shortened(encoded(true, rules), MOST_NUMBERS, rules.numbers)
    made = Entry(at, shortened(encoded(plain, rules), MOST_NUMBERS), whole)
    if _longest(made.true) <= MOST_NUMBERS:
        yield made


def encoded(value: Any, rules: Rules) -> Json:
    """JSON data of a value; geometries that stand in a file of their own as that file."""
    if isinstance(value, tuple) and any(map(is_dataclass, value)):
        return [encoded(v, rules) for v in value]
    data = value_json(value)
    if isinstance(data, dict) and is_dataclass(value):
        if (own := rules.geometry(value)) is not None:
            return own
        inner = getattr(value, "geometry", None)
        if inner is not None and (written := rules.geometry(inner)) is not None:
            data["geometry"] = written
        for name in ("visuals", "collisions", "collisions_alt"):
            if name in data:
                data[name] = encoded(getattr(value, name), rules)
    return data


def _longest(data: Json) -> int:
    """How many numbers the longest list in some JSON data has."""
    longest, todo = 0, [data]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo.extend(value.values())
        elif isinstance(value, list):
            if are_numbers(value):
                longest = max(longest, len(value))
            else:
                todo.extend(value)
    return longest


# Applying


@dataclass(slots=True)
class _Change:
    """What is to be done below one place: entries there, and changes further down by path part."""

    entry: Entry | None = None
    inner: dict[str, _Change] | None = None


@dataclass(slots=True)
class Outcome:
    """A robot with entries applied, and those that were not."""

    robot: Robot
    stale: list[Entry]


def applied(
    robot: Robot, carried: list[Entry], revive: Callable[[Json], Json] = lambda data: data
) -> Outcome:
    """The robot with the true values of all entries whose plain value it still has.

    ``revive`` is what JSON data of a value go through before they are read.
    """
    top = _Change()
    for entry in carried:
        at = top
        for name in entry.path.split("/"):
            at.inner = at.inner or {}
            at = at.inner.setdefault(name, _Change())
        at.entry = entry
    work = _Applying(revive)
    made = work.record(robot, top)
    return Outcome(made, work.stale)


def decoded(hint: Any, data: Json, findings: Findings) -> Any:
    """The value of a type hint that JSON data stand for; what is wrong with them becomes a finding."""
    try:
        return decoder(hint)(data, "", findings)
    except RecursionError:
        findings.error("json-depth", "data nest too deeply")
        return None


class _Applying:
    """The walk that applies entries; it notes those that do not fit."""

    def __init__(self, revive: Callable[[Json], Json]) -> None:
        self.revive = revive
        self.stale: list[Entry] = []

    def give_up(self, change: _Change) -> None:
        """Everything at and below a place is stale."""
        todo = [change]
        while todo:
            one = todo.pop()
            if one.entry is not None:
                self.stale.append(one.entry)
            todo.extend((one.inner or {}).values())

    def record(self, value: Any, change: _Change) -> Any:
        """A record with changes of its fields."""
        changed: dict[str, Any] = {}
        known = dict(field_lists(value.__class__)) if is_dataclass(value) else {}
        for name, inner in (change.inner or {}).items():
            if name not in known:
                self.give_up(inner)
                continue
            old = getattr(value, name)
            hint = hints(value.__class__)[name]
            new = self.items_of(old, hint, inner) if known[name] else self.value(old, hint, inner)
            if new is not old:
                changed[name] = new
        if "uri" in changed:
            # where the other file is has to be looked for
            changed["path"] = ""
        return replace(value, **changed) if changed else value

    def value(self, old: Any, hint: Any, change: _Change) -> Any:
        """A value: put in place as a whole, or changed further down."""
        if change.entry is not None:
            return self.whole(old, hint, change.entry)
        return self.record(old, change) if is_dataclass(old) else self._no(old, change)

    def _no(self, old: Any, change: _Change) -> Any:
        self.give_up(change)
        return old

    def whole(self, old: Any, hint: Any, entry: Entry) -> Any:
        """The true value when the plain one is still there, else the old one."""
        findings = Findings()
        if _has(old, entry.plain):
            new = decoded(hint, self.revive(entry.true), findings)
            if not findings and sound(entry.path.rpartition("/")[2], new):
                return new
        self.stale.append(entry)
        return old

    def items_of(self, old: tuple[Any, ...], hint: Any, change: _Change) -> Any:
        """A list: as a whole, item by item, and then its order."""
        each = kind(hint)[1][0]
        if not (isinstance(each, type) and is_dataclass(each)):
            return self.value(old, hint, change)
        named, parts = items(old)
        by_item = bool(change.inner) or (
            named
            and key_field_of(each) is not None
            and isinstance(change.entry and change.entry.plain, list)
        )
        if not by_item:
            return self.value(old, hint, change)
        before = list(parts)
        for key, inner in (change.inner or {}).items():
            self._item(parts, key, each, inner)
        values = list(parts.values())
        if change.entry is not None:
            values = self._in_order(parts, before, change.entry)
        return tuple(values)

    def _item(self, parts: dict[str, Any], key: str, each: Any, change: _Change) -> None:
        entry = change.entry
        if entry is None:
            if key in parts:
                parts[key] = self.record(parts[key], change)
            else:
                self.give_up(change)
        elif entry.plain is None and key not in parts:
            findings = Findings()
            new = decoded(each, self.revive(entry.true), findings)
            if findings or new is None or not sound(key, new):
                self.stale.append(entry)
            else:
                parts[key] = new
        elif entry.true is None and key in parts and _has(parts[key], entry.plain):
            del parts[key]
        elif key in parts:
            parts[key] = self.whole(parts[key], each, entry)
        else:
            self.stale.append(entry)

    def _in_order(self, parts: dict[str, Any], before: list[str], entry: Entry) -> list[Any]:
        """The items in their true order; where others were added or left out, as near as that goes."""
        if not isinstance(entry.true, list) or before != entry.plain:
            self.stale.append(entry)
            return list(parts.values())
        place = {name: k for k, name in enumerate(entry.true) if isinstance(name, str)}
        return [parts[name] for name in sorted(parts, key=lambda name: place.get(name, len(place)))]


def _has(value: Any, plain: Json) -> bool:
    """Whether a value is what an entry takes for the plain one."""
    return alike(shortened(value_json(value), MOST_NUMBERS), plain)


def key_field_of(cls: Any) -> str | None:
    """The field that names the items of a list of this type; None where they have no names."""
    return key_field(cls) if isinstance(cls, type) and is_dataclass(cls) else None


def alike(a: Json, b: Json) -> bool:
    """Whether two JSON values say the same, numbers to about 1e-12.

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


__all__ = ["Entry", "Outcome", "Rules", "alike", "applied", "encoded", "entries", "parsed"]
