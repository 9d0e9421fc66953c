"""Keywords of public functions that were renamed: an old one is a TypeError that names the new one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def renamed_keywords(**new: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function that had other keywords, until 1.0; ``new`` is what to write, by old keyword.

    >>> @renamed_keywords(seconds="time_limit")
    ... def search(time_limit=None):
    ...     return time_limit
    >>> search(seconds=1.0)
    Traceback (most recent call last):
    TypeError: search(): the keyword 'seconds' is now 'time_limit'
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            old = next((name for name in new if name in kwargs), None)
            if old is not None:
                name = getattr(function, "__name__", "")
                raise TypeError(f"{name}(): the keyword '{old}' is now '{new[old]}'")
            return function(*args, **kwargs)

        # messages about unknown keywords list those of the function
        cast(Any, checked).__kwdefaults__ = getattr(function, "__kwdefaults__", None)
        return checked

    return decorate
