"""Shapes of a robot as numbers whose bounding boxes are exact: half sizes, or points of meshes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unibody.meshes.cache import MeshCache
from unibody.model.arrays import Floats
from unibody.model.robot import Robot
from unibody.model.shape import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    LineSet,
    MeshFile,
    Plane,
    PointSet,
    Shape,
    Sphere,
)

#: The roles of shapes, and the fields of links that have them.
ROLES = {"collision": "collisions", "visual": "visuals"}
# Shapes without a surface, or with an infinite one.
_WITHOUT = (Plane, LineSet, PointSet)


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A shape at a pose in its link: the sum of a box, an ellipsoid and a cylinder's disk, or points.

    A point of it is at ``turn`` (3, 3) times that in its own axes, plus ``place``. ``half`` are half
    lengths of a box, ``radii`` of an ellipsoid that goes around it, ``disk`` the radius of a disk across z
    that does; a mesh has ``points`` (n, 3) in its own axes, before ``scale``, of which the ``first`` are
    those of the first part of its ``file``.
    """

    turn: Floats
    place: Floats
    half: Floats
    radii: Floats
    disk: float = 0.0
    points: Floats | None = None
    scale: Floats = field(default_factory=lambda: np.ones(3))
    first: int | None = None
    hull: bool = False
    of_file: bool = False
    file: str = ""


def solids_of(robot: Robot, cache: MeshCache) -> dict[tuple[str, str], tuple[Solid, ...]]:
    """The shapes of each link and role; those of a link with a mesh that cannot be read are left out."""
    out: dict[tuple[str, str], tuple[Solid, ...]] = {}
    for link in robot.links:
        for role, shapes_of in ROLES.items():
            shapes = [x for x in getattr(link, shapes_of) if not isinstance(x.geometry, _WITHOUT)]
            solids = [solid_of(shape, cache) for shape in shapes]
            if solids and all(solid is not None for solid in solids):
                out[link.name, role] = tuple(solid for solid in solids if solid is not None)
    return out


def solid_of(shape: Shape, cache: MeshCache) -> Solid | None:
    """A shape as numbers; None for a mesh that cannot be read."""
    turn = np.array(shape.pose.rotation())
    if shape.linear is not None:
        turn = turn @ np.array(shape.linear)
    zero = np.zeros(3)
    bare = Solid(turn, np.array(shape.pose.xyz), zero, zero, hull=shape.hull)
    match shape.geometry:
        case Box(size=size):
            return replace(bare, half=0.5 * np.array(size))
        case Sphere(radius=radius):
            return replace(bare, radii=np.full(3, radius))
        case Ellipsoid(radii=radii):
            return replace(bare, radii=np.array(radii))
        case Cylinder(radius=radius, height=height):
            return replace(bare, half=np.array([0.0, 0.0, 0.5 * height]), disk=radius)
        case Capsule(radius=radius, height=height):
            return replace(bare, half=np.array([0.0, 0.0, 0.5 * height]), radii=np.full(3, radius))
        case MeshFile(scale=scale) as mesh:
            surfaces = cache.surfaces(replace(mesh, scale=(1.0, 1.0, 1.0)), shape.at)
            if not surfaces:
                return None
            points = np.concatenate([surface.vertices for surface in surfaces])
            first = len(surfaces[0].vertices)
            return replace(
                bare, points=points, first=first, scale=np.array(scale), of_file=True, file=mesh.uri
            )
        case _:
            surface = cache.tessellations.of(shape)
            return None if surface is None else replace(bare, points=surface.vertices)


def box_of(solid: Solid, *, own: bool = False) -> Floats:
    """The smallest and the largest coordinates in the link, (2, 3).

    ``own``: around the box of a mesh in the axes of the mesh, instead of around the mesh.
    """
    turn, place = solid.turn, solid.place
    if solid.points is not None:
        points = solid.points * solid.scale
        if own:
            low, high = points.min(axis=0), points.max(axis=0)
            place, half = place + turn @ (0.5 * (low + high)), 0.5 * (high - low)
            return np.stack([place - np.abs(turn) @ half, place + np.abs(turn) @ half])
        placed = points @ turn.T + place
        return np.stack([placed.min(axis=0), placed.max(axis=0)])
    reach = np.abs(turn) @ solid.half + np.linalg.norm(turn * solid.radii, axis=1)
    reach = reach + solid.disk * np.hypot(turn[:, 0], turn[:, 1])
    return np.stack([place - reach, place + reach])


def joined(boxes: Sequence[Floats]) -> Floats:
    """The box around boxes."""
    stacked = np.stack(boxes)
    return np.stack([stacked[:, 0].min(axis=0), stacked[:, 1].max(axis=0)])


def placed(solid: Solid, turn: Floats, place: Floats) -> Solid:
    """A shape of a link whose frame is at this pose in another one."""
    return replace(solid, turn=turn @ solid.turn, place=turn @ solid.place + place)


def extent_of(solids: Mapping[tuple[str, str], Sequence[Solid]]) -> float:
    """The largest coordinate of all shapes in their links, at least 1 m."""
    boxes = [np.abs(box_of(solid)).max() for group in solids.values() for solid in group]
    return max([1.0, *map(float, boxes)])
