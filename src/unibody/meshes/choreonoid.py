"""Reads Choreonoid scene files (.scen) and YAML files of body elements as meshes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unibody.document.bind import Binding, bind
from unibody.formats.body import document as d
from unibody.formats.body.appearance import Materials
from unibody.formats.body.elements import Reader, read_elements
from unibody.formats.body.expand import expand_elements
from unibody.formats.body.placement import placed
from unibody.formats.placement import Placement
from unibody.meshes.scene import (
    MeshScene,
    Node,
    Request,
    SceneBuilder,
    ShapeSurfaces,
    files_named,
    placement_matrix,
)
from unibody.model.shape import Shape
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.limits import LimitError
from unibody.text.node import Node as Tree
from unibody.text.node import Row, Value, Word
from unibody.text.yaml import parser as yaml


def read_choreonoid(data: bytes, request: Request, surfaces: ShapeSurfaces) -> MeshScene:
    """Read a .scen file, or a YAML file with body elements (facts A.9, E); MeshError if it is invalid.

    ``surfaces`` tessellates shapes in the frame of their parent.
    """
    context = request.context()
    try:
        root = yaml.parse(
            decode(data, request.path, request.findings, request.files.meter), request.findings
        )
    except LimitError:
        raise
    except TextError as e:
        raise request.broken(e.finding.message, at=e.finding.at) from None
    unit = "degree"
    content: Value = root
    if isinstance(root, Tree):
        unit = root.word("angle_unit", "angleUnit") or "degree"
        content = root.get("scene") or root.get("elements") or root
        if content is root and root.get("type") is None and root.word("format") is not None:
            raise request.broken("'scene' is missing")
    row = expand_elements(content, request.findings)
    group = bind(d.Group, Tree("", [("elements", row, -1)]), Binding(request.findings))
    reader = Reader(unit, context, Materials(unit, context), yaml.anchors(root))
    scene = SceneBuilder(request)
    leaves: list[tuple[Node, list[Shape]]] = []

    def visit(doc: Any, at: Placement) -> tuple[Node, Placement, list[Any]]:
        inner: list[Any] = []
        node = Node(getattr(doc, "name", "") or "")
        if isinstance(doc, d.Group | d.Transform):
            inner = doc.elements
            if isinstance(doc, d.Transform):
                at = placed(at, doc, unit, request.findings)
        else:
            leaves.append((node, read_elements([doc], "", reader).visuals))
        node.matrix = placement_matrix(at.pose, at.linear)
        return node, at, inner

    nodes = scene.walk(group.elements, Placement(), visit)
    scene.fill(leaves, surfaces)
    return MeshScene(nodes)


def choreonoid_companions(data: bytes | memoryview, request: Request) -> Iterator[str]:
    """The mesh files and images that a scene file refers to."""
    text = decode(bytes(data), request.path, request.findings, request.files.meter)
    return files_named(_uris(yaml.parse(text, Findings())), request)


def _uris(value: Value) -> Iterator[str]:
    todo: list[Value] = [value]
    while todo:
        found = todo.pop()
        if isinstance(found, Row):
            todo += reversed(found.values)
        elif isinstance(found, Tree):
            for key, inner, _ in found.items:
                if key in ("uri", "url") and isinstance(inner, Word):
                    yield inner.text
                else:
                    todo.append(inner)
