"""Writes the shapes of links as Open Inventor files; the inverse of ``formats/inventor``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.formats.format import AssetStore
from unibody.formats.inventor.shapes import ALONG_Y
from unibody.formats.tidy import tidy
from unibody.model import shape as s
from unibody.model.decomposition import diagonal, product, transposed
from unibody.model.pose import IDENTITY, UNIT_MATRIX, UNIT_QUATERNION, ZERO, Pose
from unibody.model.robot import Link, Robot
from unibody.text.dataclass import dataclass
from unibody.text.inventor import parser as inventor
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import format_float

_ONE = (1.0, 1.0, 1.0)
# Number of sides that Complexity 1.0 stands for.
_MOST_SIDES = 40
_UPRIGHT = ALONG_Y.inverse()
# Defaults of SoMaterial.
_AMBIENT, _BLACK, _SHININESS = (0.2, 0.2, 0.2), (0.0, 0.0, 0.0), 0.2
_NUMBERS_PER_LINE = 12


def holds(shape: s.Shape) -> bool:
    """Whether a shape is an Open Inventor file that needs no conversion; its pose and scale are ignored."""
    mesh = shape.geometry
    if not isinstance(mesh, s.MeshFile) or shape.material is not None:
        return False
    needs_conversion = mesh.fragment or mesh.without or mesh.unit or mesh.up_axis or mesh.geometry_only
    return not needs_conversion and mesh.uri.lower().endswith(".iv")


def with_models(robot: Robot, store: AssetStore) -> Robot:
    """Merge the shapes of each link into at most two Open Inventor files: model0 and model1.

    model1 is used for collisions only (formats/mpk.md, models and collision): it gets the collision
    shapes if they differ from the visuals.
    """
    return replace(robot, links=tuple(_link(link, store) for link in robot.links))


def _link(link: Link, store: AssetStore) -> Link:
    visuals, collisions, second = link.visuals, link.collisions, link.collisions_alt
    if visuals and collisions and not second and _surfaces(visuals) != _surfaces(collisions):
        second = collisions
    first = _model(visuals, link.name, store) or _model(collisions, link.name, store)
    checked = bool(collisions) or not first
    return replace(
        link,
        visuals=first,
        collisions=first if checked else (),
        collisions_alt=_model(second, f"{link.name}_collision", store) if checked else (),
    )


def _surfaces(shapes: Iterable[s.Shape]) -> list[tuple[object, ...]]:
    """Geometry and placement of shapes, without their appearance."""
    return [(x.geometry, x.pose, x.linear) for x in shapes]


def _model(shapes: tuple[s.Shape, ...], name: str, store: AssetStore) -> tuple[s.Shape, ...]:
    """The reference to a file with some shapes, which it writes if needed; empty without geometry."""
    if len(shapes) == 1 and _is_usable_file(shapes[0]):
        return (s.Shape(geometry=shapes[0].geometry),)
    parts = [part for shape in shapes for part in _separators(shape, store)]
    if not parts:
        return ()
    root = node("Separator", *(("", part) for part in parts))
    text = inventor.print(Node("", [("", root, -1)]))
    path = store.add(text.encode(), name, ".iv")
    return (s.Shape(geometry=s.MeshFile(uri=store.uri(path), path=path)),)


def _is_usable_file(shape: s.Shape) -> bool:
    """Whether a joint can refer to the mesh file of a shape directly."""
    mesh = shape.geometry
    unplaced = shape.pose == IDENTITY and shape.linear is None and holds(shape)
    return unplaced and isinstance(mesh, s.MeshFile) and mesh.scale == _ONE


@dataclass(frozen=True, slots=True)
class _ShapeNode:
    """A shape node, the property nodes before it, and its rotation and scale in the frame of the shape."""

    shape: Node
    properties: tuple[Node, ...] = ()
    rotation: Pose = IDENTITY
    scale: tuple[float, float, float] = _ONE


def _separators(shape: s.Shape, store: AssetStore) -> list[Node]:
    """The Separators of a shape: one, or one per mesh of a file that must be converted."""
    match shape.geometry:
        case s.MeshFile(path=path) if not path:
            return []
        case s.MeshFile() if not holds(shape):
            return [x for part in store.meshes(shape) for x in _separators(part, store)]
        case s.Extrusion() | s.ElevationGrid():
            return [x for part in store.meshes(shape) for x in _separators(part, store)]
    drawn = _shape_node(shape, store)
    if drawn is None:
        return []
    placement = _transform(shape, drawn)
    if isinstance(shape.geometry, s.MeshFile):
        look: list[Node] = []
    else:
        material = s.Material() if shape.material is None else shape.material
        look = appearance(material, vertex_colors(shape.geometry), store)
    children = (*placement, *look, *drawn.properties, drawn.shape)
    return [node("Separator", *(("", child) for child in children))]


def _shape_node(shape: s.Shape, store: AssetStore) -> _ShapeNode | None:
    """The node of a shape; None for a shape without extent."""
    textured = shape.material is not None and shape.material.texture is not None
    match shape.geometry:
        case s.MeshFile() as mesh:
            name = word(store.beside(mesh.path), '"')
            return _ShapeNode(node("File", ("name", name)), scale=mesh.scale)
        case s.Box(size=(x, y, z)) if sum(v > 0.0 for v in (x, y, z)) > 1:
            # rotated to keep the orientation of the texture
            x, y, z, turn = (x, z, y, _UPRIGHT) if textured else (x, y, z, IDENTITY)
            sizes = (("width", word(x)), ("height", word(y)), ("depth", word(z)))
            return _ShapeNode(node("Cube", *sizes), rotation=turn)
        case s.Sphere(radius=radius) if radius > 0.0:
            return _ShapeNode(_sphere(radius), _complexity(shape), _UPRIGHT if textured else IDENTITY)
        case s.Ellipsoid(radii=radii) if min(radii) > 0.0:
            return _ShapeNode(_sphere(1.0), _complexity(shape), scale=radii)
        case (s.Cylinder() | s.Cone()) as solid if solid.radius > 0.0 and solid.height > 0.0:
            made = _round(solid)
            return None if made is None else _ShapeNode(made, _complexity(shape), _UPRIGHT)
        case s.Mesh() as mesh:
            nodes = mesh_nodes(mesh)
            return None if not nodes else _ShapeNode(nodes[-1], (*hints(mesh), *nodes[:-1]))
        case s.LineSet() as lines if len(lines.lines):
            width = () if lines.width is None else (node("DrawStyle", ("lineWidth", word(lines.width))),)
            points = node("Coordinate3", ("point", numbers(lines.vertices, 3)))
            items = [("coordIndex", numbers(lines.lines))]
            if len(lines.color_indices):
                items.append(("materialIndex", numbers(lines.color_indices)))
            return _ShapeNode(node("IndexedLineSet", *items), (*width, points))
        case s.PointSet(vertices=vertices) if len(vertices):
            return _ShapeNode(node("PointSet"), (node("Coordinate3", ("point", numbers(vertices, 3))),))
    return None


def _sphere(radius: float) -> Node:
    return node("Sphere", ("radius", word(radius)))


def _round(shape: s.Cylinder | s.Cone) -> Node | None:
    """The node of a cylinder or cone with its present surfaces; None without any."""
    surfaces = {"SIDES": shape.side, "BOTTOM": shape.bottom}
    if isinstance(shape, s.Cylinder):
        surfaces["TOP"] = shape.top
    parts = [name for name, is_present in surfaces.items() if is_present]
    if not parts:
        return None
    radius = "radius" if isinstance(shape, s.Cylinder) else "bottomRadius"
    items = [(radius, word(shape.radius)), ("height", word(shape.height))]
    if len(parts) < len(surfaces):
        items.append(("parts", Row([word(p) for p in parts], flow=True)))  # type: ignore[arg-type]
    return node("Cylinder" if isinstance(shape, s.Cylinder) else "Cone", *items)


def _complexity(shape: s.Shape) -> tuple[Node, ...]:
    """The Complexity node for the number of sides of a shape; empty without one."""
    if shape.divisions is None:
        return ()
    value = min(max(shape.divisions, 0) / _MOST_SIDES, 1.0)
    return (node("Complexity", ("value", word(value))),)


def _transform(shape: s.Shape, drawn: _ShapeNode) -> tuple[Node, ...]:
    """The Transform or MatrixTransform node that places a shape; empty for the identity."""
    if shape.linear is not None and shape.linear != UNIT_MATRIX:
        linear = product(shape.pose.rotation(), shape.linear)
        linear = product(product(linear, drawn.rotation.rotation()), diagonal(drawn.scale))
        # row vectors: the translation is in the last row
        rows = [*(f for row in transposed(linear) for f in (*map(tidy, row), 0.0)), *shape.pose.xyz, 1.0]
        return (node("MatrixTransform", ("matrix", numbers(rows, 4, bare=True))),)
    pose = shape.pose @ drawn.rotation
    items = []
    if pose.xyz != ZERO:
        items.append(("translation", numbers(pose.xyz, bare=True)))
    if pose.quat != UNIT_QUATERNION:
        turn = tuple(map(tidy, pose.axis_angle()))
        items.append(("rotation", numbers(turn, bare=True)))
    if drawn.scale != _ONE:
        items.append(("scaleFactor", numbers(drawn.scale, bare=True)))
    return (node("Transform", *items),) if items else ()


# --- polygons -----------------------------------------------------------------------------


def hints(mesh: s.Mesh) -> tuple[Node, ...]:
    """The ShapeHints node of a mesh."""
    items = [
        ("vertexOrdering", word("COUNTERCLOCKWISE" if mesh.ccw else "CLOCKWISE")),
        ("shapeType", word("SOLID" if mesh.solid else "UNKNOWN_SHAPE_TYPE")),
        ("faceType", word("CONVEX" if mesh.convex else "UNKNOWN_FACE_TYPE")),
        ("creaseAngle", word(mesh.crease_angle)),
    ]
    return (node("ShapeHints", *items),)


def mesh_nodes(mesh: s.Mesh) -> list[Node]:
    """The property nodes of a mesh and its IndexedFaceSet; empty for a mesh without valid faces."""
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    if faces.size and faces[-1] >= 0:
        faces = np.append(faces, -1)
    count = len(mesh.vertices) // 3
    if not (faces >= 0).any() or faces.max() >= count:
        return []
    out: list[Node] = []
    items: list[tuple[str, Value]] = [("coordIndex", numbers(faces))]
    if len(mesh.normals):
        index, binding = _indexed(faces, mesh.normal_indices, mesh.normal_per_vertex)
        out.append(node("Normal", ("vector", numbers(mesh.normals, 3))))
        out.append(node("NormalBinding", ("value", word(binding))))
        items += _index_field("normalIndex", index)
    if len(mesh.colors):
        index, _ = _indexed(faces, mesh.color_indices, mesh.color_per_vertex)
        items += _index_field("materialIndex", index)
    if len(mesh.tex_coords):
        index, _ = _indexed(faces, mesh.tex_coord_indices, True)
        out.append(node("TextureCoordinate2", ("point", numbers(mesh.tex_coords, 2))))
        items += _index_field("textureCoordIndex", index)
    out.append(node("Coordinate3", ("point", numbers(np.asarray(mesh.vertices)[: 3 * count], 3))))
    return [*out, node("IndexedFaceSet", *items)]


def _index_field(key: str, index: Any) -> list[tuple[str, Value]]:
    return [(key, numbers(index))] if index.size else []


def _indexed(faces: Any, indices: Any, per_vertex: bool) -> tuple[Any, str]:
    """Expand an index list to the layout of ``faces`` (−1 at face ends); returns it with its binding."""
    index = np.asarray(indices, np.int64).reshape(-1)
    if not per_vertex:
        return index, "PER_FACE_INDEXED" if index.size else "PER_FACE"
    if index.size == (faces >= 0).sum() and (index >= 0).all():
        spread = np.full(faces.size, -1, np.int64)
        spread[faces >= 0] = index
        index = spread
    return index, "PER_VERTEX_INDEXED"


# --- appearance --------------------------------------------------------------------------------


def vertex_colors(geometry: s.Geometry) -> tuple[s.Floats, str]:
    """The colors stored in a geometry and their material binding."""
    match geometry:
        case s.Mesh() | s.LineSet() if len(geometry.colors):
            indexed = "_INDEXED" if geometry.color_per_vertex or len(geometry.color_indices) else ""
            return geometry.colors, ("PER_VERTEX" if geometry.color_per_vertex else "PER_FACE") + indexed
        case s.PointSet() if len(geometry.colors):
            return geometry.colors, "PER_VERTEX"
    return (), "OVERALL"


def appearance(material: s.Material, colors: tuple[s.Floats, str], store: AssetStore) -> list[Node]:
    """The Material, MaterialBinding and texture nodes of a shape."""
    values, binding = colors
    diffuse = numbers(values, 3) if len(values) else _color(material.diffuse)
    items: list[tuple[str, Value]] = [("diffuseColor", diffuse)]
    r, g, b = material.diffuse
    ambient = (tidy(r * material.ambient), tidy(g * material.ambient), tidy(b * material.ambient))
    # shininess 0 to 1 stands for a specular exponent of 1 to 128
    shininess = tidy(min(max((material.specular_exponent - 1.0) / 127.0, 0.0), 1.0))
    if ambient != _AMBIENT:
        items.append(("ambientColor", _color(ambient)))
    if material.emissive != _BLACK:
        items.append(("emissiveColor", _color(material.emissive)))
    if material.specular != _BLACK:
        items.append(("specularColor", _color(material.specular)))
    if shininess != _SHININESS:
        items.append(("shininess", word(shininess)))
    if material.transparency != 0.0:
        items.append(("transparency", word(material.transparency)))
    out = [node("Material", *items)]
    if len(values):
        out.append(node("MaterialBinding", ("value", word(binding))))
    return out + (_texture(material.texture, store) if material.texture is not None else [])


def _color(color: Sequence[float]) -> Numbers:
    return numbers(color, bare=True)


def _texture(texture: s.Texture, store: AssetStore) -> list[Node]:
    name = store.image(texture)
    if not name:
        return []
    items = [("filename", word(name, '"'))]
    items += [
        (key, word("CLAMP"))
        for key, repeats in (("wrapS", texture.repeat_s), ("wrapT", texture.repeat_t))
        if not repeats
    ]
    transforms = [] if texture.transform is None else _texture_transforms(texture.transform)
    return [*transforms, node("Texture2", *items)]


def _texture_transforms(transform: s.TextureTransform) -> list[Node]:
    """The Texture2Transform nodes of a VRML97 texture transform.

    VRML97 (ISO/IEC 14772-1, 6.49) rotates before it scales, Open Inventor scales first; a rotation with a
    non-uniform scale therefore takes two nodes, of which the second is applied first.
    """
    x, y = transform.scale
    c, w = math.cos(transform.rotation), math.sin(transform.rotation)
    u, v = (a + b for a, b in zip(transform.center, transform.translation, strict=True))
    move = (x * (c * u - w * v) - transform.center[0], y * (w * u + c * v) - transform.center[1])
    items: list[tuple[str, Value]] = []
    if any(move):
        items.append(("translation", numbers(tuple(map(tidy, move)), bare=True)))
    turn: list[tuple[str, Value]] = [("rotation", word(transform.rotation))] if transform.rotation else []
    if x == y:
        items += turn
    if transform.scale != (1.0, 1.0):
        items.append(("scaleFactor", numbers(transform.scale, bare=True)))
    parts = [items] if x == y else [items, turn]
    return [node("Texture2Transform", *part) for part in parts if part]


# --- nodes --------------------------------------------------------------------------------


def node(tag: str, *items: tuple[str, Value]) -> Node:
    """Build a node from its fields in order; children have the key ""."""
    return Node(tag, [(key, value, -1) for key, value in items])


def word(value: float | str, quote: str = "") -> Word:
    """The word of one value."""
    return Word(value if isinstance(value, str) else format_float(value), quote=quote)


def numbers(values: Any, width: int = _NUMBERS_PER_LINE, bare: bool = False) -> Numbers:
    """Format numbers exactly, ``width`` per line; ``bare`` writes a vector, without brackets.

    >>> numbers((0.5, 1.0, 2.0)).body
    '0.5 1 2'
    """
    flat = np.asarray(values).reshape(-1).tolist()
    # one repr of the list is many times faster than one per number; only whole numbers end in ".0,"
    words = (repr(flat)[1:-1] + ",").replace(".0,", ",")[:-1].split(", ") if flat else []
    # Inventor reads commas as white space
    rows = [" ".join(words[k : k + width]) for k in range(0, len(words), width)]
    body = ",\n".join(rows) if len(rows) > 1 else "".join(rows)
    return Numbers(f"\n{body}\n" if len(rows) > 1 else body, form="" if bare else "[")
