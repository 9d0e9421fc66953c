"""Tessellates many small parts in one array pass.

A scene has hundreds of parts of a few polygons each, and a numpy function takes as long for ten numbers
as for a thousand. The tables and indices of all parts are therefore concatenated, with offsets, and
triangulated together; the arrays of each surface are slices of the result. A part with a defect is left
out and done alone, which reports the defect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.indexed import Place, Polygons, Tables, surface_of, triangles_of, validated
from unibody.meshes.normals import crease_normals, has_too_many_pairs
from unibody.meshes.numbers import usable
from unibody.meshes.polygon import Work, owner_of, triangulate
from unibody.meshes.scene import Request
from unibody.meshes.surface import Surface, unit_rows
from unibody.model.arrays import Faces, Floats, Integers

# Parts with up to this number of corners are done together, in batches of up to _BATCH corners, whose
# arrays fit into the processor's cache.
_SMALL, _BATCH = 2_000, 10_000
# Fewer parts are done one by one.
_FEW = 3

T = TypeVar("T")


@dataclass(slots=True)
class Part:
    """Polygons to be tessellated, and how: the crease angle (rad), ``ccw`` and ``convex`` as in VRML97.

    ``request`` takes the findings; ``place`` is the place of a polygon.
    """

    polygons: Polygons
    tables: Tables
    request: Request
    crease: float = 0.0
    ccw: bool = True
    convex: bool = False
    place: Place = field(default=lambda _: None)

    @property
    def kind(self) -> tuple[object, ...]:
        """What parts have in common that are tessellated together."""
        return self.is_creased, self.ccw, self.convex, *self.polygons.extra

    @property
    def triangles(self) -> int:
        """The number of triangles, if all polygons are sound."""
        return int(np.maximum(self.polygons.counts - 2, 0).sum())

    @property
    def is_creased(self) -> bool:
        """Whether normals are generated."""
        return self.crease > 0.0 and "normals" not in self.polygons.extra


def surfaces_of(parts: Sequence[Part]) -> list[Surface | None]:
    """The surface of each part; None for a part without a triangle."""
    out: list[Surface | None] = [None] * len(parts)
    kinds: dict[tuple[object, ...], list[int]] = {}
    alone: list[int] = []
    for k, part in enumerate(parts):
        is_small = 0 < part.polygons.vertices.size <= _SMALL and len(part.tables.vertices) <= 2 * _SMALL
        (kinds.setdefault(part.kind, []) if is_small else alone).append(k)
    for numbers in kinds.values():
        for batch in _batches(numbers, lambda k: parts[k].polygons.vertices.size):
            if len(batch) <= _FEW:
                alone += batch
                continue
            good = _sound([parts[k] for k in batch])
            chosen = [k for k, ok in zip(batch, good.tolist(), strict=True) if ok]
            made = _together([parts[k] for k in chosen]) if chosen else []
            if made is None:
                alone += batch
                continue
            alone += [k for k, ok in zip(batch, good.tolist(), strict=True) if not ok]
            for k, surface in zip(chosen, made, strict=True):
                out[k] = surface
    for k in sorted(alone):
        out[k] = surface_alone(parts[k])
    return out


def surface_alone(part: Part) -> Surface | None:
    """The surface of one part, after the findings about it; None without a triangle."""
    polygons, tables, request = part.polygons, part.tables, part.request
    polygons, _ = validated(polygons, tables, request, part.place)
    if part.crease > 0.0 and "normals" not in polygons.extra and polygons.counts.size:
        normals = crease_normals(tables.vertices, polygons.vertices, polygons.counts, part.crease)
        tables = Tables(tables.vertices, {**tables.extra, "normals": normals if part.ccw else -normals})
        own = np.arange(polygons.vertices.size)
        polygons = replace(polygons, extra={**polygons.extra, "normals": own})
    triangles, _ = triangles_of(polygons, tables, None if part.convex else request)
    if not len(triangles):
        return None
    return surface_of(triangles if part.ccw else triangles[:, ::-1], polygons, tables)


def _batches(items: list[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    """Split a list into runs of limited size."""
    batch: list[T] = []
    total = 0
    for item in items:
        total += size(item)
        if batch and total > _BATCH:
            yield batch
            batch, total = [], size(item)
        batch.append(item)
    yield batch


def _owners(sizes: Integers) -> Integers:
    """The part of each row, for parts of these sizes."""
    return np.repeat(np.arange(sizes.size), sizes)


def _sizes(arrays: Sequence[NDArray[np.generic]]) -> Integers:
    return np.array([len(array) for array in arrays], np.int64)


def _starts(sizes: Integers) -> Integers:
    """Where each part starts."""
    return np.cumsum(sizes) - sizes


@dataclass(frozen=True, slots=True)
class _Column:
    """A table of all parts, one after the other, and the row of each corner."""

    tables: list[Floats]
    indices: list[Integers]

    def sound(self) -> NDArray[np.bool_]:
        """Mask of the parts whose indices exist and whose rows are finite."""
        counts, sizes = _sizes(self.indices), _sizes(self.tables)
        owners, index = _owners(counts), np.concatenate(self.indices)
        good = np.ones(sizes.size, bool)
        good[owners[(index < 0) | (index >= sizes[owners])]] = False
        if not usable(np.concatenate(self.tables)):
            good &= [usable(table) for table in self.tables]
        return good

    def joined(self) -> tuple[Floats, Integers]:
        """The rows of all tables, and the row of each corner among them."""
        offsets = np.repeat(_starts(_sizes(self.tables)), _sizes(self.indices))
        return np.concatenate(self.tables), np.concatenate(self.indices) + offsets


def _positions(parts: Sequence[Part]) -> _Column:
    return _Column([p.tables.vertices for p in parts], [p.polygons.vertices for p in parts])


def _extra(parts: Sequence[Part], name: str) -> _Column:
    return _Column([p.tables.extra[name] for p in parts], [p.polygons.extra[name] for p in parts])


def _sound(parts: Sequence[Part]) -> NDArray[np.bool_]:
    """Mask of the parts without a defect."""
    good = _positions(parts).sound()
    for name in parts[0].polygons.extra:
        good &= _extra(parts, name).sound()
    return good


def _together(parts: Sequence[Part]) -> list[Surface | None] | None:
    """The surfaces of sound parts of one kind; None if this takes more than the limits allow one part."""
    points, corners = _positions(parts).joined()
    polygons = _sizes([p.polygons.counts for p in parts])
    counts = np.concatenate([p.polygons.counts for p in parts])
    extra = {name: _extra(parts, name).joined() for name in parts[0].polygons.extra}
    of_point = _owners(_sizes([p.tables.vertices for p in parts]))
    if parts[0].is_creased:
        if has_too_many_pairs(corners, len(points)):
            return None
        creases = np.array([p.crease for p in parts])[of_point]
        normals = crease_normals(points, corners, counts, creases)
        extra["normals"] = normals if parts[0].ccw else -normals, np.arange(corners.size)
    work = Work()
    triangles = triangulate(points, corners, counts, None if parts[0].convex else work)
    if work.steps <= 0:
        return None
    at = (triangles if parts[0].ccw else triangles[:, ::-1]).reshape(-1)
    made = np.bincount(_owners(polygons)[owner_of(counts)], minlength=len(parts))
    corner = corners.take(at)
    owners = _owners(3 * made)
    rows = {name: (table, index.take(at)) for name, (table, index) in extra.items()}
    shared = _are_shared(corner, len(points), rows, owners, len(parts))
    out: list[Surface | None] = [None] * len(parts)
    for is_shared in (True, False):
        chosen = np.flatnonzero((shared == is_shared) & (made > 0))
        if not chosen.size:
            continue
        own = slice(None) if chosen.size == len(parts) else (shared == is_shared)[owners]
        number = np.zeros(len(parts), np.int64)
        number[chosen] = np.arange(chosen.size)
        columns = {name: index[own] for name, (_, index) in rows.items()}
        of_corner = number[owners[own]]
        if is_shared:
            arrays = _compacted(corner[own], columns, of_corner, number[of_point])
        else:
            arrays = _apart(corner[own], columns, of_corner)
        vertices = points.take(arrays.points, axis=0)
        tables = {name: rows[name][0].take(row, axis=0) for name, row in arrays.columns.items()}
        if "normals" in tables:
            tables["normals"] = unit_rows(tables["normals"])
        start = first = 0
        for k, end in zip(chosen.tolist(), arrays.ends, strict=True):
            last = first + int(made[k])
            each = {name: table[start:end] for name, table in tables.items()}
            out[k] = Surface(
                vertices[start:end],
                arrays.faces[first:last],
                each.get("normals"),
                each.get("tex_coords"),
                each.get("colors"),
            )
            start, first = end, last
    return out


_Rows = dict[str, tuple[Floats, Integers]]


def _are_shared(
    corner: Integers, points: int, rows: _Rows, owners: Integers, parts: int
) -> NDArray[np.bool_]:
    """Mask of the parts whose corners agree in all columns wherever they have the same point."""
    shared = np.ones(parts, bool)
    for _, index in rows.values():
        last = np.zeros(points, np.int64)
        last[corner] = index
        shared[owners[last.take(corner) != index]] = False
    return shared


@dataclass(frozen=True, slots=True)
class _Arrays:
    """The surfaces of several parts: the point of each vertex, its row in each column, the faces (numbered
    within each part), and where the vertices of each part end."""

    points: Integers
    columns: dict[str, Integers]
    faces: Faces
    ends: list[int]


def _compacted(
    corner: Integers, columns: dict[str, Integers], of_corner: Integers, of_point: Integers
) -> _Arrays:
    """Surfaces whose corners share vertices: the points in use, numbered within each part."""
    used = np.zeros(of_point.size, bool)
    used[corner] = True
    kept = np.flatnonzero(used)
    number = np.cumsum(used) - 1
    sizes = np.bincount(of_point[kept])
    faces = (number.take(corner) - _starts(sizes)[of_corner]).astype(np.int32).reshape(-1, 3)
    rows: dict[str, Integers] = {}
    for name, index in columns.items():
        row = np.zeros(of_point.size, np.int64)
        row[corner] = index
        rows[name] = row[kept]
    return _Arrays(kept, rows, faces, np.cumsum(sizes).tolist())


def _apart(corner: Integers, columns: dict[str, Integers], of_corner: Integers) -> _Arrays:
    """Surfaces in which each corner has a vertex of its own."""
    sizes = np.bincount(of_corner)
    faces = np.arange(corner.size) - _starts(sizes)[of_corner]
    return _Arrays(corner, columns, faces.astype(np.int32).reshape(-1, 3), np.cumsum(sizes).tolist())
