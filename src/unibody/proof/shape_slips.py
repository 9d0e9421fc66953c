"""Slips of importers that compute masses from shapes: MJCF states none where its geoms have them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from unibody.model.inertia import Inertial, compose, matrix3, rotated
from unibody.model.robot import Link
from unibody.model.shape import Shape
from unibody.model.solid import primitive_solid
from unibody.proof.reference import Reference
from unibody.proof.slips import Slip
from unibody.proof.solids import box_of, joined

# MuJoCo's default density in kg/m³.
_DENSITY = 1000.0


def shapes_of(link: Link) -> Sequence[Shape]:
    """The shapes of a link: those that are drawn, or more that collide."""
    return link.visuals if len(link.visuals) >= len(link.collisions) else link.collisions


def _parts(link: Link) -> list[tuple[float, Inertial]]:
    """Volume and inertial at density 1 of each shape; none if one of them is no primitive."""
    out = []
    for shape in shapes_of(link):
        solid = primitive_solid(shape.geometry)
        if solid is None:
            return []
        x, y, z = solid.center.tolist()
        inertia = rotated(matrix3(solid.inertia(solid.volume)), shape.pose)
        own = Inertial(mass=solid.volume, com=shape.pose.apply((x, y, z)), inertia=inertia)
        out.append((solid.volume, own))
    return out


def _of_density(inertial: Inertial, density: float) -> Inertial:
    scaled = matrix3(density * np.array(inertial.inertia))
    return replace(inertial, mass=density * inertial.mass, inertia=scaled)


def _all_at(link: Link) -> Inertial | None:
    parts = _parts(link)
    return _of_density(compose([own for _, own in parts]), _DENSITY) if parts else link.inertial


def _first(link: Link) -> Inertial | None:
    """The first shape, whose density is that of all shapes together."""
    parts = _parts(link)
    if len(parts) < 2 or link.inertial is None:
        return link.inertial
    return _of_density(parts[0][1], link.inertial.mass / sum(volume for volume, _ in parts))


def _solid(link: Link) -> Inertial | None:
    """The mass of the link spread evenly in its shapes."""
    parts = _parts(link)
    if not parts or link.inertial is None:
        return link.inertial
    return _of_density(
        compose([own for _, own in parts]), link.inertial.mass / sum(volume for volume, _ in parts)
    )


def _of_box(role: str, words: str, *, turned: bool) -> Slip:
    """Inertias of the box around the first shape, or around all, with the mass of the link.

    The box is along the axes of the link, or has the sizes along those of the shape.
    """

    def change(reference: Reference, owners: Collection[str]) -> Reference:
        def of(link: Link) -> Link:
            solids = reference.solids.get((link.name, role), ())
            if link.name not in owners or link.inertial is None or not solids:
                return link
            chosen = solids if words == "all" else solids[:1]
            box = joined([box_of(x if turned else replace(x, turn=np.eye(3))) for x in chosen])
            x, y, z = ((box[1] - box[0]) ** 2).tolist()
            moments = np.array([y + z, x + z, x + y]) * link.inertial.mass / 12.0
            return replace(link, inertial=replace(link.inertial, inertia=matrix3(np.diag(moments))))

        robot = reference.robot
        return replace(reference, robot=replace(robot, links=tuple(map(of, robot.links))))

    of_shapes = "all its shapes" if words == "all" else "its first shape"
    cause = f"stated inertia ignored: it is that of the box around {of_shapes} ({role})"
    return Slip(cause, "links", change)


def _first_at(link: Link) -> Inertial | None:
    parts = _parts(link)
    return _of_density(parts[0][1], _DENSITY) if parts else link.inertial


def _with_unit_inertia(step: Callable[[Link], Inertial | None]) -> Callable[[Link], Inertial | None]:
    def change(link: Link) -> Inertial | None:
        made = step(link)
        return made if made is None else replace(made, inertia=matrix3(np.eye(3)))

    return change


def _slip(cause: str, step: Callable[[Link], Inertial | None]) -> Slip:
    def change(reference: Reference, owners: Collection[str]) -> Reference:
        robot = reference.robot
        links = tuple(
            replace(link, inertial=step(link)) if link.name in owners else link for link in robot.links
        )
        return replace(reference, robot=replace(robot, links=links))

    return Slip(cause, "links", change)


_AT = "stated masses and densities ignored: shapes at 1000 kg/m³"
_FIRST = "only the first shape counts for the mass"
#: Slips that keep the mass of a link and its center.
INERTIAS = tuple(
    _of_box(role, words, turned=turned)
    for role in ("collision", "visual")
    for words in ("first", "all")
    for turned in (True, False)
)
SHAPES = (
    *INERTIAS,
    _slip(_AT, _all_at),
    _slip("stated inertia ignored: its mass fills its shapes evenly", _solid),
    _slip(_FIRST, _first),
    _slip(f"{_FIRST}, at 1000 kg/m³", _first_at),
    _slip(f"{_AT}, and unit inertia", _with_unit_inertia(_all_at)),
    _slip(f"{_FIRST}, and unit inertia", _with_unit_inertia(_first)),
    _slip(f"{_FIRST}, at 1000 kg/m³, and unit inertia", _with_unit_inertia(_first_at)),
)
