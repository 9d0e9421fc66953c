"""Facts of a robot (values by path) and differences of two robots."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np

from unibody.model.align import Item, find_renames, pair_up
from unibody.model.equality import TOLERANCE, Digest, file_digest, same, same_file, same_rotation
from unibody.model.json import value_json
from unibody.model.metadata import units
from unibody.model.pose import Pose
from unibody.model.robot import ROTARY, Extra, Joint, Robot
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
from unibody.text.dataclass import dataclass
from unibody.text.node import Node
from unibody.text.number import format_float, shortest_near

Value: TypeAlias = str | float | int | bool | tuple[Any, ...] | Node | None
Kind = Literal["added", "removed", "changed", "renamed", "moved"]

_SHOWN = 8
_LONG = 60


def facts(robot: Robot) -> dict[str, Value]:
    """All values of a robot by path; items of a list by name, or by index if they have none.

    The value of a list is the names of its items in order. "/" in a name is escaped as ~1, "~" as ~0.

    >>> from unibody.model.robot import Link
    >>> facts(Robot(name="arm", links=(Link(name="base"),)))["links"]
    ('base',)
    """
    return {
        path: tuple(value.tolist()) if isinstance(value, np.ndarray) else value
        for path, value in leaves(robot)
    }


def angle_text(value: float) -> str:
    """Format an angle in radians as the shortest number of degrees that reads back within 2 ulp.

    >>> angle_text(math.pi / 6)
    '30'
    """
    return shortest_near(math.degrees(value))


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
    unit: Literal["", "rad", "quat"] = ""
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
            return f"{self.kind} {_text(value, self.unit, digits)}{_contents(value)}"
        return f"{self.kind} {_change(self.before, self.after, self.unit, digits)}"

    def json(self) -> dict[str, Any]:
        """The difference as plain JSON data, values as in the native format."""
        return {
            "path": self.path,
            "kind": self.kind,
            "before": value_json(self.before),
            "after": value_json(self.after),
        }


def _number(value: float, is_angle: bool, digits: int | None) -> str:
    if digits is None:
        return angle_text(value + 0.0) if is_angle else format_float(value)
    shown = math.degrees(value) if is_angle else value
    return format_float(float(f"{shown:.{digits}g}") + 0.0)


def _without_residues(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Set numbers to zero that are rounding errors relative to the largest one."""

    def leaves_of(value: Any) -> Iterator[float]:
        if isinstance(value, float):
            yield abs(value)
        elif isinstance(value, tuple):
            for inner in value:
                yield from leaves_of(inner)

    def cleaned(value: Any) -> Any:
        if isinstance(value, float):
            return 0.0 if abs(value) < least else value
        return tuple(map(cleaned, value)) if isinstance(value, tuple) else value

    least = TOLERANCE * max(filter(math.isfinite, leaves_of(values)), default=0.0)
    return tuple(map(cleaned, values))


def _text(value: Any, unit: str, digits: int | None) -> str:
    if value is None:
        return "none"
    if unit == "quat":
        angles: tuple[float, ...] = Pose(quat=value).rpy()
        if digits is not None:
            angles = tuple(0.0 if abs(v) < TOLERANCE else v for v in angles)
        roll, pitch, yaw = (_number(v, True, digits) for v in angles)
        return f"roll {roll}, pitch {pitch}, yaw {yaw} deg"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return _number(value, bool(unit), digits) + (" deg" if unit else "")
    if isinstance(value, tuple | np.ndarray):
        first = value[:_SHOWN] if isinstance(value, tuple) else value[:_SHOWN].tolist()
        first = first if digits is None else _without_residues(tuple(first))
        shown = ", ".join(_text(v, unit, digits).removesuffix(" deg") for v in first)
        more = f", … {len(value)} in all" if len(value) > _SHOWN else ""
        return f"({shown}{more})" + (" deg" if unit else "")
    if is_record(value) or isinstance(value, Node):
        return str(value.__class__.__name__)
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONG else text[:_LONG] + "…"


def largest_deviation(before: Any, after: Any) -> float | None:
    """The largest deviation of two equally long lists of more than eight numbers; None for other values.

    >>> largest_deviation((0.0,) * 9, (0.0,) * 8 + (0.5,))
    0.5
    """
    if not (isinstance(before, tuple | np.ndarray) and isinstance(after, tuple | np.ndarray)):
        return None
    if not len(before) == len(after) > _SHOWN or isinstance(before[0], str):
        return None
    a, b = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        return float(np.max(np.abs(a - b)))


def _contents(value: Any) -> str:
    """The file that an added or removed item refers to, or the keys of an Extra."""
    if not is_record(value):
        return ""
    if isinstance(value, Extra):
        keys = ", ".join(dict.fromkeys(key or item.__class__.__name__ for key, item, _ in value.node.items))
        owner = f" of {value.owner}" if value.owner else ""
        text = f"{owner}: {keys}" if keys else owner
        return text if len(text) <= _LONG else f"{text[:_LONG]}…"
    uri = getattr(getattr(value, "geometry", value), "uri", "")
    return f" {uri!r}" if uri else ""


def _change(before: Any, after: Any, unit: str, digits: int | None) -> str:
    if (largest := largest_deviation(before, after)) is not None:
        a, b = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
        return f"{int(np.sum(a != b))} of {len(a)} numbers, by up to {largest:.6g}"
    first, second = _text(before, unit, digits), _text(after, unit, digits)
    if first == second and digits is not None:  # the difference is in the digits left out
        first, second = _text(before, unit, None), _text(after, unit, None)
    return f"{first} → {second}"


@dataclass(frozen=True, slots=True)
class _Rules:
    """Context of a comparison: file digests, names of rotary joints, whether a rotary joint is compared."""

    digest: Digest
    rotary: frozenset[str] = frozenset()
    turning: bool = False


def _changed(path: str, x: Any, y: Any, unit: Literal["", "rad", "quat"] = "") -> Difference:
    kind: Kind = "added" if _nothing(x) else "removed" if _nothing(y) else "changed"
    return Difference(path, kind, x, y, unit)


def _nothing(value: Any) -> bool:
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
            if not same_file(x, y, rules.digest):
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
        return record.kind in ROTARY
    return getattr(record, "joint", None) in rules.rotary


def _file_names(x: Any, y: Any, rules: _Rules) -> tuple[FileName, FileName]:
    if x.uri != y.uri:
        return FileName.of(x, x.uri), FileName.of(y, y.uri)
    left, right = (f"{v.uri} (content {str(rules.digest(v.path))[:12]})" for v in (x, y))
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


def diff(a: Robot, b: Robot, digest: Digest = file_digest) -> list[Difference]:
    """Differences between two robots; empty if they are equal.

    Items are matched by name, after renames; shapes, drives and extras by similarity. ``digest``
    returns the digest of a mesh or texture file, None if it cannot be read.

    >>> from unibody.model.robot import Link
    >>> old = Robot(name="arm", links=(Link(name="hand"),))
    >>> print(*diff(old, Robot(name="arm", links=(Link(name="palm"),))))
    links/hand: renamed to palm
    """
    rotary = frozenset(j.name for r in (a, b) for j in r.joints if j.kind in ROTARY)
    rules = _Rules(cache(digest), rotary | frozenset(map(part, rotary)))
    out: list[Difference] = []

    def equal(x: Item, y: Item, skip: frozenset[str]) -> bool:
        return _equal(x, y, rules, skip)

    for name in named_lists():
        names = find_renames(a, b, name, equal)
        if names:
            out += [Difference(f"{name}/{part(old)}", "renamed", old, new) for old, new in names.items()]
            a = renamed(a, name, names)
    out += _compare_records(a, b, "", rules)
    return out
