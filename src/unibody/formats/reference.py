"""Mesh files that a model file names: looked for, not opened."""

from __future__ import annotations

import os
from collections.abc import Callable

from unibody.formats.format import Context
from unibody.text.finding import Findings
from unibody.text.source import Span

#: The kinds of mesh files that are read, by suffix: the module of each in ``meshes``.
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


def find_mesh(uri: str, place: Callable[[], Span | None], context: Context) -> str:
    """The path of a mesh file, empty when it is not found; a finding says where it was looked for,
    or that files of its kind are not read. ``place`` is asked only when there is one."""
    trial = Findings()
    path = context.files.resolve(uri, context.path, None, trial)
    if trial:
        # the place is looked for only where there is something to say
        path = context.files.resolve(uri, context.path, place(), context.findings)
    suffix = os.path.splitext(uri)[1].lower()
    if path and suffix not in MESH_KINDS:
        context.findings.info(
            "mesh-format", f"shapes in {suffix or 'such'} files are kept as a reference, not read", place()
        )
    return path or ""
