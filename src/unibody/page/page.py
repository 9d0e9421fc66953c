"""The HTML of the page: empty, or with a robot embedded as one self-contained file."""

from __future__ import annotations

import base64
import re
import zlib
from functools import cache
from pathlib import Path

# Built from viewer/ (`make viewer`).
_EMPTY = Path(__file__).with_name("viewer.html")
_PLACE = b'<script type="application/octet-stream" id="model">'


@cache
def empty_page() -> bytes:
    """The page without a robot, which it requests from its server."""
    return _EMPTY.read_bytes()


@cache
def policy() -> str:
    """The content security policy of the page, which allows only its own script."""
    found = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', empty_page())
    assert found is not None
    return found[1].decode("ascii")


def filled_page(data: bytes) -> bytes:
    """The self-contained page with the given data (``page_data``).

    The data is deflated and base64-encoded, so that no name in a model can end the script.
    """
    head, place, tail = empty_page().partition(_PLACE)
    return b"".join([head, place, base64.b64encode(zlib.compress(data, 9)), tail])
