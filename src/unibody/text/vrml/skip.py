"""Finds the ends of VRML97 shapes in common forms, so that the parser can skip them.

Most of a model's text is polygons, and most of its nodes belong to shapes, which joints and masses do not
need. A common form cannot contain an error except in its lists of numbers, which are scanned for NaN; any
other form is parsed at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from unibody.text.number import may_hold_nan
from unibody.text.vrml.lexer import GAP, NAME, numbers_end

#: Node types of skipped shapes; a file may declare prototypes with these names.
WORDS = frozenset(
    (
        *("Shape", "Appearance", "Material", "Box", "Sphere", "Cylinder", "Cone", "IndexedFaceSet"),
        *("Coordinate", "Normal", "Color", "TextureCoordinate"),
    )
)

_APART = r"[\x00-\x20,]+"
_OVER = r"(?=[\x00-\x20,}])"
# Limited digits: these numbers are always finite.
_UNSIGNED = r"(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE][-+]?[0-9]{1,2})?"
_NUMBER = rf"[-+]?{_UNSIGNED}"
_POSITIVE = rf"(?=[0.]{{0,20}}[1-9]){_UNSIGNED}"
# 0 to 1: a color outside this range is reported.
_PART = r"(?:0?\.[0-9]{1,20}|0\.?|1(?:\.0{0,20})?)"
_TRUTH = r"(?:TRUE|FALSE)"
# A name is harmless if nothing in the file refers to it.
_DEF = rf"(?:DEF{_APART}{NAME}{_APART})?"
_NAMES = re.compile(rf"DEF{_APART}({NAME})")
_USED = re.compile(rf"USE{GAP}({NAME})")
_KEYS = re.compile(r"[a-z][A-Za-z]+")


def _fields(*fields: tuple[str, str]) -> str:
    """The pattern of any number of fields, given as (keys, pattern of the value).

    There is a gap before each field and none after the last: adjacent gaps would match in many ways.
    """
    each = "|".join(rf"(?:{keys}){_APART}{value}" for keys, value in fields)
    return rf"(?:{GAP}(?:{each}){_OVER})*"


_LOOKS = _fields(
    ("diffuseColor|specularColor|emissiveColor", rf"{_PART}(?:{_APART}{_PART}){{2}}"),
    ("ambientIntensity|shininess|transparency", _NUMBER),
)
# Groups: 1 the fields of a Material.
_LOOK = re.compile(
    rf"{GAP}appearance{_APART}{_DEF}Appearance{GAP}\{{{GAP}material{_APART}{_DEF}Material{GAP}\{{"
    rf"({_LOOKS}){GAP}\}}{GAP}\}}"
)
_PRIMITIVES = "|".join(
    rf"({tag}){GAP}\{{({fields}){GAP}\}}"
    for tag, fields in (
        ("Box", _fields(("size", rf"{_POSITIVE}(?:{_APART}{_POSITIVE}){{2}}"))),
        ("Sphere", _fields(("radius", _POSITIVE))),
        ("Cylinder", _fields(("radius|height", _POSITIVE), ("bottom|side|top", _TRUTH))),
        ("Cone", _fields(("bottomRadius|height", _POSITIVE), ("bottom|side", _TRUTH))),
    )
)
# Groups: 1 polygons that begin, then the type and the fields of each primitive.
_GEOMETRY = re.compile(rf"{GAP}geometry{_APART}{_DEF}(?:(IndexedFaceSet){GAP}\{{|{_PRIMITIVES})")
_HELD = "|".join(
    rf"({key}){_APART}{_DEF}{tag}{GAP}\{{{GAP}{field}"
    for key, tag, field in (
        ("coord", "Coordinate", "point"),
        ("normal", "Normal", "vector"),
        ("color", "Color", "color"),
        ("texCoord", "TextureCoordinate", "point"),
    )
)
_SINGLE = _fields(("ccw|convex|solid|colorPerVertex|normalPerVertex", _TRUTH), ("creaseAngle", _NUMBER))
# Groups: 1 fields without a list, 2 the name of a list, 3 to 6 that of a node that holds one, 7 the end.
_STEP = rf"({_SINGLE}){GAP}(?:(?:((?:coord|normal|color|texCoord)Index)|{_HELD}){GAP}\[|(\}}))"
_LIST, _END = 2, 7
_AFTER_LIST, _AFTER_NODE = re.compile(_STEP), re.compile(rf"{GAP}\}}{_STEP}")
_NEEDED = frozenset(("coord", "coordIndex"))
_CLOSED = re.compile(rf"{GAP}\}}")


class Used:
    """The names that a text refers to by USE, collected on first use."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._names: set[str] | None = None

    def any(self, names: list[str]) -> bool:
        """Whether one of ``names`` is used."""
        if self._names is None:
            self._names = set()
            at = self._text.find("USE")
            while at >= 0:
                if found := _USED.match(self._text, at):
                    self._names.add(found[1])
                at = self._text.find("USE", at + 3)
        return not self._names.isdisjoint(names)


#: The end of a skipped node, and the type of its geometry.
End = tuple[int, str]


def shape_end(text: str, at: int, used: Used) -> End | None:
    """The end of a Shape whose opening brace ends at ``at``; None for other than the common forms.

    ``used`` are the names that the text refers to.
    """
    look = _LOOK.match(text, at)
    geometry = _GEOMETRY.match(text, look.end() if look else at)
    if not geometry or not _plain(geometry, used):
        return None
    kind = geometry.lastindex or 0
    if kind == 1:
        found = faces_end(text, geometry.end(), used)
        if found is None:
            return None
        at, tag = found
    elif _once(geometry[kind]):
        at, tag = geometry.end(), geometry[kind - 1]
    else:
        return None
    if look is None:
        look = _LOOK.match(text, at)
        at = look.end() if look else at
    closed = _CLOSED.match(text, at)
    good = closed and (look is None or (_once(look[1]) and _plain(look, used)))
    return (closed.end(), tag) if closed and good else None


def faces_end(text: str, at: int, used: Used) -> End | None:
    """The same for an IndexedFaceSet."""
    fields, lists, step = "", set[str](), _AFTER_LIST
    while found := step.match(text, at):
        fields += found[1]
        kind = found.lastindex or _END
        if kind == _END:
            return (found.end(), "IndexedFaceSet") if lists >= _NEEDED and _once(fields) else None
        if found[kind] in lists:
            return None
        lists.add(found[kind])
        at = numbers_end(text, found.end())
        if at < 0 or may_hold_nan(text, found.end(), at) or not _plain(found, used):
            return None
        step = _AFTER_LIST if kind == _LIST else _AFTER_NODE
    return None


def _once(fields: str) -> bool:
    """Whether no field is repeated (words of comments included)."""
    keys = _KEYS.findall(fields)
    return len(set(keys)) == len(keys)


def _plain(found: re.Match[str], used: Used) -> bool:
    """Whether nothing refers to the nodes of a match."""
    return "DEF" not in found[0] or not used.any(_NAMES.findall(found[0]))


#: Finds the end of a node to be skipped: (text, offset after its opening brace, names in use).
Finder = Callable[[str, int, Used], End | None]
ENDS: Mapping[str, Finder] = {"Shape": shape_end, "IndexedFaceSet": faces_end}
