"""Tells which mesh files Choreonoid reads; one that it cannot read makes it reject the whole Body."""

from __future__ import annotations

import os
import re

from unibody.model.shape import MeshFile, Shape

_STL_HEADER, _STL_RECORD = 84, 50
# Choreonoid rejects a first line of 40 characters in a text STL file, and accepts one of 6.
_SOLID_LINE = 20
_SOLID = re.compile(rb" *solid")
_ODD_STL_LINE = re.compile(
    rb"(?m)^(?! *(?:facet normal |outer loop *\r?$|vertex |endloop *\r?$|endfacet *\r?$|\Z))"
)
_ODD_OBJ_LINE = re.compile(rb"(?m)^(?!v[ nt]|[flsog#]|mtllib |usemtl|[ \t]*\r?$)")
_OBJ_PARTS = re.compile(rb"(?m)^(?:o|g|usemtl)[^\n]*\n")
_FACES = re.compile(rb"(?m)^f([^\n]*)")
_INCOMPLETE_FACE = re.compile(rb"(?m)^f(?:[ \t]+[^\s]+){0,2}[ \t]*\r?$")
_CORNER = re.compile(rb"[ \t]\d")
_TEX_COORD = re.compile(rb"[ \t]\d+/\d")
_NORMAL = re.compile(rb"[ \t]\d+/\d*/\d")
_COLLADA_FACES = re.compile(rb"<(?:\w+:)?(?:triangles|polylist|polygons|tristrips|trifans)\b")


def opens(shape: Shape, data: bytes) -> bool:
    """Whether Choreonoid reads the mesh file of a shape, and makes of it what unibody does (facts E)."""
    mesh = shape.geometry
    if not isinstance(mesh, MeshFile):
        return True
    match os.path.splitext(mesh.path)[1].lower():
        case ".stl":
            return _opens_stl(data)
        case ".obj":
            return _opens_obj(data, mesh.geometry_only)
        case ".dae":
            return _COLLADA_FACES.search(data) is not None
    return True


def _opens_stl(data: bytes) -> bool:
    """Whether an STL file has triangles, and is binary without further bytes or one solid as text."""
    count = int.from_bytes(data[80:_STL_HEADER], "little")
    if len(data) == _STL_HEADER + _STL_RECORD * count:
        return count > 0
    first, _, rest = data.partition(b"\n")
    facets, end, others = rest.partition(b"endsolid")
    return (
        _SOLID.match(first) is not None
        and len(first.rstrip()) <= _SOLID_LINE
        and bool(end)
        and b"facet normal" in facets
        and b"facet normal" not in others
        and _ODD_STL_LINE.search(facets) is None
    )


def _opens_obj(data: bytes, is_geometry: bool) -> bool:
    """Whether an OBJ file has faces, of which those of one part all have normals, or all have none.

    With ``is_geometry``, it must have a single part.
    """
    if _ODD_OBJ_LINE.search(data) or _INCOMPLETE_FACE.search(data):
        return False
    parts = [b"\n".join(_FACES.findall(part)) for part in _OBJ_PARTS.split(data)]
    parts = [faces for faces in parts if faces]
    if not parts or (is_geometry and len(parts) > 1):
        return False
    return all(_is_even(faces) for faces in parts)


def _is_even(faces: bytes) -> bool:
    """Whether all corners of faces have normals or none has, and texture coordinates likewise."""
    if b"-" in faces:  # Choreonoid does not support relative indices
        return False
    corners = len(_CORNER.findall(faces))
    return all(len(found.findall(faces)) in (0, corners) for found in (_TEX_COORD, _NORMAL))
