"""Writes shapes as URDF visuals, collisions and materials; the inverse of ``shapes``."""

from __future__ import annotations

import math
import os
from typing import Any

from unibody.document.declare import Document
from unibody.formats.tidy import rpy, tidy
from unibody.formats.urdf import document as d
from unibody.formats.urdf.versions import CAPSULES, Version
from unibody.model import shape as s
from unibody.model.changes.joints import free_name
from unibody.model.pose import UNIT_QUATERNION, ZERO, Pose, from_rpy
from unibody.model.robot import Robot


def origin(pose: Pose, version: Version) -> d.Origin | None:
    """The origin element of a pose; None for the identity.

    From URDF 1.1 on, an orientation that rpy does not give exactly is a quaternion.
    """
    turn = ZERO if pose.quat == UNIT_QUATERNION else rpy(pose.quat)
    if version >= CAPSULES and turn != ZERO and from_rpy(*turn) != pose.quat:
        w, x, y, z = pose.quat
        return d.Origin(xyz=pose.xyz, quat_xyzw=(x, y, z, w))
    if pose.xyz == ZERO and turn == ZERO:
        return None
    return d.Origin(xyz=pose.xyz, rpy=turn)


def holds(shape: s.Shape) -> bool:
    """Whether a shape is written without conversion to a mesh file."""
    if shape.linear is not None:
        return False
    match shape.geometry:
        case s.Box(size=size):
            return min(size) > 0.0
        case s.Ellipsoid(radii=radii):  # in Drake's dialect; a stretched sphere otherwise
            return min(radii) > 0.0
        case s.Sphere() | s.Cylinder() | s.Capsule() | s.LineSet() | s.PointSet():
            return True
        case s.MeshFile() as mesh:
            return not (mesh.fragment or mesh.without or mesh.unit or mesh.up_axis or mesh.geometry_only)
    return False


def writable(shape: s.Shape) -> bool:
    """Whether URDF readers accept a shape; they reject lines, points and zero sizes."""
    if shape.linear is not None:
        return False
    match shape.geometry:
        case s.Box(size=size):
            return min(size) > 0.0
        case s.Ellipsoid(radii=radii):  # in Drake's dialect; a stretched sphere otherwise
            return min(radii) > 0.0
        case s.Sphere(radius=radius):
            return radius > 0.0
        case s.Cylinder():
            return shape.geometry.radius > 0.0 and shape.geometry.height > 0.0
        case s.Capsule():
            return shape.geometry.radius > 0.0 and shape.geometry.height >= 0.0
        case s.MeshFile(uri=uri):
            return bool(uri)
    return False


def geometry(shape: s.Shape, version: Version, drake: bool = False) -> d.Geometry:
    """The geometry element of a writable shape; ``drake`` is set for a hull that Drake is told of.

    Below the version that has capsules, only Drake's dialect has capsules.
    """
    made: Document
    match shape.geometry:
        case s.Box(size=size):
            made = d.Box(size=size)
        case s.Sphere(radius=radius):
            made = d.Sphere(radius=radius)
        case s.Cylinder() as cylinder:
            made = d.Cylinder(radius=cylinder.radius, length=cylinder.height)
        case s.Capsule() as capsule:
            of = d.DrakeCapsule if version < CAPSULES else d.Capsule
            made = of(radius=capsule.radius, length=capsule.height)
        case s.Ellipsoid(radii=(a, b, c)):
            made = d.DrakeEllipsoid(a=a, b=b, c=c)
        case s.MeshFile() as mesh:
            convex = d.Empty() if drake and shape.hull else None
            made = d.Mesh(filename=mesh.uri, scale=mesh.scale, declare_convex=convex)
        case other:
            raise TypeError(f"unsupported geometry in URDF: {other}")
    return d.Geometry(shapes=[made])


class Palette:
    """The materials of a robot with unique names, defined at the top of the file."""

    def __init__(self, robot: Robot) -> None:
        self.names: list[tuple[s.Material, str]] = []
        # caches: equal materials are usually the same object or have the same name
        self._known: dict[int, str] = {}
        self._by_name: dict[str, list[tuple[s.Material, str]]] = {}
        taken = {
            x.material.name for link in robot.links for x in link.visuals if x.material is not None
        } - {""}
        self._taken = set(taken)
        for link in robot.links:
            for x in link.visuals:
                if x.material is not None and writable(x):
                    self.name(x.material)

    def name(self, material: s.Material) -> str:
        """The unique name of a material in the file."""
        known = self._known.get(id(material))
        if known is not None:
            return known
        reduced = _reduced(material)
        rivals = self._by_name.setdefault(material.name, [])
        name = next((n for m, n in rivals if m == reduced), None)
        if name is None:
            name = self._new_name(reduced, bool(rivals))
            rivals.append((reduced, name))
            self.names.append((reduced, name))
        # the robot keeps the material alive, so its id stays valid
        self._known[id(material)] = name
        return name

    def _new_name(self, material: s.Material, used: bool) -> str:
        own = material.name
        name = own if own and not used else free_name(own or _default_name(material), self._taken)
        self._taken.add(name)
        return name

    def elements(self) -> list[Any]:
        """The material elements, in the order of first use."""
        return [_material(material, name) for material, name in self.names]


def _default_name(material: s.Material) -> str:
    """A name for an unnamed material: its texture file or its color in hexadecimal.

    >>> _default_name(s.Material(diffuse=(1.0, 0.5, 0.0)))
    'color_ff8000'
    """
    if material.texture is not None and material.texture.uri:
        return os.path.splitext(os.path.basename(material.texture.uri))[0] or "image"
    opacity = [1.0 - material.transparency] if material.transparency else []
    parts = [min(max(v, 0.0), 1.0) if math.isfinite(v) else 0.0 for v in (*material.diffuse, *opacity)]
    return "color_" + "".join(f"{round(255.0 * v):02x}" for v in parts)


def _reduced(material: s.Material) -> s.Material:
    """A material reduced to the properties that URDF has."""
    texture = material.texture
    uri = texture.uri if texture is not None else ""
    return s.Material(
        name=material.name,
        diffuse=material.diffuse,
        transparency=material.transparency,
        texture=s.Texture(uri=uri) if uri else None,
    )


def _material(material: s.Material, name: str) -> d.Material:
    red, green, blue = material.diffuse
    out = d.Material(name=name, color=d.Color(rgba=(red, green, blue, tidy(1.0 - material.transparency))))
    if material.texture is not None:
        out.texture = d.Texture(filename=material.texture.uri)
    return out


def visual(shape: s.Shape, palette: Palette, version: Version) -> d.Visual:
    """The visual element of a writable shape."""
    out = d.Visual(name=shape.name, origin=origin(shape.pose, version), geometry=geometry(shape, version))
    if shape.material is not None:
        out.material = d.Material(name=palette.name(shape.material))
    return out


def collision(shape: s.Shape, version: Version, drake: bool) -> d.Collision:
    """The collision element of a writable shape."""
    made = geometry(shape, version, drake)
    return d.Collision(name=shape.name, origin=origin(shape.pose, version), geometry=made)
