"""Recognizes files of unsupported formats, such as SDF, USD and meshes, for the error message."""

from __future__ import annotations

import re

from unibody.text.finding import Finding
from unibody.text.pattern import pattern

_MESH_SUFFIXES = (".stl", ".obj", ".dae", ".ply", ".gltf", ".glb", ".mtl")
_UNSUPPORTED = (
    (re.compile(r"<sdf\b"), "SDF"),
    (re.compile(r"\A#usda\b|\APXR-USDC"), "USD"),
)
_DUMP = pattern(r'\A\s*\{\s*"unibody"\s*:')


def foreign_format(path: str, head: str) -> Finding | None:
    """The error for a file of a known kind that no format reads, by its first text or its suffix.

    >>> print(foreign_format("a.xml", "<sdf version='1.9'>"))
    error: a.xml is SDF [format-unknown]
    """
    kind = hint = ""
    if _DUMP.match(head):
        kind = "a dump of unibody"
        hint = "read it in Python: unibody.model.json.loads(text, name, findings)"
    elif name := next((name for pattern, name in _UNSUPPORTED if pattern.search(head)), ""):
        kind, hint = name, "convert it to a format that unibody reads"
    elif path.lower().endswith(_MESH_SUFFIXES):
        kind, hint = "a mesh, not a robot", "refer to it as the mesh of a link in a model"
    return Finding("format-unknown", "error", f"{path} is {kind}", hint=hint) if kind else None
