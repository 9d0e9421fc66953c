"""Shorter paths: exact shortcuts, and MPK's smoothing of corners."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from unibody.model.arrays import Floats
from unibody.planning.edges import Edges
from unibody.planning.lines import configurations
from unibody.planning.loops import AnyCoordinates, AnyEdges, LoopCoordinates, LoopEdges
from unibody.planning.planner import PlanResult, coordinates_in
from unibody.planning.work import OutOfTime, Progress, Work
from unibody.text.renamed import renamed_keywords

#: Chords that are tested in one batch; the one that saves most is taken.
_LOT = 4
#: Rounds of smoothing, and how far a corner is moved towards the middle of its neighbours.
_ROUNDS, _SHARES = 3, (0.5, 0.25)
#: Savings in the metric that are not worth a corner.
_LEAST = 1e-3


@renamed_keywords(seconds="time_limit")
def shorten(
    plan: PlanResult,
    *,
    shortcuts: int = 100,
    smooth: bool = True,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> PlanResult:
    """A shorter plan: random chords of the path replace what is between their ends, where they are free.

    Every chord is proved as the edges of the plan are, or sampled if these are. Then ``smooth`` moves each
    corner halfway towards the middle of its neighbours, as MPK does, as long as the lines to them are
    proved; on closed loops corners stay. ``time_limit`` (s) ends it earlier. ValueError if the plan has no
    path.

    >>> import pytest
    >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    >>> from unibody import collisions, load, plan
    >>> found = plan(collisions(load("src/unibody/models/arm.rob")), None, {"Fore": 0.5})
    >>> shorten(found).length <= found.length
    True
    """
    path = plan.found
    given = coordinates_in(plan)
    edges: AnyEdges
    if given.looped:
        edges, x = LoopEdges(plan.world, LoopCoordinates(given)), list(path)
    else:
        edges, x = Edges(plan.world, given), list(given.from_joints(path))
    coordinates = edges.coordinates
    work = Work(time_limit, shortcuts, progress)
    generator = np.random.default_rng(seed)
    with plan.world.watched(work.check), suppress(OutOfTime):
        while len(x) > 2 and work.goes_on():
            x = _shortcut(edges, x, generator)
        if smooth and isinstance(edges, Edges):
            for _ in range(_ROUNDS):
                before, x = x, _smoothed(edges, x)
                if _length(coordinates, before) - _length(coordinates, x) < _LEAST:
                    break
    return replace(plan, path=configurations(coordinates, x, path[0], path[-1]))


def _shortcut(edges: AnyEdges, x: list[Floats], generator: np.random.Generator) -> list[Floats]:
    """The path with the best of a few random chords that are free, or as it was."""
    coordinates = edges.coordinates
    nodes = np.array(x)
    d = coordinates.difference(nodes[:-1], nodes[1:])
    lengths = coordinates.lengths(d)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    if not along[-1] > 0.0:
        return x
    places = np.sort(generator.uniform(0.0, along[-1], (_LOT, 2)), axis=1)
    at = np.clip(np.searchsorted(along, places, side="right") - 1, 0, len(d) - 1)
    share = (places - along[at]) / np.maximum(lengths[at], 1e-300)
    if isinstance(edges, LoopEdges):
        # what is between two nodes leaves the loops
        share = np.round(share)
        places = along[at] + share * lengths[at]
    ends = coordinates.moved(nodes[at], share[..., None] * d[at])
    chords = coordinates.difference(ends[:, 0], ends[:, 1])
    saved = np.diff(places, axis=1)[:, 0] - coordinates.lengths(chords)
    worth = np.flatnonzero((saved > _LEAST) & (at[:, 0] < at[:, 1]))
    if not len(worth):
        return x
    chains, reached = edges.advance(ends[worth, 0], chords[worth])
    if isinstance(edges, LoopEdges):
        # along the loops, a chord may be longer than what it replaces
        before = np.diff(places, axis=1)[worth, 0].tolist()
        after = [
            _length(coordinates, [ends[at, 0], *chain]) for at, chain in zip(worth, chains, strict=True)
        ]
        reached = reached & (np.array(after) < np.array(before) - _LEAST)
    free = np.flatnonzero(reached)
    if not len(free):
        return x
    best = int(free[saved[worth[free]].argmax()])
    first, last = at[worth[best]].tolist()
    return [*x[: first + 1], ends[worth[best], 0], *chains[best], *x[last + 1 :]]


def _smoothed(edges: Edges, x: list[Floats]) -> list[Floats]:
    """The path with each corner moved towards the middle of its neighbours, as far as that is free."""
    coordinates = edges.coordinates
    out = [x[0]]
    for at in range(1, len(x) - 1):
        before, corner, after = out[-1], x[at], x[at + 1]
        ahead = coordinates.difference(before, after)
        middle = coordinates.difference(corner, coordinates.moved(before, 0.5 * ahead))
        if not _connected(edges, before, ahead):
            for share in _SHARES:
                tried = coordinates.moved(corner, share * middle)
                if _connected(edges, before, coordinates.difference(before, tried)) and _connected(
                    edges, tried, coordinates.difference(tried, after)
                ):
                    corner = tried
                    break
            out.append(corner)
    return [*out, x[-1]]


def _connected(edges: Edges, a: Floats, d: Floats) -> bool:
    return bool(edges.advance(a[None], d[None])[1].all())


def _length(coordinates: AnyCoordinates, x: list[Floats]) -> float:
    nodes = np.array(x)
    return float(coordinates.lengths(coordinates.difference(nodes[:-1], nodes[1:])).sum())
