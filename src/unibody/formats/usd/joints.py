"""Reads joints: which bodies they hold, their frames there, what they leave free, and their values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

from unibody.formats.usd import document_bodies as d
from unibody.formats.usd.places import Place, rotation
from unibody.model.pose import IDENTITY, Pose, Vector3, dot
from unibody.model.robot import UNBOUNDED, Actuator, Dynamics, Limits, Range
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings

X, Y, Z = AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_BY_NAME: Mapping[str, Vector3] = {"X": X, "Y": Y, "Z": Z}
#: The axes of a joint of free choice, in the order in which they are chained.
SLIDES = ("transX", "transY", "transZ")
TURNS = ("rotX", "rotY", "rotZ")
#: The axis of each.
AXIS: Mapping[str, Vector3] = dict(zip((*SLIDES, *TURNS), (*AXES, *AXES), strict=True))
# From which difference on the frames of a joint are not where its motion can bring them, in m and rad.
_APART = 1e-4


@dataclass(slots=True, eq=False)
class Side:
    """A body that a joint holds, None for the world, and the frame of the joint in it."""

    body: Place | None
    frame: Pose

    @property
    def world(self) -> Pose:
        """The frame of the joint in the world, as the stage is."""
        return self.frame if self.body is None else self.body.pose @ self.frame


@dataclass(slots=True, eq=False)
class Freedom:
    """One motion that a joint leaves: about or along an axis of its frame, with its position in the stage.

    ``name`` is the name of the axis as in limits and drives.
    """

    name: str
    is_turn: bool
    axis: Vector3
    position: float = 0.0
    limits: Limits = Limits()
    dynamics: Dynamics = Dynamics()
    actuator: Actuator = Actuator()

    @property
    def is_plain(self) -> bool:
        """Whether it has no values, which joints of several positions do not have."""
        return (self.limits, self.dynamics, self.actuator) == (Limits(), Dynamics(), Actuator())


@dataclass(slots=True, eq=False)
class JointRecord:
    """A joint of the stage; the coordinates of its ``freedoms`` move side 1 in the frame of side 0.

    ``kind`` is "free" for a joint that holds nothing, "ball", or "chain" for one that leaves its freedoms.
    ``apart`` is how far its frames are from where its motion can bring them, in m and rad.
    """

    place: Place
    doc: d.PhysicsJoint
    sides: tuple[Side, Side]
    kind: str = "chain"
    freedoms: list[Freedom] = field(default_factory=list)
    apart: tuple[float, float] = (0.0, 0.0)
    name: str = ""

    @property
    def bodies(self) -> tuple[Place | None, Place | None]:
        """The two bodies."""
        return self.sides[0].body, self.sides[1].body

    @property
    def excluded(self) -> bool:
        """Whether it closes a loop, as it says."""
        return self.doc.exclude_from_articulation


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a stage in m and kg, and the unit of angles of MuJoCo's attributes in rad."""

    meters: float
    kilograms: float
    angle: float

    @property
    def force(self) -> float:
        """The unit of forces in N."""
        return self.kilograms * self.meters

    @property
    def torque(self) -> float:
        """The unit of torques in N·m, and that of inertias in kg·m²."""
        return self.kilograms * self.meters * self.meters


class JointReader:
    """Reads the joints of a stage."""

    def __init__(self, places: Mapping[str, Place], top: Place, units: Units, findings: Findings) -> None:
        self.places, self.top, self.units, self.findings = places, top, units, findings

    def read(self, place: Place) -> JointRecord | None:
        """The record of a joint; None, with a finding, if it holds nothing."""
        doc = place.prim
        assert isinstance(doc, d.PhysicsJoint)
        what = f"joint <{place.path}>"
        if not doc.joint_enabled:
            self.findings.info(
                "joint-disabled",
                f"{what} is disabled; not read",
                doc.at("joint_enabled"),
                "remove physics:jointEnabled, if it should hold",
            )
            return None
        if isinstance(doc, d.PhysicsDistanceJoint):
            self.findings.warning(
                "joint-not-read",
                f"{what} limits a distance, for which the model has no joint; its bodies move freely",
                doc.at(),
                "write a joint, if it matters; USD gets it back",
            )
            return None
        sides = self.ends(place)
        if sides is None:
            return None
        record = JointRecord(place, doc, sides)
        if record.bodies[0] is record.bodies[1]:
            where = "the world" if record.bodies[0] is None else f"<{record.bodies[0].path}>"
            self.findings.warning(
                "joint-one-body",
                f"{what} must hold two bodies, but both are {where}; not read",
                doc.at("body0", "body1"),
                "set physics:body0 and physics:body1 to two prims with PhysicsRigidBodyAPI",
            )
            return None
        self._freedoms(record)
        self._measure(record)
        return record

    def ends(self, place: Place) -> tuple[Side, Side] | None:
        """The two sides of a joint; None, with a finding, if one names no prim."""
        doc = place.prim
        assert isinstance(doc, d.PhysicsJoint)
        first = self._side(place, "body0", doc.body0, doc.local_pos0, doc.local_rot0)
        second = self._side(place, "body1", doc.body1, doc.local_pos1, doc.local_rot1)
        return None if first is None or second is None else (first, second)

    def _side(
        self,
        place: Place,
        word: str,
        targets: tuple[str, ...],
        xyz: tuple[float, ...],
        quat: tuple[float, ...],
    ) -> Side | None:
        """The body that one side of a joint names; None, with a finding, if there is no such prim."""
        target = self.top
        if targets:
            found = self.places.get(targets[0])
            if found is None:
                self.findings.error(
                    "joint-body-missing",
                    f"joint <{place.path}>: physics:{word} must be a prim, but <{targets[0]}> is none",
                    place.prim.at(word),
                    "correct the path, or add the prim",
                )
                return None
            target = found
        sx, sy, sz = target.scale
        x, y, z = xyz
        local = Pose((x * sx, y * sy, z * sz), rotation(quat))
        body = target.body
        if body is target:
            return Side(body, local)
        frame = target.pose @ local
        if targets and body is None and target is not self.top:
            self.findings.info(
                "joint-to-world",
                f"joint <{place.path}>: <{target.path}> must be or be in a rigid body; read as the world",
                place.prim.at(word),
                "apply PhysicsRigidBodyAPI to it, if it should move",
            )
        return Side(body, frame if body is None else body.pose.inverse() @ frame)

    # --- what it leaves free ----------------------------------------------------------------

    def _freedoms(self, record: JointRecord) -> None:
        doc = record.doc
        if isinstance(doc, d.PhysicsFixedJoint):
            return
        if isinstance(doc, d.PhysicsSphericalJoint):
            record.kind = "ball"
            return
        if isinstance(doc, d.PhysicsRevoluteJoint | d.PhysicsPrismaticJoint):
            is_turn = isinstance(doc, d.PhysicsRevoluteJoint)
            axis = _BY_NAME.get(doc.axis, X)
            name = f"{'rot' if is_turn else 'trans'}{doc.axis}"
            freedom = Freedom(name, is_turn, axis)
            drive = "angular" if is_turn else "linear"
            self._values(freedom, record, (doc.lower_limit, doc.upper_limit), drive)
            record.freedoms = [freedom]
            return
        limits = {each.instance: each for each in doc.limits}
        for name in (*SLIDES, *TURNS):
            limit = limits.get(name)
            if limit is not None and limit.low > limit.high:
                continue
            is_turn = name in TURNS
            freedom = Freedom(name, is_turn, AXIS[name])
            bounds = (-math.inf, math.inf) if limit is None else (limit.low, limit.high)
            self._values(freedom, record, bounds, name)
            record.freedoms.append(freedom)
        if not all(each.is_plain for each in record.freedoms):
            return
        names = [each.name for each in record.freedoms]
        if names == [*SLIDES, *TURNS]:
            record.kind, record.freedoms = "free", []
        elif names == list(TURNS):
            record.kind, record.freedoms = "ball", []

    def _values(self, freedom: Freedom, record: JointRecord, bounds: Range, drive: str) -> None:
        """The limits, the passive effects and the inertia of one motion, in SI units."""
        doc, units = record.doc, self.units
        length = math.radians(1.0) if freedom.is_turn else units.meters
        effort = units.torque if freedom.is_turn else units.force
        per = effort / length
        newton, physx, mjc = doc.newton_joint, doc.physx_joint, doc.mjc_joint
        speed = math.inf
        if newton is not None and "velocity_limit" in newton.given:
            speed = newton.velocity_limit * length
        elif physx is not None and "max_joint_velocity" in physx.given:
            speed = physx.max_joint_velocity * length
        most = UNBOUNDED
        found = next((each for each in doc.drives if each.instance == drive), None)
        if found is not None and found.max_force < _HUGE:
            most = (-found.max_force * effort, found.max_force * effort)
        if mjc is not None and "actuatorfrcrange_max" in mjc.given and mjc.actuatorfrclimited != "false":
            most = (mjc.actuatorfrcrange_min, mjc.actuatorfrcrange_max)
        low, high = (value * length if abs(value) < _HUGE else value for value in bounds)
        low, high = (math.copysign(math.inf, v) if abs(v) >= _HUGE else v for v in (low, high))
        freedom.limits = Limits(
            position=(low, high),
            velocity=(-speed, speed) if speed < _HUGE else UNBOUNDED,
            effort=most,
            at=doc.written_at("lower_limit") if "lower_limit" in doc.given else None,
        )
        damping = friction = stiffness = rest = 0.0
        inertia = None
        if mjc is not None:
            damping, friction, stiffness = mjc.damping, mjc.frictionloss, mjc.stiffness
            rest = mjc.springref * (units.angle if freedom.is_turn else 1.0)
            inertia = mjc.armature if "armature" in mjc.given else None
        if physx is not None:
            inertia = physx.armature * self._inertia(freedom) if "armature" in physx.given else inertia
            friction = physx.joint_friction * effort if "joint_friction" in physx.given else friction
        if newton is not None:
            damping = newton.damping * per if "damping" in newton.given else damping
            friction = newton.friction * effort if "friction" in newton.given else friction
            inertia = newton.armature * self._inertia(freedom) if "armature" in newton.given else inertia
        freedom.dynamics = Dynamics(damping=damping, friction=friction, stiffness=stiffness, rest=rest)
        freedom.actuator = Actuator(axis_inertia=inertia)

    def _inertia(self, freedom: Freedom) -> float:
        return self.units.torque if freedom.is_turn else self.units.kilograms

    # --- where it is in the stage -----------------------------------------------------------

    def _measure(self, record: JointRecord) -> None:
        """The positions of a joint in the stage, and how far its frames are apart otherwise."""
        motion = record.sides[0].world.inverse() @ record.sides[1].world
        if record.kind == "free":
            return
        free = {each.name: each for each in record.freedoms}
        for k, name in enumerate(SLIDES):
            if name in free:
                free[name].position = motion.xyz[k]
        turns = [each for each in record.freedoms if each.is_turn]
        turn = IDENTITY
        if len(turns) == 1:
            angle = _angle(motion, turns[0].axis)
            turns[0].position = _within(angle, turns[0].limits.position)
        elif turns:
            angles = _angles(motion)
            for each in turns:
                each.position = angles[TURNS.index(each.name)]
        for each in turns:
            half = each.position / 2.0
            x, y, z = (math.sin(half) * a for a in each.axis)
            turn = turn @ Pose((0.0, 0.0, 0.0), (math.cos(half), x, y, z))
        shift = math.hypot(*(v for v, name in zip(motion.xyz, SLIDES, strict=True) if name not in free))
        rest = 0.0
        if record.kind != "ball":
            w, x, y, z = (turn.inverse() @ motion).quat
            rest = 2.0 * math.atan2(math.hypot(x, y, z), abs(w))
        record.apart = (shift, rest)
        if shift > _APART or rest > _APART:
            words = [f"{shift:.3g} m"] * (shift > _APART) + [f"{math.degrees(rest):.3g}°"] * (rest > _APART)
            self.findings.warning(
                "joint-frames-apart",
                f"joint <{record.place.path}>: its frames on both bodies must differ by its motion only, "
                f"but are {' and '.join(words)} apart: a simulation jumps",
                record.doc.at("local_pos0", "local_pos1", "local_rot0", "local_rot1"),
                "correct physics:localPos and physics:localRot, or the place of a body",
            )


# Limits and forces from this size on mean none: 32 bits hold no more than 3.4e38.
_HUGE = 1e30


def _angle(motion: Pose, axis: Vector3) -> float:
    """The angle of a rotation about an axis."""
    w, x, y, z = motion.quat
    angle = 2.0 * math.atan2(dot((x, y, z), axis), w)
    return math.remainder(angle, 2.0 * math.pi)


def _angles(motion: Pose) -> tuple[float, float, float]:
    """The angles about X, then the turned Y, then the turned Z."""
    (_, _, xz), (_, _, yz), (_, _, zz) = r = motion.rotation()
    middle = math.asin(max(-1.0, min(1.0, xz)))
    if abs(xz) > 1.0 - 1e-12:
        return math.atan2(r[2][1], r[1][1]), middle, 0.0
    return math.atan2(-yz, zz), middle, math.atan2(-r[0][1], r[0][0])


def _within(angle: float, bounds: Range) -> float:
    """The angle or the same after a full turn, whichever is within the limits."""
    low, high = bounds
    for turns in (0, -1, 1):
        shifted = angle + turns * 2.0 * math.pi
        if low - 1e-6 <= shifted <= high + 1e-6:
            return shifted
    return angle


def turned(limits: Limits) -> Limits:
    """Limits of the opposite direction."""
    return Limits(
        position=(-limits.position[1], -limits.position[0]),
        velocity=(-limits.velocity[1], -limits.velocity[0]),
        effort=(-limits.effort[1], -limits.effort[0]),
        at=limits.at,
    )
