"""Converts names of the model to DEF names."""

from __future__ import annotations

import re
from typing import TypeVar

from unibody.document.declare import Tagged

_T = TypeVar("_T", bound=Tagged)

# Characters that end a name in one of the loaders or in the standard (facts B.1; ISO/IEC 14772-1, A.3).
_ILLEGAL = re.compile(r'[\x00-\x20\x7f,"#\[\]{}]')
# A name that begins so is a number to parsers that follow the standard.
_NOT_FIRST = (*"0123456789+-",)


def legal(name: str) -> str:
    """The name with an underscore for each character that a DEF name cannot have, or cannot begin with.

    >>> legal("left arm/#2"), legal("LLEG-1.a"), legal("1st_wheel")
    ('left_arm/_2', 'LLEG-1.a', '_1st_wheel')
    """
    made = _ILLEGAL.sub("_", name)
    return f"_{made}" if made.startswith(_NOT_FIRST) else made


def define(doc: _T, name: str) -> _T:
    """Set the DEF name of an element to the legal form of ``name``; returns the element."""
    element: Tagged = doc
    element.def_name = legal(name)
    return doc


def legal_names(names: list[str]) -> dict[str, str]:
    """A unique DEF name for each name; legal names are unchanged.

    >>> legal_names(["a b", "a_b"])
    {'a b': 'a_b_2', 'a_b': 'a_b'}
    """
    taken = {name for name in names if legal(name) == name}
    out: dict[str, str] = {}
    for name in names:
        made, number = legal(name), 2
        if made != name:
            stem = made
            while made in taken:
                made, number = f"{stem}_{number}", number + 1
            taken.add(made)
        out[name] = made
    return out
