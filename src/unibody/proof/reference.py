"""What an engine should have of a robot: its mechanism, and the bodies of the file."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unibody.formats.mjcf.engine import (
    actuator_inertia_of,
    body_tree,
    polynomials_of,
    solvers_of,
    zeros_of,
)
from unibody.formats.sdf.bodies import file_frames
from unibody.mechanism import Mechanism, assemble, sampling
from unibody.mechanism.tree import BASE_SIZE, BASE_VELOCITY_SIZE, zero_configuration
from unibody.meshes.cache import MeshCache
from unibody.model.arrays import Floats
from unibody.model.base import Base
from unibody.model.changes.joints import split_joints
from unibody.model.gravity import STANDARD, gravity_of
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import IDENTITY, Pose, Vector3
from unibody.model.robot import Joint, Robot
from unibody.proof.solids import Solid, solids_of
from unibody.text.finding import Findings

#: Joints that engines have as they are; others are chains of them.
KEPT: tuple[JointKind, ...] = ("fixed", "revolute", "prismatic", "ball", "free", "screw")
# Those that only some formats have as they are.
_KEPT_IN: Mapping[str, tuple[JointKind, ...]] = {"sdf": ("universal",)}
#: Joints whose positions are drawn; the others rest.
DRAWN = ("revolute", "prismatic", "ball", "universal")
# Positions are at most this far from the allowed one next to zero, in m and rad.
_SLIDE, _TURN = 1.0, 8.0


#: The body of each link in the engine, and the pose of the link in it.
Frames = Mapping[str, tuple[str, Pose]]


@dataclass(frozen=True, kw_only=True, eq=False)
class States:
    """Random states by joint: positions, velocities and forces, (B, n) each; "" is a free base.

    ``rounding`` are forces that engines in single precision may be off by; none for those in double.
    """

    count: int
    q: Mapping[str, Floats]
    v: Mapping[str, Floats]
    effort: Mapping[str, Floats]
    rounding: Mapping[str, Floats] = field(default_factory=dict)

    def first(self, count: int) -> States:
        """The first states."""
        q, v, effort, rounding = (
            {joint: rows[:count] for joint, rows in given.items()}
            for given in (self.q, self.v, self.effort, self.rounding)
        )
        return States(count=min(count, self.count), q=q, v=v, effort=effort, rounding=rounding)


@dataclass(frozen=True, slots=True)
class Misreading:
    """How an engine reads the numbers of a joint: from another one, scaled, with another zero.

    The offset of a free base has the seven numbers of its pose.
    """

    of: str
    scale: float = 1.0
    offset: float | tuple[float, ...] = 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Reference:
    """A robot whose mechanism an engine is compared with.

    ``format`` is that of its file. ``frames`` are the bodies of links in the file; by default each is a
    body of its own name. ``gravity`` is that of the comparison (m/s²), ``stated_gravity`` that which the
    file states. ``readings`` are joints whose numbers an engine reads in another way than they
    are meant; ``zeros`` are the coordinates in the file of
    joints at their zeros, by default 0; ``gravity_compensation`` is the share of its weight that lifts a
    link; ``actuator_inertia`` is the share of actuators in the armature of joints; ``polynomials`` are
    joints that follow others by polynomials with higher terms. ``meshes`` are its mesh files, read once.
    """

    robot: Robot
    base: Base
    frames: Frames
    format: str = ""
    gravity: Vector3 = STANDARD
    readings: Mapping[str, Misreading] = field(default_factory=dict)
    stated_gravity: Vector3 | None = None
    zeros: Mapping[str, float] = field(default_factory=dict)
    gravity_compensation: Mapping[str, float] = field(default_factory=dict)
    actuator_inertia: Mapping[str, float] = field(default_factory=dict)
    polynomials: Mapping[str, tuple[str, tuple[float, ...]]] = field(default_factory=dict)
    solvers: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)
    meshes: MeshCache = field(default_factory=lambda: MeshCache(findings=Findings()), repr=False)

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism, with the base of the comparison."""
        return assemble(self.robot, base=self.base)

    @cached_property
    def solids(self) -> Mapping[tuple[str, str], tuple[Solid, ...]]:
        """The shapes of each link and role whose meshes can be read."""
        return solids_of(self.robot, self.meshes)

    @cached_property
    def bodies(self) -> dict[str, tuple[str, Pose]]:
        """The body of each link and the pose of the link in it."""
        return {link.name: self.frames.get(link.name, (link.name, IDENTITY)) for link in self.robot.links}

    @cached_property
    def above(self) -> dict[str, Joint]:
        """The joint that moves or fixes each link."""
        return {joint.child: joint for joint in self.robot.joints}

    @cached_property
    def anchors(self) -> dict[str, Pose]:
        """The pose of each link in the body of MJCF that has it, whatever format the engine loads."""
        bodies = self.bodies if self.format == "mjcf" else _bodies_of(self.robot)
        return {name: pose for name, (_, pose) in bodies.items()}

    @cached_property
    def dofs(self) -> list[tuple[str, int]]:
        """The joint of each entry of v, "" for a free base, and the number of the entry in it."""
        out = [("", k) for k in range(BASE_VELOCITY_SIZE)] if self.mechanism.base == "free" else []
        for joint in self.mechanism.robot.joints:
            out += [(joint.name, k) for k in range(KINDS[joint.kind].nv)]
        return out

    def body_of(self, link: str, present: Container[str]) -> tuple[str, Pose] | None:
        """The body that has a link in an engine with these bodies, and the pose of the link in it.

        A link that is fixed to another one and that the engine does not have is a part of that one's body;
        None without one.
        """
        above = self.above
        pose, name = IDENTITY, link
        while self.bodies[name][0] not in present and name in above and above[name].kind == "fixed":
            pose, name = above[name].origin @ pose, above[name].parent
        body, offset = self.bodies[name]
        return (body, offset @ pose) if body in present else None

    def body_below(self, link: str, present: Container[str]) -> tuple[str, Pose] | None:
        """Like :meth:`body_of`, the other way: a root without mass may be a part of what is fixed to it."""
        below = [(link, IDENTITY)]
        for name, pose in below:
            body, offset = self.bodies[name]
            if body in present:
                return body, offset @ pose.inverse()
            below += [
                (joint.child, pose @ joint.origin)
                for joint in self.robot.joints
                if joint.parent == name and joint.kind == "fixed"
            ]
        return None

    def movers(self) -> dict[str, str]:
        """The joint that the numbers of each joint move: another one if an engine exchanges them."""
        of = {name: reading.of for name, reading in self.readings.items()}
        if {*of} != {*of.values()}:
            return {}
        return {other: name for name, other in of.items()}

    def stated(self, facts: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """What an engine states of joints, by the joints that their numbers move."""
        movers = self.movers()
        return {movers.get(joint["name"], joint["name"]): joint for joint in facts["joints"]}

    def numbers(self, states: States) -> tuple[Floats, Floats, Floats]:
        """Positions (B, nq), velocities and forces (B, nv) of the mechanism at states."""
        mechanism = self.mechanism
        q = np.tile(zero_configuration(mechanism.tree), (states.count, 1))
        v, effort = np.zeros((states.count, mechanism.nv)), np.zeros((states.count, mechanism.nv))
        for name, at_q, nq, at_v, nv in places(mechanism):
            reading = self.readings.get(name, Misreading(name))
            of = reading.of
            if of in states.q and states.q[of].shape[1] == nq and states.v[of].shape[1] == nv:
                q[:, at_q : at_q + nq] = reading.scale * states.q[of] + np.asarray(reading.offset)
                v[:, at_v : at_v + nv] = reading.scale * states.v[of]
                effort[:, at_v : at_v + nv] = states.effort[of]
        return q, v, effort

    def rounding(self, states: States) -> Floats:
        """The forces (B, nv) that an engine may be off by at states."""
        out = np.zeros((states.count, self.mechanism.nv))
        for name, _, _, at, size in places(self.mechanism):
            rows = states.rounding.get(self.readings.get(name, Misreading(name)).of)
            if rows is not None and rows.shape[1] == size:
                out[:, at : at + size] = rows
        return out


def places(mechanism: Mechanism) -> list[tuple[str, int, int, int, int]]:
    """Where the numbers of each joint are: its start and size in q, then in v; "" is a free base."""
    out = [("", 0, BASE_SIZE, 0, BASE_VELOCITY_SIZE)] if mechanism.base == "free" else []
    starts = zip(mechanism.robot.joints, mechanism.idx_q.tolist(), mechanism.idx_v.tolist(), strict=True)
    out += [(joint.name, q, KINDS[joint.kind].nq, v, KINDS[joint.kind].nv) for joint, q, v in starts]
    return out


def _bodies_of(robot: Robot) -> Frames:
    """The body of each link in MJCF, "" without one, and the pose of the link in it."""
    tree = body_tree(robot)
    frames: dict[str, tuple[str, Pose]] = {}
    for link in robot.links:
        body = tree.by_link.get(link.name)
        if body is not None and body.link is not None and body.link.name == link.name:
            frames[link.name] = (body.name, body.link_pose)
        else:
            frames[link.name] = ("", IDENTITY)
    return frames


def _frames_of(robot: Robot, format: str, stated: Robot) -> Frames:
    """The body of each link in a file of a format, where it is not the link itself."""
    if format == "mjcf":
        return _bodies_of(robot)
    if format == "sdf":
        return {link: (link, pose.inverse()) for link, pose in file_frames(stated).items()}
    return {}


def reference_of(
    robot: Robot,
    format: str,
    base: Base | None = None,
    kept: Collection[JointKind] = KEPT,
    *,
    stated: Robot | None = None,
) -> Reference:
    """The reference of a robot in a file of this format, which has joints of the kinds ``kept``.

    ``stated`` is the robot of the file, if it is not that one.
    """
    chosen: Base = base or robot.base or "fixed"
    split = split_joints(robot, (*kept, *_KEPT_IN.get(format, ())))
    of_actuators = actuator_inertia_of(robot) if format == "mjcf" else {}
    return Reference(
        robot=split,
        base=chosen,
        frames=_frames_of(split, format, stated or robot),
        format=format,
        gravity=gravity_of(robot),
        stated_gravity=robot.gravity,
        zeros=zeros_of(robot) if format == "mjcf" else {},
        gravity_compensation={
            link.name: link.gravity_compensation for link in robot.links if link.gravity_compensation
        },
        actuator_inertia=of_actuators,
        polynomials=polynomials_of(robot) if format == "mjcf" else {},
        solvers=solvers_of(robot) if format == "mjcf" else {},
    )


def draw_states(reference: Reference, count: int, seed: int = 0) -> States:
    """Random states; the first one is the initial configuration at rest, without forces.

    The forces are those for random accelerations, so that no term of the dynamics is small beside them.
    """
    mechanism = reference.mechanism
    generator = np.random.default_rng(seed)
    slides = generator.uniform(-_SLIDE, _SLIDE, (count, mechanism.nq))
    uniform = sampling.uniform(mechanism.tree, generator, slides)
    drawn = np.tile(zero_configuration(mechanism.tree), (count, 1))
    moving = np.zeros(mechanism.nv, bool)
    if mechanism.base == "free":
        drawn[:, :BASE_SIZE] = uniform[:, :BASE_SIZE]
        moving[:BASE_VELOCITY_SIZE] = True
    for joint, at, dof in zip(
        mechanism.robot.joints, mechanism.idx_q.tolist(), mechanism.idx_v.tolist(), strict=True
    ):
        if joint.kind not in DRAWN:
            continue
        size = KINDS[joint.kind].nq
        drawn[:, at : at + size] = uniform[:, at : at + size]
        if size == 1:
            most = _SLIDE if joint.kind == "prismatic" else _TURN
            nearest = min(max(0.0, joint.limits.position[0]), joint.limits.position[1])
            drawn[:, at] = np.clip(drawn[:, at], nearest - most, nearest + most)
        moving[dof : dof + KINDS[joint.kind].nv] = True
    q = np.asarray(mechanism.apply_couplings(drawn))
    v = generator.normal(size=(count, mechanism.nv)) * moving
    rates = generator.normal(size=(count, mechanism.nv)) * moving
    effort = np.asarray(mechanism.inverse_dynamics(q, v, rates)) * moving
    if count:
        q[0], v[0], effort[0] = mechanism.initial, 0.0, 0.0
    where = places(mechanism)
    return States(
        count=count,
        q={name: q[:, at : at + size] for name, at, size, _, _ in where},
        v={name: v[:, at : at + size] for name, _, _, at, size in where},
        effort={name: effort[:, at : at + size] for name, _, _, at, size in where},
    )
