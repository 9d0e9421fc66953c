"""Reads Open Inventor and VRML 1.0 files as meshes; nodes with a DEF name can be used as fragments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unibody.formats.inventor.expand import expand, read_source
from unibody.formats.inventor.read import bind_model
from unibody.formats.inventor.walk import Drawn, Way, traverse
from unibody.formats.mpk.scene_document import NODES as OF_SCENES
from unibody.meshes.scene import (
    MeshScene,
    Node,
    Request,
    SceneBuilder,
    ShapeSurfaces,
    files_named,
    placement_matrix,
)
from unibody.model.pose import IDENTITY
from unibody.model.shape import Shape
from unibody.text.finding import TextError
from unibody.text.inventor import parser as inventor
from unibody.text.limits import LimitError
from unibody.text.vrml.strings import strings


def read_inventor(data: bytes, request: Request, surfaces: ShapeSurfaces) -> MeshScene:
    """Read an Inventor file, ASCII or binary, or a VRML 1.0 file; MeshError if it is invalid.

    ``surfaces`` tessellates shapes in the frame of their parent.
    """
    context = request.context()
    try:
        source = read_source(data, request.path, request.findings, request.files.meter)
        tree = expand(inventor.parse(source, request.findings, part=True), context)
        # MPK's conversion writes link models as obstacles, so that its nodes are allowed, too
        scene = traverse(bind_model(tree, context, OF_SCENES).nodes, context)
    except LimitError:
        raise
    except TextError as e:
        raise request.broken(e.finding.message, e.finding.code, e.finding.at) from None
    return MeshScene(_nodes(scene.drawn, SceneBuilder(request), surfaces))


def inventor_companions(data: bytes | memoryview, request: Request) -> Iterator[str]:
    """The images and the parts of an Inventor file: the files that its strings name."""
    text = read_source(bytes(data), request.path, request.findings, request.files.meter).text
    return files_named(strings(text), request)


def _nodes(drawn: list[Drawn], scene: SceneBuilder, surfaces: ShapeSurfaces) -> list[Node]:
    """Shapes and the named nodes around them, parents first."""
    open: list[tuple[Way, Node]] = []
    leaves: list[tuple[Node, list[Shape]]] = []
    for item in drawn:
        _enter(_named(item.way), open, scene)
        shape = item.shape
        leaf = scene.add(Node(shape.name, placement_matrix(shape.pose, shape.linear)))
        leaf.end = len(scene.nodes)
        # in the shape's own frame: the matrix places it
        leaves.append((leaf, [replace(shape, pose=IDENTITY, linear=None)]))
    _enter([], open, scene)
    scene.fill(leaves, surfaces)
    return scene.nodes


def _enter(ways: list[Way], open: list[tuple[Way, Node]], scene: SceneBuilder) -> None:
    """Close and open named nodes until the open ones are ``ways``, outermost first."""
    same = 0
    for (open_way, _), way in zip(open, ways, strict=False):
        if open_way is not way:
            break
        same += 1
    while len(open) > same:
        open.pop()[1].end = len(scene.nodes)
    for way in ways[same:]:
        matrix = placement_matrix(way.place.pose, way.place.linear)
        open.append((way, scene.add(Node(way.node.def_name, matrix))))


def _named(leaf: Way) -> list[Way]:
    """The named ancestors of a shape, outermost first."""
    out: list[Way] = []
    way = leaf.outer
    while way is not None:
        if way.node.def_name:
            out.append(way)
        way = way.outer
    return out[::-1]
