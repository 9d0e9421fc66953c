"""Reads gears and limits of joints from actuators, and checks the controls of keyframes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf.joints import is_limited
from unibody.formats.mjcf.links import Assembly
from unibody.formats.mjcf.settings import Settings
from unibody.model.joint_kind import KINDS
from unibody.model.robot import UNBOUNDED, Joint, Limits, Range
from unibody.model.traverse import path_of

# Controls beyond their range by less are rounded (of the largest number of the range).
_ROUNDING = 1e-6
# Actuators whose control has several numbers.
_SEVERAL = (a.Orientation, a.ActuatorPlugin, a.DcMotor, a.Pid)


def with_drives(joints: list[Joint], docs: Sequence[d.Mujoco], parts: Assembly) -> list[Joint]:
    """The joints with the limits of the actuators that drive them, and the gear of a single motor."""
    drives: dict[str, list[a.GearedDrive]] = {}
    for item in _actuators(docs):
        if name := driven_joint(item):
            drives.setdefault(name, []).append(item)  # type: ignore[arg-type]
    settings = parts.bodies[0].scope.settings
    out = []
    for joint in joints:
        own, made = drives.get(joint.name, []), joint
        if own and KINDS[joint.kind].nq == 1:
            effort, velocity = drive_limits(own, joint.limits.effort, settings)
            limits = Limits(
                position=joint.limits.position, velocity=velocity, effort=effort, at=joint.limits.at
            )
            motors = [x for x in own if isinstance(x, a.Motor)]
            if len(motors) == 1:
                made = replace(made, actuator=replace(joint.actuator, gear_ratio=_gear(motors[0])))
            made = replace(made, limits=limits)
        out.append(made)
    return out


def driven_joint(actuator: Document) -> str | None:
    """The joint that an actuator drives, None if it pulls on a site or a tendon."""
    if not isinstance(actuator, a.GearedDrive) or actuator.tendon or actuator.slidersite:
        return None
    return None if getattr(actuator, "site", None) else actuator.joint or actuator.jointinparent


def drive_limits(drives: Sequence[a.GearedDrive], effort: Range, settings: Settings) -> tuple[Range, Range]:
    """The limits of effort and velocity of a joint with the limits of its actuators.

    The efforts of several actuators add up; ``effort`` limits their sum. A limited control of a velocity
    servo limits the velocity.
    """
    low, high = 0.0, 0.0
    velocity = UNBOUNDED
    for drive in drives:
        least, most = _effort(drive, settings)
        low, high = low + least, high + most
        velocity = _narrowed(velocity, _velocity(drive, settings))
    return _narrowed(effort, (low, high)), velocity


def _effort(drive: a.GearedDrive, settings: Settings) -> Range:
    out = UNBOUNDED
    gain = 1.0 if isinstance(drive, a.Motor) else _gain(drive)
    ranges = [(getattr(drive, "forcelimited", "auto"), getattr(drive, "forcerange", None), 1.0)]
    if gain is not None:
        ranges.append((getattr(drive, "ctrllimited", "auto"), drive.ctrlrange, gain))
    for limited, limits, unit in ranges:
        if limits is not None and is_limited(limited, limits, settings):
            factor = unit * _gear(drive)
            low, high = sorted((factor * limits[0], factor * limits[1]))
            out = _narrowed(out, (low, high))
    return out


def _gain(drive: a.GearedDrive) -> float | None:
    """The force for a control of 1, None if the force depends on more than the control."""
    if not isinstance(drive, a.General) or drive.dyntype != "none":
        return None
    is_force = drive.gaintype == "fixed" and drive.biastype == "none"
    return drive.gainprm[0] if is_force and drive.gainprm else None


def _velocity(drive: a.GearedDrive, settings: Settings) -> Range:
    limits = drive.ctrlrange
    if not isinstance(drive, a.Velocity | a.IntVelocity) or limits is None:
        return UNBOUNDED
    gear = _gear(drive)
    if not gear or not is_limited(drive.ctrllimited, limits, settings):
        return UNBOUNDED
    low, high = sorted((limits[0] / gear, limits[1] / gear))
    return low, high


def _gear(drive: a.GearedDrive) -> float:
    return drive.gear[0] if drive.gear else 1.0


def _narrowed(first: Range, second: Range) -> Range:
    return (max(first[0], second[0]), min(first[1], second[1]))


def _actuators(docs: Sequence[d.Mujoco]) -> list[Document]:
    sections = (section for doc in docs for section in doc.items if isinstance(section, d.Actuators))
    return [item for section in sections for item in section.items]


def check_controls(doc: d.Mujoco, docs: Sequence[d.Mujoco], parts: Assembly, context: Context) -> None:
    """Report controls of keyframes that are outside of the range of their actuator."""
    actuators = _actuators(docs)
    keys = [key for section in doc.items if isinstance(section, d.Keyframes) for key in section.keys]
    if not keys or any(isinstance(actuator, _SEVERAL) for actuator in actuators):
        return
    settings = parts.bodies[0].scope.settings
    ranges = _joint_ranges(parts)
    for key in keys:
        if key.ctrl is None or len(key.ctrl) != len(actuators):
            continue
        for actuator, value in zip(actuators, key.ctrl, strict=True):
            found = _control_range(actuator, ranges, settings)
            if found is None:
                continue
            low, high = found
            slack = _ROUNDING * max(abs(low), abs(high))
            if not low - slack <= value <= high + slack:
                name = getattr(actuator, "name", None) or driven_joint(actuator) or ""
                context.findings.warning(
                    "control-limits",
                    f"key '{key.name or ''}': the control {value:g} of actuator '{name}' is outside its "
                    f"range, {low:g} to {high:g}; MuJoCo uses {min(max(value, low), high):g}",
                    key.at("ctrl"),
                    "write a control within the range, or correct ctrlrange",
                    # one finding for each actuator of a key
                    subject=path_of("configurations", key.name or "", "controls", name),
                )


def _joint_ranges(parts: Assembly) -> Mapping[str, Range]:
    """The ranges of the joints as MuJoCo counts positions."""
    joints = (joint for own in parts.joints for joint in own)
    return {j.name: (j.limits.position[0] + j.ref, j.limits.position[1] + j.ref) for j in joints}


def _control_range(actuator: Document, ranges: Mapping[str, Range], settings: Settings) -> Range | None:
    """The range of the control of an actuator, None if it is not limited."""
    limited, limits = getattr(actuator, "ctrllimited", "auto"), getattr(actuator, "ctrlrange", None)
    share = getattr(actuator, "inheritrange", None)
    if limits is None and share and isinstance(actuator, a.Position | a.General) and limited != "false":
        low, high = ranges.get(driven_joint(actuator) or "", UNBOUNDED)
        if not math.isfinite(high - low):
            return None
        middle, half = (low + high) / 2.0, (high - low) / 2.0 * share
        return middle - half, middle + half
    if limits is not None and is_limited(limited, limits, settings):
        return limits[0], limits[1]
    return None
