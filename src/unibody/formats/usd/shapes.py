"""Reads geometry as shapes of links: primitives with their scale, meshes with their subsets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unibody.formats.placement import Placement
from unibody.formats.usd import document_geometry as g
from unibody.formats.usd.looks import Looks
from unibody.formats.usd.places import Place, composed, rotation
from unibody.formats.usd.values import rows, whole
from unibody.model import shape as s
from unibody.model.decomposition import product
from unibody.model.pose import IDENTITY, UNIT_MATRIX, Matrix3, Pose
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Numbers

_HALF = math.sqrt(0.5)
#: Turns Z to an axis.
_TURNS: Mapping[str, Pose] = {
    "Z": IDENTITY,
    "X": Pose((0.0, 0.0, 0.0), (_HALF, 0.0, _HALF, 0.0)),
    "Y": Pose((0.0, 0.0, 0.0), (_HALF, -_HALF, 0.0, 0.0)),
}
_SAME = 1e-6
_CIRCLE = 32


@dataclass(slots=True, eq=False)
class ShapeReader:
    """Reads the shapes of prims; ``shared`` are the places by path, for copies of prototypes."""

    places: Mapping[str, Place]
    looks: Looks
    findings: Findings

    def read(self, place: Place, body: Place | None, move: Pose, drawn: bool) -> list[s.Shape]:
        """The shapes of a prim in the frame at ``move`` in a body: several for a mesh of several materials.

        ``drawn``: with the materials of its looks.
        """
        return self.at(place, place.within(body, move), drawn)

    def at(self, place: Place, at: Placement, drawn: bool) -> list[s.Shape]:
        """The shapes of a prim at a placement."""
        prim = place.prim
        if isinstance(prim, g.Mesh):
            return self._mesh(place, prim, at, drawn)
        material = self.looks.of(place) if drawn else None
        found = self._primitive(place, at)
        if found is None:
            return []
        geometry, pose, linear = found
        made = s.Shape(
            geometry=geometry,
            name=prim.display_name or prim.def_name,
            pose=pose,
            linear=linear,
            material=material,
            at=prim.at(),
        )
        return [made]

    # --- primitives -------------------------------------------------------------------------

    def _primitive(self, place: Place, at: Placement) -> tuple[s.Geometry, Pose, Matrix3 | None] | None:
        prim = place.prim
        a, b, c = factors = _diagonal(at.linear)
        is_straight = at.linear is None or _is_diagonal(at.linear)
        size = (abs(a), abs(b), abs(c))
        match prim:
            case g.Cube():
                if is_straight:
                    x, y, z = (v * prim.size for v in size)
                    return s.Box(size=(x, y, z)), at.pose, None
                return s.Box(size=(prim.size,) * 3), at.pose, at.linear
            case g.Sphere():
                x, y, z = (v * prim.radius for v in size)
                if is_straight and _equal(x, y, z):
                    return s.Sphere(radius=x), at.pose, None
                if is_straight:
                    return s.Ellipsoid(radii=(x, y, z)), at.pose, None
                return s.Sphere(radius=prim.radius), at.pose, at.linear
            case g.Cylinder() | g.Cone() | g.Capsule():
                return self._round(prim, at, is_straight, factors)
            case g.Capsule1() | g.Cylinder1():
                return self._tapered(prim, at)
            case g.Plane():
                return self._plane(place, prim, at, size)
            case g.Points():
                points = _moved(rows(prim.points, 3), at.linear)
                colors = s.floats(rows(prim.colors, 3)) if prim.colors is not None else ()
                few = colors if len(colors) == points.size else ()
                return s.PointSet(vertices=s.floats(points), colors=few), at.pose, None
            case g.BasisCurves():
                return self._curves(prim, at), at.pose, None
        return None

    def _round(
        self,
        prim: g.Cylinder | g.Cone | g.Capsule,
        at: Placement,
        is_straight: bool,
        factors: tuple[float, float, float],
    ) -> tuple[s.Geometry, Pose, Matrix3 | None]:
        turn = _TURNS.get(prim.axis, IDENTITY)
        k = "XYZ".find(prim.axis) if prim.axis in "XYZ" else 2
        along = factors[k]
        across = [factors[i] for i in range(3) if i != k]
        kinds: Mapping[type, type] = {g.Cylinder: s.Cylinder, g.Cone: s.Cone, g.Capsule: s.Capsule}
        kind = next(value for each, value in kinds.items() if isinstance(prim, each))
        is_round = _equal(abs(across[0]), abs(across[1]))
        if kind is s.Capsule:
            is_round = is_round and _equal(abs(along), abs(across[0]))
        if is_straight and is_round:
            made = kind(radius=prim.radius * abs(across[0]), height=prim.height * abs(along))
            if along < 0.0 and kind is s.Cone:
                turn = turn @ Pose((0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0))
            return made, at.pose @ turn, None
        made = kind(radius=prim.radius, height=prim.height)
        if turn is IDENTITY or at.linear is None:
            return made, at.pose @ turn, at.linear
        r = turn.rotation()
        back = turn.inverse().rotation()
        return made, at.pose @ turn, product(product(back, at.linear), r)

    def _tapered(
        self, prim: g.Capsule1 | g.Cylinder1, at: Placement
    ) -> tuple[s.Geometry, Pose, Matrix3 | None]:
        """A cylinder or capsule with two radii as a mesh that turns about its axis."""
        half = prim.height / 2.0
        profile: list[tuple[float, float]] = [(prim.bottom, -half), (prim.top, half)]
        if isinstance(prim, g.Capsule1):
            bend = [k * math.pi / 16.0 for k in range(1, 8)]
            lower = [(prim.bottom * math.cos(t), -half - prim.bottom * math.sin(t)) for t in reversed(bend)]
            upper = [(prim.top * math.cos(t), half + prim.top * math.sin(t)) for t in bend]
            profile = [(0.0, -half - prim.bottom), *lower, *profile, *upper, (0.0, half + prim.top)]
        else:
            profile = [(0.0, -half), *profile, (0.0, half)]
        turn = _TURNS.get(prim.axis, IDENTITY)
        points, faces = _turned(profile)
        made = s.Mesh(
            vertices=s.floats(_moved(composed(points, np.array(turn.rotation()).T), at.linear)),
            faces=s.ints(faces),
            ccw=not _mirrors(at.linear),
        )
        return made, at.pose, None

    def _plane(
        self, place: Place, prim: g.Plane, at: Placement, size: tuple[float, float, float]
    ) -> tuple[s.Geometry, Pose, Matrix3 | None]:
        turn = _TURNS.get(prim.axis, IDENTITY)
        half: tuple[float, float] | None = None
        if place.prim.collision is None:
            first, second = {"X": (2, 1), "Y": (0, 2)}.get(prim.axis, (0, 1))
            half = (prim.width * size[first] / 2.0, prim.length * size[second] / 2.0)
        return s.Plane(half_size=half), at.pose @ turn, None

    def _curves(self, prim: g.BasisCurves, at: Placement) -> s.LineSet:
        points = _moved(rows(prim.points, 3), at.linear)
        lines: list[int] = []
        start = 0
        for count in whole(prim.counts).tolist():
            lines += [*range(start, min(start + count, len(points))), -1]
            start += count
        return s.LineSet(vertices=s.floats(points), lines=s.ints(lines))

    # --- meshes -----------------------------------------------------------------------------

    def _mesh(self, place: Place, prim: g.Mesh, at: Placement, drawn: bool) -> list[s.Shape]:
        points = _moved(rows(prim.points, 3), at.linear)
        counts, indices = whole(prim.counts), whole(prim.indices)
        what = f"mesh <{place.path}>"
        if not points.size or not counts.size:
            self.findings.warning("mesh-empty", f"{what} has no polygons", prim.at())
            return []
        if counts.sum() != indices.size or counts.min() < 0:
            self.findings.error(
                "mesh-indices",
                f"{what}: faceVertexCounts must sum up to {indices.size}, the number of faceVertexIndices, "
                f"but they sum up to {int(counts.sum())}",
                prim.at("counts"),
                "export the mesh again",
            )
            return []
        if indices.size and (indices.min() < 0 or indices.max() >= len(points)):
            self.findings.error(
                "mesh-indices",
                f"{what}: faceVertexIndices must be from 0 to {len(points) - 1}, the last of the points",
                prim.at("indices"),
                "export the mesh again",
            )
            return []
        if "subdivision" in prim.given and prim.subdivision not in ("none", "bilinear"):
            self.findings.info(
                "mesh-subdivision",
                f"{what} is smoothed by subdivision ({prim.subdivision}); its polygons are read as written",
                prim.at("subdivision"),
                "write subdivisionScheme = none for a mesh of flat faces",
            )
        keep = np.ones(counts.size, bool)
        holes = whole(prim.holes)
        keep[holes[(holes >= 0) & (holes < counts.size)]] = False
        flips = (prim.orientation == "leftHanded") != _mirrors(at.linear)
        parts = self.looks.parts(place, prim, counts.size) if drawn else [(np.arange(counts.size), None)]
        out = []
        for faces, material in parts:
            chosen = faces[keep[faces]]
            if not chosen.size:
                continue
            mesh = _polygons(prim, points, counts, indices, chosen, at.linear, flips, drawn, material)
            out.append(
                s.Shape(
                    geometry=mesh,
                    name=prim.display_name or prim.def_name,
                    pose=at.pose,
                    material=material,
                    hull=not drawn
                    and prim.mesh_collision is not None
                    and prim.mesh_collision.approximation == "convexHull",
                    at=prim.at(),
                )
            )
        return out

    # --- copies -----------------------------------------------------------------------------

    def copies(self, place: Place, body: Place | None, move: Pose) -> list[s.Shape]:
        """The shapes of the copies that a point instancer makes of its prototypes."""
        prim = place.prim
        assert isinstance(prim, g.PointInstancer)
        positions = rows(prim.positions, 3)
        turns, scales = rows(prim.orientations, 4), rows(prim.scales, 3)
        out: list[s.Shape] = []
        frame = move if body is None else body.pose @ move
        inverse = np.array(frame.inverse().matrix())
        for k, index in enumerate(whole(prim.indices).tolist()):
            if k >= len(positions) or not 0 <= index < len(prim.prototypes):
                continue
            prototype = self.places.get(prim.prototypes[index])
            if prototype is None:
                continue
            local = np.eye(4)
            local[:3, 3] = positions[k]
            if k < len(turns):
                local[:3, :3] = np.array(Pose((0.0, 0.0, 0.0), rotation(turns[k].tolist())).rotation())
            if k < len(scales):
                local[:3, :3] = local[:3, :3] * scales[k]
            # the prototype's own place counts from the instancer
            base = composed(place.world, local)
            away = np.linalg.inv(prototype.above.world if prototype.above is not None else np.eye(4))
            for inner in prototype.all():
                if isinstance(inner.prim, g.Gprim):
                    world = composed(composed(inverse, base), composed(away, inner.world))
                    at = replace(inner, world=world, _pose=None).within(None)
                    out += self.at(inner, at, drawn=True)
        return out


def _diagonal(linear: Matrix3 | None) -> tuple[float, float, float]:
    return (1.0, 1.0, 1.0) if linear is None else (linear[0][0], linear[1][1], linear[2][2])


def _is_diagonal(linear: Matrix3) -> bool:
    """Whether a linear part only stretches along the axes."""
    most = max(abs(value) for row in linear for value in row)
    return all(abs(linear[i][k]) <= 1e-9 * most for i in range(3) for k in range(3) if i != k)


def _equal(*values: float) -> bool:
    return max(values) - min(values) <= _SAME * max(values)


def _mirrors(linear: Matrix3 | None) -> bool:
    return linear is not None and bool(np.linalg.det(np.array(linear)) < 0.0)


def _moved(points: NDArray[np.float64], linear: Matrix3 | None) -> NDArray[np.float64]:
    if linear is None or linear == UNIT_MATRIX:
        return points
    factor = linear[0][0]
    if linear == ((factor, 0.0, 0.0), (0.0, factor, 0.0), (0.0, 0.0, factor)):
        return points * factor
    return composed(points, np.array(linear).T)


def _turned(profile: Sequence[tuple[float, float]]) -> tuple[NDArray[np.float64], list[int]]:
    """A profile (radius, height) from the bottom to the top as polygons about Z."""
    points: list[tuple[float, float, float]] = []
    rings: list[list[int]] = []
    for radius, height in profile:
        count = _CIRCLE if radius > 0.0 else 1
        angles = [2.0 * math.pi * k / count for k in range(count)]
        rings.append(list(range(len(points), len(points) + count)))
        points += [(radius * math.cos(t), radius * math.sin(t), height) for t in angles]
    faces: list[int] = []
    for low, high in pairwise(rings):
        for k in range(_CIRCLE):
            a, b = low[k % len(low)], low[(k + 1) % len(low)]
            c, d = high[(k + 1) % len(high)], high[k % len(high)]
            ring = list(dict.fromkeys((a, b, c, d)))
            if len(ring) > 2:
                faces += [*ring, -1]
    return np.array(points), faces


def _polygons(
    prim: g.Mesh,
    points: NDArray[np.float64],
    counts: NDArray[np.int64],
    indices: NDArray[np.int64],
    chosen: NDArray[np.int64],
    linear: Matrix3 | None,
    flips: bool,
    drawn: bool,
    material: s.Material | None,
) -> s.Mesh:
    """Some faces of a mesh: their points, normals, colors and texture coordinates."""
    ends = np.cumsum(counts)
    # the corners of the faces that are chosen, and where each face ends among them
    of_face = np.repeat(np.arange(counts.size), counts)
    if chosen.size == counts.size:
        corners, faces = np.arange(indices.size), np.arange(counts.size)
    else:
        mask = np.zeros(counts.size, bool)
        mask[chosen] = True
        corners, faces = np.flatnonzero(mask[of_face]), np.flatnonzero(mask)
    sizes = counts[faces]
    at_points = indices[corners]
    vertices = points
    if chosen.size != counts.size:
        used, at_points = np.unique(at_points, return_inverse=True)
        vertices = points[used]
    closed = _closed(at_points.reshape(-1), sizes)
    values: dict[str, object] = {}
    if drawn:
        values |= _normals(prim, corners, of_face, indices, sizes, linear, len(points), ends.size)
        values |= _colors(prim, corners, of_face, indices, sizes, len(points), counts.size, material)
        values |= _coordinates(prim, corners, indices, sizes, len(points), material)
    return s.Mesh(
        vertices=s.floats(vertices),
        faces=s.ints(closed),
        ccw=not flips,
        convex=not (sizes.size and sizes.max() > 3),
        solid=not prim.double_sided,
        **values,  # type: ignore[arg-type]
    )


def _closed(corners: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices of faces, each closed by −1."""
    return np.insert(corners, np.cumsum(sizes), -1)


def _by_corner(
    count: int,
    own: Numbers | None,
    interpolation: str,
    corners: NDArray[np.int64],
    of_face: NDArray[np.int64],
    indices: NDArray[np.int64],
    points: int,
    faces: int,
) -> NDArray[np.int64] | None:
    """The number of the value of each corner; None if the values do not fit the mesh."""
    wanted = {
        "constant": np.zeros(corners.size, np.int64),
        "uniform": of_face[corners],
        "varying": indices[corners],
        "vertex": indices[corners],
        "faceVarying": corners,
    }.get(interpolation)
    if wanted is None:
        return None
    if own is not None:
        table = whole(own)
        if wanted.size and wanted.max() >= table.size:
            return None
        wanted = table[wanted]
    if wanted.size and (wanted.max() >= count or wanted.min() < 0):
        return None
    return wanted


def _normals(
    prim: g.Mesh,
    corners: NDArray[np.int64],
    of_face: NDArray[np.int64],
    indices: NDArray[np.int64],
    sizes: NDArray[np.int64],
    linear: Matrix3 | None,
    points: int,
    faces: int,
) -> dict[str, object]:
    given, own, interpolation = prim.normals, None, prim.normals_interpolation
    if prim.normals_primvar is not None:
        given, own = prim.normals_primvar, prim.normals_primvar_indices
        interpolation = prim.normals_primvar_interpolation
    if given is None:
        return {}
    values = rows(given, 3)
    chosen = _by_corner(len(values), own, interpolation, corners, of_face, indices, points, faces)
    if chosen is None or interpolation == "constant":
        return {}
    if linear is not None:
        values = values @ np.linalg.pinv(np.array(linear))
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    values = values / np.where(lengths > 0.0, lengths, 1.0)
    return {
        "normals": s.floats(values),
        "normal_indices": s.ints(_closed(chosen, sizes)),
        "normal_per_vertex": True,
    }


def _colors(
    prim: g.Mesh,
    corners: NDArray[np.int64],
    of_face: NDArray[np.int64],
    indices: NDArray[np.int64],
    sizes: NDArray[np.int64],
    points: int,
    faces: int,
    material: s.Material | None,
) -> dict[str, object]:
    if prim.colors is None or prim.colors_interpolation == "constant" or (material and material.name):
        return {}
    values = rows(prim.colors, 3)
    own = prim.colors_indices
    chosen = _by_corner(
        len(values), own, prim.colors_interpolation, corners, of_face, indices, points, faces
    )
    if chosen is None:
        return {}
    return {"colors": s.floats(np.clip(values, 0.0, 1.0)), "color_indices": s.ints(_closed(chosen, sizes))}


def _coordinates(
    prim: g.Mesh,
    corners: NDArray[np.int64],
    indices: NDArray[np.int64],
    sizes: NDArray[np.int64],
    points: int,
    material: s.Material | None,
) -> dict[str, object]:
    if prim.st is None or material is None or material.texture is None:
        return {}
    values = rows(prim.st, 2)
    face = np.zeros(indices.size, np.int64)
    chosen = _by_corner(
        len(values), prim.st_indices, prim.st_interpolation, corners, face, indices, points, 0
    )
    if chosen is None:
        return {}
    return {"tex_coords": s.floats(values), "tex_coord_indices": s.ints(_closed(chosen, sizes))}
