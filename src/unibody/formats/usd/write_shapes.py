"""Writes shapes as geometric prims below their links, and meshes once in a library."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from hashlib import sha256
from typing import Any

import numpy as np

from unibody.formats.names import Names
from unibody.formats.usd.write_materials import Materials
from unibody.formats.usd.write_stage import Stage, attribute, identifier, place, state, unique_names
from unibody.model import shape as s
from unibody.model.pose import Vector3
from unibody.model.robot import Link
from unibody.text.dataclass import dataclass
from unibody.text.usda.layer import Attribute, Prim, Reference

#: Half the size in m that is drawn of a plane without bounds.
FAR = 50.0
#: The diameter of points, and of lines that state none (m).
THIN = 0.002
# Digits in which points are one point (m).
_SAME = 6
#: The scope of the library of meshes.
LIBRARY = "Geometry"


def holds(shape: s.Shape) -> bool:
    """Whether a shape is written as it is; others become meshes.

    >>> holds(s.Shape(geometry=s.MeshFile(uri="a.stl")))
    False
    """
    if shape.linear is not None:
        return False
    match shape.geometry:
        case s.Cylinder(top=top, bottom=bottom, side=side):
            return top and bottom and side
        case s.Cone(bottom=bottom, side=side):
            return bottom and side
        case s.Extrusion() | s.ElevationGrid() | s.MeshFile():
            return False
    return True


@dataclass(slots=True)
class Shapes:
    """The shapes of a stage. ``library`` are the meshes, each once."""

    stage: Stage
    materials: Materials
    library: list[Prim] = field(default_factory=list)
    names: Names = field(default_factory=unique_names)
    known: dict[int, tuple[s.Mesh, str]] = field(default_factory=dict)
    made: dict[bytes, Prim] = field(default_factory=dict)
    faces: dict[str, bytes] = field(default_factory=dict)

    def add(self, link: Link, path: str, *, moves: bool = True) -> None:
        """Write the shapes of a link below its prim; ``moves``: the link is a body."""
        drawn = [self._visual(shape, path, link.name) for shape in link.visuals]
        for shape in link.collisions:
            self._collision(shape, path, link, drawn, moves)

    def _visual(self, shape: s.Shape, parent: str, link: str) -> Prim | None:
        path = self._prim(shape, parent, link, "visual")
        if path and shape.material is not None:
            self.materials.bind(path, shape.material)
        return self.stage.geometry.at(path) if path else None

    def _collision(
        self, shape: s.Shape, parent: str, link: Link, drawn: list[Prim | None], moves: bool
    ) -> None:
        """A collider. A mesh that is drawn at the same place, too, is hidden in every view.

        Solvers fill the convex hull of a mesh that moves: they have no other collision of meshes.
        """
        if isinstance(shape.geometry, s.LineSet | s.PointSet):
            return
        path = self._prim(shape, parent, link.name, "collision")
        if not path:
            return
        made = self.stage.geometry.at(path)
        state(made, ("purpose", "guide"))
        if made.references and any(x is not None and self._coincide(x, made) for x in drawn):
            state(made, ("visibility", "invisible"))
        prim = self.stage.physics.at(path)
        prim.apply("PhysicsCollisionAPI", "NewtonCollisionAPI", "MjcCollisionAPI")
        if not link.collides:
            state(prim, ("physics:collisionEnabled", False))
        if isinstance(shape.geometry, s.Mesh):
            prim.apply("PhysicsMeshCollisionAPI", "NewtonMeshCollisionAPI", "MjcMeshCollisionAPI")
            state(prim, ("physics:approximation", "convexHull" if moves or shape.hull else "none"))
        if shape.material is not None:
            self.materials.bind(path, shape.material)
        if shape.contact is not None:
            self.materials.touch(path, shape.contact)

    def _prim(self, shape: s.Shape, parent: str, link: str, word: str) -> str:
        """Make the prim of a shape, and return its path; "" for a shape without extent."""
        made = _gprim(shape.geometry, word)
        if made is None:
            return ""
        type_name, values, half, scale = made
        stage = self.stage
        path = stage.add(stage.geometry, parent, shape.name, type_name, word)
        prim = stage.geometry.at(path)
        if isinstance(shape.geometry, s.Mesh):
            entry = self._in_library(shape.geometry, shape.name or f"{link}_{word}")
            prim.references.append(Reference("", f"/{LIBRARY}/{entry}"))
        prim.properties += values
        if half is not None:
            low: Vector3 = (-half[0], -half[1], -half[2])
            state(prim, ("extent", [low, half]))
        place(prim, shape.pose, scale)
        return path

    def _coincide(self, a: Prim, b: Prim) -> bool:
        """Whether two prims have the same faces at one place."""
        if not a.references or _places(a) != _places(b):
            return False
        one, other = (self.faces[prim.references[0].prim.rpartition("/")[2]] for prim in (a, b))
        return one == other

    def _in_library(self, mesh: s.Mesh, name: str) -> str:
        """The name of a mesh in the library."""
        if id(mesh) in self.known:
            return self.known[id(mesh)][1]
        properties = list(mesh_properties(mesh))
        content = _digest(properties)
        made = self.made.get(content)
        if made is None:
            made = Prim(self.names.take(identifier(name, "mesh")), "Mesh", properties=[*properties])
            self.made[content] = made
            self.library.append(made)
            self.faces[made.name] = _faces_digest(made)
        # keeps the mesh alive, so that its id stays unique
        self.known[id(mesh)] = (mesh, made.name)
        return made.name


def _places(prim: Prim) -> dict[str, object]:
    """The pose and scale of a prim."""
    return {
        x.name: x.value
        for x in prim.properties
        if isinstance(x, Attribute) and x.name.startswith("xformOp")
    }


def _faces_digest(prim: Prim) -> bytes:
    """A digest of the points and faces of a mesh."""
    out = sha256()
    for x in prim.properties:
        if x.name in ("points", "faceVertexCounts", "faceVertexIndices"):
            given = np.asarray(x.value)  # type: ignore[union-attr]
            same = np.round(given, _SAME) + 0.0 if x.name == "points" else given.astype(np.int64)
            out.update(same.tobytes())
    return out.digest()


def _digest(properties: list[Attribute]) -> bytes:
    """A digest of attributes: meshes that have the same ones are one mesh of the library."""
    out = sha256()
    for x in properties:
        value = np.asarray(x.value)
        if value.dtype.kind in "fiub":
            value = value.astype(np.float64) + 0.0  # a zero has no sign here
            out.update(repr((x.type, x.name, x.metadata, value.shape)).encode())
            out.update(value.tobytes())
        else:
            out.update(repr((x.type, x.name, x.metadata, value.tolist())).encode())
    return out.digest()


_Made = tuple[str, list[Attribute], Vector3 | None, Vector3 | None]


def _gprim(geometry: s.Geometry, word: str) -> _Made | None:
    """The type, attributes, half extent and scale of the prim of a geometry; None without extent."""
    z = attribute("axis", "Z")
    if not _has_extent(geometry):
        return None
    match geometry:
        case s.Box(size=size):
            return "Cube", [attribute("size", 1.0)], (0.5, 0.5, 0.5), size
        case s.Sphere(radius=r):
            return "Sphere", [attribute("radius", r)], (r, r, r), None
        case s.Ellipsoid(radii=radii):
            return "Sphere", [attribute("radius", 1.0)], (1.0, 1.0, 1.0), radii
        case s.Cylinder(radius=r, height=h):
            sizes = [z, attribute("height", h), attribute("radius", r)]
            return "Cylinder", sizes, (r, r, h / 2.0), None
        case s.Cone(radius=r, height=h):
            sizes = [z, attribute("height", h), attribute("radius", r)]
            return "Cone", sizes, (r, r, h / 2.0), None
        case s.Capsule(radius=r, height=h):
            sizes = [z, attribute("height", h), attribute("radius", r)]
            return "Capsule", sizes, (r, r, h / 2.0 + r), None
        case s.Plane(half_size=half):
            x, y = half or (FAR, FAR)
            width, length = attribute("width", 2.0 * x), attribute("length", 2.0 * y)
            return "Plane", [z, width, length], (x, y, 0.0), None
        case s.Mesh():
            return ("Mesh", [], None, None) if len(geometry.faces) else None
        case s.LineSet():
            return _lines(geometry)
        case s.PointSet():
            return _points(geometry)
    raise TypeError(f"unsupported geometry in USD: {geometry}")


def _has_extent(geometry: s.Geometry) -> bool:
    """Whether all sizes of a primitive are positive: with others programs open none of the stage."""
    match geometry:
        case s.Box(size=sizes) | s.Ellipsoid(radii=sizes):
            return min(sizes) > 0.0
        case s.Sphere(radius=radius):
            return radius > 0.0
        case s.Capsule(radius=radius, height=height):
            return radius > 0.0 and height >= 0.0
        case s.Cylinder(radius=radius, height=height) | s.Cone(radius=radius, height=height):
            return radius > 0.0 and height > 0.0
        case s.Plane(half_size=half):
            return half is None or min(half) > 0.0
    return True


def _lines(lines: s.LineSet) -> _Made | None:
    vertices = np.asarray(lines.vertices, np.float64).reshape(-1, 3)
    pieces = [piece for piece in polygons(lines.lines) if len(piece) > 1]
    if not pieces:
        return None
    points = vertices[np.concatenate(pieces)]
    values = [
        attribute("type", "linear"),
        attribute("curveVertexCounts", [len(piece) for piece in pieces]),
        attribute("points", points),
        attribute("widths", [lines.width or THIN], metadata={"interpolation": "constant"}),
        _extent(points),
    ]
    return "BasisCurves", values, None, None


def _points(points: s.PointSet) -> _Made | None:
    vertices = np.asarray(points.vertices, np.float64).reshape(-1, 3)
    if not len(vertices):
        return None
    values = [
        attribute("points", vertices),
        attribute("widths", [THIN], metadata={"interpolation": "constant"}),
        _extent(vertices),
    ]
    if len(points.colors):
        values.append(_color(np.asarray(points.colors).reshape(-1, 3), "vertex"))
    return "Points", values, None, None


def _extent(points: Any) -> Attribute:
    return attribute("extent", [points.min(axis=0), points.max(axis=0)])


def _color(values: Any, interpolation: str) -> Attribute:
    meta = {"interpolation": interpolation}
    return attribute("primvars:displayColor", values, metadata=meta)


def polygons(faces: s.Ints) -> list[Any]:
    """The lists of indices that a list closes by −1 each.

    >>> [x.tolist() for x in polygons((0, 1, 2, -1, 2, 3, 0, -1))]
    [[0, 1, 2], [2, 3, 0]]
    """
    flat = np.asarray(faces, np.int64)
    if len(flat) and flat[-1] >= 0:
        flat = np.append(flat, -1)
    ends = np.flatnonzero(flat < 0)
    return [part[part >= 0] for part in np.split(flat, ends + 1)[:-1]]


def mesh_properties(mesh: s.Mesh) -> Iterable[Attribute]:
    """The attributes of the prim of a mesh."""
    points = np.asarray(mesh.vertices, np.float64).reshape(-1, 3)
    flat = np.asarray(mesh.faces, np.int64)
    if len(flat) and flat[-1] >= 0:
        flat = np.append(flat, -1)
    ends = np.flatnonzero(flat < 0)
    counts = np.diff(np.concatenate(([-1], ends))) - 1
    corners = flat[flat >= 0]
    if (counts < 3).any():
        keep = np.repeat(counts >= 3, counts)
        corners, counts = corners[keep], counts[counts >= 3]
    else:
        keep = None
    used = np.unique(corners)
    if len(used) < len(points):  # points of no face are no part of the surface
        rank = np.zeros(len(points), np.int64)
        rank[used] = np.arange(len(used))
    else:
        rank = None
    yield attribute("doubleSided", not mesh.solid)
    kept, kept_corners = (points, corners) if rank is None else (points[used], rank[corners])
    if len(kept):
        yield _extent(kept)
    yield attribute("faceVertexCounts", counts)
    yield attribute("faceVertexIndices", kept_corners)
    if not mesh.ccw:
        yield attribute("orientation", "leftHanded")
    yield attribute("points", kept)
    yield attribute("subdivisionScheme", "none")
    per_corner = _Corners(flat, ends, keep, used if rank is not None else None)
    normals = (
        per_corner.values(mesh.normals, 3, mesh.normal_indices, mesh.normal_per_vertex)
        if len(mesh.normals)
        else None
    )
    flat_normals = _flat_normals(points, corners, counts, mesh.ccw)
    values, interpolation = normals or (flat_normals, "uniform")
    if len(values):
        if normals is not None and _are_opposite(values, interpolation, kept_corners, counts, flat_normals):
            values = -values
        length = np.linalg.norm(values, axis=1, keepdims=True)
        values = np.divide(values, length, out=values.copy(), where=length > 0.0)
        yield attribute("normals", values, metadata={"interpolation": interpolation})
    if len(mesh.colors):
        found = per_corner.values(mesh.colors, 3, mesh.color_indices, mesh.color_per_vertex)
        if found is not None:
            yield _color(*found)
    if len(mesh.tex_coords):
        found = per_corner.values(mesh.tex_coords, 2, mesh.tex_coord_indices, True)
        if found is not None:
            values, interpolation = found
            yield attribute("primvars:st", values, metadata={"interpolation": interpolation})


def _flat_normals(points: Any, corners: Any, counts: Any, ccw: bool) -> Any:
    """The normal of each face, not of length 1; those of faces without area are along Z."""
    if not len(counts):
        return np.zeros((0, 3))
    # Newell's sum over the edges, which has no favorite corner
    starts = np.cumsum(counts) - counts
    following = np.arange(1, len(corners) + 1)
    following[starts + counts - 1] = starts
    here, there = points[corners], points[corners[following]]
    out = np.add.reduceat(np.cross(here, there), starts, axis=0)
    out[~out.any(axis=1)] = (0.0, 0.0, 1.0)
    return out if ccw else -out


def _are_opposite(values: Any, interpolation: str, corners: Any, counts: Any, faces: Any) -> bool:
    """Whether normals point to the other side of the faces, which programs take for a fault."""
    if interpolation == "uniform":
        return bool((values * faces).sum() < 0.0)
    each = values[corners] if interpolation == "vertex" else values
    return bool((each * np.repeat(faces, counts, axis=0)).sum() < 0.0)


@dataclass(slots=True)
class _Corners:
    """The faces of a mesh, by which its lists are laid out.

    ``flat`` are the indices with −1 at ``ends``; ``keep`` are the corners of faces that are written, and
    ``used`` the points, None for all.
    """

    flat: Any
    ends: Any
    keep: Any
    used: Any

    def values(
        self, given: s.Floats, width: int, indices: s.Ints, per_vertex: bool
    ) -> tuple[Any, str] | None:
        """A list as an array with an interpolation of USD; None if its indices are out of range."""
        table = np.asarray(given, np.float64).reshape(-1, width)
        listed = np.asarray(indices, np.int64)
        counts = np.diff(np.concatenate(([-1], self.ends))) - 1
        if not per_vertex:
            chosen = listed[listed >= 0] if len(listed) else np.arange(len(counts))
            if len(chosen) < len(counts) or not _within(chosen, table):
                return None
            out = table[chosen[: len(counts)]]
            return (out[counts >= 3] if self.keep is not None else out), "uniform"
        if not len(listed):
            points = self.flat[self.flat >= 0]
            if not _within(points, table):
                return None
            if self.used is not None:
                return table[self.used], "vertex"
            if len(table) == int(points.max(initial=-1)) + 1:
                return table, "vertex"
            chosen = points
        else:
            chosen = listed[listed >= 0]
            if len(chosen) != int(counts.sum()) or not _within(chosen, table):
                return None
        out = table[chosen]
        return (out if self.keep is None else out[self.keep]), "faceVarying"


def _within(indices: Any, table: Any) -> bool:
    return not len(indices) or int(indices.max()) < len(table)
