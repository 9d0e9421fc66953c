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

    ``q_units`` and ``v_units`` (per second) have an entry for each number of q and v, of which there are
    ``nq`` and ``nv``. The first ``scalars`` numbers of q add up, each with one number of v; if it
    ``has_quaternion``, its four numbers stand last. ``slides``: some positions are distances;
    ``angular``: all are angles.

    ``axes`` is the number of axes; a kind without axis has no limits of position either: both keep their
    defaults, so that equal robots compare equal. ``bounded``: ``limits.position`` bounds each number of
    q. ``periodic``: a full turn of an angle brings the child back to its pose. ``parts`` are the joints
    with one position, or fixed, that replace it where a format lacks it, in order from the parent.
    ``numbered``: formats with joint ids give it one. ``needs``: fields of ``Joint`` without which its
    motion is unknown.
    """

    q_units: tuple[JointUnit, ...]
    v_units: tuple[JointUnit, ...]
    nq: int
    nv: int
    scalars: int
    has_quaternion: bool
    slides: bool
    angular: bool
    axes: int
    bounded: bool
    periodic: bool
    parts: tuple[JointKind, ...]
    numbered: bool
    needs: tuple[str, ...]


def _record(
    q_units: tuple[JointUnit, ...] = (),
    v_units: tuple[JointUnit, ...] = (),
    *,
    axes: int = 0,
    bounded: bool = False,
    periodic: bool = False,
    parts: tuple[JointKind, ...] = (),
    numbered: bool = True,
    needs: tuple[str, ...] = (),
) -> KindRecord:
    return KindRecord(
        q_units=q_units,
        v_units=v_units,
        nq=len(q_units),
        nv=len(v_units),
        scalars=len(q_units) - q_units.count("1"),
        has_quaternion="1" in q_units,
        slides="m" in q_units,
        angular=set(q_units) == {"rad"},
        axes=axes,
        bounded=bounded,
        periodic=periodic,
        parts=parts,
        numbered=numbered,
        needs=needs,
    )


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
    "fixed": _record(numbered=False),
    "revolute": _record(("rad",), ("rad",), axes=1, bounded=True, periodic=True),
    "prismatic": _record(("m",), ("m",), axes=1, bounded=True),
    "screw": _record(
        ("rad",), ("rad",), axes=1, bounded=True, parts=("prismatic", "revolute"), needs=("pitch",)
    ),
    "ball": _record(
        _QUATERNION, ("rad", "rad", "rad"), periodic=True, parts=("revolute", "revolute", "revolute")
    ),
    "universal": _record(
        ("rad", "rad"),
        ("rad", "rad"),
        axes=2,
        bounded=True,
        periodic=True,
        parts=("revolute", "revolute"),
        needs=("axis2",),
    ),
    "planar": _record(
        ("m", "m", "rad"),
        ("m", "m", "rad"),
        axes=1,
        periodic=True,
        parts=("prismatic", "prismatic", "revolute"),
    ),
    "free": _record(
        ("m", "m", "m", *_QUATERNION),
        ("m", "m", "m", "rad", "rad", "rad"),
        periodic=True,
        parts=("prismatic", "prismatic", "prismatic", "revolute", "revolute", "revolute"),
        numbered=False,
    ),
    "track": _record(axes=1, parts=("fixed",)),
}
