"""Kinematics and dynamics on one core: one configuration and batches, with and without the extra ``fast``.

Each time is the least CPU time of a configuration in rounds, in which ours and those of the peers take
turns. Pinocchio and dynibo are called for each configuration, and their results are copied; yourdfpy has
link poses only. dynibo's state of a free base is made before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from bench._loop import BATCH, Floats, state
from bench._row import ROOT, SR1, Row, least

import unibody as ub
from unibody.mechanism import compilation

#: Models that are measured where they are at hand.
MODELS = {
    "SR1": SR1 / "SR1.body",
    "Panda": ROOT.parent / "shared/corpus/more/srdf/pypi_example-robot-data-6.0.0/panda/panda.urdf",
    "G1": ROOT.parent / "shared/corpus/more/g1/g1_29dof.urdf",
}
#: Configurations that a peer's loop goes through, and the rounds.
LOOP, ROUNDS = 200, 5
_PLAIN = ", without the extra"

#: The bounds of issue and README, for SR1 with the extra, one configuration and a batch.
TARGETS = {
    ("link poses", 1): "<= 0.25 x Pinocchio",
    ("Jacobian", 1): "<= 1 x Pinocchio",
    ("mass matrix", 1): "<= 1 x Pinocchio",
    ("inverse dynamics", 1): "<= 1 x Pinocchio",
    ("forward dynamics", 1): "<= 1 x Pinocchio",
    ("link poses", BATCH): "<= 0.5 x Pinocchio, nothing copied",
    ("mass matrix", BATCH): "<= 0.7 x Pinocchio",
    ("inverse dynamics", BATCH): "<= 0.7 x Pinocchio",
    ("forward dynamics", BATCH): "<= 0.7 x Pinocchio",
}

Calls = dict[str, Callable[[], object]]


def run() -> list[Row]:
    found = {name: path for name, path in MODELS.items() if path.is_file()}
    found = found or {"biped": ROOT / "src/unibody/models/biped.body"}
    return [row for name, path in found.items() for row in _rows(name, _opened(path))]


def _opened(path: Path) -> ub.Robot:
    """The robot without couplings and loops, which no algorithm here obeys, and peers reject."""
    return replace(ub.load(path), couplings=(), loops=())


def _rows(name: str, robot: ub.Robot) -> Iterator[Row]:
    fast, plain = ub.assemble(robot), _without_the_extra(robot)
    peers = [make(fast) for make in (_pinocchio, _dynibo, _yourdfpy)]
    for count in (1, BATCH):
        ours, without = (_ours(m, *_given(m, count)) for m in (fast, plain))
        for what in ours:
            tasks = {"ours": (ours[what], count), "plain": (without[what], count)}
            for calls in peers:
                tasks |= {title: (call, LOOP) for (title, other), call in calls.items() if other == what}
            times = {title: 1e6 * seconds for title, seconds in least(tasks, ROUNDS, "ours").items()}
            batch = "one configuration" if count == 1 else f"batch {count}"
            title, mine, other = f"{what}, {name}, {batch}", times.pop("ours"), times.pop("plain")
            # an interpreter without the extra has one row
            if compilation.is_available():
                target = TARGETS.get((what, count), "") if name == "SR1" else ""
                yield Row(title, mine, times, target, "µs")
            yield Row(title + _PLAIN, other, times, "", "µs")


def _without_the_extra(robot: ub.Robot) -> ub.Mechanism:
    """A mechanism that finds no compiler."""
    m = ub.assemble(robot)
    there = compilation.is_available
    compilation.is_available = lambda: False  # type: ignore[assignment]
    try:
        for count in (1, BATCH):
            for call in _ours(m, *_given(m, count)).values():
                call()
    finally:
        compilation.is_available = there
    return m


def _given(m: ub.Mechanism, count: int) -> tuple[Floats, Floats, Floats]:
    """q, v and a of a batch, or of one configuration."""
    q, v, a = state(m, count)
    return (q[0], v[0], a[0]) if count == 1 else (q, v, a)


def _ours(m: ub.Mechanism, q: Floats, v: Floats, a: Floats) -> Calls:
    tip = m.link_names[int(m.order[-1])]
    return {
        "link poses": lambda: m.forward_kinematics(q),
        "Jacobian": lambda: m.jacobian(q, tip),
        "mass matrix": lambda: m.mass_matrix(q),
        "inverse dynamics": lambda: m.inverse_dynamics(q, v, a),
        "forward dynamics": lambda: m.forward_dynamics(q, v, a),
        "gravity forces": lambda: m.generalized_gravity(q),
        "Coriolis forces": lambda: m.coriolis_bias(q, v),
    }


Peer = dict[tuple[str, str], Callable[[], object]]


def _pinocchio(m: ub.Mechanism) -> Peer:
    """A loop over configurations for each call; empty without Pinocchio."""
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    made = ub.to_pinocchio(m)
    model, data = made.model, made.data
    q, v, a = state(m, LOOP)
    q, v, a = q[:, made.q_order], v[:, made.v_order], a[:, made.v_order]
    bodies = [i for i, frame in enumerate(model.frames) if frame.type == pin.FrameType.BODY]
    poses, last = np.empty((len(bodies), 4, 4)), model.nframes - 1

    def copied(k: int) -> Floats:
        pin.framesForwardKinematics(model, data, q[k])
        for n, i in enumerate(bodies):
            poses[n] = data.oMf[i].homogeneous
        return poses

    calls: dict[str, Callable[[int], Any]] = {
        "link poses": copied,
        "Jacobian": lambda k: pin.computeFrameJacobian(model, data, q[k], last),
        "mass matrix": lambda k: pin.crba(model, data, q[k]),
        "inverse dynamics": lambda k: pin.rnea(model, data, q[k], v[k], a[k]),
        "forward dynamics": lambda k: pin.aba(model, data, q[k], v[k], a[k]),
        "gravity forces": lambda k: pin.computeGeneralizedGravity(model, data, q[k]),
        "Coriolis forces": lambda k: pin.nonLinearEffects(model, data, q[k], v[k]),
    }

    def silent() -> None:
        for k in range(LOOP):
            pin.framesForwardKinematics(model, data, q[k])

    out: Peer = {("Pinocchio", what): _loop(call) for what, call in calls.items()}
    return {**out, ("Pinocchio, nothing copied", "link poses"): silent}


def _dynibo(m: ub.Mechanism) -> Peer:
    """The same with dynibo, from a URDF file."""
    try:
        import dynibo
    except ImportError:
        return {}
    kind = dynibo.FloatingRobot if m.tree.free_base else dynibo.Robot
    robot = _from_urdf(kind.from_urdf, m.robot)
    tip = robot.link_id(m.link_names[int(m.order[-1])])
    rng = np.random.default_rng(1)
    q = rng.uniform(-1.0, 1.0, (LOOP, robot.joint_count))
    # rates of all joints, and forces of those and of the base
    v, a = rng.normal(size=(2, LOOP, robot.joint_count))
    forces = rng.normal(size=(LOOP, robot.generalized_count))
    first: tuple[Any, ...] = (dynibo.BaseState(),) if m.tree.free_base else ()
    calls: dict[str, Callable[[int], Any]] = {
        "link poses": lambda k: robot.forward_kinematics_all(*first, q[k]),
        "Jacobian": lambda k: robot.jacobian(*first, q[k], tip),
        "mass matrix": lambda k: robot.mass_matrix(*first, q[k]),
        "inverse dynamics": lambda k: robot.inverse_dynamics(*first, q[k], v[k], a[k]),
        "forward dynamics": lambda k: robot.forward_dynamics(*first, q[k], v[k], forces[k]),
        "gravity forces": lambda k: robot.gravity(*first, q[k]),
        "Coriolis forces": lambda k: robot.velocity_product_forces(*first, q[k], v[k]),
    }
    return {("dynibo", what): _loop(call) for what, call in calls.items()}


def _yourdfpy(m: ub.Mechanism) -> Peer:
    """Poses of all links with yourdfpy, from a URDF file without shapes."""
    try:
        from yourdfpy import URDF
    except ImportError:
        return {}
    robot = _from_urdf(partial(URDF.load, load_meshes=False), m.robot)
    q = np.random.default_rng(1).uniform(-1.0, 1.0, (LOOP, len(robot.actuated_joints)))
    poses = np.empty((len(m.link_names), 4, 4))

    def copied(k: int) -> Floats:
        robot.update_cfg(q[k])
        for n, link in enumerate(m.link_names):
            poses[n] = robot.get_transform(link)
        return poses

    return {("yourdfpy", "link poses"): _loop(copied)}


def _from_urdf(load: Callable[[str], Any], robot: ub.Robot) -> Any:
    """What a loader of URDF files makes of the robot, without its shapes."""
    links = tuple(replace(link, visuals=(), collisions=(), collisions_alt=()) for link in robot.links)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "robot.urdf")
        ub.save(replace(robot, links=links), path)
        return load(path)


def _loop(call: Callable[[int], Any]) -> Callable[[], None]:
    """A call for each configuration, whose results are stored."""
    out = np.empty((LOOP, *np.shape(call(0))))

    def task() -> None:
        for k in range(LOOP):
            out[k] = call(k)

    return task
