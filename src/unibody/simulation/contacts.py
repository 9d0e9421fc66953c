"""Contacts: the parameters of surfaces in the engine's model, and the contacts of a state."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats
from unibody.model.robot import Robot
from unibody.model.shape import Contact, Shape
from unibody.simulation.materials import DEFAULT, MaterialTable, PairValues

#: Time constant (s) and damping ratio of contacts: bodies rest well below 1 mm deep at steps of 1 ms.
SOLREF = (0.004, 1.0)
# MuJoCo's own friction of a geom.
_ENGINE_FRICTION = (1.0, 0.005, 0.0001)
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


def find_contacts(model: Any, data: Any, names: Sequence[str]) -> Contacts:
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
        if a >= count:
            continue  # a reserved one
        can[a, b] = can[b, a] = False
    for a, b in zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True):
        one, two = model.geom_bodyid[a], model.geom_bodyid[b]
        if meant[a] and meant[b]:
            can[one, two] = can[two, one] = True
    if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CONTACT:
        can[:] = False
    return np.asarray(can)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surfaces:
    """The values of shapes whose files state none, by the material of their link.

    The engine takes the larger friction of two shapes: ``least`` is that of each material. The ``special``
    pairs of materials are those that this does not reproduce, or that bounce.
    """

    values: Mapping[frozenset[str], PairValues]
    least: Mapping[str, float]
    special: frozenset[frozenset[str]]
    solref: tuple[float, float]


def find_surfaces(materials: Iterable[str], floor: str, table: MaterialTable, step: float) -> Surfaces:
    """The values of these materials; ``floor`` is that of a plane, which adds no friction of its own."""
    named = set(materials)
    used = sorted({*named, floor, DEFAULT})
    values = {frozenset(pair): table.pair(*pair) for pair in combinations_with_replacement(used, 2)}
    least = {a: min(values[frozenset((a, b))].sliding for b in used) for a in used} | {floor: 0.0}
    special = frozenset(
        both
        for both, value in values.items()
        # floors do not meet one another
        if (both != {floor} or floor in named)
        and (value.restitution > 0.0 or not math.isclose(value.sliding, max(least[name] for name in both)))
    )
    solref = (max(SOLREF[0], 2.0 * step), SOLREF[1])
    return Surfaces(values=values, least=least, special=special, solref=solref)


def with_surfaces(robot: Robot, materials: Mapping[str, str], surfaces: Surfaces) -> Robot:
    """The robot with contact values for what the files of the links that have ``materials`` leave open."""
    links = []
    for link in robot.links:
        if link.collisions and link.name in materials:
            friction = surfaces.least[materials[link.name]]
            shapes = tuple(_filled(shape, friction, surfaces.solref) for shape in link.collisions)
            links.append(replace(link, collisions=shapes))
            continue
        links.append(link)
    return replace(robot, links=tuple(links))


def _filled(shape: Shape, friction: float, solref: tuple[float, float]) -> Shape:
    given = shape.contact or Contact()
    filled = replace(
        given,
        sliding=friction if given.sliding is None else given.sliding,
        solref=solref if given.solref is None else given.solref,
    )
    return replace(shape, contact=filled)


def add_pairs(spec: Any, model: Any, materials: Mapping[str, str], surfaces: Surfaces, step: float) -> None:
    """Add contact pairs to a spec for the geoms of special pairs of materials; ``model`` is compiled of it.

    ``materials`` are those of the bodies, by name, whose file states no friction.
    """
    of_body = [materials.get(model.body(body).name, "") for body in range(model.nbody)]
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    known = np.array([bool(material) for material in of_body])
    geoms = np.flatnonzero(solid & known[model.geom_bodyid])
    bodies = model.geom_bodyid[geoms]
    names = sorted(set(of_body))
    of_names = np.array([[frozenset((a, b)) in surfaces.special for b in names] for a in names])
    kinds = np.array([names.index(material) for material in of_body])[bodies]
    sees = (model.geom_contype[geoms][:, None] & model.geom_conaffinity[geoms][None, :]) != 0
    pairs = (sees | sees.T) & of_names[np.ix_(kinds, kinds)] & body_pairs(model)[np.ix_(bodies, bodies)]
    by_id = {geom.id: geom for geom in spec.geoms}
    for a, b in np.argwhere(np.triu(pairs, 1))[:_MOST_PAIRS].tolist():
        values = surfaces.values[frozenset((of_body[bodies[a]], of_body[bodies[b]]))]
        _add_pair(spec, by_id[int(geoms[a])], by_id[int(geoms[b])], values, step)


def set_all(spec: Any, friction: float | None, solref: tuple[float, float] | None) -> None:
    """Give all contacts of a spec this sliding friction, and this time constant and damping ratio."""
    for one in (*spec.geoms, *spec.pairs):
        if solref is not None:
            one.solref = list(solref)
        if friction is not None:
            rest = list(one.friction)
            count = 2 if len(rest) > 3 else 1  # those of pairs are along two directions
            one.friction = [friction] * count + rest[count:]


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
