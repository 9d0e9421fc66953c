"""The record of a notation of motions, and what its reader gets."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from unibody.files.access import Files
from unibody.mechanism import Mechanism
from unibody.motions.columns import Quantity
from unibody.motions.motion import Motion
from unibody.text.decode import decode
from unibody.text.finding import Findings
from unibody.text.limits import Meter, meter_of
from unibody.text.source import Source, Span

#: Numbers beyond this have no place in a computation with rates.
LARGEST = 1e100
#: What to do about a word that is not a number, and about times that decrease.
NUMBER = "write a number, or leave the line out: values between lines are interpolated"
SORT = "sort the rows by time"

#: The files of a motion by their suffixes, the first that of the motion itself.
Written: TypeAlias = Mapping[str, bytes]


@dataclass(frozen=True, kw_only=True, eq=False)
class MotionFile:
    """A file to read: its bytes, the robot that it moves, and where findings go.

    ``quantity`` says what the numbers of a table are if nothing in it does; None means positions.
    """

    path: str
    data: bytes
    mechanism: Mechanism
    findings: Findings
    files: Files
    quantity: Quantity | None = None

    @property
    def name(self) -> str:
        """The name of the file without its folder."""
        return os.path.basename(self.path)

    @property
    def suffix(self) -> str:
        """The suffix of the name in lower case, with its dot."""
        return os.path.splitext(self.path)[1].lower()

    @cached_property
    def source(self) -> Source:
        """The decoded text; TextError for binary data."""
        return decode(self.data, self.path, self.findings, self.files.meter)

    @cached_property
    def begin(self) -> str:
        """The first character of the text that is not white space."""
        return self.source.text.lstrip("\ufeff \t\r\n")[:1]

    def beside(self, suffix: str) -> str:
        """The path of the file beside this one with another suffix."""
        return os.path.splitext(self.path)[0] + suffix


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """A notation of motions, all that unibody knows of it.

    ``recognises`` says whether a file is in it, for files that no earlier record recognises. ``read``
    returns None if the file has errors, which are findings. ``write`` returns the files of a motion of a
    robot; MotionError for what the notation cannot represent. ``suffixes`` are those that are written.
    ``needs_times`` says that it cannot represent a path without times.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[MotionFile], bool]
    read: Callable[[MotionFile], Motion | None]
    write: Callable[[Motion, Mechanism, str], Written]
    needs_times: bool = False


def count_numbers(source: Source, count: int) -> None:
    """TextError if a table has more numbers than the limit of the load allows."""
    meter: Meter = meter_of(source)
    if count > meter.limits.numbers:
        raise meter.limits.met("numbers", f"{source.name} has {count} numbers", Span(source, 0, 1))


def is_number(value: float | None) -> bool:
    """Whether a number can be a time or a position: it is there, finite, and not beyond all measure."""
    return value is not None and abs(value) <= LARGEST
