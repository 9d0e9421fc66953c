"""Reads VRML97 files (.wrl) as meshes; a robot in one is read as a scene (facts E)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unibody.document.bind import Binding, bind
from unibody.document.declare import Tagged
from unibody.formats.placement import Placement
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.expand import expand
from unibody.formats.vrml97.placement import drawn
from unibody.formats.vrml97.read import Reader, inside, read_shape, read_shapes
from unibody.meshes.scene import (
    MeshScene,
    Node,
    Request,
    SceneBuilder,
    ShapeSurfaces,
    files_named,
    placement_matrices,
)
from unibody.model.shape import LineSet, PointSet, Shape
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.limits import LimitError
from unibody.text.vrml import parser as vrml
from unibody.text.vrml.strings import strings


def read_vrml(data: bytes, request: Request, surfaces: ShapeSurfaces) -> MeshScene:
    """Read a VRML97 file; nodes are named by DEF. MeshError if it is invalid.

    ``surfaces`` tessellates shapes in the frame of their parent.
    """
    context = request.context()
    try:
        source = decode(data, request.path, request.findings, request.files.meter)
        tree = vrml.parse(source, request.findings, part=True, whole=True)
        before = len(request.findings)
        tree = expand(tree, context, reuse=True)
        is_sound = len(request.findings) == before
        world = bind(d.World, tree, Binding(request.findings, nodes=d.NODES, null="NULL"))
        walk = _Walk(Reader(context), SceneBuilder(request), is_sound)
        nodes = walk.scene.walk(world.children, _HERE, walk.visit)
        walk.place()
        walk.scene.fill(walk.leaves, surfaces)
        return MeshScene(nodes)
    except LimitError:
        raise
    except TextError as e:
        raise request.broken(e.finding.message, e.finding.code, e.finding.at) from None


def vrml_companions(data: bytes | memoryview, request: Request) -> Iterator[str]:
    """The images and the parts of a VRML97 file: the files that its strings name, all of a list of URLs."""
    text = decode(bytes(data), request.path, request.findings, request.files.meter).text
    return files_named(strings(text), request)


_HERE = Placement()
# Longer texts are seldom repeated, and take long to compare.
_LONG = 2000


class _Walk:
    """Visits the groups of a file; each becomes a node with its name.

    Shapes of the same text are equal: bolts, pipes and bricks are repeated hundreds of times. ``is_sound``:
    each USE refers to a node, so that the same USE in one file always refers to the same one.
    """

    def __init__(self, reader: Reader, scene: SceneBuilder, is_sound: bool) -> None:
        self.reader, self.scene, self.is_sound = reader, scene, is_sound
        self.reported = False
        self.known: dict[tuple[int, str], list[Shape]] = {}
        self.plain: dict[int, bool] = {}
        self.placements: list[Placement] = []
        self.leaves: list[tuple[Node, list[Shape]]] = []

    def visit(self, doc: Tagged, at: Placement) -> tuple[Node, Placement, Sequence[Tagged]]:
        """The node of an element, its placement and its children; only leaves have shapes."""
        self.reader.context.budget.spend(50)
        inner = inside(doc, self.reader.context)
        if isinstance(doc, d.Transform):
            at = drawn(at, doc, self.scene.request.findings)
        node = Node(doc.def_name)
        self.placements.append(at)
        if inner is None:
            self.leaves.append((node, self._shapes(doc)))
        return node, at, inner or ()

    def place(self) -> None:
        """Set the matrices of all nodes, computed together."""
        distinct = {id(at): at for at in self.placements}
        matrices = placement_matrices([(at.pose, at.linear) for at in distinct.values()])
        matrix_of = dict(zip(distinct, matrices, strict=True))
        for node, at in zip(self.scene.nodes, self.placements, strict=True):
            node.matrix = matrix_of[id(at)]

    def _shapes(self, doc: Tagged) -> list[Shape]:
        """The shapes of a leaf in its node's own frame: its matrix places them."""
        key = self._key(doc)
        found = None if key is None else self.known.get(key)
        if found is None:
            before = len(self.scene.request.findings)
            found = self._read(doc)
            if key is not None and len(self.scene.request.findings) == before:
                self.known[key] = found
        return found

    def _key(self, doc: Tagged) -> tuple[int, str] | None:
        """The source and the text of a shape, the same for equal shapes; None if other text matters."""
        node = doc.node
        if not isinstance(doc, d.Shape) or node is None or node.source is None:
            return None
        source = node.source
        if id(source) not in self.plain:
            self.plain[id(source)] = "PROTO" not in source.text
        text = source.text[node.start : node.end] if node.end - node.start < _LONG else ""
        is_same = self.plain[id(source)] and text and (self.is_sound or "USE" not in text)
        return (id(source), text) if is_same else None

    def _read(self, doc: Tagged) -> list[Shape]:
        if isinstance(doc, d.Shape):
            self.reader.context.budget.spend(50)
            shape = read_shape(doc, _HERE, self.reader, [])
            shapes = [] if shape is None else [shape]
        else:
            shapes = read_shapes([doc], _HERE, self.reader).visuals
        if not self.reported and any(isinstance(s.geometry, LineSet | PointSet) for s in shapes):
            self.reported = True
            request = self.scene.request
            message = f"{request.path}: unsupported lines and points in a mesh file; ignoring them"
            request.findings.info("not-drawn", message, shapes[0].at)
        return shapes
