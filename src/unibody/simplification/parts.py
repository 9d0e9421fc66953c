"""Convex parts of a mesh, found by CoACD."""

from __future__ import annotations

import numpy as np

from unibody.mechanism.arrays import Floats
from unibody.simplification.hulls import Hull, hull_of
from unibody.simplification.triangles import Triangles

#: CoACD's usual threshold, relative to the size.
_USUAL = 0.05
# Its search with fewer steps than usual: meshes of robots take seconds, not minutes, for hardly more parts.
_SEARCH = {"mcts_iterations": 60, "mcts_max_depth": 2, "preprocess_resolution": 30}


class MissingParts(ImportError):
    """CoACD is not installed."""


def convex_parts(mesh: Triangles, tolerance: float | None) -> list[Hull]:
    """The hulls of the parts of a mesh, whose concavity CoACD keeps below ``tolerance`` (m) if it can.

    Together they may leave a little of the mesh uncovered. MissingParts if CoACD is not installed.
    """
    try:
        import coacd
    except ImportError:
        raise MissingParts("convex parts need CoACD: pip install 'unibody[parts]'") from None
    vertices, faces = _indexed(mesh.corners)
    coacd.set_log_level("error")
    threshold = _USUAL if tolerance is None else min(max(tolerance / mesh.size, 0.01), 1.0)
    found = coacd.run_coacd(coacd.Mesh(vertices, faces), threshold=threshold, seed=0, **_SEARCH)
    return [hull_of(np.asarray(part, np.float64)) for part, _ in found if len(part)]


def _indexed(corners: Floats) -> tuple[Floats, np.ndarray]:
    vertices, number = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return vertices, number.reshape(-1, 3).astype(np.int32)
