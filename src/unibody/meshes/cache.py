"""Mesh files, each read once: found by suffix, brought to metres and the model's axes, cut to fragments."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module
from typing import Any, cast

import numpy as np

from unibody.files.access import Buffer, FileError, Files
from unibody.formats.reference import MESH_KINDS
from unibody.meshes.inline import inline
from unibody.meshes.numbers import usable
from unibody.meshes.primitive import primitive
from unibody.meshes.scene import MeshError, MeshScene, Node, Reader, Request, placement_matrix
from unibody.meshes.store import Store
from unibody.meshes.surface import Matrix, Surface, transformed
from unibody.model.shape import (
    ElevationGrid,
    Extrusion,
    LineSet,
    Mesh,
    MeshFile,
    PointSet,
    Shape,
    conversion_findings,
)
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.gzip import unpacked
from unibody.text.limits import LimitError
from unibody.text.source import Span

SUFFIXES = tuple(MESH_KINDS)
# Those whose shapes are the model's own; they are given what makes surfaces of these.
_SCENES = ("choreonoid", "vrml", "inventor")
# Files that gzip may have packed, whatever their suffix says.
_PACKED = (".wrl", ".iv")
_MOST_OPEN = 16
# What takes a file's upward axis to +Z: the axes go round (facts E).
_UPRIGHT = {
    "X": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "Y": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
}


class MeshCache:
    """Mesh files that were opened so far, and their findings.

    ``files`` is the door that the model came through; without one, the disk. What a file gives is
    shared by all who ask; a missing or broken one gives a finding, once, and no surface.

    >>> MeshCache().surfaces(MeshFile(uri="part.stl"))
    ()
    """

    def __init__(self, files: Files | None = None, findings: Findings | None = None) -> None:
        self.files = files if files is not None else Files()
        most = self.files.limits.findings
        self.findings = findings if findings is not None else Findings(most=most)
        self._scenes: dict[str, MeshScene | None] = {}
        self._made: dict[tuple[object, ...], tuple[Surface, ...]] = {}
        self._open: list[str] = []
        self._beside: dict[str, str] = {}
        # copies in other scales and places that this cache may still hold
        self._left = 2 * self.files.limits.triangles
        self._told: set[str] = set()
        self._room, self._store = Buffer(), Store()

    def surfaces(self, mesh: MeshFile, at: Span | None = None) -> tuple[Surface, ...]:
        """The surfaces of a mesh file in the frame of the geometry: its fragment, with unit and scale."""
        key = (mesh.path, mesh.fragment, mesh.without, mesh.scale, mesh.unit, mesh.up_axis)
        if key not in self._made:
            with np.errstate(all="ignore"):
                self._made[key] = self._make(mesh, at)
        return self._made[key]

    def _make(self, mesh: MeshFile, at: Span | None) -> tuple[Surface, ...]:
        if not mesh.path:
            if mesh.uri not in self._told:
                self._told.add(mesh.uri)
                self.findings.warning(
                    "mesh-missing", f"mesh '{mesh.uri}' was not found", at, subject=mesh.uri
                )
            return ()
        scene = self._scene(mesh.path, at)
        if scene is None:
            return ()
        nodes, origin = _kept(scene, mesh, 0, len(scene.nodes)), None
        if mesh.fragment:
            chosen = _fragment(scene, mesh.fragment)
            if chosen is None:
                self.findings.error(
                    "mesh-fragment",
                    f"{mesh.path}: it has no node '{mesh.fragment}'",
                    at,
                    _named(scene),
                    subject=mesh.path,
                )
                return ()
            nodes = _kept(scene, mesh, chosen, scene.nodes[chosen].end)
            matrix = scene.nodes[chosen].matrix
            # The part is set on its own origin; its turn and scale in the scene stay (facts A.9).
            origin = None if matrix is None else matrix[:3, 3]
        outer = _outer(scene, mesh)
        out: list[Surface] = []
        for node in nodes:
            if node.surfaces:
                matrix = _chain(outer, origin, node.matrix)
                if matrix is not None and not usable(matrix):
                    what = f"mesh '{mesh.uri}': its scale or unit is no usable number"
                    self.findings.error("mesh-unit", what, at, subject=mesh.uri)
                    return ()
                for surface in node.surfaces:
                    self._left -= len(surface.faces) if matrix is not None else 0
                    if self._left < 0:
                        self.findings.error(
                            "mesh-too-large", f"mesh '{mesh.uri}': too many triangles", at, subject=mesh.uri
                        )
                        return ()
                    out.append(transformed(surface, matrix))
        return tuple(out)

    def _scene(self, path: str, at: Span | None) -> MeshScene | None:
        """A file's scene, read when first asked for."""
        if path not in self._scenes:
            if path in self._open or len(self._open) >= _MOST_OPEN:
                self.findings.error(
                    "include-recursion", f"{path}: it is already being read", at, subject=path
                )
                return None
            self._open.append(path)
            self._scenes[path] = self._read(path, at)
            self._open.pop()
        return self._scenes[path]

    def _read(self, path: str, at: Span | None) -> MeshScene | None:
        suffix = os.path.splitext(path)[1].lower()
        if suffix not in SUFFIXES:
            self.findings.warning(
                "mesh-format", f"{path}: {suffix or 'such'} files are not read", at, subject=path
            )
            return None
        beside = self._beside.setdefault(os.path.dirname(path), path)
        request = Request(
            path, self.files, self.findings, at, beside=beside if beside != path else "", store=self._store
        )
        try:
            scene = self._metered(suffix, request)
        except (MeshError, FileError, LimitError) as e:
            self._tell(replace(e.finding, subject=path))
            return None
        if not any(node.surfaces for node in scene.nodes):
            request.warn("mesh-empty", "it has no triangles")
        if scene.up_axis != "Z":
            request.warn(
                "up-axis-ignored",
                f"its {scene.up_axis} axis points up: it is not turned here, nor by RViz, Gazebo and "
                "Choreonoid, but by three.js and Blender",
                hint="export it with Z up, so that all viewers show the same",
            )
        return scene

    def _metered(self, suffix: str, request: Request) -> MeshScene:
        """A file's scene, read within the limits."""
        meter = self.files.meter
        alone = not meter.is_running
        with meter.running():
            meter.look(request.at)
            scene = self._parsed(suffix, request)
        if alone:
            meter.end_text()
        count = sum(len(surface.faces) for node in scene.nodes for surface in node.surfaces)
        if count > request.most_triangles:
            raise request.too_many(count)
        return scene

    def _tell(self, finding: Finding) -> None:
        """Report why a file was not read; a limit of all files together is reported once."""
        if finding.code in ("load-too-large", "load-too-long"):
            if finding.code in self._told:
                return
            self._told.add(finding.code)
        self.findings.append(finding)

    def _parsed(self, suffix: str, request: Request) -> MeshScene:
        path, at = request.path, request.at
        if suffix == ".stl":
            from unibody.meshes.stl import read_stl

            # its numbers are copied out: the bytes need not stay
            if view := self.files.read_into(self._room, path, at):
                return read_stl(view, request)
        elif data := self.files.read(path, at):
            if suffix in _PACKED:
                data = self._unpacked(data, request)
            return self._reader(_kind(suffix, data))(data, request)
        raise request.broken("it is empty")

    def _unpacked(self, data: bytes, request: Request) -> bytes:
        try:
            return unpacked(data, request.path, self.files.limits.file_bytes)
        except TextError as e:
            raise MeshError(replace(e.finding, at=request.at)) from None

    def _reader(self, suffix: str) -> Reader:
        """The reader of a kind of file, imported when the first such file is read."""
        kind = MESH_KINDS[suffix]
        read: Any = getattr(import_module(f"unibody.meshes.{kind}"), f"read_{kind}")
        if kind not in _SCENES:
            return cast(Reader, read)

        def surfaces(shapes: list[Shape]) -> list[Surface]:
            return [s for shape in shapes for s in placed_surfaces(shape, self)]

        return lambda data, request: read(data, request, surfaces)


def shape_surfaces(shape: Shape, cache: MeshCache) -> list[Surface]:
    """The surfaces of a shape in its geometry's own frame: before ``shape.pose`` and ``shape.linear``.

    A mesh file is opened through ``cache``; lines and points have no surface.

    >>> from unibody.model.shape import Box
    >>> cube = Shape(geometry=Box(size=(1.0, 1.0, 1.0)))
    >>> [surface.faces.shape for surface in shape_surfaces(cube, MeshCache())]
    [(12, 3)]
    """
    match shape.geometry:
        case MeshFile() as mesh:
            return list(cache.surfaces(mesh, shape.at))
        case Mesh() | ElevationGrid() | Extrusion():
            name = f"shape '{shape.name}'" if shape.name else "a shape"
            with np.errstate(all="ignore"):
                found = inline(shape, Request(name, cache.files, cache.findings, shape.at))
        case LineSet() | PointSet() as drawn:
            cache.findings.extend(conversion_findings(drawn))
            return []
        case geometry:
            found = primitive(geometry, shape.divisions)
    return [] if found is None else [found]


def placed_surfaces(shape: Shape, cache: MeshCache) -> list[Surface]:
    """The surfaces of a shape in the frame that it hangs in, with its material where it has one."""
    matrix = placement_matrix(shape.pose, shape.linear)
    out = []
    for surface in shape_surfaces(shape, cache):
        moved = transformed(surface, matrix)
        out.append(moved if shape.material is None else replace(moved, material=shape.material))
    return out


def _kind(suffix: str, data: bytes) -> str:
    """The suffix that a scene file should have: Inventor and VRML97 files are told by their first line."""
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    if suffix not in (".iv", ".wrl") or not head.startswith((b"#Inventor", b"#VRML")):
        return suffix
    return ".wrl" if head.startswith(b"#VRML V2") else ".iv"


def _kept(scene: MeshScene, mesh: MeshFile, start: int, end: int) -> list[Node]:
    """The nodes of a part of a scene, less the parts inside of it that the mesh goes without."""
    nodes = scene.nodes[start:end]
    for name in mesh.without:
        cut = _fragment(scene, name)
        if cut is not None and start < cut < end:
            gone = {id(node) for node in scene.nodes[cut : scene.nodes[cut].end]}
            nodes = [node for node in nodes if id(node) not in gone]
    return nodes


def _fragment(scene: MeshScene, name: str) -> int | None:
    """The first node of a name, else of an id."""
    for word in ("name", "ident"):
        for i, node in enumerate(scene.nodes):
            if getattr(node, word) == name:
                return i
    return None


def _named(scene: MeshScene) -> str:
    names = list(dict.fromkeys(node.name for node in scene.nodes if node.name))
    return (
        f"it has {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"
        if names
        else "its nodes have no names"
    )


def _outer(scene: MeshScene, mesh: MeshFile) -> Matrix | None:
    """What all of a file goes through: its own unit, then what the model says of unit, axis and scale."""
    factor = scene.unit * (1.0 if mesh.unit is None else mesh.unit)
    linear = np.diag([factor] * 3)
    if mesh.up_axis in _UPRIGHT:
        linear = _UPRIGHT[mesh.up_axis] @ linear
    if mesh.scale != (1.0, 1.0, 1.0):
        linear = np.array(mesh.scale)[:, None] * linear
    if (linear == np.eye(3)).all():
        return None
    out = np.eye(4)
    out[:3, :3] = linear
    return out


def _chain(outer: Matrix | None, origin: Matrix | None, inner: Matrix | None) -> Matrix | None:
    """outer · (inner, moved so that ``origin`` is at zero)."""
    if origin is not None:
        inner = np.eye(4) if inner is None else inner.copy()
        inner[:3, 3] -= origin
    return outer if inner is None else inner if outer is None else outer @ inner
