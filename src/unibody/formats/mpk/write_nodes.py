"""Builds Open Inventor nodes: numbers, polygons, materials and images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from unibody.formats.format import AssetStore
from unibody.formats.tidy import tidy
from unibody.model import shape as s
from unibody.text.node import Node, Numbers, Value, Word
from unibody.text.number import format_float

# What a Material is where it says nothing (SoMaterial).
_AMBIENT, _BLACK, _SHININESS = (0.2, 0.2, 0.2), (0.0, 0.0, 0.0), 0.2
_LINE = 12


def node(tag: str, *items: tuple[str, Value]) -> Node:
    """A node with its fields in order; children have the key ""."""
    return Node(tag, [(key, value, -1) for key, value in items])


def word(value: float | str, quote: str = "") -> Word:
    """One value."""
    return Word(value if isinstance(value, str) else format_float(value), quote=quote)


def listed(values: Any, width: int = _LINE, bare: bool = False) -> Numbers:
    """Numbers as short as reads back exactly, so many a line; ``bare`` is one value of several numbers.

    >>> listed((0.5, 1.0, 2.0)).body
    '0.5 1 2'
    """
    flat = np.asarray(values).reshape(-1).tolist()
    # one repr for all is many times faster than one for each; no number ends in ".0," but a whole one
    words = (repr(flat)[1:-1] + ",").replace(".0,", ",")[:-1].split(", ") if flat else []
    # the commas of the rows are white space to Inventor
    rows = [" ".join(words[k : k + width]) for k in range(0, len(words), width)]
    body = ",\n".join(rows) if len(rows) > 1 else "".join(rows)
    return Numbers(f"\n{body}\n" if len(rows) > 1 else body, form="" if bare else "[")


# --- polygons -----------------------------------------------------------------------------


def hints(mesh: s.Mesh) -> tuple[Node, ...]:
    """How polygons are to be taken."""
    items = [
        ("vertexOrdering", word("COUNTERCLOCKWISE" if mesh.ccw else "CLOCKWISE")),
        ("shapeType", word("SOLID" if mesh.solid else "UNKNOWN_SHAPE_TYPE")),
        ("faceType", word("CONVEX" if mesh.convex else "UNKNOWN_FACE_TYPE")),
        ("creaseAngle", word(mesh.crease_angle)),
    ]
    return (node("ShapeHints", *items),)


def mesh_nodes(mesh: s.Mesh) -> list[Node]:
    """The properties of a mesh and its IndexedFaceSet; nothing when it has no face."""
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    if faces.size and faces[-1] >= 0:
        faces = np.append(faces, -1)
    count = len(mesh.vertices) // 3
    if not (faces >= 0).any() or faces.max() >= count:
        return []
    out: list[Node] = []
    items: list[tuple[str, Value]] = [("coordIndex", listed(faces))]
    if len(mesh.normals):
        index, binding = _bound(faces, mesh.normal_indices, mesh.normal_per_vertex)
        out.append(node("Normal", ("vector", listed(mesh.normals, 3))))
        out.append(node("NormalBinding", ("value", word(binding))))
        items += _index("normalIndex", index)
    if len(mesh.colors):
        index, _ = _bound(faces, mesh.color_indices, mesh.color_per_vertex)
        items += _index("materialIndex", index)
    if len(mesh.tex_coords):
        index, _ = _bound(faces, mesh.tex_coord_indices, True)
        out.append(node("TextureCoordinate2", ("point", listed(mesh.tex_coords, 2))))
        items += _index("textureCoordIndex", index)
    out.append(node("Coordinate3", ("point", listed(np.asarray(mesh.vertices)[: 3 * count], 3))))
    return [*out, node("IndexedFaceSet", *items)]


def _index(key: str, index: Any) -> list[tuple[str, Value]]:
    return [(key, listed(index))] if index.size else []


def _bound(faces: Any, indices: Any, per_vertex: bool) -> tuple[Any, str]:
    """An index list with −1 where that of the faces has it, and the binding that it asks for."""
    index = np.asarray(indices, np.int64).reshape(-1)
    if not per_vertex:
        return index, "PER_FACE_INDEXED" if index.size else "PER_FACE"
    if index.size == (faces >= 0).sum() and (index >= 0).all():
        spread = np.full(faces.size, -1, np.int64)
        spread[faces >= 0] = index
        index = spread
    return index, "PER_VERTEX_INDEXED"


# --- looks --------------------------------------------------------------------------------


def coloured(geometry: s.Geometry) -> tuple[s.Floats, str]:
    """The colours that a geometry brings along, and how they go with it."""
    match geometry:
        case s.Mesh() | s.LineSet() if len(geometry.colors):
            indexed = "_INDEXED" if geometry.color_per_vertex or len(geometry.color_indices) else ""
            return geometry.colors, ("PER_VERTEX" if geometry.color_per_vertex else "PER_FACE") + indexed
        case s.PointSet() if len(geometry.colors):
            return geometry.colors, "PER_VERTEX"
    return (), "OVERALL"


def look(material: s.Material, colours: tuple[s.Floats, str], store: AssetStore) -> list[Node]:
    """Material, image and how colours are bound."""
    colors, binding = colours
    diffuse = listed(colors, 3) if len(colors) else _color(material.diffuse)
    items: list[tuple[str, Value]] = [("diffuseColor", diffuse)]
    r, g, b = material.diffuse
    ambient = (tidy(r * material.ambient), tidy(g * material.ambient), tidy(b * material.ambient))
    # an exponent of the light is 1 to 128 here
    shininess = tidy(min(max((material.specular_exponent - 1.0) / 127.0, 0.0), 1.0))
    if ambient != _AMBIENT:
        items.append(("ambientColor", _color(ambient)))
    if material.emissive != _BLACK:
        items.append(("emissiveColor", _color(material.emissive)))
    if material.specular != _BLACK:
        items.append(("specularColor", _color(material.specular)))
    if shininess != _SHININESS:
        items.append(("shininess", word(shininess)))
    if material.transparency != 0.0:
        items.append(("transparency", word(material.transparency)))
    out = [node("Material", *items)]
    if len(colors):
        out.append(node("MaterialBinding", ("value", word(binding))))
    return out + (_image(material.texture, store) if material.texture is not None else [])


def _color(color: Sequence[float]) -> Numbers:
    return listed(color, bare=True)


def _image(texture: s.Texture, store: AssetStore) -> list[Node]:
    name = store.image(texture)
    if not name:
        return []
    items = [("filename", word(name, '"'))]
    items += [
        (key, word("CLAMP"))
        for key, repeats in (("wrapS", texture.repeat_s), ("wrapT", texture.repeat_t))
        if not repeats
    ]
    placed = [] if texture.transform is None else _placed(texture.transform)
    return [*placed, node("Texture2", *items)]


def _placed(given: s.TextureTransform) -> list[Node]:
    """The same transformation; ISO/IEC 14772-1, 6.49, turns and then scales, Inventor the other way round.

    An image that is turned and scaled unevenly takes two nodes: what stands later is done first.
    """
    x, y = given.scale
    c, w = math.cos(given.rotation), math.sin(given.rotation)
    u, v = (a + b for a, b in zip(given.center, given.translation, strict=True))
    move = (x * (c * u - w * v) - given.center[0], y * (w * u + c * v) - given.center[1])
    items: list[tuple[str, Value]] = []
    if any(move):
        items.append(("translation", listed(tuple(map(tidy, move)), bare=True)))
    turn: list[tuple[str, Value]] = [("rotation", word(given.rotation))] if given.rotation else []
    if x == y:
        items += turn
    if given.scale != (1.0, 1.0):
        items.append(("scaleFactor", listed(given.scale, bare=True)))
    parts = [items] if x == y else [items, turn]
    return [node("Texture2Transform", *part) for part in parts if part]
