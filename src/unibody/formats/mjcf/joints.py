"""Reads joints: several joints of one body become a chain of massless links."""

from __future__ import annotations

import math

from unibody.formats.format import Context
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.conventions import Settings
from unibody.formats.mjcf.tree import BodyRecord, Placed
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import ZERO, Pose, Vector3, rotate, unit
from unibody.model.robot import UNBOUNDED, Actuator, Dynamics, Limits, Range
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass

#: The kinds of joints by their types.
TYPES: dict[str, JointKind] = {
    "hinge": "revolute",
    "slide": "prismatic",
    "ball": "ball",
    "free": "free",
}
#: The most degrees of freedom of the joints of one body.
MOST_FREEDOMS = 6


@dataclass(slots=True, kw_only=True)
class JointRecord:
    """A joint in the frame of its body: ``anchor`` is the point it turns about.

    ``ref`` is the coordinate of MuJoCo at the zero of the model's; ``lock`` is where an equality holds the
    joint, whatever its limits.
    """

    placed: Placed
    kind: JointKind
    name: str = ""
    anchor: Vector3 = ZERO
    axis: Vector3 = (0.0, 0.0, 1.0)
    ref: float = 0.0
    limits: Limits = Limits()
    lock: float | None = None
    dynamics: Dynamics = Dynamics()
    actuator: Actuator = Actuator()


def read_joints(body: BodyRecord, context: Context) -> list[JointRecord]:
    """The joints of a body, in order."""
    out = [_joint(placed, context) for placed in body.joints]
    types = [_type(placed) for placed in body.joints]
    freedoms = sum(KINDS[joint.kind].nv for joint in out)
    problem = ""
    if "free" in types and (len(types) > 1 or body.parent != 0):
        problem = "a free joint must be alone in a body directly below the world"
    elif freedoms > MOST_FREEDOMS:
        problem = f"its joints must have {MOST_FREEDOMS} degrees of freedom at most, got {freedoms}"
    elif "ball" in types and any(t in ("hinge", "ball") for t in types[types.index("ball") + 1 :]):
        problem = "a joint that turns must not follow a ball joint"
    if problem:
        context.findings.error(
            "joints-of-body", f"body '{body.name}': {problem}; MuJoCo rejects the file", body.joints[0].at
        )
    return out


def _type(placed: Placed) -> str:
    return placed.doc.type if isinstance(placed.doc, b.Joint) else "free"


def _joint(placed: Placed, context: Context) -> JointRecord:
    doc = placed.doc
    if not isinstance(doc, b.Joint):
        assert isinstance(doc, b.FreeJoint)
        return JointRecord(placed=placed, kind="free", name=doc.name or "")
    kind = TYPES[doc.type]
    if kind == "free":
        return JointRecord(
            placed=placed,
            kind=kind,
            name=doc.name or "",
            dynamics=_dynamics(doc, 0.0),
            actuator=_armature(doc),
        )
    settings = placed.scope.settings
    scale = settings.angle if doc.type in ("hinge", "ball") else 1.0
    ref = 0.0 if kind == "ball" else (doc.ref or 0.0) * scale
    anchor = ZERO if doc.pos is None else (doc.pos[0], doc.pos[1], doc.pos[2])
    return JointRecord(
        placed=placed,
        kind=kind,
        name=doc.name or "",
        anchor=placed.frame.apply(anchor),
        axis=(0.0, 0.0, 1.0) if kind == "ball" else _axis(placed, doc, context),
        ref=ref,
        limits=Limits() if kind == "ball" else _limits(doc, settings, scale, ref, context),
        dynamics=_dynamics(doc, (doc.springref or 0.0) * scale - ref if kind != "ball" else 0.0),
        actuator=_armature(doc),
    )


def _named(doc: b.Joint) -> str:
    return f"joint '{doc.name}'" if doc.name else "unnamed joint"


def _axis(placed: Placed, doc: b.Joint, context: Context) -> Vector3:
    """The axis in the body frame; one of zero length is an error, as in MuJoCo."""
    x, y, z = doc.axis
    direction = unit((x, y, z))
    if direction is None:
        context.findings.error(
            "axis-zero",
            f"{_named(doc)}: axis must not be zero, got 0 0 0; MuJoCo rejects the file",
            doc.at("axis"),
            "set the direction of the axis",
            subject=path_of("joints", doc.name or ""),
        )
        return (0.0, 0.0, 1.0)
    return rotate(placed.frame.quat, direction)


def is_limited(limited: str, limits: tuple[float, ...] | None, settings: Settings) -> bool | None:
    """Whether a range holds; None where MuJoCo rejects what is written."""
    proper = limits is not None and limits[0] < limits[1]
    if limited == "false":
        return False
    if limited == "true":
        return True if proper else None
    if not settings.autolimits:
        return None if limits is not None and limits[0] != limits[1] else False
    return proper


def _limits(doc: b.Joint, settings: Settings, scale: float, ref: float, context: Context) -> Limits:
    position = UNBOUNDED
    holds = is_limited(doc.limited, doc.range, settings)
    if holds is None:
        found = "none" if doc.range is None else f"{doc.range[0]:g} {doc.range[1]:g}"
        must = f"range must be two rising numbers, got {found}"
        if doc.limited != "true":
            must = f"limited must be given beside range {found}"
        context.findings.error(
            "range-rejected",
            f"{_named(doc)}: {must}; MuJoCo rejects the file",
            doc.at("range", "limited"),
            subject=path_of("joints", doc.name or "", "limits", "position"),
        )
    elif holds and doc.range is not None:
        position = (doc.range[0] * scale - ref, doc.range[1] * scale - ref)
    elif doc.range is not None and doc.limited == "auto" and doc.range[0] > doc.range[1]:
        context.findings.warning(
            "range-reversed",
            f"{_named(doc)}: the range is reversed; reading it as unlimited, as in MuJoCo",
            doc.at("range"),
            "write the smaller number first",
            subject=path_of("joints", doc.name or "", "limits", "position"),
        )
    return Limits(position=position, effort=_effort(doc, settings), at=doc.at("range"))


def _effort(doc: b.Joint, settings: Settings) -> Range:
    force = doc.actuatorfrcrange
    if force is not None and is_limited(doc.actuatorfrclimited, force, settings):
        return (force[0], force[1])
    return UNBOUNDED


def _dynamics(doc: b.Joint, rest: float) -> Dynamics:
    """The passive effects of a joint; the higher terms of polynomials are kept as extras."""
    stiffness = doc.stiffness[0] if doc.stiffness else 0.0
    return Dynamics(
        damping=doc.damping[0] if doc.damping else 0.0,
        friction=doc.frictionloss or 0.0,
        stiffness=stiffness,
        rest=rest if stiffness else 0.0,
    )


def _armature(doc: b.Joint) -> Actuator:
    return Actuator(axis_inertia=doc.armature) if doc.armature else Actuator()


def check_degrees(bodies: list[BodyRecord], context: Context) -> None:
    """Report ranges in degrees that look like radians, in a file that does not say which unit it has."""
    found: list[tuple[b.Joint, float]] = []
    for body in bodies:
        for placed in body.joints:
            doc = placed.doc
            if not isinstance(doc, b.Joint) or doc.type != "hinge" or doc.range is None:
                continue
            if "angle" in placed.scope.settings.stated:
                return
            found.append((doc, max(map(abs, doc.range))))
    sizes = [size for _, size in found if size]
    if not sizes or max(sizes) > 2.01 * math.pi:
        return
    doc = found[0][0]
    low, high = doc.range or (0.0, 0.0)
    context.findings.warning(
        "angle-radians",
        f"{_named(doc)}: the range {low:g} … {high:g} is in degrees, which MuJoCo assumes; it "
        "looks like radians",
        doc.at("range"),
        'add <compiler angle="radian"/> if these are radians',
        subject=path_of("joints", doc.name or "", "limits", "position"),
    )


def offset(joints: list[JointRecord]) -> Vector3:
    """The origin of the link of a body in the frame of the body: the anchor of its last joint."""
    return joints[-1].anchor if joints else ZERO


def shift(point: Vector3) -> Pose:
    """The frame of a body in the frame of its link, whose origin is this point of the body."""
    return Pose((-point[0], -point[1], -point[2]))
