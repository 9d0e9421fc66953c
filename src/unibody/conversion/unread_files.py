"""Files of a robot that were not read, or that other programs do not read, of which a report must tell."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from unibody.conversion.asset_paths import shape_files
from unibody.files.access import FileError, Files
from unibody.meshes import MeshCache
from unibody.meshes.stl import is_binary_stl, is_text_stl
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape
from unibody.text.finding import Finding

# What stands before a face of nearly every OBJ file: only files without it are parsed.
_FACE, _FACED = re.compile(rb"(?:^|\n)[ \t]*f[ \t]"), b"f "


def unread_files(robot: Robot, files: Files) -> dict[str, Finding | None]:
    """The URIs of files of shapes that were not found, or that hold something else in their place.

    The value is the finding that says what a file holds, None if there is no file.
    """
    found: dict[str, Finding | None] = {}
    known: dict[str, Finding | None] = {}
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            for reference in shape_files(shape):
                path = reference.path
                if path and path not in known:
                    known[path] = files.stand_in(path, shape.at)
                if reference.uri and (not path or known[path] is not None):
                    found.setdefault(reference.uri, known.get(path))
    return found


def meshes_without_faces(robot: Robot, files: Files) -> Iterator[Finding]:
    """Warnings of OBJ files of shapes that have no faces: most programs refuse the model that names one."""
    meshes = MeshCache(files)
    for shape, mesh, suffix in _mesh_files(robot):
        has_faces = suffix != ".obj" or _FACE.search(_content(mesh, files, _FACED)) is not None
        if not has_faces and meshes.is_empty(mesh.path):
            message = f"{mesh.uri}: mesh has no triangles; most programs reject the model"
            hint = "write faces into the file; MuJoCo takes the convex hull of the vertices"
            yield Finding("mesh-empty", "warning", message, shape.at, hint, subject=mesh.path)


def unopened_meshes(robot: Robot, files: Files, unopened: Callable[[str, bool], str]) -> Iterator[Finding]:
    """Warnings of mesh files that are ``unopened`` in some programs (see ``Writer``)."""
    for _, mesh, suffix in _mesh_files(robot):
        is_text = suffix == ".stl" and bool(unopened(suffix, True)) and _is_text(_content(mesh, files))
        if effect := unopened(suffix, is_text):
            code, kind = ("mesh-text", "text STL") if is_text else ("mesh-format", f"'{suffix}'")
            message = f"{mesh.uri} is a {kind} file; {effect}"
            hint = "save it as binary STL, or as OBJ or COLLADA"
            yield Finding(code, "warning", message, hint=hint, subject=mesh.uri)


def _mesh_files(robot: Robot) -> Iterator[tuple[Shape, MeshFile, str]]:
    """Each mesh file that is found, with the first shape that has it, and its suffix."""
    seen: set[str] = set()
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            mesh = shape.geometry
            if isinstance(mesh, MeshFile) and mesh.path and mesh.path not in seen:
                seen.add(mesh.path)
                yield shape, mesh, os.path.splitext(mesh.path)[1].lower()


def _content(mesh: MeshFile, files: Files, otherwise: bytes = b"") -> bytes:
    """The content of a mesh file; what is not read is reported where it is."""
    try:
        return files.read(mesh.path)
    except FileError:
        return otherwise


def _is_text(data: bytes) -> bool:
    """Whether the content of an STL file is text."""
    return is_text_stl(data) and not is_binary_stl(data)
