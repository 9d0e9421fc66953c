"""Shapes that overlap where a motion begins: the contacts push them apart at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.traverse import path_of
from unibody.simulation.contacts import find_contacts
from unibody.simulation.silence import silent
from unibody.text.counted import listed
from unibody.text.finding import Findings

# Depth (m) of an overlap that is reported, and the number of pairs that are named.
_DEEP, _NAMED = 1e-3, 6


def check_overlaps(model: Any, qpos: Floats, names: list[str], findings: Findings) -> None:
    """Report the links whose collision shapes overlap in a configuration of the engine.

    ``names`` (nbody) are the links of the engine's bodies; planes that do not move are floors.
    """
    import mujoco

    with silent:
        data = mujoco.MjData(model)
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_collision(model, data)
    contacts = find_contacts(model, data, names)
    plane = (model.geom_type == int(mujoco.mjtGeom.mjGEOM_PLANE)) & (
        model.body_weldid[model.geom_bodyid] == 0
    )
    on_floor = plane[np.array(data.contact.geom).reshape(-1, 2)].any(axis=1)
    among: dict[tuple[str, str], float] = {}
    sunk: dict[str, float] = {}
    depths = contacts.depths.tolist()
    for pair, depth, low in zip(contacts.links, depths, on_floor.tolist(), strict=True):
        if depth < _DEEP:
            continue
        if low:
            sunk[pair[1]] = max(depth, sunk.get(pair[1], 0.0))
        else:
            among[pair] = max(depth, among.get(pair, 0.0))
    if among:
        worst = max(among, key=lambda pair: among[pair])
        findings.warning(
            "simulation-overlap",
            f"links overlap where the motion begins, and are pushed apart: "
            f"{_deepest({f'{a!r} and {b!r}': depth for (a, b), depth in among.items()}, 'pair')}",
            None,
            "begin at other positions, correct the collision shapes, or let the links of a robot pass "
            "through one another (--pairs none, pairs='none')",
            subject=path_of("links", worst[1], "collisions"),
        )
    if sunk:
        findings.warning(
            "simulation-overlap",
            f"links are below the floor where the motion begins, and are pushed up: "
            f"{_deepest({repr(name): depth for name, depth in sunk.items()}, 'link')}",
            None,
            "begin above the floor (--above 0, reset(above=0.0)), or lower the floor",
            subject=path_of("links", max(sunk, key=lambda name: sunk[name]), "collisions"),
        )


def _deepest(depths: dict[str, float], noun: str) -> str:
    """What overlaps most, with depths, and how many more there are."""
    worst = sorted(depths, key=lambda name: -depths[name])
    return listed((f"{name} ({1e3 * depths[name]:.3g} mm)" for name in worst), _NAMED, noun)
