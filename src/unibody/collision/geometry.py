"""Collision geometry of links and obstacles: what the engine tests, and the points that bound its motion.

Boxes, spheres, cylinders, capsules, cones and ellipsoids are solids, and so are meshes that collide as
their convex hull; all other shapes of a link are one surface of triangles, stretched boxes too, as in MPK.
A plane is the half space below it: its size is only that of its drawing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.surface import Surface, joined
from unibody.model import shape as s
from unibody.model.arrays import Faces, Floats
from unibody.model.hull import convex_hull
from unibody.model.left_out import LeftOut
from unibody.model.pose import IDENTITY
from unibody.model.shape import Shape
from unibody.text.counted import listed
from unibody.text.finding import Findings
from unibody.text.installation import install_command
from unibody.text.missing import missing

#: Sides of the prisms that stand around cylinders and cones where their motion is bounded.
_SIDES = 24
#: Sizes below this (m) are made so large, and so are heights of triangles: coal's broad phase overlooks
#: what has no extent along an axis, and its balls hit triangles without a normal from afar.
_LEAST = 1e-8
#: Rotations and stretches count as equal within this.
_ROUND = 1e-12
#: Meshes that an error names.
_MOST_NAMED = 20


class CollisionError(ValueError):
    """Shapes that cannot be tested, or names that do not exist."""


class MissingMesh(CollisionError):
    """Meshes that cannot be read; ``what`` says which."""

    def __init__(self, meshes: Sequence[LeftOut]) -> None:
        each = list(dict.fromkeys(f"{mesh.owner!r}: {mesh.why}" for mesh in meshes))
        count = f"{len(each)} meshes cannot be read: " if len(each) > 1 else ""
        self.what = count + listed(each, _MOST_NAMED, separator="; ")
        super().__init__(f'{self.what}; missing="skip" tests the world without {"them" if count else "it"}')


def engines() -> tuple[Any, Any]:
    """The modules coal and pinocchio; MissingExtra says what to install."""
    try:
        import coal
        import pinocchio
    except ImportError:
        raise missing("collisions", "coal and Pinocchio", install_command("collision")) from None
    return coal, pinocchio


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One geometry of a link or obstacle, at ``pose`` (4, 4) in its frame.

    ``kind`` is "box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "halfspace", "convex" or
    "mesh", ``size`` its numbers (edge lengths; radius; radius and height; half axes), in m. ``vertices``
    (n, 3) and ``faces`` (m, 3) are those of a mesh or a convex solid, in the part's own frame.

    Every point of the part is within ``margin`` of the convex hull of ``points`` (k, 3), which are in
    the frame of the link; there are none for a half space, which has no bound.
    """

    kind: str
    pose: Floats
    size: tuple[float, ...]
    vertices: Floats
    faces: Faces
    points: Floats
    margin: float

    @property
    def is_solid(self) -> bool:
        """Whether the inside belongs to the part: all but meshes."""
        return self.kind != "mesh"

    def collision_geometry(self, coal: Any) -> Any:
        """The geometry for coal, whose broad phase does not see what has no extent along an axis."""
        size = [max(number, _LEAST) for number in self.size]
        match self.kind:
            case "box":
                return coal.Box(*size)
            case "sphere":
                return coal.Sphere(*size)
            case "cylinder":
                return coal.Cylinder(*size)
            case "capsule":
                return coal.Capsule(*size)
            case "cone":
                return coal.Cone(*size)
            case "ellipsoid":
                return coal.Ellipsoid(*size)
            case "halfspace":
                return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
        # a vertex that no triangle uses gives a flat mesh its extent
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        thick = low + np.maximum(high - low, np.maximum(_LEAST, 1e-12 * np.abs(low)))
        vertices = self.vertices if (thick == high).all() else np.concatenate([self.vertices, thick[None]])
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(self.faces), len(vertices))
        model.addVertices(np.asfortranarray(vertices))
        model.addTriangles(np.asfortranarray(self.faces.astype(np.int64)))
        model.endModel()
        if self.kind == "convex":
            model.buildConvexRepresentation(False)
            return model.convex
        return model

    def support(self, direction: Floats) -> float:
        """Support of the part in a direction (unit vector (3,) in its own frame), in m."""
        x, y, z = direction.tolist()
        flat = math.hypot(x, y)
        match self.kind:
            case "box":
                return float(np.abs(direction) @ np.array(self.size)) / 2.0
            case "sphere":
                return self.size[0]
            case "cylinder":
                return float(self.size[0] * flat + abs(z) * self.size[1] / 2.0)
            case "capsule":
                return float(self.size[0] + abs(z) * self.size[1] / 2.0)
            case "cone":
                return float(max(z * self.size[1] / 2.0, self.size[0] * flat - z * self.size[1] / 2.0))
            case "ellipsoid":
                return math.hypot(*(d * r for d, r in zip((x, y, z), self.size, strict=True)))
            case "halfspace":
                return 0.0 if z >= 1.0 else math.inf
        return float((self.vertices @ direction).max())


def parts_of(
    name: str,
    shapes: Sequence[Shape],
    cache: MeshCache,
    lost: list[LeftOut] | None = None,
    left_out: list[LeftOut] | None = None,
) -> list[Part]:
    """The parts of a link or obstacle; CollisionError for a vertex that is not finite.

    Meshes that cannot be read are added to ``lost``, what is not tested as a whole to ``left_out``.

    >>> from unibody.model.shape import Box
    >>> cube = Shape(geometry=Box(size=(1.0, 1.0, 1.0)))
    >>> [part.kind for part in parts_of("base", [cube], MeshCache())]
    ['box']
    """
    parts: list[Part] = []
    rest: list[Shape] = []
    for shape in shapes:
        part = _solid(shape)
        if part is not None:
            parts.append(part)
        elif not isinstance(shape.geometry, s.LineSet | s.PointSet):
            rest.append(shape)
    lost, noted = ([] if each is None else each for each in (lost, left_out))
    hulls = [[shape] for shape in rest if _is_hull(shape)]
    for group in (*hulls, [shape for shape in rest if not _is_hull(shape)]):
        if group:
            parts += _of_meshes(name, group, cache, lost, noted)
    return parts


def _is_hull(shape: Shape) -> bool:
    return shape.hull and isinstance(shape.geometry, s.Mesh | s.MeshFile)


def _of_meshes(
    name: str, shapes: Sequence[Shape], cache: MeshCache, lost: list[LeftOut], left_out: list[LeftOut]
) -> list[Part]:
    """The surfaces of shapes as one part; the convex hull of a shape that collides as that."""
    surfaces: list[Surface] = []
    for shape in shapes:
        known = len(cache.findings)
        found = placed_surfaces(shape, cache)
        surfaces += found
        if why := _missing(shape, cache.findings, known, sum(len(surface.faces) for surface in found)):
            uri = getattr(shape.geometry, "uri", "") or shape.name
            lost.append(LeftOut(owner=name, what=f"mesh {uri!r}", why=why))
        elif shape.hull and isinstance(shape.geometry, s.ElevationGrid):
            why = "it is tested as its surface, and not as what is below it"
            left_out.append(LeftOut(owner=name, what=f"height field {shape.name!r}", why=why))
    vertices, faces = joined(surfaces)
    if not np.isfinite(vertices).all():
        raise CollisionError(f"{name!r} has a vertex that is not finite")
    if not len(faces):
        return []
    if _is_hull(shapes[0]) and (hull := convex_hull(vertices)) is not None:
        corners, places = np.unique(hull, return_inverse=True)
        vertices, faces = vertices[corners], places.reshape(-1, 3).astype(np.int32)
        return [Part("convex", np.eye(4), (), vertices, faces, vertices, 0.0)]
    vertices, faces = _with_normals(vertices, faces)
    return [Part("mesh", np.eye(4), (), vertices, faces, np.unique(vertices, axis=0), 0.0)]


def doubt(a: Part, b: Part) -> float:
    """An upper bound on coal's error of the distance of two parts (m).

    Its GJK stops at a distance that grows as the root of the sizes. With cylinders, cones and ellipsoids
    it was up to 8e-7 m too large at 1 m and 2e-5 m at 1 km, with others 1e-7 m at 30 m and 2e-5 m at 1 km.
    """
    size = _extent(a) + _extent(b)
    if {a.kind, b.kind} & {"cylinder", "cone", "ellipsoid"}:
        return 2e-6 * math.sqrt(max(1.0, size))
    return 1e-6 * math.sqrt(max(1.0, size / 4.0))


def _extent(part: Part) -> float:
    if not len(part.points):
        return 0.0
    return float(np.linalg.norm(np.ptp(part.points, axis=0))) + 2.0 * part.margin


def moved(part: Part, matrix: Floats) -> Part:
    """The part in the frame in which its frame is at ``matrix`` (4, 4)."""
    points = part.points @ matrix[:3, :3].T + matrix[:3, 3]
    return Part(part.kind, matrix @ part.pose, part.size, part.vertices, part.faces, points, part.margin)


def _missing(shape: Shape, findings: Findings, known: int, count: int) -> str:
    """Why a shape has no triangles, if its file is to blame: a motion that is called free must be free."""
    mesh = shape.geometry
    if isinstance(mesh, s.MeshFile) and not mesh.path:
        return f"mesh {mesh.uri!r} not found"
    return list(findings)[known].message if not count and len(findings) > known else ""


def _with_normals(vertices: Floats, faces: Faces) -> tuple[Floats, Faces]:
    """The same triangles, those without area as slivers."""
    corners = vertices[faces]
    sides = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(sides, axis=2)
    longest = lengths.argmax(axis=1)
    rows = np.arange(len(faces))
    along, length = sides[rows, longest], lengths[rows, longest]
    least = max(_LEAST, 1e-12 * float(np.abs(vertices).max()))
    low = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) < least * length
    low |= length < least
    if not low.any():
        return vertices, faces
    # a direction across the longest side, or any if all three corners coincide
    along, which = along[low], longest[low]
    across = np.cross(along, np.eye(3)[np.abs(along).argmin(axis=1)])
    size = np.linalg.norm(across, axis=1, keepdims=True)
    across = np.where(size > 0.0, across / np.where(size > 0.0, size, 1.0), [0.0, 0.0, 1.0])
    made = corners[low]
    rows = rows[: len(made)]
    tiny = length[low] < least
    made[rows[tiny], (which[tiny] + 1) % 3] += least * np.roll(across[tiny], 1, axis=1)
    made[rows, (which + 2) % 3] += least * across
    faces = np.concatenate([faces[~low], len(vertices) + np.arange(3 * len(made)).reshape(-1, 3)])
    return np.concatenate([vertices, made.reshape(-1, 3)]), faces.astype(np.int32)


_NO_VERTICES = np.empty((0, 3))
_NO_FACES = np.empty((0, 3), np.int32)


def _solid(shape: Shape) -> Part | None:
    """The part of a shape that is a solid for the engine, or a half space; None for all others."""
    pose = np.array(shape.pose.matrix()) if shape.pose != IDENTITY else np.eye(4)
    geometry = shape.geometry
    if shape.linear is not None:
        return _stretched(geometry, pose, np.array(shape.linear))
    match geometry:
        case s.Box():
            return _part("box", pose, geometry.size)
        case s.Sphere():
            return _part("sphere", pose, (geometry.radius,))
        case s.Cylinder():
            return _part("cylinder", pose, (geometry.radius, geometry.height))
        case s.Capsule():
            return _part("capsule", pose, (geometry.radius, geometry.height))
        case s.Cone():
            return _part("cone", pose, (geometry.radius, geometry.height))
        case s.Ellipsoid():
            return _part("ellipsoid", pose, geometry.radii)
        case s.Plane():
            return _part("halfspace", pose, ())
    return None


def _stretched(geometry: s.Geometry, pose: Floats, linear: Floats) -> Part | None:
    """The part of a stretched round solid: any of a ball, others along and across their own axis."""
    placed = pose.copy()
    if isinstance(geometry, s.Sphere | s.Ellipsoid):
        radii = (geometry.radius,) * 3 if isinstance(geometry, s.Sphere) else geometry.radii
        axes, lengths, _ = np.linalg.svd(linear @ np.diag(radii))
        if np.linalg.det(axes) < 0.0:
            axes[:, 2] *= -1.0
        placed[:3, :3] = pose[:3, :3] @ axes
        x, y, z = lengths.tolist()
        return _part("ellipsoid", placed, (x, y, z)) if z > 0.0 else None
    if not isinstance(geometry, s.Cylinder | s.Capsule | s.Cone):
        return None
    lengths = np.linalg.norm(linear, axis=0)
    if not (lengths > 0.0).all():
        return None
    turn = linear / lengths
    turned = np.abs(turn.T @ turn - np.eye(3)).max() <= _ROUND and np.linalg.det(turn) > 0.0
    across, other, along = lengths.tolist()
    if not turned or abs(across - other) > _ROUND * across:
        return None
    if isinstance(geometry, s.Capsule) and abs(along - across) > _ROUND * across:
        return None
    placed[:3, :3] = pose[:3, :3] @ turn
    kind = type(geometry).__name__.lower()
    return _part(kind, placed, (geometry.radius * across, geometry.height * along))


def _part(kind: str, pose: Floats, size: tuple[float, ...]) -> Part:
    if not all(math.isfinite(number) and number >= 0.0 for number in size):
        raise CollisionError(f"a {kind} has the size {size}; sizes are finite and not negative")
    margin = size[0] if kind in ("sphere", "capsule") else 0.0
    points = _outline(kind, size) @ pose[:3, :3].T + pose[:3, 3]
    return Part(kind, pose, size, _NO_VERTICES, _NO_FACES, points, margin)


def _outline(kind: str, size: tuple[float, ...]) -> Floats:
    """Points whose convex hull, grown by the part's margin, contains it, in the part's own frame."""
    match kind:
        case "sphere":
            return np.zeros((1, 3))
        case "box":
            return _corners(size)
        case "ellipsoid":
            return _corners(tuple(2.0 * radius for radius in size))
        case "halfspace":
            return _NO_VERTICES
    radius, height = size
    ends = np.array([[0.0, 0.0, -height / 2.0], [0.0, 0.0, height / 2.0]])
    if kind == "capsule":
        return ends
    angles = np.arange(_SIDES) * (2.0 * math.pi / _SIDES)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(_SIDES)], axis=1)
    ring *= radius / math.cos(math.pi / _SIDES)
    return np.concatenate([ring + ends[0], ends[1:] if kind == "cone" else ring + ends[1]])


def _corners(size: tuple[float, ...]) -> Floats:
    signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return np.asarray(signs * np.array(size))
