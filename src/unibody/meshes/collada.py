"""Reads COLLADA files (.dae): the nodes of the visual scene, geometries and materials."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unibody.files.embedded import is_embedded
from unibody.meshes.collada_geometry import Geometries, Primitive
from unibody.meshes.collada_material import Materials, image_uris
from unibody.meshes.collada_text import Document, child, children, matrix_of, text
from unibody.meshes.numbers import FARTHEST, usable
from unibody.meshes.scene import MeshScene, Node, Request, SceneBuilder
from unibody.meshes.surface import transformed_all, with_material
from unibody.model.arrays import Floats, Matrix
from unibody.model.shape import Material
from unibody.model.up_axis import UpAxis
from unibody.text import node as tree
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.number import parse_float

_TRANSFORMS = ("matrix", "translate", "rotate", "scale", "skew", "lookat")
_SAME = np.eye(4)
_UP: dict[str, UpAxis] = {"X_UP": "X", "Y_UP": "Y", "Z_UP": "Z"}


def read_collada(data: bytes, request: Request) -> MeshScene:
    """Read a COLLADA file in its own unit and axes; MeshError if it is not one."""
    document = _document(data, request)
    asset = child(document.root, "asset")
    unit = child(asset, "unit")
    meter = parse_float(unit.word("meter") or "") if unit is not None else 1.0
    if meter is None or not (0.0 < meter < FARTHEST):
        request.warn("mesh-unit", "<unit> has no valid meter; using 1", unit.span if unit else None)
        meter = 1.0
    walk = _Walk(document)
    nodes = walk.scene.walk(walk.roots(), None, walk.visit)
    walk.draw()
    return MeshScene(nodes, meter, _UP.get(text(child(asset, "up_axis")).strip(), "Y"))


def collada_companions(data: bytes | memoryview, request: Request) -> Iterator[str]:
    """The images of a COLLADA file, whether they are drawn or not."""
    document = _document(data, request)
    for image in document.elements("image"):
        for uri in image_uris(image):
            if not is_embedded(uri) and (path := request.resolve(uri, image.span)):
                yield path


def _document(data: bytes | memoryview, request: Request) -> Document:
    try:
        return Document(decode(bytes(data), request.path, request.findings, request.files.meter), request)
    except TextError as e:
        raise request.broken(e.finding.message) from None


@dataclass(frozen=True, slots=True)
class _Use:
    """A primitive drawn in a node of the scene, with its transform in the node's frame."""

    node: Node
    primitive: Primitive
    matrix: Matrix | None
    material: Material | None


class _Walk:
    """Visits the nodes of the scene and expands instances, within limits."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.geometries = Geometries(document)
        self.materials = Materials(document)
        self.scene = SceneBuilder(document.request)
        self.uses: list[_Use] = []

    def roots(self) -> list[tree.Node]:
        """The nodes of the visual scene."""
        return list(children(self._scene(), "node"))

    def visit(
        self, element: tree.Node, outer: Matrix | None
    ) -> tuple[Node, Matrix | None, list[tree.Node]]:
        """The node of an element in the scene's frame, its matrix and its children."""
        matrix = self._matrix_in_scene(element, outer)
        name, ident = element.word("name") or "", element.word("id") or ""
        node = Node(name, matrix, ident=ident)
        self._use(element, node)
        return node, matrix, list(self._inner(element))

    def draw(self) -> None:
        """Set the surfaces of all nodes."""
        self.geometries.tessellate()
        drawn = [(use, surface) for use in self.uses if (surface := use.primitive.surface) is not None]
        moved = transformed_all([surface for _, surface in drawn], [use.matrix for use, _ in drawn])
        for (use, _), surface in zip(drawn, moved, strict=True):
            use.node.surfaces.append(with_material(surface, use.material, use.node.name))

    def _scene(self) -> tree.Node | None:
        """The visual scene that <scene> refers to, else the first one."""
        instance = child(self.document.root, "scene", "instance_visual_scene")
        if instance is not None:
            found = self.document.named(instance.word("url"), "visual_scene", user=instance)
            if found is not None:
                return found
        return child(self.document.root, "library_visual_scenes", "visual_scene")

    def _inner(self, element: tree.Node) -> Iterator[tree.Node]:
        """Child nodes, and nodes of libraries that are instanced here."""
        for inner in children(element, "node", "instance_node"):
            if inner.tag == "node":
                yield inner
                continue
            found = self.document.named(inner.word("url"), "node", user=inner)
            if found is not None:
                yield found

    def _use(self, element: tree.Node, node: Node) -> None:
        """Note the geometries of an element, to be drawn in its node."""
        for instance in children(element, "instance_geometry", "instance_controller"):
            primitives, matrix = self._primitives(instance)
            bound = self.materials.bound(instance) if primitives else {}
            for primitive in primitives:
                self.scene.count(primitive.part.triangles)
                symbol = primitive.symbol
                material = bound[symbol] if symbol in bound else self.materials.unbound(symbol)
                self.uses.append(_Use(node, primitive, matrix, material))

    def _primitives(self, instance: tree.Node) -> tuple[list[Primitive], Matrix | None]:
        """The primitives of an instance's geometry and their transform; a skin is read in its bind pose."""
        document = self.document
        url = instance.word("url")
        if instance.tag == "instance_geometry":
            geometry = document.named(url, "geometry", user=instance)
            return ([] if geometry is None else self.geometries.of(geometry)), None
        controller = document.named(url, "controller", user=instance)
        skin = child(controller, "skin") or child(controller, "morph")
        if skin is None:
            return [], None
        geometry = document.named(skin.word("source"), "geometry", user=skin)
        matrix = matrix_of(document.floats(child(skin, "bind_shape_matrix")))
        return ([] if geometry is None else self.geometries.of(geometry)), matrix

    def _matrix_in_scene(self, element: tree.Node, outer: Matrix | None) -> Matrix | None:
        """The node's matrix in the scene: its transforms in document order; None for the identity."""
        matrix = outer
        for transform in children(element, *_TRANSFORMS):
            numbers = self.document.floats(transform)
            own = _matrix(transform.tag, numbers) if usable(numbers) else None
            if own is None:
                what = f"<{transform.tag}> is not a valid transform"
                raise self.document.request.broken(what, at=transform.span)
            if not (own == _SAME).all():
                matrix = own if matrix is None else matrix @ own
                if not usable(matrix):
                    raise self.document.request.broken("node coordinates overflow", at=transform.span)
        return matrix


def _matrix(tag: str, numbers: Floats) -> Matrix | None:
    """The 4×4 matrix of a transform element; None if its numbers are invalid."""
    sizes = {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3, "skew": 7, "lookat": 9}
    if numbers.size != sizes[tag]:
        return None
    out = np.eye(4)
    match tag:
        case "matrix":
            return numbers.reshape(4, 4)
        case "translate":
            out[:3, 3] = numbers
        case "scale":
            out[:3, :3] = np.diag(numbers)
        case "rotate":
            out[:3, :3] = _turn(numbers[:3], math.radians(numbers[3]))
        case "skew":
            out[:3, :3] = _skew(numbers)
        case "lookat":
            return _lookat(numbers)
    return out


def _turn(axis: Floats, angle: float) -> Matrix:
    """The 3×3 rotation about an axis of any length by an angle (rad); the identity for a zero axis."""
    length = math.hypot(*axis.tolist())
    x, y, z = (axis / length if length else axis).tolist()
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    right = angle / (math.pi / 2.0)
    s, c = math.sin(angle), math.cos(angle)
    if right == round(right):  # right angles are exact
        s, c = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[round(right) % 4]
    return np.asarray(np.eye(3) + s * k + (1.0 - c) * (k @ k))


def _skew(numbers: Floats) -> Matrix:
    """RenderMan's skew (3×3): an angle in degrees, the axis to rotate, and the axis to rotate toward."""
    angle = math.radians(numbers[0])
    a, b = numbers[1:4], numbers[4:7]
    to = b / (np.linalg.norm(b) or 1.0)
    along = float(a @ to)
    across = float(np.linalg.norm(a - along * to))
    if across == 0.0:
        return np.eye(3)
    c, s = math.cos(angle), math.sin(angle)
    x, y = across * c - along * s, across * s + along * c
    amount = y / x - along / across if x else 0.0
    return np.asarray(np.eye(3) + amount * np.outer(to, (a - along * to) / across))


def _lookat(numbers: Floats) -> Matrix | None:
    """The 4×4 matrix of a lookat: −Z points from eye to target, Y up; None if these are degenerate."""
    eye, target, up = numbers[:3], numbers[3:6], numbers[6:9]
    z = eye - target
    x = np.cross(up, z)
    if not z.any() or not x.any():
        return None
    z, x = z / np.linalg.norm(z), x / np.linalg.norm(x)
    out = np.eye(4)
    out[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    out[:3, 3] = eye
    return out
