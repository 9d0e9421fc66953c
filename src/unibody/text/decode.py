"""Decodes files: byte order marks, declared encodings, and a guess that is always reported."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import Meter
from unibody.text.source import Source, Span

# UTF-32 before UTF-16: its little-endian mark starts with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\t\r\n"
# Python codecs that are not encodings of files.
_NO_CHARSETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"}
# Files declared as Shift_JIS are written on Windows: cp932 is the superset that decodes all of them.
_SUPERSETS = {"shift_jis": "cp932", "iso8859-1": "latin-1", "ascii": "utf-8"}
_SHOWN = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "cp932": "Shift-JIS (cp932)",
    "euc_jp": "EUC-JP",
    "latin-1": "Latin-1 (ISO 8859-1)",
}
_CONTROLS = bytes(b for b in range(0x20) if b not in b"\t\n\x0b\x0c\r\x1a\x1b")
_SAMPLE = 4096
_LONE = re.compile(rb"(?<![\x80-\xff])[\xa0-\xff](?![\x80-\xff])")
_HIGH = re.compile(rb"[\x80-\xff]")


def decode(data: bytes, name: str, findings: Findings, meter: Meter | None = None) -> Source:
    """Decode a file; the text has no byte order mark and keeps its line ends.

    The encoding is that of the byte order mark, else of the XML declaration, else UTF-8; otherwise it is
    guessed, with the warning ``encoding-guessed``; NUL characters give the warning ``nul-character``.
    TextError (``not-text``) for binary data. ``meter`` is the load's, for the parser of the text.

    >>> decode(b"caf\\xc3\\xa9", "a.txt", Findings()).text
    'café'
    """
    source = _decoded(data, name, findings)
    source.meter = meter
    if b"\0" in data and (at := source.text.find("\0")) >= 0:
        count = source.text.count("\0")
        findings.warning(
            "nul-character",
            f"{count} NUL character{'' if count == 1 else 's'}; other programs stop there or reject it",
            Span(source, at, at + 1),
            "remove them; the file may be damaged",
        )
    return source


def _decoded(data: bytes, name: str, findings: Findings) -> Source:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Source(name, _strict(data[len(mark) :], encoding, name))
    wide = _wide(data[:_SAMPLE])
    if wide:
        source = Source(name, _strict(data, wide, name))
        _guessed(source, wide, 0, "no byte order mark", findings)
        return source
    if _is_binary(data):
        raise _not_text(name, "it holds control characters that no text has")
    written = _DECLARED.match(data[:512])
    declared = _codec(written[1].decode()) if written else None
    try:
        source = Source(name, data.decode(declared or "utf-8"))
    except UnicodeDecodeError as broken:
        return _guess(data, name, declared, broken.start, findings)
    if written and (declared is None or _is_beyond_ascii(written[1], data)):
        at = Span(source, *written.span(1))
        message = f"declared encoding '{at.text}' is not that of the file; using UTF-8"
        findings.warning("encoding-guessed", message, at, "declare UTF-8")
    return source


def encodings(data: bytes) -> Iterator[tuple[bytes, str]]:
    """The candidate pairs of byte order mark and encoding of a file, in order of precedence."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            yield mark, encoding
            return
    wide = _wide(data[:_SAMPLE])
    if wide:
        yield b"", wide
        return
    written = _DECLARED.match(data[:512])
    yield b"", (_codec(written[1].decode()) if written else None) or "utf-8"
    for encoding in _candidates(data):
        yield b"", encoding


def _strict(data: bytes, encoding: str, name: str) -> str:
    """Decode; TextError (``not-text``) for invalid bytes."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as broken:
        raise _not_text(name, f"byte {broken.start} is not valid {encoding.upper()}") from None
    if "\0" in text:
        raise _not_text(name, "contains NUL characters")
    return text


def _not_text(name: str, why: str) -> TextError:
    message = f"{name} is not a text file: {why}"
    return TextError(
        Finding("not-text", "error", message, None, "check whether it is a binary file of another format")
    )


def _wide(sample: bytes) -> str | None:
    """Detect UTF-16 without byte order mark: in markup nearly every second byte is NUL, and no other."""
    pairs = len(sample) // 2
    if pairs < 2:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd * 3 >= pairs and even * 50 <= pairs:
        return "utf-16-le"
    if even * 3 >= pairs and odd * 50 <= pairs:
        return "utf-16-be"
    return None


def _is_binary(data: bytes) -> bool:
    """Whether more than 2 % are control characters; a stray NUL at the end is allowed."""
    return (len(data) - len(data.translate(None, _CONTROLS))) * 50 > len(data)


def _is_beyond_ascii(declared: bytes, data: bytes) -> bool:
    """Whether a file that is declared as ASCII has other characters."""
    return declared.lower() in (b"ascii", b"us-ascii") and not data.isascii()


def _codec(declared: str) -> str | None:
    """The codec of a declared encoding; None if Python lacks it, or if it does not extend ASCII."""
    try:
        encoding = codecs.lookup(declared).name
        encoding = _SUPERSETS.get(encoding, encoding)
        if encoding in _NO_CHARSETS:
            return None
        # The declaration was read as ASCII, so that UTF-16 is wrong here, and "zlib" is an attack.
        return encoding if _PRINTABLE.decode(encoding) == _PRINTABLE.decode() else None
    except (LookupError, UnicodeError):
        return None


def _guess(data: bytes, name: str, declared: str | None, wrong: int, findings: Findings) -> Source:
    """Decode by the most likely encoding, with a warning."""
    for encoding in _candidates(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        source = Source(name, text)
        at = len(data[:wrong].decode(encoding, "replace"))
        _guessed(source, encoding, at, f"not valid {_shown(declared or 'utf-8')}", findings)
        return source
    raise _not_text(name, "no encoding fits")  # pragma: no cover - Latin-1 fits everything


def _candidates(data: bytes) -> tuple[str, ...]:
    """Encodings in the order of likelihood.

    Isolated bytes from A0 up (a degree sign, an accent) are Latin-1; Shift-JIS would decode them as kana.
    EUC-JP text is valid Shift-JIS, too, but decodes to half-width kana, which are not used.
    """
    if len(_LONE.findall(data)) == len(_HIGH.findall(data)):
        return ("utf-8", "latin-1")
    try:
        kana = any("\uff61" <= c <= "\uff9f" for c in data.decode("cp932"))
    except UnicodeDecodeError:
        kana = True
    japanese = ("euc_jp", "cp932") if kana else ("cp932", "euc_jp")
    return ("utf-8", *japanese, "latin-1")


def _shown(encoding: str) -> str:
    return _SHOWN.get(encoding, encoding)


def _guessed(source: Source, encoding: str, at: int, why: str, findings: Findings) -> None:
    findings.warning(
        "encoding-guessed",
        f"unknown encoding ({why}); using {_shown(encoding)}",
        Span(source, at, min(at + 1, len(source.text))),
        "save the file as UTF-8",
    )
