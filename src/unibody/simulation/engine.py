"""A robot in MuJoCo: the handle that everything of a simulation works on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.bridges.mujoco import MujocoModel, to_mujoco
from unibody.formats.mjcf.engine import NEAREST
from unibody.mechanism import Mechanism
from unibody.mechanism.arguments import Positions
from unibody.mechanism.tree import quaternion_entries
from unibody.model.arrays import Floats
from unibody.model.robot import Robot
from unibody.simulation.layout import Layout
from unibody.simulation.silence import silent
from unibody.text.near import suggestion


@dataclass(frozen=True, kw_only=True, eq=False)
class Engine:
    """MuJoCo's ``model`` and ``data`` of a robot, and where its mechanism's numbers and links are in them.

    ``made`` maps the coordinates. ``names`` (nbody) are the links of the engine's bodies. ``has_floor``
    says that a floor was added.
    """

    robot: Robot
    mechanism: Mechanism
    made: MujocoModel
    layout: Layout
    model: Any
    data: Any
    names: Sequence[str]
    has_floor: bool = False

    def with_model(self, model: Any) -> Engine:
        """The handle of another model of the same robot, with data of its own."""
        return replace(self, model=model, data=new_data(model))

    @property
    def time(self) -> float:
        """Time since the last reset, in s."""
        return float(self.data.time)

    @property
    def timestep(self) -> float:
        """Length of a step, in s."""
        return float(self.model.opt.timestep)

    @property
    def q(self) -> Floats:
        """The configuration (nq,), in the order and units of ``mechanism``."""
        return np.asarray(self.made.q_from(self.data.qpos))

    @property
    def v(self) -> Floats:
        """The velocity (nv,), in the order, units and frames of ``mechanism``."""
        return np.asarray(self.made.v_from(self.data.qpos, self.data.qvel))

    def place(self, q: Floats, v: Floats) -> None:
        """Put everything into a state."""
        self.data.qpos[:] = self.made.q_to(q)
        self.data.qvel[:] = self.made.v_to(q, v)

    def reset(self, keyframe: int | None = None) -> None:
        """Go back to time 0, at a keyframe of the model if one is given."""
        import mujoco

        if keyframe is None:
            mujoco.mj_resetData(self.model, self.data)
        else:
            mujoco.mj_resetDataKeyframe(self.model, self.data, keyframe)
            self.data.time = 0.0

    def saved(self) -> Floats:
        """All numbers of the data that the continuation depends on."""
        import mujoco

        which = mujoco.mjtState.mjSTATE_INTEGRATION
        out = np.zeros(mujoco.mj_stateSize(self.model, which))
        mujoco.mj_getState(self.model, self.data, out, which)
        return out

    def restore(self, saved: Floats) -> None:
        """Go back to what ``saved`` returned."""
        import mujoco

        mujoco.mj_setState(self.model, self.data, saved, mujoco.mjtState.mjSTATE_INTEGRATION)

    def state_of(self, q: Positions, v: ArrayLike | None) -> tuple[Floats, Floats]:
        """A state as arrays of finite numbers, at rest without ``v``; ValueError for anything else."""
        mechanism = self.mechanism
        now = np.array(mechanism.positions(q), np.float64)
        speed = np.zeros(mechanism.nv) if v is None else np.array(mechanism.velocities(v), np.float64)
        for name, array, size in (("q", now, mechanism.nq), ("v", speed, mechanism.nv)):
            if array.shape != (size,):
                raise ValueError(f"{name} has shape {array.shape}; expected ({size},)")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite numbers")
        if not now[quaternion_entries(mechanism.tree)].any(axis=1).all():
            raise ValueError("q has a quaternion of length 0, which is no rotation")
        return now, speed

    def link(self, name: str) -> int:
        """The number of a link that is a body of its own; KeyError for an unknown one, else ValueError."""
        names = self.mechanism.link_names
        if name not in names:
            raise KeyError(f"{self.robot.name!r} has no link {name!r}{suggestion(name, names)}")
        place = names.index(name)
        if self.layout.bodies[place] < 0:
            raise ValueError(f"link {name!r} is within a chain of joints that is one body")
        return place

    def joint(self, name: str) -> int:
        """The number of a joint; KeyError for an unknown one."""
        names = self.mechanism.joint_names
        if name not in names:
            raise KeyError(f"{self.robot.name!r} has no joint {name!r}{suggestion(name, names)}")
        return names.index(name)

    def pose(self, body: int, in_body: Floats) -> Floats:
        """The pose in the world, (4, 4), of a frame in a body, as it was last computed."""
        out, turn = np.eye(4), self.data.xmat[body].reshape(3, 3)
        out[:3, :3] = turn @ in_body[:3, :3]
        out[:3, 3] = self.data.xpos[body] + turn @ in_body[:3, 3]
        return out

    @cached_property
    def extent(self) -> float:
        """The size (m) of the robot alone, without a floor, by MuJoCo's measure."""
        made = to_mujoco(self.made.robot, inertias=NEAREST) if self.has_floor else self.made
        return float(made.model.stat.extent)


def new_data(model: Any) -> Any:
    """Data of a model."""
    import mujoco

    with silent:
        return mujoco.MjData(model)
