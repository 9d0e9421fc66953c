"""Pauses Python's search for cyclic garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause the search for cyclic garbage.

    Reading creates many objects, which each search visits, and no cycles. What was made in the meantime
    counts as old afterwards: else the next object that anyone makes would have all of it searched.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _make_old()
            gc.enable()


def _make_old() -> None:
    """Move all objects to the oldest ones, without a look at them."""
    if gc.get_freeze_count() == 0:  # else the program has frozen objects, which must stay so
        gc.freeze()
        gc.unfreeze()
