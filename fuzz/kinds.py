"""Kinds of fuzzed files: formats, variants of formats, and files other than models."""

from __future__ import annotations

from unibody.formats import FORMATS as KNOWN
from unibody.formats import Format

#: The formats whose name is a kind. A format of your own is fuzzed when it is put here.
FORMATS: dict[str, Format] = {format.name: format for format in KNOWN}

#: Kinds whose files have the syntax of a format: their trees are changed with its declarations.
VARIANTS = {
    "xacro": "xml",
    "collada": "xml",
    "choreonoid-scene": "yaml",
    "vrml97": "vrml",
    "mesh-wrl": "vrml",
    "vrml1": "inventor",
    "mesh-iv": "inventor",
}
#: Kinds whose seeds are files with one of these suffixes.
SUFFIXES = {
    "xacro": (".xacro",),
    "vrml97": (".wrl",),
    "vrml1": (".wrl", ".iv"),
    "inventor-binary": (".iv", ".wrl"),
    "inventor-gzip": (".iv",),
    "stl": (".stl",),
    "obj": (".obj",),
    "ply": (".ply",),
    "collada": (".dae",),
    "gltf": (".gltf",),
    "choreonoid-scene": (".scen", ".yaml"),
}
#: Mesh files; the last two are read as meshes that a model refers to.
MESHES = (
    *("stl", "obj", "mtl", "ply", "collada", "gltf", "glb", "choreonoid-scene", "mesh-wrl", "mesh-iv"),
)
#: Motions, controls and what else moves a robot that is there.
MOTIONS = ("plan", "motion-csv", "motion-json", "motion-yaml")
CONTROLS = ("control-csv", "control-pattern", "control-motion", "materials", "record")
KINDS = (
    *FORMATS,
    *SUFFIXES,
    "sidecar",
    *MOTIONS,
    *CONTROLS,
    "native",
    "mtl",
    "glb",
    "mesh-wrl",
    "mesh-iv",
)


def format_of(kind: str, name: str) -> Format | None:
    """The format whose syntax files of this kind have, if any."""
    if kind == "sidecar":
        return next((f for f in FORMATS.values() if name.endswith(f.suffixes)), None)
    if kind in FORMATS:
        return FORMATS[kind]
    return next((f for f in FORMATS.values() if f.syntax == VARIANTS.get(kind)), None)
