"""How the mesh files of a model are read: scaled by a factor, and with another axis up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TypeVar, get_args

from unibody.model.up_axis import UpAxis
from unibody.text.dataclass import dataclass

#: A factor for all mesh files, or one for each name or pattern of names.
Scale = float | Mapping[str, float]
#: The axis that points up in all mesh files, or in those of each name or pattern of names.
UpAxes = UpAxis | Mapping[str, UpAxis]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class MeshReading:
    """Scale and up axis of the mesh files by the pattern of their names; "*" are all.

    A pattern is that of a whole URI or of its last part, as ``hand.stl`` or ``*.dae``; the last one in a
    mapping that matches counts.

    >>> MeshReading.of(scale={"hand.stl": 0.001}).scales
    {'hand.stl': 0.001}
    """

    scales: Mapping[str, float]
    axes: Mapping[str, UpAxis]

    @classmethod
    def of(cls, scale: Scale | None = None, up_axis: UpAxes | None = None) -> MeshReading:
        """The settings of keywords; ValueError for a scale that is not positive, or another axis."""
        scales = _by_pattern(scale)
        axes: dict[str, UpAxis] = _by_pattern(up_axis)
        for factor in scales.values():
            if not (math.isfinite(factor) and factor > 0.0):
                raise ValueError(f"scale must be a positive number, not {factor!r}")
        for axis in axes.values():
            if axis not in get_args(UpAxis):
                raise ValueError(f"up_axis must be one of {', '.join(get_args(UpAxis))}, not {axis!r}")
        return cls(scales, axes)

    def factor(self, uri: str) -> float | None:
        """The scale of the mesh file with this URI, None if none is given."""
        return _found(self.scales, uri)

    def up_axis(self, uri: str) -> UpAxis | None:
        """The up axis of the mesh file with this URI, None if none is given."""
        return _found(self.axes, uri)


def matches(pattern: str, uri: str) -> bool:
    """Whether a pattern is that of the mesh file with this URI."""
    return fnmatchcase(uri, pattern) or fnmatchcase(file_name(uri), pattern)


def file_name(uri: str) -> str:
    """The last part of a URI."""
    return uri.replace("\\", "/").rpartition("/")[2]


def _found(values: Mapping[str, _T], uri: str) -> _T | None:
    return next((values[pattern] for pattern in reversed(list(values)) if matches(pattern, uri)), None)


def _by_pattern(value: _T | Mapping[str, _T] | None) -> dict[str, _T]:
    if value is None:
        return {}
    return dict(value) if isinstance(value, Mapping) else {"*": value}
