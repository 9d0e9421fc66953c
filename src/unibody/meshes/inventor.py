"""Open Inventor and VRML 1.0 files as mesh resources; nodes with DEF names are parts of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unibody.formats.inventor.expand import expand, read_source
from unibody.formats.inventor.read import bind_model
from unibody.formats.inventor.walk import Drawn, Way, traverse
from unibody.formats.mpk.scene_document import NODES as OF_SCENES
from unibody.formats.placement import Placement
from unibody.meshes.scene import MOST_NODES, MeshScene, Node, Request
from unibody.meshes.surface import Matrix, Surface
from unibody.model.pose import IDENTITY
from unibody.model.shape import Shape
from unibody.text.finding import TextError
from unibody.text.inventor import parser as inventor
from unibody.text.limits import LimitError

Shapes = Callable[[list[Shape]], list[Surface]]


def read_inventor(data: bytes, request: Request, surfaces: Shapes) -> MeshScene:
    """The shapes of an Inventor file, ASCII or binary, or of a VRML 1.0 file.

    ``surfaces`` makes surfaces of shapes, in the frame that they hang in.
    """
    context = request.context()
    try:
        source = read_source(data, request.path, request.findings, request.files.meter)
        tree = expand(inventor.parse(source, request.findings, part=True), context)
        # the link models of MPK may be obstacles, as its own conversion makes them
        scene = traverse(bind_model(tree, context, OF_SCENES).nodes, context)
    except LimitError:
        raise
    except TextError as e:
        raise request.broken(e.finding.message, e.finding.code, e.finding.at) from None
    return MeshScene(_Parts(request, surfaces).nodes(scene.drawn))


class _Parts:
    """Shapes and the named nodes around them, as the nodes of a mesh file's scene."""

    def __init__(self, request: Request, surfaces: Shapes) -> None:
        self.request, self.surfaces = request, surfaces
        self.out: list[Node] = []
        self.open: list[tuple[Way, Node]] = []
        self.triangles = 0

    def nodes(self, drawn: list[Drawn]) -> list[Node]:
        """All nodes, parents first."""
        for item in drawn:
            self._enter(_named(item.way))
            shape = item.shape
            place = Placement(shape.pose, shape.linear)
            # In the shape's own frame: the matrix places them.
            found = self.surfaces([replace(shape, pose=IDENTITY, linear=None)])
            self.triangles += sum(len(s.faces) for s in found)
            if self.triangles > self.request.most_triangles:
                raise self.request.too_many(self.triangles)
            leaf = self._add(Node(shape.name, _matrix(place), found))
            leaf.end = len(self.out)
        self._enter([])
        return self.out

    def _enter(self, ways: list[Way]) -> None:
        """Close and open named nodes until these, the outermost first, are the open ones."""
        same = 0
        for (open_way, _), way in zip(self.open, ways, strict=False):
            if open_way is not way:
                break
            same += 1
        while len(self.open) > same:
            self.open.pop()[1].end = len(self.out)
        for way in ways[same:]:
            self.open.append((way, self._add(Node(way.node.def_name, _matrix(way.place)))))

    def _add(self, node: Node) -> Node:
        if len(self.out) >= MOST_NODES:
            raise self.request.broken(f"it unfolds to more than {MOST_NODES} nodes", "mesh-too-large")
        self.out.append(node)
        return node


def _named(leaf: Way) -> list[Way]:
    """The named nodes around a shape, the outermost first."""
    out: list[Way] = []
    way = leaf.outer
    while way is not None:
        if way.node.def_name:
            out.append(way)
        way = way.outer
    return out[::-1]


def _matrix(at: Placement) -> Matrix | None:
    if at == Placement():
        return None
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = at.matrix(), at.pose.xyz
    return out
