"""Mesh and texture files that a model refers to, and their paths at a new output directory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from unibody.conversion.assets import Assets
from unibody.conversion.destination import Destination
from unibody.files.access import FileError, Files
from unibody.model.changes.shapes import with_shapes
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape, Texture
from unibody.text.finding import Findings

# How mesh files of each suffix refer to other files.
_REFERENCES = {
    ".obj": re.compile(rb"^[ \t]*mtllib[ \t]+(.+?)[ \t\r]*$", re.MULTILINE),
    ".mtl": re.compile(
        rb"^[ \t]*(?:map_\w+|bump|disp|decal|refl)[ \t]+(?:.*[ \t])?(\S+)[ \t\r]*$", re.MULTILINE
    ),
    ".dae": re.compile(rb"<init_from>\s*([^<]+?)\s*</init_from>"),
    ".gltf": re.compile(rb'"uri"\s*:\s*"([^"]+)"'),
    ".glb": re.compile(rb'"uri"\s*:\s*"([^"]+)"'),
    ".wrl": re.compile(rb'\burl\s*\[?\s*"([^"]+)"'),
    ".iv": re.compile(rb'\b(?:file)?name\s+"([^"]+)"'),
    ".scen": re.compile(rb"\b(?:uri|url)\s*:\s*[\"']?([^\s\"',}#]+)"),
}
_REFERENCES |= {".yaml": _REFERENCES[".scen"], ".yml": _REFERENCES[".scen"]}
_MAX_COMPANIONS = 2000


def shape_files(shape: Shape) -> Iterator[MeshFile | Texture]:
    """The mesh file and the texture file of a shape."""
    if isinstance(shape.geometry, MeshFile):
        yield shape.geometry
    if shape.material is not None and shape.material.texture is not None and shape.material.texture.uri:
        yield shape.material.texture


def file_paths(robot: Robot) -> set[str]:
    """The paths of all mesh and texture files of a robot that were found."""
    return {path for _, path in references(robot)}


def references(robot: Robot) -> frozenset[tuple[str, str]]:
    """The URIs of all mesh and texture files of a robot that were found, and their paths."""
    shapes = (s for x in robot.links for s in (*x.visuals, *x.collisions, *x.collisions_alt))
    found = (reference for shape in shapes for reference in shape_files(shape))
    return frozenset((x.uri, x.path) for x in found if x.path)


def with_companions(paths: Iterable[str], files: Files) -> list[str]:
    """The real paths of mesh files and all files that they refer to (materials, images, parts)."""
    out: dict[str, None] = {}
    todo = [os.path.realpath(p) for p in paths]
    todo.reverse()
    while todo and len(out) < _MAX_COMPANIONS + len(todo):
        path = todo.pop()
        if path in out:
            continue
        out[path] = None
        pattern = _REFERENCES.get(os.path.splitext(path)[1].lower())
        if pattern is None:
            continue
        try:
            data = files.read(path)
        except FileError:
            continue
        for name in dict.fromkeys(pattern.findall(data)):
            text = name.decode("utf-8", "replace").strip()
            found = None if text.startswith("data:") else files.resolve(text, path, None, Findings())
            if found is not None and files.exists(found):
                todo.append(os.path.realpath(found))
    return list(out)


def relocate(
    robot: Robot, destination: Destination, assets: Assets, used: Callable[[Shape], bool]
) -> Robot:
    """The robot with URIs that are valid at the destination; files of ``used`` shapes are copied.

    A URI that refers to the same file at the destination is kept.
    """
    is_elsewhere: dict[tuple[str, str], bool] = {}
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            for reference in shape_files(shape):
                key = (reference.uri, reference.path)
                if reference.path and (used(shape) or isinstance(reference, Texture)):
                    is_elsewhere.setdefault(key, not destination.resolves(*key))
    copied = [path for (_, path), away in is_elsewhere.items() if away and not destination.keep]
    # Default access rules: a copied mesh file brings no file that reading it may not open.
    targets = assets.copy_tree(with_companions(copied, Files()))
    new: dict[tuple[str, str], tuple[str, str]] = {}
    for (uri, path), away in is_elsewhere.items():
        if not away:
            new[uri, path] = (uri, path)
        elif destination.keep:
            by_package = uri.startswith(("package:", "model:")) and not destination.writer.complete
            new[uri, path] = (uri if by_package else destination.uri(path), path)
        else:
            target = targets[os.path.realpath(path)]
            new[uri, path] = (destination.uri(target), target)
    return with_shapes(robot, lambda shape: (_with_paths(shape, new),))


def _with_paths(shape: Shape, new: dict[tuple[str, str], tuple[str, str]]) -> Shape:
    out = shape
    for reference in shape_files(shape):
        uri, path = new.get((reference.uri, reference.path), (reference.uri, reference.path))
        if uri == reference.uri:
            continue
        moved = replace(reference, uri=uri, path=path)
        if isinstance(moved, MeshFile):
            out = replace(out, geometry=moved)
        elif out.material is not None:
            out = replace(out, material=replace(out.material, texture=moved))
    return out


def without_missing(robot: Robot, destination: Destination) -> Robot:
    """The robot without the shapes and textures whose files are missing."""

    def is_missing(reference: MeshFile | Texture | None) -> bool:
        if reference is None or not reference.uri or reference.path:
            return False
        return not destination.exists(reference.uri)

    def present(shape: Shape) -> tuple[Shape, ...]:
        if isinstance(shape.geometry, MeshFile) and is_missing(shape.geometry):
            return ()
        material = shape.material
        if material is None or not is_missing(material.texture):
            return (shape,)
        return (replace(shape, material=replace(material, texture=None)),)

    return with_shapes(robot, present)
