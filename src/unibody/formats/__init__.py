"""The registry of formats: their records, which import a format's heavy modules on first use."""

from __future__ import annotations

from unibody.formats import body, inventor, mjcf, mpk, openhrp, sdf, srdf, urdf, usd
from unibody.formats.format import Format

__all__ = ["FORMATS", "Format", "by_name", "detect", "is_bytes"]

FORMATS = (
    body.FORMAT,
    urdf.FORMAT,
    openhrp.FORMAT,
    inventor.FORMAT,
    mpk.FORMAT,
    mpk.SCENE,
    mjcf.FORMAT,
    sdf.FORMAT,
    srdf.FORMAT,
    usd.FORMAT,
)


def by_name(name: str) -> Format | None:
    """The format of that name."""
    return next((f for f in FORMATS if f.name == name), None)


def _binary(path: str, data: bytes) -> Format | None:
    """The format whose files have the suffix of a path and may begin with these bytes."""
    for format in FORMATS:
        if data.startswith(format.binary) and path.lower().endswith(format.suffixes):
            return format
    return None


def is_bytes(path: str, data: bytes) -> bool:
    """Whether a file has the content of a format whose files may be bytes instead of text."""
    return _binary(path, data) is not None


def detect(path: str, head: str, text: str = "", data: bytes = b"") -> Format | None:
    """The format of a file, from its suffix (in any letter case) and its text, or its bytes.

    A format whose ``marks`` occur in a text with its ``magic`` comes first; then a magic that is a
    header line such as ``#VRML V2.0``, whatever the suffix is, unless the text is of another format; then
    the longest suffix. Of several formats with the same suffix, the one with a magic in ``head``, else the
    first.
    """
    if data:
        return _binary(path, data)
    start = head.lstrip("\ufeff \t\r\n")
    for format in FORMATS:
        if start.startswith(format.magic) and any(mark in text for mark in format.marks):
            return format
    unmarked = [f for f in FORMATS if not f.marks]
    for format in unmarked:
        headers = tuple(m for m in format.magic if m.startswith("#"))
        if start.startswith(headers) and not format.is_other(text or head):
            return format
    if path.lower().endswith(".xml"):
        whole = text or head
        places = [
            (whole.find(m), k)
            for k, f in enumerate(unmarked)
            if f.syntax == "xml"
            for m in f.magic
            if m in whole
        ]
        return unmarked[min(places)[1]] if places else None
    longest = max((len(s) for f in unmarked for s in f.suffixes if path.lower().endswith(s)), default=0)
    suffix = path.lower()[-longest:] if longest else ""
    by_suffix = [f for f in unmarked if suffix in f.suffixes]
    if len(by_suffix) == 1:
        return by_suffix[0]
    by_magic = [f for f in by_suffix or unmarked if any(m in head for m in f.magic)]
    return next(iter(by_magic or by_suffix), None)
