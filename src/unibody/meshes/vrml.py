"""Reads VRML97 files (.wrl) as meshes; a robot in one is read as a scene (facts E)."""

from __future__ import annotations

from collections.abc import Sequence

from unibody.document.bind import Binding, bind
from unibody.document.declare import Tagged
from unibody.formats.placement import Placement
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.expand import expand
from unibody.formats.vrml97.placement import drawn
from unibody.formats.vrml97.read import Reader, inside, read_shapes
from unibody.meshes.scene import MeshScene, Node, Request, SceneBuilder, ShapeSurfaces, placement_matrix
from unibody.meshes.surface import Surface
from unibody.model.shape import LineSet, PointSet
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.limits import LimitError
from unibody.text.vrml import parser as vrml


def read_vrml(data: bytes, request: Request, surfaces: ShapeSurfaces) -> MeshScene:
    """Read a VRML97 file; nodes are named by DEF. MeshError if it is invalid.

    ``surfaces`` tessellates shapes in the frame of their parent.
    """
    context = request.context()
    try:
        source = decode(data, request.path, request.findings, request.files.meter)
        tree = expand(vrml.parse(source, request.findings, part=True, whole=True), context)
        world = bind(d.World, tree, Binding(request.findings, nodes=d.NODES, null="NULL"))
        walk = _Walk(Reader(context), SceneBuilder(request), surfaces)
        return MeshScene(walk.scene.walk(world.children, Placement(), walk.visit))
    except LimitError:
        raise
    except TextError as e:
        raise request.broken(e.finding.message, e.finding.code, e.finding.at) from None


# Longer texts are seldom repeated, and take long to compare.
_LONG = 2000


class _Walk:
    """Visits the groups of a file; each becomes a node with its name.

    Shapes of the same text have the same surfaces: bolts, pipes and bricks are repeated hundreds of times.
    """

    def __init__(self, reader: Reader, scene: SceneBuilder, surfaces: ShapeSurfaces) -> None:
        self.reader, self.scene, self.surfaces = reader, scene, surfaces
        self.reported = False
        self.known: dict[tuple[int, str], list[Surface]] = {}
        self.plain: dict[int, bool] = {}

    def visit(self, doc: Tagged, at: Placement) -> tuple[Node, Placement, Sequence[Tagged]]:
        """The node of an element, its placement and its children; only leaves have surfaces."""
        self.reader.context.budget.spend(50)
        inner = inside(doc, self.reader.context)
        if isinstance(doc, d.Transform):
            at = drawn(at, doc, self.scene.request.findings)
        found = self._surfaces(doc) if inner is None else []
        return Node(doc.def_name, placement_matrix(at.pose, at.linear), found), at, inner or ()

    def _surfaces(self, doc: Tagged) -> list[Surface]:
        """The surfaces of a leaf in its node's own frame: its matrix places them."""
        key = self._key(doc)
        found = None if key is None else self.known.get(key)
        if found is None:
            before = len(self.scene.request.findings)
            found = self._read(doc)
            if key is not None and len(self.scene.request.findings) == before:
                self.known[key] = found
        self.scene.count(found)
        return found

    def _key(self, doc: Tagged) -> tuple[int, str] | None:
        """The source and the text of a shape, equal for equal surfaces; None if other text matters."""
        node = doc.node
        if not isinstance(doc, d.Shape) or node is None or node.source is None:
            return None
        source = node.source
        if id(source) not in self.plain:
            self.plain[id(source)] = "PROTO" not in source.text
        text = source.text[node.start : node.end] if node.end - node.start < _LONG else ""
        return (id(source), text) if self.plain[id(source)] and text and "USE" not in text else None

    def _read(self, doc: Tagged) -> list[Surface]:
        shapes = read_shapes([doc], Placement(), self.reader).visuals
        if not self.reported and any(isinstance(s.geometry, LineSet | PointSet) for s in shapes):
            self.reported = True
            request = self.scene.request
            message = f"{request.path}: unsupported lines and points in a mesh file; ignoring them"
            request.findings.info("not-drawn", message, shapes[0].at)
        return self.surfaces(shapes)
