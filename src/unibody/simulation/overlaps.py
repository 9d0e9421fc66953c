"""Shapes that overlap where a motion begins.

Links of one robot that do are left out: their contacts would push them apart at once, although they move
together in the real robot. Robots, floors and obstacles are not, and jump.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.model.arrays import Floats, Indices
from unibody.model.traverse import path_of
from unibody.simulation.contacts import find_contacts
from unibody.simulation.engine import Engine, new_data
from unibody.simulation.silence import silent
from unibody.text.counted import listed
from unibody.text.finding import Findings

# Depth (m) of an overlap that matters, and the number of pairs that are named.
_DEEP, _NAMED = 1e-3, 6
# The most pairs of bodies that can be left out, the signature of no pair, behind all others, and that of
# reserved ones when they are compiled: of the world, which is body 0, and body 1.
_MOST, _NO_PAIR, _RESERVED = 1000, (1 << 31) - 1, 1


def reserve(spec: Any) -> int:
    """Add excludes to a spec that has a body, for pairs that are left out later; returns their number."""
    body = next(iter(spec.worldbody.bodies), None)
    if body is None:
        return 0
    if not body.name:
        body.name = "unibody body"
    count = len(spec.bodies)
    reserved = min(_MOST, count * (count - 1) // 2)
    for _ in range(reserved):
        spec.add_exclude(bodyname1="world", bodyname2=body.name)
    return reserved


def own_pairs(model: Any, reserved: int) -> Indices:
    """The signatures of the pairs that a compiled model excludes, without so many that are reserved."""
    signatures = np.sort(model.exclude_signature).astype(np.intp)
    first = int(np.searchsorted(signatures, _RESERVED))
    return np.delete(signatures, slice(first, first + reserved))


def release(model: Any, excluded: Indices) -> None:
    """Let a model with reserved excludes exclude these pairs only, by their signatures."""
    model.exclude_signature[:] = _NO_PAIR
    model.exclude_signature[: len(excluded)] = np.sort(excluded)


class LeftOut:
    """The pairs of links that overlap where the motion begins, and do not touch in this run.

    ``depths`` (m) are those of the pairs, by names.
    """

    def __init__(self, engine: Engine, active: bool) -> None:
        self.engine, self.active = engine, active
        self.depths: dict[tuple[str, str], float] = {}
        signatures = engine.model.exclude_signature
        self._own = signatures[signatures != _NO_PAIR].copy()

    def find(self) -> None:
        """Leave out what overlaps in the present state."""
        import mujoco

        if not self.active:
            return
        model, data, names = self.engine.model, self.engine.data, self.engine.names
        release(model, self._own)
        with silent:
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_collision(model, data)
        geoms, depths = np.array(data.contact.geom).reshape(-1, 2), -np.array(data.contact.dist)
        deep = (depths > _DEEP) & (geoms >= 0).all(axis=1)
        bodies = np.sort(model.geom_bodyid[geoms[deep]], axis=1)
        found: dict[tuple[int, int], float] = {}
        for (a, b), depth in zip(bodies.tolist(), depths[deep].tolist(), strict=True):
            # a robot is a tree below the world, whose own shapes are floors and obstacles
            if a and model.body_rootid[a] == model.body_rootid[b]:
                found[a, b] = max(depth, found.get((a, b), 0.0))
        room = len(model.exclude_signature) - len(self._own)
        pairs = sorted(found, key=lambda pair: -found[pair])[:room]
        release(model, np.concatenate([self._own, [(a << 16) + b for a, b in pairs]]).astype(np.intp))
        self.depths = {(names[a], names[b]): found[a, b] for a, b in pairs}

    def restore(self, model: Any) -> None:
        """Let a copy of the model test all pairs again."""
        release(model, self._own)

    def report(self, findings: Findings) -> None:
        """Report the pairs that are left out."""
        if not self.depths:
            return
        worst = max(self.depths, key=lambda pair: self.depths[pair])
        named = _deepest({f"{a!r} and {b!r}": depth for (a, b), depth in self.depths.items()}, "pair")
        findings.warning(
            "simulation-left-out",
            f"links of one robot overlap where the motion begins, and do not touch in this run: {named}",
            None,
            "begin at other positions, correct the collision shapes, or let them push each other apart "
            "(--pairs all, pairs='all')",
            subject=path_of("links", worst[1], "collisions"),
        )


def check_overlaps(engine: Engine, qpos: Floats, findings: Findings) -> None:
    """Report the links whose collision shapes overlap in a configuration of the engine.

    Planes that do not move are floors.
    """
    import mujoco

    model, data = engine.model, new_data(engine.model)
    with silent:
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_collision(model, data)
    contacts = find_contacts(model, data, engine.names)
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
            "begin at other positions, correct the collision shapes, or leave out the links of one robot "
            "(--pairs file)",
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
