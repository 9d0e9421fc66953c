"""Simulations against MuJoCo's own loop: steps, many simulations in threads, and rays."""

from __future__ import annotations

import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bench._row import ROOT, Row

import unibody as ub
from unibody.simulation.rays import DRAWN, cast
from unibody.simulation.simulation import Simulation

BIPED = ROOT / "src/unibody/models/biped.body"
STEPS, RAYS, MANY, ROUNDS = 1000, 10_000, 64, 7
_LINK = (
    '<link name="l{i}"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual><inertial>'
    '<origin xyz="0 0 -0.1"/><mass value="1"/>'
    '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
_JOINT = (
    '<joint name="j{i}" type="continuous"><origin xyz="0 0 -0.2"/><parent link="l{parent}"/>'
    '<child link="l{child}"/><axis xyz="{axis}"/></joint>'
)


def branches(count: int = 30, length: int = 6) -> ub.Robot:
    """A robot of chains of six joints."""
    axes = ("1 0 0", "0 1 0", "0 0 1")
    links = [_LINK.format(i=i) for i in range(count + 1)]
    joints = [
        _JOINT.format(i=i, parent=i if i % length else 0, child=i + 1, axis=axes[i % 3])
        for i in range(count)
    ]
    return ub.loads(f'<robot name="branches">{"".join(links)}{"".join(joints)}</robot>')


def pairs(
    ours: Callable[[], object],
    theirs: Callable[[], object],
    clock: Callable[[], float],
    before: Callable[[], object] = lambda: None,
) -> tuple[float, float]:
    """Median seconds of two tasks that take turns; ``before`` each there is work that is not timed."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for task, times in zip((ours, theirs), taken, strict=True):
            before()
            start = clock()
            task()
            times.append(clock() - start)
    return statistics.median(taken[0]), statistics.median(taken[1])


def steps(sim: Simulation, mujoco: Any) -> tuple[float, float]:
    """A thousand steps, and the engine's own thousand steps from the same state."""
    model, data = sim.model, mujoco.MjData(sim.model)
    start = sim.data.qpos.copy()

    def back() -> None:
        sim.reset()
        mujoco.mj_resetData(model, data)
        data.qpos[:] = start

    sim.step(STEPS)
    return pairs(
        lambda: sim.step(STEPS), lambda: mujoco.mj_step(model, data, STEPS), time.process_time, back
    )


# Linux: nanoseconds that a thread ran, and that it waited for a processor.
_SCHEDULE = Path("/proc/thread-self/schedstat")


class Timed:
    """A simulation of a batch that notes how long each thread was busy with it.

    Time in which other programs had the processors does not count, where the system says how long that
    was; time in which a thread waits for another one of this program does.
    """

    def __init__(self, simulation: Simulation, busy: dict[int, float]) -> None:
        self._simulation, self._busy = simulation, busy

    def run(self, seconds: float, control: Any = None) -> None:
        start, waited = time.perf_counter(), _waited()
        self._simulation.run(seconds, control)
        self._busy[threading.get_ident()] += time.perf_counter() - start - (_waited() - waited)


def _waited() -> float:
    """Seconds that this thread has waited for a processor."""
    return 1e-9 * float(_SCHEDULE.read_text().split()[1]) if _SCHEDULE.exists() else 0.0


def threads(first: Simulation) -> tuple[float, float]:
    """Many simulations in two threads, and one after another: the time of the busiest thread."""
    many = [first.copy() for _ in range(MANY)]
    seconds = 300 * first.timestep

    def busiest(count: int) -> float:
        busy: dict[int, float] = defaultdict(float)
        ub.run_batch([Timed(sim, busy) for sim in many], seconds, threads=count)
        return max(busy.values())

    taken = [(busiest(2), busiest(1)) for _ in range(ROUNDS)]
    return statistics.median(two for two, _ in taken), statistics.median(one for _, one in taken)


def rays(sim: Simulation, mujoco: Any) -> tuple[float, float]:
    """Distances along rays, and the engine's own call."""
    directions = np.random.default_rng(1).normal(size=(RAYS, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    sim.refresh()
    model, data, origin = sim.model, sim.data, np.array([0.4, 0.3, -0.5])
    geoms, found, flat = np.zeros(RAYS, np.int32), np.zeros(RAYS), np.ascontiguousarray(directions).ravel()

    def theirs() -> None:
        mujoco.mj_multiRay(model, data, origin, flat, DRAWN, True, -1, geoms, found, None, RAYS, 1e10)

    return pairs(lambda: cast(model, data, origin, directions, 0.0, np.inf), theirs, time.process_time)


def run() -> list[Row]:
    import mujoco

    robot = branches()
    free = ub.simulate(robot, base="fixed")
    found = steps(free, mujoco)
    rows = [Row(f"simulate: {STEPS} steps, 30 joints", found[0], {"mj_step": found[1]}, "<= 1.05 x", "s")]
    floor = ub.simulate(robot, base="free", floor=-5.0, integrator="implicitfast")
    found = steps(floor, mujoco)
    rows.append(
        Row(f"simulate: {STEPS} steps above a floor", found[0], {"mj_step": found[1]}, "<= 1.05 x", "s")
    )
    standing = ub.simulate(ub.load(BIPED), floor=0.0)
    standing.reset(above=0.0)
    for name, sim in (("", free), (" on a floor", standing)):
        found = threads(sim)
        title = f"simulate: {MANY} simulations{name}, two threads"
        rows.append(Row(title, found[0], {"one thread": found[1]}, "<= 0.588 x", "s"))
    found = rays(free, mujoco)
    rows.append(Row(f"simulate: {RAYS} rays", found[0], {"mj_multiRay": found[1]}, "<= 1.25 x", "s"))
    return rows
