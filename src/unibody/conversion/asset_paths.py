"""Files that a model refers to (meshes, textures, those of extras), and their paths at a new directory."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from unibody.conversion.assets import Assets
from unibody.conversion.destination import Destination
from unibody.files.access import Files
from unibody.files.embedded import is_embedded
from unibody.files.uris import package_parts, package_subject, place_of
from unibody.meshes import MeshCache
from unibody.model.changes.shapes import with_shapes
from unibody.model.robot import ExtraFile, Robot
from unibody.model.shape import MeshFile, Shape, Texture

_MAX_COMPANIONS = 2000

_Reference = TypeVar("_Reference", MeshFile, Texture, ExtraFile)


def shape_files(shape: Shape) -> Iterator[MeshFile | Texture]:
    """The mesh file and the texture file of a shape."""
    if isinstance(shape.geometry, MeshFile):
        yield shape.geometry
    texture = shape.material.texture if shape.material is not None else None
    if texture is not None and texture.uri and not is_embedded(texture.uri):
        yield texture


def file_paths(robot: Robot) -> set[str]:
    """The paths of all files of a robot that were found."""
    return {path for _, path in references(robot)}


def references(robot: Robot) -> frozenset[tuple[str, str]]:
    """The URIs of all files of a robot that were found, and their paths."""
    return frozenset((x.uri, x.path) for x in _references(robot) if x.path)


def places_not_found(robot: Robot) -> frozenset[str]:
    """The places of the files of a robot that were not found, and their packages."""
    uris = [x.uri for x in _references(robot) if x.uri and not x.path]
    places = (place_of(uri, robot.folder) for uri in uris)
    return frozenset((*places, *(package_subject(package_parts(uri)[0]) for uri in uris)))


def not_found(robot: Robot, formats: Collection[str]) -> frozenset[str]:
    """The URIs of files of shapes, and of extras of these formats, that were not found."""
    return frozenset(x.uri for x in _references(robot, formats) if x.uri and not x.path)


def _references(
    robot: Robot, formats: Collection[str] | None = None
) -> Iterator[MeshFile | Texture | ExtraFile]:
    """The files of shapes, and those of extras, of these formats only if any are given."""
    shapes = (s for x in robot.solids for s in (*x.visuals, *x.collisions, *x.collisions_alt))
    yield from (reference for shape in shapes for reference in shape_files(shape))
    extras = (extra for extra in robot.extras if formats is None or extra.format in formats)
    yield from (file for extra in extras for file in extra.files)


def with_companions(paths: Iterable[str], files: Files) -> list[str]:
    """The real paths of mesh files, and the paths of all files that these refer to (see MeshCache)."""
    cache = MeshCache(files)
    out: dict[str, None] = {}
    todo = [os.path.realpath(p) for p in paths]
    todo.reverse()
    while todo and len(out) < _MAX_COMPANIONS + len(todo):
        path = todo.pop()
        if path in out:
            continue
        out[path] = None
        # a companion that is a link stays where the mesh file refers to it
        todo += map(os.path.abspath, cache.companions(path))
    return list(out)


def relocate(
    robot: Robot,
    destination: Destination,
    assets: Assets,
    used: Callable[[Shape], bool],
    extras: Collection[str],
) -> Robot:
    """The robot with URIs that are valid at the destination; files of ``used`` shapes are copied.

    So are the files of ``extras`` of these formats. A URI that refers to the same file at the destination
    is kept; a relative one of a file that was not found refers to the same place as before.
    """
    is_elsewhere: dict[tuple[str, str], bool] = {}
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            for reference in shape_files(shape):
                key = (reference.uri, reference.path)
                if reference.path and (used(shape) or isinstance(reference, Texture)):
                    is_elsewhere.setdefault(key, not destination.resolves(*key))
    for file in (file for extra in robot.extras if extra.format in extras for file in extra.files):
        if file.path:
            key = (file.uri, file.path)
            is_elsewhere.setdefault(key, not destination.resolves(*key))
    for uri in not_found(robot, extras):
        is_elsewhere[uri, ""] = destination.seen_from(uri, robot.folder) != uri
    copied = [path for (_, path), away in is_elsewhere.items() if path and away and not destination.keep]
    # Default access rules: a copied mesh file brings no file that reading it may not open.
    targets = assets.copy_tree(with_companions(copied, Files()))
    new: dict[tuple[str, str], tuple[str, str]] = {}
    for (uri, path), away in is_elsewhere.items():
        if not away:
            new[uri, path] = (uri, path)
        elif not path:
            new[uri, path] = (destination.seen_from(uri, robot.folder), path)
        elif destination.keep:
            by_package = uri.startswith(("package:", "model:")) and not destination.writer.complete
            new[uri, path] = (uri if by_package else destination.uri(path), path)
        else:
            target = targets[os.path.realpath(path)]
            new[uri, path] = (destination.uri(target), target)
    moved = tuple(
        replace(extra, files=tuple(_moved(file, new) for file in extra.files)) if extra.files else extra
        for extra in robot.extras
    )
    return with_shapes(replace(robot, extras=moved), lambda shape: (_with_paths(shape, new),))


def _moved(reference: _Reference, new: Mapping[tuple[str, str], tuple[str, str]]) -> _Reference:
    uri, path = new.get((reference.uri, reference.path), (reference.uri, reference.path))
    return reference if uri == reference.uri else replace(reference, uri=uri, path=path)


def _with_paths(shape: Shape, new: Mapping[tuple[str, str], tuple[str, str]]) -> Shape:
    out = shape
    for reference in shape_files(shape):
        if new.get((reference.uri, reference.path), ("",))[0] in ("", reference.uri):
            continue  # the shape is the same object
        if isinstance(reference, MeshFile):
            out = replace(out, geometry=_moved(reference, new))
        elif out.material is not None:
            out = replace(out, material=replace(out.material, texture=_moved(reference, new)))
    return out


def without_missing(robot: Robot, destination: Destination) -> Robot:
    """The robot without the shapes, the textures and the files of extras that are missing."""

    def is_missing(reference: MeshFile | Texture | ExtraFile | None) -> bool:
        if reference is None or not reference.uri or reference.path or is_embedded(reference.uri):
            return False
        return not destination.exists(reference.uri)

    def present(shape: Shape) -> tuple[Shape, ...]:
        if isinstance(shape.geometry, MeshFile) and is_missing(shape.geometry):
            return ()
        material = shape.material
        if material is None or not is_missing(material.texture):
            return (shape,)
        return (replace(shape, material=replace(material, texture=None)),)

    extras = tuple(
        replace(extra, files=tuple(file for file in extra.files if not is_missing(file)))
        if extra.files
        else extra
        for extra in robot.extras
    )
    return with_shapes(replace(robot, extras=extras), present)
