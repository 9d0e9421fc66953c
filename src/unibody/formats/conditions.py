"""Conditions of the rows of ``CANNOT`` tables: predicates on a difference and on its owner."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from unibody.files.embedded import is_embedded
from unibody.model.decomposition import transposed

When = Callable[[Any, Any], bool]
Of = Callable[[Any], bool]


def before_is(*classes: type) -> When:
    """The old value is an instance of one of ``classes``."""
    return lambda before, after: isinstance(before, classes)


def after_is(*classes: type) -> When:
    """The new value is an instance of one of ``classes``."""
    return lambda before, after: isinstance(after, classes)


def value(*values: Any) -> When:
    """The old value is one of ``values``."""
    return lambda before, after: before in values


def changed_to(*values: Any) -> When:
    """The new value is one of ``values``."""
    return lambda before, after: after in values


def removed(before: Any, after: Any) -> bool:
    """The new value is None or empty."""
    return after is None or (isinstance(after, tuple | str) and len(after) == 0)


def added(before: Any, after: Any) -> bool:
    """The old value is None or empty."""
    return before is None or (isinstance(before, tuple | str) and len(before) == 0)


def uneven(before: Any, after: Any) -> bool:
    """Asymmetric or inverted bounds became symmetric with the smaller magnitude."""
    return close_to(after[1], min(map(abs, before))) and after[0] == -after[1]


def unbounded(largest: float) -> When:
    """Infinite bounds became ±``largest``; finite ones are unchanged."""

    def when(before: Any, after: Any) -> bool:
        pairs = list(zip(before, after, strict=True))
        return all(abs(b) == largest if math.isinf(a) else close_to(a, b) for a, b in pairs)

    return when


def close_to(a: float, b: float) -> bool:
    """Equal up to rounding (1e-11)."""
    return math.isclose(a, b, rel_tol=1e-11, abs_tol=1e-11)


def kind(*kinds: str) -> Of:
    """The joint has one of these kinds."""
    return lambda joint: joint.kind in kinds


def shape(*classes: type) -> Of:
    """The geometry of the shape is an instance of one of ``classes``."""
    return lambda x: isinstance(getattr(x, "geometry", None), classes)


def missing_texture(x: Any) -> bool:
    """The texture of the shape has a URI, but no file."""
    texture = getattr(getattr(x, "material", None), "texture", None)
    return texture is not None and bool(texture.uri) and not texture.path and not is_embedded(texture.uri)


def stretched(x: Any) -> bool:
    """The shape has a linear part."""
    return getattr(x, "linear", None) is not None


def in_units(x: Any) -> bool:
    """The mesh file has a unit or an up axis."""
    return getattr(x.geometry, "unit", None) is not None or getattr(x.geometry, "up_axis", None) is not None


def asymmetric(before: Any, after: Any) -> bool:
    """The matrix differs from its transpose."""
    return isinstance(before, tuple) and before != transposed(before)


def massless(link: Any) -> bool:
    """The link has mass data but no mass."""
    return link.inertial is not None and not link.inertial.mass > 0.0


def unknown(link: Any) -> bool:
    """The mass of the link, or its inertia, derives from a mesh file that was not read."""
    return link.inertial is not None and bool(link.inertial.unknown)


def spec(*classes: type) -> Of:
    """The device is of one of these kinds."""
    return lambda device: isinstance(device.spec, classes)
