"""Declaration of MPK robot files: all blocks and keywords of the reference, and the undocumented `frozen`.

Lengths are in meters unless the reader gets a scale, angles in radians; numbers are stored as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from unibody.document.declare import TEXT, Document, children, element, key, plan
from unibody.formats.mpk.values import (
    FILE,
    FLAG,
    INDEX,
    NAME,
    NUMBER,
    TRUTH,
    UNIT,
    WEIGHT,
    numbers,
)
from unibody.text.rob.parser import Block, Field


class Part(Document):
    """Base of all blocks; unknown words are reported by the parser and kept."""

    __slots__ = ()
    SKIPPED = True
    #: The field before the opening brace; None for a keyword with a fixed number of words.
    HEAD: ClassVar[str | None] = None
    #: The field that is written without its keyword.
    BARE: ClassVar[str] = ""
    #: Whether an unknown keyword is a warning instead of an error.
    LENIENT: ClassVar[bool] = False


@element
class ConstTransl(Part):
    """A constant translation, written ``ConstTransl x y z``."""

    KEY = "ConstTransl"
    translation: tuple[float, ...] | None = key(numbers(3), required=True, unit="m")


@element
class ConstRot(Part):
    """A constant rotation about an axis through the local origin, written ``ConstRot ax ay az angle``."""

    KEY = "ConstRot"
    axis: tuple[float, ...] | None = key(numbers(3), required=True)
    angle: float | None = key(NUMBER, required=True, unit="rad")


@element
class Transl1(Part):
    """A parameterized translation by (min + t·(max − min))·direction, t in [0, 1].

    Written ``Transl1 x y z min max``.
    """

    KEY = "Transl1"
    direction: tuple[float, ...] | None = key(
        numbers(3), required=True, doc="not normalized: its length scales the travel"
    )
    min: float | None = key(NUMBER, required=True, unit="m", doc="at t = 0")
    max: float | None = key(NUMBER, required=True, unit="m", doc="at t = 1; may be below `min`")


@element
class Rot1(Part):
    """A parameterized rotation by min + t·(max − min) about an axis through the local origin.

    Written ``Rot1 ax ay az min max``.
    """

    KEY = "Rot1"
    axis: tuple[float, ...] | None = key(numbers(3), required=True)
    min: float | None = key(NUMBER, required=True, unit="rad", doc="at t = 0")
    max: float | None = key(NUMBER, required=True, unit="rad", doc="at t = 1; may be below `min`")


@element
class ConstTranslRot1(Part):
    """A constant translation and a parameterized rotation: Tq = Transl · Rot.

    Written ``ConstTransl_Rot1 x y z ax ay az min max``.
    """

    KEY = "ConstTransl_Rot1"
    translation: tuple[float, ...] | None = key(numbers(3), required=True, unit="m")
    axis: tuple[float, ...] | None = key(numbers(3), required=True)
    min: float | None = key(NUMBER, required=True, unit="rad", doc="at t = 0")
    max: float | None = key(NUMBER, required=True, unit="rad", doc="at t = 1; may be below `min`")


@element
class Joint(Part):
    """A link and the joint to its parent.

    Constant transforms are multiplied in file order and are followed by at most one parameterized
    transform.
    """

    KEY = "joint"
    HEAD = "name"
    name: str | None = key(NAME, required=True, doc="written before the brace")
    parent: str | None = key(
        NAME, refers="links", doc="a joint without parent is a root, fixed to the scene"
    )
    transforms: list[Any] = children(ConstTransl, ConstRot, Transl1, Rot1, ConstTranslRot1, by="key")
    param: int | None = key(
        INDEX, refers="coordinates", doc="index of the parameter that drives the joint; default 0"
    )
    model0: str | None = key(FILE, doc="Open Inventor file, drawn and tested for collisions")
    model1: str | None = key(FILE, doc="second collision model")
    coll: bool = key(TRUTH, True, doc="FALSE: drawn, but not tested for collisions")
    trace_point: bool = key(FLAG, False, name="tracePoint", doc="draws the path of the joint's origin")


@element
class Pair(Part):
    """Two joints whose models are tested against each other."""

    first: str | None = key(NAME, required=True, refers="links")
    second: str | None = key(NAME, required=True, refers="links")


@element
class SelfCollision(Part):
    """The pairs of joints that are tested for self-collision; other pairs are not tested."""

    KEY = "selfcoll"
    HEAD = ""
    BARE = "pair"
    pairs: list[Pair] = children(Pair, name="pair", doc="two joint names, without a keyword")


@element
class Parameter(Part):
    """Options of one parameter."""

    HEAD = "index"
    LENIENT = True
    index: int | None = key(INDEX, required=True, names="coordinates", doc="written before the brace")
    cyclic: bool = key(FLAG, False, doc="wraps around at 0 and 1")
    passive: bool = key(FLAG, False, doc="ignored by planners, moved by animations")
    frozen: bool = key(FLAG, False, doc="never moves; not in the reference")
    weight: float = key(WEIGHT, 1.0, doc="weight in the norm of configurations")
    default: float = key(UNIT, 0.5)


@element
class Parameters(Part):
    """Options of the parameters."""

    KEY = "param"
    HEAD = ""
    BARE = "parameter"
    parameters: list[Parameter] = children(Parameter, name="parameter", doc="an index and its options")


def _kept() -> type[Document]:
    return Parameters


@element
class Robot(Part):
    """A robot file. Parameters that drive no joint are kept beside its blocks."""

    HEAD = ""
    KEPT = staticmethod(_kept)
    version: str = key(TEXT, "1.0", doc="from the first line, `#MPK v1.0 robot`")
    items: list[Any] = children(Joint, SelfCollision, Parameters, by="key")


#: The class of the owner of an extra, by the list of the robot that has it.
OWNERS: Mapping[str, type[Document]] = {"": Robot, "links": Joint, "coordinates": Parameter}


def arity(cls: type[Part]) -> Block:
    """The number of words after each keyword of a block, for the parser; derived from the declarations.

    >>> arity(Joint).fields["ConstRot"].arity
    4
    """
    fields: dict[str, Field | Block] = {}
    for spec in plan(cls).fields.values():
        if spec.type is not None:
            if spec.key not in (cls.HEAD, "version"):
                fields[spec.key] = Field((("", spec.type.arity or 0),))
            continue
        for written, member in spec.members.items():
            block = issubclass(member, Part) and member.HEAD is not None
            fields[written or spec.key] = arity(cast(type[Part], member)) if block else _field(member)
    return Block(fields, cls.HEAD or "", cls.BARE, cls.LENIENT)


def _field(cls: type[Document]) -> Field:
    specs = plan(cls).fields.values()
    return Field(tuple((s.key, s.type.arity or 0) for s in specs if s.type is not None))


ARITY = arity(Robot)
