"""Names of a robot as DEF names."""

from __future__ import annotations

import re
from typing import TypeVar

from unibody.document.declare import Tagged

_T = TypeVar("_T", bound=Tagged)

# What ends a name for one of the loaders, or for the standard (facts B.1; ISO/IEC 14772-1, A.3).
_ENDS = re.compile(r'[\x00-\x20\x7f,"#\[\]{}]')


def legal(name: str) -> str:
    """The name with a line for each character that no DEF name has.

    >>> legal("left arm/#2"), legal("LLEG-1.a")
    ('left_arm/_2', 'LLEG-1.a')
    """
    return _ENDS.sub("_", name)


def define(doc: _T, name: str) -> _T:
    """The element, called so."""
    element: Tagged = doc
    element.def_name = legal(name)
    return doc


def legal_names(names: list[str]) -> dict[str, str]:
    """A DEF name of its own for each of some names; those that are legal keep theirs.

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
