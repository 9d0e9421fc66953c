"""Writes shapes as geoms: visual shapes in group 2, collision shapes in group 3, one geom for both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

import numpy as np

from unibody.document.declare import Document
from unibody.formats.heights import UPRIGHT
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.geoms import HIDDEN_GROUP, sizes, write_contact
from unibody.formats.mjcf.kept_elements import bound
from unibody.formats.mjcf.materials import GRAY
from unibody.formats.mjcf.meshes import MeshFileError, Triangles, read_triangles
from unibody.formats.mjcf.write_assets import AssetTable, color_of, half_size
from unibody.formats.mjcf.write_bodies import placed
from unibody.formats.mjcf.write_tree import PlannedBody
from unibody.model import shape as s
from unibody.model.area import LEAST_AREA, area
from unibody.model.changes.joints import free_name
from unibody.model.hull import convex_hull
from unibody.model.pose import IDENTITY, Pose, Vector3
from unibody.text.dataclass import dataclass
from unibody.text.node import Node

VISUAL, COLLISION = "visual", "collision"
VISUAL_GROUP, COLLISION_GROUP = 2, 3
SDF = "sdf"
_TYPES = {
    s.Sphere: "sphere",
    s.Capsule: "capsule",
    s.Cylinder: "cylinder",
    s.Box: "box",
    s.Ellipsoid: "ellipsoid",
    s.Plane: "plane",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A shape of a link, whether it is drawn and whether it collides, and its contact values."""

    shape: s.Shape
    visual: bool
    collision: bool
    contact: s.Contact | None = None


def holds(shape: s.Shape) -> bool:
    """Whether MJCF represents a shape without conversion to a mesh file."""
    if shape.linear is not None:
        return False
    match shape.geometry:
        case s.Box(size=sizes) | s.Ellipsoid(radii=sizes):
            return min(sizes) > 0.0
        case s.Sphere(radius=radius):
            return radius > 0.0
        case s.Cylinder() | s.Capsule():
            return shape.geometry.radius > 0.0 and shape.geometry.height > 0.0
        case s.Plane():
            return True
        case s.Mesh() as mesh:
            return is_plain(mesh)
        case s.ElevationGrid() as grid:
            return is_field(grid)
        case s.MeshFile() as mesh:
            return not (mesh.fragment or mesh.without or mesh.unit or mesh.up_axis)
    return False


def opens(shape: s.Shape, data: bytes) -> bool:
    """Whether MuJoCo reads a mesh file as a whole: it ignores materials and all objects but the first.

    A shape that was read from MJCF says no more than MuJoCo reads.
    """
    mesh = shape.geometry
    if not isinstance(mesh, s.MeshFile):
        return False
    try:
        found = read_triangles(data, mesh.path)
    except MeshFileError:
        return False
    if not (mesh.geometry_only or (found.parts == 1 and b"mtllib" not in data)):
        return False
    return _is_accepted(found, mesh.scale)


def _is_accepted(found: Triangles, scale: Vector3) -> bool:
    """Whether MuJoCo takes triangles for a surface: it wants four points and an area.

    Vertices without faces are their convex hull.
    """
    faces = found.faces
    if not faces.size:
        hull = convex_hull(found.vertices)
        if hull is None:
            return False
        faces = hull
    points = found.vertices[faces.reshape(-1)]
    if not np.isfinite(points).all():
        return False
    points = points * np.array(scale)
    if all(len(np.unique(some, axis=0)) < 4 for some in (points[:30], points)):
        return False
    a, b, c = points[0::3], points[1::3], points[2::3]
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0 >= LEAST_AREA


def is_plain(mesh: s.Mesh) -> bool:
    """Whether a mesh is triangles only, with an area, so that it can be written in place."""
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    looks = (mesh.normals, mesh.colors, mesh.tex_coords)
    return (
        not any(len(x) for x in looks)
        and len(mesh.vertices) >= 12
        and faces.size > 0
        and faces.size % 4 == 0
        and bool((faces[3::4] == -1).all())
        and int((faces < 0).sum()) == faces.size // 4
        and int(faces.max()) < len(mesh.vertices) // 3
        and area(mesh) >= LEAST_AREA
    )


def is_field(grid: s.ElevationGrid) -> bool:
    """Whether a grid can be a height field."""
    looks = (grid.colors, grid.normals, grid.tex_coords)
    count = grid.x_dimension * grid.z_dimension
    return (
        grid.ccw
        and min(grid.x_dimension, grid.z_dimension) >= 2
        and min(grid.x_spacing, grid.z_spacing) > 0.0
        and len(grid.heights) == count
        and not any(len(x) for x in looks)
    )


def writable(shape: s.Shape) -> bool:
    """Whether MuJoCo has a geom for a shape."""
    if isinstance(shape.geometry, s.MeshFile):
        return shape.linear is None and bool(shape.geometry.uri)
    return holds(shape)


class GeomWriter:
    """Writes geoms with unique names; ``own`` are the contact bits of new collision shapes."""

    def __init__(
        self, table: AssetTable, own: tuple[int, int] = (1, 1), paired: Collection[str] = ()
    ) -> None:
        self.table, self.own, self._paired = table, own, paired
        self._names: set[str] = set()

    def elements(self, body: PlannedBody, kept: Sequence[Node]) -> list[Document]:
        """The geoms of a body, those that are only kept included, in the kept order."""
        link = body.link
        slots = [] if link is None else slots_of(link.visuals, link.collisions, kept, self._paired)
        out: list[Document] = []
        for slot, node in matched(slots, kept, self._paired):
            if slot is not None:
                out.append(self._geom(body, slot, node))
            elif node is not None:
                doc = bound(b.Geom, node)
                self._take_name(doc, doc.name or "")
                out.append(doc)
        return out

    def _take_name(self, doc: b.Geom, name: str) -> None:
        doc.name = free_name(name, self._names) if name else None
        doc.given = {*doc.given} - {"name"}
        if doc.name:
            self._names.add(doc.name)

    def _geom(self, body: PlannedBody, slot: Slot, node: Node | None) -> b.Geom:
        shape = slot.shape
        out = b.Geom() if node is None else bound(b.Geom, node)
        if node is None and not slot.collision:
            out.class_ = VISUAL
        elif node is None and not slot.visual:
            out.class_ = COLLISION
        elif node is None:
            out.contype, out.conaffinity = self.own
        if slot.collision:
            write_contact(out, slot.contact)
        self._take_name(out, shape.name)
        assert body.link is not None
        pose = self._geometry(out, shape, node, shape.name or body.link.name)
        placed(out, body.in_body(pose))
        if slot.visual:
            stated = out.rgba
            material, rgba = self.table.material(shape.material, node.word("material") if node else None)
            out.material, out.rgba = material, rgba or GRAY
            if rgba is None and shape.material is not None and stated == color_of(shape.material):
                out.rgba = stated
        out.given = {*out.given} - {"rgba", "type", "size"}
        return out

    def _geometry(self, out: b.Geom, shape: s.Shape, node: Node | None, name: str) -> Pose:
        """Set the type and the sizes of a geom; returns its pose in the link."""
        kept_mesh = node.word("mesh") if node is not None else None
        mesh_type = SDF if node is not None and node.word("type") == SDF else "mesh"
        out.mesh = out.hfield = out.fromto = None
        geometry, pose = shape.geometry, shape.pose
        match geometry:
            case s.MeshFile():
                out.type = mesh_type
                out.mesh, out.size = self.table.mesh_file(geometry, kept_mesh), None
                inside = self.table.file_pose(out.mesh)
                return pose if inside == IDENTITY else pose @ inside.inverse()
            case s.Mesh():
                out.type, out.mesh, out.size = mesh_type, self.table.mesh(geometry, kept_mesh, name), None
                return pose
            case s.ElevationGrid() as grid:
                out.type, out.size = "hfield", None
                kept_field = node.word("hfield") if node is not None else None
                out.hfield, low = self.table.height_field(grid, kept_field, name)
                x, y = half_size(grid)
                return pose @ Pose((0.0, low, 0.0)) @ (Pose((-x, y, 0.0)) @ UPRIGHT).inverse()
        out.type = _TYPES[type(geometry)]
        out.size = sizes(geometry, out.size)
        return pose


# --- which shape is which geom ----------------------------------------------------------


def slots_of(
    visuals: Sequence[s.Shape],
    collisions: Sequence[s.Shape],
    kept: Sequence[Node] = (),
    paired: Collection[str] = (),
) -> list[Slot]:
    """The shapes of a link: those that are drawn and collide once, in the order of both lists.

    The order is that of the ``kept`` geoms, if these are still the same shapes.
    """
    visuals = [shape for shape in visuals if writable(shape)]
    collisions = [shape for shape in collisions if writable(shape)]
    return _as_kept(visuals, collisions, kept, paired) or _merged(visuals, collisions)


def _as_kept(
    visuals: Sequence[s.Shape], collisions: Sequence[s.Shape], kept: Sequence[Node], paired: Collection[str]
) -> list[Slot]:
    """The shapes in the order of the kept geoms; empty if they are others."""
    out: list[Slot] = []
    i = j = 0
    for node in kept:
        if is_shapeless(node):
            continue
        drawn, collides = roles(node, paired)
        name = node.word("name") or ""
        shape = contact = None
        if drawn and i < len(visuals) and visuals[i].name == name:
            shape = visuals[i]
            i += 1
        if collides and j < len(collisions) and collisions[j].name == name:
            if drawn and (shape is None or not is_same(shape, collisions[j])):
                return []
            shape, contact = shape or collisions[j], collisions[j].contact
            j += 1
        elif collides:
            return []
        if shape is None:
            return []
        out.append(Slot(shape=shape, visual=drawn, collision=collides, contact=contact))
    return out if i == len(visuals) and j == len(collisions) else []


def _merged(visuals: Sequence[s.Shape], collisions: Sequence[s.Shape]) -> list[Slot]:
    out: list[Slot] = []
    done = 0
    for shape in visuals:
        at = next((j for j in range(done, len(collisions)) if is_same(shape, collisions[j])), None)
        contact = None
        if at is not None:
            out += [_solid(x) for x in collisions[done:at]]
            done, contact = at + 1, collisions[at].contact
        out.append(Slot(shape=shape, visual=True, collision=at is not None, contact=contact))
    return out + [_solid(x) for x in collisions[done:]]


def _solid(shape: s.Shape) -> Slot:
    return Slot(shape=shape, visual=False, collision=True, contact=shape.contact)


def is_same(visual: s.Shape, collision: s.Shape) -> bool:
    """Whether a visual and a collision shape differ in their material only, and in what only collides."""
    first, second = (replace(x, material=None, hull=False, contact=None) for x in (visual, collision))
    return first == second


def roles(node: Node, paired: Collection[str]) -> tuple[bool, bool]:
    """Whether a kept geom is drawn, and whether it collides; ``paired`` are the names of those in pairs."""
    doc = bound(b.Geom, node)
    has_bits = bool(doc.contype or doc.conaffinity)
    return not has_bits or (doc.group or 0) < HIDDEN_GROUP, has_bits or doc.name in paired


def is_shapeless(node: Node) -> bool:
    """Whether the model has no shape for a kept geom: only these keep their type.

    Distance fields with a shape keep it, too, but no position.
    """
    kind = node.word("type")
    return kind is not None and (kind != SDF or node.word("pos") is not None)


def paired_geoms(contacts: Iterable[Node]) -> set[str]:
    """The names of the geoms of all kept ``<pair>`` elements."""
    pairs = (node for node in contacts if node.tag == "pair")
    return {node.word(word) or "" for node in pairs for word in ("geom1", "geom2")} - {""}


def matched(
    slots: Sequence[Slot], kept: Sequence[Node], paired: Collection[str]
) -> list[tuple[Slot | None, Node | None]]:
    """Each shape with its kept geom, if there is one, and the kept geoms without a shape in between."""
    mine = [(slot.shape.name, slot.visual, slot.collision) for slot in slots]
    theirs = [
        ("", None, None) if is_shapeless(node) else (node.word("name") or "", *roles(node, paired))
        for node in kept
    ]
    out: list[tuple[Slot | None, Node | None]] = []
    for word, i1, i2, j1, j2 in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if word == "equal":
            out += zip(slots[i1:i2], kept[j1:j2], strict=True)
        else:
            out += [(slot, None) for slot in slots[i1:i2]]
            out += [(None, node) for node in kept[j1:j2] if is_shapeless(node)]
    return out
