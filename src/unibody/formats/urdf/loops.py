"""Reads closed loops and couplings: `<constraint>`, URDF+ (`<loop>`, `<coupling>`) and `<loop_joint>`.

`<constraint>` is the extension proposed to urdfdom in pull request 264, and what the exporter of URDF+
writes for both of its elements.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.formats.urdf.leftovers import keep
from unibody.formats.urdf.poses import pose
from unibody.model.joint_kind import KINDS
from unibody.model.pose import (
    UNIT_QUATERNION,
    Pose,
    Quaternion,
    Vector3,
    cross,
    from_rpy,
    multiply,
    rotate,
    unit,
)
from unibody.model.robot import (
    BALL,
    FIXED,
    HINGE,
    PISTON,
    Coupling,
    Holds,
    Joint,
    Loop,
    branches,
)
from unibody.text.node import Item, Word

_HOLDS: dict[str, Holds] = {
    "ball": BALL,
    "revolute": HINGE,
    "cylindrical": PISTON,
    "fixed": FIXED,
    "prismatic": Holds(axial=False, radial=True, twist=True, swing=True),
    "planar": Holds(axial=True, radial=False, swing=True),
    # approximated by the common point: the model has no loop with two axes
    "universal": BALL,
}


X: Vector3 = (1.0, 0.0, 0.0)


def loops(doc: d.Robot, links: set[str], context: Context) -> list[Loop]:
    """Convert the elements that close loops; reports those of unknown links."""
    out: list[Loop] = []
    for x in doc.items:
        if isinstance(x, d.Constraint | d.LoopConstraint | d.LoopJoint) and not _is_coupling(x):
            parts = _parts(x, context)
            loop = None if parts is None else _loop(parts, links, context)
            if loop is not None:
                out.append(loop)
            else:
                keep(doc, x)
        elif isinstance(x, d.BallConstraint):
            ball = _ball(x, links, context)
            if ball is not None:
                out.append(ball)
            else:
                keep(doc, x)
    return out


def _ball(x: d.BallConstraint, links: set[str], context: Context) -> Loop | None:
    """The loop of a constraint of Drake; None if it lacks a part."""
    points = []
    for body, point in ((x.body_a, x.point_a), (x.body_b, x.point_b)):
        if body is None or body.name is None or point is None or point.value is None:
            return None
        if body.name not in links:
            context.findings.warning(
                "link-unknown", f"{x.KEY} refers to unknown link '{body.name}'; ignored", body.at("name")
            )
            return None
        px, py, pz = point.value
        points.append((body.name, Pose((px, py, pz), UNIT_QUATERNION)))
    (a, pose_a), (b, pose_b) = points
    return Loop(name=x.name or "", link_a=a, link_b=b, pose_a=pose_a, pose_b=pose_b, holds=BALL, at=x.at())


@dataclass(frozen=True, slots=True)
class _End:
    """A link and the anchor on it; ``holder`` is the element that names the link."""

    link: str
    pose: Pose
    holder: Document


@dataclass(frozen=True, slots=True)
class _Parts:
    """An element that closes a loop, in the terms of every dialect."""

    doc: d.Constraint | d.LoopConstraint | d.LoopJoint
    type: str
    a: _End
    b: _End
    axis: d.Axis | None = None
    other_axis: d.Axis | None = None

    @property
    def label(self) -> str:
        """The element and its name."""
        return f"{self.doc.KEY} '{self.doc.name}'"


def _parts(x: d.Constraint | d.LoopConstraint | d.LoopJoint, context: Context) -> _Parts | None:
    """The parts of an element; None, with a finding, if one is missing."""
    match x:
        case d.LoopJoint():
            a, b = _joint_end(x.link1, context), _joint_end(x.link2, context)
            axes: tuple[d.Axis | None, d.Axis | None] = (x.axis, None)
            kind = x.type or "revolute"
        case d.Constraint() if x.predecessor is None and x.successor is None:
            a = _end(x.parent_link, x.parent_origin, context)
            b = _end(x.child_link, x.child_origin, context)
            axes, kind = (x.parent_axis, x.child_axis), x.type or ""
            _check_parts(x, ("parent", a), ("child", b), context)
        case _:
            a = None if x.predecessor is None else _end(x.predecessor, x.predecessor.origin, context)
            b = None if x.successor is None else _end(x.successor, x.successor.origin, context)
            axes, kind = (x.axis, None), x.type or ""
            if isinstance(x, d.Constraint):
                _check_parts(x, ("predecessor", a), ("successor", b), context)
    if x.name is None or not kind or a is None or b is None:
        return None
    return _Parts(x, kind, a, b, *axes)


def _end(holder: d.LinkRef | d.LoopEnd | None, origin: d.Origin | None, context: Context) -> _End | None:
    if holder is None or holder.link is None:
        return None
    return _End(holder.link, pose(origin, context), holder)


def _joint_end(holder: d.LoopJointEnd | None, context: Context) -> _End | None:
    if holder is None or holder.link is None:
        return None
    if holder.origin is not None:
        return _End(holder.link, pose(holder.origin, context), holder)
    x, y, z = holder.xyz
    return _End(holder.link, Pose((x, y, z), from_rpy(*holder.rpy)), holder)


def _check_parts(
    x: d.Constraint, a: tuple[str, _End | None], b: tuple[str, _End | None], context: Context
) -> None:
    """Report what a <constraint> lacks: its dialects require different elements."""
    given = {"type": None if x.type is None else x, a[0]: a[1], b[0]: b[1]}
    for word, value in given.items():
        if value is None and word not in x.given and getattr(x, f"{word}_link", None) is None:
            context.findings.warning(
                "missing",
                f"constraint '{x.name}': missing {word}; the constraint is ignored",
                x.at(),
                subject=word,
            )


def _loop(x: _Parts, links: set[str], context: Context) -> Loop | None:
    for end in (x.a, x.b):
        if end.link not in links:
            context.findings.warning(
                "link-unknown",
                f"{x.label} refers to unknown link '{end.link}'; ignored",
                end.holder.at("link"),
            )
            return None
    if x.type == "floating":
        context.findings.warning(
            "constraint-type",
            f"{x.label}: a floating joint closes no loop; ignored",
            x.doc.at("type"),
        )
        return None
    if x.type == "universal":
        context.findings.warning(
            "constraint-type",
            f"{x.label}: universal joints cannot close a loop; using a ball joint, "
            "which leaves the third rotation free",
            x.doc.at(),
        )
    a, b = x.a.pose, x.b.pose
    axis = _axis(x, x.axis, context)
    if x.other_axis is not None and x.type != "universal":
        # rotate the child anchor so that both axes coincide
        b = Pose(b.xyz, multiply(b.quat, rotation_between(axis, _axis(x, x.other_axis, context))))
    return Loop(
        name=x.doc.name or "",
        link_a=x.a.link,
        link_b=x.b.link,
        pose_a=a,
        pose_b=b,
        axis=rotate(a.quat, axis),
        holds=_HOLDS[x.type],
        at=x.doc.at(),
    )


def _axis(x: _Parts, axis: d.Axis | None, context: Context) -> Vector3:
    """The axis of a constraint in an anchor frame; X by default, as for a joint."""
    if axis is None or axis.xyz is None:
        return X
    found = unit(axis.xyz)  # type: ignore[arg-type]
    if found is None:
        context.findings.warning("axis-zero", f"{x.label} has a zero axis; using 1 0 0", axis.at("xyz"))
        return X
    return found


def rotation_between(start: Vector3, end: Vector3) -> Quaternion:
    """The shortest rotation from one unit vector to another."""
    dot = sum(p * q for p, q in zip(start, end, strict=True))
    if dot > 1.0 - 1e-15:
        return (1.0, 0.0, 0.0, 0.0)
    if dot < -1.0 + 1e-12:
        side = (0.0, 1.0, 0.0) if abs(start[0]) > 0.9 else (1.0, 0.0, 0.0)
        x, y, z = unit(cross(start, side)) or (0.0, 0.0, 1.0)
        return (0.0, x, y, z)
    x, y, z = cross(start, end)
    w = 1.0 + dot
    length = math.hypot(w, x, y, z)
    return (w / length, x / length, y / length, z / length)


# --- couplings of URDF+ ---------------------------------------------------------------------


def _is_coupling(x: Document) -> bool:
    """Whether a <constraint> of the exporter of URDF+ is a coupling."""
    return isinstance(x, d.Constraint) and x.ratio is not None and x.successor is not None


def couplings(
    doc: d.Robot, joints: Sequence[Joint], mimics: Sequence[Coupling], context: Context
) -> tuple[list[Coupling], list[Item]]:
    """The couplings of URDF+ between single joints, and the elements of the others."""
    out: list[Coupling] = []
    kept: list[Item] = []
    leaders = {c.joint: c.leader for c in mimics}
    chosen = {x.name for x in doc.items if isinstance(x, d.Joint) and _is_independent(x)}
    for x in doc.items:
        if not isinstance(x, d.CouplingConstraint) and not _is_coupling(x):
            continue
        coupling = _coupling(x, joints, leaders, chosen, context)
        if coupling is not None:
            leaders[coupling.joint] = coupling.leader
            out.append(coupling)
        elif x.node is not None:
            kept.append((x.KEY, x.node, -1))
    return out, kept


def _is_independent(x: d.Joint) -> bool:
    words = [v.text for k, v, _ in x.rest if k == "independent" and isinstance(v, Word)]
    return words == ["true"]


def _coupling(
    x: d.CouplingConstraint | d.Constraint,
    joints: Sequence[Joint],
    leaders: Mapping[str, str],
    chosen: Collection[str | None],
    context: Context,
) -> Coupling | None:
    ends = [end.link for end in (x.predecessor, x.successor) if end is not None and end.link is not None]
    ratio = 1.0 if x.ratio is None else x.ratio.value
    if len(ends) != 2 or ratio is None:
        return None
    moving = movers(joints, *ends)
    if not moving or any(len(m) != 1 or KINDS[m[0].kind].nq != 1 for m in moving):
        counts = " and ".join(str(len(m)) for m in moving)
        why = f"its chains have {counts} moving joints" if moving else "its links are not connected"
        context.findings.warning(
            "coupling-unsupported",
            f"{x.KEY} '{x.name}': {why}; only two single joints can be coupled, so it is ignored",
            x.at(),
            "write one <mimic> for each joint that follows another",
        )
        return None
    first, second = moving[0][0].name, moving[1][0].name
    orders = [(second, first, ratio)]
    if ratio:
        # an independent joint leads
        orders.insert(0 if second in chosen and first not in chosen else 1, (first, second, 1.0 / ratio))
    for joint, leader, factor in orders:
        if joint not in leaders and joint not in _led_by(leader, leaders):
            return Coupling(joint=joint, leader=leader, ratio=factor, at=x.at())
    context.findings.warning(
        "coupling-unsupported",
        f"{x.KEY} '{x.name}': joints '{first}' and '{second}' are coupled already; ignored",
        x.at(),
    )
    return None


def _led_by(joint: str, leaders: Mapping[str, str]) -> set[str]:
    """A joint, and those that it follows."""
    out = {joint}
    while (leader := leaders.get(joint)) is not None and leader not in out:
        out.add(leader)
        joint = leader
    return out


def movers(joints: Sequence[Joint], a: str, b: str) -> list[list[Joint]]:
    """The moving joints of both branches between two links; empty without a common root."""
    both = branches(joints, a, b)
    tops = [branch[-1].parent if branch else link for branch, link in zip(both, (a, b), strict=True)]
    return [] if tops[0] != tops[1] else [[j for j in branch if KINDS[j.kind].nq] for branch in both]
