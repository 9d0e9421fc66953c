"""Workspace of a frame: points from sampled configurations, computed in chunks on any executor."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from unibody.mechanism.closure import close_loops
from unibody.mechanism.frame import Frame
from unibody.mechanism.kinematics import pose
from unibody.mechanism.loops import Loops
from unibody.mechanism.normalized_space import NormalizedSpace
from unibody.mechanism.sampling import Method, sample
from unibody.mechanism.tree import Tree
from unibody.model.arrays import Floats

if TYPE_CHECKING:
    from concurrent.futures import Executor

_Map: TypeAlias = Callable[["list[_Task]"], Iterable[Floats]]

#: Samples in a chunk.
CHUNK = 8192
# Fewer chunks take less time than starting processes.
_FEW_CHUNKS, _FEW_CHUNKS_WITH_LOOPS = 64, 2


@dataclass(frozen=True, slots=True)
class _Task:
    """One chunk of samples, with everything that a worker process needs."""

    tree: Tree
    loops: Loops
    space: NormalizedSpace
    frame: Frame
    method: Method
    seed: int
    first: int
    count: int


def workspace(
    tree: Tree,
    loops: Loops,
    space: NormalizedSpace,
    frame: Frame,
    *,
    count: int,
    method: Method,
    seed: int,
    executor: Executor | None = None,
) -> Floats:
    """Points (n, 3) in the world, in m, that a frame reaches in ``count`` samples of a normalized space.

    ``method`` and ``seed`` are those of :func:`sampling.sample`. Loops are closed for each sample; one
    that does not close gives no point. The chunks run on ``executor`` (any of ``concurrent.futures``;
    None: processes of this machine where that is faster), and the points do not depend on it.
    """
    if count < 0:
        raise ValueError(f"the number of samples must not be negative, not {count}")
    tasks = [
        _Task(tree, loops, space, frame, method, seed, first, min(CHUNK, count - first))
        for first in range(0, count, CHUNK)
    ]
    with _mapping(executor, len(tasks), bool(loops)) as run:
        parts = list(run(tasks))
    return np.concatenate(parts) if parts else np.zeros((0, 3))


@contextmanager
def _mapping(executor: Executor | None, tasks: int, with_loops: bool) -> Iterator[_Map]:
    few = _FEW_CHUNKS_WITH_LOOPS if with_loops else _FEW_CHUNKS
    if executor is not None:
        yield lambda chunks: executor.map(_points, chunks)
    elif tasks < few or (os.cpu_count() or 1) < 2:
        yield lambda chunks: map(_points, chunks)
    else:
        # multiprocessing takes a tenth of the time of all imports of a mechanism
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor() as pool:
            yield lambda chunks: pool.map(_points, chunks)


def _points(task: _Task) -> Floats:
    """The points of one chunk."""
    tree = task.tree
    q = task.space.to_joints(sample(task.space, task.count, task.method, task.seed, task.first))
    if task.loops:
        none_locked = np.zeros(tree.nq, bool), np.zeros(tree.nv, bool)
        found = close_loops(tree, task.loops, q, none_locked, tolerance=1e-6, limits=True)
        q = found.q[found.settled]
    return np.asarray(pose(tree, q, task.frame)[..., :3, 3])
