"""Names of mesh and image files in a robot that is to be written elsewhere: kept, or copied beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from unibody.conversion.assets import Assets, laid_out, with_companions
from unibody.files.access import Files
from unibody.model.changes.shapes import with_shapes
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape, Texture
from unibody.text.finding import Findings


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model is written: its path, the folder for files beside it, how these are named.

    ``package`` makes their uris begin with package://NAME/ instead of being relative; with ``keep``
    files stay where they are.
    """

    path: str
    folder: str
    files: Files
    keep: bool = False
    package: str = ""

    def uri(self, path: str) -> str:
        """What a file beside the model is called in it."""
        relative = os.path.relpath(path, os.path.dirname(self.path)).replace(os.sep, "/")
        return f"package://{self.package}/{relative}" if self.package else relative

    def means(self, uri: str, path: str) -> bool:
        """Whether a uri means the same file for who reads the model at its new place."""
        found = self.files.resolve(uri, self.path, None, Findings())
        return found is not None and os.path.realpath(found) == os.path.realpath(path)


def files_of(shape: Shape) -> Iterator[MeshFile | Texture]:
    """The references to files in a shape."""
    if isinstance(shape.geometry, MeshFile):
        yield shape.geometry
    if shape.material is not None and shape.material.texture is not None and shape.material.texture.uri:
        yield shape.material.texture


def relocated(robot: Robot, place: Place, assets: Assets, wanted: Callable[[Shape], bool]) -> Robot:
    """The robot with uris that hold at the new place; files of ``wanted`` shapes are planned as copies."""
    found: dict[tuple[str, str], bool] = {}
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            for reference in files_of(shape):
                key = (reference.uri, reference.path)
                if reference.path and (wanted(shape) or isinstance(reference, Texture)):
                    found.setdefault(key, not place.means(*key))
    moved = [path for (_, path), away in found.items() if away and not place.keep]
    # What is copied is published: a mesh names no more than what it may when it is read.
    every = with_companions(moved, Files())
    # what stays where it is must not be written over
    stay = (path for (_, path), away in found.items() if not away or place.keep)
    assets.reserved.update(map(os.path.abspath, stay))
    layout = laid_out(every, place.folder)
    if not assets.reserved.isdisjoint(layout.values()):
        layout = laid_out(every, os.path.join(place.folder, "copied"))
    assets.copies.update({target: source for source, target in layout.items()})
    names: dict[tuple[str, str], tuple[str, str]] = {}
    for (uri, path), away in found.items():
        if not away:
            names[uri, path] = (uri, path)
        elif place.keep:
            names[uri, path] = (uri if uri.startswith(("package:", "model:")) else place.uri(path), path)
        else:
            target = layout[os.path.realpath(path)]
            names[uri, path] = (place.uri(target), target)
    return with_shapes(robot, lambda shape: (_renamed(shape, names),))


def _renamed(shape: Shape, names: dict[tuple[str, str], tuple[str, str]]) -> Shape:
    out = shape
    for reference in files_of(shape):
        uri, path = names.get((reference.uri, reference.path), (reference.uri, reference.path))
        if uri == reference.uri:
            continue
        new = replace(reference, uri=uri, path=path)
        if isinstance(new, MeshFile):
            out = replace(out, geometry=new)
        elif out.material is not None:
            out = replace(out, material=replace(out.material, texture=new))
    return out
