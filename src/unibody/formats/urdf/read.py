"""Reads a URDF document as a robot."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from unibody.document.declare import READ
from unibody.formats.extras import Extras, written
from unibody.formats.format import Context
from unibody.formats.tree import check_tree, unique_names
from unibody.formats.urdf import contacts, drake, transmissions, weights
from unibody.formats.urdf import document as d
from unibody.formats.urdf.axes import Z, axis_of
from unibody.formats.urdf.loops import couplings, loops
from unibody.formats.urdf.poses import pose
from unibody.formats.urdf.safety import check_soft_limits
from unibody.formats.urdf.sensors import sensors
from unibody.formats.urdf.shapes import Materials, shape
from unibody.formats.urdf.versions import RATES, Version, check_features, read_version, text_of
from unibody.formats.xacro.parts import is_part
from unibody.model.base import WORLD, Base, implied_base
from unibody.model.inertia import Inertial, rotated
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import ZERO, Vector3
from unibody.model.robot import (
    UNBOUNDED,
    Actuator,
    Coupling,
    Dynamics,
    Extra,
    Joint,
    Limits,
    Link,
    Robot,
)
from unibody.model.traverse import path_of
from unibody.text.counted import listed
from unibody.text.edit import Edit, ProposedFix, inserted, replaced
from unibody.text.fixes import NUMBER
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float
from unibody.text.source import Span
from unibody.text.xml.fixes import attribute
from unibody.text.xml.lexer import IN_ATTRIBUTE

_ROOT = re.compile(r"<robot(?=[\s/>])")
_KINDS: dict[str, JointKind] = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
    "spherical": "ball",
}


def to_robot(doc: d.Robot, context: Context) -> Robot | None:
    """Convert a URDF document to a robot; None without links."""
    findings = context.findings
    if doc.name is None:
        findings.warning(
            "name-missing", "unnamed <robot>; using the file name", doc.at(), fix=_name_added(doc)
        )
    version = read_version(doc, context)
    check_features(doc, version, context)
    drake.check_dialect(doc, context)
    materials = Materials(doc, context)
    new_name = _new_link_name(doc, context)
    links = [_link(x, x.name or new_name, materials, context) for x in doc.items if isinstance(x, d.Link)]
    if not links:
        findings.error("links-missing", "no links", doc.at(), _remedy_without_links(doc, context))
        return None
    docs = [x for x in doc.items if isinstance(x, d.Joint | d.DrakeJoint)]
    read = [(x, j) for x in docs if (j := _joint(x, new_name, version, context)) is not None]
    joints = unique_names([j for _, j in read], "joint", findings, unnamed="warning")
    joints, rest = transmissions.read(doc.rest, joints, context)
    bodies = [x for x in doc.items if isinstance(x, d.Link)]
    links, bullet = contacts.read_bullet([x.rest for x in bodies], links)
    links, friction = contacts.read(doc.rest, links, context)
    rest = {**rest, **friction, **bullet}
    links = weights.read(doc.rest, rest, links)
    for element in (doc, *bodies):
        element.rest = [(*x[:2], READ) if rest.get(id(x[1]), x) is None else x for x in element.rest]
    made = {id(x): joint for (x, _), joint in zip(read, joints, strict=True)}
    own = [(x, made[id(x)]) for x, _ in read if isinstance(x, d.Joint)]
    check_soft_limits(own, findings)
    _add_world(links, joints, context)
    _check_axis_frame([x for x in docs if isinstance(x, d.Joint)], context)
    # A joint that could not be read is reported already; its links are not reported again.
    check_tree(links, joints, findings, complete=len(joints) == len(docs), link_at=_LinkPlaces(docs))
    names = {link.name for link in links}
    followers = _couplings([(x, joint.name) for x, joint in own], {joint.name for joint in joints}, context)
    more, kept = couplings(doc, joints, followers, context)
    return Robot(
        name=doc.name or PurePath(context.path).stem,
        links=tuple(links),
        joints=tuple(joints),
        loops=tuple(unique_names(loops(doc, names, context), "loop", findings)),
        couplings=tuple(_acyclic(_single([*followers, *more], joints, context), context)),
        devices=tuple(unique_names(sensors(doc, names, context), "device", findings)),
        self_collision=drake.self_collision(doc.rest, names, context),
        base=_base(links, joints, context),
        extras=_extras(doc, made, version, kept, rest),
    )


def _remedy_without_links(doc: d.Robot, context: Context) -> str:
    """What to do about a file without links: those of xacro may only define macros for others."""
    at = doc.at()
    source = None if at is None else at.source
    if source and "xacro:" in source.text and is_part(source.name, source.text, context.files):
        return "the file only defines what other xacro files include: name one of those"
    return "add at least one <link>"


def _new_link_name(doc: d.Robot, context: Context) -> str:
    """A name for the link whose name is empty; "" if there is none."""
    links = [x for x in doc.items if isinstance(x, d.Link)]
    taken = {link.name for link in links}
    if "" not in taken:
        return ""
    name = next(name for i in range(1, len(links) + 2) if (name := f"link_{i}") not in taken)
    unnamed = next(link for link in links if link.name == "")
    context.findings.warning(
        "name-missing",
        f"empty link name; using '{name}', also for joints of the empty name",
        unnamed.at("name"),
        "name the link",
    )
    return name


def _add_world(links: list[Link], joints: list[Joint], context: Context) -> None:
    """Add the link ``world`` if a joint has it as its parent and it is not declared, as in Drake."""
    first = next((joint for joint in joints if joint.parent == WORLD), None)
    if first is None or any(link.name == WORLD for link in links):
        return
    context.findings.warning(
        "parent-unknown",
        f"joint '{first.name}': the parent link '{WORLD}' is not declared; adding it, as in Drake, "
        "but ROS rejects the file",
        first.at,
        f'add <link name="{WORLD}"/>',
        subject=path_of("links", WORLD),
    )
    links.insert(0, Link(name=WORLD, at=first.at))


def _base(links: list[Link], joints: list[Joint], context: Context) -> Base | None:
    """The base that the name of the root link implies; a note if Choreonoid reads another one."""
    children = {joint.child for joint in joints}
    roots = [link for link in links if link.name not in children]
    base = implied_base(roots[0].name) if len(roots) == 1 else None
    if base is not None and context.base is None:
        context.findings.info(
            "base-world",
            f"root link '{roots[0].name}' is the world, so the base is {base}; Choreonoid makes every root "
            "of a URDF file free",
            roots[0].at,
            subject="base",
        )
    return base


def _link(doc: d.Link, name: str, materials: Materials, context: Context) -> Link:
    visuals = [shape(v, name, materials, context) for v in doc.visuals]
    collisions = [shape(c, name, materials, context) for c in doc.collisions]
    return Link(
        name=name,
        inertial=_inertial(doc, context),
        visuals=tuple(v for v in visuals if v is not None),
        collisions=tuple(c for c in collisions if c is not None),
        at=doc.at(),
    )


def _inertial(doc: d.Link, context: Context) -> Inertial | None:
    """The inertial of a link; None if it is absent or zero."""
    inertial = doc.inertial
    if inertial is None or inertial.mass is None or inertial.mass.value is None:
        return None
    mass = inertial.mass.value
    frame = pose(inertial.origin, context)
    tensor = _tensor(inertial.inertia)
    if mass == 0.0:
        context.findings.warning(
            "mass-zero",
            f"link '{doc.name}' has zero mass",
            inertial.mass.at("value"),
            "remove <inertial> if the link is massless",
            subject=path_of("links", doc.name, "inertial", "mass"),
        )
        if tensor == (ZERO, ZERO, ZERO):
            return None
    return Inertial(
        mass=mass,
        com=frame.xyz,
        inertia=rotated(tensor, frame),
        axes=frame.quat,
        at=inertial.at(),
        mass_at=inertial.mass.at(),
        com_at=inertial.origin.at() if inertial.origin is not None else None,
        inertia_at=inertial.inertia.at() if inertial.inertia is not None else None,
    )


def _tensor(doc: d.Inertia | None) -> tuple[Vector3, Vector3, Vector3]:
    if doc is None:
        return (ZERO, ZERO, ZERO)
    if doc.ixx is None or doc.iyy is None or doc.izz is None:
        return (ZERO, ZERO, ZERO)
    xx, xy, xz, yy, yz, zz = (v or 0.0 for v in (doc.ixx, doc.ixy, doc.ixz, doc.iyy, doc.iyz, doc.izz))
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _joint(doc: d.Joint | d.DrakeJoint, new_name: str, version: Version, context: Context) -> Joint | None:
    """The joint; None if it lacks an end or a type. ``new_name`` is that of the link without one."""
    if isinstance(doc, d.DrakeJoint):
        return drake.joint(doc, new_name, _dynamics(doc, context), context)
    if doc.name is None or doc.type is None or doc.parent_link is None or doc.child_link is None:
        return None
    if doc.type == "spherical":
        context.findings.warning(
            "joint-type-extension",
            f"joint '{doc.name}': type 'spherical' is an extension that ROS and Choreonoid do not support",
            doc.at("type"),
            subject=path_of("joints", doc.name),
        )
    if doc.parent_link.link is None or doc.child_link.link is None:
        return None
    if doc.limit is not None and version < RATES:
        _check_complete(doc, doc.limit, context)
    dynamics = _dynamics(doc, context)
    axis = _axis(doc, context)
    kind = _KINDS[doc.type] if axis is not None else "fixed"
    actuator = Actuator()
    if KINDS[kind].nq and doc.dynamics is not None:
        actuator, dynamics = _extensions(doc.dynamics, doc.name, dynamics, context)
    return Joint(
        name=doc.name,
        kind=kind,
        parent=doc.parent_link.link or new_name,
        child=doc.child_link.link or new_name,
        origin=pose(doc.origin, context),
        axis=axis or Z,
        limits=Limits() if not KINDS[kind].axes else _limits(doc, version, context),
        dynamics=dynamics,
        actuator=actuator,
        at=doc.at(),
    )


def _extensions(
    doc: d.Dynamics, name: str, dynamics: Dynamics, context: Context
) -> tuple[Actuator, Dynamics]:
    """The inertia of the drive and the spring of a joint, which simulators add to ``<dynamics>``."""
    words = [x for x in ("armature", "spring_stiffness", "spring_reference") if x in doc.given]
    if words:
        context.findings.info(
            "dynamics-extension",
            f"joint '{name}': <dynamics> has {listed(words, 3)}; read as in some simulators, but ROS and "
            "most other programs ignore it",
            doc.at(words[0]),
            subject=path_of("joints", name, "dynamics"),
        )
    spring = replace(
        dynamics,
        stiffness=dynamics.stiffness if doc.spring_stiffness is None else doc.spring_stiffness,
        rest=dynamics.rest if doc.spring_reference is None else doc.spring_reference,
    )
    return Actuator(axis_inertia=doc.armature), spring


def _axis(doc: d.Joint, context: Context) -> Vector3 | None:
    """The axis in the joint frame, None if it is zero."""
    if not KINDS[_KINDS[doc.type or "fixed"]].axes:
        return Z
    return axis_of(doc, "reading it as fixed, since it cannot move", context)


def _bounds_removed(limit: Span | None) -> ProposedFix | None:
    """Remove the lower and upper limits of a continuous joint."""
    found = (attribute(limit, name) for name in ("lower", "upper"))
    edits = tuple(replaced(a.whole, "") for a in found if a is not None)
    return ProposedFix("remove lower and upper", edits) if edits else None


def _sign_removed(value: Span | None) -> ProposedFix | None:
    """Remove the minus sign of a velocity or effort limit."""
    if value is None or not value.text.startswith("-") or not NUMBER.fullmatch(value.text):
        return None
    edit = Edit(value.source, value.start, value.start + 1, "")
    return ProposedFix(f"replace {value.text} by {value.text[1:]}", (edit,), safe=False)


def _name_added(doc: d.Robot) -> ProposedFix | None:
    """Name the robot after its file."""
    at = doc.at()
    stem = PurePath(at.source.name).stem if at is not None else ""
    found = _ROOT.match(at.text) if at is not None else None
    if at is None or found is None or not stem:
        return None
    name = f' name="{stem.translate(IN_ATTRIBUTE)}"'
    return ProposedFix(f"name the robot '{stem}'", (inserted(at.source, at.start + found.end(), name),))


class _LinkPlaces:
    """The places where joints refer to their parent and child links."""

    def __init__(self, docs: list[d.Joint | d.DrakeJoint]) -> None:
        self.docs = docs

    def __call__(self, joint: Joint, end: str) -> Span | None:
        for doc in self.docs:
            reference = doc.parent_link if end == "parent" else doc.child_link
            if doc.at() == joint.at and reference is not None:
                return reference.at("link")
        return None


def _check_axis_frame(docs: list[d.Joint], context: Context) -> None:
    """Report the first joint whose axis differs between the joint frame and the parent frame."""
    for doc in docs:
        if doc.axis is not None and doc.origin is not None and any(doc.origin.rpy) and doc.type != "fixed":
            context.findings.info(
                "reference-differs",
                f"joint '{doc.name}': axis is read in the joint frame, as in ROS; "
                "Choreonoid's documentation says the parent link's",
                doc.axis.at(),
                subject=path_of("joints", doc.name),
            )
            return


def _limits(doc: d.Joint, version: Version, context: Context) -> Limits:
    limit = doc.limit
    bounded = doc.type in ("revolute", "prismatic")
    if limit is None:
        if bounded:
            # a follower has the limits of its leader
            report = context.findings.warning if doc.mimic is None else context.findings.info
            report(
                "joint-limit-missing",
                f"{doc.type} joint '{doc.name}' has no <limit>; assuming unlimited, as in Drake and "
                "MuJoCo, but ROS rejects the file",
                doc.at(),
                "add <limit lower= upper= effort= velocity=>, or change the type to continuous",
                subject=path_of("joints", doc.name),
            )
        return Limits()
    position = UNBOUNDED
    if bounded:
        position = (limit.lower, limit.upper)
        _check_ends(doc, limit, version, context)
    elif doc.type == "planar" and {"lower", "upper"} & limit.given:
        low, high = (0.0, 0.0) if version < RATES else UNBOUNDED
        position = (
            limit.lower if "lower" in limit.given else low,
            limit.upper if "upper" in limit.given else high,
        )
    if not (position[0] < math.inf and position[1] > -math.inf):
        position = UNBOUNDED  # reported already
    if doc.type == "continuous" and (limit.lower or limit.upper):
        context.findings.info(
            "limit-ignored",
            f"joint '{doc.name}': lower and upper are ignored for a continuous joint",
            limit.at(),
            "change the type to revolute, or remove lower and upper",
            subject=path_of("joints", doc.name, "limits", "position"),
            fix=_bounds_removed(limit.at()),
        )
    acceleration = _symmetric_limit(doc, limit, "acceleration", context)
    slowing = acceleration
    if limit.deceleration is not None:
        slowing = _symmetric_limit(doc, limit, "deceleration", context)
    return Limits(
        position=position,
        velocity=_symmetric_limit(doc, limit, "velocity", context),
        acceleration=acceleration,
        deceleration=slowing,
        jerk=_symmetric_limit(doc, limit, "jerk", context),
        effort=_symmetric_limit(doc, limit, "effort", context),
        at=limit.at(),
    )


def _check_ends(doc: d.Joint, limit: d.Limit, version: Version, context: Context) -> None:
    """Report missing ends of a range: URDF 1.2 requires both, before it they are 0."""
    missing = [name for name in ("lower", "upper") if name not in limit.given]
    if not missing or (len(missing) == 1 and version < RATES):
        return
    effect = "both are 0, so it cannot move" if len(missing) == 2 else "using 0"
    rejects = ", and urdfdom rejects the file in URDF 1.2" if version >= RATES else ""
    context.findings.warning(
        "limit-empty",
        f"joint '{doc.name}': <limit> without {' and '.join(missing)}; {effect}{rejects}",
        limit.at(),
        subject=path_of("joints", doc.name, "limits", "position"),
    )


def _check_complete(doc: d.Joint, limit: d.Limit, context: Context) -> None:
    """Report limits that ROS requires of every type before URDF 1.2, and Choreonoid of those that move."""
    moves = doc.type in ("revolute", "prismatic", "continuous")
    effect = "assuming unlimited, but ROS and Choreonoid reject" if moves else "ROS rejects"
    for word in ("velocity", "effort"):
        if getattr(limit, word) is None:
            context.findings.warning(
                "limit-incomplete",
                f"joint '{doc.name}': <limit> has no {word}; {effect} the file",
                limit.at(),
                f"add {word}=",
                subject=path_of("joints", doc.name, "limits", word),
            )


def _symmetric_limit(doc: d.Joint, limit: d.Limit, word: str, context: Context) -> tuple[float, float]:
    """A magnitude as a symmetric range; absent or negative, there is no limit."""
    value: float | None = getattr(limit, word)
    if value is None:
        return UNBOUNDED
    if not math.isfinite(value):
        return UNBOUNDED
    if value < 0.0:
        context.findings.warning(
            "limit-negative",
            f"joint '{doc.name}': {word} must not be negative; assuming unlimited",
            limit.at(word),
            subject=path_of("joints", doc.name, "limits", word),
            fix=_sign_removed(limit.at(word)),
        )
        return UNBOUNDED
    return (0.0 - value, value)


def _dynamics(doc: d.Joint | d.DrakeJoint, context: Context) -> Dynamics:
    """Damping and friction of a joint, with a finding for those that other loaders reject."""
    dynamics = doc.dynamics
    if dynamics is None:
        return Dynamics()
    subject = path_of("joints", doc.name or "", "dynamics")
    if not dynamics.given & {"damping", "friction"}:
        context.findings.warning(
            "missing",
            f"joint '{doc.name}': <dynamics> has neither damping nor friction; assuming 0, but ROS "
            "rejects the file",
            dynamics.at(),
            "remove <dynamics>",
            subject=subject,
        )
    damping = dynamics.damping
    values = damping if isinstance(damping, tuple) else (damping,)
    for word, least in (("damping", min(values)), ("friction", dynamics.friction)):
        if least < 0.0:
            context.findings.warning(
                "dynamics-negative",
                f"joint '{doc.name}': {word} must not be negative; using it, but Drake or Pinocchio "
                "rejects the file",
                dynamics.at(word),
                "write it without the sign",
                subject=f"{subject}/{word}",
                fix=_sign_removed(dynamics.at(word)),
            )
    if min(values) != max(values):
        context.findings.warning(
            "damping-uneven",
            f"joint '{doc.name}': damping must be the same in all directions, got "
            f"{' '.join(map(format_float, values))}; using {format_float(values[0])}",
            dynamics.at("damping"),
            "replace the joint by two prismatic joints and a revolute one",
            subject=f"{subject}/damping",
        )
    return Dynamics(damping=values[0], friction=dynamics.friction)


def _couplings(docs: list[tuple[d.Joint, str]], names: Collection[str], context: Context) -> list[Coupling]:
    """The couplings of joints, which are given with their final names, of joints with ``names``."""
    out: list[Coupling] = []
    for doc, name in docs:
        mimic = doc.mimic
        if mimic is None or mimic.joint is None:
            continue
        if mimic.joint == name:
            context.findings.warning(
                "mimic-self",
                f"joint '{name}' mimics itself; <mimic> is ignored",
                mimic.at(),
                subject=path_of("joints", name),
            )
            continue
        if mimic.joint not in names:
            context.findings.warning(
                "mimic-unknown",
                f"joint '{name}' mimics unknown joint '{mimic.joint}'; <mimic> is ignored",
                mimic.at("joint"),
                subject=path_of("joints", name),
            )
            continue
        out.append(
            Coupling(
                joint=name,
                leader=mimic.joint,
                ratio=mimic.multiplier,
                offset=mimic.offset,
                at=mimic.at(),
            )
        )
    return out


def _single(couplings: list[Coupling], joints: Sequence[Joint], context: Context) -> list[Coupling]:
    """The couplings between joints with one position; the others are reported."""
    several = {joint.name: joint.kind for joint in joints if KINDS[joint.kind].nq > 1}
    for coupling in couplings:
        for name in (coupling.joint, coupling.leader):
            if name in several:
                context.findings.warning(
                    "coupling-unsupported",
                    f"joint '{name}' has several positions ({several[name]}) and cannot be coupled; the "
                    f"coupling of '{coupling.joint}' is ignored",
                    coupling.at,
                    "remove the coupling, or give the joint one degree of freedom",
                    subject=path_of("joints", coupling.joint),
                )
                break
    return [c for c in couplings if c.joint not in several and c.leader not in several]


def _acyclic(couplings: list[Coupling], context: Context) -> list[Coupling]:
    """The couplings without those of cycles, which are reported."""
    leader = {c.joint: c.leader for c in couplings}
    cyclic: set[str] = set()
    done: set[str] = set()
    for c in couplings:
        way: list[str] = []
        name = c.joint
        while name in leader and name not in done:
            done.add(name)
            way.append(name)
            name = leader[name]
        if name in way:
            cycle = way[way.index(name) :]
            cyclic.update(cycle)
            context.findings.warning(
                "mimic-cycle",
                f"mimic cycle: {' → '.join([*cycle, name])}; these <mimic> elements are ignored",
                next(x.at for x in couplings if x.joint == name),
                "remove one <mimic>",
            )
    return [x for x in couplings if x.joint not in cyclic]


def _extras(
    doc: d.Robot,
    joints: dict[int, Joint],
    version: Version,
    kept: list[Item],
    stripped: Mapping[int, Node | None],
) -> tuple[Extra, ...]:
    """Collect URDF data that the model cannot represent, for the writer.

    ``stripped`` are elements without what the model has of them, by the id of the element as written.
    """
    extras = Extras("urdf")
    stated: list[Item] = [] if doc.version is None else [("version", Word(text_of(version)), -1)]

    def left(items: list[Item]) -> list[Item]:
        found = ((x, stripped.get(id(x[1]))) for x in items if x[2] != READ)
        return [x if node is None else (x[0], node, x[2]) for x, node in found]

    extras.add(stated + left(doc.rest) + kept)
    for item in doc.items:
        if isinstance(item, d.Link):
            extras.add(left(item.rest), "links", item.name or "")
        elif isinstance(item, d.Joint) and (joint := joints.get(id(item))) is not None:
            extras.add(_joint_extras(item, joint.kind), "joints", joint.name)
        elif isinstance(item, d.DrakeJoint) and (joint := joints.get(id(item))) is not None:
            extras.add(_drake_extras(item, joint.kind), "joints", joint.name)
        elif isinstance(item, d.DrakeJoint) and item.node is not None:
            extras.add([(item.KEY, item.node, -1)])
    return extras.made()


def _joint_extras(doc: d.Joint, kind: JointKind) -> list[Item]:
    items = written(doc, "calibration", "safety_controller")
    if not KINDS[kind].axes:
        # written, but without effect on a joint of this type
        return items + written(doc, "axis", "limit") + doc.rest
    for key, holder in (("limit", doc.limit), ("dynamics", doc.dynamics)):
        if holder is not None and holder.rest:
            items.append((key, Node(key, list(holder.rest)), -1))
    return items + doc.rest


def _drake_extras(doc: d.DrakeJoint, kind: JointKind) -> list[Item]:
    unused = ("axis", "pitch") if kind not in ("screw", "fixed") else ()
    inner = doc.dynamics.rest if doc.dynamics is not None else []
    more: list[Item] = [("dynamics", Node("dynamics", list(inner)), -1)] if inner else []
    return written(doc, *unused) + more + doc.rest
