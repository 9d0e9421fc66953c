"""Reads the Joints of a Humanoid as parts: links with their parent joints, before naming (facts B.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

from unibody.document.declare import Tagged, plan
from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.content import Content, ContentReader
from unibody.formats.openhrp.nodes import leftovers, name_of, pose_of, two_names
from unibody.formats.openhrp.values import JOINT_TYPES, axis_vector
from unibody.formats.placement import Placement, rigid
from unibody.formats.vrml97 import document as v
from unibody.formats.vrml97.placement import placed
from unibody.formats.vrml97.read import Reader, inside
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import IDENTITY, ZERO, Pose, Vector3, unit
from unibody.model.robot import Actuator, Limits
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.fixes import renumbered, respelled
from unibody.text.node import Item, Word
from unibody.text.source import Span

_KINDS: dict[str, JointKind] = {
    "free": "free",
    "rotate": "revolute",
    "slide": "prismatic",
    "fixed": "fixed",
    # OpenHRP 3.1 and the Japanese reference say crawler; Choreonoid accepts only pseudoContinuousTrack
    "crawler": "track",
    "pseudoContinuousTrack": "track",
    # missing; reported by _check_type
    "": "free",
}
# Some files write the largest double of Choreonoid for "no limit".
_UNLIMITED = 1e308
_Z: Vector3 = (0.0, 0.0, 1.0)
_ONES: Vector3 = (1.0, 1.0, 1.0)
_NODE_COST = 50


@dataclass(slots=True)
class Part:
    """One link with its parent joint; ``parent`` is an index, −1 for the root.

    ``origin`` is the pose of the link frame in its parent, ``start`` the placement of the Joint's
    children in the link frame, which is at the Joint's ``center``. ``doc`` is None for the link of
    the Humanoid itself.
    """

    doc: d.Joint | None
    name: str
    parent: int
    origin: Pose
    center: Vector3 = ZERO
    content: Content = field(default_factory=Content)
    at: Span | None = None
    start: Placement = field(init=False)

    def __post_init__(self) -> None:
        x, y, z = self.center
        self.start = Placement(Pose((0.0 - x, 0.0 - y, 0.0 - z)))

    @property
    def kind(self) -> JointKind:
        """The kind of the joint."""
        return "fixed" if self.doc is None else _KINDS[self.doc.joint_type]


@dataclass(slots=True)
class _Step:
    """A node to read, with its placement below the Joint of ``part``."""

    doc: Tagged
    at: Placement
    part: int


def read_parts(humanoid: d.Humanoid, reader: Reader) -> list[Part]:
    """One part for each Joint, parents before children.

    The reference allows several Joints and a Segment in humanoidBody; the Humanoid is then a link that
    is their parent. Choreonoid and OpenHRP accept one Joint only (facts F.1, 26).
    """
    walk = _Walk(reader, [Part(None, name_of(humanoid), -1, IDENTITY, at=humanoid.at())])
    walk.push(humanoid.humanoid_body, Placement(), 0)
    while walk.todo:
        step = walk.todo.pop()
        reader.context.budget.spend(_NODE_COST, step.doc.at())
        walk.step(step)
    own, *others = walk.parts
    if own.content.segments or own.content.devices or sum(part.parent == 0 for part in others) != 1:
        return walk.parts
    for part in others:
        part.parent -= 1
    root = others[0].content
    root.extras, root.loops = own.content.extras + root.extras, own.content.loops + root.loops
    return others


@dataclass(slots=True)
class _Walk:
    """A depth-first traversal of a Humanoid, without recursion."""

    reader: Reader
    parts: list[Part]
    todo: list[_Step] = field(default_factory=list)

    def push(self, docs: Sequence[Tagged], at: Placement, part: int) -> None:
        """Schedule nodes to be read next, in order."""
        self.todo.extend(_Step(doc, at, part) for doc in reversed(docs))

    def step(self, step: _Step) -> None:
        """Read one node below a Joint."""
        doc, at, context = step.doc, step.at, self.reader.context
        below = ContentReader(
            self.parts[step.part].name,
            self.parts[step.part].content,
            self.reader,
            lambda joint, where: self.todo.append(_Step(joint, where, step.part)),
        )
        match doc:
            case d.Joint():
                self._joint(doc, at, step.part)
            case d.Segment():
                below.segment(doc, at)
            case d.Device():
                below.shapes(doc.children, below.device(doc, at))
            case d.PointerSensor():
                below.content.extras += leftovers(doc, "min_angle", "max_angle") + doc.rest
                self.push(doc.children, at, step.part)
            case d.ExtraJoint():
                below.content.loops.append(doc)
            case v.Transform():
                self.push(doc.children, placed(at, doc), step.part)
            case _:
                inner = inside(doc, context)
                if inner is None:
                    _outside_segment(doc, below, context)
                else:
                    self.push(inner, at, step.part)

    def _joint(self, doc: d.Joint, at: Placement, parent: int) -> None:
        context, outer = self.reader.context, self.parts[parent]
        if at != outer.start:
            _report_transform(doc, at, context)
        x, y, z = doc.center
        own = pose_of(doc)
        if (x, y, z) != ZERO:
            context.findings.warning(
                "reference-differs",
                f"Joint '{name_of(doc)}': center is applied, as in the reference; Choreonoid and OpenHRP "
                "ignore it",
                doc.at("center"),
                "move the Joint to its center of rotation",
            )
            own = Pose((own.xyz[0] + x, own.xyz[1] + y, own.xyz[2] + z), own.quat)
        if doc.scale != _ONES:
            report_scale(doc, context)
        _check_type(doc, context)
        self.parts.append(Part(doc, name_of(doc), parent, at.pose @ own, (x, y, z), at=doc.at()))
        self.push(doc.children, self.parts[-1].start, len(self.parts) - 1)


def _outside_segment(doc: Tagged, below: ContentReader, context: Context) -> None:
    """Keep a node that is not allowed directly below a Joint; both loaders ignore it (facts B.6)."""
    if isinstance(doc, v.MeshReference) and not doc.path:
        return  # a missing file
    below.content.keep([doc])
    if isinstance(doc, d.Humanoid):
        context.findings.error("node-misplaced", f"Humanoid '{name_of(doc)}' inside a Humanoid", doc.at())
    elif isinstance(doc, v.Shape | v.MeshReference | d.Surface):
        what = "mesh file" if isinstance(doc, v.MeshReference) else doc.tag
        context.findings.warning(
            "shape-outside-segment",
            f"{what} directly below a Joint; it is not shown, as in Choreonoid and OpenHRP",
            doc.at(),
            f"put the {what} into a Segment",
        )


def _report_transform(doc: d.Joint, at: Placement, context: Context) -> None:
    """Report a Joint below a Transform, which both loaders reject (facts B.6)."""
    if not rigid(at):
        context.findings.error(
            "joint-scaled",
            f"Joint '{name_of(doc)}' is below a scale; only its position and rotation are used",
            doc.at(),
            "scale the shapes in the Segments, not the Joints",
        )
        return
    context.findings.warning(
        "joint-under-transform",
        f"Joint '{name_of(doc)}' is below a Transform, which is applied; Choreonoid and OpenHRP reject the "
        "file",
        doc.at(),
        "set translation and rotation of the Joint itself",
    )


def report_scale(doc: d.Placed, context: Context) -> None:
    """Report a scale, which is kept but never applied (facts B.5)."""
    context.findings.warning(
        "scale-ignored",
        f"{doc.tag} '{name_of(doc)}': scale is ignored, as in Choreonoid and OpenHRP",
        doc.at("scale"),
        "scale the shapes with a Transform in the Segment",
    )


def _check_type(doc: d.Joint, context: Context) -> None:
    """Report a missing jointType, and one that Choreonoid does not support (facts B.5)."""
    written = [x for k, x, _ in doc.node.items if k == "jointType"] if doc.node is not None else []
    if not doc.joint_type and all(isinstance(x, Word) and not x.text for x in written):
        context.findings.warning(
            "joint-type-missing",
            f"Joint '{name_of(doc)}' has no jointType; using free, as in OpenHRP",
            doc.at(),
            f"set jointType to one of {', '.join(JOINT_TYPES)}",
        )
    elif doc.joint_type == "crawler":
        context.findings.info(
            "reference-differs",
            f"Joint '{name_of(doc)}': jointType crawler is read as in the reference; Choreonoid supports "
            "only pseudoContinuousTrack and rejects the file",
            doc.at("joint_type"),
            fix=respelled(doc.at("joint_type"), "crawler", "pseudoContinuousTrack", safe=True),
        )


# --- joint properties (B.5) -------------------------------------------------------------

_LIMITS = ("llimit", "ulimit", "lvlimit", "uvlimit")
_MOTION = ("joint_axis", *_LIMITS)
_MOTOR = (
    "climit",
    "gear_ratio",
    "gear_efficiency",
    "rotor_inertia",
    "rotor_resistor",
    "torque_const",
    "encoder_pulse",
    "equivalent_inertia",
)
_UNUSED = ("scale", "scale_orientation", "limit_orientation", "stiffness", "dh", "joint_value")


def axis(doc: d.Joint, context: Context) -> Vector3:
    """The unit vector of a joint axis; Z for a zero vector, with a finding."""
    written = axis_vector(doc.joint_axis)
    direction = unit(written)
    joint, at = f"Joint '{name_of(doc)}'", doc.at("joint_axis")
    if direction is None:
        message = f"{joint}: zero jointAxis; using Z"
        context.findings.warning("axis-zero", message, at, "write a unit vector")
        return _Z
    length = math.hypot(*written)
    if abs(length - 1.0) > 1e-6:
        context.findings.warning(
            "axis-not-unit",
            f"{joint}: jointAxis of length {length:.6g} is normalized; Choreonoid does not normalize it",
            at,
            "write a unit vector",
            fix=renumbered(
                at,
                "normalize the axis",
                lambda old: direction if len(old) == 3 else None,
                safe=True,
            ),
        )
    return direction


def _bound(values: tuple[float, ...], sign: float) -> float:
    """The first number, as in both loaders; infinite with the sign ``sign`` if the list is empty."""
    if not values or abs(values[0]) >= _UNLIMITED:
        return sign * math.inf
    return values[0]


def limits(doc: d.Joint) -> Limits:
    """Position and velocity limits; the format has no effort limits."""
    has_position_limits = bool({"llimit", "ulimit"} & doc.given)
    return Limits(
        position=(_bound(doc.llimit, -1.0), _bound(doc.ulimit, 1.0)),
        velocity=(_bound(doc.lvlimit, -1.0), _bound(doc.uvlimit, 1.0)),
        at=doc.at("llimit", "ulimit") if has_position_limits else None,
    )


def actuator(doc: d.Joint, kind: JointKind) -> Actuator:
    """The motor data of a Joint; fields that the file does not set to another value are None."""
    defaults = plan(d.Joint).defaults
    found = {}
    for name in _MOTOR:
        value = getattr(doc, name)
        found[name] = value if name in doc.given or value != defaults[name] else None
    return Actuator(
        mode="velocity" if kind == "track" else None,
        gear_ratio=found["gear_ratio"],
        gear_efficiency=found["gear_efficiency"],
        rotor_inertia=found["rotor_inertia"],
        # zero means unspecified (facts B.5)
        axis_inertia=doc.equivalent_inertia or None,
        torque_constant=found["torque_const"],
        resistance=found["rotor_resistor"],
        encoder_pulses=found["encoder_pulse"],
        max_current=doc.climit[0] if doc.climit and abs(doc.climit[0]) < _UNLIMITED else None,
    )


def joint_extras(part: Part, root: bool, findings: Findings) -> list[Item]:
    """The items of a Joint that the model cannot represent."""
    doc = part.doc
    if doc is None:
        return []
    meaningless: list[str] = []
    if root:
        meaningless += ["joint_id", *_MOTION, *_MOTOR]
        if part.kind not in ("fixed", "free"):
            meaningless.append("joint_type")
    elif not KINDS[part.kind].axes:
        meaningless += _MOTION
    # defaults of a PROTO hold for all Joints: only fields of this Joint are kept
    names = [*_UNUSED, *doc.given.intersection(meaningless)]
    # both loaders read only the first number
    names += [name for name in (*_LIMITS, "climit") if len(getattr(doc, name)) > 1]
    return two_names(doc, findings) + leftovers(doc, *names) + doc.rest
