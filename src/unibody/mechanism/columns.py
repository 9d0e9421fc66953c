"""Names of columns in tables of joint values: ``knee``, ``knee[deg]``, ``wrist.0``."""

from __future__ import annotations

import math
from collections.abc import Mapping

from unibody.mechanism.arguments import suggestion

#: A joint, or the root link for the base, and the index of one of its numbers.
Column = tuple[str, int]

# Characters of an unknown name shown in messages.
_MAX_NAME = 200
_UNITS = {"deg": math.pi / 180.0, "rad": 1.0, "m": 1.0, "mm": 0.001}


class ColumnError(ValueError):
    """Raised for a column of no joint; the message states the reason and the closest name."""


def find_column(text: str, sizes: Mapping[str, int]) -> tuple[Column, float]:
    """The column of a name, and the factor of its unit; ``sizes`` are the numbers of each joint.

    >>> find_column("knee[deg]", {"knee": 1})
    (('knee', 0), 0.017453292519943295)
    >>> find_column("wrist.3", {"wrist": 4})
    (('wrist', 3), 1.0)
    """
    name, part, unit = text, "", ""
    if name not in sizes:
        name, unit = split_unit(text.strip())
    if name not in sizes and name[-2:-1] == "." and name[-1] in "0123456789":
        name, part = name[:-2], name[-1]
    if name not in sizes:
        shown = name[:_MAX_NAME]
        raise ColumnError(f"the robot has no joint {shown!r}{suggestion(shown, sizes)}")
    number = int(part or 0)
    if number >= sizes[name] or (not part and sizes[name] > 1):
        hint = f"; write {name}.0 to {name}.{sizes[name] - 1}" if sizes[name] > 1 else ""
        raise ColumnError(f"joint {name!r} takes {sizes[name] or 'no'} numbers{hint}")
    return (name, number), _UNITS[unit] if unit else 1.0


def split_unit(text: str) -> tuple[str, str]:
    """Split a column name into name and unit; "" without a unit in brackets.

    >>> split_unit("knee [deg]"), split_unit("knee[0]")
    (('knee', 'deg'), ('knee[0]', ''))
    """
    name, _, unit = text.removesuffix("]").rpartition("[")
    return (name.rstrip(), unit) if text.endswith("]") and unit in _UNITS else (text, "")


def doubled(columns: tuple[Column, ...]) -> Column | None:
    """The first column that occurs twice."""
    seen: set[Column] = set()
    for column in columns:
        if column in seen:
            return column
        seen.add(column)
    return None
