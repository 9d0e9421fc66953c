"""Cache of mesh files: reads each file once, converts units and axes, and extracts fragments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, cast

import numpy as np

from unibody.files.access import Buffer, FileError, Files
from unibody.files.embedded import is_embedded
from unibody.files.uris import shown
from unibody.formats.reference import MESH_KINDS
from unibody.meshes.content import MARK, other_type, suffix_by_content
from unibody.meshes.look import Look, Looks
from unibody.meshes.numbers import usable
from unibody.meshes.scene import MeshError, MeshScene, Node, Reader, Request, is_missing, placement_matrix
from unibody.meshes.stl import read_stl
from unibody.meshes.store import ArrayPool
from unibody.meshes.surface import Surface, transformed, transformed_all, with_material
from unibody.meshes.tessellation import Tessellations
from unibody.model.arrays import Matrix
from unibody.model.pose import Matrix3
from unibody.model.shape import MeshFile, Shape, Texture
from unibody.model.up_axis import UpAxis, own_up_axis, upright_turn
from unibody.text.collector import without_collector
from unibody.text.counted import listed
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.gzip import is_packed, unpacked
from unibody.text.hint import Hint, Setting
from unibody.text.limits import LimitError
from unibody.text.source import Span

SUFFIXES = tuple(MESH_KINDS)
# Kinds whose readers yield shapes of the model; they take a function that tessellates these.
_SHAPE_READERS = ("choreonoid", "vrml", "inventor")
# Suffixes of files that may be compressed with gzip.
_MAYBE_GZIPPED = (".wrl", ".iv")
# Kinds whose readers know no byte order mark.
_MARKLESS = ("stl", "obj", "ply")
# Kinds of files that refer to no others.
_ALONE = ("stl",)
_MOST_OPEN = 16
_APPLIED = "three.js and Blender apply it"
_EXPORT = "or export the mesh with Z up, so that all programs show the same"


class MeshCache:
    """The mesh files read so far, and their findings.

    ``files`` opens the mesh files; the default reads the local file system. Surfaces are shared between
    callers. A missing or broken file yields one finding and no surfaces.

    >>> MeshCache().surfaces(MeshFile(uri="part.stl"))
    ()
    """

    def __init__(self, files: Files | None = None, findings: Findings | None = None) -> None:
        self.files = files if files is not None else Files()
        most = self.files.limits.findings
        self.findings = findings if findings is not None else Findings(most=most)
        self._scenes: dict[str, MeshScene | None] = {}
        self._surfaces: dict[tuple[object, ...], tuple[Surface, ...]] = {}
        self._open: list[str] = []
        self._beside: dict[str, str] = {}
        # budget of triangles in scaled or moved copies
        self._triangles_left = 2 * self.files.limits.triangles
        self._reported: set[str] = set()
        self._buffer, self._store = Buffer(), ArrayPool()
        self.looks = Looks()
        self.tessellations = Tessellations(self.files, self.findings)

    def surfaces(self, mesh: MeshFile, at: Span | None = None) -> tuple[Surface, ...]:
        """The surfaces of a mesh file (or of its fragment) in the geometry's frame (m), scale applied.

        ``at`` is the place of findings about the file. Returns () if the file cannot be read.
        """
        which = (mesh.path, mesh.fragment, mesh.centered, mesh.without)
        key = (*which, mesh.scale, mesh.unit, mesh.up_axis, mesh.geometry_only)
        if key not in self._surfaces:
            with np.errstate(all="ignore"):
                self._surfaces[key] = self._make(mesh, at)
        return self._surfaces[key]

    def _make(self, mesh: MeshFile, at: Span | None) -> tuple[Surface, ...]:
        if not mesh.path:
            if mesh.uri not in self._reported:
                self._reported.add(mesh.uri)
                if at is not None and any(f.code == "file-missing" and f.at == at for f in self.findings):
                    return ()  # the reader told why
                self.findings.warning("mesh-missing", f"mesh '{mesh.uri}' not found", at, subject=mesh.uri)
            return ()
        scene = self._scene(mesh.path, at)
        if scene is None:
            return ()
        if mesh.up_axis is None and scene.up_axis != scene.applied_axis:
            self._report_up_axis(mesh.path, scene.up_axis, at)
        chosen = None
        if mesh.fragment:
            chosen = _fragment(scene, mesh.fragment)
            if chosen is None:
                self.findings.error(
                    "mesh-fragment",
                    f"{mesh.path}: fragment refers to unknown node '{mesh.fragment}'",
                    at,
                    _fragment_hint(scene),
                    subject=mesh.path,
                )
                return ()
        nodes, origin = _chosen(scene, mesh, chosen)
        outer = _file_transform(scene, mesh)
        placed = [node for node in nodes if node.surfaces]
        matrices = [_compose(outer, origin, node.matrix) for node in placed]
        stack = [matrix for matrix in matrices if matrix is not None]
        if stack and not usable(np.array(stack)):
            what = f"mesh '{mesh.uri}' has an invalid scale or unit"
            self.findings.error("mesh-unit", what, at, subject=mesh.uri)
            return ()
        found: list[tuple[Surface, Matrix | None]] = []
        for node, matrix in zip(placed, matrices, strict=True):
            for surface in node.surfaces:
                self._triangles_left -= len(surface.faces) if matrix is not None else 0
                if self._triangles_left < 0:
                    what = f"mesh '{mesh.uri}' has too many triangles"
                    self.findings.error("mesh-too-large", what, at, subject=mesh.uri)
                    return ()
                found.append((surface, matrix))
        moved = transformed_all([surface for surface, _ in found], [matrix for _, matrix in found])
        if mesh.centered:
            moved = _centered(moved)
        return tuple([with_material(s, None) for s in moved] if mesh.geometry_only else moved)

    def is_empty(self, path: str) -> bool:
        """Whether a mesh file can be read and has no triangles."""
        scene = self._scene(path, None)
        return scene is not None and _is_empty(scene)

    def missing(self, mesh: MeshFile, at: Span | None = None) -> list[Matrix]:
        """Parts of a mesh file whose own files are missing: 4×4 matrices in the geometry's frame (m)."""
        scene = self._scene(mesh.path, at) if mesh.path else None
        if scene is None or not any(node.missing for node in scene.nodes):
            return []
        chosen = _fragment(scene, mesh.fragment) if mesh.fragment else None
        if mesh.fragment and chosen is None:
            return []
        nodes, origin = _chosen(scene, mesh, chosen)
        outer = _file_transform(scene, mesh)
        matrices = [_compose(outer, origin, node.matrix) for node in nodes if node.missing]
        return [np.eye(4) if matrix is None else matrix for matrix in matrices]

    def turn(self, mesh: MeshFile, at: Span | None = None) -> Matrix3:
        """The rotation (3×3) that takes the up axis of a mesh file to +Z, before its scale.

        Without ``mesh.up_axis`` it is the one that all readers of the file's format apply.
        """
        scene = self._scene(mesh.path, at) if mesh.path and mesh.up_axis is None else None
        return upright_turn(mesh.up_axis if scene is None else scene.applied_axis)

    def axes(self, mesh: MeshFile, at: Span | None = None) -> tuple[UpAxis, UpAxis] | None:
        """The up axis that all readers of a mesh file apply, and the one that it states; None if unread."""
        scene = self._scene(mesh.path, at) if mesh.path else None
        return None if scene is None else (scene.applied_axis, scene.up_axis)

    def _scene(self, path: str, at: Span | None) -> MeshScene | None:
        """The scene of a file, read on first use; None if it cannot be read."""
        if path not in self._scenes:
            if path in self._open or len(self._open) >= _MOST_OPEN:
                self.findings.error(
                    "include-recursion", f"{path}: mesh file includes itself", at, subject=path
                )
                return None
            self._open.append(path)
            self._scenes[path] = self._read(path, at)
            self._open.pop()
        return self._scenes[path]

    def _read(self, path: str, at: Span | None) -> MeshScene | None:
        suffix = os.path.splitext(path)[1].lower()
        if suffix and suffix not in SUFFIXES:
            self.findings.append(_unsupported(path, suffix, at))
            return None
        beside = self._beside.setdefault(os.path.dirname(path), path)
        request = Request(
            path,
            self.files,
            self.findings,
            at,
            beside=beside if beside != path else "",
            store=self._store,
            looks=self.looks,
        )
        try:
            scene = self._read_within_limits(suffix, request)
        except (MeshError, FileError, LimitError) as e:
            self._report(replace(e.finding, subject=path))
            return None
        if _is_empty(scene):
            request.warn("mesh-empty", "mesh has no triangles")
        return scene

    def _read_within_limits(self, suffix: str, request: Request) -> MeshScene:
        """Read a file within the limits."""
        meter = self.files.meter
        alone = not meter.is_running
        with meter.running(), without_collector():
            meter.look(request.at)
            scene = self._parse(suffix, request)
        if alone:
            meter.end_text()
        count = sum(len(surface.faces) for node in scene.nodes for surface in node.surfaces)
        if count > request.most_triangles:
            raise request.too_many(count)
        return scene

    def _report(self, finding: Finding) -> None:
        """Report why a file was not read; a limit shared by all files is reported once."""
        if finding.code in ("load-too-large", "load-too-long"):
            if finding.code in self._reported:
                return
            self._reported.add(finding.code)
        self.findings.append(finding)

    def _report_up_axis(self, path: str, axis: UpAxis, at: Span | None) -> None:
        """Report, once for each file, that its up axis is not applied."""
        key = f"up axis of {path}"
        if key in self._reported:
            return
        self._reported.add(key)
        hint = Hint("turn it with ", Setting("up_axis", os.path.basename(path), axis), "; ", _EXPORT)
        what = f"{path}: up axis {axis} is ignored, as by RViz, Gazebo and Choreonoid; " + _APPLIED
        self.findings.warning("up-axis-ignored", what, at, hint, subject=path)

    def companions(self, path: str) -> list[str]:
        """The files that a mesh file refers to and that exist: material libraries, images, buffers, parts.

        Those that its parts refer to are not among them. A file that cannot be read has none.
        """
        suffix = os.path.splitext(path)[1].lower()
        if (suffix and suffix not in SUFFIXES) or MESH_KINDS.get(suffix, "") in _ALONE:
            return []
        request = Request(path, self.files, Findings())
        try:
            with self.files.meter.running(), without_collector():
                content, data = self._opened(suffix, request)
                kind = MESH_KINDS[content]
                if kind in _ALONE:
                    return []
                found = getattr(import_module(f"unibody.meshes.{kind}"), f"{kind}_companions")(
                    data, request
                )
                return [each for each in dict.fromkeys(found) if each != path]
        except (MeshError, FileError, LimitError, TextError):
            return []

    def _parse(self, suffix: str, request: Request) -> MeshScene:
        content, data = self._opened(suffix, request)
        scene = (
            read_stl(data, request) if content == ".stl" else self._reader(content)(bytes(data), request)
        )
        scene.applied_axis = own_up_axis(content)
        return scene

    def _opened(self, suffix: str, request: Request) -> tuple[str, bytes | memoryview]:
        """The suffix of what a file holds, and its bytes, decompressed and without byte order mark."""
        path, at = request.path, request.at
        data: bytes | memoryview
        if suffix == ".stl":
            # the reader copies the numbers, so that the buffer is reused for the next file
            data = self.files.read_into(self._buffer, path, at)
        else:
            data = self.files.read(path, at)
        if not data:
            raise request.broken("file is empty")
        data = self._unpacked(data, suffix, request)
        content = suffix_by_content(data, suffix)
        if held := other_type(suffix, content):
            name = os.path.basename(path)[: -len(suffix) or None] + content
            what = f"suffix {suffix}" if suffix else "no suffix"
            request.warn(
                "mesh-content",
                f"{what}, but the content is {held}; reading it as {held}",
                hint=f"rename the file to {shown(name)}: most programs go by the suffix",
            )
        elif content not in MESH_KINDS:
            raise MeshError(_unsupported(path, suffix, at))
        if MESH_KINDS[content] in _MARKLESS and data[: len(MARK)] == MARK:
            data = data[len(MARK) :]
        return content, data

    def _unpacked(self, data: bytes | memoryview, suffix: str, request: Request) -> bytes | memoryview:
        if not is_packed(data):
            return data
        if suffix not in _MAYBE_GZIPPED:
            request.warn(
                "mesh-content",
                "the file is compressed with gzip; reading what it holds",
                hint="decompress it: most programs do not read it",
            )
        try:
            return unpacked(bytes(data), request.path, self.files.limits.file_bytes)
        except TextError as e:
            raise MeshError(replace(e.finding, at=request.at)) from None

    def _reader(self, suffix: str) -> Reader:
        """The reader of a file suffix, imported on first use."""
        kind = MESH_KINDS[suffix]
        read: Any = getattr(import_module(f"unibody.meshes.{kind}"), f"read_{kind}")
        if kind not in _SHAPE_READERS:
            return cast(Reader, read)

        def surfaces(nodes: Sequence[Sequence[Shape]]) -> list[list[Surface]]:
            # reading the file has reported the missing ones
            kept = [[shape for shape in shapes if not is_missing(shape)] for shapes in nodes]
            found = iter(all_placed_surfaces([shape for shapes in kept for shape in shapes], self))
            return [[surface for _ in shapes for surface in next(found)] for shapes in kept]

        return lambda data, request: read(data, request, surfaces)


def look_image(look: Look, cache: MeshCache) -> Texture:
    """The image of a look; one within the mesh file has a data URI."""
    request = Request(look.file, cache.files, Findings())
    uri = str(look.value)
    if isinstance(look.value, int):
        try:
            _, data = cache._opened(os.path.splitext(look.file)[1].lower(), request)
            uri = import_module("unibody.meshes.gltf").image_within(bytes(data), request, look.value)
        except (MeshError, FileError, LimitError, TextError):
            return Texture(uri="")
    path = None if is_embedded(uri) else request.resolve(uri)
    return Texture(uri=uri, path=path or "")


def shape_surfaces(shape: Shape, cache: MeshCache) -> list[Surface]:
    """The surfaces of a shape in its geometry's frame (m), before ``shape.pose`` and ``shape.linear``.

    ``cache`` reads mesh files and collects findings. Lines and points have no surface.

    >>> from unibody.model.shape import Box
    >>> cube = Shape(geometry=Box(size=(1.0, 1.0, 1.0)))
    >>> [surface.faces.shape for surface in shape_surfaces(cube, MeshCache())]
    [(12, 3)]
    """
    if isinstance(shape.geometry, MeshFile):
        return list(cache.surfaces(shape.geometry, shape.at))
    found = cache.tessellations.of(shape)
    return [] if found is None else [found]


def placed_surfaces(shape: Shape, cache: MeshCache) -> list[Surface]:
    """The surfaces of a shape in its link's frame (m).

    The shape's material applies to those that have none of their own.
    """
    return all_placed_surfaces([shape], cache)[0]


def all_placed_surfaces(shapes: Sequence[Shape], cache: MeshCache) -> list[list[Surface]]:
    """The surfaces of each shape, as :func:`placed_surfaces`: all are tessellated together."""
    made = iter(cache.tessellations.placed([s for s in shapes if not isinstance(s.geometry, MeshFile)]))
    out: list[list[Surface]] = []
    for shape in shapes:
        if isinstance(shape.geometry, MeshFile):
            matrix = placement_matrix(shape.pose, shape.linear)
            found = [transformed(s, matrix) for s in cache.surfaces(shape.geometry, shape.at)]
        else:
            own = next(made)
            found = [] if own is None else [own]
        material = shape.material
        if material is not None:
            found = [s if s.material is not None else with_material(s, material) for s in found]
        out.append(found)
    return out


def _is_empty(scene: MeshScene) -> bool:
    return not any(node.surfaces for node in scene.nodes)


def _unsupported(path: str, suffix: str, at: Span | None) -> Finding:
    what = f"{path}: unsupported mesh format '{suffix}'"
    return Finding("mesh-format", "warning", what, at, subject=path)


def _chosen(scene: MeshScene, mesh: MeshFile, fragment: int | None) -> tuple[list[Node], Matrix | None]:
    """The nodes of a whole scene, or of the fragment that begins with a node, and the fragment's origin."""
    if fragment is None:
        return _nodes_between(scene, mesh, 0, len(scene.nodes)), None
    matrix = scene.nodes[fragment].matrix
    # The fragment is moved to its own origin; its rotation and scale in the scene stay (facts A.9).
    origin = None if matrix is None else matrix[:3, 3]
    return _nodes_between(scene, mesh, fragment, scene.nodes[fragment].end), origin


def _nodes_between(scene: MeshScene, mesh: MeshFile, start: int, end: int) -> list[Node]:
    """The nodes ``start`` to ``end`` of a scene without the fragments in ``mesh.without``."""
    nodes = scene.nodes[start:end]
    for name in mesh.without:
        cut = _fragment(scene, name)
        if cut is not None and start < cut < end:
            gone = {id(node) for node in scene.nodes[cut : scene.nodes[cut].end]}
            nodes = [node for node in nodes if id(node) not in gone]
    return nodes


def _fragment(scene: MeshScene, name: str) -> int | None:
    """The index of the first node with this name, else with this id; None if there is none."""
    for word in ("name", "ident"):
        for i, node in enumerate(scene.nodes):
            if getattr(node, word) == name:
                return i
    return None


def _fragment_hint(scene: MeshScene) -> str:
    names = list(dict.fromkeys(node.name for node in scene.nodes if node.name))
    if not names:
        return "use the whole file; its nodes have no names"
    return f"use one of {listed(names, 8)}"


def _file_transform(scene: MeshScene, mesh: MeshFile) -> Matrix | None:
    """The transform of a whole file: its own unit, then the model's unit, up axis and scale."""
    factor = scene.unit * (1.0 if mesh.unit is None else mesh.unit)
    linear = np.diag([factor] * 3)
    linear = np.array(upright_turn(mesh.up_axis or scene.applied_axis)) @ linear
    if mesh.scale != (1.0, 1.0, 1.0):
        linear = np.array(mesh.scale)[:, None] * linear
    if (linear == np.eye(3)).all():
        return None
    out = np.eye(4)
    out[:3, :3] = linear
    return out


def _compose(outer: Matrix | None, origin: Matrix | None, inner: Matrix | None) -> Matrix | None:
    """outer · inner, with inner moved so that ``origin`` lies at zero; None for the identity."""
    if origin is not None:
        inner = np.eye(4) if inner is None else inner.copy()
        inner[:3, 3] -= origin
    return outer if inner is None else inner if outer is None else outer @ inner


def _centered(surfaces: list[Surface]) -> list[Surface]:
    """Surfaces that are moved together, so that the center of their bounds is the origin."""
    if not surfaces:
        return surfaces
    low = np.min([surface.vertices.min(axis=0) for surface in surfaces], axis=0)
    high = np.max([surface.vertices.max(axis=0) for surface in surfaces], axis=0)
    matrix = np.eye(4)
    matrix[:3, 3] = -(low + high) / 2.0
    return transformed_all(surfaces, [matrix] * len(surfaces))
