"""Conversion of a mechanism to a Pinocchio model, for its derivatives and its speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.program import axis_frame, snap
from unibody.model.arrays import Floats, Indices
from unibody.model.joint_kind import KINDS, JointKind, unknown_kind
from unibody.model.pose import Pose, unit
from unibody.model.robot import Joint
from unibody.text.installation import install_command
from unibody.text.missing import missing


class TooManyDegrees(ValueError):
    """A robot has more degrees of freedom than the data of Pinocchio have room for in memory."""


# Pinocchio's data hold second derivatives: bytes for the cube of the degrees of freedom, and most of these.
_BYTES, _MOST_DEGREES = 64, 320


@dataclass(frozen=True, kw_only=True, eq=False)
class PinocchioModel:
    """A Pinocchio model with its data, and where each of its numbers stands in ours.

    Pinocchio's q is ``q[..., q_order]`` and its v is ``v[..., v_order]`` (so are a, the
    forces and the columns of Jacobians); the other way, ``q_pin[..., q_back]`` and
    ``v_pin[..., v_back]``. Only places differ: quaternions are x, y, z, w there, and all
    joints of a branch follow one another. Quaternions must have the length 1.
    """

    model: Any
    data: Any
    q_order: Indices
    v_order: Indices
    q_back: Indices
    v_back: Indices


def to_pinocchio(mechanism: Mechanism, inertias: bool = True) -> PinocchioModel:
    """The mechanism as a Pinocchio model with the same joints, frames and inertias.

    Joints have their names and, unless branches of the tree are interleaved, their order; a free base
    is the joint "root_joint". A link that is fixed to another adds its inertia there, and like every
    link and every frame of the robot it is a frame. Coupled joints move by themselves
    (``unibody.to_pinocchio`` couples them), loops are open, and gravity pulls each link, whatever its
    gravity compensation. Without ``inertias``, which Pinocchio
    refuses if no body can have them, the poses are the same. MissingExtra says what to install;
    TooManyDegrees that Pinocchio's data would fill the memory.
    """
    try:
        import pinocchio
    except ImportError:
        raise missing("to_pinocchio", "Pinocchio", install_command("dynamics")) from None
    if mechanism.nv > _MOST_DEGREES:
        raise TooManyDegrees(
            f"{mechanism.robot.name!r} has {mechanism.nv} degrees of freedom, for which the data of "
            f"Pinocchio take {_BYTES * mechanism.nv**3 / 1e9:.0f} GB; at most {_MOST_DEGREES} are supported"
        )
    return _Builder(pinocchio, mechanism, inertias).build()


class _Builder:
    """Pinocchio's model while it grows: ``at`` holds per link its joint, its pose there, and its frame."""

    def __init__(self, pin: Any, mechanism: Mechanism, inertias: bool) -> None:
        self.inertias = inertias
        self.pin, self.mechanism, self.robot = pin, mechanism, mechanism.robot
        self.model = pin.Model()
        self.model.name = self.robot.name
        self.model.gravity.linear = np.array(mechanism.gravity)
        self.at: dict[str, tuple[int, Any, int]] = {}
        self.q_order: list[int] = []
        self.v_order: list[int] = []

    def build(self) -> PinocchioModel:
        """Root, joints in order, links, frames; then what is known once all joints are there."""
        self._root()
        if self.robot.surroundings is not None:
            self.at[self.robot.surroundings.name] = (0, self.pin.SE3.Identity(), 0)
        for number in _order(self.mechanism):
            self._joint(number)
        for frame in self.robot.frames:
            joint, place, above = self.at[frame.link]
            self._frame(frame.name, (joint, place * self._se3(frame.pose), above), "OP_FRAME")
        self._along_v()
        q_order, v_order = (np.array(order, np.intp) for order in (self.q_order, self.v_order))
        return PinocchioModel(
            model=self.model,
            data=self.model.createData(),
            q_order=q_order,
            v_order=v_order,
            q_back=np.argsort(q_order),
            v_back=np.argsort(v_order),
        )

    def _root(self) -> None:
        root, identity = self.robot.root, self.pin.SE3.Identity()
        if self.mechanism.base != "free":
            self._link(root, (0, self._se3(self.robot.pose), 0))
            return
        name = "root_joint"
        while name in self.mechanism.joint_names:
            name += "_"
        joint = self.model.addJoint(0, self.pin.JointModelFreeFlyer(), identity, name)
        frame = self.model.addJointFrame(joint, 0)
        self._ordered("free", 0, 0)
        self._link(root, (joint, identity, frame))

    def _joint(self, number: int) -> None:
        joint, pin = self.robot.joints[number], self.pin
        carrier, place, above = self.at[joint.parent]
        place = place * self._se3(joint.origin)
        if not KINDS[joint.kind].nv:
            frame = self._frame(joint.name, (carrier, place, above), "FIXED_JOINT")
            self._link(joint.child, (carrier, place, frame))
            return
        added = self.model.addJoint(carrier, self._motion(joint), place, joint.name)
        frame = self.model.addJointFrame(added, above)
        q, v = (int(a[number]) for a in (self.mechanism.idx_q, self.mechanism.idx_v))
        self._ordered(joint.kind, q, v)
        self._link(joint.child, (added, pin.SE3.Identity(), frame))

    def _motion(self, joint: Joint) -> Any:
        pin = self.pin
        axis = snap(np.array(unit(joint.axis) or (0.0, 0.0, 1.0)))
        kind = joint.kind
        match kind:
            case "revolute" | "prismatic":
                letter = "R" if kind == "revolute" else "P"
                # Pinocchio is faster where it knows that an axis is X, Y or Z.
                if 1.0 in axis:
                    return getattr(pin, f"JointModel{letter}{'XYZ'[axis.tolist().index(1.0)]}")()
                return getattr(pin, f"JointModel{kind.capitalize()}Unaligned")(axis)
            case "screw":
                return pin.JointModelHelicalUnaligned(axis, joint.lead)
            case "universal":
                # Pinocchio's own universal joint has orthogonal axes.
                made = pin.JointModelComposite()
                made.addJoint(pin.JointModelRevoluteUnaligned(axis))
                made.addJoint(
                    pin.JointModelRevoluteUnaligned(snap(np.array(unit(joint.axis2 or joint.axis))))
                )
                return made
            case "planar":
                # Pinocchio's planar joint has its velocities in the moved frame, so this is made of three.
                made, frame = pin.JointModelComposite(), axis_frame(axis.tolist())
                for column in range(2):
                    made.addJoint(pin.JointModelPrismaticUnaligned(frame[:, column]))
                made.addJoint(pin.JointModelRevoluteUnaligned(axis))
                return made
            case "ball":
                return pin.JointModelSpherical()
            case "free":
                return pin.JointModelFreeFlyer()
            case "fixed" | "track":
                raise ValueError(f"joint {joint.name!r} does not move")
            case _:
                unknown_kind(kind)

    def _ordered(self, kind: JointKind, q: int, v: int) -> None:
        entries = list(range(q, q + KINDS[kind].nq))
        if KINDS[kind].has_quaternion:
            w = entries.pop(-4)
            entries.append(w)
        self.q_order += entries
        self.v_order += range(v, v + KINDS[kind].nv)

    def _link(self, name: str, at: tuple[int, Any, int]) -> None:
        joint, place, above = at
        inertial = self.robot.link(name).inertial
        if inertial is not None and self.inertias:
            matrix = np.array(inertial.inertia)
            own = self.pin.Inertia(inertial.mass, np.array(inertial.com), (matrix + matrix.T) / 2.0)
            self.model.appendBodyToJoint(joint, own, place)
        self.at[name] = (joint, place, self._frame(name, (joint, place, above), "BODY"))

    def _frame(self, name: str, at: tuple[int, Any, int], kind: str) -> int:
        joint, place, above = at
        made = self.pin.Frame(name, joint, above, place, getattr(self.pin.FrameType, kind))
        return int(self.model.addFrame(made, False))

    def _se3(self, pose: Pose) -> Any:
        return self.pin.SE3(np.array(pose.matrix()))

    def _along_v(self) -> None:
        """Rotors, damping, friction and limits, which have an entry for each degree of freedom."""
        mechanism, order = self.mechanism, self.v_order
        rows = np.full((6, mechanism.nv), np.inf)
        rows[:2] = 0.0
        for joint, start in zip(self.robot.joints, mechanism.idx_v.tolist(), strict=True):
            dynamics, (slow, fast), (weak, strong) = (
                joint.dynamics,
                joint.limits.velocity,
                joint.limits.effort,
            )
            row = (dynamics.damping, dynamics.friction, -slow, fast, -weak, strong)
            rows[:, start : start + KINDS[joint.kind].nv] = np.array(row)[:, None]
        damping, friction, back, forth, pull, push = rows[:, order]
        self._set(("armature",), mechanism.tree.armature[order])
        self._set(("damping",), damping)
        # The second name is that of Pinocchio 3, whose limits are symmetric.
        self._set(("upperDryFrictionLimit", "friction"), friction)
        self._set(("lowerDryFrictionLimit",), -friction)
        self._set(("upperVelocityLimit", "velocityLimit"), forth)
        self._set(("lowerVelocityLimit",), -back)
        self._set(("upperEffortLimit", "effortLimit"), push)
        self._set(("lowerEffortLimit",), -pull)
        self._set(("lowerPositionLimit",), mechanism.lower[self.q_order])
        self._set(("upperPositionLimit",), mechanism.upper[self.q_order])

    def _set(self, names: tuple[str, ...], values: Floats) -> None:
        name = next((name for name in names if hasattr(self.model, name)), None)
        if name is not None:
            setattr(self.model, name, values)


def _order(mechanism: Mechanism) -> list[int]:
    """The joints in their order, but each branch in one run: Pinocchio computes with runs of columns."""
    robot = mechanism.robot
    below: dict[str, list[int]] = {}
    for number, joint in enumerate(robot.joints):
        below.setdefault(joint.parent, []).append(number)
    order: list[int] = []
    waiting = below.get(robot.root, [])[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(below.get(robot.joints[order[-1]].child, []))
    return order
