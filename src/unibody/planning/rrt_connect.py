"""RRT-Connect: two trees that grow towards random configurations and one another.

Kuffner and LaValle 2000, with several samples at a time: the edges of all are proved in one batch.
"""

from __future__ import annotations

import numpy as np

from unibody.model.arrays import Floats
from unibody.planning.loops import AnyEdges
from unibody.planning.tree import SearchTree
from unibody.planning.work import OutOfTime, Work

#: Samples of an iteration: the first are few, since most problems are easy.
_LEAST, _MOST = 2, 8
#: The longest motion towards a sample, in weighted coordinates, as a share of the whole space.
_REACH = 0.3


def rrt_connect(
    edges: AnyEdges, start: Floats, goals: Floats, generator: np.random.Generator, work: Work
) -> tuple[list[Floats] | None, int, tuple[SearchTree, SearchTree]]:
    """A proved path, nodes x (k,) from ``start`` (k,) to one of the goals (g, k); None if none was found.

    Returns the configurations, the number of the goal, and both trees.
    """
    trees = SearchTree(edges.coordinates, start[None]), SearchTree(edges.coordinates, goals)
    try:
        found = _grown(edges, trees, generator, work)
    except OutOfTime:
        found = None
    if found is None:
        return None, -1, trees
    forth, back = found
    path = [trees[0].nodes[i] for i in reversed(forth)] + [trees[1].nodes[i] for i in back[1:]]
    return path, back[-1], trees


def _grown(
    edges: AnyEdges, trees: tuple[SearchTree, SearchTree], generator: np.random.Generator, work: Work
) -> tuple[list[int], list[int]] | None:
    """The branches of the two trees that meet, from there to the roots; None if the work ends before."""
    coordinates = edges.coordinates
    mine, other = trees
    farthest = _REACH * coordinates.size
    count = _LEAST
    while work.goes_on():
        if len(mine) > len(other):
            mine, other = other, mine
        samples = coordinates.samples(generator, count)
        near = mine.nearest(samples)
        begin = mine.nodes[near]
        d = coordinates.difference(begin, samples)
        length = coordinates.lengths(d)
        d *= np.minimum(1.0, farthest / np.maximum(length, 1e-300))[:, None]
        chains, _ = edges.advance(begin, d)
        tips = [
            mine.add_chain(chain, int(at)) for chain, at in zip(chains, near, strict=True) if len(chain)
        ]
        if not tips:
            continue
        ends = mine.nodes[tips]
        near = other.nearest(ends)
        begin = other.nodes[near]
        chains, reached = edges.advance(begin, coordinates.difference(begin, ends))
        for tip, chain, at, met in zip(tips, chains, near.tolist(), reached, strict=True):
            last = other.add_chain(chain, at)
            if met:
                first, second = (tip, last) if mine is trees[0] else (last, tip)
                return trees[0].branch(first), trees[1].branch(second)
        count = min(_MOST, count + (work.iterations % 8 == 0))
    return None
