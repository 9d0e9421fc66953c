"""Reads the exact polygons of an OBJ file of a side-car (see ``conversion.mesh_export``)."""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

import numpy as np

from unibody.model.changes.meshes import turned_over
from unibody.model.shape import Mesh, floats, ints

MeshArrays: TypeAlias = dict[str, list[float] | list[int]]

_LINE = re.compile(rb"^(v|vn|vt|f) (.*)$", re.MULTILINE)
# The lists of the three indices of a corner.
_COLUMNS = ("faces", "tex_coord_indices", "normal_indices")


def read_arrays(data: bytes) -> MeshArrays:
    """Vertices, normals, texture coordinates and faces (closed by −1); ValueError for another OBJ file.

    Index lists besides ``faces`` are present only if they differ from it.

    >>> read_arrays(b"v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n")["faces"]
    [0, 1, 2, -1]
    """
    lines: dict[bytes, list[bytes]] = {b"v": [], b"vn": [], b"vt": [], b"f": []}
    for word, rest in _LINE.findall(data):
        lines[word].append(rest)
    if not lines[b"v"]:
        raise ValueError("no vertices")
    out: MeshArrays = {"vertices": _numbers(lines[b"v"], 3)}
    if len(out["vertices"]) == 6 * len(lines[b"v"]):
        rows = np.array(out["vertices"]).reshape(-1, 6)
        out = {"vertices": rows[:, :3].reshape(-1).tolist(), "colors": rows[:, 3:].reshape(-1).tolist()}
    for name, word, width in (("normals", b"vn", 3), ("tex_coords", b"vt", 2)):
        if lines[word]:
            out[name] = _numbers(lines[word], width)
    columns: list[list[int]] = [[], [], []]
    for face in lines[b"f"]:
        for corner in face.split():
            parts = corner.split(b"/")
            for k in range(3):
                text = parts[k] if k < len(parts) else b""
                columns[k].append(int(text) - 1 if text else -2)
        for column in columns:
            column.append(-1)
    counts = (out["vertices"], 3), (out.get("tex_coords", ()), 2), (out.get("normals", ()), 3)
    for name, column, (values, width) in zip(_COLUMNS, columns, counts, strict=True):
        if name == "faces" or (-2 not in column and column != columns[0]):
            if column and not (min(column) >= -1 and max(column) < len(values) // width):
                raise ValueError("face index out of range")
            out[name] = column
    return out


def read_numbers(data: bytes) -> list[float]:
    """The numbers of a file that holds one JSON list of them; ValueError for anything else.

    >>> read_numbers(b"[0, 1.5]")
    [0, 1.5]
    """
    try:
        found = json.loads(data)
    except RecursionError:
        raise ValueError("must be a list of numbers") from None
    if not isinstance(found, list) or not all(type(x) in (int, float) for x in found):
        raise ValueError("must be a list of numbers")
    return found


def _numbers(rows: list[bytes], width: int) -> list[float]:
    values = np.array(b" ".join(rows).split(), dtype=np.float64)
    if values.size != width * len(rows) and (width != 3 or values.size != 6 * len(rows)):
        raise ValueError("wrong number of columns")
    found: list[float] = values.tolist()
    return found


def turned(arrays: MeshArrays) -> MeshArrays:
    """The lists of a mesh with reversed faces."""

    def numbers(name: str) -> Any:
        values = arrays.get(name, [])
        return ints(values) if name == "faces" or name.endswith("indices") else floats(values)

    made = turned_over(
        Mesh(
            vertices=numbers("vertices"),
            faces=numbers("faces"),
            normal_indices=numbers("normal_indices"),
            tex_coord_indices=numbers("tex_coord_indices"),
        )
    )
    names = ("faces", "normal_indices", "tex_coord_indices")
    return {**arrays, **{k: np.asarray(getattr(made, k)).tolist() for k in names if k in arrays}}
