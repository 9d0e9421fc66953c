"""Declarations of Open Inventor's engines, which animate connected fields.

An engine follows the ``=`` of a connected field; the model uses the value written before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from unibody.document.declare import Tagged, element, key, node
from unibody.formats.inventor import values as v
from unibody.formats.inventor.kept import Kept, declared


@element
class Engine(Kept):
    """Base of the engines."""


_made: list[type[Tagged]] = []


def _engine(tag: str, doc: str, **fields: Any) -> None:
    _made.append(declared(tag, doc, Engine, **fields))


def _list_of(*names: str, type: Any, default: str) -> dict[str, Any]:
    return {name: key(type, v.numbers(default)) for name in names}


_engine(
    "ElapsedTime",
    "A clock.",
    timeIn=key(v.SF_TIME, 0.0, unit="s"),
    speed=key(v.SF_FLOAT, 1.0),
    on=key(v.SF_BOOL, True),
    pause=key(v.SF_BOOL, False),
    reset=key(v.SF_TRIGGER),
)
_engine(
    "OneShot",
    "A clock that runs once.",
    timeIn=key(v.SF_TIME, 0.0, unit="s"),
    duration=key(v.SF_TIME, 1.0, unit="s"),
    trigger=key(v.SF_TRIGGER),
    flags=key(v.bits("NONE", "RETRIGGERABLE", "HOLD_FINAL"), ("NONE",)),
    disable=key(v.SF_BOOL, False),
)
_COUNT = {
    "min": key(v.SF_SHORT, 0),
    "max": key(v.SF_SHORT, 1),
    "step": key(v.SF_SHORT, 1),
    "reset": key(v.SF_SHORT, 0),
}
_engine("Counter", "A counter.", **_COUNT, trigger=key(v.SF_TRIGGER))
_engine(
    "TimeCounter",
    "A counter of time.",
    timeIn=key(v.SF_TIME, 0.0, unit="s"),
    **_COUNT,
    on=key(v.SF_BOOL, True),
    frequency=key(v.SF_FLOAT, 1.0),
    duty=key(v.MF_FLOAT, v.numbers("1")),
    syncIn=key(v.SF_TRIGGER),
)
_engine("OnOff", "A switch.", **{name: key(v.SF_TRIGGER) for name in ("on", "off", "toggle")})
_engine("TriggerAny", "Any of ten triggers.", **{f"input{i}": key(v.SF_TRIGGER) for i in range(10)})
_engine("BoolOperation", "Logic.", a=key(v.MF_BOOL), b=key(v.MF_BOOL), operation=key(v.MF_ENUM, ("A",)))
_engine(
    "Calculator",
    "Formulas.",
    **_list_of(*"abcdefgh", type=v.MF_FLOAT, default="0"),
    **_list_of(*"ABCDEFGH", type=v.MF_VEC3F, default="0 0 0"),
    expression=key(v.MF_STRING, ("",)),
)
_engine("ComposeVec2f", "Vectors from components.", **_list_of("x", "y", type=v.MF_FLOAT, default="0"))
_engine("ComposeVec3f", "Vectors from components.", **_list_of("x", "y", "z", type=v.MF_FLOAT, default="0"))
_engine(
    "ComposeVec4f", "Vectors from components.", **_list_of("x", "y", "z", "w", type=v.MF_FLOAT, default="0")
)
_engine("DecomposeVec2f", "Components of vectors.", vector=key(v.MF_VEC2F, v.numbers("0 0")))
_engine("DecomposeVec3f", "Components of vectors.", vector=key(v.MF_VEC3F, v.numbers("0 0 0")))
_engine("DecomposeVec4f", "Components of vectors.", vector=key(v.MF_VEC4F, v.numbers("0 0 0 0")))
_engine(
    "ComposeRotation",
    "Rotations from axes and angles.",
    axis=key(v.MF_VEC3F, v.numbers("0 0 1")),
    angle=key(v.MF_FLOAT, v.numbers("0")),
)
_engine(
    "ComposeRotationFromTo",
    "Rotations between vectors.",
    from_=key(v.MF_VEC3F, v.numbers("0 0 1"), name="from"),
    to=key(v.MF_VEC3F, v.numbers("0 0 1")),
)
_engine(
    "DecomposeRotation", "Axes and angles of rotations.", rotation=key(v.MF_ROTATION, v.numbers("0 0 1 0"))
)
_engine(
    "ComposeMatrix",
    "Matrices from components.",
    translation=key(v.MF_VEC3F, v.numbers("0 0 0")),
    rotation=key(v.MF_ROTATION, v.numbers("0 0 1 0")),
    scaleFactor=key(v.MF_VEC3F, v.numbers("1 1 1")),
    scaleOrientation=key(v.MF_ROTATION, v.numbers("0 0 1 0")),
    center=key(v.MF_VEC3F, v.numbers("0 0 0")),
)
_engine(
    "DecomposeMatrix",
    "Components of matrices.",
    matrix=key(v.MF_MATRIX, v.numbers("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1")),
    center=key(v.MF_VEC3F, v.numbers("0 0 0")),
)
_engine(
    "TransformVec3f",
    "Vectors transformed by matrices.",
    vector=key(v.MF_VEC3F, v.numbers("0 0 0")),
    matrix=key(v.MF_MATRIX, v.numbers("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1")),
)
_engine("ComputeBoundingBox", "The bounding box of a scene.", scene=node(name="node"), path=key(v.SF_PATH))
for _name, _type, _zero in (
    ("Float", v.MF_FLOAT, "0"),
    ("Vec2f", v.MF_VEC2F, "0 0"),
    ("Vec3f", v.MF_VEC3F, "0 0 0"),
    ("Vec4f", v.MF_VEC4F, "0 0 0 0"),
    ("Rotation", v.MF_ROTATION, "0 0 1 0"),
):
    _engine(
        f"Interpolate{_name}",
        "Interpolation.",
        alpha=key(v.SF_FLOAT, 0.0),
        input0=key(_type, v.numbers(_zero)),
        input1=key(_type, v.numbers(_zero)),
    )

#: The nodes of this module by tag.
ENGINES: Mapping[str, type[Tagged]] = MappingProxyType({cls.__name__: cls for cls in _made})
