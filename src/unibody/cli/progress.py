"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time

from unibody.cli.terminal import columns

_BAR = 24


class Progress:
    """A bar with a text before it, if standard error is a terminal."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._width = 0
        self._on = sys.stderr is not None and sys.stderr.isatty()

    def show(self, text: str, share: float | None = None, *, at_once: bool = False) -> None:
        """Show how much is done, from 0 to 1 if that is known; ten times a second, or ``at_once``."""
        now = time.monotonic()
        if self._on and (at_once or now - self._shown > 0.1):
            self._shown = now
            if share is not None:
                share = min(1.0, share)
                text += f" [{'#' * round(_BAR * share):<{_BAR}}] {100 * share:3.0f} %"
            text = text[: columns() - 1]
            sys.stderr.write(f"\r{text:<{self._width}}")
            sys.stderr.flush()
            self._width = len(text)

    def end(self) -> None:
        """Remove the bar."""
        if self._on and self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0
