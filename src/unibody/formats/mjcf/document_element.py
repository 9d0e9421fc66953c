"""What the declarations of MJCF are made of: the base of its elements, names, and types of values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from unibody.document.declare import Document, element
from unibody.document.values import INTEGER, ValueType, Wrong, choice, describe, to_word, word
from unibody.text.fixes import without_commas
from unibody.text.near import did_you_mean, near
from unibody.text.node import Value, Word
from unibody.text.number import format_float


@element
class Element(Document):
    """Base of all elements: what it is and what it belongs to is written first, then where it is.

    ``DEFAULT`` is the tag of the element of a default class that has its values, if it is not its own.
    """

    DEFAULT: ClassVar[str] = ""
    LEADING = (
        "name", "class_", "childclass", "type", "texture", "file", "mesh", "hfield", "joint", "tendon",
        "site", "body", "body1", "body2", "site1", "site2", "joint1", "joint2", "geom1", "geom2", "mass",
        "pos", "axis", "quat", "size", "range",
    )  # fmt: skip


def tag_of(doc: Document) -> str:
    """The tag of an element."""
    return doc.node.tag if doc.node is not None else getattr(doc, "KEY", "")


def nested(docs: Iterable[Document]) -> Iterator[Document]:
    """Elements and all those inside, in document order."""
    todo = [*docs][::-1]
    while todo:
        doc = todo.pop()
        yield doc
        todo += getattr(doc, "items", [])[::-1]


# --- names ------------------------------------------------------------------------------

#: Sites are frames of the model, or stand in the world.
SITES = ("frames", "sites")
CAMERAS = ("devices", "cameras")
#: The names that an object type of MuJoCo stands for; none if edits do not change them.
OBJECTS: Mapping[str, tuple[str, ...]] = {
    "body": ("links",),
    "xbody": ("links",),
    "joint": ("joints",),
    "geom": ("geoms",),
    "site": SITES,
    "camera": CAMERAS,
    "light": ("devices", "lights"),
    "flex": ("flexes",),
    "tendon": ("tendons",),
    "equality": ("equalities",),
    "actuator": ("actuators",),
    "sensor": ("devices", "sensors"),
    "mesh": (),
    "hfield": (),
    "material": (),
    "texture": (),
}
#: The attributes that name the default class of an element, and of those inside.
CLASS_WORDS = ("class", "childclass")


# --- types of values --------------------------------------------------------------------

#: What the controls of an actuator may be, in the order in which several are written and of MuJoCo's bits.
SIGNALS = ("pos", "vel", "ff", "voltage", "none", "pressure")
#: The same of an actuator that turns a ball.
CHARTS = ("expmap", "quat")
_INPUTS = (*SIGNALS, *CHARTS)
_HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F]")


def _number(text: str, value: Value) -> float:
    """A number as MuJoCo reads it: infinite and hexadecimal ones are legal, NaN is not."""
    try:
        out = float.fromhex(text) if _HEXADECIMAL.match(text) else float(text)
    except (ValueError, OverflowError):
        fix = without_commas if "," in text else None
        raise Wrong(
            f"must be numbers separated by spaces, not {describe(value)}", at=value, fix=fix
        ) from None
    if math.isnan(out) or "_" in text:
        raise Wrong(f"must be a number, not '{text}'", at=value, code="number-not-finite")
    return out


def _one(value: Value) -> float:
    parts = word(value).split()
    if len(parts) != 1:
        raise Wrong(f"must be one number, not {describe(value)}", at=value, code="number-count")
    return _number(parts[0], value)


def _flag(value: Value) -> bool:
    text = word(value)
    if text not in ("true", "false"):
        suggestion = text.lower() if text.lower() in ("true", "false") else ""
        raise Wrong(
            f"must be true or false, not {describe(value)}",
            at=value,
            code="not-a-choice",
            suggestion=suggestion,
        )
    return text == "true"


def _show(values: Sequence[float]) -> Word:
    return Word(" ".join(map(format_float, values)))


def _numbers(least: int, most: int | None, expected: str) -> Callable[[Value], tuple[float, ...]]:
    def parse(value: Value) -> tuple[float, ...]:
        parts = word(value).split()
        try:
            out = tuple(map(float, parts))
            good = not any(map(math.isnan, out)) and "_" not in value.text  # type: ignore[union-attr]
        except ValueError:
            good = False
        if not good:
            out = tuple([_number(part, value) for part in parts])
        if not least <= len(out) or (most is not None and len(out) > most):
            shown = f"{len(out)}: {describe(value)}" if out else "none"
            raise Wrong(f"must have {expected}, not {shown}", at=value, code="number-count")
        return out

    return parse


def _inputs(value: Value) -> str:
    text = word(value)
    words = text.split()
    unknown = [each for each in words if each not in _INPUTS]
    if unknown:
        alike = near(unknown[0], _INPUTS)
        raise Wrong(
            f"must be some of {', '.join(_INPUTS)}, not {describe(value)}",
            at=value,
            code="not-a-choice",
            hint=did_you_mean(alike),
            suggestion=alike,
        )
    places = [_INPUTS.index(each) for each in words]
    if any(second <= first for first, second in pairwise(places)):
        raise Wrong(f"must be in the order {', '.join(_INPUTS)}, not {describe(value)}", at=value)
    return " ".join(words)


def _vector(least: int, most: int) -> ValueType:
    expected = f"{most} numbers" if least == most else f"{least} to {most} numbers"
    sizes = tuple(range(least, most + 1))
    samples = tuple(tuple(0.5 * i - size for i in range(1, size + 1)) for size in (least, most))
    schema = {"type": "string", "words": sizes}
    return ValueType(expected, _numbers(least, most, expected), _show, 1, schema, samples)


def exactly(count: int) -> ValueType:
    """``count`` numbers."""
    return _vector(count, count)


def up_to(count: int) -> ValueType:
    """1 to ``count`` numbers."""
    return _vector(1, count)


NUMBER = ValueType("number", _one, to_word, 1, {"type": "number"}, (0.5, -2.0, 1e-7))
PAIR, TRIPLE, FOUR, SIX = exactly(2), exactly(3), exactly(4), exactly(6)
#: Any number of numbers.
NUMBERS = ValueType(
    "numbers", _numbers(0, None, "numbers"), _show, 1, {"type": "string"}, ((), (1.0, -0.5, 3.0))
)
FLAG = ValueType("true or false", _flag, to_word, 1, {"enum": ["true", "false"]}, (True, False))
AUTO = choice("false", "true", "auto")
#: What the controls of an actuator are.
INPUTS = ValueType(
    f"some of {', '.join(_INPUTS)}", _inputs, to_word, 1, {"type": "string"}, ("pos", "pos vel", "")
)
ENABLE = choice("disable", "enable")
INTERPOLATION = choice("zoh", "linear", "cubic")
FRAME_OBJECT = choice("body", "xbody", "geom", "site", "camera")

__all__ = [
    "AUTO",
    "CHARTS",
    "ENABLE",
    "FLAG",
    "FOUR",
    "FRAME_OBJECT",
    "INPUTS",
    "INTEGER",
    "INTERPOLATION",
    "NUMBER",
    "NUMBERS",
    "PAIR",
    "SIGNALS",
    "SIX",
    "TRIPLE",
    "exactly",
    "up_to",
]
