"""Meshes that are not convex, as convex parts: the engine's contacts then have their hollows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from unibody.formats.mjcf.engine import holds
from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.pieces import pieces
from unibody.meshes.surface import Surface, cross, joined, unit_rows
from unibody.model import shape as s
from unibody.model.arrays import Faces, Floats
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.model.shape import Shape
from unibody.model.traverse import path_of
from unibody.simplification.decomposers import decompose_all
from unibody.simplification.decomposition import Part, check_installed, is_installed
from unibody.simplification.hulls import Hull, hull_of, moved_inside
from unibody.simplification.known_parts import KnownParts, key_of
from unibody.simplification.simplify import triangle_mesh
from unibody.simplification.triangles import Triangles
from unibody.simulation.hulls import FLAT, depth_of_hollow, vertex_depth
from unibody.simulation.options import Options
from unibody.simulation.touching import touching_links
from unibody.text.counted import counted, listed
from unibody.text.finding import Findings

_CONVEX = (s.Box, s.Sphere, s.Cylinder, s.Capsule, s.Cone, s.Ellipsoid, s.Plane)
# CoACD's search. Of 201 meshes of robots that are not convex it takes 0.25 s of one core for half, 2 s for
# nine of ten and 8 s for the slowest one; half are divided into 4 parts or fewer, the worst into 43. The
# parts contain the meshes; how far their surfaces are from a mesh is 1.5 % of its size on average, and 5 %
# where it is most (with CoACD's usual settings 1 % and 3 %, in ten times the time and more). The threshold
# is relative to half of the longest side, here that of all shapes of a link, up to another limit for small
# meshes: a screw needs no finer parts than the arm that it is on.
_SEARCH: dict[str, Any] = {
    "threshold": 0.12,
    "mcts_nodes": 10,
    "mcts_iterations": 12,
    "mcts_max_depth": 2,
    "preprocess_resolution": 15,
    "resolution": 400,
    "max_ch_vertex": 64,
}
_COARSEST = 0.5
# Meshes with more triangles than this are made anew from voxels first, which bounds their time.
_MANY = 3000
# Links that are named.
_NAMED = 8
# The most pairs of a triangle and a vertex that are compared, and how far a vertex may be above a plane.
_FEW, _TOUCHING = 4_000_000, 1e-6
# How far points may be outside of the hulls that a mesh is compared with, relative to its size.
_ROUGH, _FINE = 2e-2, 1e-3
# The volume of a part that is flat, relative to the cube of the size of its mesh.
_FLAT = 1e-9

#: A link, and the number of one of its shapes.
Place = tuple[str, int]
#: Called with the share of the meshes, from 0 to 1, whose parts are computed.
Progress = Callable[[float], object]

_known = KnownParts()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Divided:
    """A ``robot`` with convex parts instead of meshes.

    ``numbers`` are those of the parts of each mesh, by link; ``hollow`` are the links with meshes that are
    not convex, and ``left`` those with meshes of which CoACD finds no parts, which stay as they are.
    """

    robot: Robot
    numbers: Mapping[str, list[int]] = field(default_factory=dict)
    hollow: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()


def divide(given: Robot | Scene, robot: Robot, options: Options) -> Divided:
    """The robot with convex parts of the meshes that need them; ``robot`` is that of all robots given.

    These are meshes that are not convex and may touch anything but planes. MissingExtra if they are to be
    divided, and there is no CoACD.
    """
    if options.convex == "hull" or (options.convex == "auto" and not is_installed()):
        return Divided(robot=robot)
    # the speed of a belt is that of a shape as a whole
    belts = {joint.child for joint in robot.joints if joint.kind == "track"}
    links = touching_links(given, robot, options) - belts
    if options.convex == "auto":
        # in MJCF a mesh means its hull, and each geom may have settings of its own
        owners = {extra.owner for extra in robot.extras if extra.format == "mjcf"}
        links = {name for name in links if path_of("links", name) not in owners}
    return with_parts(robot, links, options.progress)


def with_parts(robot: Robot, links: Collection[str], progress: Progress | None = None) -> Divided:
    """The robot with convex parts of the meshes of these links that are not convex."""
    cache = MeshCache()
    meshes: dict[Place, _Hollow] = {}
    hollow: set[str] = set()
    for link in robot.links:
        found = _hollow_meshes(link.collisions, cache) if link.name in links else None
        if found is not None:
            hollow.add(link.name)
            meshes |= {(link.name, place): mesh for place, mesh in found.items()}
    if not hollow:
        return Divided(robot=robot)
    check_installed()
    parts_of = _parts_of(meshes, progress)
    numbers: dict[str, list[int]] = {}
    changed = []
    for link in robot.links:
        shapes: list[Shape] = []
        for place, shape in enumerate(link.collisions):
            parts = parts_of.get((link.name, place))
            if parts is None:
                shapes.append(shape)
                continue
            numbers.setdefault(link.name, []).append(len(parts))
            name = shape.name or "part"
            shapes += [
                Shape(
                    geometry=triangle_mesh(vertices, faces), name=f"{name} {number}", contact=shape.contact
                )
                for number, (vertices, faces) in enumerate(parts, 1)
            ]
        changed.append(replace(link, collisions=tuple(shapes)) if link.name in numbers else link)
    return Divided(
        robot=replace(robot, links=tuple(changed)) if numbers else robot,
        numbers=numbers,
        hollow=frozenset(hollow),
        left=frozenset(name for name, place in meshes if (name, place) not in parts_of),
    )


def report_parts(numbers: Mapping[str, list[int]], findings: Findings) -> None:
    """Report the links whose meshes collide as convex parts, with the numbers of the parts."""
    if not numbers:
        return
    most = sorted(numbers, key=lambda name: -sum(numbers[name]))
    shown = listed((f"{name!r} ({counted(sum(numbers[name]), 'part')})" for name in most), _NAMED)
    findings.info(
        "simulation-parts",
        f"meshes that are not convex collide as convex parts: link{'s' * (len(most) > 1)} {shown}",
        None,
        "give the links convex shapes for exact contacts, or let the meshes collide as their hulls "
        "(--convex hull, convex='hull')",
        subject=path_of("links", most[0], "collisions"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Hollow:
    """A mesh that is not convex: its triangles (n, 3, 3), and the settings that are tried."""

    corners: Floats
    settings: list[dict[str, Any]]


def _hollow_meshes(shapes: Sequence[Shape], cache: MeshCache) -> dict[int, _Hollow] | None:
    """Those of a link's shapes that are meshes which are not convex, by number.

    None if each mesh that the engine has of them is convex: one for each surface of a mesh file.
    """
    meshes = {
        place: placed_surfaces(shape, cache) for place, shape in enumerate(shapes) if _may_be_hollow(shape)
    }
    each = [surface for surfaces in meshes.values() for surface in surfaces]
    if not any(_is_hollow(x.vertices, x.vertices[x.faces]) for x in each if not _is_convex(x)):
        return None
    known = {
        place: corners
        for place, shape in enumerate(shapes)
        if len(corners := _triangles(meshes.get(place) or placed_surfaces(shape, cache)))
    }
    sides = np.ptp(np.concatenate([corners.reshape(-1, 3) for corners in known.values()]), axis=0)
    out = {}
    for place in meshes.keys() & known.keys():
        corners = known[place]
        points = np.unique(corners.reshape(-1, 3), axis=0)
        if _is_hollow(points, corners, float(np.linalg.norm(sides))):
            share = float(sides.max() / np.ptp(points, axis=0).max())
            out[place] = _Hollow(corners, _settings(len(corners), share))
    return dict(sorted(out.items()))


def _may_be_hollow(shape: Shape) -> bool:
    """Whether a shape is a mesh for the engine; a height field collides as it is."""
    is_field = isinstance(shape.geometry, s.ElevationGrid) and holds(shape)
    return not (isinstance(shape.geometry, _CONVEX) or is_field)


def _is_convex(surface: Surface) -> bool:
    """Whether a mesh of few triangles is closed, and no vertex of it above the plane of any; else False."""
    vertices, size = surface.vertices, float(np.ptp(surface.vertices, axis=0).max(initial=0.0))
    if len(vertices) * len(surface.faces) > _FEW or not np.isfinite(size):
        return False
    corners, _, closed = pieces(vertices, surface.faces)
    normals = unit_rows(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    heights = normals @ vertices.T - np.einsum("ij,ij->i", normals, corners[:, 0])[:, None]
    beside = np.minimum(heights.max(axis=1, initial=0.0), -heights.min(axis=1, initial=0.0))
    return bool(closed.all()) and float(beside.max(initial=0.0)) <= _TOUCHING * size


def _is_hollow(points: Floats, corners: Floats, size: float | None = None) -> bool:
    """Whether triangles (n, 3, 3) with these corners (m, 3) are not convex, seen from a size (m).

    A vertex that is deep in a rough hull, which is within the hull, is deep in this one.
    """
    if not (len(corners) and np.isfinite(corners).all()):
        return False
    sides = np.ptp(points, axis=0)
    if size is None:
        size = float(np.linalg.norm(sides))
    try:
        rough = hull_of(points, _ROUGH * float(sides.max()))
        if vertex_depth(points, rough.vertices[rough.faces]) > FLAT * size:
            return True
        hull = hull_of(points, _FINE * float(sides.max()))
    except ValueError:  # all points are one, but for rounding
        return False
    return depth_of_hollow(points, hull.vertices[hull.faces], partial(Triangles, corners), size) > 0.0


def _triangles(surfaces: Sequence[Surface]) -> Floats:
    """The triangles (n, 3, 3) of surfaces; none if some are not finite."""
    corners, _, _ = pieces(*joined(surfaces))
    return corners.astype(np.float64) if np.isfinite(corners).all() else np.zeros((0, 3, 3))


def _parts_of(meshes: Mapping[Place, _Hollow], progress: Progress | None) -> dict[Place, list[Part]]:
    """The parts of those meshes that have any; what was found before is not computed again."""
    keys = {place: key_of(mesh.corners, mesh.settings) for place, mesh in meshes.items()}
    known = {key: parts for key in keys.values() if (parts := _known.get(key)) is not None}
    new: dict[str, Place] = {}
    for place, key in keys.items():
        if key not in known:
            new.setdefault(key, place)

    def begun(number: int) -> None:
        if progress is not None:
            progress(number / len(new))

    asked = [meshes[place] for place in new.values()]
    results = decompose_all([(mesh.corners, mesh.settings) for mesh in asked], begun)
    for (key, place), parts in zip(new.items(), results, strict=True):
        if parts is not None:
            hull = hull_of(np.unique(meshes[place].corners.reshape(-1, 3), axis=0))
            known[key] = [_within(part, hull) for part in parts]
            _known.put(key, known[key])
    return {place: known[key] for place, key in keys.items() if key in known}


def _within(part: Part, hull: Hull) -> Part:
    """A part without what sticks out of the hull of its mesh, as that of voxels does."""
    vertices, faces = part
    moved = moved_inside(hull, vertices)
    # MuJoCo takes no mesh without a volume
    return (moved, faces) if abs(_volume(moved, faces)) > _FLAT * hull.boundary.size**3 else part


def _volume(vertices: Floats, faces: Faces) -> float:
    a, b, c = (vertices[faces[:, corner]] - vertices[0] for corner in range(3))
    return float(np.einsum("ij,ij->", a, cross(b, c))) / 6.0


def _settings(count: int, share: float) -> list[dict[str, Any]]:
    """The settings that are tried for a mesh of so many triangles, ``share`` times smaller than its link.

    A mesh of few triangles is first taken as it is, if it is closed, and not made anew from voxels.
    """
    threshold = round(min(_COARSEST, _SEARCH["threshold"] * max(share, 1.0)), 2)
    remade = {**_SEARCH, "threshold": threshold, "preprocess_mode": "on"}
    return [remade] if count > _MANY else [{**remade, "preprocess_mode": "auto"}, remade]
