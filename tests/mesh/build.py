"""Mesh files made in tests, and how they are read."""

from __future__ import annotations

import base64
import copy
import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from unibody.files.access import MemoryFiles
from unibody.meshes import MeshCache, Surface
from unibody.model.shape import MeshFile

CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))
# the four faces of that tetrahedron, counter-clockwise from outside; its volume is 1
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def read(
    data: bytes | str, suffix: str, beside: Mapping[str, bytes] | None = None, **how: Any
) -> tuple[list[Surface], MeshCache]:
    """The surfaces of a mesh file m/part.SUFFIX, and the cache with its findings."""
    name = f"m/part{suffix}"
    contents = {name: data.encode() if isinstance(data, str) else data}
    contents |= {f"m/{key}": value for key, value in (beside or {}).items()}
    cache = MeshCache(MemoryFiles(contents))
    return list(cache.surfaces(MeshFile(uri=f"part{suffix}", path=name, **how))), cache


def codes(cache: MeshCache) -> list[str]:
    return [f.code for f in cache.findings]


def one(data: bytes | str, suffix: str, **how: Any) -> Surface:
    """The only surface of a file that is read without any finding, but that an STL file is text."""
    surfaces, cache = read(data, suffix, **how)
    assert [str(f) for f in cache.findings if f.code != "mesh-text"] == []
    assert len(surfaces) == 1
    return surfaces[0]


def triangles(surface: Surface) -> list[list[list[float]]]:
    """The corners of every triangle, in order."""
    out: list[list[list[float]]] = surface.vertices[surface.faces].tolist()
    return out


def tetrahedron() -> list[list[list[float]]]:
    return [[list(CORNERS[i]) for i in face] for face in FACES]


def stl(corners: Sequence[Any], header: bytes = b"", tail: bytes = b"", count: int | None = None) -> bytes:
    """A binary STL file of triangles."""
    record = np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    table = np.zeros(len(corners), record)
    table["v"] = np.reshape(corners, (-1, 3, 3))
    table["n"] = np.nan  # nobody reads them
    size = len(corners) if count is None else count
    return header.ljust(80, b" ") + struct.pack("<I", size) + table.tobytes() + tail


def stl_text(name: str = "part") -> str:
    lines = [f"solid {name}"]
    for face in tetrahedron():
        lines += ["facet normal 0 0 1", "outer loop"]
        lines += [f"vertex {x} {y:e} {z}" for x, y, z in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, f"endsolid {name}", ""])


def obj(extra: str = "") -> str:
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
    return points + extra + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES)


def glb(data: dict[str, Any], binary: bytes = b"", version: int = 2) -> bytes:
    text = json.dumps(data).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text
    if binary:
        chunks += struct.pack("<I", len(binary)) + b"BIN\0" + binary
    return b"glTF" + struct.pack("<II", version, 12 + len(chunks)) + chunks


def gltf(
    tables: Sequence[tuple[Any, str, str]], primitive: Mapping[str, Any], **more: Any
) -> tuple[dict[str, Any], bytes]:
    """A glTF file of one primitive: tables of (rows, numpy type, accessor type), each an accessor."""
    kinds = {"<f4": 5126, "<u2": 5123, "<u4": 5125, "u1": 5121, "<i2": 5122, "i1": 5120}
    binary, views, accessors = b"", [], []
    for rows, kind, shape in tables:
        piece = np.asarray(rows, kind).tobytes()
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(piece)})
        accessors.append(
            {
                "bufferView": len(views) - 1,
                "componentType": kinds[kind],
                "count": len(rows),
                "type": shape,
                **({"normalized": True} if kind in ("u1", "<i2", "i1") else {}),
            }
        )
        binary += piece + b"\0" * (-len(piece) % 4)
    data = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [copy.deepcopy(primitive)]}],
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": views,
        "accessors": accessors,
        **more,
    }
    return data, binary


def embedded(data: dict[str, Any], binary: bytes) -> str:
    """The same as one text, its buffer written into it."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
    return json.dumps({**data, "buffers": [{"byteLength": len(binary), "uri": uri}]})


def dae(
    geometry: str = "",
    node: str = '<instance_geometry url="#g"/>',
    asset: str = "<up_axis>Z_UP</up_axis>",
    libraries: str = "",
) -> str:
    """A COLLADA file with one geometry and one node called "top"."""
    numbers = " ".join(str(v) for point in CORNERS for v in point)
    indices = " ".join(str(i) for face in FACES for i in face)
    geometry = geometry or (
        '<triangles count="4" material="M"><input semantic="VERTEX" source="#v" offset="0"/>'
        f"<p>{indices}</p></triangles>"
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{asset}</asset>{libraries}
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">{numbers}</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{geometry}
</mesh></geometry></library_geometries>
<library_visual_scenes>
<visual_scene id="s"><node name="top">{node}</node></visual_scene>
</library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"""
