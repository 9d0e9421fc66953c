"""Edges of search trees: how far a motion is free, and whether it is proved."""

from __future__ import annotations

import numpy as np

from unibody.collision.world import World
from unibody.model.arrays import Flags, Floats, Indices
from unibody.planning.coordinates import Coordinates

#: The longest step of a search tree, in rad or m of any joint.
STEP = 0.25
#: Edges on which a pair comes nearer than this (m) are not tried to be proved while searching.
NEAR = 1e-4


class Edges:
    """Straight motions in the coordinates of a world, tested in batches."""

    def __init__(self, world: World, coordinates: Coordinates) -> None:
        self.world, self.coordinates = world, coordinates

    def colliding(self, x: Floats) -> Flags:
        """Whether anything touches in x (B, n): (B,)."""
        return np.asarray(self.world.colliding(self.coordinates.to_joints(x)))

    def free(self, a: Floats, d: Floats) -> Flags:
        """Whether the motions from x = a (B, n) along d (B, m) are proved, (B,)."""
        to_joints = self.coordinates.to_joints
        return np.asarray(self.world.free(to_joints(a), to_joints(self.coordinates.moved(a, d)), NEAR))

    def advance(self, a: Floats, d: Floats) -> tuple[list[Floats], Flags]:
        """Go from x = a (B, n) along d (B, m), as far as is proved free.

        Returns for each motion the ends of its proved steps, and whether all of it is proved.
        """
        moved, to_joints = self.coordinates.moved, self.coordinates.to_joints
        counts = np.maximum(np.ceil(self.coordinates.strides(d) / STEP), 1.0).astype(np.intp)
        owner = np.repeat(np.arange(len(a)), counts)
        place = _places(counts)
        begin = moved(a[owner], (place / counts[owner])[:, None] * d[owner])
        end = moved(a[owner], ((place + 1) / counts[owner])[:, None] * d[owner])
        open_ = place < _first(self.colliding(end), owner, place, counts)[owner]
        good = np.zeros(len(owner), bool)
        good[open_] = self.world.free(to_joints(begin[open_]), to_joints(end[open_]), NEAR)
        steps = _first(~good, owner, place, counts)
        ends = np.split(end, np.cumsum(counts)[:-1])
        return [mine[:count] for mine, count in zip(ends, steps.tolist(), strict=True)], steps == counts


def _places(counts: Indices) -> Indices:
    """0, 1, … for each of the counts, one after the other."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)


def _first(wrong: Flags, owner: Indices, place: Indices, counts: Indices) -> Indices:
    """The place of the first wrong one of each owner; its count if there is none."""
    out = counts.copy()
    np.minimum.at(out, owner[wrong], place[wrong])
    return out
