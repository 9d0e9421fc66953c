"""Value types of OpenHRP's nodes beyond those of VRML97."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from unibody.document.declare import ValueType, Wrong, describe, half_read, noted
from unibody.formats.vrml97.values import SF_VEC3F, floats, one_of
from unibody.text.node import Numbers, Value, Word
from unibody.text.number import format_float

JOINT_TYPES = ("free", "rotate", "slide", "fixed", "crawler", "pseudoContinuousTrack")
LETTERS = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def _axis(value: Value) -> Any:
    """Parse a vector, or a quoted letter of OpenHRP 2."""
    if not isinstance(value, Word) or not value.quote:
        return SF_VEC3F.parse(value)
    if value.text in LETTERS:
        return value.text
    letter = value.text.upper()
    if letter in LETTERS:
        raise Wrong(f'"{value.text}" must be written "{letter}"', at=value, value=letter)
    # Choreonoid and OpenHRP accept any text, and leave the axis undefined or zero (facts B.5)
    raise Wrong(
        f'must be "X", "Y", "Z" or three numbers, not {describe(value)}; using Z',
        at=value,
        code="not-a-choice",
        value="Z",
        hint="write the axis as a vector",
    )


def _show_axis(value: Any) -> Value:
    return Word(value, quote='"') if isinstance(value, str) else SF_VEC3F.print(value)


def axis_vector(value: Any) -> tuple[float, float, float]:
    """The vector of an axis value."""
    return LETTERS[value] if isinstance(value, str) else value


#: A vector (the reference), or one of three letters (OpenHRP 2 and older).
AXIS = ValueType(
    "SFVec3f, or X, Y, Z",
    _axis,
    _show_axis,
    3,
    {"anyOf": [dict(SF_VEC3F.schema), {"enum": list(LETTERS)}]},
    ((0.5, -1.0, 2.0), "Y"),
)

# OpenHRP reads any other text as free (facts B.5).
_TYPE = one_of(*JOINT_TYPES, assumed="free")


def _joint_type(value: Value) -> str:
    """Parse a joint type; "" (the default of the PROTO) is reported later, with the name of the Joint."""
    return "" if isinstance(value, Word) and value.quote and not value.text else str(_TYPE.parse(value))


#: The type of a Joint, "" if missing.
JOINT_TYPE = replace(_TYPE, parse=_joint_type)


def _moments(value: Value) -> tuple[float, ...]:
    """Parse nine numbers row by row, or none for zero; further ones are ignored, as in Choreonoid (B.6).

    Choreonoid accepts fewer, too, and leaves the others undefined.
    """
    odd: list[Wrong] = []
    out: tuple[float, ...] = half_read(floats, value, odd)
    if len(out) in (0, 9):
        return noted(out or (0.0,) * 9, odd)  # type: ignore[no-any-return]
    if len(out) > 9:
        message = f"must have 9 numbers, not {len(out)}; using the first 9"
        raise Wrong(message, at=value, code="number-count", value=out[:9])
    raise Wrong(
        f"must have 9 numbers, not {len(out)}; using 0 for the others",
        at=value,
        code="number-count",
        value=(*out, *(0.0,) * (9 - len(out))),
        hint="write the tensor row by row: Ixx Ixy Ixz Iyx Iyy Iyz Izx Izy Izz",
    )


def _show_numbers(values: Any) -> Numbers:
    return Numbers(" ".join(format_float(v) for v in values), form="[")


#: An inertia tensor, row by row.
MOMENTS = ValueType(
    "MFFloat of 9",
    _moments,
    _show_numbers,
    None,
    {"type": "array", "items": {"type": "number"}, "minItems": 9, "maxItems": 9},
    ((1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.5),),
)
