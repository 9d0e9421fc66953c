"""Declarations of USD: geometry, cameras and lights."""

from __future__ import annotations

from unibody.document.declare import element, key
from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.values import (
    BOOL,
    COLOR3F,
    COLOR3FS,
    DOUBLE,
    FLOAT,
    FLOAT2,
    FLOAT3S,
    FLOATS,
    INTS,
    NORMAL3FS,
    POINT3FS,
    QUATHS,
    REL,
    TEXCOORD2FS,
    token,
)
from unibody.text.node import Numbers

_AXIS = token("X", "Y", "Z", uniform=True)
_INTERPOLATION = token("constant", "uniform", "varying", "vertex", "faceVarying")


@element
class Xform(Prim):
    """A place of what is below it."""

    TAG = "Xform"


@element
class Scope(Prim):
    """A folder of prims."""

    TAG = "Scope"


@element
class Gprim(Prim):
    """A shape that is drawn."""

    TAG = "Gprim"
    double_sided: bool = key(BOOL, False, name="doubleSided")
    orientation: str = key(
        token("rightHanded", "leftHanded", uniform=True), "rightHanded", name="orientation"
    )
    extent: Numbers | None = key(FLOAT3S, name="extent")
    colors: Numbers | None = key(COLOR3FS, name="primvars:displayColor")
    colors_interpolation: str = key(_INTERPOLATION, "constant", name="primvars:displayColor.interpolation")
    colors_indices: Numbers | None = key(INTS, name="primvars:displayColor:indices")
    opacities: Numbers | None = key(FLOATS, name="primvars:displayOpacity")
    opacities_interpolation: str = key(
        _INTERPOLATION, "constant", name="primvars:displayOpacity.interpolation"
    )


@element
class Cube(Gprim):
    """A cube; boxes are scaled."""

    TAG = "Cube"
    size: float = key(DOUBLE, 2.0, name="size", doc="the edge")


@element
class Sphere(Gprim):
    """A sphere; ellipsoids are scaled."""

    TAG = "Sphere"
    radius: float = key(DOUBLE, 1.0, name="radius")


@element
class Cylinder(Gprim):
    """A cylinder with its center at the origin."""

    TAG = "Cylinder"
    radius: float = key(DOUBLE, 1.0, name="radius")
    height: float = key(DOUBLE, 2.0, name="height")
    axis: str = key(_AXIS, "Z", name="axis")


@element
class Cone(Gprim):
    """A cone with its center at the origin, its apex along the axis."""

    TAG = "Cone"
    radius: float = key(DOUBLE, 1.0, name="radius")
    height: float = key(DOUBLE, 2.0, name="height")
    axis: str = key(_AXIS, "Z", name="axis")


@element
class Capsule(Gprim):
    """A cylinder with half spheres."""

    TAG = "Capsule"
    radius: float = key(DOUBLE, 0.5, name="radius")
    height: float = key(DOUBLE, 1.0, name="height", doc="of the cylinder alone")
    axis: str = key(_AXIS, "Z", name="axis")


@element
class Capsule1(Gprim):
    """A capsule with two radii."""

    TAG = "Capsule_1"
    bottom: float = key(DOUBLE, 0.5, name="radiusBottom")
    top: float = key(DOUBLE, 0.5, name="radiusTop")
    height: float = key(DOUBLE, 1.0, name="height")
    axis: str = key(_AXIS, "Z", name="axis")


@element
class Cylinder1(Gprim):
    """A cylinder with two radii."""

    TAG = "Cylinder_1"
    bottom: float = key(DOUBLE, 1.0, name="radiusBottom")
    top: float = key(DOUBLE, 1.0, name="radiusTop")
    height: float = key(DOUBLE, 2.0, name="height")
    axis: str = key(_AXIS, "Z", name="axis")


@element
class Plane(Gprim):
    """A rectangle, which collides without bound."""

    TAG = "Plane"
    width: float = key(DOUBLE, 2.0, name="width", doc="along X, if the axis is Z")
    length: float = key(DOUBLE, 2.0, name="length", doc="along Y, if the axis is Z")
    axis: str = key(_AXIS, "Z", name="axis", doc="the normal")


@element
class PointBased(Gprim):
    """A shape of points."""

    TAG = "PointBased"
    points: Numbers | None = key(POINT3FS, name="points")
    normals: Numbers | None = key(NORMAL3FS, name="normals")
    normals_interpolation: str = key(_INTERPOLATION, "vertex", name="normals.interpolation")


@element
class Mesh(PointBased):
    """Polygons."""

    TAG = "Mesh"
    counts: Numbers | None = key(INTS, name="faceVertexCounts")
    indices: Numbers | None = key(INTS, name="faceVertexIndices")
    holes: Numbers | None = key(INTS, name="holeIndices")
    subdivision: str = key(
        token("none", "catmullClark", "loop", "bilinear", uniform=True),
        "catmullClark",
        name="subdivisionScheme",
    )
    normals_primvar: Numbers | None = key(NORMAL3FS, name="primvars:normals")
    normals_primvar_interpolation: str = key(
        _INTERPOLATION, "constant", name="primvars:normals.interpolation"
    )
    normals_primvar_indices: Numbers | None = key(INTS, name="primvars:normals:indices")
    st: Numbers | None = key(TEXCOORD2FS, name="primvars:st")
    st_interpolation: str = key(_INTERPOLATION, "constant", name="primvars:st.interpolation")
    st_indices: Numbers | None = key(INTS, name="primvars:st:indices")
    subset_family: str = key(
        token("unrestricted", "nonOverlapping", "partition", uniform=True),
        "unrestricted",
        name="subsetFamily:materialBind:familyType",
    )


@element
class GeomSubset(Prim):
    """Some of the faces of a mesh, with a material of their own."""

    TAG = "GeomSubset"
    element_type: str = key(token("face", "point", uniform=True), "face", name="elementType")
    family: str = key(token("materialBind", uniform=True), "", name="familyName")
    indices: Numbers | None = key(INTS, name="indices")


@element
class Points(PointBased):
    """Points that are drawn."""

    TAG = "Points"
    widths: Numbers | None = key(FLOATS, name="widths")


@element
class BasisCurves(PointBased):
    """Lines or curves that are drawn."""

    TAG = "BasisCurves"
    counts: Numbers | None = key(INTS, name="curveVertexCounts")
    type: str = key(token("cubic", "linear", uniform=True), "cubic", name="type")
    basis: str = key(token("bezier", "bspline", "catmullRom", uniform=True), "bezier", name="basis")
    wrap: str = key(token("nonperiodic", "periodic", "pinned", uniform=True), "nonperiodic", name="wrap")
    widths: Numbers | None = key(FLOATS, name="widths")


@element
class PointInstancer(Prim):
    """Copies of prototypes that are drawn."""

    TAG = "PointInstancer"
    prototypes: tuple[str, ...] = key(REL, (), name="prototypes")
    indices: Numbers | None = key(INTS, name="protoIndices")
    positions: Numbers | None = key(POINT3FS, name="positions")
    orientations: Numbers | None = key(QUATHS, name="orientations")
    scales: Numbers | None = key(FLOAT3S, name="scales")


@element
class Camera(Prim):
    """A camera, which looks along −Z with Y up; only the ratio of focal length and aperture counts."""

    TAG = "Camera"
    projection: str = key(token("perspective", "orthographic"), "perspective", name="projection")
    focal_length: float = key(FLOAT, 50.0, name="focalLength")
    horizontal_aperture: float = key(FLOAT, 20.955, name="horizontalAperture")
    vertical_aperture: float = key(FLOAT, 15.2908, name="verticalAperture")
    clipping_range: tuple[float, ...] = key(FLOAT2, (1.0, 1000000.0), name="clippingRange")


@element
class Light(Prim):
    """A light."""

    TAG = "Light"
    intensity: float = key(FLOAT, 1.0, name="inputs:intensity")
    exposure: float = key(FLOAT, 0.0, name="inputs:exposure")
    color: tuple[float, ...] = key(COLOR3F, (1.0, 1.0, 1.0), name="inputs:color")


@element
class DistantLight(Light):
    """A light from far away, along −Z."""

    TAG = "DistantLight"
    angle: float = key(FLOAT, 0.53, name="inputs:angle")


@element
class SphereLight(Light):
    """A round light; one with a cone is a spot, along −Z."""

    TAG = "SphereLight"
    radius: float = key(FLOAT, 0.5, name="inputs:radius")


@element
class DiskLight(Light):
    """A disk that shines along −Z."""

    TAG = "DiskLight"
    radius: float = key(FLOAT, 0.5, name="inputs:radius")


@element
class RectLight(Light):
    """A rectangle that shines along −Z."""

    TAG = "RectLight"
    width: float = key(FLOAT, 1.0, name="inputs:width")
    height: float = key(FLOAT, 1.0, name="inputs:height")
