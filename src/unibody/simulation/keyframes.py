"""Keyframes of the files of a simulation: where a robot begins, and what its actuators do there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from unibody.bridges.mujoco import MujocoModel, to_mujoco
from unibody.formats.mjcf.engine import NEAREST, elements_of, keyframe_numbers
from unibody.model.arrays import Floats
from unibody.model.robot import Robot
from unibody.model.scene import of_several
from unibody.simulation.actuators import Actuators
from unibody.simulation.checks import has_mjcf
from unibody.simulation.engine import Engine
from unibody.simulation.members import Member
from unibody.text.near import suggestion


def keyframes(robot: Robot) -> dict[str, int]:
    """The configurations that are keyframes of an MJCF file, with their numbers in the engine.

    >>> keyframes(Robot(name="stone"))
    {}
    """
    return keyframe_numbers(robot) if robot.configurations and has_mjcf(robot) else {}


class Keyframes:
    """The keyframes of the files of a simulation by name.

    Of several robots, each has those of its own file, which leave the others alone. A name that several
    have is "robot:name", as in ``merged``.
    """

    def __init__(self, engine: Engine, members: Collection[Member]) -> None:
        """``members`` are the robots of the engine."""
        self._engine, self._robot, self._members = engine, engine.robot, tuple(members)
        self.is_of_all = len(self._members) == 1 and self._members[0].robot is engine.robot
        self._of_member: dict[int, MujocoModel] = {}

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        """The robot that has a keyframe, and the number of the keyframe in the engine's model of it."""
        out: dict[str, tuple[int, int]] = {}
        first = 0
        for i, member in enumerate(self._members):
            for number in keyframes(member.robot).values():
                out.setdefault(self._robot.configurations[first + number].name, (i, number))
            first += len(member.robot.configurations)
        return out

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self._places)

    def number(self, name: str) -> int:
        """The number in the engine of a keyframe that is of all that moves."""
        return self._place(name)[1]

    def state(self, name: str, q: Floats) -> tuple[Floats, Floats]:
        """q (nq,) and v (nv,) of a keyframe; other robots are at rest where ``q`` has them."""
        i, number = self._place(name)
        made = self._own(i)
        key = (self._engine.model if self.is_of_all else made.model).key(number)
        own_q, own_v = np.asarray(made.q_from(key.qpos)), np.asarray(made.v_from(key.qpos, key.qvel))
        return (own_q, own_v) if self.is_of_all else self._members[i].in_scene(own_q, own_v, q)

    def control(self, name: str, file: Actuators) -> None:
        """Set the controls and activations of the actuators of the robot that has a keyframe."""
        i, number = self._place(name)
        own = self._own(i).model
        key, scene, data = own.key(number), self._engine.model, self._engine.data
        for mine, its in self._actuators(i, own, file):
            count, first, begin = (
                own.actuator_ctrlnum[mine],
                own.actuator_ctrladr[mine],
                scene.actuator_ctrladr[its],
            )
            data.ctrl[begin : begin + count] = key.ctrl[first : first + count]
            count, first, begin = (
                own.actuator_actnum[mine],
                own.actuator_actadr[mine],
                scene.actuator_actadr[its],
            )
            if count:
                data.act[begin : begin + count] = key.act[first : first + count]

    def _actuators(self, i: int, own: Any, file: Actuators) -> Iterator[tuple[int, int]]:
        """The numbers of the actuators of a robot: in its own model, and in that of all robots."""
        counts = [len(elements_of(member.robot, "actuator")) for member in self._members]
        if sum(counts) == file.count and counts[i] == own.nu:
            yield from ((k, sum(counts[:i]) + k) for k in range(own.nu))
            return
        # some are not in the engine, such as those of joints that have another name among the robots
        for k in range(own.nu):
            if (name := own.actuator(k).name) in file.names:
                yield k, file.names[name]

    def _own(self, i: int) -> MujocoModel:
        if self.is_of_all:
            return self._engine.made
        if i not in self._of_member:
            self._of_member[i] = to_mujoco(self._members[i].robot, inertias=NEAREST)
        return self._of_member[i]

    def _place(self, name: str) -> tuple[int, int]:
        if name not in self._places:
            hint = of_several(name, self.names) or suggestion(name, self.names)
            raise KeyError(f"{self._robot.name!r} has no keyframe {name!r}{hint}")
        return self._places[name]
