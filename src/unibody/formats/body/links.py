"""Reads links as parts: everything about one link before the tree is assembled."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Any, Literal

import numpy as np

from unibody.formats.body import document as d
from unibody.formats.body.elements import Content, Reader, inertia_array, read_elements
from unibody.formats.body.placement import pose, radians
from unibody.formats.body.values import UNLIMITED, axis_vector
from unibody.formats.extras import written
from unibody.formats.format import Context
from unibody.model.inertia import Inertial, compose, matrix3
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import UNIT_MATRIX, ZERO, Pose, Vector3, unit
from unibody.model.robot import UNBOUNDED, Actuator, Limits, Range
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.fixes import renumbered
from unibody.text.node import Item
from unibody.text.source import Span

_KINDS: dict[str, JointKind] = {
    "fixed": "fixed",
    "free": "free",
    "revolute": "revolute",
    "prismatic": "prismatic",
    "pseudo_continuous_track": "track",
}
Mode = Literal["effort", "displacement", "velocity", "surface_velocity", "link_position"]
_MODES: dict[str, Mode] = {
    "joint_effort": "effort",
    "joint_displacement": "displacement",
    "joint_velocity": "velocity",
    "link_position": "link_position",
    "jointSurfaceVelocity": "surface_velocity",
}
# Some files write Choreonoid's largest double for no limit.
_HUGE = 1e308


@dataclass(slots=True)
class Part:
    """A link and its joint, with the names of its own file.

    ``docs`` are the node of the link and, for the root of a sub-body, the SubBody node.
    """

    docs: tuple[d.LinkKeys, ...]
    name: str
    parent: str
    joint_name: str
    kind: JointKind
    pose: Pose
    axis: Vector3
    limits: Limits
    actuator: Actuator
    initial: float
    number: int
    inertial: Inertial | None
    content: Content
    extras: list[Item] = field(default_factory=list)
    at: Span | None = None
    parent_at: Span | None = None


_MOTION = frozenset(
    "joint_axis joint_range max_joint_velocity joint_velocity_range max_joint_effort".split()
)


def unmoved(doc: d.LinkKeys) -> list[Item]:
    """Axis and limits as written, which have no effect on a fixed or free joint."""
    return written(doc, *_MOTION.intersection(doc.given))


def part(doc: d.LinkKeys, reader: Reader, own: JointKind | None = None) -> Part:
    """Read a Link, SubBody or ContinuousTrack node.

    ``own`` is the joint kind of a sub-body's root, used unless the node sets a joint type.
    """
    context = reader.context
    kind, mode = _kind(doc)
    if own is not None and not {"joint_type", "actuation_mode"} & doc.given:
        kind = own
    content = read_elements(doc.elements, doc.name, reader)
    return Part(
        docs=(doc,),
        name=doc.name,
        parent=doc.parent,
        joint_name=doc.joint_name,
        kind=kind,
        pose=pose(doc, reader.unit, context.findings),
        axis=_axis(doc, kind, context),
        limits=limits(doc, kind, reader),
        actuator=_actuator(doc, mode),
        initial=_initial(doc, kind, reader),
        number=doc.joint_id,
        # the root of a sub-body has its own inertial
        inertial=None if isinstance(doc, d.SubBody) else inertial(doc, content, context),
        content=content,
        extras=list(doc.rest),
        at=_name_span(doc),
        parent_at=doc.at("parent"),
    )


def _name_span(doc: d.LinkKeys) -> Span | None:
    return doc.at("name") if doc.name else doc.at()


def _kind(doc: d.LinkKeys) -> tuple[JointKind, Mode | None]:
    mode = _MODES.get(doc.actuation_mode or "")
    kind = _KINDS[doc.joint_type]
    if mode == "surface_velocity":
        # Deprecated spelling of a simplified track (facts A.5).
        return "track", "velocity"
    if kind == "track" and mode is None:
        mode = "velocity"
    return kind, mode


def _axis(doc: d.LinkKeys, kind: JointKind, context: Context) -> Vector3:
    given = axis_vector(doc.joint_axis)
    direction = unit(given)
    if direction is None:
        # Choreonoid accepts any vector (facts A.5); a fixed or free joint has no use for it
        idle = not KINDS[kind].axes
        context.findings.warning(
            "axis-zero",
            f"link '{doc.name}' has a zero joint_axis (jointAxis); "
            f"{f'ignored for a {kind} joint' if idle else 'using Z'}",
            doc.at("joint_axis"),
            "remove the key" if idle else "set the direction of the axis",
            subject=path_of("links", doc.name),
        )
        return (0.0, 0.0, 1.0)
    if abs(math.hypot(*given) - 1.0) > 1e-6:
        context.findings.warning(
            "axis-not-unit",
            f"link '{doc.name}': joint_axis of length {math.hypot(*given):.6g} is normalized; "
            "Choreonoid uses it as written",
            doc.at("joint_axis"),
            "write a unit vector",
            subject=path_of("links", doc.name),
            fix=renumbered(
                doc.at("joint_axis"),
                "normalize the axis",
                lambda old: direction if len(old) == 3 else None,
                safe=True,
            ),
        )
    return direction


def _largest(value: Any) -> Any:
    """The value of a ``max…`` key; −1 means no limit, as in OpenHRP files."""
    return UNLIMITED if value == -1.0 else value


def _bound(value: Any, sign: float, scale: Any) -> float:
    if value == UNLIMITED:
        return sign * math.inf
    return sign * math.inf if abs(value) >= _HUGE else scale(value)


def _range(value: Any, scale: Any) -> Range:
    """A pair, one number for both signs, or unlimited."""
    if value is None or value == UNLIMITED:
        return UNBOUNDED
    if isinstance(value, tuple):
        return (_bound(value[0], -1.0, scale), _bound(value[1], 1.0, scale))
    high = _bound(value, 1.0, scale)
    return (-high, high)


def limits(doc: d.LinkKeys, kind: JointKind, reader: Reader) -> Limits:
    """The limits of a joint; values are angles for revolute joints only (facts A.2)."""
    findings = reader.context.findings

    def angle(v: float) -> float:
        return radians(v, reader.unit)

    def same(v: float) -> float:
        return v

    scale = angle if kind == "revolute" else same
    symmetric, pair = _largest(doc.max_joint_velocity), doc.joint_velocity_range
    if symmetric is not None and pair is not None:
        findings.warning(
            "reference-differs",
            f"link '{doc.name}': max_joint_velocity overrides joint_velocity_range, as in Choreonoid; "
            "the reference says the opposite",
            doc.at("joint_velocity_range"),
            "remove one of the two",
            subject=path_of("links", doc.name),
        )
    out = Limits(
        position=_range(doc.joint_range, scale),
        velocity=_range(symmetric if symmetric is not None else pair, scale),
        effort=_range(_largest(doc.max_joint_effort), same),
        at=None if doc.joint_range is None else doc.at("joint_range"),
    )
    return out


def _actuator(doc: d.LinkKeys, mode: Mode | None) -> Actuator:
    if (
        mode is None
        and doc.gear_ratio is None
        and doc.rotor_inertia is None
        and doc.joint_axis_inertia is None
    ):
        return Actuator()
    return Actuator(
        mode=mode,
        gear_ratio=doc.gear_ratio,
        rotor_inertia=doc.rotor_inertia,
        axis_inertia=doc.joint_axis_inertia,
    )


def _initial(doc: d.LinkKeys, kind: JointKind, reader: Reader) -> float:
    """Initial position: joint_displacement wins; joint_angle is an angle for every joint."""
    angle, displacement = doc.joint_angle, doc.joint_displacement
    if displacement is None:
        return radians(angle, reader.unit) if angle else 0.0
    if kind != "revolute" or not displacement:
        return displacement
    if reader.unit == "degree":
        reader.context.findings.info(
            "reference-differs",
            f"link '{doc.name}': joint_displacement is read in degrees, as in Choreonoid; "
            "the reference says radians",
            doc.at("joint_displacement"),
            subject=path_of("links", doc.name),
        )
    return radians(displacement, reader.unit)


def inertial(doc: d.LinkKeys, content: Content, context: Context) -> Inertial | None:
    """Combine the RigidBody nodes and mass keys of a link (facts A.7)."""
    bodies = list(content.bodies)
    mass, com, tensor = doc.mass, doc.center_of_mass, doc.inertia
    at = doc.at("mass") if mass is not None else doc.at("inertia", "center_of_mass")
    if mass is not None or com is not None or tensor is not None:
        if not bodies:
            # Choreonoid's defaults: 1 kg at the origin, unit inertia
            out = Inertial(
                mass=1.0 if mass is None else mass,
                com=com or ZERO,  # type: ignore[arg-type]
                inertia=UNIT_MATRIX if tensor is None else matrix3(inertia_array(tensor)),
                at=at,
                mass_at=None if mass is None else doc.at("mass"),
                com_at=None if com is None else doc.at("center_of_mass"),
                inertia_at=None if tensor is None else doc.at("inertia"),
            )
            _report_missing(doc, context)
            return _composed([out], at)
        bodies.append(
            Inertial(
                mass=mass or 0.0,
                com=com or ZERO,  # type: ignore[arg-type]
                inertia=matrix3(inertia_array(tensor)),
            )
        )
    if bodies:
        return _composed(bodies, at)
    context.findings.info(
        "mass-missing",
        f"link '{doc.name}' has no mass data; assuming 1 kg and a unit inertia, as in Choreonoid",
        doc.at(),
        "add mass, center_of_mass and inertia",
        subject=path_of("links", doc.name, "inertial"),
    )
    return Inertial(mass=1.0, at=at)


def _composed(bodies: list[Inertial], at: Span | None) -> Inertial | None:
    if len(bodies) == 1 and bodies[0].mass > 0.0:
        return replace(bodies[0], at=at)
    total = compose(bodies)
    if total.mass == 0.0 and not np.any(total.com):
        return None
    return replace(total, at=at, axes=None)


def _report_missing(doc: d.LinkKeys, context: Context) -> None:
    missing = [w for w in ("mass", "inertia") if getattr(doc, w) is None]
    # a massless link needs no inertia
    if missing and (doc.mass is None or doc.mass > 0.0):
        assumed = {"mass": "1 kg", "inertia": "a unit inertia"}
        context.findings.info(
            "mass-missing",
            f"link '{doc.name}' has no {' and no '.join(missing)}; "
            f"assuming {' and '.join(assumed[w] for w in missing)}, as in Choreonoid",
            doc.at(),
            subject=path_of("links", doc.name, "inertial"),
        )


def track_parts(doc: d.ContinuousTrack, reader: Reader) -> list[Part]:
    """Expand a ContinuousTrack to its chain of links (facts A.13)."""
    first = part(doc, reader)
    count = doc.num_joints
    if count < 3 or count > 10000:
        reader.context.findings.error(
            "track-joints",
            f"ContinuousTrack '{doc.name}': numJoints must be 3 or more, not {count}",
            doc.at("num_joints"),
        )
        return []
    reader.context.budget.spend(100 * count, doc.at("num_joints"))
    angles = _angles(doc, reader)
    x, y, z = doc.joint_offset
    out = [replace(first, name=f"{doc.name}0", kind="free")]
    for i in range(1, count):
        out.append(
            replace(
                first,
                name=f"{doc.name}{i}",
                parent=f"{doc.name}{i - 1}",
                # joint name and id of the node belong to the first joint
                joint_name="",
                number=-1,
                kind="revolute",
                pose=Pose((x, y, z), first.pose.quat),
                initial=angles[i - 1] if i - 1 < len(angles) else 0.0,
            )
        )
    return out


def _angles(doc: d.ContinuousTrack, reader: Reader) -> list[float]:
    from unibody.document.declare import Wrong, flat

    if doc.initial_joint_angles is None:
        return []
    try:
        return [radians(v, reader.unit) for v in flat(doc.initial_joint_angles)]
    except Wrong as e:
        reader.context.findings.error(
            "wrong-value", f"initialJointAngles: {e.message}", doc.at("initial_joint_angles")
        )
        return []
