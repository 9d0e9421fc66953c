"""An engine as the mechanism of a robot: its answer without a process."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot
from unibody.proof.comparison import inertials_of, passive_forces
from unibody.proof.process import Answer
from unibody.proof.reference import Reference, States

PASSIVE = ("damping", "stiffness")


def answer_of(
    engine: Reference, states: States, *, passive: tuple[str, ...] = PASSIVE, masses: bool = True
) -> Answer:
    """What an engine would answer that has the robot of ``engine``."""
    mechanism, robot = engine.mechanism, engine.robot
    q, v, effort = engine.numbers(states)
    full = np.asarray(mechanism.mass_matrix(q))
    bias = np.asarray(mechanism.inverse_dynamics(q, v, np.zeros_like(v), gravity=engine.gravity))
    force = effort + passive_forces(mechanism, q, v, passive) - bias
    rates = np.linalg.solve(full, force[..., None])[..., 0]
    poses = np.asarray(mechanism.forward_kinematics(q))
    # links between the joints of a body are no bodies
    places = {name: k for k, name in enumerate(mechanism.link_names) if engine.bodies[name][0]}
    rows = {engine.bodies[name][0]: k for k, name in enumerate(places)}
    poses = np.stack(
        [poses[:, k] @ np.array(engine.bodies[n][1].inverse().matrix()) for n, k in places.items()], axis=1
    )
    # a joint is known by the name of the numbers that move it
    names_there = {joint: name for name, joint in engine.movers().items()}
    facts: dict[str, Any] = {
        "engine": "Emulated",
        "version": "1",
        "precision": "double",
        "passive": list(passive),
        "notes": [],
        "links": list(rows),
        "joints": [
            {**_stated(robot, joint.name), "name": names_there.get(joint.name, joint.name)}
            for joint in robot.joints
            if KINDS[joint.kind].nv
        ],
        "dofs": [engine.dofs.index((names_there.get(name, name), k)) for name, k in engine.dofs],
    }
    arrays: dict[str, Any] = {"poses": poses, "mass_matrix": full, "bias": bias, "acceleration": rates}
    if masses:
        found = inertials_of(engine, rows)
        facts["bodies"] = list(found)
        for k, name in enumerate(("mass", "com", "inertia")):
            arrays[name] = np.array([each[k] for each in found.values()])
    return Answer(facts=facts, arrays=arrays)


def _stated(robot: Robot, name: str) -> dict[str, Any]:
    joint = robot.joint(name)
    low, high = joint.limits.position
    return {
        "name": name,
        "kind": joint.kind,
        "position": None if low == -np.inf and high == np.inf else [low, high],
        "armature": joint.actuator.reflected_inertia,
    }
