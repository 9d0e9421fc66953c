"""The nodes of VRML97, declared (ISO/IEC 14772-1, 6), for every format that is built on it.

Values are kept as written. ``NODES`` is the table by type name that a binder is given; formats with
node types of their own add them to it: ``NODES | {"Joint": Joint}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from unibody.document.declare import Tagged, element, inside, key, node, nodes
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

Floats = tuple[float, ...]
NO_TURN = (0.0, 0.0, 1.0, 0.0)
RADIANS = "rad"


@element
class World(Tagged):
    """A whole file: its nodes in order."""

    TAG = ""
    children: list[Tagged] = inside()


@element
class Geometry(Tagged):
    """What a Shape may hold as its geometry."""


@element
class Texture(Tagged):
    """What an Appearance may hold as its texture."""


# --- properties of geometry -----------------------------------------------------------------


@element
class Color(Tagged):
    """Colours that faces, lines and points choose from."""

    color: Numbers | None = key(MF_COLOR)


@element
class Coordinate(Tagged):
    """Points that faces and lines choose from."""

    point: Numbers | None = key(MF_VEC3F, unit="m")


@element
class Normal(Tagged):
    """Normals that faces choose from."""

    vector: Numbers | None = key(MF_VEC3F)


@element
class TextureCoordinate(Tagged):
    """Places in an image that faces choose from."""

    point: Numbers | None = key(MF_VEC2F)


# --- appearance -----------------------------------------------------------------------------


@element
class Material(Tagged):
    """Colours of a surface, 0 to 1."""

    ambient_intensity: float = key(SF_FLOAT, 0.2, name="ambientIntensity")
    diffuse_color: Floats = key(SF_COLOR, (0.8, 0.8, 0.8), name="diffuseColor")
    emissive_color: Floats = key(SF_COLOR, (0.0, 0.0, 0.0), name="emissiveColor")
    shininess: float = key(SF_FLOAT, 0.2, doc="specular exponent = 127·s + 1")
    specular_color: Floats = key(SF_COLOR, (0.0, 0.0, 0.0), name="specularColor")
    transparency: float = key(SF_FLOAT, 0.0, doc="0 opaque, 1 invisible")


@element
class ImageTexture(Texture):
    """An image file on a surface."""

    url: tuple[str, ...] = key(MF_STRING, (), doc="the first that is found counts")
    repeat_s: bool = key(SF_BOOL, True, name="repeatS")
    repeat_t: bool = key(SF_BOOL, True, name="repeatT")


@element
class PixelTexture(Texture):
    """An image written in the file: width, height, components, one number for each pixel."""

    image: Numbers | None = key(SF_IMAGE)
    repeat_s: bool = key(SF_BOOL, True, name="repeatS")
    repeat_t: bool = key(SF_BOOL, True, name="repeatT")


@element
class MovieTexture(Texture):
    """A film on a surface; kept, not shown."""

    SKIPPED = True


@element
class TextureTransform(Tagged):
    """How texture coordinates are moved."""

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
    """A geometry and what its surface looks like."""

    appearance: Appearance | None = node(Appearance)
    geometry: Geometry | None = node(Geometry)


# --- geometry -------------------------------------------------------------------------------


@element
class Box(Geometry):
    """A box centred at the origin."""

    size: Floats = key(SF_VEC3F, (2.0, 2.0, 2.0), unit="m")


@element
class Cone(Geometry):
    """A cone along Y, centred at half its height, apex at +Y."""

    bottom_radius: float = key(SF_FLOAT, 1.0, name="bottomRadius", unit="m")
    height: float = key(SF_FLOAT, 2.0, unit="m")
    side: bool = key(SF_BOOL, True)
    bottom: bool = key(SF_BOOL, True)


@element
class Cylinder(Geometry):
    """A cylinder along Y, centred."""

    bottom: bool = key(SF_BOOL, True)
    height: float = key(SF_FLOAT, 2.0, unit="m")
    radius: float = key(SF_FLOAT, 1.0, unit="m")
    side: bool = key(SF_BOOL, True)
    top: bool = key(SF_BOOL, True)


@element
class Sphere(Geometry):
    """A sphere at the origin."""

    radius: float = key(SF_FLOAT, 1.0, unit="m")


@element
class IndexedFaceSet(Geometry):
    """Polygons over a list of points; −1 closes each."""

    color: Color | None = node(Color)
    coord: Coordinate | None = node(Coordinate)
    normal: Normal | None = node(Normal)
    tex_coord: TextureCoordinate | None = node(TextureCoordinate, name="texCoord")
    ccw: bool = key(SF_BOOL, True, doc="corners go counter-clockwise seen from the front")
    color_index: Numbers | None = key(MF_INT32, name="colorIndex")
    color_per_vertex: bool = key(SF_BOOL, True, name="colorPerVertex")
    convex: bool = key(SF_BOOL, True, doc="not believed: every face is looked at")
    coord_index: Numbers | None = key(MF_INT32, name="coordIndex")
    crease_angle: float = key(SF_FLOAT, 0.0, name="creaseAngle", unit=RADIANS)
    normal_index: Numbers | None = key(MF_INT32, name="normalIndex")
    normal_per_vertex: bool = key(SF_BOOL, True, name="normalPerVertex")
    solid: bool = key(SF_BOOL, True, doc="the back is not seen")
    tex_coord_index: Numbers | None = key(MF_INT32, name="texCoordIndex")


@element
class IndexedLineSet(Geometry):
    """Lines over a list of points; −1 ends each."""

    color: Color | None = node(Color)
    coord: Coordinate | None = node(Coordinate)
    color_index: Numbers | None = key(MF_INT32, name="colorIndex")
    color_per_vertex: bool = key(SF_BOOL, True, name="colorPerVertex")
    coord_index: Numbers | None = key(MF_INT32, name="coordIndex")


@element
class PointSet(Geometry):
    """Points, with one colour each or none."""

    color: Color | None = node(Color)
    coord: Coordinate | None = node(Coordinate)


@element
class ElevationGrid(Geometry):
    """Heights over a grid in the XZ plane, x running fastest."""

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
    """A section in the XZ plane swept along a spine."""

    begin_cap: bool = key(SF_BOOL, True, name="beginCap")
    ccw: bool = key(SF_BOOL, True)
    convex: bool = key(SF_BOOL, True, doc="not believed: the caps are looked at")
    crease_angle: float = key(SF_FLOAT, 0.0, name="creaseAngle", unit=RADIANS)
    cross_section: Numbers | None = key(
        MF_VEC2F, name="crossSection", unit="m", doc="a square of 2 m when absent"
    )
    end_cap: bool = key(SF_BOOL, True, name="endCap")
    orientation: Numbers | None = key(MF_ROTATION)
    scale: Numbers | None = key(MF_VEC2F)
    solid: bool = key(SF_BOOL, True)
    spine: Numbers | None = key(MF_VEC3F, unit="m", doc="from 0 0 0 to 0 1 0 when absent")


@element
class Text(Geometry):
    """Letters in the XY plane; kept, not drawn."""

    SKIPPED = True


# --- grouping -------------------------------------------------------------------------------


@element
class Grouping(Tagged):
    """Fields of the grouping nodes: a box around the children that viewers may use."""

    children: list[Tagged] = nodes()
    bbox_center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), name="bboxCenter", unit="m", doc="not used")
    bbox_size: Floats = key(SF_VEC3F, (-1.0, -1.0, -1.0), name="bboxSize", unit="m", doc="not used")


@element
class Group(Grouping):
    """Nodes together."""


@element
class Transform(Grouping):
    """Nodes at another place: translation · center · rotation · scale, about scaleOrientation."""

    center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), unit="m")
    rotation: Floats = key(SF_ROTATION, NO_TURN, unit=RADIANS)
    scale: Floats = key(SF_VEC3F, (1.0, 1.0, 1.0))
    scale_orientation: Floats = key(SF_ROTATION, NO_TURN, name="scaleOrientation", unit=RADIANS)
    translation: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), unit="m")


@element
class Anchor(Grouping):
    """Nodes that link to another document."""

    description: str = key(SF_STRING, "")
    parameter: tuple[str, ...] = key(MF_STRING, ())
    url: tuple[str, ...] = key(MF_STRING, ())


@element
class Billboard(Grouping):
    """Nodes that turn to the viewer; here they stand as written."""

    axis_of_rotation: Floats = key(SF_VEC3F, (0.0, 1.0, 0.0), name="axisOfRotation")


@element
class Collision(Grouping):
    """Nodes whose collision shape is another, or none."""

    collide: bool = key(SF_BOOL, True, doc="FALSE: nothing here collides")
    proxy: Tagged | None = node(doc="what collides instead of the children")


@element
class Switch(Tagged):
    """One of several nodes, or none."""

    choice: list[Tagged] = nodes()
    which_choice: int = key(SF_INT32, -1, name="whichChoice", doc="from 0; -1: none")


@element
class LOD(Tagged):
    """Nodes for several distances, the finest first."""

    level: list[Tagged] = nodes()
    center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), unit="m")
    range: Numbers | None = key(MF_FLOAT, unit="m")


@element
class Inline(Tagged):
    """Other files: the nodes of a .wrl, put here when it is read, or a mesh file."""

    url: tuple[str, ...] = key(MF_STRING, ())
    bbox_center: Floats = key(SF_VEC3F, (0.0, 0.0, 0.0), name="bboxCenter", unit="m", doc="not used")
    bbox_size: Floats = key(SF_VEC3F, (-1.0, -1.0, -1.0), name="bboxSize", unit="m", doc="not used")
    content: list[Tagged] = inside()


@element
class MeshReference(Tagged):
    """A mesh file of another kind that an Inline names; it stands in the Inline, and in no file."""

    TAG = MESH_FILE
    url: str = key(SF_STRING, "")
    path: str = key(SF_STRING, "", doc="where it was found; empty when missing")


# --- kept as written ------------------------------------------------------------------------


@element
class Kept(Tagged):
    """A node that VRML97 knows and robots do not need; all of it is kept as written."""

    SKIPPED = True


@element
class Light(Kept):
    """A light of the scene; kept as written."""


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
#: Nodes without a meaning for a robot's shape: viewers, sensors of the mouse, animation, sound.
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
)
# ISO/IEC 14772-1, 6.18
SQUARE = (1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0)
UPWARD = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
