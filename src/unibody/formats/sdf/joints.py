"""Reads joints: their kinds, axes, limits and couplings."""

from __future__ import annotations

import math
from collections.abc import Mapping

from unibody.formats.jointed import HOLDS
from unibody.formats.sdf import document_parts as d
from unibody.formats.sdf.frames import Frames, Vertex
from unibody.formats.sdf.kept import kept
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import IDENTITY, Pose, Vector3, rotate, unit
from unibody.model.robot import (
    UNBOUNDED,
    Actuator,
    Coupling,
    Dynamics,
    Limits,
    Range,
)
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.fixes import respelled
from unibody.text.near import did_you_mean, near
from unibody.text.node import Node

_Z: Vector3 = (0.0, 0.0, 1.0)
_KINDS: Mapping[str, JointKind] = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "ball": "ball",
    "screw": "screw",
    "universal": "universal",
    "revolute2": "universal",
}
_DRAKE_KINDS: Mapping[str, JointKind] = {"planar": "planar"}
#: A gearbox couples two other joints.
GEARBOX = "gearbox"
#: Positions and efforts of this size mean none.
_NONE = 1e16
_FULL_TURN = 2.0 * math.pi


@dataclass(slots=True, eq=False)
class JointRecord:
    """A joint: its kind, the links that it joins (None: the world), and its frame in the outermost scope.

    Axes are in the frame of the joint. ``outer`` is where this frame is on the parent at the zero of the
    joint, None if there as in the file. ``is_moved``: the frame of the child link was moved to the joint.
    """

    vertex: Vertex
    doc: d.Joint
    name: str
    kind: JointKind
    parent: Vertex | None
    child: Vertex
    frame: Pose
    axis: Vector3 = _Z
    axis2: Vector3 | None = None
    limits: Limits = Limits()
    dynamics: Dynamics = Dynamics()
    actuator: Actuator = Actuator()
    pitch: float | None = None
    outer: Pose | None = None
    is_moved: bool = False


class JointReader:
    """Reads the joints of scopes."""

    def __init__(self, frames: Frames, findings: Findings) -> None:
        self.frames, self.findings = frames, findings

    def read(self, vertex: Vertex) -> JointRecord | None:
        """A joint, or None after a finding, and for a gearbox."""
        doc, scope = vertex.doc, vertex.scope
        assert isinstance(doc, d.Joint | d.DrakeJoint)
        label = vertex.label
        kind = self._kind(doc, label)
        ends = self._ends(doc, vertex)
        if kind is None or ends is None:
            return None
        parent, child = ends
        frame = self.frames.in_top(vertex, scope)
        if isinstance(doc, d.DrakeJoint):
            record = JointRecord(vertex, _joint_of(doc), vertex.path, kind, parent, child, frame)
            return self._of_drake(record, doc)
        record = JointRecord(vertex, doc, vertex.path, kind, parent, child, frame)
        if not KINDS[kind].axes:
            return record
        axis = self._axis(doc.axis, doc, vertex, "axis")
        if axis is None:
            record.kind = "fixed"
            return record
        record.axis = axis
        if kind == "universal":
            axis2 = self._axis(doc.axis2, doc, vertex, "axis2")
            record.axis2 = axis2
            self._check_alike(doc, label)
        if kind == "screw":
            record.pitch = _pitch(doc)
        record.limits = self._limits(doc, vertex)
        record.dynamics = _dynamics(doc.axis)
        record.actuator = Actuator(gear_ratio=doc.gear_ratio, rotor_inertia=doc.rotor_inertia)
        return record

    def _of_drake(self, record: JointRecord, doc: d.DrakeJoint) -> JointRecord:
        """A joint of Drake: it slides along x and y of its parent frame, and turns about z."""
        label = record.vertex.label
        other = "other programs ignore it and leave its links apart"
        self.findings.warning(
            "drake-element",
            f"{label}: <drake:joint> is an element of Drake's dialect; read as in Drake, but {other}",
            doc.at(),
            "convert the file for other programs",
        )
        scope = record.vertex.scope
        parent = None if doc.parent_frame == "world" else self.frames.find(scope, doc.parent_frame or "")
        record.outer = IDENTITY if doc.parent_frame == "world" else self.frames.in_top(parent, scope)
        record.dynamics = Dynamics(damping=doc.damping[0])
        if len(set(doc.damping)) > 1:
            shown = " ".join(f"{value:g}" for value in doc.damping)
            self.findings.warning(
                "damping-uneven",
                f"{label}: damping must be the same in all directions, got {shown}; using "
                f"{doc.damping[0]:g}",
                doc.at("damping"),
                "replace the joint by two prismatic joints and a revolute one",
            )
        return record

    def _kind(self, doc: d.Joint | d.DrakeJoint, label: str) -> JointKind | None:
        kinds = _DRAKE_KINDS if isinstance(doc, d.DrakeJoint) else _KINDS
        if doc.type is not None and doc.type in kinds:
            return kinds[doc.type]
        known = [*kinds] if kinds is _DRAKE_KINDS else [*kinds, GEARBOX]
        alike = near(doc.type or "", known)
        self.findings.error(
            "not-a-choice",
            f"{label}: type must be one of {', '.join(known)}, not '{doc.type or ''}'",
            doc.at("type"),
            did_you_mean(alike),
            suggestion=alike,
            fix=respelled(doc.at("type"), doc.type or "", alike),
        )
        return None

    def _ends(self, doc: d.Joint | d.DrakeJoint, vertex: Vertex) -> tuple[Vertex | None, Vertex] | None:
        """The parent and child links; None after a finding."""
        label, scope = vertex.label, vertex.scope
        names = {"parent": doc.parent_frame, "child": doc.child_frame}
        for word, name in names.items():
            if not name:
                link = _link_in(doc, word)
                self.findings.error(
                    "missing",
                    f"{label} needs element '{word}' with the name of a link or frame",
                    doc.at(f"{word}_frame") or doc.at(),
                    f"write <{word}>{link or 'NAME'}</{word}>",
                    subject=word,
                )
        if not doc.parent_frame or not doc.child_frame:
            return None
        if doc.child_frame == "world":
            self.findings.error(
                "child-unknown",
                f"{label}: the world cannot be the child of a joint",
                doc.at("child_frame"),
                "exchange parent and child",
            )
            return None
        child = vertex.link
        parent: Vertex | None = None
        if doc.parent_frame != "world":
            at = doc.at("parent_frame")
            found = self.frames.look_up(scope, doc.parent_frame, f"{label}: parent", at, "link or frame")
            if doc.parent_frame == "__model__":
                found = self.frames.canonical(scope)
            parent = None if found is None else found.link
            if parent is None and not (found is not None and scope.is_world):
                return None
        if child is None:
            return None
        if parent is child or doc.parent_frame == doc.child_frame:
            self.findings.error(
                "joint-itself", f"{label} joins link '{child.name}' to itself", doc.at(), "name two links"
            )
            return None
        return parent, child

    def _axis(self, axis: d.Axis | None, doc: d.Joint, vertex: Vertex, word: str) -> Vector3 | None:
        """The direction of an axis in the frame of its joint; None if it is zero."""
        label = vertex.label
        if axis is None:
            self.findings.warning(
                "axis-missing", f"{label} has no <{word}>; using 0 0 1", doc.at(), f"add <{word}>"
            )
            return _Z
        written = _Z if axis.xyz is None or axis.xyz.value is None else axis.xyz.value
        direction = unit(written)  # type: ignore[arg-type]
        if direction is None:
            effect = (
                "taking the axis of the joint that it couples"
                if doc.type == GEARBOX
                else "reading the joint as fixed"
            )
            self.findings.error(
                "axis-zero",
                f"{label}: zero {word}; {effect}",
                axis.at("xyz"),
                "give an axis",
            )
            return None
        name = axis.xyz.expressed_in if axis.xyz is not None else None
        if not name and not axis.use_parent_model_frame:
            return direction
        scope = vertex.scope
        base: Vertex | None = None
        if name and axis.xyz is not None:
            where = f"{label}: expressed_in"
            base = self.frames.look_up(scope, name, where, axis.xyz.at("expressed_in"))
        if base is vertex:
            return direction
        outer = self.frames.in_top(base, scope)
        inner = self.frames.in_top(vertex, scope).inverse()
        turned = rotate((inner @ outer).quat, direction)
        return unit(turned) or direction

    def _check_alike(self, doc: d.Joint, label: str) -> None:
        """Report the second axis of a joint whose limits or dynamics are not those of the first."""
        one, two = doc.axis, doc.axis2
        if one is None or two is None:
            return
        if _bounds(one.limit) != _bounds(two.limit) or _dynamics(one) != _dynamics(two):
            self.findings.warning(
                "axes-differ",
                f"{label}: both axes have the limits and dynamics of the first; those of axis2 are kept",
                two.at(),
                "write two revolute joints with a link between them",
            )

    def _limits(self, doc: d.Joint, vertex: Vertex) -> Limits:
        limit = doc.axis.limit if doc.axis is not None else None
        if limit is None:
            return Limits()
        label, subject = vertex.label, path_of("joints", vertex.path)
        lower, upper = _bounds(limit)
        if doc.type == "continuous" and (lower, upper) != UNBOUNDED:
            self.findings.warning(
                "limits-ignored",
                f"continuous {label} has position limits: simulators ignore them",
                limit.at("lower", "upper"),
                "remove them, or make it a revolute joint",
                subject=subject,
            )
            lower, upper = UNBOUNDED
        return Limits(
            position=(lower, upper),
            velocity=_both(limit.velocity),
            effort=_both(limit.effort),
            at=limit.at(),
        )

    # --- couplings ----------------------------------------------------------------------

    def coupling(self, record: JointRecord, joints: Mapping[int, JointRecord]) -> Coupling | None:
        """The coupling of a joint that mimics another one, None if it does not, or after a finding."""
        axis = record.doc.axis
        if axis is None or record.kind not in HOLDS:
            return None
        label, mimic = record.vertex.label, axis.mimic
        name: str | None
        if mimic is not None:
            name, ratio = mimic.joint, mimic.multiplier
            offset, at = mimic.offset - mimic.multiplier * mimic.reference, mimic.at()
        elif axis.drake_mimic is not None:
            drake = axis.drake_mimic
            name, ratio, offset, at = drake.joint, drake.multiplier, drake.offset, drake.at()
        else:
            return None
        found = self.frames.look_up(record.vertex.scope, name or "", f"{label}: mimic", at, "joint")
        leader = joints.get(id(found)) if found is not None else None
        if leader is None:
            return None
        if KINDS[leader.kind].nq != 1 or KINDS[record.kind].nq != 1:
            self.findings.warning(
                "coupling-unsupported",
                f"{label} mimics {leader.vertex.label}: only joints with one position can be coupled",
                at,
            )
            return None
        return Coupling(joint=record.name, leader=leader.name, ratio=ratio, offset=offset, at=at)

    def gearbox(self, vertex: Vertex, moved: Mapping[int, JointRecord]) -> Coupling | None:
        """The coupling that a gearbox is, between the joints that move its two links; None after a finding.

        The angle of its parent about ``axis`` is minus the ratio times that of its child about ``axis2``,
        both against the reference body.
        """
        doc = vertex.doc
        assert isinstance(doc, d.Joint)
        ends = self._ends(doc, vertex)
        if ends is None:
            return None
        parent, child = (None if end is None else moved.get(id(end)) for end in ends)
        reference = self._reference(doc, vertex)
        if (
            parent is None
            or child is None
            or parent.kind != "revolute"
            or child.kind != "revolute"
            or parent is child
            or (reference is not None and (parent.parent is not reference or child.parent is not reference))
        ):
            self.findings.warning(
                "coupling-unsupported",
                f"{vertex.label}: a gearbox couples two revolute joints on its reference body; ignored",
                doc.at(),
                "join its parent and its child to gearbox_reference_body by revolute joints",
            )
            return None
        frame = self.frames.in_top(vertex, vertex.scope)
        ratio = -doc.gearbox_ratio
        for axis, word, moves in ((doc.axis, "axis", parent), (doc.axis2, "axis2", child)):
            direction = None if axis is None else self._axis(axis, doc, vertex, word)
            if direction is not None and _opposes(rotate(frame.quat, direction), moves):
                ratio = -ratio
        return Coupling(joint=parent.name, leader=child.name, ratio=ratio, at=doc.at())

    def _reference(self, doc: d.Joint, vertex: Vertex) -> Vertex | None:
        name = doc.gearbox_reference_body
        if not name:
            return None
        where, at = f"{vertex.label}: gearbox_reference_body", doc.at("gearbox_reference_body")
        found = self.frames.look_up(vertex.scope, name, where, at, "link")
        return None if found is None else found.link


def _opposes(direction: Vector3, joint: JointRecord) -> bool:
    """Whether a direction is against the axis of a joint."""
    return sum(a * b for a, b in zip(direction, rotate(joint.frame.quat, joint.axis), strict=True)) < 0.0


def _joint_of(doc: d.DrakeJoint) -> d.Joint:
    """A joint with nothing on it but what is kept of one of Drake."""
    out = d.Joint(name=doc.name, type=doc.type)
    out.node = doc.node
    uneven = ("damping",) if len(set(doc.damping)) > 1 else ()
    out.rest = kept(doc, *uneven)
    return out


def _link_in(doc: d.Joint | d.DrakeJoint, word: str) -> str:
    """The name of the link that a parent or child has as in URDF: as an attribute."""
    written = doc.node.get(word) if doc.node is not None else None
    return (written.word("link") or "") if isinstance(written, Node) else ""


def _pitch(doc: d.Joint) -> float:
    """Meters per turn; ``thread_pitch`` of old files is minus radians per meter."""
    if doc.screw_thread_pitch is not None:
        return doc.screw_thread_pitch
    if doc.thread_pitch:
        return -_FULL_TURN / doc.thread_pitch
    return 1.0


def _bounds(limit: d.AxisLimit | None) -> Range:
    if limit is None:
        return UNBOUNDED
    lower = limit.lower if limit.lower > -_NONE else -math.inf
    return lower, limit.upper if limit.upper < _NONE else math.inf


def _both(largest: float) -> Range:
    """The bounds of a magnitude; one that is negative means none."""
    return (-largest, largest) if 0.0 <= largest < _NONE else UNBOUNDED


def _dynamics(axis: d.Axis | None) -> Dynamics:
    doc = axis.dynamics if axis is not None else None
    if doc is None:
        return Dynamics()
    return Dynamics(
        damping=doc.damping,
        friction=doc.friction,
        stiffness=doc.spring_stiffness,
        rest=doc.spring_reference,
    )


def moved_axis(record: JointRecord, child: Pose) -> JointRecord:
    """The joint with its axes in the frame of its child link, in which its frame is ``child``."""
    axis2 = None if record.axis2 is None else rotate(child.quat, record.axis2)
    record.axis = rotate(child.quat, record.axis)
    record.axis2 = axis2
    return record
