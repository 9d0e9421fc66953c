"""Binary STL written: 84 bytes, then 50 for each triangle, in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.meshes.surface import unit_rows

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def write_stl(vertices: Any, faces: Any) -> bytes:
    """The triangles (m, 3) over vertices (n, 3) in m as a binary STL file.

    >>> len(write_stl(np.eye(3), np.array([[0, 1, 2]])))
    134
    """
    corners = np.asarray(vertices, np.float64)[np.asarray(faces, np.int64).reshape(-1, 3)]
    out = np.zeros(len(corners), _RECORD)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    out["normal"] = unit_rows(normals)
    out["corners"] = corners
    # A file that begins with "solid" would be taken for text.
    head = b"binary STL, Z up, metres".ljust(80, b" ")
    return head + len(out).to_bytes(4, "little") + out.tobytes()
