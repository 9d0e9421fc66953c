"""Processes that run CoACD: an odd mesh ends its process, not the caller's, and several run at a time."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

import numpy as np

from unibody.mechanism.arrays import Floats
from unibody.simplification.decomposition import Part, decompose, packed, unpacked

# Processes at a time, at most: each has a mesh and its parts in memory.
_MOST = 8
# What a process runs; its paths are those of the caller, so that it finds the same packages.
_PROGRAM = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from unibody.simplification.decomposers import serve; serve()"
)


def decompose_all(
    meshes: Sequence[tuple[Floats, Sequence[Mapping[str, Any]]]],
    begun: Callable[[int], None] | None = None,
) -> list[list[Part] | None]:
    """The convex parts of each mesh (n, 3, 3), None where CoACD finds none.

    Each has settings, which are tried in turn until some find parts. ``begun`` is called in this thread
    with the number of the first mesh that is not done. The processes end when this returns or is
    interrupted.
    """
    if not meshes:
        return []
    cores = _cores()
    count = min(len(meshes), cores, _MOST)
    processes = [_Process(max(1, cores // count)) for _ in range(count)]
    idle: queue.SimpleQueue[_Process] = queue.SimpleQueue()
    for process in processes:
        idle.put(process)

    def found(corners: Floats, settings: Sequence[Mapping[str, Any]]) -> list[Part] | None:
        process = idle.get()
        try:
            for tried in settings:
                parts = process.decompose(corners, tried)
                if parts:
                    return parts
            return None
        finally:
            idle.put(process)

    pool = ThreadPoolExecutor(count)
    out = []
    try:
        futures = [pool.submit(found, *mesh) for mesh in meshes]
        for number, future in enumerate(futures):
            if begun is not None:
                begun(number)
            out.append(future.result())
    finally:
        for process in processes:
            process.end()
        pool.shutdown(wait=True, cancel_futures=True)
    return out


class _Process:
    """A process that finds parts; another one is started if it ends."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._ended = False
        self._process: subprocess.Popen[bytes] | None = None

    def decompose(self, corners: Floats, settings: Mapping[str, Any]) -> list[Part] | None:
        """The parts of triangles; None if the process ends."""
        if not sys.executable or getattr(sys, "frozen", False):
            return decompose(corners, settings)  # there is no Python to start
        try:
            process = self._running()
            if process is None:
                return None
            assert process.stdin is not None
            assert process.stdout is not None
            _write(process.stdin, json.dumps(dict(settings)).encode())
            _write(process.stdin, np.ascontiguousarray(corners, "<f8").tobytes())
            answer = _read(process.stdout)
        except OSError:
            answer = None
        if answer is None:
            self._stop()
        return None if answer is None else unpacked(answer)

    def end(self) -> None:
        """End the process, in whatever it is, and start none any more."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()  # a thread that waits for it closes its pipes
        self._stop()

    def _running(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._ended:
                return None
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-c", _PROGRAM, json.dumps(sys.path)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, "OMP_NUM_THREADS": str(self._threads)},
                )
            return self._process

    def _stop(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass


def serve() -> None:
    """Answer requests on standard input until it ends: settings and triangles, for which parts return."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller decides when this ends
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what CoACD prints is no answer
    while (settings := _read(requests)) is not None:
        corners = _read(requests)
        if corners is None:
            return
        triangles = np.frombuffer(corners, "<f8").reshape(-1, 3, 3)
        _write(answers, packed(decompose(triangles, json.loads(settings))))


def _write(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(len(data).to_bytes(8, "little"))
    pipe.write(data)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    """What was written; None if the other end is closed before."""
    size = pipe.read(8)
    if len(size) < 8:
        return None
    data = pipe.read(int.from_bytes(size, "little"))
    return data if len(data) == int.from_bytes(size, "little") else None


def _cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
