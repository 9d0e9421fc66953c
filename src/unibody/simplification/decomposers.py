"""CoACD in processes: an odd mesh ends its process, not the caller's, and several run at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from unibody.batch.workers import Workers, begin_alone, has_python
from unibody.model.arrays import Floats
from unibody.simplification.decomposition import Part, decompose, packed, unpacked

# Processes at a time, at most: each has a mesh and its parts in memory.
_MOST = 8


def search_parts(corners: Floats, settings: Mapping[str, Any]) -> bytes:
    """The packed parts of a mesh."""
    return packed(decompose(corners, settings))


def decompose_all(
    meshes: Sequence[tuple[Floats, Sequence[Mapping[str, Any]]]],
    begun: Callable[[int], None] | None = None,
    search: Callable[[Floats, Mapping[str, Any]], bytes] = search_parts,
) -> list[list[Part] | None]:
    """The convex parts of each mesh (n, 3, 3), None where CoACD finds none.

    Each has settings, which are tried in turn until some find parts. ``begun`` is called in this thread
    with the number of the first mesh that is not done. ``search`` is done in the processes instead of
    CoACD. They end when this returns or is interrupted.
    """
    if not meshes:
        return []
    cores = _cores()
    count = min(len(meshes), cores, _MOST)
    threads = {"OMP_NUM_THREADS": str(max(1, cores // count))}
    workers = Workers(count, begin=partial(begin_alone, threads))

    def found(corners: Floats, settings: Sequence[Mapping[str, Any]]) -> list[Part] | None:
        for tried in settings:
            with suppress(Exception):  # the process ended, or CoACD cannot read the mesh
                answer = (
                    workers.submit(search, corners, tried).result()
                    if has_python()
                    else search(corners, tried)
                )
                if parts := unpacked(answer):
                    return parts
        return None

    pool = ThreadPoolExecutor(count)
    out = []
    try:
        futures = [pool.submit(found, *mesh) for mesh in meshes]
        for number, future in enumerate(futures):
            if begun is not None:
                begun(number)
            out.append(future.result())
    finally:
        workers.shutdown(cancel_futures=True)
        pool.shutdown(wait=True, cancel_futures=True)
    return out


def _cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
