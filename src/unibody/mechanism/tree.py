"""What stays the same while a mechanism moves: its bodies, its degrees of freedom, its masses.

A body is a link that moves (or the root) with all links that are fixed to it; its frame is
that link's. Degrees of freedom are numbered as v has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unibody.mechanism.arrays import Floats, Indices
from unibody.mechanism.forward_kinematics import axis_frame, snap
from unibody.model.pose import unit

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism

#: How many numbers of v each kind of joint takes.
VELOCITY_SIZE: dict[str, int] = {
    "fixed": 0,
    "track": 0,
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "universal": 2,
    "planar": 3,
    "ball": 3,
    "free": 6,
}


@dataclass(frozen=True, slots=True, eq=False)
class Freedom:
    """One degree of freedom: a direction fixed in a body's frame, to turn about or slide along.

    ``body`` is moved by it, ``frame`` is the body in which the direction is fixed: the same,
    except for the slides of planar joints. An axis to turn about goes through the moved
    body's origin.
    """

    body: int
    frame: int
    direction: Floats
    turns: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The bodies, parents first, and the degrees of freedom; constants have the shapes kernels need.

    ``heads`` is per body the link whose frame it has, ``body_of`` the body of each link,
    ``parents`` the parent body (-1 at the root), ``freedoms`` the degrees of freedom of each
    body's joint. ``mass`` (n, 1), ``com`` (3, n, 1) and ``inertia`` (3, 3, n, 1) about it
    are the bodies' own; ``armature`` (nv, 1) is the inertia of rotors, felt at the joint.
    """

    heads: tuple[int, ...]
    body_of: tuple[int, ...]
    parents: tuple[int, ...]
    freedoms: tuple[tuple[int, ...], ...]
    bodies: Indices
    frames: Indices
    directions: Floats
    turns: Floats
    mass: Floats
    com: Floats
    inertia: Floats
    armature: Floats

    @property
    def nv(self) -> int:
        """How many degrees of freedom there are."""
        return len(self.bodies)

    def path(self, body: int) -> list[int]:
        """The degrees of freedom that move a body, those of the root first."""
        chain: list[int] = []
        while body >= 0:
            chain += reversed(self.freedoms[body])
            body = self.parents[body]
        return chain[::-1]


def make_tree(mechanism: Mechanism) -> Tree:
    """The bodies and degrees of freedom of a mechanism."""
    robot = mechanism.robot
    body_of, heads, parents = [-1] * len(robot.links), list[int](), list[int]()
    offsets = {}
    for link in mechanism.order.tolist():
        parent, number = int(mechanism.parents[link]), int(mechanism.link_joints[link])
        if parent < 0 or VELOCITY_SIZE[robot.joints[number].kind]:
            body_of[link] = len(heads)
            heads.append(link)
            parents.append(body_of[parent] if parent >= 0 else -1)
            offsets[link] = np.eye(4)
        else:
            body_of[link] = body_of[parent]
            offsets[link] = offsets[parent] @ np.array(robot.joints[number].origin.matrix())
    freedoms: list[Freedom] = _base(mechanism)
    for joint, start in zip(robot.joints, mechanism.idx_v.tolist(), strict=True):
        assert start == len(freedoms)
        freedoms += _freedoms(mechanism, joint.name, body_of, offsets)
    groups: list[list[int]] = [[] for _ in heads]
    for k, freedom in enumerate(freedoms):
        groups[freedom.body].append(k)
    mass, com, inertia = _masses(mechanism, body_of, offsets, len(heads))
    return Tree(
        heads=tuple(heads),
        body_of=tuple(body_of),
        parents=tuple(parents),
        freedoms=tuple(map(tuple, groups)),
        bodies=np.array([f.body for f in freedoms], np.intp),
        frames=np.array([f.frame for f in freedoms], np.intp),
        directions=np.array([f.direction for f in freedoms]).reshape(-1, 3).T[:, :, None].copy(),
        turns=np.array([[float(f.turns)] for f in freedoms]).reshape(-1, 1),
        mass=mass,
        com=com,
        inertia=inertia,
        armature=_armature(mechanism, len(freedoms)),
    )


def _base(mechanism: Mechanism) -> list[Freedom]:
    if mechanism.base != "free":
        return []
    return [Freedom(0, 0, axis, turns) for turns in (False, True) for axis in np.eye(3)]


def _freedoms(
    mechanism: Mechanism, name: str, body_of: Sequence[int], offsets: dict[int, Floats]
) -> Iterator[Freedom]:
    joint = mechanism.robot.joint(name)
    parent, child = (mechanism.link_names.index(link) for link in (joint.parent, joint.child))
    body, axis = body_of[child], snap(np.array(unit(joint.axis) or (0.0, 0.0, 1.0)))
    match joint.kind:
        case "revolute" | "prismatic":
            yield Freedom(body, body, axis, joint.kind == "revolute")
        case "planar":
            frame = axis_frame(axis.tolist())
            outer = offsets[parent] @ np.array(joint.origin.matrix())
            for column in range(2):
                yield Freedom(body, body_of[parent], outer[:3, :3] @ frame[:, column], turns=False)
            yield Freedom(body, body, axis, turns=True)
        case "ball" | "free":
            for turns in (False, True) if joint.kind == "free" else (True,):
                yield from (Freedom(body, body, axis, turns) for axis in np.eye(3))


def _masses(
    mechanism: Mechanism, body_of: Sequence[int], offsets: dict[int, Floats], count: int
) -> tuple[Floats, Floats, Floats]:
    """Mass, centre of mass and inertia about it of the bodies, in their frames.

    A mass matrix is symmetric, so of an inertia that is not the symmetric part counts.
    Parts that have an inertia but no mass keep it, wherever they are.
    """
    parts: list[list[tuple[float, Floats, Floats]]] = [[] for _ in range(count)]
    for link, place in offsets.items():
        own = mechanism.robot.links[link].inertial
        if own is not None:
            turn, matrix = place[:3, :3], np.array(own.inertia)
            about = turn @ (matrix / 2.0 + matrix.T / 2.0) @ turn.T
            parts[body_of[link]].append((own.mass, turn @ np.array(own.com) + place[:3, 3], about))
    mass, com, inertia = np.zeros((count, 1)), np.zeros((3, count, 1)), np.zeros((3, 3, count, 1))
    for body, bodies in enumerate(parts):
        mass[body] = total = sum(m for m, _, _ in bodies)
        centre = sum((m * c for m, c, _ in bodies), np.zeros(3)) / (total or 1.0)
        com[:, body, 0] = bodies[0][1] if len(bodies) == 1 else centre
        for m, c, about in bodies:
            d = c - com[:, body, 0]
            inertia[:, :, body, 0] += about + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, com, inertia


def _armature(mechanism: Mechanism, count: int) -> Floats:
    out = np.zeros((count, 1))
    for joint, start in zip(mechanism.robot.joints, mechanism.idx_v.tolist(), strict=True):
        if VELOCITY_SIZE[joint.kind] == 1:
            out[start] = joint.actuator.reflected_inertia
    return out
