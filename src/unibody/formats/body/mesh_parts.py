"""Excludes the parts of a mesh file that a Body file uses elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from unibody.formats.body.elements import Content
from unibody.model.shape import MeshFile, Shape

_Key = tuple[str, str, float | None, str | None]


def cut_out(contents: Iterable[Content]) -> None:
    """Set ``MeshFile.without`` of each part of a mesh file to the other parts that are used.

    Choreonoid removes a used part from the loaded scene (facts A.9): a turret with its own link is not
    drawn again with the hull.
    """
    all_contents = list(contents)
    asked: dict[_Key, dict[str, None]] = {}
    for mesh in (_mesh(x) for c in all_contents for x in (*c.visuals, *c.collisions)):
        if mesh is not None and mesh.fragment:
            asked.setdefault(_key(mesh), {})[mesh.fragment] = None
    if not any(len(parts) > 1 for parts in asked.values()):
        return
    made: dict[int, tuple[Shape, Shape]] = {}
    for content in all_contents:
        content.visuals = [_cut(x, asked, made) for x in content.visuals]
        content.collisions = [_cut(x, asked, made) for x in content.collisions]


def _mesh(shape: Shape) -> MeshFile | None:
    return shape.geometry if isinstance(shape.geometry, MeshFile) else None


def _key(mesh: MeshFile) -> _Key:
    return (mesh.uri, mesh.path, mesh.unit, mesh.up_axis)


def _cut(shape: Shape, asked: dict[_Key, dict[str, None]], made: dict[int, tuple[Shape, Shape]]) -> Shape:
    mesh = _mesh(shape)
    if mesh is None or not mesh.fragment:
        return shape
    if id(shape) not in made:
        others = tuple(name for name in asked[_key(mesh)] if name != mesh.fragment)
        changed = replace(shape, geometry=replace(mesh, without=others)) if others else shape
        made[id(shape)] = (shape, changed)
    return made[id(shape)][1]
