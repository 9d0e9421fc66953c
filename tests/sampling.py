"""Which of many files and values a test takes in `make test`: the others are slow, for `make test-all`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")
#: `make test` takes every fifth of many quick cases in one test, `make test-all` each.
STEP = 5 if settings().max_examples < 100 else 1


def sampled(paths: Iterable[Path | str], keep: int = 2, root: Path | None = None) -> list[Any]:
    """Files as parameters of a test; all but the first ``keep`` of each suffix have the mark ``slow``.

    ``root`` is the folder that the ids of the tests leave out.
    """
    count: Counter[str] = Counter()
    out = []
    for path in paths:
        suffix = PurePath(path).suffix.lower()
        count[suffix] += 1
        name = str(path) if root is None else PurePath(path).relative_to(root).as_posix()
        out.append(pytest.param(path, id=name, marks=[pytest.mark.slow] if count[suffix] > keep else []))
    return out


def few(values: Iterable[Any], keep: int) -> list[Any]:
    """Values of one parameter of a test; all but ``keep``, evenly spread, have the mark ``slow``."""
    values = list(values)
    kept = {i * len(values) // keep for i in range(keep)}
    return [pytest.param(x, marks=[] if i in kept else [pytest.mark.slow]) for i, x in enumerate(values)]


def for_each(values: Iterable[T], named: Callable[[T], str] = str) -> Callable[[Callable[[T], None]], Any]:
    """Make one test of a quick check of many values, which names the values that fail it.

    A thousand tests would take longer than a thousand such checks.
    """

    values = list(values)

    def decorate(check: Callable[[T], None]) -> Callable[[], None]:
        def test() -> None:
            failed = []
            for value in values:
                try:
                    check(value)
                except Exception as error:
                    failed.append(f"{named(value)}: {type(error).__name__}: {error}")
            assert not failed, "\n".join(failed)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate
