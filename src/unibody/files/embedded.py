"""Images and buffers that a file holds as data URIs."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes

_DATA = re.compile(r"data:(?P<type>[^,;]*)(?:;[^,;]*)*?(?P<base64>;base64)?,")
# Of the types that a content has, the first bytes and the suffix.
_SUFFIXES = {
    b"\x89PNG": ".png",
    b"\xff\xd8\xff": ".jpg",
    b"RIFF": ".webp",
    b"GIF8": ".gif",
    b"BM": ".bmp",
    b"v/1\x01": ".exr",
}
_TYPES = {".jpg": "image/jpeg"}


def is_embedded(uri: str) -> bool:
    """Whether a URI holds its data.

    >>> is_embedded("data:image/png;base64,AAAA"), is_embedded("data.png")
    (True, False)
    """
    return uri.startswith("data:")


def embedded_data(uri: str) -> bytes | None:
    """The bytes of a data URI; None if it is invalid, or no data URI.

    >>> embedded_data("data:image/png;base64,QUJD")
    b'ABC'
    >>> embedded_data("data:text/plain,a%20b"), embedded_data("a.png")
    (b'a b', None)
    """
    found = _DATA.match(uri)
    if found is None:
        return None
    data = uri[found.end() :]
    if found["base64"] is None:
        return unquote_to_bytes(data)
    try:
        return base64.b64decode(unquote_to_bytes(data), validate=True)
    except (binascii.Error, ValueError):
        return None


def data_uri(data: bytes) -> str:
    """An image as a data URI; its type is that of its content.

    >>> data_uri(b"ABC")
    'data:image/png;base64,QUJD'
    """
    suffix = image_suffix(data)
    return f"data:{_TYPES.get(suffix, f'image/{suffix[1:]}')};base64,{base64.b64encode(data).decode()}"


def image_suffix(data: bytes) -> str:
    """The suffix of an image's type, that of PNG if its content does not tell."""
    return next((suffix for head, suffix in _SUFFIXES.items() if data.startswith(head)), ".png")
