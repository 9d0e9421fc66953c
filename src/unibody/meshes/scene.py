"""What a mesh file holds: nodes with names and places, and the surfaces in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from unibody.files.access import Files
from unibody.formats.budget import Budget
from unibody.formats.format import Context
from unibody.meshes.polygon import Work
from unibody.meshes.store import Store
from unibody.meshes.surface import Matrix, Surface
from unibody.text.finding import Finding, Findings
from unibody.text.source import Span

UpAxis = Literal["X", "Y", "Z"]
# What one file may unfold to; real files stay far below.
MOST_NODES = 100_000


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


def single(surfaces: list[Surface]) -> MeshScene:
    """A scene of one node."""
    return MeshScene([Node(surfaces=surfaces, end=1)])
