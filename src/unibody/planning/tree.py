"""A tree of configurations, searched for the nearest ones."""

from __future__ import annotations

import numpy as np

from unibody.model.arrays import Floats, Indices
from unibody.planning.loops import AnyCoordinates


class SearchTree:
    """Nodes x (count, k), each with its parent, -1 for the roots."""

    def __init__(self, coordinates: AnyCoordinates, roots: Floats) -> None:
        self._coordinates = coordinates
        self._nodes = np.empty((1024, coordinates.n))
        self.parents: list[int] = []
        for root in roots:
            self.add(root, -1)

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def nodes(self) -> Floats:
        """All nodes (count, k)."""
        return self._nodes[: len(self.parents)]

    def add(self, x: Floats, parent: int) -> int:
        """Add a node, and return its number."""
        number = len(self.parents)
        if number == len(self._nodes):
            self._nodes = np.concatenate([self._nodes, np.empty_like(self._nodes)])
        self._nodes[number] = x
        self.parents.append(parent)
        return number

    def add_chain(self, chain: Floats, parent: int) -> int:
        """Add nodes one after the other, and return the number of the last, or the parent."""
        for x in chain:
            parent = self.add(x, parent)
        return parent

    def nearest(self, x: Floats) -> Indices:
        """The nearest node to each of x (B, k)."""
        d = self._coordinates.difference(self.nodes[None], x[:, None])
        d *= self._coordinates.weights
        return np.asarray(np.einsum("bik,bik->bi", d, d).argmin(axis=1))

    def branch(self, number: int) -> list[int]:
        """The nodes from a node to its root."""
        out = [number]
        while self.parents[out[-1]] >= 0:
            out.append(self.parents[out[-1]])
        return out
