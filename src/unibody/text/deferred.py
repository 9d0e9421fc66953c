"""Objects whose fields are computed on first access.

Used for VRML97 shapes on all levels: node, elements, shape and geometry (see docs/architecture.md for
the load times that require it). Lists of numbers have a mechanism of their own:
:class:`unibody.text.node.Numbers` converts its slice of the source on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T", bound="Deferred")


class Deferred:
    """Base of objects created by :func:`defer`; subclasses have a slot ``_compute``."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Python calls this only for fields without value.
            if not name.startswith("_") and (compute := getattr(self, "_compute", None)) is not None:
                for field, value in compute().items():
                    object.__setattr__(self, field, value)
                # Last, since two threads may read at the same time.
                object.__setattr__(self, "_compute", None)
            return object.__getattribute__(self, name)


def defer(cls: type[T], compute: Callable[[], Mapping[str, Any]], **known: Any) -> T:
    """An object with the ``known`` fields; ``compute`` returns all others when one is first read.

    >>> class Point(Deferred):
    ...     __slots__ = ("_compute", "x", "y")
    >>> point = defer(Point, lambda: {"x": 1.0}, y=2.0)
    >>> point.y, is_deferred(point), point.x, is_deferred(point)
    (2.0, True, 1.0, False)
    """
    made = object.__new__(cls)
    for name, value in known.items():
        object.__setattr__(made, name, value)
    object.__setattr__(made, "_compute", compute)
    return made


def is_deferred(thing: object) -> bool:
    """Whether an object has fields to be computed."""
    return getattr(thing, "_compute", None) is not None
