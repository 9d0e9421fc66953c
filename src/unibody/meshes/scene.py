"""The scene of a mesh file: named nodes with their transforms and surfaces; shared parts of the readers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np

from unibody.files.access import Files
from unibody.formats.budget import Budget
from unibody.formats.format import Context
from unibody.meshes.look import Looks
from unibody.meshes.polygon import Work
from unibody.meshes.store import ArrayPool
from unibody.meshes.surface import Surface
from unibody.model.arrays import Matrix
from unibody.model.pose import IDENTITY, Matrix3, Pose
from unibody.model.rotation import rotation_matrices
from unibody.model.shape import MeshFile, Shape
from unibody.model.up_axis import UpAxis
from unibody.text.finding import Finding, Findings
from unibody.text.source import Span

# Limit on the expanded nodes of one file; real files stay far below.
_MOST_NODES = 100_000
# Nodes whose shapes are tessellated together; the triangles are counted after each lot.
_TOGETHER = 1_000


class MeshError(Exception):
    """A mesh file cannot be read; ``finding`` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


@dataclass(slots=True)
class Node:
    """A node of a scene: its surfaces, and its 4×4 matrix in the file's frame (None for the identity).

    Its descendants follow it in the list of nodes, up to ``end``. ``ident`` is its id in formats that
    have both names and ids. ``missing``: it refers to a file that was not found.
    """

    name: str = ""
    matrix: Matrix | None = None
    surfaces: list[Surface] = field(default_factory=list)
    ident: str = ""
    end: int = 0
    missing: bool = False


@dataclass(slots=True)
class MeshScene:
    """Nodes in depth-first order; ``unit`` (m) and ``up_axis`` as the mesh file states them.

    ``applied_axis`` is the up axis that its reader applies.
    """

    nodes: list[Node]
    unit: float = 1.0
    up_axis: UpAxis = "Z"
    applied_axis: UpAxis = "Z"


@dataclass(frozen=True, slots=True)
class Request:
    """A mesh file to be read: its path, the files it may open, and where findings and looks go.

    ``at`` is the place of the reference to the file, for findings without a place in the file itself.
    """

    path: str
    files: Files
    findings: Findings
    at: Span | None = None
    work: Work = field(default_factory=Work)
    beside: str = ""
    store: ArrayPool = field(default_factory=ArrayPool)
    looks: Looks = field(default_factory=Looks)

    def resolve(self, uri: str, at: Span | None = None) -> str | None:
        """The path of a file that this one refers to; None after a finding.

        It is first resolved relative to ``beside``, another file of the same folder: the access rights
        of a folder are determined once.
        """
        if self.beside:
            trial = Findings()
            path = self.files.find(uri, self.beside, trial, at=at or self.at)
            if path is not None:
                self.findings.extend(trial)
                return path
        return self.files.resolve(uri, self.path, at or self.at, self.findings)

    @property
    def most_triangles(self) -> int:
        """The limit on the triangles of a file."""
        return self.files.limits.triangles

    def too_many(self, count: int) -> MeshError:
        """The error for a file with more triangles."""
        what = f"{self.path}: mesh expands to {count} triangles"
        return MeshError(self.files.limits.finding("triangles", what, self.at))

    def context(self) -> Context:
        """The context for the reader of a format."""
        meter = self.files.meter
        return Context(
            self.path, self.files, self.findings, lambda path, context: None, budget=Budget(meter)
        )

    def broken(self, why: str, code: str = "mesh-broken", at: Span | None = None) -> MeshError:
        """The error for an invalid file."""
        return MeshError(Finding(code, "error", f"{self.path}: {why}", at or self.at, subject=self.path))

    def warn(self, code: str, what: str, at: Span | None = None, hint: str = "") -> None:
        """Report a defect of a file that is read anyway."""
        self.findings.warning(code, f"{self.path}: {what}", at or self.at, hint, subject=self.path)


Reader: TypeAlias = Callable[[bytes, Request], MeshScene]
#: Tessellates the shapes of each node in the frame of its parent, all together.
ShapeSurfaces: TypeAlias = Callable[[Sequence[Sequence[Shape]]], Sequence[list[Surface]]]
T = TypeVar("T")
P = TypeVar("P")


def files_named(names: Iterable[str], request: Request) -> Iterator[str]:
    """The paths of the existing files among names, without the part of a file that a name may end with."""
    for name in dict.fromkeys(names):
        file = name.partition("#")[0].strip()
        if os.path.splitext(file)[1] and (path := request.files.find(file, request.path)):
            yield path


class SceneBuilder:
    """Collects the nodes of a scene; MeshError beyond the limits on nodes and triangles."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.nodes: list[Node] = []
        self.triangles = 0

    def add(self, node: Node) -> Node:
        """Append a node."""
        if len(self.nodes) >= _MOST_NODES:
            raise self.request.broken(f"mesh expands to more than {_MOST_NODES} nodes", "mesh-too-large")
        self.nodes.append(node)
        return node

    def count(self, triangles: int) -> None:
        """Count triangles of the scene."""
        self.triangles += triangles
        if self.triangles > self.request.most_triangles:
            raise self.request.too_many(self.triangles)

    def fill(self, leaves: Sequence[tuple[Node, Sequence[Shape]]], surfaces: ShapeSurfaces) -> None:
        """Set the surfaces of nodes from their shapes, and count them; mark the nodes of missing files."""
        for start in range(0, len(leaves), _TOGETHER):
            some = leaves[start : start + _TOGETHER]
            for (node, shapes), found in zip(some, surfaces([shapes for _, shapes in some]), strict=True):
                node.surfaces, node.missing = found, any(map(is_missing, shapes))
                self.count(sum(len(surface.faces) for surface in found))

    def walk(
        self, roots: Sequence[T], place: P, visit: Callable[[T, P], tuple[Node, P, Sequence[T]] | None]
    ) -> list[Node]:
        """Collect the nodes of the trees below ``roots``, parents first.

        ``visit`` returns the node of an item, the placement of its children and their items, or None to
        skip it.
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


def is_missing(shape: Shape) -> bool:
    """Whether a shape is a mesh file that was not found."""
    return isinstance(shape.geometry, MeshFile) and not shape.geometry.path


def placement_matrix(pose: Pose, linear: Matrix3 | None) -> Matrix | None:
    """pose · linear as a 4×4 matrix; None for the identity."""
    return placement_matrices([(pose, linear)])[0]


def placement_matrices(placements: Sequence[tuple[Pose, Matrix3 | None]]) -> list[Matrix | None]:
    """pose · linear of each placement as a 4×4 matrix; None for the identity."""
    moved = [k for k, (pose, linear) in enumerate(placements) if linear is not None or pose != IDENTITY]
    out: list[Matrix | None] = [None] * len(placements)
    if not moved:
        return out
    stack = np.zeros((len(moved), 4, 4))
    stack[:, :3, :3] = rotation_matrices(np.array([placements[k][0].quat for k in moved]))
    stack[:, :3, 3] = [placements[k][0].xyz for k in moved]
    stack[:, 3, 3] = 1.0
    scaled = [(i, linear) for i, k in enumerate(moved) if (linear := placements[k][1]) is not None]
    if scaled:
        at = [i for i, _ in scaled]
        stack[at, :3, :3] = stack[at, :3, :3] @ np.array([linear for _, linear in scaled])
    for k, matrix in zip(moved, stack, strict=True):
        out[k] = matrix
    return out


def single_node(surfaces: list[Surface]) -> MeshScene:
    """A scene of one node."""
    return MeshScene([Node(surfaces=surfaces, end=1)])
