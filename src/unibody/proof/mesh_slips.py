"""Slips of importers that weigh shapes, meshes too, by rules of their own.

Seen in the sources: Pinocchio's reader of MJCF begins each geom with 1 kg and 1 kg m², which a mesh keeps,
skips geoms that cannot collide, and forgets a mass that only a default class states; SAPIEN's gives shapes
1000 kg/m³, PhysX makes meshes their convex hulls of at most 255 points and cylinders prisms, and no moment
is below 1e-6 kg m².
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from unibody.formats.mjcf.engine import solid_of
from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.surface import joined
from unibody.model.arrays import Floats
from unibody.model.hull import convex_hull
from unibody.model.inertia import Inertial, compose, matrix3
from unibody.model.robot import Link
from unibody.model.shape import Cylinder, Mesh, MeshFile, Shape
from unibody.model.solid import Solid, mesh_solid, placed, shape_solid, united
from unibody.proof.reference import Reference
from unibody.proof.slips import Slip

_DENSITY = 1000.0
# Sides of the prism that PhysX has for a cylinder, and SAPIEN's least moment of inertia in kg m².
_SIDES, _LEAST_MOMENT = 32, 1e-6
# A hull that PhysX simplifies has at least this share of the volume.
_SIMPLIFIED = 0.8
Step = Callable[[Link, MeshCache], Inertial | None]


def _slip(cause: str, step: Step) -> Slip:
    def change(reference: Reference, owners: Collection[str]) -> Reference:
        robot = reference.robot
        links = tuple(
            replace(link, inertial=step(link, reference.meshes)) if link.name in owners else link
            for link in robot.links
        )
        return replace(reference, robot=replace(robot, links=links))

    return Slip(cause, "links", change)


def _filled(solid: Solid, density: float = _DENSITY) -> Inertial:
    x, y, z = solid.center.tolist()
    mass = density * solid.volume
    return Inertial(mass=mass, com=(x, y, z), inertia=matrix3(solid.inertia(mass)))


# --- SAPIEN ---------------------------------------------------------------------------------------


def _prism(cylinder: Cylinder, shape: Shape) -> Solid | None:
    angles = 2.0 * math.pi * np.arange(_SIDES) / _SIDES
    circle = cylinder.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ends = [np.column_stack([circle, np.full(_SIDES, z)]) for z in (0.5, -0.5)]
    points = np.concatenate(ends) * [1.0, 1.0, cylinder.height]
    solid = _hull(points)
    return None if solid is None else placed(solid, shape.pose, shape.linear)


def _hull(points: Floats) -> Solid | None:
    faces = convex_hull(points) if len(points) and np.isfinite(points).all() else None
    return None if faces is None else mesh_solid(points, faces)


def _solid(shape: Shape, meshes: MeshCache) -> Solid | None:
    """A shape as PhysX has it, in axes of its link."""
    if isinstance(shape.geometry, Cylinder):
        return _prism(shape.geometry, shape)
    if isinstance(shape.geometry, Mesh | MeshFile):
        surfaces = placed_surfaces(shape, meshes)
        return _hull(np.concatenate([x.vertices for x in surfaces])) if surfaces else None
    return shape_solid(shape)


def has_no_inertial(link: Link) -> bool:
    """Whether a link states no mass, or no inertia."""
    return link.inertial is None or not link.inertial.mass or not np.any(link.inertial.inertia)


def hulls_of(link: Link, meshes: MeshCache) -> Inertial | None:
    """The hulls of the collision shapes of a link at 1000 kg/m³; None without one for each."""
    solids = [solid for shape in link.collisions if (solid := _solid(shape, meshes)) is not None]
    return _filled(united(solids)) if solids and len(solids) == len(link.collisions) else None


def _weighed(link: Link, meshes: MeshCache) -> Inertial | None:
    made = hulls_of(link, meshes) if has_no_inertial(link) else None
    if made is None:
        return link.inertial
    moments, axes = np.linalg.eigh(np.array(made.inertia))
    return replace(made, inertia=matrix3(axes @ np.diag(np.maximum(moments, _LEAST_MOMENT)) @ axes.T))


def simplified_hulls(link: Link, mass: float, meshes: MeshCache) -> str:
    """The words of a cause if a mass is that of the simplified hulls of a link, else "".

    The hull of PhysX has fewer points, and its volume is not exactly that of these points.
    """
    made = hulls_of(link, meshes) if has_no_inertial(link) else None
    if made is None or not _SIMPLIFIED * made.mass <= mass <= made.mass:
        return ""
    share = 100.0 * (1.0 - mass / made.mass)
    return f"{_HULLS}, simplified: {mass:.6g} kg, {share:.2g} % less"


# --- MJCF -----------------------------------------------------------------------------------------


def _reweighed(of_mesh: Callable[[Shape, MeshCache], Inertial | None]) -> Step:
    """The shapes of a link that collide, meshes by a rule, others at 1000 kg/m³."""

    def step(link: Link, meshes: MeshCache) -> Inertial | None:
        if not any(isinstance(shape.geometry, Mesh | MeshFile) for shape in link.collisions):
            return link.inertial
        parts = []
        for shape in link.collisions:
            solid = shape_solid(shape)
            if isinstance(shape.geometry, Mesh | MeshFile):
                parts.append(of_mesh(shape, meshes))
            elif solid is not None:
                parts.append(_filled(solid))
        known = [part for part in parts if part is not None]
        return compose(known) if known else None

    return step


def _unit(shape: Shape, _: MeshCache) -> Inertial:
    return Inertial(mass=1.0, com=shape.pose.xyz, inertia=matrix3(np.eye(3)))


def _enclosed(shape: Shape, meshes: MeshCache) -> Inertial | None:
    """What a mesh encloses at 1000 kg/m³: the sum of tetrahedra from its origin, also if it is open."""
    surfaces = placed_surfaces(shape, meshes)
    if not surfaces:
        return None
    vertices, faces = joined(surfaces)
    origin = np.array(shape.pose.xyz)
    corners = np.asarray(vertices, np.float64)[faces] - origin
    sizes = np.linalg.det(corners)
    volume = float(sizes.sum()) / 6.0
    if not volume > 0.0:
        return None
    sums = corners.sum(axis=1)
    center = sizes @ sums / (24.0 * volume)
    second = np.einsum("n,nki,nkj->ij", sizes, corners, corners) + np.einsum(
        "n,ni,nj->ij", sizes, sums, sums
    )
    return _filled(Solid(volume, origin + center, second / 120.0 - volume * np.outer(center, center)))


def _without_ghosts(link: Link, _: MeshCache) -> Inertial | None:
    """A link without the mass, at 1000 kg/m³, of shapes that are drawn and do not collide."""
    ghosts = [shape for shape in link.visuals if not _collides(shape, link.collisions)]
    solids = [solid for shape in ghosts if (solid := shape_solid(shape)) is not None]
    if link.inertial is None or not solids or len(solids) < len(ghosts):
        return link.inertial
    return _without(link.inertial, _filled(united(solids)))


def _collides(shape: Shape, collisions: Sequence[Shape]) -> bool:
    return any(x.geometry == shape.geometry and x.pose == shape.pose for x in collisions)


def _without(whole: Inertial, part: Inertial) -> Inertial | None:
    """What is left of a body without a part of it; None if nothing is."""
    mass = whole.mass - part.mass
    if mass <= 1e-9 * whole.mass:
        return None
    com = (whole.mass * np.array(whole.com) - part.mass * np.array(part.com)) / mass
    inertia = np.array(whole.inertia)
    for each, sign in ((whole, 1.0), (part, -1.0)):
        arm = np.array(each.com) - com
        inertia = inertia + sign * each.mass * (np.dot(arm, arm) * np.eye(3) - np.outer(arm, arm))
    x, y, z = com.tolist()
    return replace(whole, mass=mass, com=(x, y, z), inertia=matrix3(inertia - np.array(part.inertia)))


# The rules of MuJoCo for the masses of meshes, and to which share they give what a file has.
_RULES, _SAME = ("legacy", "exact", "convex", "shell"), 1e-5


def _by_rule(rule: str, *, of_mass: bool) -> Step:
    """A link of meshes alone, weighed by another rule: at the same density, or with the same mass."""

    def step(link: Link, meshes: MeshCache) -> Inertial | None:
        own = link.inertial
        if own is None or not own.mass or own.axes is not None:
            return own
        for shapes in (link.collisions, link.visuals):
            bodies = {each: _of_rule(shapes, meshes, each) for each in _RULES}
            new = bodies[rule]
            for each, body in bodies.items():
                if each == rule or body is None or new is None:
                    continue
                density = own.mass / body.mass
                if _is_same(_scaled(body, density), own):
                    return _scaled(new, own.mass / new.mass if of_mass else density)
        return own

    return step


def _of_rule(shapes: Sequence[Shape], meshes: MeshCache, rule: str) -> Inertial | None:
    """Meshes at density 1 by a rule; None with other shapes, or for nothing."""
    parts = []
    for shape in shapes:
        is_mesh = isinstance(shape.geometry, Mesh | MeshFile)
        surfaces = placed_surfaces(shape, meshes) if is_mesh else None
        if not surfaces:
            return None
        vertices, faces = joined(surfaces)
        points = np.asarray(vertices, np.float64)
        triangles = convex_hull(points) if rule == "convex" else np.asarray(faces, np.int64)
        body = None if triangles is None else solid_of(points, triangles, rule)
        if body is None or not body.mass > 0.0:
            return None
        x, y, z = body.center.tolist()
        parts.append(Inertial(mass=body.mass, com=(x, y, z), inertia=matrix3(body.inertia)))
    return compose(parts) if parts else None


def _scaled(body: Inertial, density: float) -> Inertial:
    inertia = matrix3(density * np.array(body.inertia))
    return replace(body, mass=density * body.mass, inertia=inertia)


def _is_same(one: Inertial, other: Inertial) -> bool:
    size = float(np.abs(np.array(other.inertia)).max())
    return (
        math.isclose(one.mass, other.mass, rel_tol=_SAME)
        and float(np.abs(np.subtract(one.com, other.com)).max()) <= _SAME
        and float(np.abs(np.subtract(one.inertia, other.inertia)).max()) <= _SAME * size
    )


_HULLS = "a link without mass or inertia has the hulls of its collision shapes at 1000 kg/m³"
MESHES = (
    _slip(_HULLS, _weighed),
    _slip("a mesh has 1 kg and 1 kg m² about each axis, other shapes have 1000 kg/m³", _reweighed(_unit)),
    _slip("a mesh has no mass, other shapes have 1000 kg/m³", _reweighed(lambda *_: None)),
    _slip("a mesh is weighed by what it encloses, not by its convex hull", _reweighed(_enclosed)),
    _slip("shapes that cannot collide have no mass", _without_ghosts),
    *(
        _slip(
            f'volume of meshes by the rule "{rule}", not by that of the file (inertia of <mesh>)'
            f"{', their masses kept' if of_mass else ''}",
            _by_rule(rule, of_mass=of_mass),
        )
        for rule in _RULES
        for of_mass in (False, True)
    ),
)
