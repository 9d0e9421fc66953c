"""VRML files (.wrl) as mesh resources: robots in them are scenes like any other (facts E)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unibody.document.bind import Binding, bind
from unibody.document.declare import Tagged
from unibody.formats.placement import Placement
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.expand import expand
from unibody.formats.vrml97.placement import drawn
from unibody.formats.vrml97.read import Reader, inside, read_shapes
from unibody.meshes.scene import MOST_NODES, MeshScene, Node, Request
from unibody.meshes.surface import Matrix, Surface
from unibody.model.shape import LineSet, PointSet, Shape
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.limits import LimitError
from unibody.text.vrml import parser as vrml

Shapes = Callable[[list[Shape]], list[Surface]]


def read_vrml(data: bytes, request: Request, surfaces: Shapes) -> MeshScene:
    """The shapes of a VRML97 file; its nodes have their DEF names.

    ``surfaces`` makes surfaces of shapes, in the frame that they hang in.
    """
    context = request.context()
    try:
        source = decode(data, request.path, request.findings, request.files.meter)
        tree = expand(vrml.parse(source, request.findings, part=True), context)
        world = bind(d.World, tree, Binding(request.findings, nodes=d.NODES, null="NULL"))
        return MeshScene(_Walk(Reader(context), request, surfaces).nodes(world.children))
    except LimitError:
        raise
    except TextError as e:
        raise request.broken(e.finding.message, e.finding.code, e.finding.at) from None


class _Walk:
    """A walk over the groups of a scene, so that each keeps its name."""

    def __init__(self, reader: Reader, request: Request, surfaces: Shapes) -> None:
        self.reader, self.request, self.surfaces = reader, request, surfaces
        self.triangles = 0
        self.told = False

    def nodes(self, docs: Sequence[Tagged]) -> list[Node]:
        """All nodes, parents first; those without name, place and surface are passed over."""
        out: list[Node] = []
        todo: list[tuple[Tagged | int, Placement]] = [(doc, Placement()) for doc in reversed(docs)]
        while todo:
            doc, at = todo.pop()
            if isinstance(doc, int):
                out[doc].end = len(out)
                continue
            self.reader.context.budget.spend(50)
            if len(out) >= MOST_NODES:
                raise self.request.broken(f"it unfolds to more than {MOST_NODES} nodes", "mesh-too-large")
            inner = inside(doc, self.reader.context)
            if isinstance(doc, d.Transform):
                at = drawn(at, doc, self.request.findings)
            found = self._surfaces(doc, at) if inner is None else []
            todo.append((len(out), at))
            out.append(Node(doc.def_name, _matrix(at), found))
            todo += [(child, at) for child in reversed(inner or ())]
        return out

    def _surfaces(self, doc: Tagged, at: Placement) -> list[Surface]:
        # In the node's own frame: its matrix places them.
        shapes = read_shapes([doc], Placement(), self.reader).visuals
        found = self.surfaces(shapes)
        if not self.told and any(isinstance(s.geometry, LineSet | PointSet) for s in shapes):
            self.told = True
            message = f"{self.request.path}: lines and points of a mesh file are not drawn"
            self.request.findings.info("not-drawn", message, shapes[0].at)
        self.triangles += sum(len(s.faces) for s in found)
        if self.triangles > self.request.most_triangles:
            raise self.request.too_many(self.triangles)
        return found


def _matrix(at: Placement) -> Matrix | None:
    if at == Placement():
        return None
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = at.matrix(), at.pose.xyz
    return out
