"""Where the numbers of a mechanism stand in MuJoCo's model of it, by the map of the bridge."""

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
    and ``qpos`` those in the engine's qvel and qpos; engine position = q + ``offsets``.
    ``turning`` are the places in v and in qvel of ball joints. ``bodies`` (n_links,) is the engine's body
    of each link, -1 for a link that it does not have, and ``in_body`` (n_links, 4, 4) the pose of the
    link in it.
    """

    entries: Indices
    positions: Indices
    dofs: Indices
    qpos: Indices
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


def find_layout(mechanism: Mechanism, made: MujocoModel) -> Layout:
    """The layout of a mechanism in the compiled model of its robot."""
    q_places, offsets = made.state_map.q_places()
    v_places = made.state_map.v_places()
    scalars = scalar_entries(mechanism.tree)
    entries = np.flatnonzero(scalars >= 0)
    positions, balls = scalars[entries], _balls(mechanism)
    bodies, in_body = _links(mechanism, made)
    return Layout(
        entries=entries,
        positions=positions,
        dofs=v_places[entries],
        qpos=q_places[positions],
        offsets=offsets[positions],
        turning=(balls, v_places[balls]),
        bodies=bodies,
        in_body=in_body,
    )


def _balls(mechanism: Mechanism) -> Indices:
    """Places in v of ball joints."""
    starts = [
        int(start)
        for kind, start in zip(mechanism.tree.kinds, mechanism.idx_v, strict=True)
        if kind == "ball"
    ]
    return (np.array(starts, np.intp)[:, None] + np.arange(KINDS["ball"].nv)).reshape(-1)


def _links(mechanism: Mechanism, made: MujocoModel) -> tuple[Indices, Floats]:
    bodies = np.full(len(mechanism.link_names), -1, np.intp)
    in_body = np.tile(np.eye(4), (len(bodies), 1, 1))
    for number, name in enumerate(mechanism.link_names):
        pose = made.pose_in_body(name) if name in made.body_names else None
        if pose is not None:
            bodies[number], in_body[number] = made.body_ids[name], pose.matrix()
    return bodies, in_body


def drive_joints(mechanism: Mechanism, made: MujocoModel) -> list[str]:
    """The name of the engine's joint that each drive moves, in the order of the drives."""
    out: list[str] = []
    for joint in mechanism.robot.joints:
        if not KINDS[joint.kind].has_quaternion:
            names = made.joint_names[joint.name]
            # a screw is a slide and the hinge that turns it
            out += names[-1:] if joint.kind == "screw" else names
    return out


def body_names(model: Any, mechanism: Mechanism, layout: Layout) -> list[str]:
    """The link of each of the engine's bodies (nbody,); the engine's own name where there is none."""
    names = [model.body(body).name for body in range(model.nbody)]
    for name, body in zip(mechanism.link_names, layout.bodies.tolist(), strict=True):
        if body >= 0:
            names[body] = name
    return names
