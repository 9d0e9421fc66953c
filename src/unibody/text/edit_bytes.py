"""Applies edits to a file's bytes; the encoding, the byte order mark and all other bytes stay."""

from __future__ import annotations

from collections.abc import Iterable

from unibody.text.decode import encodings
from unibody.text.edit import Edit, edited, in_order
from unibody.text.source import Source


def encoding_of(data: bytes, source: Source) -> tuple[bytes, str] | None:
    """The byte order mark and the encoding that decode ``data`` to ``source``; None if none does.

    >>> encoding_of("caf\\u00e9".encode("latin-1"), Source("a.txt", "caf\\u00e9"))
    (b'', 'latin-1')
    """
    for mark, encoding in encodings(data):
        try:
            if data[len(mark) :].decode(encoding) == source.text:
                return mark, encoding
        except UnicodeDecodeError:
            continue
    return None


def edited_bytes(data: bytes, source: Source, edits: Iterable[Edit]) -> bytes | None:
    """Apply edits of the text to the bytes of a file.

    None if the text is not the decoded file (it was compressed or expanded), or if the file's encoding
    lacks a new character.

    >>> source = Source("a.txt", "\\u8155: 1,5")
    >>> edited_bytes("\\u8155: 1,5".encode("cp932"), source, [Edit(source, 4, 5, ".")]).decode("cp932")
    '\\u8155: 1.5'
    """
    found = encoding_of(data, source)
    if found is None:
        return None
    mark, encoding = found
    ordered = in_order(edits)
    parts = [mark]
    char, byte = 0, len(mark)
    try:
        for edit in ordered:
            start = byte + len(source.text[char : edit.start].encode(encoding))
            parts += [data[byte:start], edit.text.encode(encoding)]
            byte = start + len(source.text[edit.start : edit.end].encode(encoding))
            char = edit.end
    except UnicodeEncodeError:
        return None
    out = b"".join([*parts, data[byte:]])
    # Verify the result: encodings with shift states may decode differently.
    again = out[len(mark) :].decode(encoding, "replace")
    return out if again == edited(source.text, ordered) else None
