"""Regular expressions that are compiled at their first use."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn")


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A regular expression as of ``re.compile``, compiled when one of its methods is first used.

    Most patterns of a module are for findings and rare forms; compiling all of them takes as long as
    reading a small model.

    >>> number = pattern(r"[0-9]+")
    >>> number.findall("1, 2"), number.sub("x", "1, 2")
    (['1', '2'], 'x, x')
    """
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    """Stands for a compiled pattern, whose methods become its own attributes."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        self.__dict__.update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)

    def __repr__(self) -> str:
        return f"pattern({self._text!r})"
