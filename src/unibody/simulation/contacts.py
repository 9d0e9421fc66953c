"""Contacts: the parameters of surfaces in the engine's model, and the contacts of a state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats
from unibody.simulation.materials import DEFAULT, MaterialTable, PairValues

#: Time constant (s) and damping ratio of contacts: bodies rest well below 1 mm deep at steps of 1 ms.
SOLREF = (0.004, 1.0)
# MuJoCo's own values of a geom, which a file that gives none has.
_ENGINE_FRICTION, _ENGINE_SOLREF = (1.0, 0.005, 0.0001), (0.02, 1.0)
_MOST_PAIRS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contacts:
    """The contacts of a state, n points, in the world's axes.

    ``links`` are pairs of names; ``normals`` (n, 3) point from the first to the second link, ``forces``
    (n, 3, in N) and ``moments`` (n, 3, in N·m) act on the second link at ``points`` (n, 3, in m), and
    ``depths`` (n,) say how deep the shapes overlap (m).
    """

    links: tuple[tuple[str, str], ...]
    points: Floats
    normals: Floats
    forces: Floats
    moments: Floats
    depths: Floats

    def __len__(self) -> int:
        return len(self.links)

    def force_on(self, link: str) -> Floats:
        """The sum of the contact forces on a link (3,), in N, in the world's axes."""
        total = np.zeros(3)
        for (first, second), force in zip(self.links, self.forces, strict=True):
            if second == link:
                total += force
            if first == link:
                total -= force
        return total


def find_contacts(model: Any, data: Any, names: list[str]) -> Contacts:
    """The contacts after ``mj_forward``; ``names`` (nbody) are the links of the engine's bodies."""
    count = data.ncon
    wrenches = _wrenches(model, data, range(count))
    frames = np.array(data.contact.frame).reshape(count, 3, 3)
    geoms = np.array(data.contact.geom).reshape(count, 2)
    pairs = [
        tuple(names[model.geom_bodyid[geom]] if geom >= 0 else "" for geom in pair)
        for pair in geoms.tolist()
    ]
    return Contacts(
        links=tuple((a, b) for a, b in pairs),
        points=np.array(data.contact.pos).reshape(count, 3),
        normals=frames[:, 0].copy(),
        forces=np.einsum("nij,ni->nj", frames, wrenches[:, :3]),
        moments=np.einsum("nij,ni->nj", frames, wrenches[:, 3:]),
        depths=-np.array(data.contact.dist).reshape(count),
    )


def pressing_force(model: Any, data: Any, body: int) -> float:
    """The sum of the normal forces (N) of the contacts of an engine's body, after ``mj_forward``."""
    geoms = np.array(data.contact.geom).reshape(data.ncon, 2)
    own = ((geoms >= 0) & (model.geom_bodyid[geoms] == body)).any(axis=1)
    return float(_wrenches(model, data, np.flatnonzero(own).tolist())[:, 0].sum())


def _wrenches(model: Any, data: Any, contacts: Sequence[int]) -> Floats:
    """Force (N) and moment (N·m) of contacts (n, 6), in their frames, whose first axis is the normal."""
    import mujoco

    wrenches, wrench = np.zeros((len(contacts), 6)), np.zeros(6)
    for row, number in enumerate(contacts):
        mujoco.mj_contactForce(model, data, number, wrench)
        wrenches[row] = wrench
    return wrenches


def body_pairs(model: Any, planes: bool = True) -> NDArray[np.bool_]:
    """Whether the shapes of two bodies may touch, (nbody, nbody), by bits, neighborhood and excludes.

    Without ``planes`` other shapes than planes are meant.
    """
    import mujoco

    count = model.nbody
    own, seen = np.zeros(count, np.int64), np.zeros(count, np.int64)
    meant = np.asarray(planes | (model.geom_type != int(mujoco.mjtGeom.mjGEOM_PLANE)))
    bodies = model.geom_bodyid[meant]
    np.bitwise_or.at(own, bodies, model.geom_contype[meant].astype(np.int64))
    np.bitwise_or.at(seen, bodies, model.geom_conaffinity[meant].astype(np.int64))
    can = (own[:, None] & seen[None, :]) != 0
    can |= can.T
    weld = model.body_weldid
    can &= weld[:, None] != weld[None, :]
    if not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT:
        above = weld[model.body_parentid[weld]]
        near = (above[:, None] == weld[None, :]) & (weld != 0)[None, :] & (weld != 0)[:, None]
        can &= ~(near | near.T)
    for signature in model.exclude_signature.tolist():
        a, b = signature >> 16, signature & 0xFFFF
        can[a, b] = can[b, a] = False
    for a, b in zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True):
        one, two = model.geom_bodyid[a], model.geom_bodyid[b]
        if meant[a] and meant[b]:
            can[one, two] = can[two, one] = True
    if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONTACT:
        can[:] = False
    return np.asarray(can)


def set_surfaces(
    spec: Any,
    model: Any,
    materials: list[str],
    table: MaterialTable,
    step: float,
    solref: tuple[float, float] | None = None,
) -> None:
    """Give the geoms of a spec the friction and restitution of their materials.

    ``materials`` (nbody) are those of the engine's bodies. The engine uses the larger friction of two
    geoms; pairs of materials that this does not reproduce, or that bounce, become contact pairs. Values
    that the model's file gives are kept, except that ``solref`` is that of all contacts if it is given.
    """
    stated = {geom.id for geom in spec.geoms if not np.allclose(geom.friction, _ENGINE_FRICTION)}
    named = [materials[body] for body in model.geom_bodyid.tolist()]
    can = body_pairs(model)
    solid = [
        geom
        for geom in range(model.ngeom)
        if (model.geom_contype[geom] or model.geom_conaffinity[geom]) and geom not in stated
    ]
    used = sorted({named[geom] for geom in solid} | {DEFAULT})
    values = {frozenset(pair): table.pair(*pair) for pair in combinations_with_replacement(used, 2)}
    least = {a: min(values[frozenset((a, b))].sliding for b in used) for a in used}
    by_id = {geom.id: geom for geom in spec.geoms}
    for geom in range(model.ngeom):
        one = by_id[geom]
        if solref is not None:
            one.solref = list(solref)
        elif np.allclose(one.solref, _ENGINE_SOLREF):
            one.solref = [max(SOLREF[0], 2.0 * step), SOLREF[1]]
        if geom in solid:
            one.friction = [least[named[geom]], *_ENGINE_FRICTION[1:]]
    special = {
        both
        for both, value in values.items()
        if value.restitution > 0.0 or not math.isclose(value.sliding, max(least[name] for name in both))
    }
    if solref is not None:
        for pair in spec.pairs:
            pair.solref = list(solref)
    made = 0
    for place, a in enumerate(solid):
        for b in solid[place + 1 :]:
            pair = frozenset((named[a], named[b]))
            if pair not in special or not can[model.geom_bodyid[a], model.geom_bodyid[b]]:
                continue
            if not _bits_meet(model, a, b) or made >= _MOST_PAIRS:
                continue
            _add_pair(spec, by_id[a], by_id[b], values[pair], step)
            made += 1


def _bits_meet(model: Any, a: int, b: int) -> bool:
    types, affinities = model.geom_contype, model.geom_conaffinity
    return bool(types[a] & affinities[b] or types[b] & affinities[a])


def _add_pair(spec: Any, a: Any, b: Any, value: PairValues, step: float) -> None:
    for geom in (a, b):
        if not geom.name:
            geom.name = f"unibody geom {geom.id}"
    solref = _bouncing(value.restitution, step) if value.restitution > 0.0 else list(a.solref)
    friction = value.sliding
    spec.add_pair(
        geomname1=a.name,
        geomname2=b.name,
        condim=3,
        friction=[friction, friction, _ENGINE_FRICTION[1], _ENGINE_FRICTION[2], _ENGINE_FRICTION[2]],
        solref=solref,
        solreffriction=list(a.solref),
    )


def _bouncing(restitution: float, step: float) -> list[float]:
    """Stiffness and damping (negative: per unit of mass) of a contact that bounces."""
    frequency = 0.5 / step
    log = math.log(min(restitution, 1.0))
    ratio = -log / math.hypot(math.pi, log)
    return [-(frequency**2), -2.0 * ratio * frequency]
