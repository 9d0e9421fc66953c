"""The gravity of MJCF, which its options state or switch off."""

from __future__ import annotations

from collections.abc import Sequence

from unibody.formats.mjcf import document as d
from unibody.model.pose import ZERO, Vector3
from unibody.text.node import Item, Node, Value, Word

_KEY, _FLAGS, _OFF = "gravity", "flag", "disable"


def gravity_of(doc: d.Mujoco) -> Vector3 | None:
    """The gravity (m/s²) that the options of a file state, the last of several; None if none does.

    It is zero where a flag switches it off.
    """
    stated: Vector3 | None = None
    is_off = False
    for option in doc.items:
        if not isinstance(option, d.Option):
            continue
        if _KEY in option.given:
            x, y, z = option.gravity
            stated = (x, y, z)
        if option.flag is not None and _KEY in option.flag.given:
            is_off = option.flag.gravity == _OFF
    return ZERO if is_off else stated


def without_gravity(items: Sequence[Item]) -> list[Item]:
    """The items of ``<option>`` that do not state the gravity; a flag that leaves it on does not."""
    out: list[Item] = []
    for key, value, at in items:
        if key == _FLAGS and isinstance(value, Node):
            flags = [flag for flag in value.items if flag[0] != _KEY or not _is_off(flag[1])]
            if flags or not value.items:
                out.append((key, Node(value.tag, flags) if flags != value.items else value, at))
        elif key != _KEY:
            out.append((key, value, at))
    return out


def _is_off(value: Value) -> bool:
    """Whether a flag switches off what it is about."""
    return isinstance(value, Word) and value.text == _OFF
