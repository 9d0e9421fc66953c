"""Declarations of the nodes of VRML97 (ISO/IEC 14772-1, 6), for all formats based on it.

Values are kept as written. ``NODES`` maps type names to classes for the binder; formats add their own node
types: ``NODES | {"Joint": Joint}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from unibody.document.declare import TEXT, Document, Tagged, element, inside, key, node, nodes, setting
from unibody.formats.vrml97.include import MESH_FILE
from unibody.formats.vrml97.values import (
    MF_COLOR,
    MF_FLOAT,
    MF_INT32,
    MF_ROTATION,
    MF_STRING,
    MF_VEC2F,
    MF_VEC3F,
    SF_BOOL,
    SF_COLOR,
    SF_FLOAT,
    SF_IMAGE,
    SF_INT32,
    SF_ROTATION,
    SF_STRING,
    SF_VEC2F,
    SF_VEC3F,
)
from unibody.text.node import Numbers

# A material enters no computation.
SETTING, COLOR_SETTING = setting(SF_FLOAT), setting(SF_COLOR)
Floats = tuple[float, ...]
NO_TURN = (0.0, 0.0, 1.0, 0.0)
_ROUTED = ("links", "joints", "devices")
RADIANS = "rad"


@element
class World(Tagged):
    """A file: its top-level nodes."""

    TAG = ""
    children: list[Tagged] = inside()


@element
class Geometry(Tagged):
    """Base of the geometry nodes."""


@element
class Texture(Tagged):
    """Base of the texture nodes."""


# --- properties of geometry -----------------------------------------------------------------


@element
class Color(Tagged):
    """Colors of faces, lines or points."""

    color: Numbers | None = key(MF_COLOR)


@element
class Coordinate(Tagged):
    """Vertices of faces, lines or points."""

    point: Numbers | None = key(MF_VEC3F, unit="m")


@element
class Normal(Tagged):
    """Normals of faces or vertices."""

    vector: Numbers | None = key(MF_VEC3F)


@element
class TextureCoordinate(Tagged):
    """Texture coordinates of vertices."""

    point: Numbers | None = key(MF_VEC2F)


# --- appearance -----------------------------------------------------------------------------


@element
class Material(Tagged):
    """Material of a surface; values from 0 to 1."""

    ambient_intensity: float = key(SETTING, 0.2, name="ambientIntensity")
    diffuse_color: Floats = key(COLOR_SETTING, (0.8, 0.8, 0.8), name="diffuseColor")
    emissive_color: Floats = key(COLOR_SETTING, (0.0, 0.0, 0.0), name="emissiveColor")
    shininess: float = key(SETTING, 0.2, doc="specular exponent = 127·s + 1")
    specular_color: Floats = key(COLOR_SETTING, (0.0, 0.0, 0.0), name="specularColor")
    transparency: float = key(SETTING, 0.0, doc="0 opaque, 1 invisible")


@element
class ImageTexture(Texture):
    """A texture from an image file."""

    url: tuple[str, ...] = key(MF_STRING, (), doc="the first existing file is used")
    repeat_s: bool = key(SF_BOOL, True, name="repeatS")
    repeat_t: bool = key(SF_BOOL, True, name="repeatT")


@element
class PixelTexture(Texture):
    """A texture in the file: width, height, components, one number per pixel."""

    image: Numbers | None = key(SF_IMAGE)
    repeat_s: bool = key(SF_BOOL, True, name="repeatS")
    repeat_t: bool = key(SF_BOOL, True, name="repeatT")


@element
class MovieTexture(Texture):
    """A video texture; kept, not drawn."""

    SKIPPED = True


@element
class TextureTransform(Tagged):
    """A transform of texture coordinates."""

    center: Floats = key(SF_VEC2F, (0.0, 0.0))
    rotation: float = key(SF_FLOAT, 0.0, unit=RADIANS)
    scale: Floats = key(SF_VEC2F, (1.0, 1.0))
    translation: Floats = key(SF_VEC2F, (0.0, 0.0))


@element
class Appearance(Tagged):
    """Material and texture of a Shape."""

    material: Material | None = node(Material)
    texture: Texture | None = node(Texture)
    texture_transform: TextureTransform | None = node(TextureTransform, name="textureTransform")


@element
class Shape(Tagged):
    """A geometry with its appearance."""

    appearance: Appearance | None = node(Appearance)
    geometry: Geometry | None = node(Geometry)


# --- geometry -------------------------------------------------------------------------------


@element
class Box(Geometry):
    """A box centered at the origin."""

    size: Floats = key(SF_VEC3F, (2.0, 2.0, 2.0), unit="m")


@element
class Cone(Geometry):
    """A cone along Y, centered at half its height, apex at +Y."""

    bottom_radius: float = key(SF_FLOAT, 1.0, name="bottomRadius", unit="m")
    height: float = key(SF_FLOAT, 2.0, unit="m")
    side: bool = key(SF_BOOL, True)
    bottom: bool = key(SF_BOOL, True)


@element
class Cylinder(Geometry):
    """A cylinder along Y, centered at the origin."""

    bottom: bool = key(SF_BOOL, True)
    height: float = key(SF_FLOAT, 2.0, unit="m")
    radius: float = key(SF_FLOAT, 1.0, unit="m")
    side: bool = key(SF_BOOL, True)
    top: bool = key(SF_BOOL, True)


@element
class Sphere(Geometry):
    """A sphere centered at the origin."""

    radius: float = key(SF_FLOAT, 1.0, unit="m")


@element
class IndexedFaceSet(Geometry):
    """Polygons by vertex indices; −1 ends each."""

    color: Color | None = node(Color)
    coord: Coordinate | None = node(Coordinate)
    normal: Normal | None = node(Normal)
    tex_coord: TextureCoordinate | None = node(TextureCoordinate, name="texCoord")
    ccw: bool = key(SF_BOOL, True, doc="counterclockwise seen from the front")
    color_index: Numbers | None = key(MF_INT32, name="colorIndex")
    color_per_vertex: bool = key(SF_BOOL, True, name="colorPerVertex")
    convex: bool = key(SF_BOOL, True, doc="ignored: all faces are checked")
    coord_index: Numbers | None = key(MF_INT32, name="coordIndex")
    crease_angle: float = key(SF_FLOAT, 0.0, name="creaseAngle", unit=RADIANS)
    normal_index: Numbers | None = key(MF_INT32, name="normalIndex")
    normal_per_vertex: bool = key(SF_BOOL, True, name="normalPerVertex")
    solid: bool = key(SF_BOOL, True, doc="the back is not drawn")
    tex_coord_index: Numbers | None = key(MF_INT32, name="texCoordIndex")


@element
class IndexedLineSet(Geometry):
    """Polylines by vertex indices; −1 ends each."""

    color: Color | None = node(Color)
    coord: Coordinate | None = node(Coordinate)
    color_index: Numbers | None = key(MF_INT32, name="colorIndex")
    color_per_vertex: bool = key(SF_BOOL, True, name="colorPerVertex")
    coord_index: Numbers | None = key(MF_INT32, name="coordIndex")


@element
class PointSet(Geometry):
    """Points, optionally with one color each."""

    color: Color | None = node(Color)
    coord: Coordinate | None = node(Coordinate)


@element
class ElevationGrid(Geometry):
    """Heights over a grid in the XZ plane; x varies fastest."""

    color: Color | None = node(Color)
    normal: Normal | None = node(Normal)
    tex_coord: TextureCoordinate | None = node(TextureCoordinate, name="texCoord")
    height: Numbers | None = key(MF_FLOAT, unit="m")
    ccw: bool = key(SF_BOOL, True)
    color_per_vertex: bool = key(SF_BOOL, True, name="colorPerVertex")
    crease_angle: float = key(SF_FLOAT, 0.0, name="creaseAngle", unit=RADIANS)
    normal_per_vertex: bool = key(SF_BOOL, True, name="normalPerVertex")
    solid: bool = key(SF_BOOL, True)
    x_dimension: int = key(SF_INT32, 0, name="xDimension")
    x_spacing: float = key(SF_FLOAT, 1.0, name="xSpacing", unit="m")
    z_dimension: int = key(SF_INT32, 0, name="zDimension")
    z_spacing: float = key(SF_FLOAT, 1.0, name="zSpacing", unit="m")


@element
class Extrusion(Geometry):
    """A cross section in the XZ plane, swept along a spine."""

    begin_cap: bool = key(SF_BOOL, True, name="beginCap")
    ccw: bool = key(SF_BOOL, True)
    convex: bool = key(SF_BOOL, True, doc="ignored: the caps are checked")
    crease_angle: float = key(SF_FLOAT, 0.0, name="creaseAngle", unit=RADIANS)
    cross_section: Numbers | None = key(
        MF_VEC2F, name="crossSection", unit="m", doc="default: a square of 2 m"
    )
    end_cap: bool = key(SF_BOOL, True, name="endCap")
    orientation: Numbers | None = key(MF_ROTATION)
    scale: Numbers | None = key(MF_VEC2F)
    solid: bool = key(SF_BOOL, True)
    spine: Numbers | None = key(MF_VEC3F, unit="m", doc="default: from 0 0 0 to 0 1 0")


@element
class Text(Geometry):
    """Text in the XY plane; kept, not drawn."""

    SKIPPED = True


# --- grouping -------------------------------------------------------------------------------


@element
class Grouping(Tagged):
    """Base of the grouping nodes."""

    children: list[Tagged] = nodes()
    bbox_center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), name="bboxCenter", unit="m", doc="not used")
    bbox_size: Floats = key(SF_VEC3F, (-1.0, -1.0, -1.0), name="bboxSize", unit="m", doc="not used")


@element
class Group(Grouping):
    """A group of nodes."""


@element
class Transform(Grouping):
    """A transformed group: translation · center · rotation · scale in the axes of scaleOrientation."""

    center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), unit="m")
    rotation: Floats = key(SF_ROTATION, NO_TURN, unit=RADIANS)
    scale: Floats = key(SF_VEC3F, (1.0, 1.0, 1.0))
    scale_orientation: Floats = key(SF_ROTATION, NO_TURN, name="scaleOrientation", unit=RADIANS)
    translation: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), unit="m")


@element
class Anchor(Grouping):
    """A group with a hyperlink."""

    description: str = key(SF_STRING, "")
    parameter: tuple[str, ...] = key(MF_STRING, ())
    url: tuple[str, ...] = key(MF_STRING, ())


@element
class Billboard(Grouping):
    """A group that turns to the viewer; read like a Group."""

    axis_of_rotation: Floats = key(SF_VEC3F, (0.0, 1.0, 0.0), name="axisOfRotation")


@element
class Collision(Grouping):
    """A group with another collision shape, or none."""

    collide: bool = key(SF_BOOL, True, doc="FALSE: no collision shape")
    proxy: Tagged | None = node(doc="collision shape instead of the children")


@element
class Switch(Tagged):
    """One of several alternative nodes, or none."""

    choice: list[Tagged] = nodes()
    which_choice: int = key(SF_INT32, -1, name="whichChoice", doc="counts from 0; -1: none")


@element
class LOD(Tagged):
    """Levels of detail, the finest first."""

    level: list[Tagged] = nodes()
    center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), unit="m")
    range: Numbers | None = key(MF_FLOAT, unit="m")


@element
class Inline(Tagged):
    """Other files: the nodes of a .wrl file, inserted on reading, or a mesh file."""

    url: tuple[str, ...] = key(MF_STRING, ())
    bbox_center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), name="bboxCenter", unit="m", doc="not used")
    bbox_size: Floats = key(SF_VEC3F, (-1.0, -1.0, -1.0), name="bboxSize", unit="m", doc="not used")
    content: list[Tagged] = inside()


@element
class MeshReference(Tagged):
    """A mesh file of another format, or a missing file, in an Inline; created on reading, never written."""

    TAG = MESH_FILE
    url: str = key(SF_STRING, "")
    path: str = key(SF_STRING, "", doc="path of the file; empty if missing")


# --- kept as written ------------------------------------------------------------------------


@element
class Kept(Tagged):
    """A node of VRML97 that has no meaning for a robot; kept as written."""

    SKIPPED = True


@element
class RouteEnds(Document):
    """The two ends of a ROUTE: the DEF name of a node, and its event."""

    source: str | None = key(TEXT, name="from", refers=_ROUTED, names="DEF names", ends=".")
    target: str | None = key(TEXT, name="to", refers=_ROUTED, names="DEF names", ends=".")


def _route_ends() -> type[Document]:
    return RouteEnds


@element
class Route(Kept):
    """A ROUTE; kept as written."""

    TAG = "ROUTE"
    KEPT = staticmethod(_route_ends)


@element
class Light(Kept):
    """A light; kept as written."""


_DECLARED: tuple[type[Tagged], ...] = (
    Anchor,
    Appearance,
    Billboard,
    Box,
    Collision,
    Color,
    Cone,
    Coordinate,
    Cylinder,
    ElevationGrid,
    Extrusion,
    Group,
    ImageTexture,
    IndexedFaceSet,
    IndexedLineSet,
    Inline,
    LOD,
    Material,
    MovieTexture,
    Normal,
    PixelTexture,
    PointSet,
    Shape,
    Sphere,
    Switch,
    Text,
    TextureCoordinate,
    TextureTransform,
    Transform,
)
LIGHTS = ("DirectionalLight", "PointLight", "SpotLight")
#: Nodes without a meaning for the shape of a robot: views, mouse sensors, animation, sound.
KEPT = (
    *("Background", "Fog", "NavigationInfo", "Viewpoint", "WorldInfo", "FontStyle", "Script", "ROUTE"),
    *("AudioClip", "Sound", "TimeSensor", "TouchSensor", "PlaneSensor", "SphereSensor", "CylinderSensor"),
    *("ProximitySensor", "VisibilitySensor", "ColorInterpolator", "CoordinateInterpolator"),
    *("NormalInterpolator", "OrientationInterpolator", "PositionInterpolator", "ScalarInterpolator"),
)
NODES: Mapping[str, type[Tagged]] = MappingProxyType(
    {cls.__name__: cls for cls in _DECLARED}
    | {MESH_FILE: MeshReference}
    | dict.fromkeys(LIGHTS, Light)
    | dict.fromkeys(KEPT, Kept)
    | {"ROUTE": Route}
)
# ISO/IEC 14772-1, 6.18
SQUARE = (1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0)
UPWARD = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
