"""Reads geoms as shapes, their masses, and the values of their contacts."""

from __future__ import annotations

import math
import os
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from unibody.formats.format import Context
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.asset_elements import asset_file
from unibody.formats.mjcf.conventions import LONG, between, check_ends
from unibody.formats.mjcf.heights import height_field
from unibody.formats.mjcf.inertia import Body, equivalent_box, moved, primitive_body, principal
from unibody.formats.mjcf.materials import Materials
from unibody.formats.mjcf.meshes import Meshes, file_pose, is_in_place, turns_unevenly
from unibody.formats.mjcf.tree import Placed, Scope
from unibody.formats.reference import MESH_KINDS
from unibody.model import shape as s
from unibody.model.arrays import Floats
from unibody.model.inertia import Unknown, matrix3
from unibody.model.pose import IDENTITY, Matrix3, Pose, Vector3, matrix_quaternion
from unibody.model.shape import Contact
from unibody.text.dataclass import dataclass

# Fewest sizes of each type of geom; the second of ``fromto`` is computed.
_SIZES = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
# The distance of the lines that MuJoCo draws on a plane.
_SPACING = 1.0
#: The first group of geoms that MuJoCo does not draw.
HIDDEN_GROUP = 3
#: The bits (contype, conaffinity) of shapes that collide with nothing, unless others have this bit, too.
ALONE = (1 << 30, 0)


@dataclass(slots=True, kw_only=True)
class GeomRecord:
    """A geom: its shape and its mass in the frame of its body, and the bits of its contacts.

    One that ``is_paired`` is in a ``<pair>``, which MuJoCo tests whatever the bits are. ``unknown`` is what
    its body lacks, since its mesh was not read: its ``mass`` is then the stated one, at its origin.
    """

    placed: Placed
    shape: s.Shape | None
    body: Body | None = None
    mass: float = 0.0
    unknown: Unknown = ""
    contype: int = 1
    conaffinity: int = 1
    group: int = 0
    is_paired: bool = False

    @property
    def doc(self) -> b.Geom:
        """The element."""
        assert isinstance(self.placed.doc, b.Geom)
        return self.placed.doc

    @property
    def is_hull(self) -> bool:
        """Whether it is filled: meshes but signed distance fields as convex hulls, height fields below."""
        return self.doc.type in ("mesh", "hfield")

    @property
    def collides(self) -> bool:
        """Whether it can collide with anything."""
        return bool(self.contype or self.conaffinity or self.is_paired)

    @property
    def is_drawn(self) -> bool:
        """Whether it is a visual shape: one without bits of contacts, or of a group that MuJoCo draws."""
        return not (self.contype or self.conaffinity) or self.group < HIDDEN_GROUP


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """A geometry with its pose in the geom; ``linear`` as in ``Shape``.

    ``body`` has density 1, and the pose ``body_pose`` in the geom.
    """

    geometry: s.Geometry
    pose: Pose = IDENTITY
    linear: Matrix3 | None = None
    body: Body | None = None
    body_pose: Pose = IDENTITY


class Geoms:
    """Reads the geoms of a model."""

    def __init__(self, context: Context, paired: Collection[str] = ()) -> None:
        self.context, self._paired = context, paired
        self.meshes = Meshes(context)
        self.materials = Materials(context)
        self._primitives: dict[tuple[s.Geometry, bool], Body | None] = {}

    def read(self, placed: Placed, is_fixed: bool, is_world: bool) -> GeomRecord:
        """A geom in the frame of its body, which ``is_fixed`` if no joint moves it."""
        doc, scope = placed.doc, placed.scope
        assert isinstance(doc, b.Geom)
        pose = placed.frame @ self._pose(doc, scope)
        made = self._made(doc, scope, is_fixed)
        mass, body = 0.0, None
        unknown: Unknown = "" if is_world else _unknown(doc, made)
        if unknown == "inertia" and doc.mass is not None:
            mass, body = doc.mass, Body(doc.mass, np.array(pose.xyz), np.zeros((3, 3)))
        if made is not None:
            at = pose @ made.pose
            if not is_world and not unknown:
                mass, body = _mass(doc, made, pose @ made.body_pose)
            shape = s.Shape(
                name=doc.name or "",
                geometry=made.geometry,
                pose=at,
                linear=made.linear,
                material=self.materials.of(doc.material, doc.rgba, scope, doc.at(), extent(made.geometry)),
                group=doc.group or 0,
                at=doc.at(),
            )
        return GeomRecord(
            placed=placed,
            shape=shape if made is not None else None,
            body=body,
            mass=mass,
            unknown=unknown,
            contype=doc.contype,
            conaffinity=doc.conaffinity,
            group=doc.group or 0,
            is_paired=doc.name in self._paired,
        )

    def site(self, placed: Placed) -> s.Shape | None:
        """What is drawn at a site, in its frame; None for a mesh, and for sizes that are not positive."""
        doc, scope = placed.doc, placed.scope
        assert isinstance(doc, b.Site)
        if doc.type not in _SIZES:
            return None
        count = _SIZES[doc.type]
        sizes = (*doc.size, *(0.005,) * 3)[:3]
        if doc.fromto is not None and doc.type in LONG:
            half = math.dist(doc.fromto[:3], doc.fromto[3:]) / 2.0
            sizes = (sizes[0], half, half) if count == 2 else (sizes[0], sizes[0], half)
        if not all(size > 0.0 for size in sizes[:count]):
            return None
        geometry = _primitive(doc.type, tuple(sizes[:count]))
        material = self.materials.of(doc.material, doc.rgba, scope, doc.at(), extent(geometry))
        return s.Shape(geometry=geometry, material=material, group=doc.group or 0, at=doc.at())

    def _pose(self, doc: b.Geom, scope: Scope) -> Pose:
        if doc.fromto is None:
            return scope.poses.of(doc)
        check_ends(doc, self.context.findings)
        scope.poses.check_notation(doc)
        return between(doc.fromto) or IDENTITY

    def _made(self, doc: b.Geom, scope: Scope, is_fixed: bool) -> _Made | None:
        if doc.type in ("mesh", "sdf"):
            return self._mesh(doc, scope)
        if doc.type == "hfield":
            return self._heights(doc, scope)
        if doc.mesh is not None:
            return self._fitted(doc, scope)
        if doc.type == "plane":
            if not is_fixed:
                self.context.findings.error(
                    "geom-rejected", f"{_named(doc)}: a plane must be fixed to the world", doc.at()
                )
            return _Made(geometry=self._plane(doc))
        sizes = self._sizes(doc)
        if sizes is None:
            return None
        geometry = _primitive(doc.type, sizes)
        # copies of one geom have the same body
        key = (geometry, doc.shellinertia)
        if key not in self._primitives:
            self._primitives[key] = primitive_body(*key)
        return _Made(geometry=geometry, body=self._primitives[key])

    def _plane(self, doc: b.Geom) -> s.Plane:
        """A plane; MuJoCo requires the distance of the lines on it, which is not part of the shape."""
        x, y, spacing = (*(doc.size or ()), 0.0, 0.0, 0.0)[:3]
        if not spacing > 0.0:
            found = " ".join(f"{size:g}" for size in doc.size or ()) or "none"
            self.context.findings.warning(
                "size-not-positive",
                f"{_named(doc)}: the third size of a plane must be positive, got {found}; using "
                f"{_SPACING:g} (MuJoCo rejects the file)",
                doc.at("size"),
                f'write size="{x:g} {y:g} {_SPACING:g}"',
            )
        return s.Plane(half_size=(x, y) if x > 0.0 and y > 0.0 else None)

    def _sizes(self, doc: b.Geom) -> tuple[float, ...] | None:
        """The sizes of a primitive; None after a finding."""
        count = _SIZES[doc.type]
        sizes = tuple(doc.size or ())
        if doc.fromto is not None:
            half = math.dist(doc.fromto[:3], doc.fromto[3:]) / 2.0
            if doc.type not in LONG or half == 0.0:
                return None  # check_ends reports it
            first = sizes[:1]
            sizes = (*first, half) if count == 2 else (*first, *first, half)
        wrong = len(sizes) < count or not all(size > 0.0 for size in sizes[:count])
        if wrong:
            found = " ".join(f"{size:g}" for size in sizes) or "none"
            need = f"{count} positive number{'s' if count > 1 else ''}"
            self.context.findings.error(
                "size-not-positive",
                f"{_named(doc)}: size of a {doc.type} must be {need}, got {found}; MuJoCo rejects the file",
                doc.at("size"),
            )
            return None
        return sizes[:count]

    # --- meshes -------------------------------------------------------------------------

    def _asset(self, doc: b.Geom, scope: Scope) -> tuple[assets.Mesh, Scope] | None:
        """The mesh of a geom and its file; None after a finding."""
        found = scope.asset(assets.Mesh, doc.mesh)
        if found is None:
            what = f"unknown mesh '{doc.mesh}'" if doc.mesh else "no mesh"
            self.context.findings.error(
                "reference-unknown", f"{_named(doc)} has {what}", doc.at("mesh"), "define it in <asset>"
            )
            return None
        return found

    def _mesh(self, doc: b.Geom, scope: Scope) -> _Made | None:
        asset = self._asset(doc, scope)
        if asset is None:
            return None
        mesh, home = asset
        if doc.shellinertia:
            self.context.findings.error(
                "geom-rejected",
                f"{_named(doc)}: shellinertia must not be given for a mesh; MuJoCo rejects the file",
                doc.at("shellinertia"),
                'write inertia="shell" at the mesh',
            )
        if is_in_place(mesh):
            found = self.meshes.triangles(mesh, home)
            if found is None:
                return None
            corners = np.insert(found.faces, 3, -1, axis=1)
            geometry = s.Mesh(vertices=s.floats(found.vertices), faces=s.ints(corners))
            return _Made(geometry=geometry, body=self.meshes.body(mesh, home))
        if not mesh.file:
            self.context.findings.warning(
                "mesh-loader",
                f"mesh '{mesh.name}' has neither file nor vertices; its shape is not built",
                mesh.at(),
            )
            return None
        return replace(self._file(mesh, home), body=self.meshes.body(mesh, home))

    def _file(self, mesh: assets.Mesh, scope: Scope) -> _Made:
        """A mesh file with the transforms of its asset: moved, rotated, then scaled."""
        folder, at = scope.settings.meshdir, mesh.at("file")
        uri, path = asset_file(mesh.file, folder, scope, self.context, at, self.context.findings)
        pose, factor = file_pose(mesh), self.meshes.factor(mesh, scope)
        x, y, z = pose.xyz
        pose = Pose((x * factor, y * factor, z * factor), pose.quat)
        x, y, z = mesh.scale
        scale: Vector3 = (x, y, z)
        linear = None
        if turns_unevenly(mesh):
            linear = matrix3(np.diag(scale) @ np.array(pose.rotation()))
            pose, scale = Pose(pose.xyz), (1.0, 1.0, 1.0)
        suffix = os.path.splitext(uri)[1].lower()
        if path and suffix not in MESH_KINDS:
            self.context.findings.info(
                "mesh-format",
                f"unsupported mesh format '{suffix}'; the shape is kept as a reference",
                mesh.at("file"),
            )
        geometry = s.MeshFile(uri=uri, path=path, scale=scale, geometry_only=suffix == ".obj")
        return _Made(geometry=geometry, pose=pose, linear=linear)

    def _fitted(self, doc: b.Geom, scope: Scope) -> _Made | None:
        """A primitive fitted to a mesh: to its equivalent box, or to its bounds in its principal axes."""
        if "type" not in doc.given and doc.type == "sphere":
            self.context.findings.warning(
                "mesh-without-type",
                f"{_named(doc)} has a mesh and no type: it is a sphere fitted to the mesh",
                doc.at("mesh"),
                'write type="mesh"',
            )
        asset = self._asset(doc, scope)
        if asset is None or doc.type not in _SIZES:
            return None
        body, found = self.meshes.body(*asset), self.meshes.triangles(*asset)
        if body is None or found is None:
            return None
        _, axes = principal(body)
        center = body.center
        if scope.settings.fitaabb:
            corners = (found.vertices - center) @ axes
            low, high = corners.min(0), corners.max(0)
            half = (high - low) / 2.0
            center = center + axes @ ((low + high) / 2.0)
            sizes = _bounding(doc.type, half)
        else:
            sizes = _averaged(doc.type, equivalent_box(body))
        geometry = _primitive(doc.type, tuple(float(v) * doc.fitscale for v in sizes))
        x, y, z = center.tolist()
        pose = Pose((x, y, z), matrix_quaternion(matrix3(axes)))
        body = primitive_body(geometry, doc.shellinertia)
        return _Made(geometry=geometry, pose=pose, body=body, body_pose=pose)

    def _heights(self, doc: b.Geom, scope: Scope) -> _Made | None:
        asset = scope.asset(assets.HeightField, doc.hfield)
        if asset is None:
            what = f"unknown height field '{doc.hfield}'" if doc.hfield else "no height field"
            self.context.findings.error("reference-unknown", f"{_named(doc)} has {what}", doc.at("hfield"))
            return None
        made, size = height_field(*asset, self.context), asset[0].size
        if made is None or size is None:
            return None
        # its mass is that of a box of half the height, centered at the origin, as in MuJoCo
        x, y, top, base = size
        box = s.Box(size=(2.0 * x, 2.0 * y, top / 2.0 + base))
        return _Made(geometry=made[0], pose=made[1], body=primitive_body(box, shell=False))


def _unknown(doc: b.Geom, made: _Made | None) -> Unknown:
    """What is unknown of the mass of a geom whose mesh or height field was not read."""
    if (made is not None and made.body is not None) or (doc.mesh is None and doc.hfield is None):
        return ""
    if doc.mass is not None:
        return "inertia" if doc.mass else ""
    return "mass" if doc.density else ""


def _mass(doc: b.Geom, made: _Made, at: Pose) -> tuple[float, Body | None]:
    """The mass of a geom, and its body in the frame of the body; none for what has no volume."""
    body = made.body
    mass = 0.0 if body is None else doc.density * body.mass if doc.mass is None else doc.mass
    if body is None or mass == 0.0:
        return 0.0, None
    return mass, moved(body, np.array(at.rotation()), np.array(at.xyz), mass)


def _named(doc: b.Geom) -> str:
    return f"geom '{doc.name}'" if doc.name else "geom"


def _primitive(kind: str, sizes: tuple[float, ...]) -> s.Geometry:
    """A primitive from MuJoCo's sizes: radii and half lengths."""
    match kind:
        case "sphere":
            return s.Sphere(radius=sizes[0])
        case "capsule":
            return s.Capsule(radius=sizes[0], height=2.0 * sizes[1])
        case "cylinder":
            return s.Cylinder(radius=sizes[0], height=2.0 * sizes[1])
        case "ellipsoid":
            return s.Ellipsoid(radii=(sizes[0], sizes[1], sizes[2]))
        case _:
            return s.Box(size=(2.0 * sizes[0], 2.0 * sizes[1], 2.0 * sizes[2]))


def extent(geometry: s.Geometry) -> tuple[float, float] | None:
    """The size of a primitive along X and Y, over which its texture is laid; None if it has none."""
    match geometry:
        case s.Box(size=(x, y, _)):
            return x, y
        case s.Plane(half_size=(x, y)):
            return 2.0 * x, 2.0 * y
        case s.Sphere(radius=r) | s.Cylinder(radius=r) | s.Capsule(radius=r):
            return 2.0 * r, 2.0 * r
        case s.Ellipsoid(radii=(x, y, _)):
            return 2.0 * x, 2.0 * y
    return None


def _averaged(kind: str, box: Floats) -> tuple[float, ...]:
    """The sizes of a primitive fitted to a box of half sizes, as in MuJoCo."""
    x, y, z = box.tolist()
    match kind:
        case "sphere":
            return ((x + y + z) / 3.0,)
        case "capsule":
            return ((x + y) / 2.0, max(0.0, z - (x + y) / 4.0))
        case "cylinder":
            return ((x + y) / 2.0, z)
        case _:
            return (x, y, z)


def _bounding(kind: str, half: Floats) -> tuple[float, ...]:
    """The sizes of a primitive that is fitted to a bounding box, as in MuJoCo."""
    x, y, z = half.tolist()
    match kind:
        case "sphere":
            return (max(x, y, z),)
        case "capsule":
            return (max(x, y), z)
        case "cylinder":
            return (max(x, y), z)
        case _:
            return (x, y, z)


def sizes(geometry: s.Geometry, kept: tuple[float, ...] | None) -> tuple[float, ...]:
    """The sizes of a geom for a primitive, with those of ``kept`` behind them that have no meaning.

    MuJoCo keeps these; of a plane the third is the distance of the lines that are drawn on it.
    """
    match geometry:
        case s.Sphere(radius=r):
            found: tuple[float, ...] = (r,)
        case s.Capsule(radius=r, height=h) | s.Cylinder(radius=r, height=h):
            found = (r, h / 2.0)
        case s.Box(size=(x, y, z)):
            found = (x / 2.0, y / 2.0, z / 2.0)
        case s.Ellipsoid(radii=radii):
            found = radii
        case s.Plane(half_size=half):
            spacing = kept[2] if kept is not None and len(kept) > 2 and kept[2] > 0.0 else _SPACING
            found = (*(half or (0.0, 0.0)), spacing)
        case _:
            raise TypeError(f"unsupported geometry in MJCF: {geometry}")
    return (*found, *(kept or ())[len(found) :])


#: The fields of a geom that are contact values of the model.
FIELDS = ("friction", "solref", "solimp", "margin", "condim")
# MuJoCo's own values, which follow where a geom states only the first ones.
_FRICTION, _SOLREF, _SOLIMP = (1.0, 0.005, 0.0001), (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)


def read_contact(doc: b.Geom) -> Contact | None:
    """The contact values that a geom or its class states; None if there are none."""
    # what a class gives is not among the given fields
    given = {key for key, _, _ in doc.node.items} if doc.node is not None else doc.given
    sliding, torsional, rolling = (
        (*doc.friction, None, None, None)[:3] if "friction" in given else (None, None, None)
    )
    out = Contact(
        sliding=sliding,
        torsional=torsional,
        rolling=rolling,
        solref=_whole(doc.solref, _SOLREF) if "solref" in given else None,  # type: ignore[arg-type]
        solimp=_whole(doc.solimp, _SOLIMP) if "solimp" in given else None,  # type: ignore[arg-type]
        margin=doc.margin if "margin" in given else None,
        condim=doc.condim if "condim" in given else None,
    )
    return None if out == Contact() else out


def write_contact(out: b.Geom, contact: Contact | None) -> None:
    """Set the contact values of a geom, those that equal MuJoCo's own included."""
    given = contact or Contact()
    out.given = {*out.given} - set(FIELDS)
    friction = [given.sliding, given.torsional, given.rolling]
    while friction and friction[-1] is None:
        friction.pop()
    if friction:
        values = zip(friction, _FRICTION, strict=False)
        out.friction = tuple(own if value is None else value for value, own in values)
    for name in ("solref", "solimp", "margin", "condim"):
        value = getattr(given, name)
        if value is not None:
            setattr(out, name, value)
    stated = {name for name in FIELDS[1:] if getattr(given, name) is not None}
    out.given |= stated | ({"friction"} if friction else set())


def _whole(values: tuple[float, ...], own: tuple[float, ...]) -> tuple[float, ...]:
    return (*values, *own[len(values) :])
