"""Convex parts of a mesh, found by CoACD."""

from __future__ import annotations

from unibody.simplification.decomposers import decompose_all
from unibody.simplification.decomposition import check_installed
from unibody.simplification.hulls import Hull, hull_of
from unibody.simplification.triangles import Triangles

#: CoACD's usual threshold, relative to the size.
_USUAL = 0.05
# Its search with fewer steps than usual: meshes of robots take seconds, not minutes, for hardly more parts.
_SEARCH = {"mcts_iterations": 60, "mcts_max_depth": 2, "preprocess_resolution": 30}


def convex_parts(mesh: Triangles, tolerance: float | None) -> list[Hull]:
    """The hulls of the parts of a mesh, whose concavity CoACD keeps below ``tolerance`` (m) if it can.

    Together they may leave a little of the mesh uncovered. MissingExtra if CoACD is not installed.
    """
    threshold = _USUAL if tolerance is None else min(max(tolerance / mesh.size, 0.01), 1.0)
    check_installed()
    # in a process: an odd mesh may end it, and where CoACD is loaded before Pinocchio, that reads no URDF
    found = decompose_all([(mesh.corners, [{"threshold": threshold, **_SEARCH}])])[0]
    return [hull_of(vertices) for vertices, _ in found or ()]
