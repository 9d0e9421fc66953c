"""Mesh assets: their files, their triangles, their inertia in MuJoCo's four modes; and materials."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.mjcf import document_assets as d
from unibody.formats.mjcf.conventions import normalized
from unibody.formats.mjcf.mesh_file import MeshFileError, Triangles, read_triangles, single
from unibody.formats.mjcf.tree import Scope
from unibody.model import shape as s
from unibody.model.arrays import Floats, Integers
from unibody.model.hull import convex_hull
from unibody.model.pose import UNIT_QUATERNION, ZERO, Pose, rotate
from unibody.model.up_axis import upright_turn
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.installation import install_command
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float
from unibody.text.source import Span
from unibody.text.xml.printer import print_xml

#: The command that installs MuJoCo, which makes meshes of parameters.
# Volumes below are errors in MuJoCo.
_LEAST_VOLUME = 1e-15


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A body of density 1: mass, center of mass (3,) in m, inertia (3, 3) about it.

    Of a thin surface, density is mass by area.
    """

    mass: float
    center: Floats
    inertia: Floats


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
                f"mesh '{mesh_name(mesh)}': {what}; MuJoCo rejects the file",
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


def mesh_name(mesh: d.Mesh) -> str:
    """The name of a mesh: its own, or that of its file."""
    stem = os.path.splitext(os.path.basename((mesh.file or "").replace("\\", "/")))[0]
    return mesh.name or stem


def solid_of(vertices: Floats, faces: Integers, mode: str) -> Body | None:
    """The body of density 1 of triangles: "shell" their surface, "legacy" the sum of unsigned tetrahedra.

    Tetrahedra are summed twice, as in MuJoCo: from the center of the surface for the center of mass, from
    there for volume and inertia.
    """
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    normals = np.cross(b - a, c - a)
    area = np.linalg.norm(normals, axis=1) / 2.0
    centers = (a + b + c) / 3.0
    if not area.sum() > 0.0:
        return None
    middle = area @ centers / area.sum()
    if mode == "shell":
        center, weights = middle, area
        share = 12.0
    else:
        volumes = np.einsum("ij,ij->i", centers - middle, normals) / 6.0
        volumes = np.abs(volumes) if mode == "legacy" else volumes
        if volumes.sum() == 0.0:
            return None
        center = volumes @ (0.75 * centers + 0.25 * middle) / volumes.sum()
        weights = np.einsum("ij,ij->i", centers - center, normals) / 6.0
        weights = np.abs(weights) if mode == "legacy" else weights
        share = 20.0
    a, b, c = a - center, b - center, c - center
    second = np.sum([(p * weights[:, None]).T @ p for p in (a + b + c, a, b, c)], axis=0) / share
    return Body(float(weights.sum()), center, np.trace(second) * np.eye(3) - second)


def asset_file(
    file: str | None, folder: str, scope: Scope, context: Context, at: Span | None, findings: Findings
) -> tuple[str, str]:
    """The path of the file of an asset from the main file, and where it is, "" if not found."""
    path = asset_path(file, folder, scope, context, at, findings)
    if path and scope.path != context.path:
        return os.path.relpath(path, os.path.dirname(context.path) or "."), path
    return asset_uri(file, folder, scope), path


def asset_path(
    file: str | None, folder: str, scope: Scope, context: Context, at: Span | None, findings: Findings
) -> str:
    """The path of the file of an asset, "" if not found: below ``folder``, from the main file.

    If it is not there, it may be beside the included file that names it, without ``folder``, as in MuJoCo.
    """
    noted = Findings()
    if path := context.files.resolve(asset_uri(file, folder, scope), scope.path, at, noted):
        return path
    included = at.source.name if at is not None else scope.path
    if included != scope.path and not scope.settings.strippath:
        beside = asset_uri(file, "", scope)
        if path := context.files.find(beside, included):
            return path
    for finding in noted[:1]:
        findings.append(finding)
    return ""


def asset_uri(file: str | None, folder: str, scope: Scope) -> str:
    """The path of the file of an asset from the main file, as the settings of the compiler say."""
    name = (file or "").replace("\\", "/")
    if scope.settings.strippath:
        name = name.rpartition("/")[2]
    if not folder or os.path.isabs(name):
        return name
    return f"{folder.replace(chr(92), '/').rstrip('/')}/{name}"


#: The color of a geom without one; a geom of this color takes that of its material.
GRAY = (0.5, 0.5, 0.5, 1.0)
#: The largest exponent of a highlight in OpenGL.
SHININESS = 128.0


class Materials:
    """The materials of a model."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._made: dict[int, s.Material] = {}

    def of(
        self, name: str | None, rgba: tuple[float, ...], scope: Scope, at: Span | None
    ) -> s.Material | None:
        """The material of a geom or site; None for the default color without a material."""
        found = scope.asset(d.Material, name) if name else None
        if name and found is None:
            self.context.findings.error(
                "reference-unknown", f"unknown material '{name}'", at, "define it in <asset>"
            )
        if found is None:
            return None if rgba == GRAY else _colored("", rgba, at)
        made = self._made.get(id(found[0]))
        if made is None:
            made = self._made[id(found[0])] = self._material(*found)
        if rgba == GRAY:
            return made
        red, green, blue, alpha = rgba
        return s.Material(
            name=made.name,
            diffuse=(red, green, blue),
            transparency=1.0 - alpha,
            emissive=made.emissive,
            specular=made.specular,
            specular_exponent=made.specular_exponent,
            texture=made.texture,
            at=made.at,
        )

    def _material(self, doc: d.Material, scope: Scope) -> s.Material:
        red, green, blue, alpha = doc.rgba
        emission = doc.emission or 0.0
        specular = doc.specular
        return s.Material(
            name=doc.name or "",
            diffuse=(red, green, blue),
            transparency=1.0 - alpha,
            emissive=(red * emission, green * emission, blue * emission),
            specular=(specular, specular, specular),
            specular_exponent=doc.shininess * SHININESS,
            texture=self._texture(doc, scope),
            at=doc.at(),
        )

    def _texture(self, doc: d.Material, scope: Scope) -> s.Texture | None:
        """The image of a material, if it is one file."""
        name = doc.texture or next((x.texture for x in doc.layers if x.role == "rgb"), None)
        found = scope.asset(d.Texture, name) if name else None
        if name and found is None:
            self.context.findings.error(
                "reference-unknown", f"unknown texture '{name}'", doc.at("texture"), "define it in <asset>"
            )
        if found is None or not found[0].file:
            return None
        texture, home = found
        folder, at = home.settings.texturedir, texture.at("file")
        uri, path = asset_file(texture.file, folder, home, self.context, at, self.context.findings)
        return s.Texture(uri=uri, path=path)


def _colored(name: str, rgba: tuple[float, ...], at: Span | None) -> s.Material:
    red, green, blue, alpha = rgba
    return s.Material(name=name, diffuse=(red, green, blue), transparency=1.0 - alpha, at=at)
