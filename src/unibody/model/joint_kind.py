"""Joint kinds as records: numbers in q and v with their units, axes, limits, and replacing chains.

Everything that depends on the kind of a joint, except for the formulas of its motion, asks ``KINDS``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, NoReturn

JointKind = Literal[
    "fixed", "revolute", "prismatic", "screw", "ball", "universal", "planar", "free", "track"
]

#: Unit of a number of q or v; "1" is that of the four numbers of a quaternion (w, x, y, z).
JointUnit = Literal["rad", "m", "1"]

_QUATERNION: tuple[JointUnit, ...] = ("1", "1", "1", "1")


class KindRecord(NamedTuple):
    """What a kind of joint has.

    ``q_units`` and ``v_units`` (per second) have an entry for each number of q and v; a quaternion stands
    last in q. ``axes`` is the number of axes; a kind without axis has no limits of position either: both
    keep their defaults, so that equal robots compare equal. ``bounded``: ``limits.position`` bounds each
    number of q. ``periodic``: a full turn of an angle brings the child back to its pose. ``parts`` are
    the joints with one position, or fixed, that replace it where a format lacks it, in order from the
    parent. ``numbered``: formats with joint ids give it one. ``needs``: fields of ``Joint`` without which
    its motion is unknown.
    """

    q_units: tuple[JointUnit, ...] = ()
    v_units: tuple[JointUnit, ...] = ()
    axes: int = 0
    bounded: bool = False
    periodic: bool = False
    parts: tuple[JointKind, ...] = ()
    numbered: bool = True
    needs: tuple[str, ...] = ()

    @property
    def nq(self) -> int:
        """Number of entries in q."""
        return len(self.q_units)

    @property
    def nv(self) -> int:
        """Number of entries in v: the degrees of freedom."""
        return len(self.v_units)

    @property
    def scalars(self) -> int:
        """Number of entries in q before its quaternion: those that add up, each with one entry in v."""
        return self.q_units.index("1") if "1" in self.q_units else len(self.q_units)

    @property
    def has_quaternion(self) -> bool:
        """Whether the last four entries in q are a quaternion."""
        return "1" in self.q_units

    @property
    def slides(self) -> bool:
        """Whether some of its positions are distances."""
        return "m" in self.q_units

    @property
    def angular(self) -> bool:
        """Whether its positions are angles, and nothing else."""
        return bool(self.q_units) and set(self.q_units) == {"rad"}


def unknown_kind(kind: NoReturn) -> NoReturn:
    """Raise ValueError: the last case of a match on kinds, where mypy finds those that are left out."""
    raise ValueError(f"unknown joint kind {kind!r}")


#: Fields of ``KindRecord.needs`` in words, and what to do where they are missing.
NEEDED = {"pitch": "pitch", "axis2": "second axis"}
INCOMPLETE = {
    "pitch": "give its pitch (m/turn), or make it a revolute joint",
    "axis2": "give its second axis, or make it two revolute joints with a link between them",
}

#: The record of each kind of joint.
KINDS: dict[JointKind, KindRecord] = {
    "fixed": KindRecord(numbered=False),
    "revolute": KindRecord(("rad",), ("rad",), axes=1, bounded=True, periodic=True),
    "prismatic": KindRecord(("m",), ("m",), axes=1, bounded=True),
    "screw": KindRecord(
        ("rad",), ("rad",), axes=1, bounded=True, parts=("prismatic", "revolute"), needs=("pitch",)
    ),
    "ball": KindRecord(
        _QUATERNION, ("rad", "rad", "rad"), periodic=True, parts=("revolute", "revolute", "revolute")
    ),
    "universal": KindRecord(
        ("rad", "rad"),
        ("rad", "rad"),
        axes=2,
        bounded=True,
        periodic=True,
        parts=("revolute", "revolute"),
        needs=("axis2",),
    ),
    "planar": KindRecord(
        ("m", "m", "rad"),
        ("m", "m", "rad"),
        axes=1,
        periodic=True,
        parts=("prismatic", "prismatic", "revolute"),
    ),
    "free": KindRecord(
        ("m", "m", "m", *_QUATERNION),
        ("m", "m", "m", "rad", "rad", "rad"),
        periodic=True,
        parts=("prismatic", "prismatic", "prismatic", "revolute", "revolute", "revolute"),
        numbered=False,
    ),
    "track": KindRecord(axes=1, parts=("fixed",)),
}
