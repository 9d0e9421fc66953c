"""Where the numbers of a mechanism stand in MuJoCo's model of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.bridges.mujoco import MujocoModel
from unibody.mechanism import Mechanism
from unibody.mechanism.tree import scalar_entries
from unibody.model.arrays import Floats, Indices
from unibody.model.joint_kind import KINDS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """Where each drive and each link of a mechanism is in the engine's model.

    ``entries`` are the places in v that a drive can move: one for each degree of freedom of all joints
    but ball and free ones; the drive of a screw turns it. ``positions`` are their places in q; ``dofs``
    and ``qpos`` those in the engine's qvel and qpos; engine position = ``signs`` · q + ``offsets``.
    ``turning`` are the places in v and in qvel of ball joints. ``bodies`` (n_links,) is the engine's body
    of each link, -1 for a link that it does not have, and ``in_body`` (n_links, 4, 4) the pose of the
    link in it.
    """

    entries: Indices
    positions: Indices
    dofs: Indices
    qpos: Indices
    signs: Floats
    offsets: Floats
    turning: tuple[Indices, Indices]
    bodies: Indices
    in_body: Floats

    def place(self, mechanism: Mechanism, link: str) -> tuple[int, Floats]:
        """The engine's body of a link or of the surroundings, -1 for none, and the pose (4, 4) in it."""
        if link not in mechanism.link_names:
            return 0, np.eye(4)
        number = mechanism.link_names.index(link)
        return int(self.bodies[number]), self.in_body[number]


def drivable(mechanism: Mechanism) -> Indices:
    """Places in v of the joints that a drive can move, one degree of freedom each."""
    return np.flatnonzero(scalar_entries(mechanism.tree) >= 0)


def _balls(mechanism: Mechanism) -> Indices:
    """Places in v of ball joints."""
    starts = [
        int(start)
        for kind, start in zip(mechanism.tree.kinds, mechanism.idx_v, strict=True)
        if kind == "ball"
    ]
    return (np.array(starts, np.intp)[:, None] + np.arange(KINDS["ball"].nv)).reshape(-1)


def find_layout(mechanism: Mechanism, made: MujocoModel, model: Any, data: Any) -> Layout:
    """The layout of a compiled model; ``data`` is left at the mechanism's initial configuration."""
    import mujoco

    initial = np.array(mechanism.initial)
    start = np.asarray(made.q_to(initial))
    entries = drivable(mechanism)
    positions = scalar_entries(mechanism.tree)[entries]
    dofs, qpos, signs, offsets = [], [], [], []
    scalars = made.state_map.scalars
    places = dict(zip(scalars.here_v, scalars.there_v, strict=True))
    for entry, position in zip(entries.tolist(), positions.tolist(), strict=True):
        dof, sign = places[entry], 1.0
        joint = int(model.dof_jntid[dof])
        place = int(model.jnt_qposadr[joint])
        dofs.append(dof)
        qpos.append(place)
        signs.append(sign)
        offsets.append(start[place] - sign * initial[position])
    balls = _balls(mechanism)
    turning = [
        _only(np.asarray(made.state_map.v_to(initial, np.eye(mechanism.nv)[entry])))[0] for entry in balls
    ]
    data.qpos[:] = start
    mujoco.mj_kinematics(model, data)
    bodies, in_body = _links(mechanism, made, initial, data)
    return Layout(
        entries=entries,
        positions=positions,
        dofs=np.array(dofs, np.intp),
        qpos=np.array(qpos, np.intp),
        signs=np.array(signs),
        offsets=np.array(offsets),
        turning=(balls, np.array(turning, np.intp)),
        bodies=bodies,
        in_body=in_body,
    )


def _only(column: Floats) -> tuple[int, float]:
    """The place and the value of the only entry that is not zero."""
    place = int(np.argmax(np.abs(column)))
    return place, float(column[place])


def _links(mechanism: Mechanism, made: MujocoModel, q: Floats, data: Any) -> tuple[Indices, Floats]:
    poses = mechanism.forward_kinematics(q)
    bodies = np.full(len(mechanism.link_names), -1, np.intp)
    in_body = np.tile(np.eye(4), (len(bodies), 1, 1))
    for number, name in enumerate(mechanism.link_names):
        body = made.body_ids.get(name, -1)
        if body < 0 or made.pose_in_body(name) is None:
            continue
        bodies[number] = body
        turn = data.xmat[body].reshape(3, 3)
        in_body[number, :3, :3] = turn.T @ poses[number, :3, :3]
        in_body[number, :3, 3] = turn.T @ (poses[number, :3, 3] - data.xpos[body])
    return bodies, in_body


def body_names(model: Any, mechanism: Mechanism, layout: Layout) -> list[str]:
    """The link of each of the engine's bodies (nbody,); the engine's own name where there is none."""
    names = [model.body(body).name for body in range(model.nbody)]
    for name, body in zip(mechanism.link_names, layout.bodies.tolist(), strict=True):
        if body >= 0:
            names[body] = name
    return names
