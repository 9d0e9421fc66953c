"""Finds the strings in a text of VRML97 or Open Inventor without parsing it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STRING = re.compile(r'#[^\r\n]*|"((?:[^"\\]|\\.)*)"|\b(?:filename|name)[ \t]+([^\s"#\[\]{},]+)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def strings(text: str) -> Iterator[str]:
    """The strings outside of comments, and the words that Inventor accepts as file names.

    >>> list(strings('url [ "a \\\\"b\\\\".png", "c.png" ] # "no"'))
    ['a "b".png', 'c.png']
    """
    for found in _STRING.finditer(text):
        if found[1] or found[2]:
            yield _ESCAPED.sub(r"\1", found[1]) if found[1] else found[2]
