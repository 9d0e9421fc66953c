"""Tells VRML97 from VRML 1.0 and Open Inventor: by the header, or by the nodes if the header is wrong."""

from __future__ import annotations

import re

#: Header lines of VRML 1.0 and Open Inventor.
OLDER = ("#VRML V1.0", "#Inventor")
# A byte order mark, decoded as UTF-8 or as Latin-1, and white space.
_BEFORE = "\ufeffï»¿ \t\r\n"
# What may precede a word in its line: anything but the start of a comment or of a string.
_CODE = r"^[^#\"\r\n]*(?:\"[^\"\r\n]*\"[^#\"\r\n]*)*(?<![^\x00-\x20,{}\[\]])"
_GAP = r"[\x00-\x20,]+"
_NODES_97 = re.compile(
    rf"{_CODE}(?:(?:EXTERN)?PROTO{_GAP}[^\x00-\x20,\"#\[\]{{}}]+[\x00-\x20,]*\[|Shape[\x00-\x20,]*\{{"
    rf"|(?:children|geometry|appearance)(?:[\x00-\x20,]*\[|{_GAP}(?:DEF|USE|[A-Z]\w*[\x00-\x20,]*\{{)))",
    re.MULTILINE,
)
_NODES_1 = re.compile(rf"{_CODE}(?:Transform)?Separator[\x00-\x20,]*\{{", re.MULTILINE)


def is_older(text: str | bytes) -> bool:
    """Whether a text is VRML 1.0 or Open Inventor: by its header, unless its nodes are those of VRML97.

    >>> is_older("#VRML V1.0 ascii\\nSeparator { Cube { } }"), is_older("#VRML V2.0 utf8")
    (True, False)
    >>> is_older("#VRML V1.0 ascii\\nShape { geometry Box { } }")
    False
    """
    head = text[:200].decode("latin-1") if isinstance(text, bytes) else text[:200]
    return head.lstrip(_BEFORE).startswith(OLDER) and not has_nodes_of_97(text)


def has_nodes_of_97(text: str | bytes) -> bool:
    """Whether a text has nodes and fields that only VRML97 has, and none that it lacks."""
    if isinstance(text, bytes):
        text = text.decode("latin-1")
    if " binary" in text[:60].split("\n", 1)[0]:
        return False
    # Most texts of Open Inventor have such a node in their first lines, so this ends soon.
    if "Separator" in text and _NODES_1.search(text) is not None:
        return False
    return _NODES_97.search(text) is not None
