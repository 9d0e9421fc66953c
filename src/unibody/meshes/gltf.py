"""Reads glTF 2.0 files, text (.gltf) and binary (.glb): nodes, triangles, materials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import numpy as np

from unibody.files.embedded import is_embedded
from unibody.meshes.gltf_data import GltfData, items, member, numbers, object_at
from unibody.meshes.indexed import Tables, surface_of, validated, with_vertices
from unibody.meshes.look import Look
from unibody.meshes.numbers import usable
from unibody.meshes.polygon import strip_corners
from unibody.meshes.scene import MeshScene, Node, Request, SceneBuilder
from unibody.meshes.surface import Surface
from unibody.model.arrays import Floats, Integers, Matrix
from unibody.model.pose import quaternion_matrix
from unibody.model.shape import Material, Texture

_COMPRESSED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_CLAMP = 33071
# Images of a material: whether metalness and roughness have it, its key, its kind.
_IMAGES = (
    (True, "metallicRoughnessTexture", "metallic-roughness image"),
    (False, "normalTexture", "normal image"),
    (False, "occlusionTexture", "occlusion image"),
    (False, "emissiveTexture", "emission image"),
)
_TRANSFORMS = {"matrix": 16, "translation": 3, "rotation": 4, "scale": 3}


def read_gltf(data: bytes, request: Request) -> MeshScene:
    """Read a glTF file; the format's unit is the meter, its up axis Y. MeshError if it is not one."""
    file = GltfData(data, request)
    needed = [e for e in items(file.json, "extensionsRequired") if e in _COMPRESSED]
    if needed:
        raise request.broken(f"unsupported compression {needed[0]}", "mesh-format")
    walk = _Walk(file, request)
    return MeshScene(walk.scene.walk(walk.roots(), None, walk.visit), 1.0, "Y")


def gltf_companions(data: bytes | memoryview, request: Request) -> Iterator[str]:
    """The buffers and images of a glTF file that are files of their own."""
    file = GltfData(bytes(data), request)
    for each in (*items(file.json, "buffers"), *items(file.json, "images")):
        uri = each.get("uri") if isinstance(each, dict) else None
        if isinstance(uri, str) and not is_embedded(uri) and (path := request.resolve(unquote(uri))):
            yield path


def image_within(data: bytes, request: Request, index: int) -> str:
    """The data URI of an image that a glTF file holds."""
    file = GltfData(data, request)
    image = object_at(items(file.json, "images"), index)
    return "" if image is None else file.image(image)


class _Walk:
    """Visits the nodes of the scene; reads each mesh and material once."""

    def __init__(self, file: GltfData, request: Request) -> None:
        self.file, self.json, self.request = file, file.json, request
        self.meshes: dict[int, list[Surface]] = {}
        self.materials: dict[int, Material] = {}
        self.scene = SceneBuilder(request)

    def visit(self, index: Any, outer: Matrix | None) -> tuple[Node, Matrix | None, list[Any]] | None:
        """The node with an index in the scene's frame, its matrix and its children."""
        node = object_at(items(self.json, "nodes"), index)
        if node is None:
            self.request.warn("mesh-reference", f"reference to unknown node {index!r}")
            return None
        own = _matrix(node, self.request)
        matrix = outer if own is None else own if outer is None else outer @ own
        if matrix is not None and not usable(matrix):
            raise self.request.broken("node coordinates overflow")
        name = node.get("name")
        found = Node(name if isinstance(name, str) else "", matrix, self._mesh(node.get("mesh")))
        return found, matrix, items(node, "children")

    def roots(self) -> list[Any]:
        """The nodes of the default scene; without scenes, the nodes without parent."""
        scenes = items(self.json, "scenes")
        scene = object_at(scenes, self.json.get("scene", 0))
        if scene is not None:
            return items(scene, "nodes")
        nodes = items(self.json, "nodes")
        inner = {i for n in nodes for i in items(n, "children") if isinstance(i, int)}
        return [i for i in range(len(nodes)) if i not in inner]

    def _mesh(self, index: Any) -> list[Surface]:
        """The surfaces of a mesh, one for each primitive with triangles."""
        if index is None:
            return []
        mesh = object_at(items(self.json, "meshes"), index)
        if mesh is None:
            self.request.warn("mesh-reference", f"reference to unknown mesh {index!r}")
            return []
        if index not in self.meshes:
            found = [self._surface(p) for p in items(mesh, "primitives") if isinstance(p, dict)]
            given = mesh.get("name")
            name = given if isinstance(given, str) else ""
            self.meshes[index] = [replace(s, name=name) for s in found if s is not None]
        self.scene.count(sum(len(surface.faces) for surface in self.meshes[index]))
        return self.meshes[index]

    def _surface(self, primitive: dict[str, Any]) -> Surface | None:
        mode = primitive.get("mode", _TRIANGLES)
        attributes = member(primitive, "attributes")
        if mode not in (_TRIANGLES, _STRIP, _FAN) or attributes.get("POSITION") is None:
            return None
        tables = self._tables(attributes)
        corners = self._corners(primitive, len(tables.vertices), mode)
        whole = len(corners) // 3
        corners = corners[: 3 * whole]
        if not whole:
            return None
        polygons = with_vertices(np.full(whole, 3, np.int64), corners, tables)
        polygons, _ = validated(polygons, tables, self.request, lambda _: None)
        triangles = np.arange(polygons.vertices.size).reshape(-1, 3)
        if not len(triangles):
            return None
        return replace(
            surface_of(triangles, polygons, tables), material=self._material(primitive.get("material"))
        )

    def _tables(self, attributes: dict[str, Any]) -> Tables:
        def table(name: str, *widths: int) -> Floats | None:
            if attributes.get(name) is None:
                return None
            rows = self.file.accessor(attributes[name])
            if rows.shape[1] not in widths:
                raise self.request.broken(f"{name} has {rows.shape[1]} components")
            return rows.astype(np.float64)

        vertices = table("POSITION", 3)
        assert vertices is not None
        tex_coords = table("TEXCOORD_0", 2)
        if tex_coords is not None:
            # glTF counts from the image's top, Surface from its bottom
            tex_coords = np.stack([tex_coords[:, 0], 1.0 - tex_coords[:, 1]], axis=1)
        colors = table("COLOR_0", 3, 4)
        if colors is not None:
            opacity = colors[:, 3:] if colors.shape[1] == 4 else np.ones((len(colors), 1))
            colors = np.clip(np.hstack([_to_srgb(colors[:, :3]), opacity]), 0.0, 1.0)
        found = {"normals": table("NORMAL", 3), "tex_coords": tex_coords, "colors": colors}
        return Tables(vertices, {name: t for name, t in found.items() if t is not None})

    def _corners(self, primitive: dict[str, Any], count: int, mode: int) -> Integers:
        """The vertex of every corner, three per triangle."""
        if primitive.get("indices") is None:
            corners = np.arange(count, dtype=np.int64)
        else:
            rows = self.file.accessor(primitive["indices"])
            if rows.dtype.kind != "u" or rows.shape[1] != 1:
                raise self.request.broken("indices must be unsigned integers")
            corners = rows.reshape(-1).astype(np.int64)
        return corners if mode == _TRIANGLES else corners[strip_corners(corners.size, mode == _FAN)]

    def _material(self, index: Any) -> Material | None:
        """A material with the base color as diffuse color; what else it states are looks."""
        found = object_at(items(self.json, "materials"), index)
        if found is None:
            return None
        if index not in self.materials:
            look = member(found, "pbrMetallicRoughness")
            base = numbers(look, "baseColorFactor", 4)
            # an image that is not drawn is mostly black
            glow = None if "emissiveTexture" in found else numbers(found, "emissiveFactor", 3)
            red, green, blue = _to_srgb(np.ones(3) if base is None else base[:3]).tolist()
            shine = _to_srgb(np.zeros(3) if glow is None else glow).tolist()
            see_through = base is not None and found.get("alphaMode", "OPAQUE") != "OPAQUE"
            name = found.get("name")
            self.materials[index] = Material(
                name=name if isinstance(name, str) else "",
                diffuse=(red, green, blue),
                emissive=(shine[0], shine[1], shine[2]),
                transparency=1.0 - float(np.clip(base[3], 0.0, 1.0)) if see_through else 0.0,  # type: ignore[index]
                texture=self._texture(member(look, "baseColorTexture").get("index")),
            )
            self.request.looks.note(self.materials[index], self._looks(found, look))
        return self.materials[index]

    def _looks(self, found: dict[str, Any], look: dict[str, Any]) -> Iterator[Look]:
        """What a material states beside base color and emission; with an image no factors of it."""
        file = self.request.path
        for owner, name, kind in _IMAGES:
            image = self._image(member(look if owner else found, name).get("index"))
            if image is not None and (kind != "emission image" or any(items(found, "emissiveFactor"))):
                yield Look(kind, image, file)
        if "metallicRoughnessTexture" not in look:
            for name, kind in (("roughnessFactor", "roughness"), ("metallicFactor", "metalness")):
                if (value := look.get(name)).__class__ in (int, float) and 0.0 <= value <= 1.0:
                    yield Look(kind, float(value), file)
        mode = found.get("alphaMode")
        if mode == "MASK" or (mode == "BLEND" and "baseColorTexture" in look):
            yield Look("alpha mode", mode, file)
        for name in member(found, "extensions"):
            if name.startswith("KHR_materials_"):
                yield Look(name, "", file)

    def _image(self, index: Any) -> str | int | None:
        """The URI of the image of a texture, or its index if it is within the file."""
        texture = object_at(items(self.json, "textures"), index)
        source = None if texture is None else texture.get("source")
        image = object_at(items(self.json, "images"), source)
        uri = None if image is None else image.get("uri")
        if isinstance(uri, str) and not is_embedded(uri):
            return unquote(uri)
        return source if image is not None and isinstance(source, int) else None

    def _texture(self, index: Any) -> Texture | None:
        texture = object_at(items(self.json, "textures"), index)
        image = object_at(items(self.json, "images"), None if texture is None else texture.get("source"))
        uri = "" if image is None else self.file.image(image)
        if texture is None or not uri:
            return None
        path: str | None = ""
        if not is_embedded(uri):
            path = self.request.resolve(unquote(uri))
        sampler = object_at(items(self.json, "samplers"), texture.get("sampler")) or {}
        return Texture(
            uri=uri,
            path=path or "",
            repeat_s=sampler.get("wrapS") != _CLAMP,
            repeat_t=sampler.get("wrapT") != _CLAMP,
        )


def _matrix(node: dict[str, Any], request: Request) -> Matrix | None:
    """The 4×4 matrix of a node in its parent's frame; None for the identity."""
    given = {key: numbers(node, key, count) for key, count in _TRANSFORMS.items() if key in node}
    if any(value is None for value in given.values()):
        raise request.broken(f"node has an invalid {' or '.join(given)}")
    if given.get("matrix") is not None:
        return given["matrix"].reshape(4, 4).T  # type: ignore[union-attr]
    if not given:
        return None
    out = np.eye(4)
    turn, scale, shift = given.get("rotation"), given.get("scale"), given.get("translation")
    if turn is not None and turn.any():
        x, y, z, w = (turn / np.linalg.norm(turn)).tolist()
        out[:3, :3] = quaternion_matrix((w, x, y, z))
    if scale is not None:
        out[:3, :3] = out[:3, :3] * scale
    if shift is not None:
        out[:3, 3] = shift
    return out


def _to_srgb(linear: Floats) -> Floats:
    """Convert glTF's linear colors to sRGB."""
    light = np.clip(linear, 0.0, 1.0)
    bright = np.minimum(1.055 * light ** (1.0 / 2.4) - 0.055, 1.0)
    return np.where(light >= 1.0, 1.0, np.where(light <= 0.0031308, 12.92 * light, bright))
