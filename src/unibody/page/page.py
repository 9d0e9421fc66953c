"""The page: as it ships, empty, or with a robot in it, one file that works from anywhere."""

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
    """The page without a robot: it asks its server for one."""
    return _EMPTY.read_bytes()


@cache
def policy() -> str:
    """The content security policy that stands in the page: what may run in it, and nothing else."""
    found = re.search(rb'http-equiv="Content-Security-Policy" content="([^"]*)"', empty_page())
    assert found is not None
    return found[1].decode("ascii")


def filled_page(data: bytes) -> bytes:
    """The page with the robot whose bytes these are (``page_data``); it needs nothing else.

    The bytes stand in it deflated and in base64: no name in a model can end the script.
    """
    head, place, tail = empty_page().partition(_PLACE)
    return b"".join([head, place, base64.b64encode(zlib.compress(data, 9)), tail])
