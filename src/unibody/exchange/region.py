"""Places of findings: regions of a file, and paths below the folder that a report is about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Region:
    """Part of a text: lines and columns from 1, the end exclusive.

    Columns count characters, ``column_utf16`` and ``end_column_utf16`` UTF-16 units.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    column_utf16: int
    end_column_utf16: int

    @staticmethod
    def of(place: Mapping[str, Any]) -> Region | None:
        """The region of plain data (``Span.json``); None if it has no place in its file.

        >>> Region.of({"line": 2, "column": 3, "end_line": 2, "end_column": 9}).column_utf16
        3
        """
        if "line" not in place or place.get("derived"):
            return None
        column, end_column = place["column"], place["end_column"]
        return Region(
            line=place["line"],
            column=column,
            end_line=place["end_line"],
            end_column=end_column,
            column_utf16=place.get("column_utf16", column),
            end_column_utf16=place.get("end_column_utf16", end_column),
        )

    @property
    def last_line(self) -> int:
        """The last line of which the region has a character."""
        ends_before = self.end_column == 1 and self.end_line > self.line
        return self.end_line - 1 if ends_before else self.end_line


def path_below(path: str, root: str) -> str:
    """A path relative to a folder, with slashes; absolute if it is not below the folder.

    >>> path_below("/work/robots/arm.urdf", "/work"), path_below("/arm.urdf", "/work")
    ('robots/arm.urdf', '/arm.urdf')
    """
    whole, folder = os.path.abspath(path), os.path.abspath(root)
    try:
        inside = os.path.commonpath((whole, folder)) == folder
    except ValueError:  # two drives
        inside = False
    return PurePath(os.path.relpath(whole, folder) if inside else whole).as_posix()
