"""Files of robots' world that are no models unibody reads: what they are, for a message."""

from __future__ import annotations

import re

from unibody.text.finding import Finding

_MESHES = (".stl", ".obj", ".dae", ".ply", ".gltf", ".glb", ".mtl")
_MARKS = (
    (re.compile(r"<sdf\b"), "SDF"),
    (re.compile(r"<mujoco(?:inc)?\b"), "MJCF, MuJoCo's format"),
    (re.compile(r"\A#usda\b|\APXR-USDC"), "USD"),
)
_DUMP = re.compile(r'\A\s*\{\s*"unibody"\s*:')


def foreign(path: str, head: str) -> Finding | None:
    """The error for a file that no format reads: what it is, by how its text begins or its suffix.

    >>> print(foreign("a.xml", "<mujoco model='arm'>"))
    error: a.xml is MJCF, MuJoCo's format [format-unknown]
    """
    known = _known(path, head)
    if known is None:
        return None
    what, hint = known
    return Finding("format-unknown", "error", f"{path} is {what}", hint=hint)


def _known(path: str, head: str) -> tuple[str, str] | None:
    """What it is, and what to do with it."""
    if _DUMP.match(head):
        return "a dump of unibody", "read it in Python: unibody.model.json.loads(text, name, findings)"
    for mark, what in _MARKS:
        if mark.search(head):
            return what, "unibody does not read it"
    if path.lower().endswith(_MESHES):
        return "a mesh, not a robot", "name it as the mesh of a link in a model"
    return None
