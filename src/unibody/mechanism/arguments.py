"""What callers give: positions by name or as arrays, checked, with messages that say what fits."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from unibody.mechanism.arrays import Array, Floats, floats, reals
from unibody.model.robot import JOINT_SIZE

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism

Positions = ArrayLike | Mapping[str, Any]

#: Numbers of a free base in q.
BASE_SIZE = 7


def positions(mechanism: Mechanism, q: Positions) -> Array:
    """q as an array (..., nq), from an array or a dict {joint name: position}."""
    if isinstance(q, Mapping):
        return _from_names(mechanism, q)
    array = reals(q, "q")
    if tuple(array.shape[-1:]) != (mechanism.nq,):
        raise _misfit(array, "q", (mechanism.nq,), _order(mechanism))
    return array


def shaped(values: Any, what: str, inner: tuple[int, ...]) -> Array:
    """An array of real numbers (..., *inner); ValueError that says ``what`` is none."""
    array = reals(values, what)
    if tuple(array.shape[-len(inner) :]) != inner:
        raise _misfit(array, what, inner)
    return array


def _misfit(array: Array, what: str, inner: tuple[int, ...], order: str = "") -> ValueError:
    expected = ", ".join(str(size) for size in ("...", *inner))
    return ValueError(f"{what} has shape {tuple(array.shape)}; expected ({expected}){order}")


def _from_names(mechanism: Mechanism, given: Mapping[str, Any]) -> Floats:
    q = mechanism.initial.copy()
    for name, value in given.items():
        start, size = _place(mechanism, name)
        numbers = floats(value, f"the position of {name!r}")
        if numbers.size != size or numbers.ndim > 1:
            plural = "" if size == 1 else "s"
            raise ValueError(f"{name!r} takes {size} number{plural}, got shape {numbers.shape}")
        q[start : start + size] = numbers
    return q


def _place(mechanism: Mechanism, name: str) -> tuple[int, int]:
    """Start and length of a joint's, or of the free base's, numbers in q."""
    if name in mechanism.joint_names:
        joint = mechanism.joint_names.index(name)
        return int(mechanism.idx_q[joint]), JOINT_SIZE[mechanism.robot.joints[joint].kind]
    root = mechanism.link_names[mechanism.order[0]]
    if mechanism.base == "free" and name == root:
        return 0, BASE_SIZE
    known = [*mechanism.joint_names, *([root] if mechanism.base == "free" else [])]
    raise KeyError(f"{mechanism.robot.name!r} has no joint {name!r}{near(name, known)}")


def _order(mechanism: Mechanism) -> str:
    base = "the base's xyz and quaternion (w, x, y, z)" if mechanism.base == "free" else ""
    moving = [joint.name for joint in mechanism.robot.joints if JOINT_SIZE[joint.kind]]
    names = ", ".join([*moving[:4], "..."] if len(moving) > 4 else moving)
    order = ", then ".join(part for part in (base, f"joints {names}" if names else "") if part)
    return f": {order}" if order else ""


def near(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that is nearest, if any is near."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
