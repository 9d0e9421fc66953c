"""The shapes of a robot for the page: meshes, materials and images, each sent once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.meshes import MeshCache, Surface, shape_surfaces
from unibody.model.shape import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    LineSet,
    Material,
    MeshFile,
    PointSet,
    Shape,
    Sphere,
)
from unibody.model.up_axis import upright_turn
from unibody.page.numbers import finite, finites
from unibody.page.pack import Pack
from unibody.page.textures import Textures

Data = dict[str, Any]
#: Index of a mesh, and the material of its file.
Part = tuple[int, Material | None]

# The largest 16-bit index is WebGL's primitive restart, not a vertex.
_SHORT_INDICES = 65535
# Both sides of larger meshes are drawn, whether they are closed or not.
_MOST_CLOSED = 200_000
# Sides of round shapes that state no number, the more the fewer shapes there are.
_SIDES = ((120, 48), (400, 24))


@dataclass(slots=True)
class Drawing:
    """Meshes and materials; shapes refer to them by index.

    Several robots may share one.
    """

    cache: MeshCache
    pack: Pack = field(default_factory=Pack)
    meshes: list[Data] = field(default_factory=list)
    materials: list[Data] = field(default_factory=list)
    textures: Textures = field(init=False)
    _mesh_places: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _material_places: dict[tuple[float, ...], int] = field(default_factory=dict)
    turns: list[list[float]] = field(default_factory=lambda: [np.eye(3).reshape(-1).tolist()])
    _files: dict[tuple[MeshFile, str, bool], list[Part]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.textures = Textures(self.cache.files, self.pack, self.cache.findings)

    def add(
        self,
        link: int,
        shapes: Iterable[Shape],
        sides: int | None = None,
        behind: Sequence[Shape] = (),
    ) -> tuple[list[Data], list[Shape], list[Data]]:
        """The drawn parts of a link's shapes, and the shapes whose mesh file has nothing to draw; then the
        places of these, and of missing parts of other mesh files.

        Round shapes that state no number of ``sides`` have these. Those ``behind`` others are marked.
        """
        drawn: list[Data] = []
        lost: list[Shape] = []
        places: list[Data] = []
        for shape in shapes:
            rounder = replace(shape, divisions=sides) if sides and _is_round(shape) else shape
            parts, place, name = self._parts(rounder), placement(shape), shape_name(shape)
            more = {**self._turn(shape), **({"group": shape.group} if shape.group else {})}
            if is_solid(shape):
                more["solid"] = True
            if any(shape is other for other in behind):
                more["behind"] = True
            for mesh, own in parts:
                material = self._material(own or shape.material)
                one = {"link": link, "mesh": mesh, "material": material, "place": place, "name": name}
                drawn.append({**one, **more})
            if isinstance(shape.geometry, MeshFile):
                inner = self.cache.missing(shape.geometry, shape.at) if parts else [np.eye(4)]
                places += [{"link": link, "place": _inside(place, matrix)} for matrix in inner]
                if not parts:
                    lost.append(shape)
        return drawn, lost, places

    def _turn(self, shape: Shape) -> Data:
        """The turns that make a mesh file upright: as it states its axis, and with Y up.

        Nothing for a file whose axis the model states.
        """
        mesh = shape.geometry
        if not isinstance(mesh, MeshFile) or not mesh.path or mesh.up_axis is not None or 0.0 in mesh.scale:
            return {}
        found = self.cache.axes(mesh)
        if found is None:
            return {}
        scale = np.array(mesh.scale)
        now = np.array(upright_turn(found[0]))
        places = []
        for axis in (found[1], "Y"):
            # points are turned before they are scaled
            matrix = scale[:, None] * (np.array(upright_turn(axis)) @ now.T) / scale
            numbers = finites((matrix + 0.0).reshape(-1).tolist())
            if numbers not in self.turns:
                self.turns.append(numbers)
            places.append(self.turns.index(numbers))
        return {"turn": places} if any(places) else {}

    def _parts(self, shape: Shape) -> list[Part]:
        """The meshes of a shape, each with its own material."""
        match shape.geometry:
            case LineSet() as lines:
                return self._lines(lines)
            case PointSet() as points:
                return self._points(points)
            case MeshFile(path=""):
                # Reading the model has reported the missing file.
                return []
            case MeshFile() as file:
                # Paths are not part of equality: one URI may resolve to two files.
                key = file, file.path, _textured(shape.material)
                if key not in self._files:
                    self._files[key] = self._triangles(shape)
                return self._files[key]
            case _:
                return self._triangles(shape)

    def _triangles(self, shape: Shape) -> list[Part]:
        found = [
            (self._mesh(s, _textured(s.material or shape.material)), s.material)
            for s in shape_surfaces(shape, self.cache)
        ]
        return [(mesh, material) for mesh, material in found if mesh is not None]

    def _mesh(self, surface: Surface, textured: bool) -> int | None:
        vertices = _rows(surface.vertices)
        faces = _drawable(np.asarray(surface.faces), vertices)
        if not len(faces):
            return None
        more = {"indices": faces, "normals": surface.normals, "colors": surface.colors}
        return self._keep("triangles", vertices, **more, coords=surface.tex_coords if textured else None)

    def _lines(self, lines: LineSet) -> list[Part]:
        vertices = _rows(lines.vertices)
        ends = np.asarray(lines.lines, np.int64).reshape(-1)
        pairs = _drawable(np.stack([ends[:-1], ends[1:]], axis=1), vertices)
        simple = lines.color_per_vertex and not len(lines.color_indices)
        colors = _opaque(lines.colors, len(vertices)) if simple else None
        return [(self._keep("lines", vertices, indices=pairs, colors=colors), None)] if len(pairs) else []

    def _points(self, points: PointSet) -> list[Part]:
        vertices = _rows(points.vertices)
        colors = _opaque(points.colors, len(vertices))
        return [(self._keep("points", vertices, colors=colors), None)] if len(vertices) else []

    def _keep(
        self,
        kind: str,
        vertices: NDArray[np.float32],
        indices: NDArray[Any] | None = None,
        normals: NDArray[np.float64] | None = None,
        colors: NDArray[np.float64] | None = None,
        coords: NDArray[np.float64] | None = None,
    ) -> int:
        """The index of a mesh; equal meshes share one."""
        short = len(vertices) <= _SHORT_INDICES
        arrays = {
            "vertices": np.nan_to_num(vertices, nan=0.0, posinf=0.0, neginf=0.0),
            "indices": None if indices is None else indices.astype(np.uint16 if short else np.uint32),
            "normals": None if normals is None else _scaled(normals, 32767, np.int16),
            "colors": None if colors is None else _scaled(np.clip(colors, 0.0, 1.0), 255, np.uint8),
            "coords": None if coords is None else np.nan_to_num(coords.astype(np.float32)),
        }
        places = {name: None if a is None else self.pack.add(a) for name, a in arrays.items()}
        key = kind, *places.values()
        if key not in self._mesh_places:
            self._mesh_places[key] = len(self.meshes)
            closed = indices is not None and kind == "triangles" and is_closed(vertices, indices)
            self.meshes.append({"kind": kind, **places, **({"closed": True} if closed else {})})
        return self._mesh_places[key]

    def _material(self, material: Material | None) -> int:
        if material is None:
            return -1
        texture = self.textures.add(material.texture or material.pattern, material.texture is None)
        look = (
            *(_unit(v) for v in (*material.diffuse, *material.emissive, *material.specular)),
            max(1.0, finite(material.specular_exponent)),
            1.0 - _unit(material.transparency),
            texture,
        )
        if look not in self._material_places:
            self._material_places[look] = len(self.materials)
            self.materials.append(
                {
                    "diffuse": look[0:3],
                    "emissive": look[3:6],
                    "specular": look[6:9],
                    "shininess": look[9],
                    "opacity": look[10],
                    "texture": texture,
                }
            )
        return self._material_places[look]


def placement(shape: Shape) -> list[float]:
    """The transform of a shape's geometry in its link: the first three rows of the 4×4 matrix."""
    rotation = np.array(shape.pose.rotation())
    with np.errstate(all="ignore"):
        linear = rotation if shape.linear is None else rotation @ np.array(shape.linear)
    rows = np.concatenate([linear, np.array(shape.pose.xyz)[:, None]], axis=1)
    return [finite(v) for v in rows.reshape(-1).tolist()]


def _inside(place: list[float], matrix: NDArray[np.float64]) -> list[float]:
    """The place of a part of a shape, from the shape's place and the part's matrix."""
    with np.errstate(all="ignore"):
        rows = np.array(place).reshape(3, 4) @ matrix
    return [finite(v) for v in rows.reshape(-1).tolist()]


def is_solid(shape: Shape) -> bool:
    """Whether the inside belongs to a shape in collisions; a stretched box is a surface."""
    round_ = isinstance(shape.geometry, Sphere | Cylinder | Capsule | Cone | Ellipsoid)
    return round_ or (isinstance(shape.geometry, Box) and shape.linear is None)


def shape_name(shape: Shape) -> str:
    """The name of a shape under the pointer: that of its mesh file, else its own."""
    geometry = shape.geometry
    if isinstance(geometry, MeshFile):
        name = os.path.basename(geometry.uri.replace("\\", "/"))
        return f"{name} ({geometry.fragment})" if geometry.fragment else name
    return shape.name or type(geometry).__name__.lower()


def is_closed(vertices: NDArray[np.float32], faces: NDArray[Any]) -> bool:
    """Whether triangles enclose a volume and all face outward, so that their backs are never seen.

    Each edge is then that of two triangles, in both directions. Vertices at one place are one.

    >>> corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float32)
    >>> faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> is_closed(corners, faces), is_closed(corners, faces[:3]), is_closed(corners, faces[:, ::-1])
    (True, False, False)
    """
    if len(faces) > _MOST_CLOSED:
        return False
    rows = np.ascontiguousarray(vertices + 0.0).view([("", np.float32)] * 3).reshape(-1)
    _, place = np.unique(rows, return_inverse=True)
    corners = place.reshape(-1)[faces.astype(np.int64)]
    corners = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)]
    ways = np.concatenate([corners[:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64)
    there = np.sort(ways[:, 0] * len(vertices) + ways[:, 1])
    back = np.sort(ways[:, 1] * len(vertices) + ways[:, 0])
    if not len(there) or (np.diff(there) == 0).any() or (there != back).any():
        return False
    a, b, c = (vertices[faces[:, k]].astype(np.float64) for k in range(3))
    return bool(np.einsum("ij,ij->", a, np.cross(b, c)) > 0.0)


def _textured(material: Material | None) -> bool:
    return material is not None and (material.texture is not None or material.pattern is not None)


def sides_of(shapes: Iterable[Shape]) -> int | None:
    """The number of sides of round shapes that state none; None for the usual one."""
    count = sum(_is_round(shape) for shape in shapes)
    return next((sides for most, sides in _SIDES if count <= most), None)


def _is_round(shape: Shape) -> bool:
    """Whether the number of sides of a shape is not stated."""
    kinds = Sphere | Cylinder | Capsule | Cone | Ellipsoid
    return shape.divisions is None and isinstance(shape.geometry, kinds)


def _unit(value: float) -> float:
    return min(1.0, max(0.0, finite(value)))


def _rows(values: Any) -> NDArray[np.float32]:
    """Points, (n, 3)."""
    flat = np.asarray(values, np.float64).reshape(-1)
    with np.errstate(all="ignore"):
        return flat[: len(flat) // 3 * 3].reshape(-1, 3).astype(np.float32)


def _drawable(indices: NDArray[Any], vertices: NDArray[np.float32]) -> NDArray[Any]:
    """The rows of indices that refer only to existing, finite vertices."""
    inside = indices[((indices >= 0) & (indices < len(vertices))).all(axis=1)]
    somewhere: NDArray[np.bool_] = np.isfinite(vertices).min(axis=1, initial=True)
    drawable: NDArray[Any] = inside[somewhere[inside].all(axis=1)]
    return drawable


def _scaled(values: NDArray[np.float64], size: int, kind: type[np.integer[Any]]) -> NDArray[Any]:
    """Numbers up to 1 quantized to integers up to ``size``."""
    good = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    return np.rint(np.clip(good, -1.0, 1.0) * size).astype(kind)


def _opaque(colors: Any, count: int) -> NDArray[np.float64] | None:
    """RGBA per vertex with full opacity; None unless every vertex has a color."""
    rgb = np.asarray(colors, np.float64).reshape(-1)
    if not count or rgb.size != 3 * count:
        return None
    return np.concatenate([rgb.reshape(count, 3), np.ones((count, 1))], axis=1)
