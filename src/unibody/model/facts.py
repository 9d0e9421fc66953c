"""Facts of a robot (values by path) and differences of two robots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np

from unibody.model.align import Item, find_renames, pair_up, renames_by_child
from unibody.model.equality import Digest, file_digest, same, same_file, same_rotation
from unibody.model.joint_kind import KINDS
from unibody.model.json import value_json
from unibody.model.metadata import units
from unibody.model.robot import Joint, Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.traverse import (
    field_lists,
    is_record,
    items,
    join,
    key_field,
    leaves,
    named_lists,
    ordered,
    part,
    renamed,
)
from unibody.model.wording import Unit, change_text, value_text
from unibody.text.dataclass import dataclass
from unibody.text.node import Node

Value: TypeAlias = str | float | int | bool | tuple[Any, ...] | Node | None
Kind = Literal["added", "removed", "changed", "renamed", "moved"]


def facts(robot: Robot | Scene) -> dict[str, Value]:
    """All values of a robot by path; items of a list by name, or by index if they have none.

    The value of a list is the names of its items in order. "/" in a name is escaped as ~1, "~" as ~0.

    >>> from unibody.model.robot import Link
    >>> facts(Robot(name="arm", links=(Link(name="base"),)))["links"]
    ('base',)
    """
    return {
        path: tuple(value.tolist()) if isinstance(value, np.ndarray) else value
        for path, value in leaves(as_robot(robot))
    }


class FileName(str):
    """The URI of a file in a difference; its text includes the digest if only the content differs."""

    uri: str
    path: str

    @classmethod
    def of(cls, reference: Any, text: str) -> FileName:
        """The file that a mesh or a texture refers to, with ``text`` for display."""
        name = cls(text)
        name.uri, name.path = reference.uri, reference.path
        return name


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """One difference at ``path``: of a value, or a whole item that only one robot has.

    ``unit`` is "rad" for an angle, "quat" for a rotation; both are shown in degrees. ``index`` is the
    position of an added or removed item in its list.
    """

    path: str
    kind: Kind
    before: Any = None
    after: Any = None
    unit: Unit = ""
    index: int | None = None

    def __str__(self) -> str:
        return self.text()

    def text(self, digits: int | None = None) -> str:
        """Format the difference in one line, numbers with all or with ``digits`` significant digits."""
        return " ".join(f"{self.path}: {self.change(digits)}".split())

    def change(self, digits: int | None = None) -> str:
        """What happened to the value, without its path.

        >>> Difference("base", "changed", "fixed", "free").change()
        "changed 'fixed' → 'free'"
        """
        if self.kind == "renamed":
            return f"renamed to {self.after}"
        if self.kind in ("added", "removed"):
            value = self.after if self.kind == "added" else self.before
            return f"{self.kind} {value_text(value, self.unit, digits)}"
        return f"{self.kind} {change_text(self.before, self.after, self.unit, digits)}"

    def json(self) -> dict[str, Any]:
        """The difference as plain JSON data, values as in the native format."""
        return {
            "path": self.path,
            "kind": self.kind,
            "before": value_json(self.before),
            "after": value_json(self.after),
        }


@dataclass(frozen=True, slots=True)
class _Rules:
    """Context of a comparison: file digests, names of rotary joints, whether a rotary joint is compared.

    With ``found``, a file that only the first robot finds is a difference.
    """

    digest: Digest
    rotary: frozenset[str] = frozenset()
    turning: bool = False
    found: bool = False


def _changed(path: str, x: Any, y: Any, unit: Unit = "") -> Difference:
    kind: Kind = "added" if is_unset(x) else "removed" if is_unset(y) else "changed"
    return Difference(path, kind, x, y, unit)


def is_unset(value: Any) -> bool:
    """Whether a value states nothing: None, or an empty text or list."""
    return value is None or (isinstance(value, str | tuple | np.ndarray) and len(value) == 0)


def _compare(x: Any, y: Any, path: str, rules: _Rules, angle: bool = False) -> Iterator[Difference]:
    if x is y:
        return
    if is_record(x) and x.__class__ is y.__class__:
        yield from _compare_records(x, y, path, rules)
    elif not same(x, y):
        yield _changed(path, x, y, "rad" if angle else "")


def _compare_records(
    x: Any, y: Any, path: str, rules: _Rules, skip: frozenset[str] = frozenset()
) -> Iterator[Difference]:
    if not rules.turning and _turns(x, rules):
        rules = replace(rules, turning=True)
    own = units(x.__class__, rules.turning)
    for name, is_list in field_lists(x.__class__):
        a, b, sub = getattr(x, name), getattr(y, name), join(path, name)
        if name == "uri":
            # Even if the names are equal, the contents may differ.
            if not same_file(x, y, rules.digest, rules.found):
                yield _changed(sub, *_file_names(x, y, rules))
        elif a is b or name in skip:
            continue
        elif is_list:
            yield from _compare_lists(a, b, sub, rules)
        elif name == "quat":
            if not same_rotation(a, b):
                yield _changed(sub, a, b, "quat")
        else:
            yield from _compare(a, b, sub, rules, own.get(name) == "rad")


def _turns(record: Any, rules: _Rules) -> bool:
    if isinstance(record, Joint):
        return KINDS[record.kind].angular
    return getattr(record, "joint", None) in rules.rotary


def _file_names(x: Any, y: Any, rules: _Rules) -> tuple[FileName, FileName]:
    if x.uri != y.uri:
        return FileName.of(x, x.uri), FileName.of(y, y.uri)
    digests = (rules.digest(v.path) if v.path else None for v in (x, y))
    left, right = (f"{x.uri} ({f'content {digest[:12]}' if digest else 'missing'})" for digest in digests)
    return FileName.of(x, left), FileName.of(y, right)


def _compare_lists(
    a: tuple[Any, ...], b: tuple[Any, ...], path: str, rules: _Rules
) -> Iterator[Difference]:
    named_a, left = items(a)
    named_b, right = items(b)
    if named_a and named_b:
        pairs = {key: key for key in left if key in right}
    else:
        pairs = pair_up(left, right, lambda x, y: _equal(x, y, rules))
    for index, (key, x) in enumerate(left.items()):
        if key in pairs:
            yield from _compare_items(x, right[pairs[key]], f"{path}/{key}", rules)
        else:
            yield Difference(f"{path}/{key}", "removed", before=x, index=index)
    taken = set(pairs.values())
    for index, (key, y) in enumerate(right.items()):
        if key not in taken:
            yield Difference(f"{path}/{key}", "added", after=y, index=index)
    before = [pairs[key] for key in left if key in pairs]
    after = [key for key in right if key in taken]
    if before != after and ordered(a):
        yield _moved(path, before, after)


def _moved(path: str, before: list[str], after: list[str]) -> Difference:
    """One difference for a list: the section in which the order differs."""
    off = [i for i, (x, y) in enumerate(zip(before, after, strict=True)) if x != y]
    first, last = off[0], off[-1] + 1
    return Difference(path, "moved", tuple(before[first:last]), tuple(after[first:last]))


def _compare_items(x: Any, y: Any, path: str, rules: _Rules) -> Iterator[Difference]:
    if is_record(x) and x.__class__ is y.__class__:
        key = key_field(x.__class__)
        yield from _compare_records(x, y, path, rules, frozenset([key] if key else []))
    else:
        angle = isinstance(x, float) and path.rpartition("/")[2] in rules.rotary
        yield from _compare(x, y, path, rules, angle)


def _equal(x: Any, y: Any, rules: _Rules, skip: frozenset[str] = frozenset()) -> bool:
    if not is_record(x) or x.__class__ is not y.__class__:
        return same(x, y)
    return next(_compare_records(x, y, "", rules, skip), None) is None


def same_record(x: Any, y: Any, digest: Digest = file_digest) -> bool:
    """Whether ``diff`` would find no difference between two records of the model."""
    return x.__class__ is y.__class__ and _equal(x, y, _Rules(digest))


def diff(
    a: Robot, b: Robot, digest: Digest = file_digest, *, found: bool = False, by_child: bool = False
) -> list[Difference]:
    """Differences between two robots; empty if they are equal.

    Items are matched by name, after renames; shapes, drives and extras by similarity. ``digest``
    returns the digest of a mesh or texture file, None if it cannot be read; with ``found``, a file that
    only ``a`` finds is a difference. With ``by_child``, joints are matched by the links that they move,
    whatever their names.

    >>> from unibody.model.robot import Link
    >>> old = Robot(name="arm", links=(Link(name="hand"),))
    >>> print(*diff(old, Robot(name="arm", links=(Link(name="palm"),))))
    links/hand: renamed to palm
    """
    rotary = frozenset(j.name for r in (a, b) for j in r.joints if KINDS[j.kind].angular)
    rules = _Rules(cache(digest), rotary | frozenset(map(part, rotary)), found=found)
    out: list[Difference] = []

    def equal(x: Item, y: Item, skip: frozenset[str]) -> bool:
        return _equal(x, y, rules, skip)

    for name in named_lists():
        is_by_child = by_child and name == "joints"
        names = renames_by_child(a, b) if is_by_child else find_renames(a, b, name, equal)
        if names:
            out += [Difference(f"{name}/{part(old)}", "renamed", old, new) for old, new in names.items()]
            a = renamed(a, name, names)
    out += _compare_records(a, b, "", rules)
    return out
