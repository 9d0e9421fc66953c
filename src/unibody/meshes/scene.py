"""What a mesh file holds: nodes with names and places, and the surfaces in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from unibody.files.access import Files
from unibody.formats.budget import Budget
from unibody.formats.format import Context
from unibody.meshes.polygon import Work
from unibody.meshes.store import Store
from unibody.meshes.surface import Matrix, Surface
from unibody.model.pose import IDENTITY, Matrix3, Pose
from unibody.model.shape import Shape
from unibody.text.finding import Finding, Findings
from unibody.text.source import Span

UpAxis = Literal["X", "Y", "Z"]
# What one file may unfold to; real files stay far below.
_MOST_NODES = 100_000


class MeshError(Exception):
    """A mesh file that cannot be read on; carries the finding that says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


@dataclass(slots=True)
class Node:
    """One node of a file's scene: where it is in the file's frame (4×4, None: there), and what is at it.

    All nodes below it follow it in the list, up to ``end``. ``ident`` is its id where the file gives
    names and ids.
    """

    name: str = ""
    matrix: Matrix | None = None
    surfaces: list[Surface] = field(default_factory=list)
    ident: str = ""
    end: int = 0


@dataclass(slots=True)
class MeshScene:
    """Nodes in the order of a walk; metres per unit and upward axis as the mesh file itself says."""

    nodes: list[Node]
    unit: float = 1.0
    up_axis: UpAxis = "Z"


@dataclass(frozen=True, slots=True)
class Request:
    """A mesh file being read: which, through which door, for whom, and where to say what is wrong."""

    path: str
    files: Files
    findings: Findings
    at: Span | None = None
    work: Work = field(default_factory=Work)
    beside: str = ""
    store: Store = field(default_factory=Store)

    def resolve(self, uri: str, at: Span | None = None) -> str | None:
        """The path of a file that this one names; None after a finding.

        It is first looked for as seen from ``beside``, another file of the same directory: what a
        directory may refer to is found out once.
        """
        if self.beside:
            trial = Findings()
            path = self.files.resolve(uri, self.beside, at or self.at, trial)
            if path is not None:
                self.findings.extend(trial)
                return path
        return self.files.resolve(uri, self.path, at or self.at, self.findings)

    @property
    def most_triangles(self) -> int:
        """How many triangles it may have."""
        return self.files.limits.triangles

    def too_many(self, count: int) -> MeshError:
        """The error for a file of more triangles."""
        what = f"{self.path}: it unfolds to {count} triangles"
        return MeshError(self.files.limits.finding("triangles", what, self.at))

    def context(self) -> Context:
        """What the functions of a format need to read this file."""
        meter = self.files.meter
        return Context(
            self.path, self.files, self.findings, lambda path, context: None, budget=Budget(meter)
        )

    def broken(self, why: str, code: str = "mesh-broken", at: Span | None = None) -> MeshError:
        """The error for a file that cannot be read on."""
        return MeshError(Finding(code, "error", f"{self.path}: {why}", at or self.at, subject=self.path))

    def warn(self, code: str, what: str, at: Span | None = None, hint: str = "") -> None:
        """Note something odd in a file that is read all the same."""
        self.findings.warning(code, f"{self.path}: {what}", at or self.at, hint, subject=self.path)


Reader: TypeAlias = Callable[[bytes, Request], MeshScene]
#: Makes surfaces of shapes, in the frame that they hang in.
ShapeSurfaces: TypeAlias = Callable[[list[Shape]], list[Surface]]
T = TypeVar("T")
P = TypeVar("P")


class SceneBuilder:
    """Collects the nodes of a file's scene; MeshError beyond the limits on nodes and triangles."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.nodes: list[Node] = []
        self.triangles = 0

    def add(self, node: Node) -> Node:
        """Append a node."""
        if len(self.nodes) >= _MOST_NODES:
            raise self.request.broken(f"it unfolds to more than {_MOST_NODES} nodes", "mesh-too-large")
        self.nodes.append(node)
        return node

    def count(self, surfaces: Iterable[Surface]) -> None:
        """Count the triangles of surfaces that a node is going to have."""
        self.triangles += sum(len(s.faces) for s in surfaces)
        if self.triangles > self.request.most_triangles:
            raise self.request.too_many(self.triangles)

    def walk(
        self, roots: Sequence[T], place: P, visit: Callable[[T, P], tuple[Node, P, Sequence[T]] | None]
    ) -> list[Node]:
        """All nodes of the trees below ``roots``, parents first.

        ``visit`` gives the node of an item, the place and the items of its children; None leaves it out.
        """
        todo: list[tuple[T, P] | Node] = [(root, place) for root in reversed(roots)]
        while todo:
            if isinstance(step := todo.pop(), Node):
                step.end = len(self.nodes)
            elif (found := visit(*step)) is not None:
                node, inner, children = found
                todo.append(self.add(node))
                todo += [(child, inner) for child in reversed(children)]
        return self.nodes


def placement_matrix(pose: Pose, linear: Matrix3 | None) -> Matrix | None:
    """pose · linear as a 4×4 matrix; None for the identity."""
    if pose == IDENTITY and linear is None:
        return None
    out = np.array(pose.matrix())
    if linear is not None:
        out[:3, :3] = out[:3, :3] @ np.array(linear)
    return out


def single(surfaces: list[Surface]) -> MeshScene:
    """A scene of one node."""
    return MeshScene([Node(surfaces=surfaces, end=1)])
