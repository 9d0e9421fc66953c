"""The workspace of a link as points on the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unibody.mechanism import assemble
from unibody.model.arrays import Flags, Floats, Indices
from unibody.page.pack import Pack
from unibody.page.robot import computable

if TYPE_CHECKING:
    from unibody.mechanism.sampling import Method
    from unibody.model.robot import Robot

Data = dict[str, Any]

#: Default number of samples, and the most points that a browser rotates smoothly.
USUAL, MOST = 10_000, 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cloud:
    """Points (n, 3) in the world in m, with the base at its initial pose, and how they were sampled.

    ``frame`` is the link, or the frame; ``samples`` how many configurations were tried; ``method`` is ""
    and ``seed`` None where that is not known. ``search`` is set for the points of a search tree of a plan,
    which are not the whole workspace; ``edges`` (k, 2) are the pairs of its points that are connected.
    """

    points: Floats
    frame: str = ""
    samples: int = 0
    method: str = ""
    seed: int | None = None
    search: bool = False
    edges: Indices | None = None


def sampled(
    robot: Robot, frame: str, samples: int = USUAL, seed: int = 0, method: Method = "uniform"
) -> Cloud:
    """The workspace of a link or a frame (``Mechanism.workspace``); KeyError for an unknown one."""
    points = assemble(computable(robot)).workspace(frame, samples, method=method, seed=seed)
    return Cloud(points=points, frame=frame, samples=samples, method=method, seed=seed)


def given(points: ArrayLike) -> Cloud:
    """A cloud of given points; ValueError unless they are finite numbers (n, 3).

    >>> given([[0.0, 0.1, 0.2]]).samples
    1
    """
    array = np.asarray(points, np.float64)
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise ValueError(f"workspace points must be finite numbers (n, 3), got shape {array.shape}")
    return Cloud(points=array, samples=len(array))


def cloud_data(cloud: Cloud, robot: Robot, pack: Pack) -> Data | None:
    """The cloud as data of the page; None without points. ValueError for too many points."""
    if len(cloud.points) > MOST:
        raise ValueError(f"the page shows at most {MOST:,} points, got {len(cloud.points):,}")
    drawn = np.abs(cloud.points).max(axis=1) < np.finfo(np.float32).max
    points = cloud.points[drawn]
    if not len(points):
        return None
    links = [link.name for link in robot.links]
    frames = [frame.name for frame in robot.frames]
    item = None
    if cloud.frame in links:
        item = ["link", links.index(cloud.frame)]
    elif cloud.frame in frames:
        item = ["frame", frames.index(cloud.frame)]
    return {
        "item": item,
        "samples": cloud.samples,
        "method": cloud.method,
        "seed": cloud.seed,
        "search": cloud.search,
        "points": pack.add(points.astype(np.float32)),
        "edges": None if cloud.edges is None else pack.add(_among(cloud.edges, drawn)),
    }


def _among(edges: Indices, drawn: Flags) -> NDArray[np.uint32]:
    """The edges between points that are drawn, by the numbers of these among themselves."""
    numbers = np.cumsum(drawn) - 1
    return numbers[edges[drawn[edges].all(axis=1)]].astype(np.uint32)
