"""Joints as parts: link and joint together, before names are sure and the tree is built (facts B.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from unibody.document.declare import Tagged, plan
from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.content import Below, Content
from unibody.formats.openhrp.nodes import leftovers, name_of, pose_of, two_names
from unibody.formats.openhrp.values import JOINT_TYPES, axis_vector
from unibody.formats.placement import Placement, rigid
from unibody.formats.vrml97 import document as v
from unibody.formats.vrml97.placement import placed
from unibody.formats.vrml97.read import Reader, inside
from unibody.model.pose import IDENTITY, ZERO, Pose, Vector3, unit
from unibody.model.robot import AXISLESS, Actuator, JointKind, Limits
from unibody.text.finding import Findings
from unibody.text.fixes import renumbered, respelled
from unibody.text.node import Item, Word
from unibody.text.source import Span

_KINDS: dict[str, JointKind] = {
    "free": "free",
    "rotate": "revolute",
    "slide": "prismatic",
    "fixed": "fixed",
    # the word of OpenHRP 3.1 and of the Japanese reference; Choreonoid takes the second only
    "crawler": "track",
    "pseudoContinuousTrack": "track",
    # an error has been said
    "": "fixed",
}
# Choreonoid's largest double stands for "no limit" in some files.
_HUGE = 1e308
_Z: Vector3 = (0.0, 0.0, 1.0)
_ONES: Vector3 = (1.0, 1.0, 1.0)
_NODE_COST = 50


@dataclass(slots=True)
class Part:
    """One Joint as link and joint; ``parent`` is an index, −1 for a root.

    ``origin`` is where the link's frame is in its parent's, ``start`` where the Joint's children
    are in it: the frame stands at the Joint's ``center``. Without a Joint (``doc`` is None) it is
    the Humanoid's own.
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
        """What the joint lets its link do."""
        return "fixed" if self.doc is None else _KINDS[self.doc.joint_type]


@dataclass(slots=True)
class _Step:
    """A node still to be read, where it is below the Joint of ``part``."""

    doc: Tagged
    at: Placement
    part: int


def read_parts(humanoid: d.Humanoid, reader: Reader) -> list[Part]:
    """One part for each Joint, parents before children.

    The reference allows any number of Joints in humanoidBody, and a Segment: then the Humanoid
    itself is a link that holds them; Choreonoid and OpenHRP take one Joint only (facts F.1, 26).
    """
    walk = _Walk(reader, [Part(None, name_of(humanoid), -1, IDENTITY, at=_span(humanoid))])
    walk.push(humanoid.humanoid_body, Placement(), 0)
    while walk.todo:
        step = walk.todo.pop()
        reader.context.budget.spend(_NODE_COST, _span(step.doc))
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
    """One way through a Humanoid, without recursion."""

    reader: Reader
    parts: list[Part]
    todo: list[_Step] = field(default_factory=list)

    def push(self, docs: Sequence[Tagged], at: Placement, part: int) -> None:
        """Read these next, in order."""
        self.todo.extend(_Step(doc, at, part) for doc in reversed(docs))

    def step(self, step: _Step) -> None:
        """Read one node below a Joint."""
        doc, at, context = step.doc, step.at, self.reader.context
        below = Below(
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
                    _outside(doc, below, context)
                else:
                    self.push(inner, at, step.part)

    def _joint(self, doc: d.Joint, at: Placement, parent: int) -> None:
        context, outer = self.reader.context, self.parts[parent]
        if at != outer.start:
            _moved(doc, at, context)
        x, y, z = doc.center
        own = pose_of(doc)
        if (x, y, z) != ZERO:
            _center(doc, context)
            own = Pose((own.xyz[0] + x, own.xyz[1] + y, own.xyz[2] + z), own.quat)
        if doc.scale != _ONES:
            say_scale(doc, context)
        _say_type(doc, context)
        self.parts.append(Part(doc, name_of(doc), parent, at.pose @ own, (x, y, z), at=_span(doc)))
        self.push(doc.children, self.parts[-1].start, len(self.parts) - 1)


def _outside(doc: Tagged, below: Below, context: Context) -> None:
    """A node that has no place directly below a Joint: both loaders pass it over (facts B.6)."""
    below.content.keep([doc])
    if isinstance(doc, d.Humanoid):
        context.findings.error("node-misplaced", "a Humanoid stands inside of a Humanoid", _span(doc))
    elif isinstance(doc, v.Shape | v.MeshReference | d.Surface):
        what = "a mesh file" if isinstance(doc, v.MeshReference) else f"a {doc.tag}"
        context.findings.warning(
            "shape-outside-segment",
            f"{what} stands directly below a Joint; it is not shown, as in Choreonoid and OpenHRP",
            _span(doc),
            "put it into a Segment",
        )


def _moved(doc: d.Joint, at: Placement, context: Context) -> None:
    """A Joint below a Transform, which both loaders refuse (facts B.6)."""
    if not rigid(at):
        context.findings.error(
            "joint-scaled",
            f"Joint '{name_of(doc)}' is under a scale; only its place and turn are read",
            _span(doc),
            "scale the shapes in the Segments, not the Joints",
        )
        return
    context.findings.warning(
        "joint-under-transform",
        f"Joint '{name_of(doc)}' stands below a Transform; it is placed by it, but Choreonoid and OpenHRP "
        "refuse the file",
        _span(doc),
        "give the Joint itself the translation and rotation",
    )


def _center(doc: d.Joint, context: Context) -> None:
    context.findings.warning(
        "reference-differs",
        f"Joint '{name_of(doc)}': it turns about its center, as the reference says; Choreonoid and OpenHRP "
        "ignore center",
        doc.at("center"),
        "put the Joint itself where it turns",
    )


def say_scale(doc: d.Placed, context: Context) -> None:
    """A scale that nobody applies (facts B.5)."""
    context.findings.warning(
        "scale-ignored",
        f"{doc.tag} '{name_of(doc)}': its scale is kept but not applied, as in Choreonoid and OpenHRP",
        doc.at("scale"),
        "scale the shapes with a Transform in the Segment",
    )


def _say_type(doc: d.Joint, context: Context) -> None:
    """A type that is missing, and one that Choreonoid does not know (facts B.5)."""
    written = [x for k, x, _ in doc.node.items if k == "jointType"] if doc.node is not None else []
    if not doc.joint_type and all(isinstance(x, Word) and not x.text for x in written):
        context.findings.error(
            "joint-type-missing",
            f"Joint '{name_of(doc)}' has no jointType; it is taken as fixed",
            _span(doc),
            f"write one of {', '.join(JOINT_TYPES)}",
        )
    elif doc.joint_type == "crawler":
        context.findings.info(
            "reference-differs",
            f"Joint '{name_of(doc)}': jointType crawler is read as the reference says; Choreonoid knows "
            "only pseudoContinuousTrack and refuses the file",
            doc.at("joint_type"),
            fix=respelled(doc.at("joint_type"), "crawler", "pseudoContinuousTrack", safe=True),
        )


def _span(doc: Tagged) -> Span | None:
    return doc.at()


# --- what a Joint says of its joint (B.5) -----------------------------------------------

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
    """The unit vector of a joint's axis."""
    given = axis_vector(doc.joint_axis)
    direction = unit(given)
    who, at = f"Joint '{name_of(doc)}'", doc.at("joint_axis")
    if direction is None:
        context.findings.error("axis-zero", f"{who}: jointAxis is zero", at, "give the axis a direction")
        return _Z
    length = math.hypot(*given)
    if abs(length - 1.0) > 1e-6:
        context.findings.warning(
            "axis-not-unit",
            f"{who}: jointAxis has length {length:.6g} and is normalised; Choreonoid would use it as it is",
            at,
            "write a unit vector",
            fix=renumbered(
                at,
                "same direction, length 1",
                lambda old: direction if len(old) == 3 else None,
                safe=True,
            ),
        )
    return direction


def _bound(values: tuple[float, ...], sign: float) -> float:
    """The first number, as both loaders read it; none when there is none."""
    if not values or abs(values[0]) >= _HUGE:
        return sign * math.inf
    return values[0]


def limits(doc: d.Joint) -> Limits:
    """Position and velocity ranges; the format has no effort."""
    given = {"llimit", "ulimit"} & doc.given
    return Limits(
        position=(_bound(doc.llimit, -1.0), _bound(doc.ulimit, 1.0)),
        velocity=(_bound(doc.lvlimit, -1.0), _bound(doc.uvlimit, 1.0)),
        at=doc.at("llimit", "ulimit") if given else None,
    )


def actuator(doc: d.Joint, kind: JointKind) -> Actuator:
    """What the file says of the motor; a PROTO's default says nothing when it is the usual one."""
    found = {name: _said(doc, name) for name in _MOTOR}
    return Actuator(
        mode="velocity" if kind == "track" else None,
        gear_ratio=found["gear_ratio"],
        gear_efficiency=found["gear_efficiency"],
        rotor_inertia=found["rotor_inertia"],
        # zero stands for "not given" (facts B.5)
        axis_inertia=doc.equivalent_inertia or None,
        torque_constant=found["torque_const"],
        resistance=found["rotor_resistor"],
        encoder_pulses=found["encoder_pulse"],
        max_current=doc.climit[0] if doc.climit and abs(doc.climit[0]) < _HUGE else None,
    )


def _said(doc: d.Joint, name: str) -> float | None:
    value = getattr(doc, name)
    return value if name in doc.given or value != plan(d.Joint).defaults[name] else None


def joint_extras(part: Part, root: bool, findings: Findings) -> list[Item]:
    """What a Joint says that the model has no place for."""
    doc = part.doc
    if doc is None:
        return []
    bare: list[str] = []
    if root:
        bare += ["joint_id", *_MOTION, *_MOTOR]
        if part.kind not in ("fixed", "free"):
            bare.append("joint_type")
    elif part.kind in AXISLESS:
        bare += _MOTION
    # a PROTO's default for every Joint says nothing of one that it has no meaning for
    names = [*_UNUSED, *doc.given.intersection(bare)]
    # both loaders read the first number of several
    names += [name for name in (*_LIMITS, "climit") if len(getattr(doc, name)) > 1]
    return two_names(doc, findings) + leftovers(doc, *names) + doc.rest
