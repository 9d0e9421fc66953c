"""The empty list and sets of names that many objects hold together, and that therefore do not change.

An empty list takes 56 bytes and a set 216 and more; what is read from a text has many that are alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("this is shared by many objects: give the object a new one instead")


class _Empty(list[Any]):
    """A list that stays empty: what leaves it so may be done to it."""

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
    """A set of names that cannot be changed."""

    __slots__ = ()
    add = discard = remove = pop = clear = update = _refuse
    difference_update = intersection_update = symmetric_difference_update = _refuse
    __iand__ = __ior__ = __isub__ = __ixor__ = _refuse


#: The empty list and the empty set of all who have none of their own yet.
NO_ITEMS: list[Any] = _Empty()
NO_NAMES = SharedSet()
