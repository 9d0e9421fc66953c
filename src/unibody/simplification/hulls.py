"""Convex hulls as solids: what they contain, how far points are from them, and how they grow."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unibody.meshes.surface import cross, unit_rows
from unibody.model.arrays import Faces, Flags, Floats, Indices
from unibody.model.hull import convex_hull
from unibody.simplification.triangles import Triangles, nearest_points

#: Relative errors of heights above planes, with a reserve, and how much thicker flat points are made.
_ROUNDING, _FLAT = 1e-12, 1e-6
#: How far points are moved, relative to the size: the first that gives a convex hull.
_STEPS = (0.0, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6)
#: Pairs of a point and a plane that are computed at once: they fit into the processor's cache.
_PAIRS = 1 << 15
#: Factors that make one number of the bits of a point.
_KEYS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
#: Tries to grow a hull, and the share by which one is made larger as a whole, at most, if that is enough.
_TRIES, _SMALL = 4, 2e-3


@dataclass(frozen=True, slots=True, eq=False)
class Hull:
    """A convex solid: ``vertices`` (n, 3), outward ``faces`` (m, 3), and the planes of the faces.

    Points p of it have ``normals`` (m, 3) · p ≤ ``offsets`` (m,), to rounding. No vertex is farther than
    ``apart`` (m) from the points that it is the hull of, inf if that is not known.
    """

    vertices: Floats
    faces: Faces
    normals: Floats
    offsets: Floats
    boundary: Triangles
    apart: float = np.inf

    @property
    def rounding(self) -> float:
        """More than the errors of heights above the planes (m)."""
        return _ROUNDING * (1e-3 + float(np.abs(self.vertices).max()))

    def heights(self, points: Floats) -> Floats:
        """How far points (k, 3) are above the plane that they are most above, (k,); below 0 inside."""
        out = np.empty(len(points))
        step = max(1, _PAIRS // max(1, len(self.normals)))
        for at in range(0, len(points), step):
            above = points[at : at + step] @ self.normals.T
            above -= self.offsets
            above.max(axis=1, out=out[at : at + step])
        return out

    def contains(self, points: Floats) -> Flags:
        """Whether points (k, 3) are inside for certain, (k,)."""
        return self.heights(points) <= -self.rounding

    def distances(self, points: Floats) -> Floats:
        """Distances (k,) of points (k, 3), 0 inside; not too small."""
        out = np.zeros(len(points))
        off = ~self.contains(points)
        if off.any():
            out[off] = self.boundary.nearest(points[off])[0] + self.rounding
        return out


def distinct_points(points: Floats) -> Floats:
    """The points (n, 3) without repetitions, in another order.

    >>> len(distinct_points(np.array([[0.0, 0, 0], [1, 0, 0], [-0.0, 0, 0]])))
    2
    """
    # by a number for each point, which is several times faster than by rows
    bits = np.ascontiguousarray(points + 0.0, np.float64).view(np.uint64)
    keys = bits @ _KEYS
    _, first, number = np.unique(keys ^ (keys >> np.uint64(29)), return_index=True, return_inverse=True)
    out = points[first]
    return out if (out[number] == points).all() else np.unique(points, axis=0)


def moved_inside(hull: Hull, points: Floats) -> Floats:
    """Points (k, 3), those outside of a hull at the nearest points of it.

    >>> cube = hull_of(np.array([[x, y, z] for x in (0.0, 1) for y in (0.0, 1) for z in (0.0, 1)]))
    >>> moved_inside(cube, np.array([[0.5, 0.5, 0.5], [0.2, 0.3, 1.5], [2.0, 3.0, 0.4]])).round(9).tolist()
    [[0.5, 0.5, 0.5], [0.2, 0.3, 1.0], [1.0, 1.0, 0.4]]
    """
    out = np.array(points)
    off = np.flatnonzero(hull.heights(points) > 0.0)
    if len(off):
        _, triangles = hull.boundary.nearest(points[off])
        out[off] = nearest_points(points[off], hull.boundary.corners[triangles])
    return out


def hull_of(points: Floats, height: float = 0.0) -> Hull:
    """The hull of points (n, 3), or a smaller one above which no point is higher than ``height`` (m).

    Points in a plane are made a millionth thicker. Where rounding spoils the hull, it is that of points
    which are moved by up to a millionth of its size. ValueError without points, or for points that are one
    but for rounding.

    >>> hull = hull_of(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]))
    >>> len(hull.vertices), hull.contains(np.array([[0.1, 0.1, 0.1], [0.5, 0.5, 0.5]])).tolist()
    (4, [True, False])
    """
    if not len(points):
        raise ValueError("there are no points")
    size = max(float(np.ptp(points, axis=0).max()), 1e-9)
    generator = np.random.default_rng(0)
    for step in _STEPS:
        # corners that are on one face spoil a hull: they are shaken
        moved = points + step * size * generator.uniform(-1.0, 1.0, points.shape)
        faces = convex_hull(moved, height)
        if faces is None:
            break
        made = _made(moved, faces, step * size * 3.0**0.5)
        if float(made.heights(made.vertices).max()) <= _ROUNDING * size:
            return made
    thick = _FLAT * size * np.concatenate([np.eye(3), -np.eye(3)])
    corners = (points[:, None] + thick).reshape(-1, 3)
    faces = convex_hull(corners)
    if faces is not None:
        made = _made(corners, faces)
        if float(made.heights(made.vertices).max()) <= _FLAT * size:
            return made
    low, high = points.min(axis=0) - _FLAT * size, points.max(axis=0) + _FLAT * size
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (high - low) + low
    faces = convex_hull(corners)
    if faces is None:
        raise ValueError("the points have no hull")
    return _made(corners, faces)


def grown(hull: Hull, by: float, scaled: bool = False) -> Hull:
    """A hull that contains every point within ``by`` (m) of a hull, for certain.

    Its planes are moved outward, or it is made larger as a whole if ``scaled``, or if it grows little
    by that: a hull of many nearly equal planes is slow, and spoilt by rounding. Sharp corners, or what is
    far from its middle, grow farther.
    """
    middle = hull.vertices.mean(axis=0)
    nearest = float((hull.offsets - hull.normals @ middle).min())
    scaled = scaled or by < _SMALL * nearest
    makers = (_scaled, _offset) if scaled else (_offset, _scaled)
    for maker in makers:
        wanted = by
        for _ in range(_TRIES):
            out = maker(hull, wanted)
            far = float(np.abs(out.vertices - hull.vertices.mean(axis=0)).max())
            if far > 2.0 * hull.boundary.size + 8.0 * by:
                break
            missing = float(((hull.vertices @ out.normals.T).max(axis=0) + by - out.offsets).max())
            missing += out.rounding
            if missing <= 0.0:
                return out
            wanted += 2.0 * missing
    # the hull of balls around all vertices; rounding is far below its margin
    balls = hull_of((hull.vertices[:, None] + 1.01 * by * _around_ball()).reshape(-1, 3))
    return replace(balls, apart=np.inf)


def containing(hull: Hull, points: Floats, least: float) -> Hull | None:
    """The hull made larger as a whole, by ``least`` (m) or more, if it then contains points for certain.

    None if the points are too far outside for that.
    """
    out = _scaled(hull, least)
    return out if out.contains(points).all() else None


def _scaled(hull: Hull, by: float) -> Hull:
    """The hull made larger about its middle."""
    middle = hull.vertices.mean(axis=0)
    nearest = float((hull.offsets - hull.normals @ middle).min())
    vertices = middle + (1.0 + by / nearest) * (hull.vertices - middle)
    moved = float(np.linalg.norm(vertices - hull.vertices, axis=1).max())
    # the same faces: a hull that is made larger as a whole stays one
    return _made(vertices, hull.faces, hull.apart + moved)


def _offset(hull: Hull, by: float) -> Hull:
    """The hull whose planes are moved outward, from the hull of their dual points."""
    middle = hull.vertices.mean(axis=0)
    heights = hull.offsets - hull.normals @ middle
    planes = np.column_stack([hull.normals, heights / hull.boundary.size])
    _, first = np.unique(np.round(planes, 8), axis=0, return_index=True)
    dual = hull.normals[first] / (heights[first] + by)[:, None]
    faces = convex_hull(dual)
    if faces is None:
        return hull
    a, b, c = (dual[faces[:, i]] for i in range(3))
    normal = cross(b - a, c - a)
    scale = np.einsum("ij,ij->i", normal, a)
    good = scale > 1e-9 * np.linalg.norm(normal, axis=1) * np.linalg.norm(a, axis=1)
    return replace(hull_of(middle + normal[good] / scale[good, None]), apart=np.inf)


def _made(points: Floats, triangles: Indices | Faces, apart: float = np.inf) -> Hull:
    used, number = np.unique(triangles, return_inverse=True)
    vertices, faces = points[used], number.reshape(triangles.shape).astype(np.int32)
    corners = vertices[faces]
    sides = np.roll(corners, -1, axis=1) - corners
    normals = cross(sides[:, 0], sides[:, 1])
    # needles have no normal of use, and nothing is behind them alone
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    size = float(np.ptp(vertices, axis=0).max())
    kept = np.linalg.norm(normals, axis=1) > _ROUNDING * size * longest
    normals = unit_rows(normals[kept])
    # what is below all faces of a closed surface is inside, even where rounding dents it
    offsets = np.einsum("ijk,ik->ij", corners[kept], normals).min(axis=1)
    return Hull(vertices, faces, normals, offsets, Triangles(corners), apart)


def _around_ball() -> Floats:
    """The corners (12, 3) of an icosahedron around the unit ball."""
    golden = (1.0 + 5.0**0.5) / 2.0
    signs = [(x, y) for x in (-1.0, 1.0) for y in (-golden, golden)]
    rows = np.array([(0.0, x, y) for x, y in signs])
    out = np.concatenate([rows, np.roll(rows, 1, axis=1), np.roll(rows, 2, axis=1)])
    # the radius of the ball inside an icosahedron with edges of 2
    return np.asarray(out / (golden**2 / 3.0**0.5))
