"""Writes shapes as VRML97 nodes, the inverse of ``vrml97.read``; cylinders are along Y (facts B.8)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.document.declare import Tagged
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.names import define, legal
from unibody.formats.openhrp.write_geometry import LISTED, listed, solid
from unibody.formats.placement import Placement, split, turned
from unibody.formats.tidy import tidy
from unibody.formats.vrml97 import document as v
from unibody.formats.vrml97.geometry import ALONG_Y
from unibody.model import shape as s
from unibody.model.decomposition import diagonal, eigenvalues, product
from unibody.model.pose import (
    UNIT_MATRIX,
    UNIT_QUATERNION,
    ZERO,
    Matrix3,
    Pose,
    Quaternion,
    matrix_quaternion,
)
from unibody.text.node import Numbers

_UPRIGHT = ALONG_Y.inverse()
_ROBOT = re.compile(rb"\b(?:Humanoid|Joint|Segment)\s*\{")
#: The specular exponents of a shininess of 0 and 1.
EXPONENTS = (1.0, 128.0)


def rotation(quat: Quaternion) -> tuple[float, float, float, float]:
    """A rotation as axis and angle in radians; the identity is about Z: Choreonoid rejects a zero axis.

    >>> rotation((0.5, 0.5, 0.5, 0.5))
    (0.577350269189626, 0.577350269189626, 0.577350269189626, 2.094395102393195)
    """
    if quat in (UNIT_QUATERNION, (-1.0, 0.0, 0.0, 0.0)):
        return v.NO_TURN
    x, y, z, angle = Pose(quat=quat).axis_angle()
    turn = tidy(angle)
    return v.NO_TURN if turn == 0.0 else (tidy(x), tidy(y), tidy(z), turn)


def place(doc: Any, pose: Pose) -> None:
    """Set translation and rotation of a node."""
    doc.translation, doc.rotation = pose.xyz, rotation(pose.quat)


def writable(geometry: s.Geometry) -> bool:
    """Whether the loaders accept a geometry: positive sizes, no empty lists."""
    match geometry:
        case s.Box(size=size):
            return min(size) >= 0.0
        case s.Sphere(radius=radius):
            return radius > 0.0
        case s.Cylinder() | s.Cone():
            return geometry.radius > 0.0 and geometry.height > 0.0
        case s.Mesh():
            return len(geometry.vertices) >= 3 and bool(np.any(np.asarray(geometry.faces) >= 0))
        case s.MeshFile():
            return is_world(geometry) and bool(geometry.path)
        case s.LineSet():
            return len(geometry.vertices) >= 3 and bool(np.any(np.asarray(geometry.lines) >= 0))
        case s.PointSet():
            return len(geometry.vertices) >= 3
        case s.Extrusion():
            return len(geometry.section) >= 4 and len(geometry.spine) >= 6
        case s.ElevationGrid():
            nx, nz = geometry.x_dimension, geometry.z_dimension
            return nx > 1 and nz > 1 and len(geometry.heights) == nx * nz
    return False


def is_world(mesh: s.MeshFile) -> bool:
    """Whether an Inline can refer to a mesh file: a VRML97 file, used unchanged."""
    odd = mesh.fragment or mesh.without or mesh.unit or mesh.up_axis or mesh.geometry_only
    # OpenHRP reads no others, and Choreonoid's suffix is case-sensitive (facts B.2)
    return mesh.uri.endswith(".wrl") and not odd


def holds(shape: s.Shape) -> bool:
    """Whether a shape can be written without conversion to polygons."""
    match shape.geometry:
        case s.MeshFile() as mesh:
            # the materials of an inlined file cannot be replaced
            return is_world(mesh) and shape.material is None
        case s.Extrusion(ccw=ccw):
            # Choreonoid reverses the faces with ccw FALSE, where they point outward (facts B.8)
            return ccw
        case s.Capsule() | s.Ellipsoid() | s.Plane():
            return False
    return True


def opens(shape: s.Shape, data: bytes) -> bool:
    """Whether an Inline may hold a VRML file: that of a robot has nodes that must not be in a Segment."""
    return not isinstance(shape.geometry, s.MeshFile) or not _ROBOT.search(data)


class Shapes:
    """Writes shapes; shared geometries and named materials are written once.

    ``names`` counts the DEF names of all nodes of the file: a shared node needs a unique name.
    """

    def __init__(self, links: Any, names: Counter[str]) -> None:
        self.names = names
        self._uses: Counter[int] = Counter()
        self._made: dict[int, v.Geometry] = {}
        self._materials: dict[str, list[tuple[s.Material, v.Material]]] = {}
        self._known: dict[int, v.Material] = {}
        known: dict[int, s.Material] = {}
        for link in links:
            for x in (*link.visuals, *link.collisions):
                self._uses[id(x.geometry)] += 1
                self.names[legal(x.name)] += 1
                if x.material is not None:
                    known[id(x.material)] = x.material
        distinct: list[s.Material] = []
        for material in known.values():
            flat = _flat(material)
            if flat.name and flat not in distinct:
                distinct.append(flat)
                self.names[legal(flat.name)] += 1

    def children(self, visuals: tuple[s.Shape, ...], collisions: tuple[s.Shape, ...]) -> list[Tagged]:
        """The children of a Segment; a Surface if visuals and collisions differ (facts B.8)."""
        seen = [node for x in visuals if (node := self.node(x)) is not None]
        if visuals == collisions:
            return seen
        hit = [node for x in collisions if (node := self.node(x)) is not None]
        return [d.Surface(visual=seen, collision=hit)]

    def node(self, shape: s.Shape) -> Tagged | None:
        """The node of a shape; None if it is not writable."""
        if not writable(shape.geometry):
            return None
        at = Placement(shape.pose, shape.linear)
        geometry = shape.geometry
        if isinstance(geometry, s.MeshFile):
            made: Tagged = v.Inline(url=(geometry.uri,))
            at = _scaled(at, geometry.scale)
        else:
            appearance = self._appearance(shape.material)
            textured = appearance is not None and appearance.texture is not None
            if stands_along_y(geometry, textured):
                at = turned(at, _UPRIGHT)
            drawn = v.Shape(appearance=appearance, geometry=self._geometry(geometry, textured))
            made = define(drawn, shape.name)
        return _transformed(made, at)

    def _geometry(self, geometry: s.Geometry, textured: bool) -> v.Geometry:
        if not isinstance(geometry, LISTED):
            return solid(geometry, textured)
        known = self._made.get(id(geometry))
        if known is None:
            known = self._made[id(geometry)] = listed(geometry)
            if self._uses[id(geometry)] > 1:
                define(known, self._new_name("MESH"))
        return known

    def _new_name(self, stem: str) -> str:
        number = 1
        while f"{stem}_{number}" in self.names:
            number += 1
        self.names[f"{stem}_{number}"] += 1
        return f"{stem}_{number}"

    def _appearance(self, material: s.Material | None) -> v.Appearance | None:
        if material is None:
            return None
        texture = _texture(material.texture)
        bare = replace(material, texture=None, at=None) == s.Material()
        out = v.Appearance(texture=texture)
        if not bare or texture is None:
            out.material = self._material(material)
        move = material.texture.transform if material.texture is not None and texture is not None else None
        if move is not None:
            out.texture_transform = v.TextureTransform(
                center=move.center, scale=move.scale, translation=move.translation, rotation=move.rotation
            )
        return out

    def _material(self, material: s.Material) -> v.Material:
        known = self._known.get(id(material))
        if known is not None and self.names[known.def_name] == 1:
            return known
        flat = _flat(material)
        alike = self._materials.setdefault(flat.name, [])
        made = next((node for m, node in alike if m == flat), None)
        # a shared node needs a unique name
        if made is None or not flat.name or self.names[legal(flat.name)] > 1:
            made = _material_node(flat)
            alike.append((flat, made))
        # the robot keeps the material alive, so its id is not reused
        self._known[id(material)] = made
        return made


def _flat(material: s.Material) -> s.Material:
    return replace(material, texture=None, at=None)


def _material_node(material: s.Material) -> v.Material:
    low, high = EXPONENTS
    out = v.Material(
        ambient_intensity=material.ambient,
        diffuse_color=material.diffuse,
        emissive_color=material.emissive,
        specular_color=material.specular,
        shininess=tidy((min(max(material.specular_exponent, low), high) - 1.0) / 127.0),
        transparency=material.transparency,
    )
    return define(out, material.name)


def _texture(texture: s.Texture | None) -> v.Texture | None:
    if texture is None:
        return None
    if texture.uri:
        return v.ImageTexture(url=(texture.uri,), repeat_s=texture.repeat_s, repeat_t=texture.repeat_t)
    if len(texture.image) < 4:
        return None
    pixels = _pixels(texture.image)
    return v.PixelTexture(image=pixels, repeat_s=texture.repeat_s, repeat_t=texture.repeat_t)


def _pixels(image: s.Ints) -> Numbers:
    """The pixels of an SFImage: one number per pixel, its bytes are the components."""
    width, height, components, *data = (int(n) for n in image)
    rows = np.array(data, np.int64).reshape(-1, components)
    whole = (rows << (np.arange(components - 1, -1, -1) * 8)).sum(axis=1)
    return Numbers(" ".join(map(str, [width, height, components, *whole.tolist()])), form="")


# --- placements -----------------------------------------------------------------------------


def stands_along_y(geometry: s.Geometry, textured: bool) -> bool:
    """Whether the reader rotates a geometry from Y to Z; boxes and spheres only if textured."""
    return isinstance(geometry, s.Cylinder | s.Cone) or (
        textured and isinstance(geometry, s.Box | s.Sphere)
    )


def _scaled(at: Placement, scale: tuple[float, float, float]) -> Placement:
    if scale == (1.0, 1.0, 1.0):
        return at
    own = diagonal(scale)
    return Placement(at.pose, own if at.linear is None else product(at.linear, own))


def _transformed(made: Tagged, at: Placement) -> Tagged:
    """A node in a Transform with placement ``at``, made symmetric if needed."""
    if at.linear is not None and not _is_symmetric(at.linear):
        at = split(at.matrix(), at.pose.xyz)
    if at.pose.xyz == ZERO and rotation(at.pose.quat) == v.NO_TURN and at.linear in (None, UNIT_MATRIX):
        return made
    out = v.Transform(children=[made])
    place(out, at.pose)
    if at.linear is not None:
        _stretch(out, at.linear)
    return out


def _is_symmetric(matrix: Matrix3) -> bool:
    return all(matrix[i][k] == matrix[k][i] for i in range(3) for k in range(i))


def _stretch(doc: v.Transform, stretch: Matrix3) -> None:
    """Set scale and scaleOrientation of a Transform to a symmetric matrix."""
    factors = (stretch[0][0], stretch[1][1], stretch[2][2])
    if stretch != diagonal(factors):
        (x, y, z), axes = eigenvalues(stretch)
        factors = (tidy(x), tidy(y), tidy(z))
        doc.scale_orientation = rotation(matrix_quaternion(axes))
    doc.scale = factors
