"""Forward kinematics of a batch with the poses of all links, on one core."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

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


def pinocchio(path: Path, batch: int = 1000) -> dict[str, float]:
    """A Python loop over configurations, with and without copying the poses of all links."""
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    # urdfdom rejects unnamed materials, which SR1 has
    text = path.read_text(encoding="utf-8").replace("<material>", '<material name="m">')
    built = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    data = built.createData()
    q = np.array(
        [pin.randomConfiguration(built, -np.ones(built.nq), np.ones(built.nq)) for _ in range(batch)]
    )
    frames = [i for i, f in enumerate(built.frames) if f.type == pin.FrameType.BODY]
    out = np.empty((batch, len(frames), 4, 4))

    def copying() -> None:
        for k in range(batch):
            pin.framesForwardKinematics(built, data, q[k])
            for n, i in enumerate(frames):
                out[k, n] = data.oMf[i].homogeneous

    def silent() -> None:
        for k in range(batch):
            pin.framesForwardKinematics(built, data, q[k])

    return {
        "Pinocchio, poses copied": measure(copying, batch, 5),
        "Pinocchio, nothing copied": measure(silent, batch, 5),
    }


def run() -> list[Row]:
    robot = ub.load(model("SR1.body"))
    unit = "µs"
    return [
        Row(f"fk {robot.name}, batch {BATCH}", ours(robot), pinocchio(model("SR1.urdf")), "< 4 µs", unit),
        Row(f"fk {robot.name} with skewed axes", ours(skewed(robot)), {}, "< 4 µs", unit),
        Row(f"fk {robot.name}, batch 100", ours(robot, 100), {}, "", unit),
        Row(f"fk {robot.name}, one at a time", ours(robot, 1), {}, "", unit),
    ]
