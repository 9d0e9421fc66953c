"""Coordinates of joints that MPK's normalized space lacks: universal joints, and what bounds let move."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.normalized_space import NormalizedSpace, range_of
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.joint_kind import KINDS, JointKind
from unibody.text.near import suggestion

#: Bounds by joint, or by the root link of a free base: one pair (low, high) for each bounded number.
Given: TypeAlias = Mapping[str, ArrayLike]

#: What the pairs of bounds are, of kinds without limits of their own; an angle may be left out.
_BOUNDED: dict[JointKind, tuple[str, ...]] = {
    "prismatic": ("position",),
    "screw": ("angle",),
    "planar": ("x", "y", "angle"),
    "free": ("x", "y", "z"),
}


@dataclass(frozen=True, slots=True, eq=False)
class OwnRanges:
    """Coordinates of single ``entries`` of q (k,), each from ``zero`` to ``one``; ``cyclic`` ones turn."""

    entries: Indices
    zero: Floats
    one: Floats
    cyclic: Flags

    @property
    def n(self) -> int:
        """How many there are."""
        return len(self.entries)

    def from_joints(self, q: Floats) -> Floats:
        """Map q (..., nq) to the coordinates (..., k), cyclic ones in [0, 1]."""
        x = (q[..., self.entries] - self.zero) / (self.one - self.zero)
        return np.where(self.cyclic & ((x < 0.0) | (x > 1.0)), x - np.floor(x), x)


def own_ranges(
    mechanism: Mechanism, space: NormalizedSpace, bounds: Given, still: Flags
) -> tuple[OwnRanges, Indices]:
    """The coordinates that a normalized space lacks, and the quaternions (r, 4) in q that move.

    Universal joints have two, each within the limits or a whole turn, unless the robot states coordinates.
    Entries that are ``still`` (nq,) have none. KeyError or ValueError for ``bounds`` of other joints.
    """
    found: list[tuple[int, float, float, bool]] = []
    turning: list[int] = []
    for name in space.unmapped:
        kind, at = _place(mechanism, name)
        if kind == "universal" and not mechanism.robot.coordinates:
            joint = mechanism.robot.joints[mechanism.joint_names.index(name)]
            ends = range_of(joint)
            if ends is not None and ends[0] != ends[1]:
                cyclic = joint.limits.position == (-math.inf, math.inf)
                found += [(at + number, *ends, cyclic) for number in range(2)]
        elif name in bounds:
            pairs = _pairs(name, kind, bounds[name])
            found += [(at + number, low, high, False) for number, (low, high) in enumerate(pairs)]
            if kind == "planar" and len(pairs) == 2:
                found.append((at + 2, -math.pi, math.pi, True))
            if KINDS[kind].has_quaternion:
                turning.append(at + KINDS[kind].scalars)
    for name in bounds:
        _check(mechanism, space, name)
    found = [each for each in found if not still[each[0]] and each[1] != each[2]]
    places = np.array([at for at in turning if not still[at]], np.intp).reshape(-1, 1) + np.arange(4)
    own = OwnRanges(
        entries=np.array([each[0] for each in found], np.intp),
        zero=np.array([each[1] for each in found], np.float64),
        one=np.array([each[2] for each in found], np.float64),
        cyclic=np.array([each[3] for each in found], bool),
    )
    return own, places


def unbounded_joints(
    mechanism: Mechanism, space: NormalizedSpace, bounds: Given, still: Flags
) -> tuple[str, ...]:
    """The joints, and the root link of a free base, that only a lack of bounds keeps still."""
    places = {name: _place(mechanism, name) for name in space.unmapped if name not in bounds}
    return tuple(name for name, (kind, at) in places.items() if kind in _BOUNDED and not still[at])


def _place(mechanism: Mechanism, name: str) -> tuple[JointKind, int]:
    """The kind of a joint, or of a free base by its link, and where it begins in q."""
    if name not in mechanism.joint_names:
        return "free", 0
    joint = mechanism.joint_names.index(name)
    return mechanism.tree.kinds[joint], int(mechanism.idx_q[joint])


def _pairs(name: str, kind: JointKind, given: ArrayLike) -> list[tuple[float, float]]:
    """The bounds of a joint: pairs of finite numbers, in order."""
    words = _BOUNDED.get(kind)
    if words is None:
        raise ValueError(f"{name!r} is a {kind} joint, which is not planned within bounds")
    pairs = np.asarray(given, np.float64)
    pairs = pairs[None] if pairs.shape == (2,) else pairs
    least = len(words) - (kind == "planar")
    if pairs.ndim != 2 or pairs.shape[1:] != (2,) or not least <= len(pairs) <= len(words):
        count = f"{least} or {len(words)}" if least != len(words) else f"{least}"
        numbers = f"({', '.join(words)}), got shape {pairs.shape}"
        raise ValueError(f"bounds of {name!r} must be {count} pairs of numbers {numbers}")
    for word, (low, high) in zip(words, pairs.tolist(), strict=False):
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            got = f"got {low:g} and {high:g} for its {word}"
            raise ValueError(f"bounds of {name!r} must be finite, the lower one first; {got}")
    return [(low, high) for low, high in pairs.tolist()]


def _check(mechanism: Mechanism, space: NormalizedSpace, name: str) -> None:
    """KeyError for bounds of an unknown joint, ValueError for those of one that its own limits bound."""
    known = [
        *mechanism.joint_names,
        *(each for each in space.unmapped if each not in mechanism.joint_names),
    ]
    if name not in known:
        raise KeyError(f"unknown joint {name!r}{suggestion(name, known)}")
    if name not in space.unmapped or _place(mechanism, name)[0] not in _BOUNDED:
        raise ValueError(
            f"bounds must be of a planar or free joint, a free base or a sliding joint without limits, "
            f"got {name!r}"
        )
