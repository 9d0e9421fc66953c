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


class _Walk:
    """Visits the groups of a file; each becomes a node with its name."""

    def __init__(self, reader: Reader, scene: SceneBuilder, surfaces: ShapeSurfaces) -> None:
        self.reader, self.scene, self.surfaces = reader, scene, surfaces
        self.reported = False

    def visit(self, doc: Tagged, at: Placement) -> tuple[Node, Placement, Sequence[Tagged]]:
        """The node of an element, its placement and its children; only leaves have surfaces."""
        self.reader.context.budget.spend(50)
        inner = inside(doc, self.reader.context)
        if isinstance(doc, d.Transform):
            at = drawn(at, doc, self.scene.request.findings)
        found = self._surfaces(doc) if inner is None else []
        return Node(doc.def_name, placement_matrix(at.pose, at.linear), found), at, inner or ()

    def _surfaces(self, doc: Tagged) -> list[Surface]:
        # In the node's own frame: its matrix places them.
        shapes = read_shapes([doc], Placement(), self.reader).visuals
        found = self.surfaces(shapes)
        if not self.reported and any(isinstance(s.geometry, LineSet | PointSet) for s in shapes):
            self.reported = True
            request = self.scene.request
            message = f"{request.path}: unsupported lines and points in a mesh file; ignoring them"
            request.findings.info("not-drawn", message, shapes[0].at)
        self.scene.count(found)
        return found
