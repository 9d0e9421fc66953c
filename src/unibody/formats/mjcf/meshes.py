"""Mesh assets: their files, their triangles, their inertia in MuJoCo's four modes.

The shapes of the model refer to the files; their triangles are for inertias and fitted primitives.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.mjcf import document_assets as d
from unibody.formats.mjcf.asset_elements import asset_path, asset_uri, name_of
from unibody.formats.mjcf.conventions import normalized
from unibody.formats.mjcf.inertia import Body, solid_of
from unibody.formats.mjcf.tree import Scope
from unibody.model.arrays import Floats, Integers, Singles
from unibody.model.hull import convex_hull
from unibody.model.pose import UNIT_QUATERNION, ZERO, Pose, rotate
from unibody.model.up_axis import upright_turn
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.installation import install_command
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float
from unibody.text.xml.printer import print_xml

# Volumes below are errors in MuJoCo.
_LEAST_VOLUME = 1e-15


class Meshes:
    """The meshes of a model; each file is read once, when something needs its triangles."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._triangles: dict[int, Triangles | None] = {}
        self._bodies: dict[int, Body | None] = {}

    def triangles(self, mesh: d.Mesh, scope: Scope) -> Triangles | None:
        """The triangles of a mesh as MuJoCo moves, rotates and scales them; None after a finding."""
        key = id(mesh)
        if key not in self._triangles:
            self._triangles[key] = self._read(mesh, scope)
        return self._triangles[key]

    def _read(self, mesh: d.Mesh, scope: Scope) -> Triangles | None:
        if not is_in_place(mesh):
            found = self._of_file(mesh, scope)
        else:
            found = self._inline(mesh) if mesh.vertex is not None else self._builtin(mesh)
        if found is None:
            return None
        refpos = np.array(mesh.refpos or ZERO) * self.factor(mesh, scope)
        points = (found.vertices - refpos) @ np.array(
            Pose(ZERO, normalized(mesh.refquat) or UNIT_QUATERNION).rotation()
        )
        scale = np.array(mesh.scale)
        faces = found.faces if float(np.prod(scale)) >= 0.0 else found.faces[:, ::-1]
        return Triangles(points * scale, faces, found.parts)

    def factor(self, mesh: d.Mesh, scope: Scope) -> float:
        """The scale that the caller gives the file of a mesh, which ``refpos`` is in the units of."""
        how = self.context.meshes
        if how is None or is_in_place(mesh):
            return 1.0
        return how.factor(asset_uri(mesh.file, scope.settings.meshdir, scope)) or 1.0

    def _builtin(self, mesh: d.Mesh) -> Triangles | None:
        """The triangles of a shape that MuJoCo makes of parameters, if it is installed."""
        try:
            import mujoco
        except Exception:  # its loader of OpenGL raises others than ImportError
            self.context.findings.warning(
                "mesh-loader",
                f"mesh '{mesh.name}' is made by MuJoCo, which cannot be loaded; the shape is not read, and "
                "the mass that it has is unknown",
                mesh.at("builtin"),
                install_command("simulate"),
            )
            return None
        numbers = " ".join(map(format_float, mesh.params or ()))
        items: list[Item] = [("name", Word("m"), -1), ("builtin", Word(mesh.builtin or ""), -1)]
        if mesh.params is not None:
            items.append(("params", Word(numbers), -1))
        asset = Node("asset", [("mesh", Node("mesh", items), -1)])
        try:
            made = mujoco.MjSpec.from_string(print_xml(Node("mujoco", [("asset", asset, -1)]))).meshes[0]
        except ValueError as rejected:
            self.context.findings.error(
                "asset-rejected",
                f"mesh '{mesh.name}': {str(rejected).strip().splitlines()[0]}",
                mesh.at("builtin"),
            )
            return None
        points = np.array(made.uservert, np.float64).reshape(-1, 3)
        faces = np.array(made.userface, np.int64).reshape(-1, 3)
        found = faces if len(faces) else convex_hull(points)
        if found is None:
            self.context.findings.error(
                "asset-rejected", f"mesh '{mesh.name}': the vertices lie in a plane", mesh.at("builtin")
            )
            return None
        return Triangles(points, found)

    def _inline(self, mesh: d.Mesh) -> Triangles | None:
        numbers = single(mesh.vertex or ())
        if numbers.size % 3 or numbers.size < 12:
            self.context.findings.error(
                "asset-rejected",
                f"mesh '{mesh.name}' needs at least 4 vertices of 3 numbers",
                mesh.at("vertex"),
            )
            return None
        points = numbers.reshape(-1, 3)
        if not np.isfinite(points).all():
            self.context.findings.error(
                "asset-rejected", f"mesh '{mesh.name}' has an infinite vertex", mesh.at("vertex")
            )
            return None
        faces: Integers | None
        if mesh.face is not None:
            given = np.array(mesh.face)
            is_index = (given >= 0.0) & (given < len(points)) & (given == np.floor(given))
            if given.size % 3 or not is_index.all():
                self.context.findings.error(
                    "asset-rejected",
                    f"mesh '{mesh.name}': faces must be triples of indices of its vertices",
                    mesh.at("face"),
                )
                return None
            faces = given.astype(np.int64).reshape(-1, 3)
        else:
            faces = convex_hull(points)
        if faces is None:
            self.context.findings.error(
                "asset-rejected", f"mesh '{mesh.name}': the vertices lie in a plane", mesh.at("vertex")
            )
            return None
        return Triangles(points, faces)

    def _of_file(self, mesh: d.Mesh, scope: Scope) -> Triangles | None:
        folder = scope.settings.meshdir
        path = asset_path(mesh.file, folder, scope, self.context, mesh.at("file"), Findings())
        if not path:
            return None  # reported where the shape is read
        try:
            read = read_triangles(self.context.files.read(path, mesh.at("file")), path)
        except FileError as missing:
            self.context.findings.append(missing.finding)
            return None
        except MeshFileError as broken:
            self._report(broken, mesh, path)
            return None
        found = self._as_asked(read, asset_uri(mesh.file, folder, scope))
        if not len(found.faces):
            faces = convex_hull(found.vertices)
            found = Triangles(found.vertices, found.faces if faces is None else faces)
        if found.parts > 1:
            self.context.findings.warning(
                "mesh-loader",
                f"{os.path.basename(path)} has {found.parts} objects; MuJoCo reads the faces of the first "
                "only, and so does the inertia",
                mesh.at("file"),
                "split the file, or join the objects",
            )
        return found

    def _as_asked(self, found: Triangles, uri: str) -> Triangles:
        """The triangles of a file with the scale and the up axis that the caller gives."""
        how = self.context.meshes
        factor, axis = (how.factor(uri), how.up_axis(uri)) if how is not None else (None, None)
        if factor is None and axis is None:
            return found
        turn = np.array(upright_turn(axis))
        return replace(found, vertices=(found.vertices @ turn.T) * (factor or 1.0))

    def _report(self, broken: MeshFileError, mesh: d.Mesh, path: str) -> None:
        name = os.path.basename(path)
        if broken.text:
            self.context.findings.warning(
                "mesh-loader",
                f"{name} is a text STL file, which MuJoCo rejects; the shape is kept, without its mass",
                mesh.at("file"),
                "save it as binary STL",
            )
        else:
            self.context.findings.warning(
                "mesh-loader",
                f"{name}: {broken}; the shape is kept, without its mass",
                mesh.at("file"),
                "convert it to binary STL or OBJ",
            )

    def body(self, mesh: d.Mesh, scope: Scope) -> Body | None:
        """The body of density 1 that a mesh encloses, in its mode of inertia; None after a finding."""
        key = id(mesh)
        if key not in self._bodies:
            found = self.triangles(mesh, scope)
            self._bodies[key] = None if found is None else self._computed(mesh, found)
        return self._bodies[key]

    def _computed(self, mesh: d.Mesh, found: Triangles) -> Body | None:
        faces: Integers | None = found.faces
        if mesh.inertia == "convex":
            faces = convex_hull(found.vertices)
        made = None
        if faces is not None and len(faces):
            with np.errstate(all="ignore"):
                made = solid_of(found.vertices, faces, mesh.inertia)
        if made is None or not made.mass > _LEAST_VOLUME:
            negative = made is not None and made.mass < 0.0
            what = "negative volume: its faces point inward" if negative else "volume is too small"
            self.context.findings.error(
                "asset-rejected",
                f"mesh '{name_of(mesh)}': {what}; MuJoCo rejects the file",
                mesh.at(),
                'write inertia="shell", or inertia="convex"',
            )
            return None
        return made


def is_in_place(mesh: d.Mesh) -> bool:
    """Whether a mesh has its vertices, or MuJoCo makes them of parameters, so that it has no file."""
    return mesh.vertex is not None or is_builtin(mesh)


def is_builtin(mesh: d.Mesh) -> bool:
    """Whether MuJoCo makes the vertices of a mesh of parameters."""
    return mesh.builtin not in (None, "none")


def file_pose(mesh: d.Mesh) -> Pose:
    """The pose of the coordinates of a mesh file, scaled, in a geom: ``refpos`` and ``refquat`` undone."""
    x, y, z = mesh.scale
    refpos = mesh.refpos or ZERO
    turn = Pose(ZERO, normalized(mesh.refquat) or UNIT_QUATERNION).inverse()
    shift = rotate(turn.quat, (-refpos[0], -refpos[1], -refpos[2]))
    return Pose((x * shift[0], y * shift[1], z * shift[2]), turn.quat)


def turns_unevenly(mesh: d.Mesh) -> bool:
    """Whether a mesh is scaled along axes that are not those of its file."""
    x, y, z = mesh.scale
    return file_pose(mesh).quat[1:] != ZERO and not x == y == z


# --- files, as MuJoCo reads them --------------------------------------------------------
#
# That differs from what others make of the same file: MuJoCo stores vertices in single precision and keeps
# the faces of the first object of an OBJ file only.

_STL_HEADER, _STL_RECORD, _STL_MOST = 84, 50, 200_000
_OBJ_PARTS = (b"o", b"g")


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """Vertices (n, 3) and faces (m, 3); ``parts`` is the number of objects in the file."""

    vertices: Floats
    faces: Integers
    parts: int = 1


class MeshFileError(Exception):
    """A mesh file that MuJoCo rejects; the message says why, ``text`` whether it is an STL file in text."""

    def __init__(self, message: str, *, text: bool = False) -> None:
        super().__init__(message)
        self.text = text


def read_triangles(data: bytes, path: str) -> Triangles:
    """The triangles of a binary STL, OBJ or MSH file; MeshFileError if MuJoCo rejects it."""
    suffix = os.path.splitext(path)[1].lower()
    try:
        if suffix == ".stl":
            return _stl(data)
        if suffix == ".obj":
            return _obj(data)
        if suffix == ".msh":
            return _msh(data)
    except (ValueError, IndexError, OverflowError):
        raise MeshFileError("the file is broken") from None
    raise MeshFileError(f"MuJoCo reads no '{suffix}' files")


def single(values: object) -> Floats:
    """Numbers as MuJoCo stores those of meshes: rounded to single precision."""
    return np.asarray(np.asarray(values, dtype=np.float32), dtype=np.float64)


def _stl(data: bytes) -> Triangles:
    count = int.from_bytes(data[80:_STL_HEADER], "little")
    if (
        len(data) < _STL_HEADER
        or len(data) < _STL_HEADER + _STL_RECORD * count
        or not 1 <= count <= _STL_MOST
    ):
        is_text = data[:5].lower() == b"solid"
        raise MeshFileError(
            "it is a text STL file" if is_text else "it is no binary STL file of 1 to 200000 triangles",
            text=is_text,
        )
    corners: NDArray[np.float32] = np.ndarray((count, 9), "<f4", data, _STL_HEADER + 12, (_STL_RECORD, 4))
    vertices = corners.reshape(-1, 3).astype(np.float64)
    return Triangles(vertices, np.arange(3 * count).reshape(-1, 3))


def _msh(data: bytes) -> Triangles:
    """MuJoCo's own binary format: four counts, then vertices, normals, texture coordinates, faces."""
    vertices, normals, coords, faces = np.frombuffer(data, "<i4", 4).tolist()
    if min(vertices, normals, coords, faces) < 0:
        raise ValueError
    points = np.frombuffer(data, "<f4", 3 * vertices, 16).reshape(-1, 3)
    start = 16 + 4 * (3 * vertices + 3 * normals + 2 * coords)
    corners = np.frombuffer(data, "<i4", 3 * faces, start).reshape(-1, 3)
    made = Triangles(points.astype(np.float64), corners.astype(np.int64))
    _check(made.vertices, made.faces)
    return made


def _obj(data: bytes) -> Triangles:
    lines = [line.split() for line in data.replace(b"\\\n", b" ").splitlines()]
    vertices = single([line[1:4] for line in lines if line and line[0] == b"v"]).reshape(-1, 3)
    polygons: list[list[int]] = []
    parts, seen = 0, 0
    fresh = True
    for line in lines:
        if not line:
            continue
        word = line[0]
        if word == b"v":
            seen += 1
        elif word in _OBJ_PARTS:
            fresh = True
        elif word == b"f":
            parts += fresh
            fresh = False
            if parts == 1:
                corners = [int(corner.partition(b"/")[0]) for corner in line[1:]]
                polygons.append([c - 1 if c > 0 else seen + c for c in corners])
    used = np.array([c for corners in polygons for c in corners], np.int64)
    _check(vertices, used)
    return Triangles(vertices, triangles_of(vertices.astype(np.float32), polygons), max(parts, 1))


def _check(vertices: Floats, faces: Integers) -> None:
    """MeshFileError for vertices that MuJoCo rejects, or faces of other ones."""
    if faces.size and not (int(faces.min()) >= 0 and int(faces.max()) < len(vertices)):
        raise MeshFileError("a face refers to a vertex that does not exist")
    if not np.isfinite(vertices).all():
        raise MeshFileError("a vertex is not finite")


_NOTHING = np.float32(np.finfo(np.float32).eps)


def triangles_of(vertices: Singles, polygons: Sequence[Sequence[int]]) -> Integers:
    """The triangles (m, 3) of polygons of vertices (n, 3), those of three corners first.

    >>> square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    >>> triangles_of(square, [[0, 1, 2, 3]]).tolist()
    [[0, 1, 3], [1, 2, 3]]
    """
    threes = np.array([p for p in polygons if len(p) == 3], np.int64).reshape(-1, 3)
    fours = np.array([p for p in polygons if len(p) == 4], np.int64).reshape(-1, 4)
    others = [ear for p in polygons if len(p) > 4 for ear in _ears(vertices, p)]
    return np.concatenate((threes, _halves(vertices, fours), np.array(others, np.int64).reshape(-1, 3)))


def _halves(vertices: Singles, fours: Integers) -> Integers:
    """The halves of polygons of four corners: each is divided along its shorter diagonal."""
    a, b, c, d = fours.T
    first, second = (_square(vertices[y] - vertices[x]) for x, y in ((a, c), (b, d)))
    along = first < second
    upper = np.stack((a, b, np.where(along, c, d)), axis=1)
    lower = np.stack((np.where(along, a, b), c, d), axis=1)
    return np.stack((upper, lower), axis=1).reshape(-1, 3)


def _square(edges: Singles) -> Singles:
    x, y, z = edges.T
    return np.asarray(x * x + y * y + z * z, np.float32)


def _ears(vertices: Singles, polygon: Sequence[int]) -> list[tuple[int, int, int]]:
    """The triangles of a polygon: corners are cut off in turn, where no other corner is inside the cut.

    A corner that points inward is passed over, which is decided by the sign of its turn beside that of the
    triangle of the corner before, the corner and the origin. When a whole round cuts nothing, or only in
    its last try, the rest of the polygon is left out.
    """
    points = vertices[np.array(polygon)][:, _axes(vertices[np.array(polygon)])]
    left = list(range(len(polygon)))
    out: list[tuple[int, int, int]] = []
    at, before, tries = 0, len(left), len(left)
    while len(left) > 3 and tries > 0:
        count = len(left)
        tries = tries - 1 if count == before else count
        before = count
        at %= count
        corner = [left[(at + k) % count] for k in range(3)]
        (ax, ay), (bx, by), (cx, cy) = ear = points[corner]
        turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        others = points[[left[(at + k) % count] for k in range(3, count)]]
        if turn * ((ax * by - ay * bx) * np.float32(0.5)) < 0 or _is_any_inside(ear, others):
            at += 1
            continue
        out.append((polygon[corner[0]], polygon[corner[1]], polygon[corner[2]]))
        del left[(at + 1) % count]
    if len(left) == 3:
        out.append((polygon[left[0]], polygon[left[1]], polygon[left[2]]))
    return out


def _axes(corners: Singles) -> list[int]:
    """The two axes in which a polygon is seen: without the one along which its first real corner turns."""
    edges = np.roll(corners, -1, axis=0) - corners
    for x, y, z in np.abs(np.cross(edges, np.roll(edges, -1, axis=0))):
        if max(x, y, z) > _NOTHING:
            if x > y and x > z:
                break
            return [0, 1] if z > x and z > y else [0, 2]
    return [1, 2]


def _is_any_inside(ear: Singles, points: Singles) -> bool:
    """Whether one of the points (n, 2) is inside of a triangle (3, 2): a ray from it crosses one edge."""
    x, y = points.T
    inside = np.zeros(len(points), bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        for (ax, ay), (bx, by) in zip(ear, np.roll(ear, 1, axis=0), strict=True):
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return bool(inside.any())
