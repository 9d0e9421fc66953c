"""Writes joints, loops, couplings and the base, with their frames in both bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping

from unibody.formats.usd.write_stage import Stage, relate, state
from unibody.model.base import WORLD
from unibody.model.changes.joints import across
from unibody.model.collision import PairRules
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import (
    IDENTITY,
    UNIT_QUATERNION,
    Pose,
    Quaternion,
    Vector3,
    cross,
    dot,
    from_axis_angle,
    matrix_quaternion,
    rotate,
)
from unibody.model.robot import BALL, FIXED, HINGE, Coupling, Holds, Joint, Loop, Range, Robot
from unibody.text.usda.layer import Prim

#: The kinds of joints that are written as they are; others become chains.
JOINT_KINDS: frozenset[JointKind] = frozenset(
    ("fixed", "revolute", "prismatic", "ball", "universal", "planar", "free")
)
#: How the joint is called that holds a fixed base.
ROOT_JOINT = "root_joint"
_AXES: Mapping[str, Vector3] = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
_MOTIONS = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")
_TYPES: Mapping[JointKind, str] = {
    "fixed": "PhysicsFixedJoint",
    "revolute": "PhysicsRevoluteJoint",
    "prismatic": "PhysicsPrismaticJoint",
    "ball": "PhysicsSphericalJoint",
}
# The axes of a joint of free choice that move, with the axis of the model along Z for a planar one.
_FREE: Mapping[JointKind, tuple[str, ...]] = {
    "universal": ("rotX", "rotY"),
    "planar": ("transX", "transY", "rotZ"),
    "free": _MOTIONS,
}
_SLIDE = Holds(axial=False, radial=True, twist=True, swing=True)
_LOOPS: Mapping[Holds, JointKind] = {BALL: "ball", HINGE: "revolute", FIXED: "fixed", _SLIDE: "prismatic"}
# How far from a right angle the axes of a universal joint may be.
_SQUARE = 1e-9


def writable_whole(joint: Joint) -> bool:
    """Whether one joint of USD moves as a joint does; a universal one must have its axes at right angles.

    >>> writable_whole(Joint(name="j", kind="screw", parent="a", child="b", pitch=0.1))
    False
    """
    if joint.kind == "universal":
        return joint.axis2 is not None and abs(dot(joint.axis, joint.axis2)) < _SQUARE
    return joint.kind in JOINT_KINDS


def aligned(axis: Vector3) -> tuple[str, Quaternion]:
    """The axis X, Y or Z of a frame, and the rotation of the frame that puts it along ``axis``.

    >>> aligned((0.0, 1.0, 0.0)), aligned((0.0, 0.0, -1.0))
    (('Y', (1.0, 0.0, 0.0, 0.0)), ('Z', (0.0, 1.0, 0.0, 0.0)))
    """
    for token, direction in _AXES.items():
        if axis == direction:
            return token, UNIT_QUATERNION
    for token, side in (("X", (0.0, 0.0, 1.0)), ("Y", (1.0, 0.0, 0.0)), ("Z", (1.0, 0.0, 0.0))):
        x, y, z = _AXES[token]
        if axis == (-x, -y, -z):
            return token, (0.0, *side)
    return "X", _turn((1.0, 0.0, 0.0), axis)


def _turn(a: Vector3, b: Vector3) -> Quaternion:
    """The smallest rotation from one direction to another."""
    normal = cross(a, b)
    size = math.hypot(*normal)
    if size < 1e-12:
        return UNIT_QUATERNION if dot(a, b) > 0.0 else (0.0, 0.0, 0.0, 1.0)
    return from_axis_angle(normal, math.atan2(size, dot(a, b))) or UNIT_QUATERNION


def _columns(x: Vector3, y: Vector3, z: Vector3) -> Quaternion:
    """The rotation of a frame with these axes."""
    return matrix_quaternion(tuple(zip(x, y, z, strict=True)))  # type: ignore[arg-type]


def drive_axis(kind: JointKind) -> str:
    """The instance of the drive of a joint with one axis."""
    return "angular" if kind == "revolute" else "linear"


def scale_of(kind: JointKind) -> float:
    """What positions of a joint are multiplied by in the file: degrees of angles, meters of distances."""
    return 1.0 if KINDS[kind].slides else 180.0 / math.pi


class Joints:
    """Writes what connects the links of a stage."""

    def __init__(self, robot: Robot, stage: Stage, drives: Mapping[str, tuple[float, float]]) -> None:
        """``drives``: stiffness and damping of the drives that are asked for, by joint (SI units)."""
        self.robot, self.stage, self.drives = robot, stage, drives
        self.scope = f"{stage.root}/Physics"
        self.rules = PairRules(robot)
        self.tokens: dict[str, str] = {}

    def write(self, base: str) -> None:
        """Write all of them."""
        stage, robot = self.stage, self.robot
        if base == "fixed" and stage.top == robot.root:
            path = stage.add(stage.physics, self.scope, "", _TYPES["fixed"], ROOT_JOINT)
            self._ends(stage.physics.at(path), None, robot.root, robot.pose, IDENTITY)
        for joint in robot.joints:
            self._joint(joint)
        for coupling in robot.couplings:
            self._coupling(coupling)
        for loop in robot.loops:
            self._loop(loop)
        follow = {coupling.joint for coupling in robot.couplings}
        for joint in robot.joints:
            if joint.kind in ("revolute", "prismatic") and not joint.passive and joint.name not in follow:
                self._motor(joint)

    def _ends(self, prim: Prim, first: str | None, second: str | None, at_0: Pose, at_1: Pose) -> None:
        """The two bodies of a joint, None for the world, and its frame in each."""
        for name, link in (("physics:body0", first), ("physics:body1", second)):
            if link is not None and link in self.stage.links:
                relate(prim, name, [self.stage.links[link]])
        state(
            prim,
            ("physics:localPos0", at_0.xyz),
            ("physics:localPos1", at_1.xyz),
            ("physics:localRot0", at_0.quat),
            ("physics:localRot1", at_1.quat),
        )

    # --- joints -------------------------------------------------------------------------

    def _joint(self, joint: Joint) -> None:
        stage = self.stage
        kind = joint.kind
        path = stage.add(stage.physics, self.scope, joint.name, _TYPES.get(kind, "PhysicsJoint"), "joint")
        stage.joints[joint.name] = path
        prim = stage.physics.at(path)
        turn = UNIT_QUATERNION
        if kind in ("revolute", "prismatic"):
            token, turn = aligned(joint.axis)
            self.tokens[joint.name] = token
            state(prim, ("physics:axis", token))
        elif kind == "planar":
            turn = _columns(*across(joint.axis), joint.axis)
        elif kind == "universal" and joint.axis2 is not None:
            turn = _columns(joint.axis, joint.axis2, cross(joint.axis, joint.axis2))
        frame = Pose(quat=turn)
        origin = joint.origin if joint.parent in stage.links else self.robot.pose @ joint.origin
        self._ends(prim, joint.parent, joint.child, origin @ frame, frame)
        if self._collide(joint):
            state(prim, ("physics:collisionEnabled", True))
        if kind in ("revolute", "prismatic"):
            self._limits(prim, joint)
        elif kind in _FREE:
            self._axes(prim, joint)
        if kind != "fixed":
            prim.apply("NewtonJointAPI", "PhysxJointAPI", "MjcJointAPI")
        if kind in ("revolute", "prismatic", "universal"):
            # the axes of others have values in different units
            self._dynamics(prim, joint)

    def _collide(self, joint: Joint) -> bool:
        """Whether the two links of a joint are tested for collision."""
        solid = all(self.robot.link(name).collisions for name in (joint.parent, joint.child))
        return solid and self.rules.are_tested(joint.parent, joint.child)

    def _limits(self, prim: Prim, joint: Joint) -> None:
        unit = scale_of(joint.kind)
        lower, upper = joint.limits.position
        if lower > -math.inf:
            state(prim, ("physics:lowerLimit", lower * unit))
        if upper < math.inf:
            state(prim, ("physics:upperLimit", upper * unit))
        self._drive(prim, joint)

    def _axes(self, prim: Prim, joint: Joint) -> None:
        """The axes of a joint of free choice: those that are held, and the limits of the others."""
        free = _FREE[joint.kind]
        for name in _MOTIONS:
            low, high = joint.limits.position if KINDS[joint.kind].bounded else (-math.inf, math.inf)
            if name not in free:
                low, high = 1.0, -1.0
            elif math.isinf(low) and math.isinf(high):
                continue
            else:
                unit = 180.0 / math.pi if name.startswith("rot") else 1.0
                low, high = low * unit, high * unit
            prim.apply(f"PhysicsLimitAPI:{name}")
            state(prim, (f"limit:{name}:physics:high", high), (f"limit:{name}:physics:low", low))

    def _drive(self, prim: Prim, joint: Joint) -> None:
        """The limit of effort, as the largest force of a drive, and the gains that are asked for."""
        most = _both(joint.limits.effort)
        gains = self.drives.get(joint.name)
        if math.isinf(most) and gains is None:
            return
        axis = drive_axis(joint.kind)
        unit = scale_of(joint.kind)
        prim.apply(f"PhysicsDriveAPI:{axis}")
        if gains is not None:
            state(
                prim,
                (f"drive:{axis}:physics:damping", gains[1] / unit),
                (f"drive:{axis}:physics:stiffness", gains[0] / unit),
                (f"drive:{axis}:physics:targetPosition", joint.initial * unit),
            )
        if not math.isinf(most):
            state(prim, (f"drive:{axis}:physics:maxForce", most))
        state(prim, (f"drive:{axis}:physics:type", "force"))

    def _motor(self, joint: Joint) -> None:
        """The motor of a joint for MuJoCo, which adds nothing until it is commanded."""
        stage = self.stage
        path = stage.add(stage.physics, self.scope, f"{joint.name}_motor", "MjcActuator", "motor")
        prim = stage.physics.at(path)
        prim.metadata.pop("displayName", None)
        relate(prim, "mjc:target", [stage.joints[joint.name]])
        low, high = joint.limits.effort
        if math.isfinite(low) and math.isfinite(high):
            state(prim, ("mjc:ctrlRange:max", high), ("mjc:ctrlRange:min", low))

    def _dynamics(self, prim: Prim, joint: Joint) -> None:
        """Rotor, damping, friction and speed as Newton has them, which MuJoCo reads; its own springs."""
        unit = scale_of(joint.kind)
        given = joint.dynamics
        inertia = joint.actuator.reflected_inertia
        speed = _both(joint.limits.velocity)
        if inertia:
            state(prim, ("newton:armature", inertia), ("physxJoint:armature", inertia))
        low, high = joint.limits.effort
        if math.isfinite(low) and math.isfinite(high) and joint.kind in ("revolute", "prismatic"):
            state(prim, ("mjc:actuatorfrcrange:max", high), ("mjc:actuatorfrcrange:min", low))
        if given.damping:
            state(prim, ("newton:damping", given.damping / unit))
        if given.friction:
            state(prim, ("newton:friction", given.friction))
        if given.stiffness:
            state(prim, ("mjc:stiffness", given.stiffness), ("mjc:springref", given.rest * unit))
        if joint.initial and joint.kind in ("revolute", "prismatic"):
            # MuJoCo takes the poses of the stage for the zero of its joints
            state(prim, ("mjc:ref", joint.initial * unit))
        if not math.isinf(speed):
            state(
                prim,
                ("newton:velocityLimit", speed * unit),
                ("physxJoint:maxJointVelocity", speed * unit),
            )

    # --- couplings and loops ------------------------------------------------------------

    def _coupling(self, coupling: Coupling) -> None:
        """A joint that follows another one: as Newton states it and, with the other sign, as PhysX does."""
        follower, leader = self.robot.joint(coupling.joint), self.robot.joint(coupling.leader)
        if KINDS[follower.kind].nq != 1 or KINDS[leader.kind].nq != 1:
            return
        prim = self.stage.physics.at(self.stage.joints[coupling.joint])
        offset = coupling.offset * scale_of(follower.kind)
        target = self.stage.joints[coupling.leader]
        prim.apply("NewtonMimicAPI")
        relate(prim, "newton:mimicJoint", [target])
        state(prim, ("newton:mimicCoef0", offset), ("newton:mimicCoef1", coupling.ratio))
        token, other = self.tokens.get(coupling.joint), self.tokens.get(coupling.leader)
        if token is None or other is None:
            return
        axis = f"rot{token}"
        prim.apply(f"PhysxMimicJointAPI:{axis}")
        ratio = coupling.ratio * scale_of(follower.kind) / scale_of(leader.kind)
        state(prim, (f"physxMimicJoint:{axis}:gearing", -ratio))
        state(prim, (f"physxMimicJoint:{axis}:offset", -offset))
        relate(prim, f"physxMimicJoint:{axis}:referenceJoint", [target])
        state(prim, (f"physxMimicJoint:{axis}:referenceJointAxis", f"rot{other}"))

    def _loop(self, loop: Loop) -> None:
        """A joint beside the tree, which solvers of trees close by force."""
        kind = _LOOPS.get(loop.holds)
        stage = self.stage
        type_name = "PhysicsJoint" if kind is None else _TYPES[kind]
        path = stage.add(stage.physics, self.scope, loop.name, type_name, "loop")
        prim = stage.physics.at(path)
        w, x, y, z = loop.pose_a.quat
        token, turn = aligned(rotate((w, -x, -y, -z), loop.axis))
        if kind is None or KINDS[kind].axes:
            if kind is not None:
                state(prim, ("physics:axis", token))
        else:
            turn = UNIT_QUATERNION
        frame = Pose(quat=turn)
        first, second = (None if name == WORLD else name for name in (loop.link_a, loop.link_b))
        self._ends(prim, first, second, loop.pose_a @ frame, loop.pose_b @ frame)
        state(prim, ("physics:excludeFromArticulation", True))
        if kind is None:
            self._held(prim, loop.holds, token)

    def _held(self, prim: Prim, holds: Holds, token: str) -> None:
        """The axes of a joint of free choice that a loop holds."""
        for name in _MOTIONS:
            along = name.endswith(token)
            slide, turn = (holds.axial, holds.twist) if along else (holds.radial, holds.swing)
            if slide if name.startswith("trans") else turn:
                prim.apply(f"PhysicsLimitAPI:{name}")
                state(prim, (f"limit:{name}:physics:high", -1.0), (f"limit:{name}:physics:low", 1.0))


def _both(bounds: Range) -> float:
    """The tighter of two limits, as the limit for both directions."""
    return min(abs(bounds[0]), abs(bounds[1]))
