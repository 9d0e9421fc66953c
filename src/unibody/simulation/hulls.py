"""Meshes that are not convex: the engine lets them collide as their convex hulls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.traverse import path_of
from unibody.simplification.triangles import Triangles
from unibody.simulation.contacts import body_pairs
from unibody.text.counted import listed
from unibody.text.finding import Findings

#: A mesh is convex if all vertices are closer to its hull than this part of its size.
FLAT = 0.02
# Vertices of a mesh that are looked at, and how many at a time.
_MOST, _AT_A_TIME = 5000, 500
# Faces of a hull whose middles are looked at.
_FACES = 64
# Meshes that are named.
_NAMED = 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hulls:
    """The meshes of a compiled model that collide as their convex hulls, by the numbers of their geoms.

    ``names`` (nbody) are the links of the engine's bodies; ``hint`` is the remedy for those meshes that are
    not convex.
    """

    model: Any
    geoms: Sequence[int]
    names: Sequence[str]
    hint: str

    def report(self, findings: Findings) -> None:
        """Report the meshes that their hulls differ from."""
        model = self.model
        depths: dict[int, float] = {}
        found: dict[str, tuple[float, str]] = {}
        for geom in self.geoms:
            link, mesh = self.names[model.geom_bodyid[geom]], int(model.geom_dataid[geom])
            if mesh not in depths:
                depths[mesh] = hollow(model, mesh)
            if depths[mesh] > 0.0:
                found[f"{model.mesh(mesh).name!r} of link {link!r}"] = depths[mesh], link
        if not found:
            return
        worst = sorted(found, key=lambda name: -found[name][0])
        shown = listed((f"{name} ({1e3 * found[name][0]:.3g} mm)" for name in worst), _NAMED)
        many = len(worst) > 1
        findings.warning(
            "simulation-hull",
            f"{len(worst)} meshes are not convex and collide as their convex hulls: {shown}"
            if many
            else f"a mesh is not convex and collides as its convex hull: {shown}",
            None,
            f"{self.hint}; the numbers say how far the hull lies outside",
            subject=path_of("links", found[worst[0]][1], "collisions"),
        )


def find_hulls(model: Any, names: Sequence[str], without: Collection[str], hint: str) -> Hulls:
    """The meshes of links, but for those ``without``, that collide as hulls.

    A mesh that can touch nothing but planes is left out: the points of a hull that are farthest out in any
    direction are points of the mesh, so that both touch a plane alike.
    """
    import mujoco

    can_touch = np.asarray(body_pairs(model, planes=False).any(axis=1))
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    meshes = np.flatnonzero(solid & (model.geom_type == int(mujoco.mjtGeom.mjGEOM_MESH))).tolist()
    bodies = model.geom_bodyid.tolist()
    geoms = [geom for geom in meshes if can_touch[bodies[geom]] and names[bodies[geom]] not in without]
    return Hulls(model=model, geoms=geoms, names=names, hint=hint)


def hollow(model: Any, mesh: int) -> float:
    """How far (m) a mesh of the engine is from its hull; 0 for a convex mesh."""
    if model.mesh_graphadr[mesh] < 0:
        return 0.0
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    vertices = np.asarray(model.mesh_vert[first : first + count], np.float64)

    def surface() -> Triangles:
        start, number = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        return Triangles(vertices[np.asarray(model.mesh_face[start : start + number])])

    return depth_of_hollow(vertices, vertices[_hull_faces(model, mesh)], surface)


def depth_of_hollow(
    vertices: Floats, hull: Floats, surface: Callable[[], Triangles], size: float | None = None
) -> float:
    """How far (m) a mesh of some vertices (n, 3) is from its hull (m, 3, 3); 0 for a convex mesh.

    The larger of how deep a vertex lies within the hull, and how far the middle of a large face of the hull
    is from the mesh, as over the opening of a cup. ``size`` (m), by default that of the mesh, decides what
    is convex.
    """
    deepest = vertex_depth(vertices, hull)
    if size is None:
        size = float(np.linalg.norm(np.ptp(vertices, axis=0)))
    if deepest <= FLAT * size:
        a, b, c = (hull[:, corner] for corner in range(3))
        sizes = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        over, _ = surface().nearest(hull[np.argsort(-sizes)[:_FACES]].mean(axis=1))
        deepest = max(deepest, float(over.max(initial=0.0)))
    return deepest if deepest > FLAT * size else 0.0


def vertex_depth(vertices: Floats, hull: Floats) -> float:
    """How deep (m) a vertex of a mesh (n, 3) lies within its hull (m, 3, 3)."""
    a, b, c = (hull[:, corner] for corner in range(3))
    normals = np.cross(b - a, c - a)
    sizes = np.linalg.norm(normals, axis=1)
    large = sizes > 0.0
    normals, a = normals[large] / sizes[large, None], a[large]
    normals *= np.sign(np.einsum("ij,ij->i", normals, a - vertices.mean(axis=0)))[:, None]
    offsets = np.einsum("ij,ij->i", normals, a)
    deepest = 0.0
    looked = vertices[:: max(1, -(-len(vertices) // _MOST))]
    for start in range(0, len(looked), _AT_A_TIME):
        deepest = max(deepest, _depths(looked[start : start + _AT_A_TIME], normals, offsets))
    return deepest


def _depths(vertices: Floats, normals: Floats, offsets: Floats) -> float:
    """The largest distance of vertices from the nearest face of a hull."""
    return float((offsets - vertices @ normals.T).min(axis=1).max(initial=0.0)) if len(offsets) else 0.0


def _hull_faces(model: Any, mesh: int) -> Any:
    """The corners (n, 3) of the hull's faces, as indices of vertices of the mesh."""
    graph = model.mesh_graph[model.mesh_graphadr[mesh] :]
    vertices, faces = int(graph[0]), int(graph[1])
    first = 2 + 2 * vertices + vertices + 3 * faces
    return np.asarray(graph[first : first + 3 * faces]).reshape(-1, 3)
