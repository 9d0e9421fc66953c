"""Files of a robot that were not read, of which a report must not speak as if it knew them."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.conversion.asset_paths import shape_files
from unibody.files.access import FileError, Files
from unibody.meshes import MeshCache
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile
from unibody.text.finding import Finding
from unibody.text.pattern import pattern

# What stands before a face of nearly every OBJ file: only files without it are parsed.
_FACE = pattern(rb"(?:^|\n)[ \t]*f[ \t]")


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
    seen: set[str] = set()
    meshes = MeshCache(files)
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            mesh = shape.geometry
            path = mesh.path if isinstance(mesh, MeshFile) else ""
            if not isinstance(mesh, MeshFile) or path in seen or not path.lower().endswith(".obj"):
                continue
            seen.add(path)
            try:
                data = files.read(path, shape.at)
            except FileError:
                continue  # reported where it is read
            if _FACE.search(data) is None and meshes.is_empty(path):
                message = f"{mesh.uri}: mesh has no triangles; most programs reject the model"
                hint = "write faces into the file; MuJoCo takes the convex hull of the vertices"
                yield Finding("mesh-empty", "warning", message, shape.at, hint, subject=path)
