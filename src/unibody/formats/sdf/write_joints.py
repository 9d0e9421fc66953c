"""Writes joints, loops and couplings; the inverse of ``joints``."""

from __future__ import annotations

import math
from collections.abc import Mapping

from unibody.formats.jointed import HOLDS
from unibody.formats.sdf import document_parts as d
from unibody.formats.sdf.write_versions import MIMICS, PITCHES, Version
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import Vector3
from unibody.model.robot import Actuator, Coupling, Dynamics, Holds, Joint, Limits, Range

#: The kinds of joints that SDF has; it has free ones between a link and the world.
JOINT_KINDS: frozenset[JointKind] = frozenset(
    ("fixed", "revolute", "prismatic", "ball", "universal", "screw")
)
#: The types of joints that hold what a loop holds.
LOOP_TYPES: Mapping[Holds, JointKind] = {
    HOLDS[kind]: kind for kind in ("revolute", "fixed", "ball", "prismatic")
}


def joint(given: Joint, name: str, coupling: d.Mimic | d.DrakeMimic | None, version: Version) -> d.Joint:
    """The element of a joint, without its ends and its pose."""
    kind: str = given.kind
    is_open = given.limits.position == (-math.inf, math.inf)
    if kind == "revolute" and is_open:
        kind = "continuous"
    out = d.Joint(name=name, type=kind)
    if KINDS[given.kind].axes:
        out.axis = _axis(given, given.axis)
        if isinstance(coupling, d.Mimic):
            out.axis.mimic = coupling
        elif coupling is not None:
            out.axis.drake_mimic = coupling
        _drive(out, given.actuator)
    if given.kind == "universal" and given.axis2 is not None:
        out.axis2 = _axis(given, given.axis2)
    if given.kind == "screw" and given.pitch is not None:
        if version >= PITCHES:
            out.screw_thread_pitch = given.pitch
        elif given.pitch:
            out.thread_pitch = -2.0 * math.pi / given.pitch
    return out


def _axis(given: Joint, direction: Vector3) -> d.Axis:
    out = d.Axis(xyz=direction_element(direction), dynamics=_dynamics(given.dynamics))
    out.limit = _limit(given.limits)
    return out


def direction_element(direction: Vector3) -> d.AxisDirection:
    """The element of a direction in the frame of its joint."""
    out = d.AxisDirection(value=direction)
    out.given.add("value")
    return out


def _dynamics(given: Dynamics) -> d.AxisDynamics | None:
    if given == Dynamics():
        return None
    return d.AxisDynamics(
        damping=given.damping,
        friction=given.friction,
        spring_stiffness=given.stiffness,
        spring_reference=given.rest,
    )


def _limit(given: Limits) -> d.AxisLimit | None:
    lower, upper = given.position
    effort, velocity = _both(given.effort), _both(given.velocity)
    if (lower, upper, effort, velocity) == (-math.inf, math.inf, math.inf, math.inf):
        return None
    return d.AxisLimit(lower=lower, upper=upper, effort=effort, velocity=velocity)


def _both(bounds: Range) -> float:
    """The tighter of two limits, as the limit for both directions."""
    return min(abs(bounds[0]), abs(bounds[1]))


def _drive(out: d.Joint, drive: Actuator) -> None:
    """Gear and rotor, in elements of Drake; a reflected inertia is that of a rotor before the gear."""
    out.gear_ratio, out.rotor_inertia = drive.gear_ratio, drive.rotor_inertia
    if drive.axis_inertia is not None:
        ratio = drive.gear_ratio or 1.0
        out.gear_ratio, out.rotor_inertia = ratio, drive.axis_inertia / ratio**2


def mimic(coupling: Coupling, leader: str, version: Version) -> d.Mimic | d.DrakeMimic:
    """How a joint follows another one, which is called ``leader`` in the file."""
    ratio, offset = coupling.ratio, coupling.offset
    if version >= MIMICS:
        out = d.Mimic(joint=leader, multiplier=ratio, offset=offset)
        out.given |= {"multiplier", "offset", "reference"}
        return out
    return d.DrakeMimic(joint=leader, multiplier=ratio, offset=offset)
