"""Reading files within the limits of a load; what fails is a finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from unibody.files.filesystem import TooLargeError
from unibody.files.uris import shown
from unibody.text.finding import Finding
from unibody.text.limits import LimitError, Meter
from unibody.text.source import Span

B = TypeVar("B", bytes, memoryview)


class FileError(Exception):
    """A file that cannot be read; carries the finding that says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


def metered(read: Callable[[int], B], path: str, meter: Meter, at: Span | None) -> B:
    """What ``read`` gives when told how many bytes it may read; FileError when it cannot be."""
    limits = meter.limits
    try:
        data = read(max(min(limits.file_bytes, limits.total_bytes - meter.bytes), 0))
        meter.opened.add(path)
        meter.take_bytes(len(data), shown(path), at)
        return data
    except LimitError as met:
        finding = met.finding
    except TooLargeError as large:
        name, more = "file_bytes", ""
        if large.size <= limits.file_bytes:
            name, more = "total_bytes", f", and {meter.bytes} were read before"
        finding = limits.finding(name, f"cannot read {shown(path)}: it has {large.size} bytes{more}", at)
    except FileNotFoundError:
        what = f"cannot read {shown(path)}: there is no such file"
        finding = Finding("file-missing", "error", what, at)
    except (OSError, ValueError) as broken:
        what = f"cannot read {shown(path)}: {_reason(broken)}"
        finding = Finding("file-unreadable", "error", what, at)
    raise FileError(finding)


def _reason(broken: Exception) -> str:
    if isinstance(broken, IsADirectoryError):
        return "it is a directory"
    return broken.strerror or "it cannot be opened" if isinstance(broken, OSError) else "it is no file name"
