"""Recognizes files of unsupported formats, such as COLLADA and meshes, for the error message."""

from __future__ import annotations

import re

from unibody.text.finding import Finding
from unibody.text.source import Source, Span

_MESH_SUFFIXES = (".stl", ".obj", ".dae", ".ply", ".gltf", ".glb", ".mtl")
_ROOTS = ("sdf", "gazebo", "COLLADA")
_DUMP = re.compile(r'\s*\{\s*"unibody"\s*:')
# The outermost element of an XML file, behind its declaration, comments and document type.
_ROOT = re.compile(
    r"(?s)\ufeff?\s*(?:<\?(?:(?!\?>).)*\?>\s*|<!--(?:(?!-->).)*-->\s*|<!DOCTYPE[^<>]*>\s*)*"
    r"<([A-Za-z][\w:.-]*)"
)
# What COLLADA has for joints and links: section "Kinematics" of COLLADA 1.5, as OpenRAVE, OpenHRP and ROS
# write it. COLLADA 1.4 has rigid bodies and their constraints only.
_KINEMATICS = re.compile(r"<(?:library_)?(?:kinematics_(?:model|scene)|articulated_system|joint)s?[\s>]")
# Suffixes of another format, and that of SDF which ends in one of them.
_OTHER = (".urdf", ".xacro")
_SDF_XACRO = ".sdf.xacro"
_MESH = ("a mesh, not a robot", "refer to it as the mesh of a link in a model")


def foreign_content(path: str, text: str) -> Finding | None:
    """The error for a file that is of a known kind by its text, whatever its name says.

    >>> print(foreign_content("a.urdf", "<sdf version='1.9'>"))
    a.urdf:1:2: error: a.urdf is SDF [format-unknown]
    >>> print(foreign_content("a.urdf", "<COLLADA><library_joints>"))
    a.urdf:1:2: error: a.urdf is a robot in COLLADA, which is not read [format-unknown]
    """
    kind = hint = ""
    start, end = 0, 1
    # most files are models, for which no pattern is compiled
    first = text[:256].lstrip("\ufeff \t\r\n")[:1]
    root = ""
    if first == "<" and any(f"<{word}" in text for word in _ROOTS) and (found := _ROOT.match(text)):
        root = found[1]
        start, end = found.span(1)
    if first == "{" and _DUMP.match(text):
        kind = "a dump of unibody"
        hint = "read it in Python: unibody.model.json.loads(text, name, findings)"
    elif root == "gazebo":
        kind, hint = "SDF 1.2 or older", "convert it with an old Gazebo; newer versions are read"
    elif root == "sdf" and path.lower().endswith(_OTHER) and not path.lower().endswith(_SDF_XACRO):
        kind, hint = "SDF", "rename it, or name its format, sdf"
    elif root == "COLLADA":
        if _KINEMATICS.search(text):
            kind = "a robot in COLLADA, which is not read"
            hint = (
                "use the URDF or OpenHRP (.wrl) file of the robot, or convert this one with "
                "collada_to_urdf of the ROS package collada_urdf"
            )
        else:
            kind, hint = _MESH
    if not kind:
        return None
    at = Span(Source(path, text), start, end)
    return Finding("format-unknown", "error", f"{path} is {kind}", at, hint)


def foreign_format(path: str, text: str) -> Finding | None:
    """The error for a file of a known kind that no format reads, by its text, else by its suffix.

    >>> print(foreign_format("a.stl", ""))
    error: a.stl is a mesh, not a robot [format-unknown]
    """
    lower = path.lower()
    if (found := foreign_content(path, text)) is not None:
        return found
    if lower.endswith(".zae"):
        hint = "unpack it; a robot in it must be converted to a format that unibody reads"
        return Finding("format-unknown", "error", f"{path} is COLLADA in a ZIP archive", hint=hint)
    if lower.endswith(_MESH_SUFFIXES):
        kind, hint = _MESH
        return Finding("format-unknown", "error", f"{path} is {kind}", hint=hint)
    return None
