"""Balls that cover a mesh: as few as a greedy choice finds, each sticking out by a tolerance at most."""

from __future__ import annotations

import numpy as np

from unibody.model.arrays import Floats
from unibody.simplification.triangles import Triangles

#: Shares of the tolerance: how far balls stick out before they grow, and the distance of samples.
_OUT, _APART = 0.7, 0.5
#: Samples of the mesh, and centers to choose from, at most; centers along each axis of a grid.
_SAMPLES, _CENTERS, _GRID = 3_000, 2_000, 18
#: Depths below the surface at which centers are tried, relative to the size.
_DEPTHS = (0.01, 0.02, 0.04, 0.07, 0.11, 0.16)


def covering_spheres(mesh: Triangles, tolerance: float) -> tuple[Floats, Floats]:
    """Centers (n, 3) and radii (n,) of balls around samples of a mesh, in m.

    A ball reaches out of what the mesh encloses, or to both sides of an open one, by less than
    ``tolerance``. Between the samples something may be left uncovered.
    """
    samples = _samples(mesh, _APART * tolerance)
    centers = np.concatenate([samples, _inner(mesh, samples)])
    off, _ = mesh.nearest(centers)
    off[: len(samples)] = 0.0
    radii = off + _OUT * tolerance
    reach = np.maximum(radii - 0.25 * tolerance, 0.5 * radii)
    covers = np.empty((len(centers), len(samples)), bool)
    for at in range(0, len(centers), 256):
        d = centers[at : at + 256, None] - samples
        covers[at : at + 256] = np.einsum("ijk,ijk->ij", d, d) <= (reach[at : at + 256] ** 2)[:, None]
    return _chosen(covers, centers, radii)


def _chosen(covers: np.ndarray, centers: Floats, radii: Floats) -> tuple[Floats, Floats]:
    """The balls that are chosen one by one, each covering the most samples that are left."""
    gain = covers.sum(axis=1)
    left = np.ones(covers.shape[1], bool)
    out: list[int] = []
    while left.any():
        best = int(gain.argmax())
        out.append(best)
        new = np.flatnonzero(covers[best] & left)
        left[new] = False
        gain = gain - covers[:, new].sum(axis=1)
    return centers[out], radii[out]


def _samples(mesh: Triangles, apart: float) -> Floats:
    """Points on the triangles, about ``apart`` (m) from one another."""
    corners = mesh.corners
    sides = corners[:, 1:] - corners[:, :1]
    areas = 0.5 * np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    count = int(min(4.0 * areas.sum() / apart**2 + 64.0, 20.0 * _SAMPLES))
    generator = np.random.default_rng(0)
    chosen = generator.choice(len(corners), count, p=areas / areas.sum())
    weights = generator.dirichlet(np.ones(3), count)
    points = np.concatenate([corners.reshape(-1, 3), np.einsum("ij,ijk->ik", weights, corners[chosen])])
    while True:
        _, first = np.unique(np.floor(points / apart), axis=0, return_index=True)
        if len(first) <= _SAMPLES:
            return points[np.sort(first)]
        apart *= 1.2


def _inner(mesh: Triangles, samples: Floats) -> Floats:
    """Centers of larger balls, inside of the closed pieces of a mesh."""
    if not mesh.is_closed:
        return np.empty((0, 3))
    low, high = samples.min(axis=0), samples.max(axis=0)
    pitch = float((high - low).max()) / _GRID
    axes = [np.arange(a + 0.5 * pitch, b, pitch) for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    _, places = mesh.nearest(samples)
    normal = np.cross(*np.moveaxis(np.diff(mesh.corners[places], axis=1), 1, 0))
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    below = [samples + side * depth * mesh.size * normal for depth in _DEPTHS for side in (-1.0, 1.0)]
    found = np.concatenate([grid, *below])
    found = found[mesh.inside(found)]
    if len(found) > _CENTERS:
        found = found[np.random.default_rng(1).choice(len(found), _CENTERS, replace=False)]
    return found
