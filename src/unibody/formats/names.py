"""Makes names that nothing else has."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """The names that are taken; many equal ones take no longer than as many different ones.

    >>> names = Names(["arm"])
    >>> names.take("arm"), names.take("arm"), names.take("leg")
    ('arm_2', 'arm_3', 'leg')

    ``first`` is the number of the first equal one.
    """

    def __init__(self, taken: Iterable[str] = (), *, first: int = 2) -> None:
        self._taken = set(taken)
        self._before = first - 1
        self._last: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        """Whether a name is taken."""
        return name in self._taken

    def take(self, stem: str) -> str:
        """The name itself if it is free, else with a number behind it; it is taken from now on."""
        name, number = stem, self._last.get(stem, self._before)
        while name in self._taken:
            number += 1
            name = f"{stem}_{number}"
        self._last[stem] = number
        self._taken.add(name)
        return name
