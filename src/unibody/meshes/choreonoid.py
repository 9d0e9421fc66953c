"""Choreonoid's scene files (.scen) and YAML files of body elements, as mesh resources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unibody.document.bind import Binding, bind
from unibody.formats.body import document as d
from unibody.formats.body.appearance import Materials
from unibody.formats.body.elements import Reader, read_elements
from unibody.formats.body.expand import expand_elements
from unibody.formats.body.placement import placed
from unibody.formats.placement import Placement
from unibody.meshes.scene import MOST_NODES, MeshScene, Node, Request
from unibody.meshes.surface import Matrix, Surface
from unibody.model.shape import Shape
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.limits import LimitError
from unibody.text.node import Node as Tree
from unibody.text.node import Value
from unibody.text.yaml import parser as yaml

Shapes = Callable[[list[Shape]], list[Surface]]


def read_choreonoid(data: bytes, request: Request, surfaces: Shapes) -> MeshScene:
    """The shapes of a .scen file, or of a YAML file with body elements (facts A.9, E).

    ``surfaces`` makes surfaces of shapes, in the frame that they hang in.
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
            raise request.broken("it has no scene")
    row = expand_elements(content, request.findings)
    group = bind(d.Group, Tree("", [("elements", row, -1)]), Binding(request.findings))
    reader = Reader(unit, context, Materials(unit, context), yaml.anchors(root))
    return MeshScene(_Walk(reader, request, surfaces).nodes(group.elements))


class _Walk:
    """A walk over the groups of a scene, so that each keeps its name."""

    def __init__(self, reader: Reader, request: Request, surfaces: Shapes) -> None:
        self.reader, self.request, self.surfaces = reader, request, surfaces
        self.triangles = 0

    def nodes(self, elements: list[Any]) -> list[Node]:
        """All elements, parents first."""
        out: list[Node] = []
        todo: list[tuple[Any, Placement]] = [(e, Placement()) for e in reversed(elements)]
        while todo:
            doc, at = todo.pop()
            if isinstance(doc, int):
                out[doc].end = len(out)
                continue
            if len(out) >= MOST_NODES:
                raise self.request.broken(f"it unfolds to more than {MOST_NODES} nodes", "mesh-too-large")
            inner: list[Any] = []
            found: list[Surface] = []
            if isinstance(doc, d.Group | d.Transform):
                inner = doc.elements
                if isinstance(doc, d.Transform):
                    at = placed(at, doc, self.reader.unit, self.request.findings)
            else:
                found = self.surfaces(read_elements([doc], "", self.reader).visuals)
                self.triangles += sum(len(s.faces) for s in found)
                if self.triangles > self.request.most_triangles:
                    raise self.request.too_many(self.triangles)
            todo.append((len(out), at))
            out.append(Node(getattr(doc, "name", "") or "", _matrix(at), found))
            todo += [(e, at) for e in reversed(inner)]
        return out


def _matrix(at: Placement) -> Matrix | None:
    if at == Placement():
        return None
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = at.matrix(), at.pose.xyz
    return out
