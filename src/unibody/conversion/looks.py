"""Comparison of the colors, images and further looks of two robots' visual shapes."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from unibody.conversion.asset_paths import with_companions
from unibody.files.access import FileError, Files
from unibody.files.embedded import embedded_data
from unibody.meshes import MeshCache, Surface, link_surfaces, shape_surfaces
from unibody.meshes.write_png import write_png
from unibody.model.robot import Link, Robot
from unibody.model.shape import Material, MeshFile, Shape, Texture
from unibody.model.traverse import items

# Half a step of 8 bits: closer colors are equal.
_LEAST = 0.5 / 255.0
#: Red, green, blue and opacity.
_Rgba: TypeAlias = tuple[float, float, float, float]


def looks_deviations(
    a: Robot, b: Robot, caches: tuple[MeshCache, MeshCache], changed: Collection[str]
) -> dict[str, tuple[float, float]]:
    """The largest difference of diffuse colors and opacities (0 to 1), and the number of other images.

    By the name of the link, of all links with visual mesh files and of those that are ``changed``.
    ``caches`` are those of the meshes of the two robots. A mesh file that is copied with all that belongs
    to it looks the same.
    """
    others = {link.name: link for link in b.solids}
    out: dict[str, tuple[float, float]] = {}
    for link in a.solids:
        other = others.get(link.name)
        if other is None or not (link.name in changed or any(_mesh_files(link))):
            continue
        if link.name not in changed and _are_copies(link, other, caches[1].files):
            out[link.name] = (0.0, 0.0)
            continue
        first = link_surfaces(a, link.name, "visual", caches[0])
        second = link_surfaces(b, link.name, "visual", caches[1])
        if first and second:
            images = _images(first, caches[0].files) ^ _images(second, caches[1].files)
            out[link.name] = (_color_distance(first, second), float(len(images)))
    return out


class LeftOut(NamedTuple):
    """A kind of look that the mesh file of the visual shape at ``path`` has, and another robot lacks."""

    path: str
    mesh: MeshFile
    kind: str


def looks_left_out(
    a: Robot, b: Robot, caches: tuple[MeshCache, MeshCache], copies: Mapping[str, str]
) -> Iterator[LeftOut]:
    """What materials of mesh files have and the links of another robot lack, once for each file.

    ``copies`` are the originals of files that ``b`` refers to: a copy has all looks.
    """
    others = items(b.solids)[1]
    seen: set[str] = set()
    for name, link in items(a.solids)[1].items():
        other = others.get(name)
        if other is None or not other.visuals:
            continue
        kept = {os.path.realpath(copies.get(mesh.path, mesh.path)) for mesh in _mesh_files(other)}
        there: set[str] | None = None
        for k, shape in enumerate(link.visuals):
            mesh = shape.geometry
            if not isinstance(mesh, MeshFile) or mesh.geometry_only or mesh.path in seen:
                continue
            if not mesh.path or os.path.realpath(mesh.path) in kept:
                continue
            seen.add(mesh.path)
            if found := _kinds((shape,), caches[0]):
                there = set(_kinds(other.visuals, caches[1])) if there is None else there
                owner = "surroundings" if link is a.surroundings else f"links/{name}"
                path = f"{owner}/visuals/{k}"
                yield from (LeftOut(path, mesh, kind) for kind in found if kind not in there)


def _kinds(shapes: Iterable[Shape], cache: MeshCache) -> list[str]:
    """The kinds of looks of the mesh files of shapes."""
    meshes = (shape for shape in shapes if isinstance(shape.geometry, MeshFile) and shape.geometry.path)
    surfaces = (surface for shape in meshes for surface in shape_surfaces(shape, cache))
    return list(dict.fromkeys(look.kind for s in surfaces for look in cache.looks.of(s.material)))


def _mesh_files(link: Link) -> Iterator[MeshFile]:
    return (x.geometry for x in link.visuals if isinstance(x.geometry, MeshFile) and x.geometry.path)


def _are_copies(link: Link, other: Link, files: Files) -> bool:
    """Whether the visual mesh files of two links, and all files that belong to them, are the same."""
    pairs = list(zip(_mesh_files(link), _mesh_files(other), strict=False))
    return all(
        os.path.realpath(x.path) == os.path.realpath(y.path)
        or _contents(x.path, Files()) == _contents(y.path, files)
        for x, y in pairs
    )


def _contents(path: str, files: Files) -> list[tuple[str, bytes]]:
    """The bytes of a mesh file and of all that belongs to it, by relative path."""
    found = with_companions([path], files)
    folder = os.path.dirname(found[0])
    return sorted((os.path.relpath(each, folder), _bytes(each, files)) for each in found)


def _bytes(path: str, files: Files) -> bytes:
    try:
        return files.read(path)
    except FileError:
        return b""


def _color_distance(first: Sequence[Surface], second: Sequence[Surface]) -> float:
    """The largest difference of colors: of surfaces in their order, or of those with the nearest color.

    A surface with a color at each vertex has their mean, unless all are white.
    """
    x, y = (np.array([_color(surface) for surface in found]) for found in (first, second))
    if [len(s.faces) for s in first] == [len(s.faces) for s in second]:
        largest = float(np.abs(x - y).max())
    else:
        x, y = np.unique(x, axis=0), np.unique(y, axis=0)
        apart = np.abs(x[:, None] - y[None]).max(axis=2)
        largest = float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))
    return largest if largest > _LEAST else 0.0


def _color(surface: Surface) -> _Rgba:
    material = surface.material or Material(diffuse=(1.0, 1.0, 1.0))
    red, green, blue = material.diffuse
    if surface.colors is not None and len(surface.colors) and (surface.colors[:, :3] < 1.0).any():
        red, green, blue = surface.colors[:, :3].mean(axis=0).tolist()
    return (red, green, blue, 1.0 - material.transparency)


def _images(surfaces: Sequence[Surface], files: Files) -> set[bytes]:
    textures = (s.material.texture for s in surfaces if s.material is not None)
    return {data for texture in textures if texture is not None and (data := _image(texture, files))}


def _image(texture: Texture, files: Files) -> bytes | None:
    if len(texture.image):
        return write_png(texture.image)
    return _bytes(texture.path, files) if texture.path else embedded_data(texture.uri)
