"""Many simulations at once, in threads: the engine computes outside of Python's global lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar


class Run(Protocol):
    """What advances by a time under a control: a simulation."""

    def run(self, seconds: float, control: Any = None) -> None:
        """Advance by a time in s; ``control`` is called with the simulation before each step."""


_Simulation = TypeVar("_Simulation", bound=Run)


def run_batch(
    simulations: Sequence[_Simulation],
    seconds: float,
    control: Callable[[_Simulation], None] | None = None,
    threads: int | None = None,
) -> None:
    """Advance independent simulations by a time, in as many threads as there are processors.

    Each simulation has a model of its own, as those of ``Simulation.copy``; the results are those of
    ``Simulation.run``, to the last bit. ``control`` is called with a simulation before each of its steps.
    The first error is raised when all simulations have ended.

    >>> import pytest, unibody as ub
    >>> mujoco = pytest.importorskip("mujoco", reason="needs the extra 'simulate' (mujoco)")
    >>> first = ub.simulate(ub.load("src/unibody/models/biped.body"))
    >>> all_of_them = [first.copy() for _ in range(4)]
    >>> ub.run_batch(all_of_them, 0.01)
    >>> [round(sim.time, 3) for sim in all_of_them]
    [0.01, 0.01, 0.01, 0.01]
    """
    if len({id(simulation) for simulation in simulations}) < len(simulations):
        raise ValueError("a simulation is twice in the batch; use its copies")
    if threads is not None and threads < 1:
        raise ValueError(f"the number of threads must be at least 1, not {threads}")
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        running = [pool.submit(simulation.run, seconds, control) for simulation in simulations]
    for one in running:
        one.result()
