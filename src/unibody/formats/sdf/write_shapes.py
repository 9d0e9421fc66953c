"""Writes shapes as visuals and collisions; the inverse of ``shapes``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from unibody.document.declare import Document
from unibody.formats.heights import UPRIGHT
from unibody.formats.names import Names
from unibody.formats.sdf import document_shapes as d
from unibody.formats.sdf.polylines import Ring, area, rings_of
from unibody.formats.sdf.write_names import unique
from unibody.formats.sdf.write_poses import pose
from unibody.formats.sdf.write_versions import CAPSULES, CONES, Version
from unibody.formats.tidy import tidy
from unibody.model import shape as s
from unibody.model.pose import Pose

#: Half the size in m that is drawn of a plane without bounds.
FAR = 50.0
#: The exponent of highlights that is not written.
_EXPONENT = 25.0


def holds(shape: s.Shape, version: Version = CONES) -> bool:
    """Whether a shape is written without conversion to a mesh file."""
    if shape.linear is not None:
        return False
    match shape.geometry:
        case s.Box(size=sizes):
            return min(sizes) > 0.0
        case s.Ellipsoid(radii=sizes):
            return version >= CAPSULES and min(sizes) > 0.0
        case s.Capsule():
            return version >= CAPSULES
        case s.Cone():
            return version >= CONES
        case s.Sphere() | s.Cylinder() | s.LineSet() | s.PointSet() | s.Plane():
            return True
        case s.Extrusion() as swept:
            return points_of(swept) is not None
        case s.Mesh() as mesh:
            return rings_of(mesh) is not None
        case s.MeshFile() as mesh:
            return not (mesh.without or mesh.unit or mesh.up_axis or mesh.geometry_only)
    return False


def writable(shape: s.Shape) -> bool:
    """Whether Gazebo accepts a shape: lines and points have no element, and sizes must be positive."""
    if shape.linear is not None:
        return False
    match shape.geometry:
        case s.Box(size=sizes) | s.Ellipsoid(radii=sizes):
            return min(sizes) > 0.0
        case s.Sphere(radius=radius):
            return radius > 0.0
        case s.Capsule(radius=radius, height=height):
            return radius > 0.0 and height >= 0.0
        case s.Cylinder() | s.Cone():
            return shape.geometry.radius > 0.0 and shape.geometry.height > 0.0
        case s.Plane():
            return shape.geometry.half_size is None or min(shape.geometry.half_size) > 0.0
        case s.Extrusion() as swept:
            return points_of(swept) is not None
        case s.Mesh() as mesh:
            return rings_of(mesh) is not None
        case s.MeshFile(uri=uri, scale=scale):
            return bool(uri) and 0.0 not in scale
    return False


def points_of(swept: s.Extrusion) -> list[tuple[float, float]] | None:
    """The corners of the polygon in the XY plane that an extrusion from z = 0 up is; None for another."""
    spine = [float(v) for v in swept.spine]
    if len(spine) != 6 or spine[:4] != [0.0] * 4 or spine[5] != 0.0 or not spine[4] > 0.0:
        return None
    still = (list(swept.scale), list(swept.orientation)) == ([1.0, 1.0], [0.0, 0.0, 1.0, 0.0])
    is_plain = swept.solid and swept.crease_angle == 0.0
    if not (still and is_plain and swept.begin_cap and swept.end_cap):
        return None
    flat = [float(v) for v in swept.section]
    corners = [(x, -z) for x, z in zip(flat[::2], flat[1::2], strict=True)]
    if len(corners) < 4 or corners[0] != corners[-1]:
        return None
    corners.pop()
    # mirrored from the section
    return corners if swept.ccw is (area(corners) >= 0.0) else None


def visuals(shapes: tuple[s.Shape, ...], back: Pose, version: Version, taken: Names) -> list[d.Visual]:
    """The visuals of a link; ``back`` is the frame of the model's link in that of the file."""
    kept = [shape for shape in shapes if writable(shape)]
    names = unique([shape.name for shape in kept], "visual", taken)
    return [_visual(x, n, back, version) for x, n in zip(kept, names, strict=True)]


def _visual(shape: s.Shape, name: str, back: Pose, version: Version) -> d.Visual:
    geometry, place = _geometry(shape, version)
    out = d.Visual(name=name, pose=pose(back @ place, version), geometry=geometry)
    if geometry.plane is not None:
        half = shape.geometry.half_size if isinstance(shape.geometry, s.Plane) else None
        x, y = half or (FAR, FAR)
        geometry.plane.size = (2.0 * x, 2.0 * y)
        geometry.plane.given.add("size")
    if shape.material is not None:
        out.material = _material(shape.material)
        out.transparency = tidy(shape.material.transparency)
    return out


def collisions(
    shapes: tuple[s.Shape, ...], back: Pose, version: Version, taken: Names, mask: int | None
) -> list[d.Collision]:
    """The collisions of a link, with the bits of what they touch, None for all."""
    kept = [shape for shape in shapes if writable(shape)]
    names = unique([shape.name for shape in kept], "collision", taken)
    out = []
    for shape, name in zip(kept, names, strict=True):
        geometry, place = _geometry(shape, version)
        if shape.hull and geometry.mesh is not None:
            geometry.mesh.declare_convex = d.Empty()
        made = d.Collision(name=name, pose=pose(back @ place, version), geometry=geometry)
        made.surface = _surface(shape.contact, mask)
        out.append(made)
    return out


def _surface(contact: s.Contact | None, mask: int | None) -> d.Surface | None:
    """How a collision touches others; None if nothing is said."""
    sliding = None if contact is None else contact.sliding
    if sliding is None and mask is None:
        return None
    out = d.Surface()
    if sliding is not None:
        # the second direction is another number, which would be 1
        ode = d.FrictionOde(mu=sliding, mu2=sliding)
        ode.given |= {"mu", "mu2"}
        out.friction = d.Friction(ode=ode)
    if mask is not None:
        out.contact = d.SurfaceContact(collide_bitmask=mask)
        out.contact.given.add("collide_bitmask")
    return out


def _geometry(shape: s.Shape, version: Version) -> tuple[d.Geometry, Pose]:
    """The geometry of a writable shape, and its pose in the link."""
    out = d.Geometry()
    place = shape.pose
    match shape.geometry:
        case s.Box(size=size):
            out.box = _whole(d.Box(size=size))
        case s.Sphere(radius=radius):
            out.sphere = _whole(d.Sphere(radius=radius))
        case s.Ellipsoid(radii=radii):
            out.ellipsoid = _whole(d.Ellipsoid(radii=radii))
        case s.Cylinder() as tube:
            out.cylinder = _whole(d.Cylinder(radius=tube.radius, length=tube.height))
        case s.Capsule() as pill:
            out.capsule = _whole(d.Cylinder(radius=pill.radius, length=pill.height))
        case s.Cone() as cone:
            out.cone = _whole(d.Cylinder(radius=cone.radius, length=cone.height))
        case s.Plane():
            out.plane = d.Plane()
            out.plane.given.add("normal")
        case s.Extrusion() as swept:
            corners = points_of(swept) or []
            out.polyline = _polylines([corners], float(swept.spine[4]))
            place = shape.pose @ UPRIGHT.inverse()
        case s.Mesh() as prism if (found := rings_of(prism)) is not None:
            out.polyline = _polylines(*found)
        case s.MeshFile() as mesh:
            out.mesh = d.Mesh(uri=mesh.uri, scale=mesh.scale)
            if mesh.fragment:
                out.mesh.submesh = d.Submesh(name=mesh.fragment, center=mesh.centered)
        case other:
            raise TypeError(f"unsupported geometry in SDF: {other}")
    return out, place


def _polylines(rings: Sequence[Ring], height: float) -> list[d.Polyline]:
    lines = [d.Polyline(points=[d.Point2(value=point) for point in ring]) for ring in rings]
    for line in lines:
        line.height = height
    return [_whole(line) for line in lines]


_Element = TypeVar("_Element", bound=Document)
_SIZES = ("size", "radius", "radii", "length", "height")


def _whole(doc: _Element) -> _Element:
    """An element with all of its sizes, those too that are the default."""
    doc.given |= {name for name in _SIZES if hasattr(type(doc), name)}
    return doc


def _material(material: s.Material) -> d.Material:
    red, green, blue = material.diffuse
    out = d.Material(diffuse=(red, green, blue, 1.0))
    share = material.ambient
    out.ambient = (tidy(share * red), tidy(share * green), tidy(share * blue), 1.0)
    out.given |= {"ambient", "diffuse"}
    out.specular = (*material.specular, 1.0)
    out.emissive = (*material.emissive, 1.0)
    if material.specular_exponent != _EXPONENT:
        out.shininess = material.specular_exponent
        out.given.add("shininess")
    if material.texture is not None and material.texture.uri:
        out.pbr = d.Pbr(metal=d.Metal(albedo_map=material.texture.uri))
    return out
