"""The convex hull of points, as triangles.

Points are rounded to a grid of 2⁻⁵² of their size, on which it is known exactly on which side of a plane a
point is: floating point decides where its error is small enough, integers decide elsewhere. The surface is
therefore closed and convex after each step, however the points lie: a hull of n corners has 2n − 4 faces.

Each step adds many points at once: those that see parts of the surface that neither overlap nor touch. The
result is the same as if they were added one after the other, and numpy works on long arrays.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats, Integers

#: Bits of the grid: differences and products of two differences then have small errors that are known.
_BITS = 52
#: How far outside of the hull a point may be, and how thick points in a plane may be, relative to the size.
_TOLERANCE, _FLAT = 2.0**-44, 1e-12
#: Pairs of a point and a face that are measured at a time.
_PAIRS = 1 << 20


def convex_hull(points: Floats, height: float = 0.0) -> Integers | None:
    """The outward faces (m, 3) of the convex hull of points (n, 3); None if they lie in a plane.

    Points less than 1e-13 of the size outside are left out, and those less than ``height`` above all faces,
    the farthest points first. ValueError if a coordinate is not finite.

    >>> len(convex_hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])))
    4
    """
    points = np.asarray(points, np.float64).reshape(-1, 3)
    if not np.isfinite(points).all():
        raise ValueError("a point is not finite")
    if len(points) < 4:
        return None
    # Scaled by powers of two, which is exact.
    largest = math.frexp(float(np.abs(points).max()))[1]
    points = np.ldexp(points, -largest)
    points = points - points.min(axis=0)
    size = float(points.max())
    if size == 0.0:
        return None
    exponent = math.frexp(size)[1]
    grid = np.rint(np.ldexp(points, _BITS - exponent)).astype(np.int64)
    # What the coordinates themselves are rounded by: more than the grid, where the points are far away.
    rounding = math.ldexp(1.0, -_BITS - exponent)
    tolerance = max(_TOLERANCE, 2.0 * rounding)
    start = _simplex(np.ldexp(grid.astype(np.float64), -_BITS), max(_FLAT, 16.0 * rounding))
    if start is None:
        return None
    volume = _exact_volumes(grid, np.array([start[:3]]), np.array([start[3]]))[0]
    if volume == 0:
        return None
    surface = _Surface(grid, start if volume < 0 else [start[1], start[0], *start[2:]], tolerance)
    surface.grow(math.ldexp(height, -largest - exponent))
    return surface.faces[surface.rows()]


class _Surface:
    """The closed surface of a convex solid, which grows by corners.

    ``near`` (m, 3) holds the faces across the edges from the corners 0 to 1, 1 to 2 and 2 to 0; ``planes``
    (6, m) the normals, offsets, the largest error of a height above the plane, and the height up to which a
    point is inside: so that it is in the solid if moved by ``tolerance`` of its way to the middle.
    """

    def __init__(self, grid: Integers, start: list[int], tolerance: float) -> None:
        self.grid = grid
        self.points = np.ascontiguousarray(np.ldexp(grid.astype(np.float64), -_BITS).T)
        self.middle, self.tolerance = self.points[:, start].sum(axis=1) / 4.0, tolerance
        a, b, c, d = start
        self.count = 4
        self.faces = np.array([(a, b, c), (b, a, d), (c, b, d), (a, c, d)])
        self.near = np.array([(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)])
        self.planes = self._planes(self.faces)
        self.removed = np.full(4, -1)
        self.free = np.zeros(0, np.int64)
        # The points that are outside, and the face that each is highest above. The highest point of each
        # face, and its height above what counts as inside, or 0 without points.
        self.left = self.owners = np.zeros(0, np.int64)
        self.tops, self.peaks = np.zeros(4, np.int64), np.zeros(4)

    def rows(self) -> Integers:
        """The numbers of the faces: the other rows of the arrays are unused."""
        used = np.ones(self.count, bool)
        used[self.free] = False
        return np.flatnonzero(used)

    def grow(self, height: float) -> None:
        """Add points until none is higher than ``height``."""
        points = np.arange(len(self.grid))
        while True:
            # Each of all points gets one of all faces.
            self.left = self.owners = points[:0]
            faces = self.rows()
            self._assign(points, points * 0, faces, points[:1] * 0, np.array([len(faces)]))
            if not (self.peaks[: self.count] > height).any():
                return
            while True:
                faces = self._highest(height)
                if not faces.size:
                    break
                self._add(*self._apart(faces, self.tops[faces]))
            if height <= 0.0:
                return
            points = self.left

    def _highest(self, height: float) -> Integers:
        """Faces that have a point above ``height``, which is higher than those of the faces around."""
        peaks = self.peaks[: self.count]
        faces = np.flatnonzero(peaks > height)
        near = peaks[self.near[faces]]
        return np.asarray(faces[peaks[faces] >= near.max(axis=1)])

    def _apart(self, faces: Integers, points: Integers) -> tuple[Integers, Integers, Integers]:
        """Points that see parts of the surface which do not touch, the faces seen, and by which point."""
        ranks = np.empty(len(points), np.int64)
        ranks[np.argsort(self.peaks[faces], kind="stable")] = np.arange(len(points))
        owners, seen, around_owners, around = self._seen(faces, points)
        claims = np.full(self.count, -1)
        order = np.argsort(ranks[owners], kind="stable")
        claims[seen[order]] = ranks[owners[order]]
        good = np.ones(len(points), bool)
        good[owners[claims[seen] > ranks[owners]]] = False
        good[around_owners[claims[around] > ranks[around_owners]]] = False
        numbers = np.cumsum(good) - 1
        kept = good[owners]
        return points[good], seen[kept], numbers[owners[kept]]

    def _seen(self, faces: Integers, points: Integers) -> tuple[Integers, Integers, Integers, Integers]:
        """The faces that points (k,) see, with the number of the point, and so the faces around these."""
        count = self.count
        numbers = np.arange(len(points))
        keys = known = numbers * count + faces
        visible = [keys]
        around: list[Integers] = []
        while keys.size:
            numbers, faces = np.divmod(keys, count)
            keys = np.sort(((numbers * count)[:, None] + self.near[faces]).ravel())
            keys = keys[np.append(True, keys[1:] != keys[:-1])]
            place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            keys = keys[known[place] != keys]
            if not keys.size:
                break
            known = np.sort(np.concatenate([known, keys]), kind="stable")
            numbers, faces = np.divmod(keys, count)
            above = self._heights(faces, points[numbers], np.zeros(1)) > 0.0
            around.append(keys[~above])
            keys = keys[above]
            visible.append(keys)
        seen = np.divmod(np.concatenate(visible), count)
        beside = np.divmod(np.concatenate(around), count)
        return seen[0], seen[1], beside[0], beside[1]

    def _add(self, points: Integers, seen: Integers, numbers: Integers) -> None:
        """Replace the faces ``seen``, each by one of ``points`` (``numbers``), by cones to these points."""
        self.removed[seen] = numbers
        near = self.near[seen]
        rows, sides = np.nonzero(self.removed[near] < 0)
        outer, faces, numbers = near[rows, sides], self.faces[seen[rows]], numbers[rows]
        every = np.arange(len(rows))
        first, second = faces[every, sides], faces[every, (sides + 1) % 3]
        size = len(self.grid)
        order = np.argsort(numbers * size + first, kind="stable")
        outer, first, second, numbers = outer[order], first[order], second[order], numbers[order]
        before = np.argsort(numbers * size + second, kind="stable")
        after = np.empty_like(before)
        after[before] = every

        places = self._room(seen, len(rows))
        made = np.column_stack([first, second, points[numbers]])
        self.faces[places] = made
        self.near[places] = np.column_stack([outer, places[after], places[before]])
        self.near[outer, (self.faces[outer] == second[:, None]).argmax(axis=1)] = places
        self.planes[:, places] = self._planes(made)

        owned = self.removed[self.owners]
        self.removed[seen] = -1
        lost = owned >= 0
        orphans, whose = self.left[lost], owned[lost]
        self.left, self.owners = self.left[~lost], self.owners[~lost]
        counts = np.bincount(numbers, minlength=len(points))
        self._assign(orphans, whose, places, np.cumsum(counts) - counts, counts)

    def _assign(
        self, points: Integers, groups: Integers, faces: Integers, starts: Integers, counts: Integers
    ) -> None:
        """Give each point the face of its group that it is highest above, or forget it if it is inside."""
        self.peaks[faces] = 0.0
        left, owners = [self.left], [self.owners]
        most = max(1, _PAIRS // int(counts.max(initial=1)))
        for begin in range(0, len(points), most):
            block, group = points[begin : begin + most], groups[begin : begin + most]
            many = counts[group]
            ends = np.cumsum(many)
            firsts = ends - many
            rows = np.repeat(np.arange(len(block)), many)
            candidates = faces[np.arange(int(ends[-1])) + np.repeat(starts[group] - firsts, many)]
            inside = self.planes[5][candidates]
            heights = self._heights(candidates, block[rows], inside) - inside
            highest = np.maximum.reduceat(heights, firsts)
            top = np.flatnonzero(heights == highest[rows])[::-1]
            best = np.empty(len(block), np.int64)
            best[rows[top]] = candidates[top]
            outside = np.flatnonzero(highest > 0.0)
            outside = outside[np.argsort(highest[outside], kind="stable")]
            block, best, highest = block[outside], best[outside], highest[outside]
            left.append(block)
            owners.append(best)
            higher = highest > self.peaks[best]
            self.tops[best[higher]], self.peaks[best[higher]] = block[higher], highest[higher]
        self.left, self.owners = np.concatenate(left), np.concatenate(owners)

    def _heights(self, faces: Integers, points: Integers, least: Floats) -> Floats:
        """Heights of points above faces, exact where the sign is in doubt and the error above ``least``."""
        x, y, z = self.points
        a, b, c, offsets, bounds, _ = self.planes
        heights = a[faces] * x[points] + b[faces] * y[points] + c[faces] * z[points] - offsets[faces]
        errors = bounds[faces]
        unsure = np.flatnonzero((errors > least) & (np.abs(heights) <= errors))
        if unsure.size:
            heights[unsure] = self._exact_heights(self.faces[faces[unsure]], points[unsure])
        return np.asarray(heights)

    def _exact_heights(self, faces: Integers, points: Integers) -> Floats:
        volumes = _exact_volumes(self.grid, faces, points).astype(np.float64)
        normals = _exact_normals(self.grid, faces)
        lengths = np.sqrt(sum(np.square(n.astype(np.float64)) for n in normals))
        return np.ldexp(volumes / lengths, -_BITS)

    def _planes(self, faces: Integers) -> Floats:
        a, b, c = (self.points[:, faces[:, corner]] for corner in range(3))
        u, v = b - a, c - a
        # The differences are exact; each product and each sum is rounded once.
        left = np.array([u[1] * v[2], u[2] * v[0], u[0] * v[1]])
        right = np.array([u[2] * v[1], u[0] * v[2], u[1] * v[0]])
        normals = left - right
        lengths = np.sqrt(np.square(normals).sum(axis=0))
        sizes = (np.abs(left) + np.abs(right)).sum(axis=0)
        flat = lengths == 0.0
        lengths[flat] = 1.0
        normals /= lengths
        errors = 2.0**-53 * (4.0 * sizes / lengths + 16.0)
        errors[flat] = np.inf
        offsets = (normals * a).sum(axis=0)
        depths = offsets - (normals * self.middle[:, None]).sum(axis=0)
        return np.array([*normals, offsets, errors, self.tolerance * np.maximum(depths, 0.0)])

    def _room(self, unused: Integers, size: int) -> Integers:
        """Rows for ``size`` new faces: unused ones, then new ones at the end of the arrays."""
        unused = np.concatenate([unused, self.free])
        places, self.free = unused[:size], unused[size:]
        self.peaks[self.free] = 0.0
        old = self.count
        self.count += size - len(places)
        room = len(self.faces)
        if self.count > room:
            more = max(self.count, 2 * room) - room
            self.faces = np.concatenate([self.faces, np.zeros((more, 3), np.int64)])
            self.near = np.concatenate([self.near, np.zeros((more, 3), np.int64)])
            self.planes = np.concatenate([self.planes, np.zeros((6, more))], axis=1)
            self.removed = np.concatenate([self.removed, np.full(more, -1)])
            self.tops = np.concatenate([self.tops, np.zeros(more, np.int64)])
            self.peaks = np.concatenate([self.peaks, np.zeros(more)])
        return np.concatenate([places, np.arange(old, self.count)])


def _exact_normals(grid: Integers, faces: Integers) -> list[NDArray[np.object_]]:
    """The normals of faces as three arrays of integers of any size."""
    a = grid[faces[:, 0]]
    u, v = ((grid[faces[:, corner]] - a).astype(object).T for corner in (1, 2))
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def _exact_volumes(grid: Integers, faces: Integers, points: Integers) -> NDArray[np.object_]:
    """Six times the volumes of tetrahedra: above 0 if the point is above its face."""
    x, y, z = (grid[points] - grid[faces[:, 0]]).astype(object).T
    normals = _exact_normals(grid, faces)
    return np.asarray(x * normals[0] + y * normals[1] + z * normals[2])


def _simplex(points: Floats, flat: float) -> list[int] | None:
    """Four points of a box of size 1 that are farther than ``flat`` from a plane."""
    axis = int(np.ptp(points, axis=0).argmax())
    a, b = int(points[:, axis].argmin()), int(points[:, axis].argmax())
    along = points[b] - points[a]
    along /= np.sqrt(np.square(along).sum())
    off = np.sqrt(np.square(np.cross(points - points[a], along)).sum(axis=1))
    c = int(off.argmax())
    if not off[c] > flat:
        return None
    normal = np.cross(along, points[c] - points[a])
    normal /= np.sqrt(np.square(normal).sum())
    heights = np.abs(((points - points[a]) * normal).sum(axis=1))
    d = int(heights.argmax())
    return [a, b, c, d] if heights[d] > flat else None
