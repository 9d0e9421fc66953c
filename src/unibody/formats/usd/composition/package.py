"""USDZ packages: unpacks one within the limits of a load, and packs files."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import Meter

#: The first bytes of a package.
MAGIC = b"PK\x03\x04"
# The files in a package begin at multiples of this many bytes.
_ALIGNMENT = 64
_HEADER = 30
# The header of a field that fills the gap before a file, and its size with the size of the gap.
_PADDING, _FIELD = b"\x86\x19", 4
_MOST_FILES = 10_000


def unpacked(data: bytes, path: str, meter: Meter, findings: Findings) -> dict[str, bytes]:
    """The files of a package by name, its root layer first; TextError if it is none, or beyond a limit."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _files(archive, data, path, meter, findings)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as broken:
        message = f"{path} cannot be read as a USDZ package: {broken}"
        raise TextError(
            Finding("usd-unreadable", "error", message, hint="pack it again with usdzip")
        ) from None


def _files(
    archive: zipfile.ZipFile, data: bytes, path: str, meter: Meter, findings: Findings
) -> dict[str, bytes]:
    out: dict[str, bytes] = {}
    odd = ""
    members = [info for info in archive.infolist() if not info.is_dir()]
    if len(members) > _MOST_FILES:
        raise meter.limits.met("nodes", f"{path} has {len(members)} files")
    for info in members:
        # the stated size may be wrong: what is read counts
        most = int(min(meter.limits.file_bytes, meter.limits.total_bytes - meter.bytes))
        with archive.open(info) as file:
            content = file.read(max(most, 0) + 1)
        if len(content) > most:
            raise meter.limits.met(
                "file_bytes", f"{path}: {info.filename} unpacks to more than {most} bytes"
            )
        if info.compress_type != zipfile.ZIP_STORED:
            meter.take_bytes(len(content), f"{path}[{info.filename}]")
            odd = odd or f"{info.filename} is compressed"
        elif _offset(data, info.header_offset) % _ALIGNMENT:
            odd = odd or f"{info.filename} does not begin at a multiple of {_ALIGNMENT} bytes"
        out[info.filename] = content
    if odd:
        findings.warning(
            "usdz-layout",
            f"{path}: a USDZ package must store its files uncompressed and aligned to 64 bytes; {odd}",
            hint="pack it again with usdzip: OpenUSD does not open it",
        )
    return out


def _offset(data: bytes, header: int) -> int:
    """Where the content of a file begins, whose header in the package is at an offset."""
    name = int.from_bytes(data[header + 26 : header + 28], "little")
    extra = int.from_bytes(data[header + 28 : header + 30], "little")
    return header + _HEADER + name + extra


def inner_path(path: str) -> tuple[str, str]:
    """The package and the file in it that the path of an asset names; "" for a file of its own.

    >>> inner_path("a/b.usdz[images/c.png]"), inner_path("c.png")
    (('a/b.usdz', 'images/c.png'), ('c.png', ''))
    """
    package, found, inner = path.partition("[")
    return (package, inner.removesuffix("]")) if found else (path, "")


def packed(files: Mapping[str, bytes]) -> bytes:
    """A package of files by name, its root layer first: not compressed, each at a multiple of 64 bytes.

    >>> data = packed({"a.usda": b"#usda 1.0"})
    >>> data.index(b"#usda") % 64
    0
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            # the same bytes for the same files, whenever they are packed
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            begin = out.tell() + _HEADER + len(name.encode()) + _FIELD
            gap = -begin % _ALIGNMENT
            info.extra = _PADDING + gap.to_bytes(2, "little") + bytes(gap)
            archive.writestr(info, data)
    return out.getvalue()
