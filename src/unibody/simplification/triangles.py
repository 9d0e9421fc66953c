"""Distances of points from triangles, and what closed triangles enclose, in batches."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from unibody.meshes.surface import cross
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.rotation import rotation_matrices

#: Triangles of a leaf, and pairs of points and triangles that are computed at once.
_LEAF, _LOT = 8, 400_000
#: Points that are compared with all leaves at once.
_POINTS = 512
#: Rotations (their quaternions are arbitrary) after which rays along X miss edges; two of three decide.
_TURNS = np.array([[0.8, 0.3, 0.4, 0.331], [0.5, -0.6, 0.2, 0.592], [0.3, 0.4, -0.7, 0.513]])


class Triangles:
    """Triangles (n, 3, 3) in leaves of a tree; ``closed`` are those that enclose something.

    ``closed`` must have an even number of triangles at each edge.
    """

    def __init__(self, corners: Floats, closed: Flags | None = None) -> None:
        self.corners = corners
        self.size = float(np.linalg.norm(np.ptp(corners.reshape(-1, 3), axis=0)))
        self._closed = corners[:0] if closed is None else corners[closed]

    @cached_property
    def _tree(self) -> tuple[Indices, Floats, Floats]:
        """The leaves and their boxes."""
        leaves = _leaves(self.corners)
        return leaves, *_boxes(self.corners, leaves)

    @cached_property
    def _boxes(self) -> tuple[Floats, Floats]:
        """The boxes of the triangles."""
        return self.corners.min(axis=1), self.corners.max(axis=1)

    @cached_property
    def _solid(self) -> list[tuple[Floats, Floats, Indices, Floats, Floats]]:
        """The closed triangles in three directions, with leaves and their boxes."""
        leaves = _leaves(self._closed)
        turns = rotation_matrices(_TURNS / np.linalg.norm(_TURNS, axis=-1, keepdims=True))
        turned = [self._closed @ turn.T for turn in turns]
        return [
            (turn, mine, leaves, *_boxes(mine, leaves)) for turn, mine in zip(turns, turned, strict=True)
        ]

    def nearest(self, points: Floats) -> tuple[Floats, Indices]:
        """The distances (m,) of points (m, 3) from the triangles, and the nearest triangles (m,)."""
        distances, places = np.empty(len(points)), np.empty(len(points), np.intp)
        for at in range(0, len(points), _POINTS):
            lot = slice(at, at + _POINTS)
            distances[lot], places[lot] = self._nearest(points[lot])
        return distances, places

    def _nearest(self, points: Floats) -> tuple[Floats, Indices]:
        _, low, high = self._tree
        off = np.maximum(low[None] - points[:, None], points[:, None] - high[None])
        np.maximum(off, 0.0, out=off)
        lower = np.einsum("ijk,ijk->ij", off, off)
        leaves = self._tree[0][lower.argmin(axis=1)]
        found = point_distances(points[:, None], self.corners[leaves])
        every, nearest = np.arange(len(points)), found.argmin(axis=1)
        best, place = found[every, nearest], leaves[every, nearest]
        limits = best**2 + 1e-12 * self.size**2
        owner, leaf = np.nonzero(lower <= limits[:, None])
        lot = max(1, _LOT // _LEAF)
        for at in range(0, len(owner), lot):
            self._improve(points, limits, owner[at : at + lot], leaf[at : at + lot], best, place)
        return best, place

    def _improve(
        self, points: Floats, limits: Floats, owner: Indices, leaf: Indices, best: Floats, place: Indices
    ) -> None:
        """Test the triangles of leaves, each for a point, whose boxes are within a squared distance."""
        low, high = self._boxes
        mine = self._tree[0][leaf]
        at = points[owner, None]
        off = np.maximum(low[mine] - at, at - high[mine])
        np.maximum(off, 0.0, out=off)
        near = np.einsum("ijk,ijk->ij", off, off) <= limits[owner, None]
        owner, mine = np.broadcast_to(owner[:, None], mine.shape)[near], mine[near]
        found = point_distances(points[owner], self.corners[mine])
        order = np.lexsort((found, owner))
        starts = order[np.concatenate([[True], np.diff(owner[order]) > 0])] if len(order) else order
        better = starts[found[starts] < best[owner[starts]]]
        best[owner[better]], place[owner[better]] = found[better], mine[better]

    @property
    def is_closed(self) -> bool:
        """Whether there is an inside."""
        return bool(len(self._closed))

    def inside(self, points: Floats) -> Flags:
        """Whether points (m, 3) are inside of the closed triangles; points on them may be either."""
        votes = np.zeros(len(points), np.intp)
        for turn, corners, leaves, low, high in self._solid if self.is_closed else ():
            turned = points @ turn.T
            for at in range(0, len(points), _POINTS):
                lot = turned[at : at + _POINTS]
                hit = (lot[:, None, 1:] >= low[None, :, 1:]) & (lot[:, None, 1:] <= high[None, :, 1:])
                owner, leaf = np.nonzero(hit.all(axis=2) & (lot[:, None, 0] <= high[None, :, 0]))
                crossed = _crossings(lot[owner], corners[leaves[leaf]], leaves[leaf])
                count = np.zeros(len(lot), np.intp)
                np.add.at(count, owner, crossed)
                votes[at : at + _POINTS] += count % 2
        return votes >= 2


def point_distances(points: Floats, corners: Floats) -> Floats:
    """Distances (...) of points (..., 3) from triangles (..., 3, 3).

    >>> float(point_distances(np.array([0.2, 0.2, 2.0]), np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])))
    2.0
    """
    a, b, c = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :]
    best = np.minimum(_segment(points, a, b), np.minimum(_segment(points, b, c), _segment(points, c, a)))
    normal = cross(b - a, c - a)
    square = np.einsum("...i,...i->...", normal, normal)
    over = np.ones(best.shape, bool)
    for p, q in ((a, b), (b, c), (c, a)):
        over &= np.einsum("...i,...i->...", cross(normal, q - p), points - p) >= 0.0
    with np.errstate(all="ignore"):
        height = np.einsum("...i,...i->...", normal, points - a) ** 2 / square
    best = np.where(over & (square > 0.0), np.minimum(best, height), best)
    return np.asarray(np.sqrt(best))


def nearest_points(points: Floats, corners: Floats) -> Floats:
    """The points (n, 3) of triangles (n, 3, 3) that are nearest to points (n, 3), of one each."""
    a, b, c = (corners[:, corner] for corner in range(3))
    best, found = np.full(len(points), np.inf), np.array(points)

    def offer(places: Floats, allowed: Flags) -> None:
        distance = np.where(allowed, np.einsum("ij,ij->i", places - points, places - points), np.inf)
        nearer = distance < best
        best[nearer], found[nearer] = distance[nearer], places[nearer]

    normal = cross(b - a, c - a)
    square = np.einsum("ij,ij->i", normal, normal)
    over = square > 0.0
    for p, q in ((a, b), (b, c), (c, a)):
        over &= np.einsum("ij,ij->i", cross(normal, q - p), points - p) >= 0.0
        side = q - p
        length = np.einsum("ij,ij->i", side, side)
        along = np.einsum("ij,ij->i", points - p, side) / np.where(length > 0.0, length, 1.0)
        offer(p + np.clip(along, 0.0, 1.0)[:, None] * side, np.ones(len(points), bool))
    height = np.einsum("ij,ij->i", normal, points - a) / np.where(square > 0.0, square, 1.0)
    offer(points - height[:, None] * normal, over)
    return found


def _segment(points: Floats, a: Floats, b: Floats) -> Floats:
    """Squared distances of points from segments."""
    along, away = b - a, points - a
    length = np.einsum("...i,...i->...", along, along)
    share = np.einsum("...i,...i->...", away, along) / np.where(length > 0.0, length, 1.0)
    rest = away - np.clip(share, 0.0, 1.0)[..., None] * along
    return np.asarray(np.einsum("...i,...i->...", rest, rest))


def _crossings(points: Floats, corners: Floats, numbers: Indices) -> Indices:
    """How many different triangles (k, j, 3, 3) rays along X from points (k, 3) cross."""
    y, z = corners[..., 1] - points[:, None, None, 1], corners[..., 2] - points[:, None, None, 2]
    sides = np.stack([y[..., i] * z[..., i - 2] - z[..., i] * y[..., i - 2] for i in range(3)], axis=-1)
    within = (sides > 0.0).all(axis=-1) | (sides < 0.0).all(axis=-1)
    area = sides.sum(axis=-1)
    with np.errstate(all="ignore"):
        # the corner across from a side has the side's share of the area
        x = sum(sides[..., i] * corners[..., i - 1, 0] for i in range(3)) / area
    ahead = within & (x > points[:, None, 0])
    # the last triangle of a leaf may be there several times
    ahead[:, 1:] &= numbers[:, 1:] != numbers[:, :-1]
    return np.asarray(ahead.sum(axis=1))


def _leaves(corners: Floats) -> Indices:
    """Places of triangles that are near one another, (leaves, _LEAF); the last one is repeated."""
    middle = corners.mean(axis=1)
    out: list[Indices] = []
    stack = [np.arange(len(corners))]
    while stack:
        mine = stack.pop()
        if len(mine) <= _LEAF:
            out.append(np.concatenate([mine, np.repeat(mine[-1:], _LEAF - len(mine))]))
            continue
        axis = int(np.ptp(middle[mine], axis=0).argmax())
        half = len(mine) // 2
        order = np.argpartition(middle[mine, axis], half)
        stack += [mine[order[:half]], mine[order[half:]]]
    return np.array(out, np.intp).reshape(-1, _LEAF)


def _boxes(corners: Floats, leaves: Indices) -> tuple[Floats, Floats]:
    found = corners[leaves].reshape(len(leaves), -1, 3)
    return found.min(axis=1), found.max(axis=1)
