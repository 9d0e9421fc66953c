"""Writes Wavefront OBJ: the polygons of a model's mesh exactly, or triangles with materials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.meshes.look import Look
from unibody.meshes.mtl import STATEMENTS
from unibody.meshes.surface import Surface, unit_rows
from unibody.model.changes.meshes import outward, per_corner
from unibody.model.shape import Material, Mesh, Texture
from unibody.text.number import format_float

_HEAD = "# Z up, meters\n"


@dataclass(frozen=True, slots=True)
class Library:
    """Options of MTL files: the looks of materials, and the file names of textures and looks."""

    texture: Callable[[Texture], str] = lambda texture: texture.uri
    looks: Callable[[Material], tuple[Look, ...]] = lambda material: ()
    image: Callable[[Look], str] = lambda look: str(look.value)


def polygons_obj(mesh: Mesh) -> bytes | None:
    """An OBJ file of a mesh's polygons, with exact numbers; None if its face indices are invalid.

    Faces are counter-clockwise seen from outside. Colors are written if each vertex has one.

    >>> print(polygons_obj(Mesh(vertices=(0.0, 0, 0, 1, 0, 0, 0, 1, 0), faces=(0, 1, 2, -1))).decode())
    # Z up, meters
    v 0 0 0
    v 1 0 0
    v 0 1 0
    f 1 2 3
    <BLANKLINE>
    """
    shown = outward(per_corner(mesh))
    faces = np.asarray(shown.faces, np.int64).reshape(-1)
    if faces.size and faces[-1] >= 0:
        faces = np.append(faces, -1)
    count = len(shown.vertices) // 3
    if not (faces >= 0).any() or faces.max() >= count:
        return None
    rows = np.asarray(shown.vertices, np.float64)[: 3 * count].reshape(-1, 3)
    if len(shown.colors) == 3 * count and not len(shown.color_indices):
        rows = np.hstack([rows, np.asarray(shown.colors, np.float64).reshape(-1, 3)])
    columns = [
        faces,
        _column(shown.tex_coord_indices, len(shown.tex_coords) // 2, faces),
        _column(shown.normal_indices, len(shown.normals) // 3, faces),
    ]
    parts = [_HEAD, *_lines("v", rows)]
    for word, values, width, column in (("vt", shown.tex_coords, 2, 1), ("vn", shown.normals, 3, 2)):
        if columns[column] is not None:
            table = np.asarray(values, np.float64).reshape(-1)
            parts += _lines(word, table[: table.size // width * width].reshape(-1, width))
    parts += _faces(columns)
    return "".join(parts).encode()


def _column(indices: Any, count: int, faces: Any) -> Any:
    """Indices in the layout of ``faces``; None without indices, or if the layouts differ."""
    if not count:
        return None
    found = np.asarray(indices, np.int64).reshape(-1)
    if not found.size:
        found = faces
    if found.size == faces.size - 1 and faces[-1] < 0 <= found[-1]:
        found = np.append(found, -1)
    corners = int((faces >= 0).sum())
    if found.size == corners and (found >= 0).all() and corners < faces.size:
        spread = np.full(faces.size, -1, np.int64)
        spread[faces >= 0] = found
        found = spread
    fits = found.size == faces.size and ((found < 0) == (faces < 0)).all() and found.max() < count
    return found if fits else None


def _lines(word: str, rows: Any) -> Iterator[str]:
    """A line for each row; numbers in the shortest form that reads back exactly."""
    if not rows.size:
        return
    # one repr of the list is many times faster than one per number; ".0," only ends integers
    words = (repr(rows.reshape(-1).tolist())[1:-1] + ",").replace(".0,", ",")[:-1].split(", ")
    width = rows.shape[1]
    form = " ".join([word, *["%s"] * width]) + "\n"
    yield (form * len(rows)) % tuple(words)


def _faces(columns: list[Any]) -> Iterator[str]:
    faces, tex_coords, normals = columns
    if tex_coords is None and normals is None:
        words = [f"{i + 1}" if i >= 0 else "" for i in faces.tolist()]
    else:
        empty = [None] * faces.size
        first = tex_coords.tolist() if tex_coords is not None else empty
        second = normals.tolist() if normals is not None else empty
        words = [
            _corner(v, t, n) if v >= 0 else ""
            for v, t, n in zip(faces.tolist(), first, second, strict=True)
        ]
    start = 0
    for end in np.flatnonzero(faces < 0).tolist():
        if end > start:
            yield f"f {' '.join(words[start:end])}\n"
        start = end + 1


def _corner(v: int, t: int | None, n: int | None) -> str:
    middle = "" if t is None else str(t + 1)
    return f"{v + 1}/{middle}" if n is None else f"{v + 1}/{middle}/{n + 1}"


def surfaces_obj(
    surfaces: Sequence[Surface], library: Library, mtl_name: str
) -> tuple[bytes, bytes | None]:
    """The OBJ file of some surfaces, and the MTL file of their materials (None without materials).

    >>> import numpy as np
    >>> flat = Surface(np.eye(3), np.array([[0, 1, 2]], np.int32))
    >>> surfaces_obj([flat], Library(), "flat.mtl")[0].splitlines()[-1]
    b'f 1 2 3'
    """
    materials: list[tuple[Material, tuple[Look, ...]]] = []
    body: list[str] = []
    starts = [1, 1, 1]
    # If some surfaces have colors, texture coordinates or normals, all get them: readers expect one layout.
    uses = tuple(
        any(getattr(x, n) is not None for x in surfaces) for n in ("colors", "tex_coords", "normals")
    )
    has_materials = any(x.material is not None for x in surfaces)
    for k, surface in enumerate(surfaces):
        # a name and a material apply until the next one
        if surface.name or len(surfaces) > 1:
            body.append(f"o {_word(surface.name) if surface.name else f'part_{k}'}\n")
        if has_materials:
            material = Material() if surface.material is None else surface.material
            entry = (material, library.looks(material))
            if entry not in materials:
                materials.append(entry)
            body.append(f"usemtl m{materials.index(entry)}\n")
        body += _surface(surface, starts, uses)
    head = [_HEAD, f"mtllib {mtl_name}\n"] if materials else [_HEAD]
    text = "".join([*head, *body]).encode()
    return text, _mtl(materials, library) if materials else None


def _surface(surface: Surface, starts: list[int], uses: tuple[bool, ...]) -> Iterator[str]:
    colors, tex_coords, normals = uses
    rows, faces = surface.vertices, surface.faces.astype(np.int64)
    if colors:
        shown = np.ones((len(rows), 3)) if surface.colors is None else surface.colors[:, :3]
        rows = np.hstack([rows, shown])
    yield from _lines("v", rows)
    columns = [faces + starts[0]]
    starts[0] += len(rows)
    if tex_coords:
        table = np.zeros((1, 2)) if surface.tex_coords is None else surface.tex_coords
        yield from _lines("vt", table)
        columns.append((faces if surface.tex_coords is not None else np.zeros_like(faces)) + starts[1])
        starts[1] += len(table)
    if normals:
        table, own = _flat(surface) if surface.normals is None else (surface.normals, faces)
        yield from _lines("vn", table)
        columns.append(own + starts[2])
        starts[2] += len(table)
    form = (
        "%d/%d/%d" if tex_coords and normals else "%d/%d" if tex_coords else "%d//%d" if normals else "%d"
    )
    numbers = np.stack(columns, axis=-1).reshape(-1).tolist()
    yield (f"f {form} {form} {form}\n" * len(faces)) % tuple(numbers)


def _flat(surface: Surface) -> tuple[Any, Any]:
    """Normals (m, 3) of the triangles, and the index (m, 3) of the normal at each corner."""
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    return unit_rows(np.cross(b - a, c - a)), np.repeat(np.arange(len(a))[:, None], 3, axis=1)


def _mtl(materials: list[tuple[Material, tuple[Look, ...]]], library: Library) -> bytes:
    out = []
    for k, (m, looks) in enumerate(materials):
        out.append(f"newmtl m{k}\n")
        ambient = tuple(m.ambient * v for v in m.diffuse)
        for word, color in (("Ka", ambient), ("Kd", m.diffuse), ("Ks", m.specular), ("Ke", m.emissive)):
            out.append(f"{word} {' '.join(map(format_float, color))}\n")
        out.append(f"Ns {format_float(m.specular_exponent)}\nd {format_float(1.0 - m.transparency)}\n")
        if m.texture is not None and (name := library.texture(m.texture)):
            out.append(f"map_Kd {_word(name)}\n")
        for look in looks:
            if look.kind in STATEMENTS:
                value = format_float(look.value) if isinstance(look.value, float) else library.image(look)
                words = (STATEMENTS[look.kind], look.options, _word(value))
                out.append(" ".join(filter(None, words)) + "\n" if value else "")
    return "".join(out).encode()


def _word(name: str) -> str:
    return "".join(c if c.isprintable() else "_" for c in name).strip() or "_"
