"""Values of a robot, and their changes, in words: "1.5", "90 deg", "camera", "box → mesh file"."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from unibody.model.device import Device
from unibody.model.equality import TOLERANCE
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Extra, Joint
from unibody.model.shape import Shape
from unibody.model.traverse import is_record
from unibody.text.counted import listed
from unibody.text.node import Item, Node, Word, words
from unibody.text.number import format_float, shortest_near

Unit = Literal["", "rad", "quat"]

# Most entries shown of a list, most characters of a text.
_ENTRIES, _CHARACTERS = 8, 60
# Longer numbers are written with an exponent.
_WIDE = 9
# Most differences shown of two nodes, and how deep they are searched for.
_NODE_CHANGES, _DEPTH = 3, 8


def angle_text(value: float) -> str:
    """Format an angle in radians as the shortest number of degrees that reads back within 2 ulp.

    >>> angle_text(math.pi / 6)
    '30'
    """
    return shortest_near(math.degrees(value))


def noun(value: Any) -> str:
    """What a record of the model is called.

    >>> from unibody.model.shape import MeshFile
    >>> noun(MeshFile(uri="a.stl")), noun(Joint(name="j", kind="ball", parent="a", child="b"))
    ('mesh file', 'ball joint')
    """
    if isinstance(value, Device):
        return value.spec.kind
    if isinstance(value, Shape):
        return noun(value.geometry)
    if isinstance(value, Joint):
        return f"{value.kind} joint"
    if isinstance(value, Coupling):
        return "mimic joint"
    name = value.__class__.__name__
    kind = getattr(value, "kind", None)
    if isinstance(kind, str):
        return kind
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


def value_text(value: Any, unit: Unit = "", digits: int | None = None) -> str:
    """Format a value in one line, numbers with all or with ``digits`` significant digits.

    >>> value_text(math.pi / 2, "rad"), value_text((1.0, 2.0)), value_text(None)
    ('90 deg', '(1, 2)', 'none')
    """
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
        return _list_text(value, unit, digits)
    if isinstance(value, Extra):
        return _extra_text(value)
    if is_record(value):
        uri = getattr(getattr(value, "geometry", value), "uri", "")
        return f"{noun(value)} {uri!r}" if uri else noun(value)
    if isinstance(value, Node):
        return _keys(value.items) or "nothing"
    return _shortened(repr(value) if isinstance(value, str) else str(value))


def change_text(before: Any, after: Any, unit: Unit = "", digits: int | None = None) -> str:
    """Format two values with an arrow between them; of long lists, how many numbers differ.

    >>> change_text("fixed", "free"), change_text((0.0,) * 9, (0.0,) * 8 + (0.5,))
    ("'fixed' → 'free'", '1 of 9 numbers, by up to 0.5')
    """
    if (largest := largest_deviation(before, after)) is not None:
        a, b = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
        return f"{int(np.sum(a != b))} of {len(a)} numbers, by up to {largest:.6g}"
    if isinstance(before, Node) and isinstance(after, Node):
        return _node_change(before, after)
    first, second = value_text(before, unit, digits), value_text(after, unit, digits)
    if first == second and digits is not None:  # the difference is in the digits left out
        first, second = value_text(before, unit), value_text(after, unit)
    return f"{first} → {second}"


def largest_deviation(before: Any, after: Any) -> float | None:
    """The largest deviation of two equally long lists of more than eight numbers; None for other values.

    >>> largest_deviation((0.0,) * 9, (0.0,) * 8 + (0.5,))
    0.5
    """
    if not (isinstance(before, tuple | np.ndarray) and isinstance(after, tuple | np.ndarray)):
        return None
    if not len(before) == len(after) > _ENTRIES or isinstance(before[0], str):
        return None
    a, b = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        return float(np.max(np.abs(a - b)))


def _number(value: float, is_angle: bool, digits: int | None) -> str:
    if digits is None:
        return angle_text(value + 0.0) if is_angle else format_float(value)
    shown = f"{math.degrees(value) if is_angle else value:.{digits}g}"
    large = len(format_float(float(shown))) > _WIDE and "e+" in shown
    return shown.replace("e+0", "e").replace("e+", "e") if large else format_float(float(shown) + 0.0)


def _list_text(value: tuple[Any, ...] | np.ndarray[Any, Any], unit: Unit, digits: int | None) -> str:
    """A list of values; a symmetric range as ±, if few digits are wanted."""
    first = value[:_ENTRIES] if isinstance(value, tuple) else value[:_ENTRIES].tolist()
    if digits is not None:
        first = _without_residues(tuple(first))
        if len(value) == 2 and isinstance(first[0], float) and first[0] == -first[1] < 0.0:
            if math.isinf(first[1]):
                return "unlimited"
            return f"±{value_text(first[1], unit, digits)}"
    shown = ", ".join(value_text(v, unit, digits).removesuffix(" deg") for v in first)
    more = f", … {len(value)} in all" if len(value) > _ENTRIES else ""
    return f"({shown}{more})" + (" deg" if unit else "")


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


def _extra_text(extra: Extra) -> str:
    """The names of vendor data and the item that has them: "gazebo, plugin of links/WAIST"."""
    names = _keys(extra.node.items) or "vendor data"
    return _shortened(f"{names} of {extra.owner}" if extra.owner else names)


def _keys(items: list[Item]) -> str:
    return ", ".join(dict.fromkeys(key or getattr(value, "tag", "") or "text" for key, value, _ in items))


def _shortened(text: str) -> str:
    return text if len(text) <= _CHARACTERS else text[:_CHARACTERS] + "…"


def _node_change(before: Node, after: Node) -> str:
    """The first items in which two nodes differ: "gain '1' → '2', without plugin"."""
    found = list(_item_changes(before, after, ""))
    return listed(found, _NODE_CHANGES)


def _item_changes(a: Node, b: Node, path: str, depth: int = 0) -> Iterator[str]:
    if a.tag != b.tag:
        yield f"{path or 'tag'} {a.tag!r} → {b.tag!r}"
    left, right = _numbered(a.items), _numbered(b.items)
    for key in {**left, **right}:
        name = f"{path}/{key[0]}" if path else key[0]
        if key not in right:
            yield f"without {name}"
        elif key not in left:
            yield f"with {name}"
        elif left[key] != right[key]:
            x, y = left[key], right[key]
            if isinstance(x, Node) and isinstance(y, Node) and depth < _DEPTH:
                yield from _item_changes(x, y, name, depth + 1)
            else:
                yield f"{name} {_item_text(x)} → {_item_text(y)}"
    if list(left) != list(right) and left.keys() == right.keys():
        yield f"order of {path or 'items'}"


def _numbered(items: list[Item]) -> dict[tuple[str, int], Any]:
    """The values of items by key and occurrence."""
    count: Counter[str] = Counter()
    out: dict[tuple[str, int], Any] = {}
    for key, value, _ in items:
        name = key or getattr(value, "tag", "") or "text"
        out[name, count[name]] = value
        count[name] += 1
    return out


def _item_text(value: Any) -> str:
    if isinstance(value, Word):
        return _shortened(repr(value.text))
    return "an element" if isinstance(value, Node) else _shortened(str(words(value)))
