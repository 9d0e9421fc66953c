"""VRML97 texts read for tests, without a disk."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from unibody.document.bind import Binding, bind
from unibody.files.access import MemoryFiles
from unibody.formats.format import Context
from unibody.formats.placement import Placement
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.expand import expand
from unibody.formats.vrml97.read import Found, Reader, read_shapes
from unibody.model.shape import conversion_findings
from unibody.text.finding import Findings
from unibody.text.node import Node
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

HEADER = "#VRML V2.0 utf8\n"


@dataclass
class Read:
    """What became of a text."""

    node: Node
    world: d.World
    found: Found
    findings: Findings

    @property
    def codes(self) -> list[str]:
        return [f.code for f in self.findings]

    @property
    def told(self) -> list[str]:
        """Codes of what is more than an info."""
        return [f.code for f in self.findings if f.severity != "info"]


def context(files: dict[str, str] | None = None, path: str = "dir/a.wrl") -> Context:
    contents = {name: text.encode() for name, text in (files or {}).items()}
    return Context(path, MemoryFiles(contents), Findings(), lambda path, context: None)


def unfold(
    text: str, files: dict[str, str] | None = None, roles: Collection[str] = ()
) -> tuple[Node, Findings]:
    """The expanded tree of ``dir/a.wrl`` with this text, beside other files."""
    whole = HEADER + text
    at = context({"dir/a.wrl": whole, **(files or {})})
    root = vrml.parse(Source("dir/a.wrl", whole), at.findings)
    return expand(root, at, roles), at.findings


def read(text: str, files: dict[str, str] | None = None, roles: Collection[str] = ()) -> Read:
    """Everything, the numbers of all geometries too."""
    whole = HEADER + text
    at = context({"dir/a.wrl": whole, **(files or {})})
    node = expand(vrml.parse(Source("dir/a.wrl", whole), at.findings), at, roles)
    world = bind(d.World, node, Binding(at.findings, nodes=d.NODES, null="NULL"))
    found = read_shapes(world.children, Placement(), Reader(at))
    for shape in found.visuals:
        at.findings.extend(conversion_findings(shape.geometry))
    return Read(node, world, found, at.findings)
