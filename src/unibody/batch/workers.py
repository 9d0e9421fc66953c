"""An executor of processes in which the death of a worker fails one task only."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import IO, Any, TypeAlias, TypeVar

T = TypeVar("T")

# How long a process may take to begin, to end, and to leave what it does when it is told to, in s.
_START, _END, _GRACE = 120.0, 5.0, 2.0
# What a process of ``begin_alone`` runs, with the paths of the caller, so that it finds the same packages.
_PROGRAM = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from unibody.batch.workers import serve_alone; serve_alone()"
)


class WorkerError(Exception):
    """A task that its worker process did not survive, or that took too long."""


class StartError(Exception):
    """A worker process that could not begin."""


class _Program(subprocess.Popen[bytes]):
    """A program with the names that a process of ``multiprocessing`` has."""

    @property
    def exitcode(self) -> int | None:
        return self.poll()

    def join(self, timeout: float | None = None, /) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout)

    def is_alive(self) -> bool:
        return self.poll() is None


class _Streams:
    """A pipe over two streams; it waits without a limit."""

    def __init__(self, source: IO[bytes], target: IO[bytes]) -> None:
        self._source, self._target = source, target

    def send(self, value: Any, /) -> None:
        data = pickle.dumps(value)
        self._target.write(len(data).to_bytes(8, "little"))
        self._target.write(data)
        self._target.flush()

    def recv(self) -> Any:
        """What was sent; EOFError if the other end is closed before."""
        size = int.from_bytes(self._exactly(8), "little")
        return pickle.loads(self._exactly(size))

    def poll(self, timeout: float | None, /) -> bool:
        return True

    def close(self) -> None:
        for stream in (self._target, self._source):
            with suppress(OSError):
                stream.close()

    def _exactly(self, size: int) -> bytes:
        data = self._source.read(size)
        if len(data) < size:
            raise EOFError
        return data


Process: TypeAlias = BaseProcess | _Program
Pipe: TypeAlias = Connection | _Streams


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
    """Processes, each with a thread here that gives it one task at a time.

    A process that dies, or takes longer than ``seconds`` for a task, fails that task with a WorkerError and
    is replaced. ``begin`` starts one: by default with the main module of the caller, so that scripts need
    ``if __name__ == "__main__":``, as with all spawned processes.
    """

    def __init__(
        self,
        count: int,
        seconds: float | None = None,
        begin: Callable[[], tuple[Process, Pipe]] | None = None,
    ) -> None:
        self._max_workers = max(1, count)
        self._seconds = seconds
        self._start = begin or begin_spawned
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = threading.Event()
        self._dropped = threading.Event()
        self._processes: set[Process] = set()
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
        worker = _Worker(*self._start())
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

    def __init__(self, process: Process, pipe: Pipe) -> None:
        self.process, self.pipe = process, pipe
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


def begin_spawned() -> tuple[Process, Pipe]:
    """Begin a process of ``multiprocessing``, which imports the main module of the caller."""
    context = get_context("spawn")
    pipe, other = context.Pipe()
    process = context.Process(target=_serve, args=(other,), daemon=True)
    process.start()
    other.close()
    return process, pipe


def begin_alone(environment: Mapping[str, str]) -> tuple[Process, Pipe]:
    """Begin a process with further variables of the environment, for functions of importable modules.

    It does not import the main module of the caller, prints nothing, ends at once when it is stopped, and
    has no limit of time. It needs a Python to run (``has_python``).
    """
    process = _Program(
        [sys.executable, "-I", "-c", _PROGRAM, json.dumps(sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    return process, _Streams(process.stdout, process.stdin)


def has_python() -> bool:
    """Whether there is a Python that can be started; a frozen program has none."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _stop(processes: Collection[Process]) -> None:
    """End processes at once; those that compute in Python remove their temporary files first."""
    for process in processes:
        process.terminate()
    end = time.monotonic() + _GRACE
    for process in processes:
        process.join(max(0.0, end - time.monotonic()))
        if process.is_alive():
            process.kill()


_READY = "ready"


def _ended(process: Process) -> str:
    """How a process ended."""
    code = process.exitcode
    if code is None:
        return "it does not answer"
    if code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def _serve(pipe: Pipe) -> None:
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


def serve_alone() -> None:
    """Answer calls on the standard streams until they are closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller decides when this ends
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    pipe = _Streams(sys.stdin.buffer, answers)
    pipe.send(_READY)
    while _serve_one(pipe):
        pass


def _serve_one(pipe: Pipe) -> bool:
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


def _answer(pipe: Pipe, good: bool, result: Any) -> None:
    with suppress(BrokenPipeError):  # nobody waits any more; the next recv ends the process
        try:
            pipe.send((good, result))
        except BrokenPipeError:
            raise
        except Exception as error:  # what cannot be pickled
            pipe.send((False, TypeError(f"the result cannot be sent: {type(error).__name__}: {error}")))
