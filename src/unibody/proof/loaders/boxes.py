"""The bounding boxes of the shapes that links have in an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Extent = Callable[[Any, Sequence[float]], Any]


def _cylinder(turn: Any, sizes: Sequence[float]) -> Any:
    radius, half = sizes
    return half * np.abs(turn[:, 2]) + radius * np.hypot(turn[:, 0], turn[:, 1])


# How far a shape reaches along each axis of the link, by its half sizes and a matrix (3, 3) from its axes.
_EXTENTS: dict[str, Extent] = {
    "box": lambda turn, sizes: np.abs(turn) @ np.array(sizes, float),
    "sphere": lambda turn, sizes: sizes[0] * np.linalg.norm(turn, axis=1),
    "ellipsoid": lambda turn, sizes: np.linalg.norm(turn * np.array(sizes, float), axis=1),
    "cylinder": _cylinder,
    "capsule": lambda turn, sizes: sizes[1] * np.abs(turn[:, 2]) + sizes[0],
}


class Boxes:
    """The box of each link around its collision shapes, and around its visual ones, in axes of the link.

    ``roles`` are those whose shapes the engine reads.
    """

    def __init__(self, *roles: str) -> None:
        self.roles = list(roles)
        self._found: dict[tuple[str, str], dict[str, Any]] = {}
        self._boxes: dict[tuple[str, str], Any] = {}

    def add(
        self, link: str, role: str, kind: str, turn: Any, place: Any, sizes: Sequence[float] = ()
    ) -> None:
        """Add a shape at a pose in its link; round ones are along their z. An unknown kind has no box.

        ``sizes`` are half lengths of a box, radius and half length of cylinders and capsules, or radii.
        """
        extent = _EXTENTS.get(kind)
        if extent is None:
            self.leave_out(link, role)
            return
        reach = extent(np.asarray(turn, float), sizes)
        self._join(link, role, np.stack([place - reach, place + reach]))

    def add_points(
        self, link: str, role: str, points: Any, turn: Any, place: Any, *, hull: bool = False
    ) -> None:
        """Add a mesh (n, 3) at a pose in its link; ``hull`` tells that it collides as its convex hull."""
        placed = np.asarray(points, float) @ np.asarray(turn, float).T + place
        if not len(placed):
            self.leave_out(link, role)
            return
        self._join(link, role, np.stack([placed.min(axis=0), placed.max(axis=0)]), hull=hull)

    def leave_out(self, link: str, role: str) -> None:
        """Note a shape whose box is not known: that of its link is not compared."""
        self._entry(link, role)["whole"] = False

    def _entry(self, link: str, role: str) -> dict[str, Any]:
        empty = {"link": link, "role": role, "whole": True, "hull": False}
        return self._found.setdefault((link, role), empty)

    def _join(self, link: str, role: str, box: Any, *, hull: bool = False) -> None:
        self._entry(link, role)["hull"] |= hull
        known = self._boxes.get((link, role), box)
        self._boxes[link, role] = np.stack([np.minimum(known[0], box[0]), np.maximum(known[1], box[1])])

    def tell(self, answer: Any) -> None:
        """Add the boxes to an answer: entries of ``shapes``, with their boxes (n, 2, 3) in this order."""
        answer.facts |= {"shapes": list(self._found.values()), "shape_roles": self.roles}
        none = np.full((2, 3), np.nan)
        boxes = [self._boxes.get(key, none) for key in self._found]
        answer.arrays["boxes"] = np.array(boxes).reshape(-1, 2, 3)
