"""VRML files (.wrl) as mesh resources: robots in them are scenes like any other (facts E)."""

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
    """The shapes of a VRML97 file; its nodes have their DEF names.

    ``surfaces`` makes surfaces of shapes, in the frame that they hang in.
    """
    context = request.context()
    try:
        source = decode(data, request.path, request.findings, request.files.meter)
        tree = expand(vrml.parse(source, request.findings, part=True), context)
        world = bind(d.World, tree, Binding(request.findings, nodes=d.NODES, null="NULL"))
        walk = _Walk(Reader(context), SceneBuilder(request), surfaces)
        return MeshScene(walk.scene.walk(world.children, Placement(), walk.visit))
    except LimitError:
        raise
    except TextError as e:
        raise request.broken(e.finding.message, e.finding.code, e.finding.at) from None


class _Walk:
    """A walk over the groups of a file, so that each keeps its name."""

    def __init__(self, reader: Reader, scene: SceneBuilder, surfaces: ShapeSurfaces) -> None:
        self.reader, self.scene, self.surfaces = reader, scene, surfaces
        self.told = False

    def visit(self, doc: Tagged, at: Placement) -> tuple[Node, Placement, Sequence[Tagged]]:
        """The node of an element; a group keeps its children, anything else its surfaces."""
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
        if not self.told and any(isinstance(s.geometry, LineSet | PointSet) for s in shapes):
            self.told = True
            request = self.scene.request
            message = f"{request.path}: lines and points of a mesh file are not drawn"
            request.findings.info("not-drawn", message, shapes[0].at)
        self.scene.count(found)
        return found
