"""Work budget of one load, shared by all files it opens."""

from __future__ import annotations

from unibody.text.limits import Meter
from unibody.text.source import Span

# Work units between two checks of the time limit.
CHECK_INTERVAL = 20_000


class Budget:
    """Work budget of one load, in units of about a microsecond; shared by all files it opens.

    A few files that include one another twice, or a track of thousands of links with rules for every
    pair, expand to more than any machine holds.
    """

    def __init__(self, meter: Meter | None = None) -> None:
        self.meter = meter if meter is not None else Meter()
        self.left = self.meter.limits.work
        self._made = 0
        # each object costs about ten units
        self._interval = min(CHECK_INTERVAL, 10 * self.meter.limits.nodes)
        self._next = max(self.left - self._interval, 0)

    def spend(self, cost: int, at: Span | None = None) -> None:
        """Spend ``cost`` units on one more object; LimitError when none are left, or time is up."""
        self.left -= cost
        self._made += 1
        if self.left < self._next:
            self._check(at)

    def _check(self, at: Span | None) -> None:
        if self.left < 0:
            what = "the model is too large: its files, tracks, links, elements and pairs multiply"
            raise self.meter.limits.met("work", what, at)
        self.meter.take_nodes(self._made, lambda: at)
        self.meter.look(at)
        self._made, self._next = 0, max(self.left - self._interval, 0)
