"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time


class Progress:
    """A bar with a text before it, if standard error is a terminal."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._on = sys.stderr is not None and sys.stderr.isatty()

    def show(self, text: str, share: float) -> None:
        """Show how much is done, from 0 to 1, at most ten times a second."""
        now = time.monotonic()
        if self._on and now - self._shown > 0.1:
            self._shown = now
            share = min(1.0, share)
            bar = "#" * round(24 * share)
            sys.stderr.write(f"\r{text} [{bar:<24}] {100 * share:3.0f} % ")
            sys.stderr.flush()

    def end(self) -> None:
        """Remove the bar."""
        if self._on and self._shown:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()
