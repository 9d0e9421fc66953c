"""A function applied to many files: in this process, threads and processes, some of which die."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests.sampling import few

import unibody as ub
from unibody.batch.workers import Workers
from unibody.files.atomic import write_atomic

NAMES = [f"file{k}" for k in range(12)]


def size(path: str) -> int:
    return len(path)


def odd(path: str) -> int:
    """Does what its path says."""
    if path == "raise":
        raise ValueError("bad value")
    if path == "exit":
        sys.exit(3)
    if path == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if path == "deep":
        return odd(path)
    if path == "sleep":
        time.sleep(60)
    return len(path)


def unsendable(path: str) -> object:
    return lambda: path


def mass(path: str) -> float:
    return ub.load(path).mass


def test_here_in_order() -> None:
    assert [(r.path, r.value) for r in ub.map(size, NAMES)] == [(n, len(n)) for n in NAMES]


def test_failures_have_their_findings(tmp_path: Path) -> None:
    (tmp_path / "bad.urdf").write_text("<robot")
    (record,) = ub.map(ub.load, [tmp_path / "bad.urdf"])
    assert not record.ok
    assert record.failure.endswith("bad.urdf cannot be loaded")
    assert record.findings[0]["severity"] == "error"
    assert [r.failure for r in ub.map(odd, ["raise", "exit", "deep"])][:2] == [
        "ValueError: bad value",
        "SystemExit: 3",
    ]


def test_results_come_before_all_paths_are_known() -> None:
    asked = []

    def paths() -> Iterator[str]:
        for name in NAMES:
            asked.append(name)
            yield name

    with ThreadPoolExecutor(1) as pool:
        next(iter(ub.map(size, paths(), pool, window=2)))
    assert len(asked) == 2


def _executors() -> Iterator[Executor]:
    yield ThreadPoolExecutor(2)
    yield Workers(2)
    yield ProcessPoolExecutor(2, mp_context=get_context("spawn"))


@pytest.mark.parametrize("index", [0, 1, 2], ids=["threads", "workers", "processes"])
def test_every_executor_gives_the_same(index: int) -> None:
    with list(_executors())[index] as executor:
        found = {r.path: (r.value, r.failure) for r in ub.map(odd, [*NAMES, "raise"], executor)}
    assert found == {**{n: (len(n), "") for n in NAMES}, "raise": (None, "ValueError: bad value")}


@pytest.mark.parametrize("index", [1, 2], ids=["workers", "processes"])
def test_a_worker_that_dies_fails_only_its_file(index: int) -> None:
    paths = [*NAMES[:5], "die", *NAMES[5:], "exit", "deep"]
    with list(_executors())[index] as executor:
        records = list(ub.map(odd, paths, executor))
    assert sorted(r.path for r in records) == sorted(paths)
    failed = {r.path: r.failure for r in records if not r.ok}
    assert failed["die"] == "the worker process died: SIGKILL"
    assert failed["deep"].startswith("RecursionError")
    assert set(failed) == {"die", "deep", "exit"}


@pytest.mark.slow
def test_time_limit() -> None:
    with Workers(2, seconds=5) as workers:
        records = {r.path: r.failure for r in ub.map(odd, [*NAMES, "sleep"], workers)}
    assert records.pop("sleep") == "took longer than 5 s"
    assert not any(records.values())


def test_values_that_cannot_be_sent() -> None:
    with Workers(1) as workers:
        (record,) = ub.map(unsendable, ["a"], workers)
    assert record.failure.startswith("TypeError: the result cannot be sent")


def test_an_end_in_the_middle_ends_the_workers() -> None:
    with Workers(2) as workers:
        results = ub.map(odd, [*NAMES, "sleep"], workers)
        next(results)
        results.close()
        start = time.monotonic()
        workers.shutdown(cancel_futures=True)
    assert time.monotonic() - start < 30


def test_workers_do_not_take_work_after_their_end() -> None:
    workers = Workers(1)
    workers.shutdown()
    with pytest.raises(RuntimeError, match="shut down"):
        workers.submit(size, "a")


def test_masses(tmp_path: Path) -> None:
    model = Path(ub.__file__).parent / "models/biped.body"
    with Workers(1) as workers:
        (record,) = ub.map(mass, [model], workers)
    assert record.value == pytest.approx(40.0)
    assert record.seconds > 0


def write_slowly(path: str) -> None:
    """Writes a file whose second piece never comes."""

    def pieces() -> Iterator[bytes]:
        yield b"begun"
        time.sleep(60)

    write_atomic(path, pieces())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without notice")
@pytest.mark.parametrize("is_late", few([False, True], 1))
def test_processes_that_are_ended_leave_no_half_written_file(is_late: bool, tmp_path: Path) -> None:
    workers = Workers(1, 2.0 if is_late else None)
    future = workers.submit(write_slowly, str(tmp_path / "model.urdf"))
    deadline = time.monotonic() + 60.0
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    if not is_late:
        workers.shutdown(cancel_futures=True)
    assert future.exception() is not None
    workers.shutdown()
    assert list(tmp_path.iterdir()) == []
