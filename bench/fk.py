"""Poses of all links in unusual cases, on one core (the usual ones: dynamics)."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from bench._row import Row, model

import unibody as ub
from unibody.model.pose import from_rpy

BATCH = 10_000
ROUNDS = 15
#: Seconds of use before the first time is taken, and the fewest configurations in a time.
WARM, FEWEST = 0.15, 300


def skewed(robot: ub.Robot) -> ub.Robot:
    """The same tree with general axes and rotated origins: the worst case."""
    turn, axis = from_rpy(0.3, -0.2, 0.5), (2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0)
    joints = tuple(
        replace(j, origin=replace(j.origin, quat=turn), axis=axis) if j.kind == "revolute" else j
        for j in robot.joints
    )
    return replace(robot, joints=joints)


def measure(task: Callable[[], object], batch: int, rounds: int = ROUNDS) -> float:
    """Median CPU time in µs per configuration, after as much use as lets methods be compiled."""
    begin = time.perf_counter()
    task()
    while time.perf_counter() - begin < WARM:
        task()
    calls = max(1, FEWEST // batch)
    times = []
    for _ in range(rounds):
        start = time.process_time_ns()
        for _ in range(calls):
            task()
        times.append(time.process_time_ns() - start)
    return statistics.median(times) / 1e3 / batch / calls


def ours(robot: ub.Robot, batch: int = BATCH) -> float:
    mechanism = ub.assemble(robot)
    q = np.random.default_rng(1).uniform(-1.0, 1.0, (batch, mechanism.nq))
    return measure(lambda: mechanism.forward_kinematics(q), batch)


def run() -> list[Row]:
    robot = ub.load(model("SR1.body"))
    unit = "µs"
    return [
        Row(f"fk {robot.name} with skewed axes", ours(skewed(robot)), {}, "< 4 µs", unit),
        Row(f"fk {robot.name}, batch 100", ours(robot, 100), {}, "", unit),
    ]
