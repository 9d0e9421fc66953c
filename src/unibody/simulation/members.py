"""The robots of a scene, one by one: state and commands in the order of each robot's own mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism import Mechanism, assemble
from unibody.mechanism.arguments import Positions
from unibody.model.arrays import Floats, Indices
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose, Quaternion, Vector3
from unibody.model.robot import Robot
from unibody.simulation.commander import Commander


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Member:
    """A robot within a simulation of several; in ``Simulation.robots``.

    ``q``, ``v`` and ``effort`` are those of its own ``mechanism``: names are as in its file, and the pose
    of a free base is in the world. ``names`` are the names of its links and joints in the scene.
    """

    commander: Commander
    robot: Robot
    mechanism: Mechanism
    names: Mapping[str, Mapping[str, str]]
    origin: Pose
    q_places: Indices
    v_places: Indices

    def __repr__(self) -> str:
        return f"<{self.robot.name!r} in a simulation: {self.mechanism.nv} degrees of freedom>"

    @property
    def q(self) -> Floats:
        """The configuration (nq,)."""
        out = np.asarray(self.commander.engine.q[self.q_places])
        if self.mechanism.base == "free":
            out[:7] = _numbers(self.origin @ _pose(out[:7]))
        return out

    @property
    def v(self) -> Floats:
        """The velocity (nv,)."""
        return np.asarray(self.commander.engine.v[self.v_places])

    @property
    def effort(self) -> Floats:
        """The efforts of the drives (nv,), in N·m or N."""
        return np.asarray(self.commander.dynamics.effort()[self.v_places])

    def place(self, q: Positions | None = None, v: ArrayLike | None = None) -> None:
        """Put the robot into a state, at rest by default, at the present time; other robots stay."""
        engine, mechanism = self.commander.engine, self.mechanism
        now, speed = engine.q, engine.v
        if q is not None:
            mine = np.array(mechanism.positions(q), np.float64)
            if mine.shape != (mechanism.nq,):
                raise ValueError(f"q has shape {mine.shape}; expected ({mechanism.nq},)")
            now[self.q_places] = self._in_scene(mine)
        speed[self.v_places] = 0.0 if v is None else np.asarray(mechanism.velocities(v), np.float64)
        self.commander.dynamics.place(*engine.state_of(now, speed))

    def in_scene(self, q: Floats, v: Floats, others: Floats) -> tuple[Floats, Floats]:
        """q and v of the simulation with the robot at its own q and v, and the others at rest."""
        now, speed = others.copy(), np.zeros(self.commander.engine.mechanism.nv)
        now[self.q_places], speed[self.v_places] = self._in_scene(q), v
        return now, speed

    def _in_scene(self, q: Floats) -> Floats:
        """Its own q, with a free base where the simulation has it."""
        out = q.copy()
        if self.mechanism.base == "free":
            out[:7] = _numbers(self.origin.inverse() @ _pose(out[:7]))
        return out

    def set_effort(self, values: Mapping[str, Any]) -> None:
        """Command efforts by the robot's own names of joints; see ``Simulation.set_effort``."""
        self.commander.set_effort(self._renamed(values))

    def set_position(self, values: Mapping[str, Any]) -> None:
        """Command positions by the robot's own names of joints; see ``Simulation.set_position``."""
        self.commander.set_position(self._renamed(values))

    def set_velocity(self, values: Mapping[str, Any]) -> None:
        """Command velocities by the robot's own names of joints; see ``Simulation.set_velocity``."""
        self.commander.set_velocity(self._renamed(values))

    def _renamed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        joints = self.names["joints"]
        return {joints.get(name, name): value for name, value in values.items()}


def members(commander: Commander, given: Robot | Sequence[Robot]) -> dict[str, Member]:
    """The robots of a simulation by name; names that several have get a number."""
    alone = isinstance(given, Robot)
    whole = commander.engine.mechanism
    robots: Sequence[Robot] = (commander.engine.robot,) if isinstance(given, Robot) else given
    first_link, first_joint = (0, 0) if alone else (1, 0)
    out: dict[str, Member] = {}
    for robot in robots:
        own = whole if alone else assemble(robot)
        links = [link.name for link in whole.robot.links[first_link : first_link + len(robot.links)]]
        root = first_joint
        first_joint += 0 if alone else 1
        joints = whole.robot.joints[first_joint : first_joint + len(robot.joints)]
        q_places, v_places = _places(whole, root, first_joint, len(robot.joints), own.base, alone)
        name, number = robot.name or "robot", 2
        while name in out:
            name, number = f"{robot.name or 'robot'}_{number}", number + 1
        out[name] = Member(
            commander=commander,
            robot=robot,
            mechanism=own,
            names={
                "links": dict(zip([link.name for link in robot.links], links, strict=True)),
                "joints": {a.name: b.name for a, b in zip(robot.joints, joints, strict=True)},
            },
            origin=Pose() if alone else robot.pose,
            q_places=q_places,
            v_places=v_places,
        )
        first_link += len(robot.links)
        first_joint += len(robot.joints)
    return out


def _places(
    whole: Mechanism, root: int, first: int, count: int, base: str | None, alone: bool
) -> tuple[Indices, Indices]:
    """Places in q and v of a base and of ``count`` joints from the ``first``."""
    q: list[int] = []
    v: list[int] = []
    if base == "free":
        at_q, at_v = (0, 0) if alone else (int(whole.idx_q[root]), int(whole.idx_v[root]))
        q += range(at_q, at_q + 7)
        v += range(at_v, at_v + 6)
    for joint in range(first, first + count):
        kind = whole.tree.kinds[joint]
        q += range(int(whole.idx_q[joint]), int(whole.idx_q[joint]) + KINDS[kind].nq)
        v += range(int(whole.idx_v[joint]), int(whole.idx_v[joint]) + KINDS[kind].nv)
    return np.array(q, np.intp), np.array(v, np.intp)


def _pose(numbers: Floats) -> Pose:
    x, y, z, w, a, b, c = numbers.tolist()
    size = (w * w + a * a + b * b + c * c) ** 0.5
    xyz: Vector3 = (x, y, z)
    quat: Quaternion = (w / size, a / size, b / size, c / size)
    return Pose(xyz, quat)


def _numbers(pose: Pose) -> list[float]:
    return [*pose.xyz, *pose.quat]
