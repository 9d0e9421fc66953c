"""Where a frame can get to: points from sampled configurations, made in chunks on any executor."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unibody.mechanism.assembly import assemble
from unibody.mechanism.sampling import Method, sample
from unibody.model.robot import Robot

if TYPE_CHECKING:
    from unibody.mechanism.kinematics import FrameLike
    from unibody.mechanism.mechanism import Mechanism

Floats = NDArray[np.float64]
_Run: TypeAlias = Callable[["list[_Task]"], Iterable[Floats]]

CHUNK = 8192
# Below this, starting processes takes longer than the samples do.
_ALONE = 64


@dataclass(frozen=True, slots=True)
class _Task:
    """One chunk: what a worker needs, and nothing that it does not (no shapes)."""

    robot: Robot
    frame: FrameLike
    method: Method
    seed: int
    first: int
    count: int


def workspace(
    mechanism: Mechanism,
    frame: FrameLike,
    count: int,
    how: tuple[Method, int],
    executor: Executor | None = None,
) -> Floats:
    """Points (n, 3) in the world, in m, that a frame gets to in ``count`` samples.

    ``how`` is the method and the seed of :func:`sampling.sample`. Loops are closed for each sample; one
    that does not close gives no point. Chunks go through ``executor`` (any of concurrent.futures'
    kind; None: processes of this machine where that pays), and the points do not depend on it.
    """
    if count < 0:
        raise ValueError(f"the number of samples must not be negative, not {count}")
    mechanism.pose(mechanism.initial, frame)  # an unknown frame is told of here, not in a worker
    robot = _light(mechanism.robot)
    method, seed = how
    tasks = [
        _Task(robot, frame, method, seed, first, min(CHUNK, count - first))
        for first in range(0, count, CHUNK)
    ]
    with _mapping(executor, len(tasks), bool(robot.loops)) as run:
        parts = list(run(tasks))
    return np.concatenate(parts) if parts else np.zeros((0, 3))


@contextmanager
def _mapping(executor: Executor | None, tasks: int, slow: bool) -> Iterator[_Run]:
    if executor is not None:
        yield lambda given: executor.map(points, given)
    elif tasks < (2 if slow else _ALONE) or (os.cpu_count() or 1) < 2:
        yield lambda given: map(points, given)
    else:
        with ProcessPoolExecutor() as pool:
            yield lambda given: pool.map(points, given)


def points(task: _Task) -> Floats:
    """The points of one chunk."""
    mechanism = assemble(task.robot)
    space = mechanism.normalized_space
    q = space.to_joints(sample(space, task.count, task.method, task.seed, task.first))
    if task.robot.loops:
        from unibody.mechanism.closure import close_loops

        found = close_loops(mechanism, q, (), 1e-6, True)
        q = found.q[found.settled]
    return np.asarray(mechanism.pose(q, task.frame)[..., :3, 3])


def _light(robot: Robot) -> Robot:
    """The robot without what kinematics does not need: shapes, devices, leftovers."""
    links = tuple(replace(link, visuals=(), collisions=(), collisions_alt=()) for link in robot.links)
    return replace(robot, links=links, devices=(), extras=())
