"""Ctrl-C and termination requests: recorded, since Python loses exceptions in callbacks and destructors."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_OWN = (signal.SIG_DFL, signal.default_int_handler)
# The signals that arrived since the first `recorded` was entered.
_pressed: list[int] = []
_depth = 0


@contextmanager
def recorded(number: int) -> Iterator[None]:
    """Record a signal, besides raising KeyboardInterrupt; a handler of another program stays.

    Nothing is recorded outside the main thread, where signals do not arrive.
    """
    global _depth
    before = signal.getsignal(number)
    if threading.current_thread() is not threading.main_thread() or before not in _OWN:
        yield
        return
    if _depth == 0:
        _pressed.clear()
    _depth += 1
    signal.signal(number, _note)
    try:
        yield
    finally:
        signal.signal(number, before)
        _depth -= 1


def is_interrupted() -> bool:
    """Whether a recorded signal arrived, even if its exception was lost."""
    return bool(_pressed)


def _note(number: int, frame: FrameType | None) -> None:
    _pressed.append(number)
    signal.default_int_handler(number, frame)
