"""An executor for tests of commands on many files that are not about processes."""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from unibody.cli import collection

T = TypeVar("T")


class Here(Executor):
    """Does each task at once in this process; what processes would be sent, and send back, is copied."""

    _max_workers = 1

    def submit(self, function: Callable[..., T], /, *words: Any, **named: Any) -> Future[T]:
        future: Future[T] = Future()
        function, words, named = pickle.loads(pickle.dumps((function, words, named)))
        future.set_result(pickle.loads(pickle.dumps(function(*words, **named))))
        return future


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands on many files begin no processes, which take half a second each to import unibody."""

    @contextmanager
    def executor(options: argparse.Namespace, files: int) -> Iterator[Executor]:
        assert options.cluster is None
        assert options.timeout is None
        yield Here()

    monkeypatch.setattr(collection, "executor", executor)
