"""Words for the tables of what formats cannot say: when a row speaks of a difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

When = Callable[[Any, Any], bool]
Of = Callable[[Any], bool]


def was(*classes: type) -> When:
    """The value before was of one of these classes."""
    return lambda before, after: isinstance(before, classes)


def became(*classes: type) -> When:
    """The value after is of one of these classes."""
    return lambda before, after: isinstance(after, classes)


def value(*values: Any) -> When:
    """The value before was one of these."""
    return lambda before, after: before in values


def made(*values: Any) -> When:
    """The value after is one of these."""
    return lambda before, after: after in values


def gone(before: Any, after: Any) -> bool:
    """Nothing is left."""
    return after is None or (isinstance(after, tuple | str) and len(after) == 0)


def new(before: Any, after: Any) -> bool:
    """There was nothing."""
    return before is None or (isinstance(before, tuple | str) and len(before) == 0)


def uneven(before: Any, after: Any) -> bool:
    """Bounds of two sizes, or the wrong way round, became the smaller one for both sides."""
    return close_to(after[1], min(map(abs, before))) and after[0] == -after[1]


def unbounded(largest: float) -> When:
    """Infinite bounds became ``largest``; others stayed."""

    def when(before: Any, after: Any) -> bool:
        pairs = list(zip(before, after, strict=True))
        return all(abs(b) == largest if math.isinf(a) else close_to(a, b) for a, b in pairs)

    return when


def close_to(a: float, b: float) -> bool:
    """The same but for the last digits."""
    return math.isclose(a, b, rel_tol=1e-11, abs_tol=1e-11)


def kind(*kinds: str) -> Of:
    """A joint of one of these kinds."""
    return lambda joint: joint.kind in kinds


def shape(*classes: type) -> Of:
    """A shape whose geometry is of one of these classes."""
    return lambda x: isinstance(getattr(x, "geometry", None), classes)


def stretched(x: Any) -> bool:
    """A shape that is not placed by a pose alone."""
    return getattr(x, "linear", None) is not None


def in_units(x: Any) -> bool:
    """A mesh file whose unit or upward axis is said."""
    return getattr(x.geometry, "unit", None) is not None or getattr(x.geometry, "up_axis", None) is not None


def massless(link: Any) -> bool:
    """A link with mass data but without mass."""
    return link.inertial is not None and not link.inertial.mass > 0.0


def spec(*classes: type) -> Of:
    """A device of one of these kinds."""
    return lambda device: isinstance(device.spec, classes)
