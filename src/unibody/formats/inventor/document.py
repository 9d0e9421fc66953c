"""Declarations of Open Inventor 2.1 and VRML 1.0: the nodes that are read.

Lengths are in meters unless a Units node sets another unit, angles in radians. ``kept.py`` declares the
other nodes.
"""

from __future__ import annotations

from typing import Any

from unibody.document.declare import Document, Tagged, element, inside, key, node
from unibody.formats.inventor import values as v

ZERO = (0.0, 0.0, 0.0)
ONE = (1.0, 1.0, 1.0)
NO_TURN = (0.0, 0.0, 1.0, 0.0)
UNIT_MATRIX = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)

_AUTO = v.enum("ON", "OFF", "AUTO")
#: Bindings of materials to the parts of a shape; DEFAULT and NONE are obsolete.
MATERIAL_BINDING = v.enum(
    "OVERALL",
    "PER_PART",
    "PER_PART_INDEXED",
    "PER_FACE",
    "PER_FACE_INDEXED",
    "PER_VERTEX",
    "PER_VERTEX_INDEXED",
    "DEFAULT",
    "NONE",
)
NORMAL_BINDING = MATERIAL_BINDING


class _Marked(frozenset[str]):
    """The keys that ``expand`` adds (``~x``, ``=x``), and those of a self-described node."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word[:1] in ("~", "=") or word in ("interface", "isA"))


@element
class Base(Tagged):
    """Base of all nodes."""

    KNOWN = _Marked()


@element
class Model(Document):
    """A file: its top-level nodes."""

    nodes: list[Any] = inside()


# --- groups ---------------------------------------------------------------------------


@element
class Group(Base):
    """A group of nodes; state changes persist after it."""

    children: list[Any] = inside()


@element
class Separator(Group):
    """A group that restores the state at its end."""

    render_caching: str = key(_AUTO, "AUTO", name="renderCaching")
    bounding_box_caching: str = key(_AUTO, "AUTO", name="boundingBoxCaching")
    render_culling: str = key(_AUTO, "AUTO", name="renderCulling")
    pick_culling: str = key(_AUTO, "AUTO", name="pickCulling")


@element
class Annotation(Separator):
    """A Separator that is drawn on top."""


@element
class Selection(Separator):
    """A Separator whose nodes a user can select."""

    policy: str = key(v.enum("SINGLE", "TOGGLE", "SHIFT"), "SHIFT")


@element
class ExtSelection(Selection):
    """A Selection with lasso selection."""

    lasso_type: str = key(v.enum("NOLASSO", "LASSO", "RECTANGLE"), "NOLASSO", name="lassoType")
    lasso_policy: str = key(
        v.enum("FULL_BBOX", "PART_BBOX", "FULL", "PART"), "FULL_BBOX", name="lassoPolicy"
    )
    lasso_mode: str = key(
        v.enum("ALL_SHAPES", "VISIBLE_SHAPES"), "ALL_SHAPES", name="lassoMode", doc="of Coin"
    )


@element
class LocateHighlight(Separator):
    """A Separator that is highlighted under the mouse."""

    mode: str = key(v.enum("AUTO", "ON", "OFF"), "AUTO")
    style: str = key(v.enum("EMISSIVE", "EMISSIVE_DIFFUSE"), "EMISSIVE")
    color: tuple[float, ...] = key(v.SF_COLOR, (0.3, 0.3, 0.3))


@element
class WWWAnchor(LocateHighlight):
    """A Separator with a hyperlink."""

    name: str = key(v.SF_STRING, "")
    description: str = key(v.SF_STRING, "")
    map: str = key(v.enum("NONE", "POINT"), "NONE")


@element
class TransformSeparator(Group):
    """A group that restores only the transformation at its end."""


@element
class Switch(Group):
    """A group with one drawn child; −1: none, −2: that of the enclosing Switch, −3: all."""

    which_child: int = key(v.SF_INT32, -1, name="whichChild")


@element
class Blinker(Switch):
    """A Switch that cycles through its children; read at its first."""

    speed: float = key(v.SF_FLOAT, 1.0)
    on: bool = key(v.SF_BOOL, True)


@element
class PathSwitch(Group):
    """A group that is drawn along a path of a program; never drawn here."""

    path: None = key(v.SF_PATH)


@element
class LOD(Group):
    """Levels of detail; the first is read."""

    range: Any = key(v.MF_FLOAT, v.numbers(""))
    center: tuple[float, ...] = key(v.SF_VEC3F, ZERO)


@element
class LevelOfDetail(Group):
    """Levels of detail; the first is read."""

    screen_area: Any = key(v.MF_FLOAT, v.numbers("0"), name="screenArea")


@element
class Array(Group):
    """Copies of its children at the points of a grid."""

    num_elements1: int = key(v.SF_SHORT, 1, name="numElements1")
    num_elements2: int = key(v.SF_SHORT, 1, name="numElements2")
    num_elements3: int = key(v.SF_SHORT, 1, name="numElements3")
    separation1: tuple[float, ...] = key(v.SF_VEC3F, (1.0, 0.0, 0.0))
    separation2: tuple[float, ...] = key(v.SF_VEC3F, (0.0, 1.0, 0.0))
    separation3: tuple[float, ...] = key(v.SF_VEC3F, (0.0, 0.0, 1.0))
    origin: str = key(v.enum("FIRST", "CENTER", "LAST"), "FIRST")


@element
class MultipleCopy(Group):
    """Copies of its children, one per matrix (for row vectors)."""

    matrix: Any = key(v.MF_MATRIX, v.numbers("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"))


@element
class File(Base):
    """The nodes of another file, inserted here."""

    name: str = key(
        v.SF_STRING, "<Undefined file>", doc="relative to this file or to those that include it"
    )
    children: list[Any] = inside(doc="nodes of the file, inserted on reading")


@element
class WWWInline(Base):
    """The nodes of another file in a Separator (VRML 1.0)."""

    name: str = key(v.SF_STRING, "")
    bbox_size: tuple[float, ...] = key(v.SF_VEC3F, ZERO, name="bboxSize")
    bbox_center: tuple[float, ...] = key(v.SF_VEC3F, ZERO, name="bboxCenter")
    alternate_rep: Any = node(name="alternateRep", doc="used if the file is missing")
    children: list[Any] = inside(doc="nodes of the file, inserted on reading")


@element
class MeshFile(Base):
    """A reference to a mesh file of another format, or to a missing file, in a File node."""

    TAG = "mesh file"
    url: str = key(v.SF_STRING, "")
    path: str = key(v.SF_STRING, "")


@element
class Other(Base):
    """A node of another program, kept as written; its ``alternateRep`` or else its children are drawn."""

    SKIPPED = True
    alternate_rep: Any = node(name="alternateRep")
    children: list[Any] = inside()


# --- transformations ------------------------------------------------------------------


@element
class Transform(Base):
    """Translation · center · rotation · scaleOrientation · scale · back."""

    translation: tuple[float, ...] = key(v.SF_VEC3F, ZERO, unit="m")
    rotation: tuple[float, ...] = key(v.SF_ROTATION, NO_TURN, unit="rad")
    scale_factor: tuple[float, ...] = key(v.SF_VEC3F, ONE, name="scaleFactor")
    scale_orientation: tuple[float, ...] = key(v.SF_ROTATION, NO_TURN, name="scaleOrientation")
    center: tuple[float, ...] = key(v.SF_VEC3F, ZERO, unit="m")


@element
class Translation(Base):
    """A translation."""

    translation: tuple[float, ...] = key(v.SF_VEC3F, ZERO, unit="m")


@element
class Shuttle(Translation):
    """An oscillating translation; read at its start."""

    translation0: tuple[float, ...] = key(v.SF_VEC3F, ZERO, unit="m")
    translation1: tuple[float, ...] = key(v.SF_VEC3F, ZERO, unit="m")
    speed: float = key(v.SF_FLOAT, 1.0)
    on: bool = key(v.SF_BOOL, True)


@element
class Rotation(Base):
    """A rotation about an axis through the origin."""

    rotation: tuple[float, ...] = key(v.SF_ROTATION, NO_TURN, unit="rad")


@element
class Rotor(Rotation):
    """A continuous rotation; read at its start."""

    speed: float = key(v.SF_FLOAT, 1.0)
    on: bool = key(v.SF_BOOL, True)


@element
class Pendulum(Rotation):
    """An oscillating rotation; read at its start."""

    rotation0: tuple[float, ...] = key(v.SF_ROTATION, NO_TURN, unit="rad")
    rotation1: tuple[float, ...] = key(v.SF_ROTATION, NO_TURN, unit="rad")
    speed: float = key(v.SF_FLOAT, 1.0)
    on: bool = key(v.SF_BOOL, True)


@element
class RotationXYZ(Base):
    """A rotation about a coordinate axis."""

    axis: str = key(v.enum("X", "Y", "Z"), "X")
    angle: float = key(v.SF_FLOAT, 0.0, unit="rad")


@element
class Scale(Base):
    """A scale along the axes."""

    scale_factor: tuple[float, ...] = key(v.SF_VEC3F, ONE, name="scaleFactor")


@element
class MatrixTransform(Base):
    """A transformation matrix for row vectors: the translation is in the last row."""

    matrix: tuple[float, ...] = key(v.SF_MATRIX, UNIT_MATRIX)


#: Meters per unit.
UNITS = {
    "METERS": 1.0,
    "CENTIMETERS": 0.01,
    "MILLIMETERS": 0.001,
    "MICROMETERS": 1e-6,
    "MICRONS": 1e-6,
    "NANOMETERS": 1e-9,
    "ANGSTROMS": 1e-10,
    "KILOMETERS": 1000.0,
    "FEET": 0.3048,
    "INCHES": 0.0254,
    "POINTS": 0.0254 / 72.0,
    "YARDS": 0.9144,
    "MILES": 1609.344,
    "NAUTICAL_MILES": 1852.0,
}


@element
class Units(Base):
    """The unit of the following nodes, which are scaled from the previous unit to this one."""

    units: str = key(v.enum(*UNITS), "METERS")


@element
class ResetTransform(Base):
    """Resets the transformation to the frame of the file."""

    what_to_reset: tuple[str, ...] = key(v.bits("TRANSFORM", "BBOX"), ("TRANSFORM",), name="whatToReset")


# --- appearance -----------------------------------------------------------------------


@element
class Material(Base):
    """Materials, with values from 0 to 1; MaterialBinding assigns several to parts of shapes."""

    ambient_color: Any = key(v.MF_COLOR, v.numbers("0.2 0.2 0.2"), name="ambientColor")
    diffuse_color: Any = key(v.MF_COLOR, v.numbers("0.8 0.8 0.8"), name="diffuseColor")
    specular_color: Any = key(v.MF_COLOR, v.numbers("0 0 0"), name="specularColor")
    emissive_color: Any = key(v.MF_COLOR, v.numbers("0 0 0"), name="emissiveColor")
    shininess: Any = key(v.MF_FLOAT, v.numbers("0.2"))
    transparency: Any = key(v.MF_FLOAT, v.numbers("0"))


@element
class BaseColor(Base):
    """The diffuse colors of the materials."""

    rgb: Any = key(v.MF_COLOR, v.numbers("0.8 0.8 0.8"))


@element
class PackedColor(Base):
    """Diffuse colors and opacities as 0xRRGGBBAA."""

    ordered_rgba: Any = key(v.MF_UINT32, v.numbers("0xccccccff"), name="orderedRGBA", old=["rgb"])


@element
class MaterialBinding(Base):
    """The binding of materials to the parts of the following shapes."""

    value: str = key(MATERIAL_BINDING, "OVERALL")


@element
class LightModel(Base):
    """Whether shapes are lit."""

    model: str = key(v.enum("PHONG", "BASE_COLOR"), "PHONG")


@element
class DrawStyle(Base):
    """Drawing of shapes as surfaces, lines or points, or not at all."""

    style: str = key(v.enum("FILLED", "LINES", "POINTS", "INVISIBLE"), "FILLED")
    point_size: float = key(v.SF_FLOAT, 0.0, name="pointSize")
    line_width: float = key(v.SF_FLOAT, 0.0, name="lineWidth")
    line_pattern: int = key(v.SF_USHORT, 0xFFFF, name="linePattern")
    line_pattern_scale_factor: int = key(v.SF_INT32, 1, name="linePatternScaleFactor", doc="of Coin")


@element
class ShapeHints(Base):
    """Properties of the following polygons; the default creaseAngle is 0.5 in VRML 1.0, otherwise 0."""

    vertex_ordering: str = key(
        v.enum("UNKNOWN_ORDERING", "CLOCKWISE", "COUNTERCLOCKWISE"),
        "UNKNOWN_ORDERING",
        name="vertexOrdering",
    )
    shape_type: str = key(v.enum("UNKNOWN_SHAPE_TYPE", "SOLID"), "UNKNOWN_SHAPE_TYPE", name="shapeType")
    face_type: str = key(v.enum("UNKNOWN_FACE_TYPE", "CONVEX"), "CONVEX", name="faceType")
    crease_angle: float | None = key(v.SF_FLOAT, name="creaseAngle", unit="rad")
    hints: tuple[str, ...] | None = key(
        v.bits("NONE", "SOLID", "ORDERED", "CONVEX", "ALL"), doc="Inventor 1: the other fields in one"
    )


@element
class Complexity(Base):
    """Tessellation of round shapes, from 0 to 1."""

    type: str = key(v.enum("OBJECT_SPACE", "SCREEN_SPACE", "BOUNDING_BOX"), "OBJECT_SPACE")
    value: float = key(v.SF_FLOAT, 0.5)
    texture_quality: float = key(v.SF_FLOAT, 0.5, name="textureQuality")


@element
class Texture2(Base):
    """The texture of the following shapes, from a file or from pixels; without either, none."""

    filename: str = key(v.SF_STRING, "")
    image: Any = key(v.SF_IMAGE, v.numbers("0 0 0"))
    wrap_s: str = key(v.enum("REPEAT", "CLAMP"), "REPEAT", name="wrapS")
    wrap_t: str = key(v.enum("REPEAT", "CLAMP"), "REPEAT", name="wrapT")
    model: str = key(v.enum("MODULATE", "DECAL", "BLEND", "REPLACE"), "MODULATE")
    blend_color: tuple[float, ...] = key(v.SF_COLOR, ZERO, name="blendColor")
    enable_compressed_texture: bool = key(v.SF_BOOL, False, name="enableCompressedTexture", doc="of Coin")


@element
class Texture2Transform(Base):
    """Transforms texture coordinates: scales and rotates about the center, then translates."""

    translation: tuple[float, ...] = key(v.SF_VEC2F, (0.0, 0.0))
    rotation: float = key(v.SF_FLOAT, 0.0, unit="rad")
    scale_factor: tuple[float, ...] = key(v.SF_VEC2F, (1.0, 1.0), name="scaleFactor")
    center: tuple[float, ...] = key(v.SF_VEC2F, (0.0, 0.0))


@element
class TextureCoordinate2(Base):
    """Texture coordinates of the following shapes."""

    point: Any = key(v.MF_VEC2F, v.numbers("0 0"))


@element
class TextureCoordinateBinding(Base):
    """The binding of texture coordinates: by index or in order."""

    value: str = key(v.enum("PER_VERTEX_INDEXED", "PER_VERTEX", "DEFAULT"), "PER_VERTEX_INDEXED")


@element
class TextureCoordinateDefault(Base):
    """Resets the texture coordinates."""


# --- vertices -------------------------------------------------------------------------


@element
class Coordinate3(Base):
    """Points of the following shapes."""

    point: Any = key(v.MF_VEC3F, v.numbers("0 0 0"), unit="m")


@element
class Coordinate4(Base):
    """Homogeneous points x y z w of the following shapes: x/w, y/w, z/w."""

    point: Any = key(v.MF_VEC4F, v.numbers("0 0 0 1"), unit="m")


@element
class Normal(Base):
    """Normals of the following shapes."""

    vector: Any = key(v.MF_VEC3F, v.numbers(""))


@element
class NormalBinding(Base):
    """The binding of normals to the parts of the following shapes."""

    value: str = key(NORMAL_BINDING, "PER_VERTEX_INDEXED")


@element
class VertexProperty(Base):
    """Points, normals, colors and texture coordinates; non-empty lists override the state."""

    vertex: Any = key(v.MF_VEC3F, v.numbers(""), unit="m")
    normal: Any = key(v.MF_VEC3F, v.numbers(""))
    tex_coord: Any = key(v.MF_VEC2F, v.numbers(""), name="texCoord")
    ordered_rgba: Any = key(v.MF_UINT32, v.numbers(""), name="orderedRGBA")
    normal_binding: str = key(NORMAL_BINDING, "PER_VERTEX_INDEXED", name="normalBinding")
    material_binding: str = key(MATERIAL_BINDING, "OVERALL", name="materialBinding")
    tex_coord3: Any = key(v.MF_VEC3F, v.numbers(""), name="texCoord3", doc="of Coin")
    texture_unit: Any = key(v.MF_INT32, v.numbers("0"), name="textureUnit", doc="of Coin")


# --- shapes ---------------------------------------------------------------------------


@element
class ShapeNode(Base):
    """Base of the shape nodes."""


@element
class Cube(ShapeNode):
    """A box centered at the origin."""

    width: float = key(v.SF_FLOAT, 2.0, unit="m", doc="along X")
    height: float = key(v.SF_FLOAT, 2.0, unit="m", doc="along Y")
    depth: float = key(v.SF_FLOAT, 2.0, unit="m", doc="along Z")


@element
class Sphere(ShapeNode):
    """A sphere centered at the origin."""

    radius: float = key(v.SF_FLOAT, 1.0, unit="m")


@element
class Cylinder(ShapeNode):
    """A cylinder along Y, centered at the origin."""

    parts: tuple[str, ...] = key(v.bits("SIDES", "TOP", "BOTTOM", "ALL"), ("ALL",))
    radius: float = key(v.SF_FLOAT, 1.0, unit="m")
    height: float = key(v.SF_FLOAT, 2.0, unit="m")


@element
class Cone(ShapeNode):
    """A cone along Y, centered at half its height, apex at +Y."""

    parts: tuple[str, ...] = key(v.bits("SIDES", "BOTTOM", "ALL"), ("ALL",))
    bottom_radius: float = key(v.SF_FLOAT, 1.0, name="bottomRadius", unit="m")
    height: float = key(v.SF_FLOAT, 2.0, unit="m")


@element
class VertexShape(ShapeNode):
    """Base of the shapes that consist of points."""

    vertex_property: Any = node(VertexProperty, name="vertexProperty")


@element
class Listed(VertexShape):
    """Base of the shapes that use consecutive points."""

    start_index: int = key(v.SF_INT32, 0, name="startIndex", doc="the first point")


@element
class FaceSet(Listed):
    """Polygons."""

    num_vertices: Any = key(v.MF_INT32, v.numbers("-1"), name="numVertices", doc="−1: all remaining")


@element
class LineSet(Listed):
    """Lines."""

    num_vertices: Any = key(v.MF_INT32, v.numbers("-1"), name="numVertices", doc="−1: all remaining")


@element
class PointSet(Listed):
    """Points."""

    num_points: int = key(v.SF_INT32, -1, name="numPoints", doc="−1: all remaining")


@element
class MarkerSet(PointSet):
    """Points drawn with markers."""

    marker_index: Any = key(v.MF_INT32, v.numbers("0"), name="markerIndex")


@element
class QuadMesh(Listed):
    """Quadrilaterals between the points of a grid, row by row."""

    vertices_per_column: int = key(v.SF_INT32, 1, name="verticesPerColumn", doc="the number of rows")
    vertices_per_row: int = key(v.SF_INT32, 1, name="verticesPerRow")


@element
class TriangleStripSet(Listed):
    """Strips of triangles."""

    num_vertices: Any = key(v.MF_INT32, v.numbers("-1"), name="numVertices", doc="−1: all remaining")


@element
class Indexed(VertexShape):
    """Base of the shapes that index points, counting from 0; −1 ends a part."""

    coord_index: Any = key(v.MF_INT32, v.numbers("0"), name="coordIndex")
    material_index: Any = key(v.MF_INT32, v.numbers("-1"), name="materialIndex")
    normal_index: Any = key(v.MF_INT32, v.numbers("-1"), name="normalIndex")
    texture_coord_index: Any = key(v.MF_INT32, v.numbers("-1"), name="textureCoordIndex")


@element
class IndexedFaceSet(Indexed):
    """Polygons."""


@element
class IndexedLineSet(Indexed):
    """Lines."""


@element
class IndexedTriangleStripSet(Indexed):
    """Strips of triangles."""


@element
class IndexedPointSet(Indexed):
    """Points."""


@element
class IndexedMarkerSet(IndexedPointSet):
    """Points drawn with markers."""

    marker_index: Any = key(v.MF_INT32, v.numbers("0"), name="markerIndex")
