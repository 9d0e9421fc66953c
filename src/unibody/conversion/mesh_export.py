"""Exports shapes that the target format lacks as mesh files."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.conversion.assets import Assets, file_stem, short_hash
from unibody.conversion.destination import Destination
from unibody.files.access import FileError, Files
from unibody.files.embedded import embedded_data, image_suffix, is_embedded
from unibody.files.filesystem import OverlayFileSystem
from unibody.formats.format import AssetStore
from unibody.formats.sidecar_mesh import read_arrays, turned
from unibody.meshes import MeshCache, shape_surfaces
from unibody.meshes.cache import look_image
from unibody.meshes.content import other_type, suffix_by_content
from unibody.meshes.look import Look
from unibody.meshes.surface import Surface, transformed
from unibody.meshes.thin import is_flat, with_four_points, with_thickness
from unibody.meshes.write_obj import Library, polygons_obj, surfaces_obj
from unibody.meshes.write_png import write_png
from unibody.model.area import LEAST_AREA, area
from unibody.model.changes.meshes import moved
from unibody.model.facts import Difference
from unibody.model.json import value_json
from unibody.model.patch_json import MOST_NUMBERS
from unibody.model.robot import Link, Robot
from unibody.model.shape import (
    LineSet,
    Mesh,
    MeshFile,
    PointSet,
    Shape,
    Texture,
    floats,
    ints,
)
from unibody.model.traverse import path_of
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.gzip import unpacked
from unibody.text.vrml.version import is_older

_ARRAYS = (
    "vertices",
    "faces",
    "normals",
    "normal_indices",
    "colors",
    "color_indices",
    "tex_coords",
    "tex_coord_indices",
)


_MATERIAL_LINE = re.compile(rb"^[ \t]*(?:mtllib|usemtl)\b", re.MULTILINE)


class MeshStore(AssetStore):
    """The mesh files and images of one model; equal content is one file.

    ``left_out`` are the shapes that lack parts of theirs in the files, by the number of their parts.
    """

    def __init__(self, destination: Destination, assets: Assets) -> None:
        self.destination, self.assets, self.writer = destination, assets, destination.writer
        self.findings = Findings()
        self.left_out: list[Difference] = []
        self.cache = MeshCache(Files(disk=OverlayFileSystem(assets.contents, assets.copies)), self.findings)
        self._vrml1: dict[str, bool] = {}
        self._opened: dict[tuple[MeshFile, str], bool] = {}
        self._bare: dict[str, bool] = {}
        self._converted_files: dict[Any, str | None] = {}
        self._images: dict[int, tuple[Texture, Texture]] = {}
        self._looks: dict[Look, Texture] = {}
        self._json: dict[int, tuple[Mesh, Any]] = {}

    def kept(self, shape: Shape) -> bool:
        """Whether the format represents a shape without change, assuming that its mesh file exists."""
        mesh = shape.geometry
        if isinstance(mesh, LineSet | PointSet):
            return True
        if isinstance(mesh, MeshFile):
            known = os.path.splitext(mesh.uri)[1].lower() in self.writer.meshes
            return self._holds(shape, mesh) and (not mesh.path or (known and self._is_opened(shape, mesh)))
        return self.writer.holds(shape)

    def _holds(self, shape: Shape, mesh: MeshFile) -> bool:
        """Whether the format refers to a mesh file in this way; one without materials is all geometry."""
        if self.writer.holds(shape):
            return True
        if not mesh.geometry_only or not self.writer.holds(
            replace(shape, geometry=replace(mesh, geometry_only=False))
        ):
            return False
        if mesh.path not in self._bare:
            self._bare[mesh.path] = self._has_no_materials(mesh.path)
        return self._bare[mesh.path]

    def _has_no_materials(self, path: str) -> bool:
        suffix = os.path.splitext(path)[1].lower()
        if suffix != ".obj":
            return suffix == ".stl"
        try:
            return _MATERIAL_LINE.search(self.cache.files.read(path)) is None
        except FileError:
            return False

    def _is_opened(self, shape: Shape, mesh: MeshFile) -> bool:
        """Whether the format's loaders make of a mesh file what unibody does."""
        key = (mesh, mesh.path)
        if key not in self._opened:
            self._opened[key] = self._opens(shape, mesh.path)
        return self._opened[key]

    def _opens(self, shape: Shape, path: str) -> bool:
        if self._is_vrml1(path):
            return False
        suffix = os.path.splitext(path)[1].lower()
        try:
            data = self.cache.files.read(path)
        except FileError:
            return True
        # loaders go by the suffix
        return not other_type(suffix, suffix_by_content(data, suffix)) and self.writer.opens(shape, data)

    def _is_vrml1(self, path: str) -> bool:
        """Whether a .wrl file is VRML 1.0 (Open Inventor) instead of VRML97."""
        if os.path.splitext(path)[1].lower() != ".wrl":
            return False
        if path not in self._vrml1:
            try:
                data = self.cache.files.read(path)
                self._vrml1[path] = is_older(unpacked(data, path, self.cache.files.limits.file_bytes))
            except (FileError, TextError):
                self._vrml1[path] = False
        return self._vrml1[path]

    def findings_about(self, robot: Robot, originals: MeshCache) -> list[Finding]:
        """The findings about mesh files; of copies, those about the files that ``robot`` refers to.

        ``originals`` reads these files, and has read none before.
        """
        named = {self.assets.copies.get(name) for f in self.findings for name in _files_of(f)}
        again = set[str]()
        for link in robot.solids:
            for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
                mesh = shape.geometry
                real = os.path.realpath(mesh.path) if isinstance(mesh, MeshFile) and mesh.path else None
                if real is not None and real in named:
                    shape_surfaces(shape, originals)
                    again.add(real)
        own = (f for f in self.findings if again.isdisjoint(map(self.assets.copies.get, _files_of(f))))
        return [*own, *originals.findings]

    def export(self, robot: Robot) -> Robot:
        """The robot with a mesh file for every shape that the format lacks."""
        if self.writer.models is not None:
            return self.writer.models(robot, self)
        return robot.with_solids(self._exported)

    def _exported(self, link: Link) -> Link:
        sets: dict[str, Any] = {}
        for name, word in (("visuals", "visual"), ("collisions", "collision")):
            old = getattr(link, name)
            made = [
                self._shapes(
                    x,
                    f"{link.name}_{word}_{k}" if len(old) > 1 else f"{link.name}_{word}",
                    path_of("links", link.name, name, str(k)),
                )
                for k, x in enumerate(old)
            ]
            if any(len(y) != 1 or x is not y[0] for x, y in zip(old, made, strict=True)):
                sets[name] = tuple(x for shapes in made for x in shapes)
        return replace(link, **sets) if sets else link

    def _shapes(self, shape: Shape, name: str, path: str) -> tuple[Shape, ...]:
        collides = path.split("/")[2] == "collisions"
        if self.writer.single and (
            not self.kept(self._with_image(shape)) or (collides and self._is_flat(shape))
        ):
            out, count = self._parts(shape, name, collides)
            if 0 < len(out) < count:
                self.left_out.append(Difference(f"{path}/geometry/parts", "changed", count, len(out)))
            return out
        made = self._shape(shape, name)
        return () if made is None else (made,)

    def _is_flat(self, shape: Shape) -> bool:
        """Whether all points of a mesh are in a plane."""
        mesh = shape.geometry
        if not isinstance(mesh, Mesh | MeshFile) or (isinstance(mesh, MeshFile) and not mesh.path):
            return False
        points = [np.asarray(x.geometry.vertices) for x in self.meshes(shape)]  # type: ignore[union-attr]
        return bool(points) and is_flat(np.concatenate([x.reshape(-1, 3) for x in points]))

    def _parts(self, shape: Shape, name: str, collides: bool) -> tuple[tuple[Shape, ...], int]:
        """A mesh file of one object for each material of a shape, and the number of materials.

        There is none for those without area.
        """
        parts = [x for x in self.meshes(shape) if len(x.geometry.faces)]  # type: ignore[union-attr]
        mesh = shape.geometry
        if isinstance(mesh, MeshFile) and mesh.path:
            name = os.path.splitext(os.path.basename(mesh.path))[0]
        out = []
        for k, part in enumerate(parts):
            geometry = part.geometry
            assert isinstance(geometry, Mesh)
            if shape.linear is not None:
                geometry = moved(geometry, np.array(shape.linear))
            if area(geometry) < LEAST_AREA:
                continue
            data = polygons_obj(with_thickness(geometry) if collides else with_four_points(geometry))
            if data is None:
                continue
            path = self.add(data, f"{name}_{k}" if len(parts) > 1 else name, ".obj")
            file = MeshFile(uri=self.destination.uri(path), path=path, geometry_only=True)
            material = part.material if isinstance(mesh, MeshFile) else shape.material
            if material is not None and material.texture is not None and not len(material.texture.image):
                # as those of the robot itself, an image of a mesh file is left out if it is missing
                texture = self.texture(material.texture)
                material = replace(material, texture=texture if texture.path else None)
            made = replace(part, geometry=file, linear=None, material=material)
            out.append(self._with_image(replace(made, name=shape.name if not k else "")))
        return tuple(out), len(parts)

    def _shape(self, shape: Shape, name: str) -> Shape | None:
        """The shape as the format represents it; None if its loader rejects the shape's file."""
        out = self._with_image(shape)
        if self.kept(out):
            return out
        mesh = out.geometry
        target = None if isinstance(mesh, MeshFile) and not mesh.path else self._converted(out, name)
        if target is None and isinstance(mesh, MeshFile) and self.writer.complete and mesh.path:
            return None
        if target is None and isinstance(mesh, MeshFile):
            return replace(out, geometry=self._unconverted(mesh), linear=None)
        if target is None:
            return out
        file = MeshFile(uri=self.destination.uri(target), path=target)
        return replace(out, geometry=file, linear=None, divisions=None)

    def _converted(self, shape: Shape, name: str) -> str | None:
        """The path of the mesh file of a shape; shapes that use a file in the same way share it.

        A complete file keeps its name, others are named after their link.
        """
        mesh = shape.geometry
        if not isinstance(mesh, MeshFile) or shape.material is not None:
            return self._file(shape, name)
        key = (replace(mesh, uri=mesh.path), shape.linear)
        if key not in self._converted_files:
            whole = mesh == MeshFile(uri=mesh.uri, path=mesh.path) and shape.linear is None
            stem = os.path.splitext(os.path.basename(mesh.path))[0]
            self._converted_files[key] = self._file(shape, stem if whole else name)
        return self._converted_files[key]

    def _unconverted(self, mesh: MeshFile) -> MeshFile:
        """A mesh file that cannot be converted, as a reference for programs that can read it."""
        x, y, z = (v * (mesh.unit or 1.0) for v in mesh.scale)
        uri, path = mesh.uri, mesh.path
        if (
            path
            and not self.destination.keep
            and path not in self.assets.copies
            and not self.destination.resolves(uri, path)
        ):
            path = self.assets.copy(path)
            uri = self.destination.uri(path)
        return MeshFile(uri=uri, path=path, scale=(x, y, z))

    def _file(self, shape: Shape, name: str) -> str | None:
        """The path of the mesh file of a shape; None if it has no triangles, or only some without area.

        Assimp, with which ROS and Pinocchio open it, rejects a file of these.
        """
        if isinstance(shape.geometry, Mesh) and not area(shape.geometry) > 0.0:
            return None
        if isinstance(shape.geometry, Mesh) and shape.linear is None:
            data = polygons_obj(shape.geometry)
            return None if data is None else self.add(data, name, ".obj")
        surfaces = shape_surfaces(shape, self.cache)
        if not surfaces:
            return None
        if shape.linear is not None:
            matrix = np.eye(4)
            matrix[:3, :3] = shape.linear
            surfaces = [transformed(x, matrix) for x in surfaces]
        if not isinstance(shape.geometry, MeshFile):
            surfaces = [replace(x, material=None) for x in surfaces]
        elif any(x.material is not None for x in surfaces):
            surfaces = [
                x if x.material is not None else replace(x, material=shape.material) for x in surfaces
            ]
        library = Library(self._image_name, self.cache.looks.of, self._look_name)
        stem = file_stem(name)
        data, mtl = surfaces_obj(surfaces, library, f"{stem}.mtl")
        if mtl is None:
            return self.add(data, name, ".obj")
        digest = hashlib.sha256(data + mtl).hexdigest()
        for unique in (stem, f"{stem}-{short_hash(digest)}", f"{stem}-{digest}"):
            if unique != stem:  # the OBJ file names its library
                data, mtl = surfaces_obj(surfaces, library, f"{unique}.mtl")
            if target := self.assets.add_pair(unique, {".obj": data, ".mtl": mtl or b""}):
                return target
        return None

    def add(self, data: bytes, name: str, suffix: str) -> str:
        """Add a file and return its path; equal content is one file."""
        return self.assets.add(data, name, suffix)

    def uri(self, path: str) -> str:
        """The URI of a file in the model."""
        return self.destination.uri(path)

    def beside(self, path: str) -> str:
        """The path of a file relative to the asset folder."""
        return os.path.relpath(path, self.assets.folder).replace(os.sep, "/")

    def content(self, path: str) -> bytes:
        """The content of a file of the model."""
        return self.assets.bytes_of(path) if self._is_asset(path) else self.cache.files.read(path)

    def image(self, texture: Texture) -> str:
        """The path of an image relative to the asset folder, "" if there is no file."""
        return self._image_name(texture)

    def texture(self, texture: Texture) -> Texture:
        """A texture with the URI of its image in the model."""
        found = self._with_file(texture)
        if not found.path:
            return found
        path = os.path.normpath(os.path.join(self.assets.folder, self._image_name(found)))
        return replace(found, uri=self.destination.uri(path), path=path)

    def meshes(self, shape: Shape) -> tuple[Shape, ...]:
        """A shape as triangles, one Mesh per material."""
        return tuple(
            replace(shape, geometry=_mesh(x), divisions=None, material=x.material or shape.material)
            for x in shape_surfaces(shape, self.cache)
        )

    def _image_name(self, texture: Texture) -> str:
        """The path of an image relative to the asset folder."""
        found = self._with_file(texture)
        if not found.path:
            return found.uri
        return self.beside(found.path if self._is_asset(found.path) else self.assets.copy(found.path))

    def _look_name(self, look: Look) -> str:
        """The path of the image of a look relative to the asset folder."""
        if look not in self._looks:
            self._looks[look] = look_image(look, self.cache)
        return self._image_name(self._looks[look])

    def _is_asset(self, path: str) -> bool:
        return path in self.assets.copies or path in self.assets.contents

    def _with_image(self, shape: Shape) -> Shape:
        """The shape with an image file for a texture that is none."""
        material = shape.material
        if material is None or material.texture is None:
            return shape
        texture = self._with_file(material.texture)
        if texture is material.texture:
            return shape
        return replace(shape, material=replace(material, texture=texture))

    def _with_file(self, texture: Texture) -> Texture:
        """The texture with an image file for its pixels, or for the image that its file holds."""
        if texture.path or not (len(texture.image) or is_embedded(texture.uri)):
            return texture
        if id(texture) not in self._images:
            data = embedded_data(texture.uri) if texture.uri else write_png(texture.image)
            if data is None:
                return replace(texture, uri="")
            target = self.add(data, "image", image_suffix(data) if texture.uri else ".png")
            saved = replace(texture, uri=self.destination.uri(target), path=target, image=())
            self._images[id(texture)] = (texture, saved)
        return self._images[id(texture)][1]

    # The side-car

    def geometry_json(self, geometry: Any) -> Any:
        """JSON data of a large mesh that the format lacks: its OBJ file, and what OBJ cannot represent."""
        if not isinstance(geometry, Mesh) or self.writer.holds(Shape(geometry=geometry)):
            return None
        if all(len(getattr(geometry, name)) <= MOST_NUMBERS for name in _ARRAYS):
            return None
        if id(geometry) not in self._json:
            self._json[id(geometry)] = (geometry, self._mesh_json(geometry))
        return self._json[id(geometry)][1]

    def _mesh_json(self, mesh: Mesh) -> Any:
        data = polygons_obj(mesh)
        if data is None:
            return None
        out = value_json(mesh)
        arrays: dict[str, Any] = dict(read_arrays(data))
        if not mesh.ccw:
            # The faces of the file point outward.
            arrays = turned(arrays)
            out["turned"] = True
        for name in _ARRAYS:
            if _equal_numbers(arrays.get(name, ()), getattr(mesh, name)):
                out.pop(name, None)
            elif name not in out:
                out[name] = []
        out["file"] = self.destination.uri(self.add(data, "mesh", ".obj"))
        return {"type": "Mesh", **out}

    def numbers_json(self, values: list[float]) -> Any:
        """JSON data of a long list of numbers: a JSON file with that list."""
        return {"numbers": self.destination.uri(self.add(json.dumps(values).encode(), "numbers", ".json"))}


def _equal_numbers(a: Any, b: Any) -> bool:
    return bool(np.array_equal(np.asarray(a, np.float64), np.asarray(b, np.float64)))


def _welded(vertices: Any, faces: Any) -> tuple[Any, Any]:
    """Merge equal vertices, in the order of first use (STL repeats them)."""
    _, first, place = np.unique(vertices, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return vertices[first[order]], rank[place.reshape(-1)][faces]


def _mesh(surface: Surface) -> Mesh:
    """The triangles of a surface as a mesh of the model."""
    vertices, corners = surface.vertices, surface.faces
    if surface.normals is None and surface.tex_coords is None and surface.colors is None:
        vertices, corners = _welded(vertices, corners)
    faces = np.hstack([corners, np.full((len(corners), 1), -1)])
    return Mesh(
        vertices=floats(vertices),
        faces=ints(faces),
        normals=() if surface.normals is None else floats(surface.normals),
        tex_coords=() if surface.tex_coords is None else floats(surface.tex_coords),
        colors=() if surface.colors is None else floats(surface.colors[:, :3]),
    )


def _files_of(finding: Finding) -> tuple[str, ...]:
    """What may be the file that a finding is about."""
    return (finding.subject,) if finding.at is None else (finding.subject, finding.at.source.name)
