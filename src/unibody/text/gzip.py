"""Decompresses gzip files (RFC 1952), as used for VRML97 and Open Inventor, up to a limit."""

from __future__ import annotations

import re

from unibody.text.finding import Finding, TextError
from unibody.text.limits import how_to_raise

_MAGIC = b"\x1f\x8b"
# The widest window of zlib, of a gzip stream.
_GZIP = 16 + 15
_PIECE = 1 << 16
_MOST_MEMBERS = 10_000
# Text compresses to a tenth, lists of zeros to a thousandth; higher ratios are an attack.
_FREE, _RATIO = 64 * 1024 * 1024, 100
_PADDING = re.compile(rb"\0*")


def is_packed(data: bytes | memoryview) -> bool:
    """Whether a file is compressed with gzip."""
    return data[: len(_MAGIC)] == _MAGIC


def unpacked(data: bytes, name: str, limit: int) -> bytes:
    """Decompress a gzip file; any other file is returned unchanged.

    TextError for more than ``limit`` bytes (``file-too-large``) and for corrupt data (``gzip-broken``).
    Memory use is bounded by the limit.

    >>> unpacked(b"#VRML V2.0 utf8", "a.wrl", 100)
    b'#VRML V2.0 utf8'
    """
    if not is_packed(data):
        return data
    import zlib  # few files are compressed

    most = min(limit, _FREE + _RATIO * len(data))
    out: list[bytes] = []
    at = size = 0
    view = memoryview(data)
    for _ in range(_MOST_MEMBERS):
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            piece = view[at : at + _PIECE]
            if not piece:
                raise _broken(name, "truncated")
            try:
                out.append(member.decompress(piece, most - size + 1))
            except zlib.error:
                raise _broken(name, "invalid data") from None
            at += len(piece) - len(member.unused_data) - len(member.unconsumed_tail)
            size += len(out[-1])
            if size > most:
                message = f"cannot read {name}: its decompressed size exceeds the limit of {most} bytes"
                hint = f"decompress it with gunzip; or {how_to_raise('file_bytes')}"
                raise TextError(Finding("file-too-large", "error", message, None, hint))
        if found := _PADDING.match(data, at):
            at = found.end()
        if at == len(data):
            return b"".join(out)
        if not data.startswith(_MAGIC, at):
            raise _broken(name, "trailing data")
    raise _broken(name, f"more than {_MOST_MEMBERS} members")


def _broken(name: str, why: str) -> TextError:
    message = f"cannot read {name}: corrupt gzip file: {why}"
    return TextError(Finding("gzip-broken", "error", message, None, "compress the file again"))
