"""Catalogues as one page that needs no network."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from unibody.catalogue.entry import Entry
from unibody.catalogue.table import row

# Built from viewer/ (`make viewer`).
_EMPTY = Path(__file__).with_name("catalogue.html")
_PLACE = b'<script type="application/json" id="robots">'
# Findings of one robot in the page; the table has their number.
_FINDINGS = 40


def catalogue_page(
    entries: Iterable[Entry], pictures: Mapping[str, bytes], pages: Mapping[str, str]
) -> bytes:
    """The page with all entries; ``pictures`` (WebP) and ``pages`` (addresses) are by the paths of entries.

    >>> catalogue_page([], {}, {})[:15]
    b'<!doctype html>'
    """
    robots = [
        {
            **row(entry),
            "findings": [_finding(finding) for finding in entry.findings[:_FINDINGS]],
            "command": f"unibody view {shlex.quote(entry.path)}",
            "picture": _address(pictures.get(entry.path)),
            "page": pages.get(entry.path, ""),
        }
        for entry in entries
    ]
    head, place, tail = _empty_page().partition(_PLACE)
    # No text in the data can end the script, or begin a comment.
    data = json.dumps(robots, separators=(",", ":")).replace("<", "\\u003c")
    return b"".join([head, place, data.encode("ascii"), tail])


@cache
def _empty_page() -> bytes:
    return _EMPTY.read_bytes()


def _finding(finding: Mapping[str, Any]) -> dict[str, str]:
    place = f"{finding['file']}:{finding['line']}:{finding['column']}" if "line" in finding else ""
    return {**{name: finding[name] for name in ("severity", "code", "message")}, "place": place}


def _address(picture: bytes | None) -> str:
    return f"data:image/webp;base64,{base64.b64encode(picture).decode('ascii')}" if picture else ""
