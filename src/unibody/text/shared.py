"""Immutable empty lists and sets of names, shared by many objects.

An empty list takes 56 bytes, a set at least 216; a syntax tree has many equal ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("this is shared by many objects: give the object a new one instead")


class _Empty(list[Any]):
    """A list that stays empty; operations that would add items raise TypeError."""

    __slots__ = ()
    append = insert = _refuse

    def extend(self, more: Iterable[Any]) -> None:
        for _ in more:
            _refuse()

    def __iadd__(self, more: Iterable[Any]) -> Any:  # type: ignore[misc]
        self.extend(more)
        return self

    def __setitem__(self, at: Any, more: Any) -> None:
        if isinstance(at, slice):
            self.extend(more)
        else:
            super().__setitem__(at, more)  # IndexError, as of any empty list


class SharedSet(set[str]):
    """An immutable set of names."""

    __slots__ = ()
    add = discard = remove = pop = clear = update = _refuse
    difference_update = intersection_update = symmetric_difference_update = _refuse
    __iand__ = __ior__ = __isub__ = __ixor__ = _refuse


#: The shared empty list and empty set.
NO_ITEMS: list[Any] = _Empty()
NO_NAMES = SharedSet()
