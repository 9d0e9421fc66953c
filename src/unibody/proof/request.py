"""The request that the loaders of all engines read (``loaders/exchange.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unibody.model.base import Base


def request_of(
    path: str,
    format: str,
    *,
    base: Base = "fixed",
    root: str = "",
    gravity: Sequence[float] = (0.0, 0.0, 0.0),
    joints: Sequence[Mapping[str, Any]] = (),
    order: Sequence[str] = (),
    bodies: Sequence[str] = (),
    free_joints: Mapping[str, str] | None = None,
    packages: Mapping[str, str] | None = None,
    loads_only: bool = False,
    trajectory: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What an engine is asked of a file: how to load it, and where the numbers of joints are.

    ``joints`` are those that are moved, each with its name, its kind and its places in q and v of the
    states, ``order`` the names of all joints that move and ``bodies`` those of all bodies, in the order of
    the file; ``free_joints`` are the names of free joints by the body that they move.
    ``trajectory`` are the length and number of steps of a motion, the damping of v, and the state from
    which it begins.
    """
    return {
        "model": path,
        "format": format,
        "base": base,
        "root": root,
        "gravity": list(gravity),
        "packages": dict(packages or {}),
        "joints": [dict(joint) for joint in joints],
        "order": list(order),
        "bodies": list(bodies),
        "free_joints": dict(free_joints or {}),
        "loads_only": loads_only,
        "trajectory": None if trajectory is None else dict(trajectory),
    }
