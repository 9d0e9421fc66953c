"""A function applied to many files on any executor: results as they come, failures among them."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from unibody.batch.record import FileRecord
from unibody.batch.workers import StartError, WorkerError, Workers

# Files in flight for each worker, and for an executor whose number of workers is unknown.
_AHEAD = 4
_WINDOW = 256


# The arguments of a function: a path, and others.
_Job = tuple[Any, ...]


class ExecutorLost(Exception):
    """The executor gave up the work, as a cluster does whose scheduler ended."""


def map(
    function: Callable[[str], Any],
    paths: Iterable[str | os.PathLike[str]],
    executor: Executor | None = None,
    *,
    window: int | None = None,
) -> Generator[FileRecord, None, None]:
    """Apply a function to each path; yield a record of each, as they come.

    ``executor`` is any of ``concurrent.futures``, such as processes, or ``client.get_executor()`` of dask;
    without one the work is done here, in the order of the paths. The function, a top-level one for
    executors of processes, gets the path, so that the workers read the files; only its value travels. An
    exception is a ``failure`` of the record, with the exception's ``findings``. A process pool that a
    file broke is replaced, and only the file at which its worker died fails. At most ``window`` files are
    in flight. Raises ExecutorLost if the executor gives up.

    >>> import unibody as ub
    >>> [(r.path, r.value, r.findings[0]["code"]) for r in ub.map(ub.load, ["nowhere.urdf"])]
    [('nowhere.urdf', None, 'file-missing')]
    """
    return apply(function, ((os.fspath(path),) for path in paths), executor, window=window)


def apply(
    function: Callable[..., Any],
    jobs: Iterable[_Job],
    executor: Executor | None = None,
    *,
    window: int | None = None,
) -> Generator[FileRecord, None, None]:
    """As :func:`map`, with further arguments of the function behind each path."""
    if executor is None:
        return (attempt(function, *job) for job in jobs)
    if isinstance(executor, ProcessPoolExecutor | Workers):
        _check_sendable(function)
    workers: int = getattr(executor, "_max_workers", 0) or 0
    return _on(executor, partial(attempt, function), iter(jobs), window or _AHEAD * workers or _WINDOW)


def _check_sendable(function: Callable[..., Any]) -> None:
    """TypeError for a function that cannot be sent to processes, before any work."""
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        why = str(error).partition("\n")[0]
        raise TypeError(
            f"the function cannot be sent to other processes: define it at the top of a module ({why})"
        ) from None


def attempt(function: Callable[..., Any], path: str, *words: Any) -> FileRecord:
    """Apply a function to a path; the record of its value or of its exception."""
    start = time.perf_counter()
    try:
        value = function(path, *words)
        made = value if isinstance(value, FileRecord) else FileRecord(path=path, value=value)
    except KeyboardInterrupt:
        raise
    except (
        BaseException
    ) as error:  # an end of the program that the function asks for is one of its failures
        findings = tuple(f.json() for f in getattr(error, "findings", ()))
        made = FileRecord(path=path, failure=_reason(error, bool(findings)), findings=findings)
    return replace(made, seconds=time.perf_counter() - start)


def _reason(error: BaseException, explained: bool) -> str:
    text = str(error).partition("\n")[0]
    return text if text and explained else f"{type(error).__name__}: {text}".rstrip(": ")


def _on(
    executor: Executor, task: Callable[..., FileRecord], todo: Iterator[_Job], window: int
) -> Generator[FileRecord, None, None]:
    """The records of jobs on an executor; a broken pool is replaced by one of our own."""
    flight: dict[Future[FileRecord], _Job] = {}
    own: Workers | None = None
    again: list[_Job] = []  # was in flight when the executor broke
    try:
        while True:
            while len(flight) < window and (job := _next(again, todo)) is not None:
                try:
                    flight[executor.submit(task, *job)] = job
                except BrokenExecutor:
                    again.append(job)
                    break
            if not flight and not again:
                return
            broken = bool(again)
            for future in wait(flight, return_when=FIRST_COMPLETED).done if flight else ():
                job = flight.pop(future)
                try:
                    yield future.result()
                except BrokenExecutor:
                    again.append(job)
                    broken = True
                except CancelledError:
                    raise ExecutorLost("the executor was stopped before all files were done") from None
                except StartError as error:
                    raise ExecutorLost(str(error)) from None
                except WorkerError as error:
                    yield FileRecord(path=job[0], failure=str(error))
                except Exception as error:
                    yield FileRecord(path=job[0], failure=_executor_failure(error))
            if broken and own is None:
                done, _ = wait(flight)
                again += [flight.pop(future) for future in done if _is_broken(future)]
                executor = own = Workers(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1)
    finally:
        for future in flight:
            future.cancel()
        if own is not None:
            own.shutdown(wait=True, cancel_futures=True)


def _next(again: list[_Job], todo: Iterator[_Job]) -> _Job | None:
    return again.pop() if again else next(todo, None)


def _is_broken(future: Future[Any]) -> bool:
    with suppress(CancelledError):
        return isinstance(future.exception(), BrokenExecutor)
    return False


def _executor_failure(error: Exception) -> str:
    """Why an executor could not do the work; dask names the task, which says nothing about the file."""
    if type(error).__name__ == "KilledWorker":
        return "the worker process died at each attempt"
    return _reason(error, False)
