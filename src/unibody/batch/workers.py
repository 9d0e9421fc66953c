"""An executor of processes in which the death of a worker fails one task only."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import Executor, Future
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

# How long a process may take to begin, to end, and to leave what it does when it is told to, in s.
_START, _END, _GRACE = 120.0, 5.0, 2.0


class WorkerError(Exception):
    """A task that its worker process did not survive, or that took too long."""


class StartError(Exception):
    """A worker process that could not begin."""


class _Job:
    def __init__(self, future: Future[Any], call: Callable[[], Any]) -> None:
        self.future, self.call = future, call


class _Call:
    """A call of a function, to be sent to a process."""

    def __init__(self, function: Callable[..., Any], words: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.function, self.words, self.named = function, words, named

    def __call__(self) -> Any:
        return self.function(*self.words, **self.named)


class Workers(Executor):
    """Processes that are begun afresh (spawn), each with a thread here that gives it one task at a time.

    A process that dies, or takes longer than ``seconds`` for a task, fails that task with a WorkerError and
    is replaced. Scripts that use it need ``if __name__ == "__main__":``, as with all spawned processes.
    """

    def __init__(self, count: int, seconds: float | None = None) -> None:
        self._max_workers = max(1, count)
        self._seconds = seconds
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = threading.Event()
        self._dropped = threading.Event()
        self._processes: set[BaseProcess] = set()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def submit(self, function: Callable[..., T], /, *words: Any, **named: Any) -> Future[T]:
        """Do a task in one of the processes."""
        if self._closed.is_set():
            raise RuntimeError("the workers have been shut down")
        future: Future[T] = Future()
        self._jobs.put(_Job(future, _Call(function, words, named)))
        if len(self._threads) < self._max_workers:
            thread = threading.Thread(target=self._run, daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: after all tasks, or at once with ``cancel_futures``."""
        self._closed.set()
        if cancel_futures:
            self._dropped.set()
            with self._lock:
                _stop(self._processes)
        for _ in self._threads:
            self._jobs.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _run(self) -> None:
        """Give tasks to one process, and begin another one when it died."""
        worker: _Worker | None = None
        while (job := self._jobs.get()) is not None:
            if self._dropped.is_set():
                job.future.cancel()
            if not job.future.set_running_or_notify_cancel():
                continue
            try:
                if worker is None:
                    worker = self._begin()
                job.future.set_result(worker.do(job.call, self._seconds))
            except BaseException as error:
                if isinstance(error, WorkerError | StartError) and worker is not None:
                    self._end(worker)
                    worker = None
                job.future.set_exception(error)
        if worker is not None:
            self._end(worker)

    def _begin(self) -> _Worker:
        worker = _Worker()
        with self._lock:
            self._processes.add(worker.process)
            if self._dropped.is_set():
                _stop([worker.process])
        return worker

    def _end(self, worker: _Worker) -> None:
        worker.close()
        with self._lock:
            self._processes.discard(worker.process)


class _Worker:
    """One process and the pipe to it."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other,), daemon=True)
        self.process.start()
        other.close()
        try:
            begun = self.pipe.poll(_START) and self.pipe.recv() == _READY
        except (EOFError, OSError):
            begun = False
        if not begun:
            self.close()
            raise StartError(f"a worker process could not begin: {_ended(self.process)}")

    def do(self, call: Callable[[], Any], seconds: float | None) -> Any:
        """The result of a call in the process."""
        try:
            self.pipe.send(call)
            if not self.pipe.poll(seconds):
                _stop([self.process])
                raise WorkerError(f"took longer than {seconds:g} s")
            good, result = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(_END)
            raise WorkerError(f"the worker process died: {_ended(self.process)}") from None
        if not good:
            raise result
        return result

    def close(self) -> None:
        """End the process."""
        self.pipe.close()
        self.process.join(_END)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _stop(processes: Collection[BaseProcess]) -> None:
    """End processes at once; those that compute in Python remove their temporary files first."""
    for process in processes:
        process.terminate()
    end = time.monotonic() + _GRACE
    for process in processes:
        process.join(max(0.0, end - time.monotonic()))
        if process.is_alive():
            process.kill()


_READY = "ready"


def _ended(process: BaseProcess) -> str:
    """How a process ended."""
    code = process.exitcode
    if code is None:
        return "it does not answer"
    if code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _serve(pipe: Connection) -> None:
    """Answer calls until the pipe is closed, or the parent ends this process."""
    is_stopped = threading.Event()

    def stop(*_: object) -> None:
        is_stopped.set()
        raise KeyboardInterrupt

    # Ctrl-C reaches all processes of a terminal; only the parent handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    with suppress(KeyboardInterrupt):
        pipe.send(_READY)
        while not is_stopped.is_set() and _serve_one(pipe):
            pass


def _serve_one(pipe: Connection) -> bool:
    """Answer one call; whether there may be more."""
    try:
        call = pipe.recv()
    except (EOFError, OSError):
        return False
    except BaseException as error:
        _answer(pipe, False, error)
        return True
    try:
        good, result = True, call()
    except BaseException as error:
        good, result = False, error
    _answer(pipe, good, result)
    return True


def _answer(pipe: Connection, good: bool, result: Any) -> None:
    with suppress(BrokenPipeError):  # nobody waits any more; the next recv ends the process
        try:
            pipe.send((good, result))
        except BrokenPipeError:
            raise
        except Exception as error:  # what cannot be pickled
            pipe.send((False, TypeError(f"the result cannot be sent: {type(error).__name__}: {error}")))
