"""Nodes of VRML97 that are passed over and read when somebody looks into them: polygons, colours.

Most of a model's text is polygons, and most of its nodes are theirs; whoever asks for joints and
masses needs none of them. Only the usual form is passed over, in which nothing can be wrong but the
numbers of the lists: of any other the reading finds what it always finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from unibody.text.node import Item, Node
from unibody.text.source import Source
from unibody.text.vrml_lex import GAP, numbers_end

#: Types of nodes that are passed over or stand in such: a file may give them another meaning.
WORDS = frozenset(
    ("IndexedFaceSet", "Coordinate", "Normal", "Color", "TextureCoordinate", "Appearance", "Material")
)

_SET = frozenset(("coord", "coordIndex"))
_BLANKS = r"[\x00-\x20,]+"
_NUMBER = r"[-+]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE][-+]?[0-9]{1,2})?"
_SINGLE = (
    rf"(?:(?:ccw|convex|solid|colorPerVertex|normalPerVertex){_BLANKS}(?:TRUE|FALSE)"
    rf"|creaseAngle{_BLANKS}{_NUMBER})(?=[\x00-\x20,}}])"
)
_HELD = "|".join(
    rf"({key}){_BLANKS}{tag}{GAP}\{{{GAP}{field}"
    for key, tag, field in (
        ("coord", "Coordinate", "point"),
        ("normal", "Normal", "vector"),
        ("color", "Color", "color"),
        ("texCoord", "TextureCoordinate", "point"),
    )
)
# Groups: 1 fields without a list, 2 the name of a list, 3 to 6 that of a node that holds one, 7 the end.
_STEP = re.compile(
    rf"((?:[\x00-\x20,]*{_SINGLE})*){GAP}"
    rf"(?:(?:((?:coord|normal|color|texCoord)Index)|{_HELD}){GAP}\[|(\}}))"
)
_LIST, _END = 2, 7
_CLOSED = re.compile(rf"{GAP}\}}")
_KEYS = re.compile(r"[a-z][A-Za-z]+")
# 0 to 1: what lies outside is a finding.
_PART = r"(?:0?\.[0-9]{1,20}|0\.?|1(?:\.0{0,20})?)"
_COLOUR = (
    rf"(?:(?:diffuseColor|specularColor|emissiveColor)(?:{_BLANKS}{_PART}){{3}}"
    rf"|(?:ambientIntensity|shininess|transparency){_BLANKS}{_NUMBER})(?=[\x00-\x20,}}])"
)
_LOOK = re.compile(
    rf"{GAP}material{_BLANKS}Material{GAP}\{{((?:[\x00-\x20,]*{_COLOUR})*)[\x00-\x20,]*\}}[\x00-\x20,]*\}}"
)


class Late(Node):
    """A node whose items are made when they are first asked for."""

    __slots__ = ("_read",)

    def __init__(
        self, tag: str, source: Source, place: tuple[int, int], read: Callable[[Node], list[Item]]
    ) -> None:
        self.tag, self.name, self.flow = tag, "", False
        self.source, (self.start, self.end), self._read = source, place, read

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> list[Item]:
            # Python asks here only for what is not there.
            if name != "items":
                raise AttributeError(name)
            self.items = self._read(self)
            return self.items


def faces_end(text: str, at: int) -> int:
    """Behind the brace that ends polygons whose first brace ends at ``at``; −1 for any unusual form."""
    keys: list[str] = []
    while found := _STEP.match(text, at):
        if found[1]:
            keys += _KEYS.findall(found[1])
        kind = found.lastindex or _END
        if kind == _END:
            return found.end() if _SET.issubset(keys) and len(set(keys)) == len(keys) else -1
        keys.append(found[kind])
        at = numbers_end(text, found.end())
        if at < 0:
            return -1
        if kind != _LIST:
            closed = _CLOSED.match(text, at)
            if not closed:
                return -1
            at = closed.end()
    return -1


def look_end(text: str, at: int) -> int:
    """As :func:`faces_end`, of an Appearance that has a Material alone."""
    found = _LOOK.match(text, at)
    if not found:
        return -1
    keys = _KEYS.findall(found[1])
    return found.end() if len(set(keys)) == len(keys) else -1


#: What finds the end of a node that can be passed over: (text, behind its first brace) → behind its last.
ENDS = {"IndexedFaceSet": faces_end, "Appearance": look_end}
