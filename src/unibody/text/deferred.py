"""Fields that are computed when the first of them is read.

The one mechanism for this, used by a VRML97 shape on its way from text to model: its node, its elements,
its shape and its geometry (docs/architecture.md gives the load times that ask for it). Lists of numbers
have their own: :class:`unibody.text.node.Numbers` converts its slice of the source on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T", bound="Deferred")


class Deferred:
    """Base of objects made by :func:`defer`; subclasses have a slot ``_compute``."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Python calls this only for a field without a value.
            if not name.startswith("_") and (compute := getattr(self, "_compute", None)) is not None:
                for field, value in compute().items():
                    object.__setattr__(self, field, value)
                # Last, since two threads may read at the same time.
                object.__setattr__(self, "_compute", None)
            return object.__getattribute__(self, name)


def defer(cls: type[T], compute: Callable[[], Mapping[str, Any]], **known: Any) -> T:
    """An object with the ``known`` fields; ``compute`` gives all others when the first is read.

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
    """Whether fields of an object are still to be computed."""
    return getattr(thing, "_compute", None) is not None
