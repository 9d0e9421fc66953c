"""Files of robots' world that are no models unibody reads: what they are, for a message."""

from __future__ import annotations

import re

_MESHES = (".stl", ".obj", ".dae", ".ply", ".gltf", ".glb", ".mtl")
_MARKS = (
    (re.compile(r"<sdf\b"), "SDF"),
    (re.compile(r"<mujoco(?:inc)?\b"), "MJCF, MuJoCo's format"),
    (re.compile(r"\A#usda\b|\APXR-USDC"), "USD"),
)
_DUMP = re.compile(r'\A\s*\{\s*"unibody"\s*:')


def foreign(path: str, head: str) -> tuple[str, str] | None:
    """What a file is that no format reads, by how its text begins or its suffix, and what to do with it.

    >>> foreign("a.xml", "<mujoco model='arm'>")
    ("MJCF, MuJoCo's format", 'unibody does not read it')
    """
    if _DUMP.match(head):
        return "a dump of unibody", "read it in Python: unibody.model.native.loads(text, name, findings)"
    for mark, what in _MARKS:
        if mark.search(head):
            return what, "unibody does not read it"
    if path.lower().endswith(_MESHES):
        return "a mesh, not a robot", "name it as the mesh of a link in a model"
    return None
