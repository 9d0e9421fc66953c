"""Recognizes the type of a mesh file by its content, whatever its suffix says."""

from __future__ import annotations

import re

from unibody.formats.reference import MESH_KINDS
from unibody.meshes.stl import is_binary_stl, is_text_stl
from unibody.text.vrml.version import has_nodes_of_97

#: The names of the types that have a signature, by the module that reads them.
TYPE_NAMES = {
    "stl": "STL",
    "obj": "OBJ",
    "ply": "PLY",
    "collada": "COLLADA",
    "gltf": "glTF",
    "vrml": "VRML97",
    "inventor": "Inventor",
}
#: The UTF-8 byte order mark, which editors of Windows write.
MARK = b"\xef\xbb\xbf"
# Types of which one suffix may hold the other: .wrl is that of VRML 1.0, an Inventor format, too.
_ALIKE = ("vrml", "inventor")
# Comments and materials stand before the first vertex.
_HEAD = 1 << 16
_PLY = re.compile(rb"ply[ \t]*[\r\n]+(?:format|comment|obj_info)\b")
_COLLADA = re.compile(rb"<(?:\w+:)?COLLADA\b")
_NUMBER = rb"[ \t]+[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?"
_OBJ = re.compile(
    rb"(?:[ \t]*(?:#[^\n]*|(?:mtllib|usemtl|[ogs]|vn|vt)[ \t][^\n]*)?\n)*[ \t]*v" + 3 * _NUMBER + rb"\s"
)
_LINE_ENDS = re.compile(rb"\r\n?")


def suffix_by_content(data: bytes | memoryview, suffix: str) -> str:
    """The suffix (lower case) of what a file holds; ``suffix``, that of its name, if nothing tells.

    >>> suffix_by_content(b"# box" + bytes([10]) + b"v 0 0 1" + bytes([10]), ".stl")
    '.obj'
    """
    own = MESH_KINDS.get(suffix, "")
    if own and own not in TYPE_NAMES:  # scenes of Choreonoid are YAML, which has no signature
        return suffix
    if own == "stl" and is_binary_stl(data):
        return suffix
    head = bytes(data[:_HEAD])
    bare = head.removeprefix(MARK).lstrip()
    if bare.startswith((b"#Inventor", b"#VRML")):
        return ".wrl" if bare.startswith(b"#VRML V2") or has_nodes_of_97(bytes(data)) else ".iv"
    if bare.startswith(b"glTF"):
        return suffix if own == "gltf" else ".glb"
    if _PLY.match(bare):
        return ".ply"
    if bare.startswith(b"<") and _COLLADA.search(bare):
        return ".dae"
    if is_binary_stl(data) or is_text_stl(bare):
        return ".stl"
    if own != "gltf" and bare.startswith(b"{") and b'"asset"' in bytes(data):
        return ".gltf"
    return ".obj" if own != "obj" and _OBJ.match(_LINE_ENDS.sub(b"\n", bare)) else suffix


def other_type(suffix: str, content: str) -> str:
    """The name of the type that the suffix ``content`` stands for, "" if ``suffix`` stands for it, too."""
    own, held = MESH_KINDS.get(suffix, ""), MESH_KINDS.get(content, "")
    if own == held or (own in _ALIKE and held in _ALIKE):
        return ""
    return TYPE_NAMES.get(held, "")
