"""The work that a planner may do, and what it has done."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

Progress = Callable[[float], object]


class OutOfTime(Exception):
    """The time limit of the search is reached."""


@dataclass(slots=True, eq=False)
class Work:
    """Iterations done so far, and the limits: ``seconds`` of the wall clock, ``most`` iterations.

    ``progress`` is called with the share of the limit that is used, from 0 to 1.
    """

    seconds: float | None
    most: int | None
    progress: Progress | None = None
    iterations: int = 0
    _begin: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self._begin

    @property
    def late(self) -> bool:
        """Whether the seconds are used up."""
        return self.seconds is not None and self.elapsed >= self.seconds

    @property
    def share(self) -> float:
        """The share of the limits that is used, from 0 to 1."""
        share = 0.0 if self.most is None else self.iterations / max(self.most, 1)
        if self.seconds is not None:
            share = max(share, self.elapsed / max(self.seconds, 1e-9))
        return min(share, 1.0)

    def goes_on(self) -> bool:
        """Count an iteration; return whether the limits allow it."""
        if self.late or (self.most is not None and self.iterations >= self.most):
            return False
        self.iterations += 1
        self._tell()
        return True

    def check(self) -> None:
        """Raise OutOfTime if the time limit is reached."""
        if self.late:
            raise OutOfTime
        self._tell()

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.share)
