"""Resolves references to mesh files, without opening them, and reports references to unknown nodes."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection

from unibody.formats.format import Context
from unibody.text.finding import Findings
from unibody.text.fixes import respelled
from unibody.text.near import did_you_mean, near
from unibody.text.node import Node
from unibody.text.source import Span

#: The module in ``unibody.meshes`` that reads mesh files, by suffix.
MESH_KINDS = {
    ".stl": "stl",
    ".obj": "obj",
    ".ply": "ply",
    ".dae": "collada",
    ".gltf": "gltf",
    ".glb": "gltf",
    ".scen": "choreonoid",
    ".yaml": "choreonoid",
    ".yml": "choreonoid",
    ".wrl": "vrml",
    ".iv": "inventor",
}


def report_unknown_use(use: Node, known: Collection[str], findings: Findings) -> None:
    """Report a USE of VRML or Inventor whose name no DEF before it has."""
    alike = near(use.name, known)
    findings.error(
        "use-undefined",
        f"USE refers to unknown node '{use.name}'",
        use.span,
        did_you_mean(alike, "write the DEF before the USE, in the same file"),
        suggestion=alike,
        fix=respelled(use.span, use.name, alike),
    )


def find_mesh(uri: str, place: Callable[[], Span | None], context: Context) -> str:
    """The path of a mesh file, "" if not found.

    Reports missing files and unsupported formats at ``place()``, which is called only for a finding.
    """
    trial = Findings()
    path = context.files.find(uri, context.path, trial)
    if path is None or trial:
        # computing the place is expensive
        path = context.files.resolve(uri, context.path, place(), context.findings)
    suffix = os.path.splitext(uri)[1].lower()
    # the content tells the type of a file without suffix
    if path and suffix and suffix not in MESH_KINDS:
        context.findings.info(
            "mesh-format", f"unsupported mesh format '{suffix}'; the shape is kept as a reference", place()
        )
    return path or ""
