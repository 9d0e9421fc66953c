"""Open Inventor 2.1 and VRML 1.0, declared: the nodes that the model takes something from.

Lengths are in metres unless a Units node says otherwise, angles in radians. ``kept.py`` has the
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
#: How materials go with the parts of a shape; DEFAULT and NONE are old words.
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
    """The keys of what ``expand`` sets apart (``~x``, ``=x``), and of what a node declares of itself."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word[:1] in ("~", "=") or word in ("interface", "isA"))


@element
class Base(Tagged):
    """Base of all nodes."""

    KNOWN = _Marked()


@element
class Model(Document):
    """The whole file: its top nodes."""

    nodes: list[Any] = inside()


# --- groups ---------------------------------------------------------------------------


@element
class Group(Base):
    """Nodes one after another; what they change stays changed behind it."""

    children: list[Any] = inside()


@element
class Separator(Group):
    """A group whose changes of the state end with it."""

    render_caching: str = key(_AUTO, "AUTO", name="renderCaching")
    bounding_box_caching: str = key(_AUTO, "AUTO", name="boundingBoxCaching")
    render_culling: str = key(_AUTO, "AUTO", name="renderCulling")
    pick_culling: str = key(_AUTO, "AUTO", name="pickCulling")


@element
class Annotation(Separator):
    """A Separator that is drawn in front of all others."""


@element
class Selection(Separator):
    """A Separator in which a program lets its user choose."""

    policy: str = key(v.enum("SINGLE", "TOGGLE", "SHIFT"), "SHIFT")


@element
class ExtSelection(Selection):
    """A Selection with a lasso."""

    lasso_type: str = key(v.enum("NOLASSO", "LASSO", "RECTANGLE"), "NOLASSO", name="lassoType")
    lasso_policy: str = key(
        v.enum("FULL_BBOX", "PART_BBOX", "FULL", "PART"), "FULL_BBOX", name="lassoPolicy"
    )
    lasso_mode: str = key(
        v.enum("ALL_SHAPES", "VISIBLE_SHAPES"), "ALL_SHAPES", name="lassoMode", doc="of Coin"
    )


@element
class LocateHighlight(Separator):
    """A Separator that changes its look below the mouse."""

    mode: str = key(v.enum("AUTO", "ON", "OFF"), "AUTO")
    style: str = key(v.enum("EMISSIVE", "EMISSIVE_DIFFUSE"), "EMISSIVE")
    color: tuple[float, ...] = key(v.SF_COLOR, (0.3, 0.3, 0.3))


@element
class WWWAnchor(LocateHighlight):
    """A Separator that leads to a page."""

    name: str = key(v.SF_STRING, "")
    description: str = key(v.SF_STRING, "")
    map: str = key(v.enum("NONE", "POINT"), "NONE")


@element
class TransformSeparator(Group):
    """A group behind which the transformation, and nothing else, is again what it was before."""


@element
class Switch(Group):
    """A group of which one child is drawn: −1 none, −2 that of the Switch around, −3 all."""

    which_child: int = key(v.SF_INT32, -1, name="whichChild")


@element
class Blinker(Switch):
    """A Switch that goes through its children in time; here it stands at its first."""

    speed: float = key(v.SF_FLOAT, 1.0)
    on: bool = key(v.SF_BOOL, True)


@element
class PathSwitch(Group):
    """A group that is drawn when a program walks along its path; never here."""

    path: None = key(v.SF_PATH)


@element
class LOD(Group):
    """Children of falling detail; the first is read."""

    range: Any = key(v.MF_FLOAT, v.numbers(""))
    center: tuple[float, ...] = key(v.SF_VEC3F, ZERO)


@element
class LevelOfDetail(Group):
    """Children of falling detail; the first is read."""

    screen_area: Any = key(v.MF_FLOAT, v.numbers("0"), name="screenArea")


@element
class Array(Group):
    """Its children again and again, at the points of a grid."""

    num_elements1: int = key(v.SF_SHORT, 1, name="numElements1")
    num_elements2: int = key(v.SF_SHORT, 1, name="numElements2")
    num_elements3: int = key(v.SF_SHORT, 1, name="numElements3")
    separation1: tuple[float, ...] = key(v.SF_VEC3F, (1.0, 0.0, 0.0))
    separation2: tuple[float, ...] = key(v.SF_VEC3F, (0.0, 1.0, 0.0))
    separation3: tuple[float, ...] = key(v.SF_VEC3F, (0.0, 0.0, 1.0))
    origin: str = key(v.enum("FIRST", "CENTER", "LAST"), "FIRST")


@element
class MultipleCopy(Group):
    """Its children once for each matrix (row vectors)."""

    matrix: Any = key(v.MF_MATRIX, v.numbers("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"))


@element
class File(Base):
    """The nodes of another file, as if they stood here."""

    name: str = key(v.SF_STRING, "<Undefined file>", doc="beside this file, or one of those above it")
    children: list[Any] = inside(doc="what the file holds, once it is read")


@element
class WWWInline(Base):
    """The nodes of another file, in a Separator of their own (VRML 1.0)."""

    name: str = key(v.SF_STRING, "")
    bbox_size: tuple[float, ...] = key(v.SF_VEC3F, ZERO, name="bboxSize")
    bbox_center: tuple[float, ...] = key(v.SF_VEC3F, ZERO, name="bboxCenter")
    alternate_rep: Any = node(name="alternateRep", doc="what stands here when the file does not")
    children: list[Any] = inside(doc="what the file holds, once it is read")


@element
class MeshFile(Base):
    """A file of another kind that a File names: a reference to a mesh."""

    TAG = "mesh file"
    url: str = key(v.SF_STRING, "")
    path: str = key(v.SF_STRING, "")


@element
class Other(Base):
    """A node of another program: kept as written; its ``alternateRep``, else its children, are drawn."""

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
    """A translation that goes to and fro in time; here it stands at its start."""

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
    """A rotation that goes on in time; here it stands at its start."""

    speed: float = key(v.SF_FLOAT, 1.0)
    on: bool = key(v.SF_BOOL, True)


@element
class Pendulum(Rotation):
    """A rotation that goes to and fro in time; here it stands at its start."""

    rotation0: tuple[float, ...] = key(v.SF_ROTATION, NO_TURN, unit="rad")
    rotation1: tuple[float, ...] = key(v.SF_ROTATION, NO_TURN, unit="rad")
    speed: float = key(v.SF_FLOAT, 1.0)
    on: bool = key(v.SF_BOOL, True)


@element
class RotationXYZ(Base):
    """A rotation about one of the axes."""

    axis: str = key(v.enum("X", "Y", "Z"), "X")
    angle: float = key(v.SF_FLOAT, 0.0, unit="rad")


@element
class Scale(Base):
    """A scale along the axes."""

    scale_factor: tuple[float, ...] = key(v.SF_VEC3F, ONE, name="scaleFactor")


@element
class MatrixTransform(Base):
    """Any transformation, for row vectors: the translation is in the last row."""

    matrix: tuple[float, ...] = key(v.SF_MATRIX, UNIT_MATRIX)


#: Metres per unit.
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
    """The unit of what follows: it is scaled from the unit before to this one."""

    units: str = key(v.enum(*UNITS), "METERS")


@element
class ResetTransform(Base):
    """Back to the frame of the file."""

    what_to_reset: tuple[str, ...] = key(v.bits("TRANSFORM", "BBOX"), ("TRANSFORM",), name="whatToReset")


# --- what shapes look like ------------------------------------------------------------


@element
class Material(Base):
    """Colours from 0 to 1; lists make several materials, which MaterialBinding gives to parts."""

    ambient_color: Any = key(v.MF_COLOR, v.numbers("0.2 0.2 0.2"), name="ambientColor")
    diffuse_color: Any = key(v.MF_COLOR, v.numbers("0.8 0.8 0.8"), name="diffuseColor")
    specular_color: Any = key(v.MF_COLOR, v.numbers("0 0 0"), name="specularColor")
    emissive_color: Any = key(v.MF_COLOR, v.numbers("0 0 0"), name="emissiveColor")
    shininess: Any = key(v.MF_FLOAT, v.numbers("0.2"))
    transparency: Any = key(v.MF_FLOAT, v.numbers("0"))


@element
class BaseColor(Base):
    """Only the diffuse colours of the materials."""

    rgb: Any = key(v.MF_COLOR, v.numbers("0.8 0.8 0.8"))


@element
class PackedColor(Base):
    """Diffuse colours and opacity, as 0xRRGGBBAA."""

    ordered_rgba: Any = key(v.MF_UINT32, v.numbers("0xccccccff"), name="orderedRGBA", old=["rgb"])


@element
class MaterialBinding(Base):
    """How the materials go with the parts of the shapes that follow."""

    value: str = key(MATERIAL_BINDING, "OVERALL")


@element
class LightModel(Base):
    """Whether light is computed, or colours are drawn as they are."""

    model: str = key(v.enum("PHONG", "BASE_COLOR"), "PHONG")


@element
class DrawStyle(Base):
    """Shapes as surfaces, lines, points, or not drawn at all."""

    style: str = key(v.enum("FILLED", "LINES", "POINTS", "INVISIBLE"), "FILLED")
    point_size: float = key(v.SF_FLOAT, 0.0, name="pointSize")
    line_width: float = key(v.SF_FLOAT, 0.0, name="lineWidth")
    line_pattern: int = key(v.SF_USHORT, 0xFFFF, name="linePattern")
    line_pattern_scale_factor: int = key(v.SF_INT32, 1, name="linePatternScaleFactor", doc="of Coin")


@element
class ShapeHints(Base):
    """What is known of the polygons that follow.

    Without a creaseAngle it is 0.5 in VRML 1.0, else 0.
    """

    vertex_ordering: str = key(
        v.enum("UNKNOWN_ORDERING", "CLOCKWISE", "COUNTERCLOCKWISE"),
        "UNKNOWN_ORDERING",
        name="vertexOrdering",
    )
    shape_type: str = key(v.enum("UNKNOWN_SHAPE_TYPE", "SOLID"), "UNKNOWN_SHAPE_TYPE", name="shapeType")
    face_type: str = key(v.enum("UNKNOWN_FACE_TYPE", "CONVEX"), "CONVEX", name="faceType")
    crease_angle: float | None = key(v.SF_FLOAT, name="creaseAngle", unit="rad")
    hints: tuple[str, ...] | None = key(
        v.bits("NONE", "SOLID", "ORDERED", "CONVEX", "ALL"), doc="of Inventor 1: the other fields in one"
    )


@element
class Complexity(Base):
    """How finely round shapes are drawn, from 0 to 1."""

    type: str = key(v.enum("OBJECT_SPACE", "SCREEN_SPACE", "BOUNDING_BOX"), "OBJECT_SPACE")
    value: float = key(v.SF_FLOAT, 0.5)
    texture_quality: float = key(v.SF_FLOAT, 0.5, name="textureQuality")


@element
class Texture2(Base):
    """An image on the shapes that follow: of a file, else of pixels; neither ends the one before."""

    filename: str = key(v.SF_STRING, "")
    image: Any = key(v.SF_IMAGE, v.numbers("0 0 0"))
    wrap_s: str = key(v.enum("REPEAT", "CLAMP"), "REPEAT", name="wrapS")
    wrap_t: str = key(v.enum("REPEAT", "CLAMP"), "REPEAT", name="wrapT")
    model: str = key(v.enum("MODULATE", "DECAL", "BLEND", "REPLACE"), "MODULATE")
    blend_color: tuple[float, ...] = key(v.SF_COLOR, ZERO, name="blendColor")
    enable_compressed_texture: bool = key(v.SF_BOOL, False, name="enableCompressedTexture", doc="of Coin")


@element
class Texture2Transform(Base):
    """Moves texture coordinates: scaled and turned about the center, then translated."""

    translation: tuple[float, ...] = key(v.SF_VEC2F, (0.0, 0.0))
    rotation: float = key(v.SF_FLOAT, 0.0, unit="rad")
    scale_factor: tuple[float, ...] = key(v.SF_VEC2F, (1.0, 1.0), name="scaleFactor")
    center: tuple[float, ...] = key(v.SF_VEC2F, (0.0, 0.0))


@element
class TextureCoordinate2(Base):
    """Texture coordinates of the shapes that follow."""

    point: Any = key(v.MF_VEC2F, v.numbers("0 0"))


@element
class TextureCoordinateBinding(Base):
    """Whether texture coordinates go by their own indices or one after another."""

    value: str = key(v.enum("PER_VERTEX_INDEXED", "PER_VERTEX", "DEFAULT"), "PER_VERTEX_INDEXED")


@element
class TextureCoordinateDefault(Base):
    """Texture coordinates as if none had been given."""


# --- what shapes are made of ----------------------------------------------------------


@element
class Coordinate3(Base):
    """Points for the shapes that follow."""

    point: Any = key(v.MF_VEC3F, v.numbers("0 0 0"), unit="m")


@element
class Coordinate4(Base):
    """Points x y z w for the shapes that follow: x/w, y/w, z/w."""

    point: Any = key(v.MF_VEC4F, v.numbers("0 0 0 1"), unit="m")


@element
class Normal(Base):
    """Normals for the shapes that follow."""

    vector: Any = key(v.MF_VEC3F, v.numbers(""))


@element
class NormalBinding(Base):
    """How the normals go with the parts of the shapes that follow."""

    value: str = key(NORMAL_BINDING, "PER_VERTEX_INDEXED")


@element
class VertexProperty(Base):
    """Points, normals, colours and texture coordinates in one: each list that is not empty counts."""

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
    """Base of all nodes that draw."""


@element
class Cube(ShapeNode):
    """A box centred at the origin."""

    width: float = key(v.SF_FLOAT, 2.0, unit="m", doc="along X")
    height: float = key(v.SF_FLOAT, 2.0, unit="m", doc="along Y")
    depth: float = key(v.SF_FLOAT, 2.0, unit="m", doc="along Z")


@element
class Sphere(ShapeNode):
    """A sphere about the origin."""

    radius: float = key(v.SF_FLOAT, 1.0, unit="m")


@element
class Cylinder(ShapeNode):
    """A cylinder along Y, centred."""

    parts: tuple[str, ...] = key(v.bits("SIDES", "TOP", "BOTTOM", "ALL"), ("ALL",))
    radius: float = key(v.SF_FLOAT, 1.0, unit="m")
    height: float = key(v.SF_FLOAT, 2.0, unit="m")


@element
class Cone(ShapeNode):
    """A cone along Y, centred at half its height, apex up."""

    parts: tuple[str, ...] = key(v.bits("SIDES", "BOTTOM", "ALL"), ("ALL",))
    bottom_radius: float = key(v.SF_FLOAT, 1.0, name="bottomRadius", unit="m")
    height: float = key(v.SF_FLOAT, 2.0, unit="m")


@element
class VertexShape(ShapeNode):
    """Base of the shapes that are made of points."""

    vertex_property: Any = node(VertexProperty, name="vertexProperty")


@element
class Listed(VertexShape):
    """Base of the shapes that take points one after another."""

    start_index: int = key(v.SF_INT32, 0, name="startIndex", doc="the first point")


@element
class FaceSet(Listed):
    """Polygons."""

    num_vertices: Any = key(v.MF_INT32, v.numbers("-1"), name="numVertices", doc="−1: all that are left")


@element
class LineSet(Listed):
    """Lines."""

    num_vertices: Any = key(v.MF_INT32, v.numbers("-1"), name="numVertices", doc="−1: all that are left")


@element
class PointSet(Listed):
    """Points."""

    num_points: int = key(v.SF_INT32, -1, name="numPoints", doc="−1: all that are left")


@element
class MarkerSet(PointSet):
    """Points drawn with marks."""

    marker_index: Any = key(v.MF_INT32, v.numbers("0"), name="markerIndex")


@element
class QuadMesh(Listed):
    """A grid of points, row by row, with four-sided faces between them."""

    vertices_per_column: int = key(v.SF_INT32, 1, name="verticesPerColumn", doc="the number of rows")
    vertices_per_row: int = key(v.SF_INT32, 1, name="verticesPerRow")


@element
class TriangleStripSet(Listed):
    """Strips of triangles."""

    num_vertices: Any = key(v.MF_INT32, v.numbers("-1"), name="numVertices", doc="−1: all that are left")


@element
class Indexed(VertexShape):
    """Base of the shapes whose corners name points by their numbers from 0; −1 ends a part."""

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
    """Points drawn with marks."""

    marker_index: Any = key(v.MF_INT32, v.numbers("0"), name="markerIndex")
