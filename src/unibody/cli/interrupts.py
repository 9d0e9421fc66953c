"""Ctrl-C and termination requests: recorded, since Python loses exceptions in callbacks and destructors."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_OWN = (signal.SIG_DFL, signal.default_int_handler)
# The signals that arrived since the first `recorded` was entered, and those that are recorded.
_pressed: list[int] = []
_active: list[int] = []


@contextmanager
def recorded(number: int) -> Iterator[None]:
    """Record a signal, besides raising KeyboardInterrupt; a handler of another program stays.

    Nothing is recorded outside the main thread, where signals do not arrive.
    """
    before = signal.getsignal(number)
    if threading.current_thread() is not threading.main_thread() or before not in _OWN:
        yield
        return
    if not _active:
        _pressed.clear()
    _active.append(number)
    signal.signal(number, _note)
    try:
        yield
    finally:
        signal.signal(number, before)
        _active.pop()


def is_interrupted() -> bool:
    """Whether a recorded signal arrived, even if its exception was lost."""
    return bool(_pressed)


def _note(number: int, frame: FrameType | None) -> None:
    _pressed.append(number)
    signal.default_int_handler(number, frame)
