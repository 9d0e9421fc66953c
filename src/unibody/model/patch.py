"""Applies differences to a robot: ``patch(a, diff(a, b))`` gives b.

A difference is applied only if the robot has the value ``before``; otherwise it is stale.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import field, fields, replace
from itertools import groupby
from typing import Any, Protocol

from unibody.model.equality import same, same_rotation
from unibody.model.facts import Difference, FileName, same_record
from unibody.model.robot import Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.schema import hints, kind
from unibody.model.traverse import (
    field_lists,
    is_record,
    items,
    key_field,
    named_lists,
    part,
    renamed,
    unpart,
)
from unibody.text.dataclass import dataclass

__all__ = ["PatchError", "Patched", "Values", "apply", "patch"]

_REPEATED = re.compile(r"#\d+\Z")


class PatchError(ValueError):
    """Raised if differences do not fit the robot; ``stale`` holds them."""

    def __init__(self, stale: list[Difference]) -> None:
        paths = ", ".join(d.path for d in stale[:5])
        super().__init__(f"{len(stale)} differences do not fit the robot: {paths}")
        self.stale = stale


@dataclass(frozen=True, slots=True)
class Patched:
    """A robot with differences applied, and the differences that did not fit."""

    robot: Robot
    stale: list[Difference]


class Values(Protocol):
    """Representation of the two values of a difference."""

    def fits(self, value: Any, difference: Difference) -> bool:
        """Whether a value of the robot equals ``before``."""

    def after(self, hint: Any, difference: Difference, old: Any) -> Any:
        """Convert ``after`` to a type of the model, replacing ``old``; ValueError if it is invalid."""


class _ModelValues:
    """Differences with values of the model, as returned by ``diff``."""

    def fits(self, value: Any, difference: Difference) -> bool:
        before = difference.before
        if isinstance(before, FileName):
            return bool(value == before.uri)
        if is_record(value):
            return same_record(value, before)
        if difference.unit == "quat":
            return same_rotation(value, before)
        return same(value, before)

    def after(self, hint: Any, difference: Difference, old: Any) -> Any:
        return difference.after


def patch(robot: Robot | Scene, differences: Iterable[Difference]) -> Robot:
    """Apply differences to a robot; PatchError if one does not fit.

    >>> from unibody.model.facts import diff
    >>> from unibody.model.robot import Link
    >>> old = Robot(name="arm", links=(Link(name="hand"),))
    >>> new = Robot(name="arm", links=(Link(name="palm"), Link(name="finger")))
    >>> patch(old, diff(old, new)) == new
    True
    """
    patched = apply(as_robot(robot), differences, _ModelValues())
    if patched.stale:
        raise PatchError(patched.stale)
    return patched.robot


def apply(robot: Robot, differences: Iterable[Difference], values: Values) -> Patched:
    """Apply all differences that fit the robot, and collect the others."""
    work = _Patching(values)
    top = _Node()
    renames: list[Difference] = []
    others: list[Difference] = []
    for difference in differences:
        (renames if difference.kind == "renamed" else others).append(difference)
    for name, group in groupby(renames, lambda d: d.path.partition("/")[0]):
        robot = work.renamed(robot, name, list(group))
    for difference in others:
        node = top
        for name in difference.path.split("/"):
            node = node.inner.setdefault(name, _Node())
        node.here.append(difference)
    return Patched(work.record(robot, top), work.stale)


@dataclass(slots=True)
class _Node:
    """Differences at one path, and those below it by path part."""

    here: list[Difference] = field(default_factory=list)
    inner: dict[str, _Node] = field(default_factory=dict)


class _Patching:
    """Applies a tree of differences to a robot and collects the stale ones."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.stale: list[Difference] = []

    def skip(self, node: _Node) -> None:
        """Mark all differences at and below a node as stale."""
        todo = [node]
        while todo:
            one = todo.pop()
            self.stale += one.here
            todo.extend(one.inner.values())

    def renamed(self, robot: Robot, list_name: str, differences: list[Difference]) -> Robot:
        """Rename items of one list, all at once."""
        names: dict[Any, Any] = {}
        values: tuple[Any, ...] = getattr(robot, list_name) if list_name in named_lists() else ()
        key = key_field(values[0].__class__) if values else None
        known = {part(getattr(item, key)): getattr(item, key) for item in values} if key else {}
        for difference in differences:
            old = known.get(difference.path.partition("/")[2])
            try:
                if key is None or old is None or not self.values.fits(old, difference):
                    raise ValueError
                new = self.values.after(hints(values[0].__class__)[key], difference, old)
                if part(new) in known or new in names.values():
                    raise ValueError
                names[old] = new
            except ValueError:
                self.stale.append(difference)
        return renamed(robot, list_name, names) if names else robot

    def record(self, value: Any, node: _Node, key: str | None = None) -> Any:
        """Apply differences to the fields of a record; ``key`` is the field that identifies it."""
        lists = dict(field_lists(value.__class__))
        was = {f.metadata.get("was", f.name): f.name for f in fields(value)}
        changed: dict[str, Any] = {}
        for written, inner in node.inner.items():
            name = was.get(written, written)
            if name not in lists or name == key:
                self.skip(inner)
                continue
            old, hint = getattr(value, name), hints(value.__class__)[name]
            new = self.items(old, hint, inner) if lists[name] else self.value(old, hint, inner)
            if new is not old:
                changed[name] = new
        if "uri" in changed:
            uri = changed["uri"]
            # Without a path, the reader resolves the URI.
            changed["path"] = uri.path if isinstance(uri, FileName) else ""
            changed["uri"] = uri.uri if isinstance(uri, FileName) else uri
        return replace(value, **changed) if changed else value

    def value(self, old: Any, hint: Any, node: _Node) -> Any:
        """Apply the differences at a value, or those below it."""
        if not node.here:
            if is_record(old):
                return self.record(old, node)
            self.skip(node)
            return old
        new, changed = old, False
        for difference in node.here:
            try:
                # a value changes once: each change costs as much as the value is long
                if changed or not self.values.fits(old, difference):
                    raise ValueError
                new, changed = self.values.after(hint, difference, old), True
            except ValueError:
                self.stale.append(difference)
        self.skip(_Node(inner=node.inner))
        return new

    def items(self, old: tuple[Any, ...], hint: Any, node: _Node) -> Any:
        """Apply differences to a list: change, remove and add items, then reorder them."""
        each = kind(hint)[1][0]
        order = [d for d in node.here if d.kind == "moved" or _is_order(d, each)]
        if len(order) < len(node.here):
            return self.value(old, hint, node)
        named, values = items(old)
        elements = dict(zip(values, old, strict=True))
        changes = dict(_by_key(node, each))
        known_keys = {*elements, *changes}
        gone: set[str] = set()
        new_keys: set[str] = set()
        added: list[tuple[int, str, Any]] = []
        for key, inner in changes.items():
            below = _Node(inner=inner.inner)
            for difference in inner.here:
                index, known = difference.index, key in elements
                if difference.kind == "added" and index is not None:
                    what = "add"
                elif difference.kind == "removed" and index is not None:
                    what = "remove"
                elif difference.before is None and not known:
                    what, index = "add", len(old) + len(added)
                else:
                    what = "remove" if difference.after is None else "change"
                try:
                    if what != "add" and not (known and self.values.fits(values[key], difference)):
                        raise ValueError
                    if what == "remove":
                        gone.add(key)
                        continue
                    content = self.values.after(_item_hint(each), difference, values.get(key))
                    new = _element(key, each, content, known_keys)
                    if what == "change":
                        elements[key] = new
                    elif named and ((known and key not in gone) or key in new_keys):
                        raise ValueError
                    else:
                        assert index is not None
                        added.append((index, key, new))
                        new_keys.add(key)
                except ValueError:
                    self.stale.append(difference)
            if not below.inner:
                continue
            if key in elements and is_record(elements[key]):
                own = key_field(elements[key].__class__)
                elements[key] = self.record(elements[key], below, own)
            else:
                self.skip(below)
        kept = [key for key in elements if key not in gone]
        for difference in order:
            if difference.kind == "moved":
                kept = self.moved(kept, difference, named, {index for index, _, _ in added})
        out = [(key, elements[key]) for key in kept]
        for index, key, element in sorted(added, key=lambda a: a[0]):
            out.insert(index, (key, element))
        for difference in order:
            if difference.kind != "moved":
                if list(values) != list(difference.before):
                    self.stale.append(difference)
                    continue
                place = {name: k for k, name in enumerate(difference.after)}
                out.sort(key=lambda pair: place.get(pair[0], len(place)))
        if len(out) == len(old) and all(x is y for (_, x), y in zip(out, old, strict=True)):
            return old
        return tuple(element for _, element in out)

    def moved(self, kept: list[str], difference: Difference, named: bool, added: set[int]) -> list[str]:
        """Reorder the keys of the items that both robots have as in the second robot."""
        before, after = list(difference.before), list(difference.after)
        try:
            if named:
                first = kept.index(before[0])
                if kept[first : first + len(before)] != before or sorted(before) != sorted(after):
                    raise ValueError
                return [*kept[:first], *after, *kept[first + len(before) :]]
            # Items without names are identified by their index in the second list, which has added items.
            free = [i for i in range(len(kept) + len(added)) if i not in added]
            target = [int(name) for name in before]
            first = free.index(int(after[0]))
            if free[first : first + len(after)] != sorted(target):
                raise ValueError
            window = kept[first : first + len(before)]
            ordered = [key for _, key in sorted(zip(target, window, strict=True))]
            return [*kept[:first], *ordered, *kept[first + len(before) :]]
        except (ValueError, IndexError, TypeError):
            self.stale.append(difference)
            return kept


def _is_order(difference: Difference, each: Any) -> bool:
    """Whether a difference is the order of a list by all names, as side-cars of version 0.1 have it."""
    if not is_record_type(each) or key_field(each) is None:
        return False
    both = (difference.before, difference.after)
    return all(isinstance(v, list) and v and all(isinstance(x, str) for x in v) for v in both)


def is_record_type(hint: Any) -> bool:
    """Whether a type hint is one of the model's dataclasses."""
    return kind(hint)[0] == "record"


def _by_key(node: _Node, each: Any) -> Iterator[tuple[str, _Node]]:
    """Changed items of a list by key; the key of a pair of names has two path parts."""
    pair = kind(each) == ("row", (str, str))
    for name, inner in node.inner.items():
        if not pair:
            yield name, inner
            continue
        if inner.here:
            yield name, _Node(here=inner.here)
        for second, deeper in inner.inner.items():
            yield f"{name}/{second}", deeper


def _item_hint(each: Any) -> Any:
    """The type of an item's value besides its key (see ``traverse.items``)."""
    what, args = kind(each)
    if what != "row":
        return each
    return bool if args[1] is str else args[1]


def _element(key: str, each: Any, value: Any, known: Container[str]) -> Any:
    """Build the item of a list from its key and its value."""
    what, args = kind(each)
    base = _REPEATED.sub("", key)
    name = base if base in known else key
    if what == "row":
        if args[1] is not str:
            return (unpart(name), value)
        first, slash, second = name.partition("/")
        if value is not True or not slash:
            raise ValueError
        return (unpart(first), unpart(second))
    if is_record(value):
        own = key_field(value.__class__)
        if own is not None and part(getattr(value, own)) not in (key, base):
            raise ValueError
    elif part(value) not in (key, base):
        raise ValueError
    return value
