"""SBL: two trees whose edges are tested only once they connect start and goal.

Sánchez and Latombe 2001, as MPK plans. Milestones are picked through a grid that becomes finer where many
are, so that sparse regions grow first. The edges of a candidate path are sampled, then proved. Where one
collides, the part of its tree behind it changes to the other tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unibody.model.arrays import Flags, Floats, Indices
from unibody.planning.coordinates import Coordinates
from unibody.planning.edges import Edges
from unibody.planning.work import OutOfTime, Work

#: The largest distance in any coordinate between a milestone and its parent, and of a bridge.
_RADIUS, _BRIDGE = 0.2, 0.4
#: Milestones that are expanded in one iteration, and samples about each, in boxes that shrink.
_COUNT, _TRIALS = 4, 4
#: Milestones of a cell of the grid before it is divided.
_CROWDED = 8


@dataclass(slots=True, eq=False)
class _Cell:
    """A box of the grid: a leaf with milestones, or two halves along an axis."""

    low: Floats
    high: Floats
    depth: int
    above: _Cell | None = None
    members: list[int] = field(default_factory=list)
    halves: tuple[_Cell, _Cell] | None = None
    axis: int = 0
    count: int = 0


class _Grid:
    """The milestones of one tree in cells that are halved where they are crowded."""

    def __init__(self, k: int, generator: np.random.Generator) -> None:
        self._generator = generator
        self._order = generator.permutation(k)
        self._root = _Cell(np.zeros(k), np.ones(k), 0)
        self._home: dict[int, _Cell] = {}

    def add(self, number: int, nodes: Floats) -> None:
        cell = self._root
        cell.count += 1
        while cell.halves is not None:
            cell = self._half(cell, nodes[number])
            cell.count += 1
        cell.members.append(number)
        self._home[number] = cell
        if len(cell.members) > _CROWDED and cell.depth < 8 * len(self._order):
            self._divide(cell, nodes)

    def remove(self, number: int) -> None:
        cell: _Cell | None = self._home.pop(number)
        assert cell is not None
        cell.members.remove(number)
        while cell is not None:
            cell.count -= 1
            cell = cell.above

    def pick(self) -> int:
        """A milestone: at each division, either half with milestones is as likely."""
        cell = self._root
        while cell.halves is not None:
            filled = [half for half in cell.halves if half.count]
            cell = filled[int(self._generator.integers(len(filled)))]
        return cell.members[int(self._generator.integers(len(cell.members)))]

    def _half(self, cell: _Cell, x: Floats) -> _Cell:
        assert cell.halves is not None
        inside = x[cell.axis] - np.floor(x[cell.axis])
        return cell.halves[int(inside >= cell.halves[1].low[cell.axis])]

    def _divide(self, cell: _Cell, nodes: Floats) -> None:
        cell.axis = int(self._order[cell.depth % len(self._order)])
        middle = 0.5 * (cell.low[cell.axis] + cell.high[cell.axis])
        first = _Cell(cell.low, cell.high.copy(), cell.depth + 1, cell)
        second = _Cell(cell.low.copy(), cell.high, cell.depth + 1, cell)
        first.high[cell.axis] = second.low[cell.axis] = middle
        cell.halves = first, second
        for number in cell.members:
            half = self._half(cell, nodes[number])
            half.members.append(number)
            half.count += 1
            self._home[number] = half
        cell.members = []


class LazyForest:
    """The two trees: nodes x (count, k), their parents, and which edges to them are proved.

    ``side`` is 0 for the tree of the start, 1 for that of the goals, -1 for nodes that were cut off.
    """

    def __init__(
        self, coordinates: Coordinates, start: Floats, goals: Floats, generator: np.random.Generator
    ) -> None:
        self.coordinates = coordinates
        self._x = np.empty((1024, coordinates.n))
        self._side = np.empty(1024, np.intp)
        self.parents: list[int] = []
        self.proved: list[bool] = []
        self.children: list[list[int]] = []
        self.grids = (_Grid(coordinates.n, generator), _Grid(coordinates.n, generator))
        for side, roots in ((0, start[None]), (1, goals)):
            for x in roots:
                self.add(x, -1, side)

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def nodes(self) -> Floats:
        """All nodes (count, k)."""
        return self._x[: len(self.parents)]

    @property
    def side(self) -> Indices:
        """The tree of each node (count,)."""
        return self._side[: len(self.parents)]

    def add(self, x: Floats, parent: int, side: int) -> int:
        """Add a node, and return its number."""
        number = len(self.parents)
        if number == len(self._x):
            self._x = np.concatenate([self._x, np.empty_like(self._x)])
            self._side = np.concatenate([self._side, np.empty_like(self._side)])
        self._x[number], self._side[number] = x, side
        self.parents.append(parent)
        self.proved.append(False)
        self.children.append([])
        if parent >= 0:
            self.children[parent].append(number)
        self.grids[side].add(number, self._x)
        return number

    def nearest(self, x: Floats, side: int) -> Indices:
        """The nearest node of a tree to each of x (B, k)."""
        own = np.flatnonzero(self.side == side)
        d = self.coordinates.difference(self.nodes[own][None], x[:, None]) * self.coordinates.weights
        return np.asarray(own[np.einsum("bik,bik->bi", d, d).argmin(axis=1)])

    def branch(self, number: int) -> list[int]:
        """The nodes from a node to its root."""
        out = [number]
        while self.parents[out[-1]] >= 0:
            out.append(self.parents[out[-1]])
        return out

    def cut(self, path: list[int], bridge: int, proved: list[bool], wrong: list[int]) -> None:
        """Take edges out of a path whose two trees meet on edge ``bridge``.

        Edge i is between ``path[i]`` and ``path[i + 1]``. What was behind the edges changes to the other
        tree; what is between two of them is cut off.
        """
        first, last = wrong[0], wrong[-1]
        for at in range(len(path) - 1):
            upper, lower = (path[at], path[at + 1]) if at < bridge else (path[at + 1], path[at])
            if at != bridge:
                self.parents[lower] = -1
                self.children[upper].remove(lower)
        for at in range(len(path) - 1):
            if at < first:
                self._tie(path[at + 1], path[at], proved[at], 0)
            elif at > last:
                self._tie(path[at], path[at + 1], proved[at], 1)
        for at in range(first + 1, last + 1):
            self._drop(path[at])

    def _tie(self, lower: int, upper: int, proved: bool, side: int) -> None:
        """Make a node the child of another, with all below it on that one's side."""
        self.parents[lower], self.proved[lower] = upper, proved
        self.children[upper].append(lower)
        self._move(lower, side)

    def _drop(self, number: int) -> None:
        self._move(number, -1)

    def _move(self, number: int, side: int) -> None:
        todo = [number]
        while todo:
            at = todo.pop()
            todo += self.children[at]
            before = int(self._side[at])
            if before != side:
                if before >= 0:
                    self.grids[before].remove(at)
                if side >= 0:
                    self.grids[side].add(at, self._x)
                self._side[at] = side


def sbl(
    edges: Edges, start: Floats, goals: Floats, generator: np.random.Generator, work: Work
) -> tuple[list[Floats] | None, int, LazyForest]:
    """A proved path, nodes x (k,) from ``start`` (k,) to one of the goals (g, k); None if none was found.

    Returns the configurations, the number of the goal, and the trees.
    """
    forest = LazyForest(edges.coordinates, start, goals, generator)
    try:
        path = _connected(edges, forest, generator, work)
    except OutOfTime:
        path = None
    if path is None:
        return None, -1, forest
    return [forest.nodes[i] for i in path], path[-1] - 1, forest


def _connected(
    edges: Edges, forest: LazyForest, generator: np.random.Generator, work: Work
) -> list[int] | None:
    """The nodes of a proved path; None if the work ends before."""
    while work.goes_on():
        side = int(generator.integers(2))
        new = _expand(edges, forest, side, generator)
        if not new:
            continue
        near = forest.nearest(forest.nodes[new], 1 - side)
        for number, other in zip(new, near.tolist(), strict=True):
            # an earlier bridge of this iteration may have moved either end
            if forest.side[number] != side or forest.side[other] != 1 - side:
                continue
            d = edges.coordinates.difference(forest.nodes[number], forest.nodes[other])
            if np.abs(d).max() > _BRIDGE:
                continue
            path = _proved_path(edges, forest, (number, other) if side == 0 else (other, number))
            if path is not None:
                return path
    return None


def _expand(edges: Edges, forest: LazyForest, side: int, generator: np.random.Generator) -> list[int]:
    """New milestones of a tree, each free itself, near picked ones."""
    coordinates = edges.coordinates
    picked = np.array([forest.grids[side].pick() for _ in range(_COUNT)])
    radius = _RADIUS / np.arange(1.0, _TRIALS + 1.0)
    offset = generator.uniform(-1.0, 1.0, (_COUNT, _TRIALS, coordinates.n)) * radius[:, None]
    x = forest.nodes[picked][:, None] + offset
    x = np.where(coordinates.cyclic, x, np.clip(x, 0.0, 1.0))
    good = ~edges.colliding(x.reshape(-1, coordinates.n)).reshape(_COUNT, _TRIALS)
    return [
        forest.add(x[at, int(row.argmax())], int(picked[at]), side)
        for at, row in enumerate(good)
        if row.any()
    ]


def _proved_path(edges: Edges, forest: LazyForest, ends: tuple[int, int]) -> list[int] | None:
    """The path through a bridge between both trees, if it is free; else its wrong edges are cut."""
    forth, back = forest.branch(ends[0]), forest.branch(ends[1])
    path = [*reversed(forth), *back]
    bridge = len(forth) - 1
    proved = [
        False if at == bridge else forest.proved[path[at + 1] if at < bridge else path[at]]
        for at in range(len(path) - 1)
    ]
    open_ = [at for at, known in enumerate(proved) if not known]
    x = forest.nodes[path]
    d = edges.coordinates.difference(x[:-1], x[1:])
    wrong = _refuted(edges, x[:-1][open_], d[open_])
    if not wrong.any():
        free = edges.free(x[:-1][open_], d[open_])
        for at, known in zip(open_, free.tolist(), strict=True):
            proved[at] = known
        wrong = ~free
    if not wrong.any():
        return path
    forest.cut(path, bridge, proved, np.array(open_)[wrong].tolist())
    return None


def _refuted(edges: Edges, a: Floats, d: Floats) -> Flags:
    """Which motions collide at a few samples: the middles of all first."""
    out = np.zeros(len(a), bool)
    for times in (np.array([0.5]), np.array([0.25, 0.75]), np.arange(1, 8, 2) / 8.0):
        x = a[:, None] + times[:, None] * d[:, None]
        hit = edges.colliding(x.reshape(-1, a.shape[1])).reshape(len(a), len(times)).any(axis=1)
        out |= hit
        if out.any():
            break
    return out
