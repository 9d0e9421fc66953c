"""Writes meshes, height fields, materials and textures, each once, with what is kept of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf.asset_elements import color_layer, has_data, in_order, name_of
from unibody.formats.mjcf.kept_elements import Kept, bound
from unibody.formats.mjcf.materials import GRAY, SHININESS
from unibody.formats.mjcf.meshes import file_pose, is_in_place, turns_unevenly
from unibody.formats.tidy import tidy
from unibody.model import shape as s
from unibody.model.changes.joints import free_name
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, Pose

_T = TypeVar("_T", bound=Document)
Rgba = tuple[float, float, float, float]

# Of a height field without height, MuJoCo wants some; a base, too.
_LEAST_HEIGHT, _BASE = 1e-3, 1e-3
#: MuJoCo rejects a mesh whose volume is too small, even if its mass is stated: a surface is always enough.
SHELL = "shell"
_KINDS: dict[str, type[Document]] = {
    "mesh": assets.Mesh,
    "hfield": assets.HeightField,
    "material": assets.Material,
    "texture": assets.Texture,
    "skin": assets.Skin,
    "model": assets.Model,
}


class AssetTable:
    """The assets of a file that is being written; equal ones are one."""

    def __init__(self, kept: Kept) -> None:
        self._kept: dict[tuple[str, str], Document] = {}
        for node in kept.section("asset"):
            cls = _KINDS.get(node.tag)
            if cls is not None:
                doc = bound(cls, node)
                # nothing refers to an asset without a name
                self._kept.setdefault((node.tag, name_of(doc) or f"#{len(self._kept)}"), doc)
        self._made: list[tuple[Document, Document]] = []
        self._order: dict[int, Document] = {}
        self._names: dict[str, set[str]] = {}
        for kind, name in self._kept:
            self._names.setdefault(kind, set()).add(name)
        self._known: dict[object, str] = {}
        self._used: set[tuple[str, str]] = set()

    def kept_mesh(self, name: str | None) -> assets.Mesh | None:
        """The kept mesh with a name."""
        found = self._kept.get(("mesh", name or ""))
        return found if isinstance(found, assets.Mesh) else None

    def elements(self) -> list[Document]:
        """The section of the assets, if there are any: the kept ones first, in their order."""
        out: list[Document] = []
        for key, doc in self._kept.items():
            if key in self._used or has_data(doc):
                out.append(doc)
        out += [doc for doc, _ in self._made]
        names = {name_of(doc) for doc in out if isinstance(doc, assets.Texture)}
        for doc in out:
            if isinstance(doc, assets.Material):
                doc.texture = doc.texture if doc.texture in names else None
                doc.layers = [layer for layer in doc.layers if layer.texture in names]
        return [d.Asset(items=in_order(out))] if out else []

    def _add(self, doc: Document, key: object, make_name: Callable[[], str]) -> str:
        kind = getattr(doc, "KEY", "")
        taken = self._names.setdefault(kind, set())
        name = free_name(make_name() or kind, taken)
        taken.add(name)
        doc.name = name  # type: ignore[attr-defined]
        self._made.append((doc, doc))
        self._known[key] = name
        return name

    # --- meshes -------------------------------------------------------------------------

    def mesh_file(self, mesh: s.MeshFile, kept: str | None) -> str:
        """The name of the mesh of a file; ``kept`` is the name of the kept mesh of the geom."""
        found = self.kept_mesh(kept)
        is_file = found is not None and not is_in_place(found)
        if found is not None and kept is not None and is_file:
            if ("mesh", kept) not in self._used:
                if turns_unevenly(found):  # its file was converted
                    found.refpos, found.refquat = None, UNIT_QUATERNION
                found.name, found.file, found.scale = kept, mesh.uri, mesh.scale
                self._used.add(("mesh", kept))
            if (found.file, tuple(found.scale)) == (mesh.uri, mesh.scale):
                return kept
        key = ("file", mesh.uri, mesh.scale)
        if key in self._known:
            return self._known[key]
        doc = assets.Mesh(file=mesh.uri, scale=mesh.scale, inertia=SHELL)
        stem = os.path.splitext(os.path.basename(mesh.uri.replace("\\", "/")))[0]
        return self._add(doc, key, lambda: stem)

    def file_pose(self, name: str) -> Pose:
        """The pose of the coordinates of the file of a mesh, scaled, in its geoms."""
        found = self.kept_mesh(name)
        return IDENTITY if found is None else file_pose(found)

    def mesh(self, mesh: s.Mesh, kept: str | None, name: str) -> str:
        """The name of a mesh of triangles."""
        found = self.kept_mesh(kept)
        if found is not None and kept is not None and is_in_place(found):
            self._used.add(("mesh", kept))
            return kept
        key = ("mesh", id(mesh))
        if key in self._known:
            return self._known[key]
        faces = np.asarray(mesh.faces, np.int64).reshape(-1, 4)[:, :3]
        faces = faces if mesh.ccw else faces[:, ::-1]
        doc = assets.Mesh(
            vertex=tuple(map(float, mesh.vertices)),
            face=tuple(map(float, faces.reshape(-1).tolist())),
            inertia=SHELL,
        )
        return self._add(doc, key, lambda: name)

    def height_field(self, grid: s.ElevationGrid, kept: str | None, name: str) -> tuple[str, float]:
        """The name of the height field of a grid, and the height of its lowest point in the grid."""
        heights = np.asarray(grid.heights, np.float64).reshape(grid.z_dimension, grid.x_dimension)
        low, high = float(heights.min()), float(heights.max())
        half = half_size(grid)
        found = self._kept.get(("hfield", kept or ""))
        # a program that fills a field in needs the size that it has without data
        size = found.size if isinstance(found, assets.HeightField) else None
        flat, base = (_LEAST_HEIGHT, _BASE) if size is None else size[2:4]
        top = high - low
        doc = assets.HeightField(
            nrow=grid.z_dimension,
            ncol=grid.x_dimension,
            size=(*half, top if top > 0.0 else flat, base),
            elevation=tuple((heights - low).reshape(-1).tolist()),
        )
        key = ("hfield", id(grid))
        if key in self._known:
            return self._known[key], low
        is_free = isinstance(found, assets.HeightField) and ("hfield", kept) not in self._used
        if is_free and kept is not None:
            self._used.add(("hfield", kept))
            doc.name = kept
            self._kept["hfield", kept] = doc
            self._known[key] = kept
            return kept, low
        return self._add(doc, key, lambda: name), low

    # --- materials ----------------------------------------------------------------------

    def material(self, material: s.Material | None, kept: str | None) -> tuple[str | None, Rgba | None]:
        """The name of the material of a shape, and its color, as far as it needs either."""
        if material is None:
            return None, None
        rgba = color_of(material)
        name = kept or material.name
        found = self._kept.get(("material", name)) if name else None
        if isinstance(found, assets.Material) and self._has_looks(found, material):
            self._used.add(("material", name))
            self._use_texture(found.texture or color_layer(found), material.texture)
            return name, None if found.rgba == rgba else rgba
        plain = material == s.Material(diffuse=material.diffuse, transparency=material.transparency)
        if plain and rgba != GRAY:
            return None, rgba
        looks = (material.specular, material.specular_exponent, material.emissive)
        key = ("material", material.name, rgba, looks, _image(material))
        if key in self._known:
            return self._known[key], None
        doc = assets.Material(
            rgba=rgba,
            specular=sum(material.specular) / 3.0,
            shininess=min(max(material.specular_exponent / SHININESS, 0.0), 1.0),
            emission=_emission(material),
        )
        if material.texture is not None and is_image(material.texture):
            doc.texture = self._texture(material.texture)
        return self._add(doc, key, lambda: material.name or "material"), None

    def _has_looks(self, found: assets.Material, material: s.Material) -> bool:
        """Whether a kept material still says what the model's does, but for the color."""
        texture = material.texture
        wanted = found.texture or color_layer(found)
        known = self._kept.get(("texture", wanted or ""))
        is_shown = ("texture", wanted) in self._used or (known is not None and not has_data(known))
        specular = sum(material.specular) / 3.0
        return (
            abs(found.specular - specular) < 1e-12
            and abs(found.shininess * SHININESS - material.specular_exponent) < 1e-9
            and (texture is not None and is_image(texture)) == is_shown
        )

    def _use_texture(self, name: str | None, texture: s.Texture | None) -> None:
        found = self._kept.get(("texture", name or ""))
        if name and isinstance(found, assets.Texture) and texture is not None:
            self._used.add(("texture", name))
            found.name, found.file = name, texture.uri

    def _texture(self, texture: s.Texture) -> str:
        key = ("texture", texture.uri)
        if key in self._known:
            return self._known[key]
        stem = os.path.splitext(os.path.basename(texture.uri))[0]
        return self._add(assets.Texture(type="2d", file=texture.uri), key, lambda: stem)


def color_of(material: s.Material) -> Rgba:
    """The color of a material with its opacity."""
    return (*material.diffuse, tidy(1.0 - material.transparency))


def _image(material: s.Material) -> str:
    texture = material.texture
    return texture.uri if texture is not None and is_image(texture) else ""


def is_image(texture: s.Texture) -> bool:
    """Whether MuJoCo reads the image file of a texture."""
    return texture.uri.lower().endswith((".png", ".ktx"))


def half_size(grid: s.ElevationGrid) -> tuple[float, float]:
    """Half the extent of a grid along X and Z."""
    x, z = grid.x_spacing * (grid.x_dimension - 1), grid.z_spacing * (grid.z_dimension - 1)
    return x / 2.0, z / 2.0


def _emission(material: s.Material) -> float | None:
    """The share of the color that shines by itself."""
    for own, color in zip(material.emissive, material.diffuse, strict=True):
        if color:
            return own / color or None
    return None
