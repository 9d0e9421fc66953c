"""Body document → Robot: links of this file and of its sub-bodies, made into one tree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Literal

from unibody.document.bind import Binding, bind
from unibody.formats.body import document as d
from unibody.formats.body.appearance import Materials
from unibody.formats.body.elements import Reader
from unibody.formats.body.expand import expand
from unibody.formats.body.extra import configurations, extra_joints, groups, self_collision
from unibody.formats.body.links import Part, part, track_parts
from unibody.formats.body.placement import place_of
from unibody.formats.body.resource import enter, read_source
from unibody.formats.format import Context
from unibody.formats.tree import check_tree, unique_names
from unibody.model.device import Device
from unibody.model.pose import Pose
from unibody.model.robot import Extra, Joint, Limits, Link, Loop, Robot
from unibody.text import yaml
from unibody.text.finding import TextError
from unibody.text.node import Item, Node, Value


@dataclass(slots=True)
class Draft:
    """Parts and loops of one file, with what it says beside its links."""

    parts: list[Part] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    extras: list[Item] = field(default_factory=list)


def parse_body(context: Context) -> tuple[Value, dict[str, Value]] | None:
    """The tree of a body file and its anchors; None after a finding."""
    source = read_source(context)
    if source is None:
        return None
    try:
        root = yaml.parse(source, context.findings)
    except TextError as e:
        context.findings.append(e.finding)
        return None
    return root, yaml.anchors(root)


def bind_body(root: Value, context: Context) -> d.Body | None:
    """The document of a parsed body file; None when it is not a mapping."""
    if not isinstance(root, Node):
        context.findings.error(
            "not-a-mapping", "a body file must be one mapping (format: ChoreonoidBody, links: …)"
        )
        return None
    return bind(d.Body, expand(root, context.findings), Binding(context.findings, watch=context.watch))


def to_robot(doc: d.Body, anchors: dict[str, Value], context: Context) -> Robot | None:
    """The neutral robot of a body document; None when it describes none."""
    if doc.format is None and doc.model_file is not None:
        return _wrapper(doc, context)
    if not _header(doc, context):
        return None
    draft = read_draft(doc, anchors, context)
    name = doc.name or PurePath(context.path).stem
    robot = assemble(draft, name, doc, context)
    return None if robot is None else _with_rest(robot, doc, context)


def _header(doc: d.Body, context: Context) -> bool:
    """Format, version and unit, as the loader asks for them (facts A.3, A.16)."""
    findings = context.findings
    if doc.format is None:
        findings.error(
            "format-missing",
            "neither format nor model_file is given",
            doc.node.span if doc.node else None,
            "begin the file with 'format: ChoreonoidBody'",
        )
        return False
    if doc.format != "ChoreonoidBody":
        findings.error(
            "format-unknown",
            f"format is '{doc.format}', not ChoreonoidBody",
            place_of(doc, "format"),
            "write 'format: ChoreonoidBody'",
        )
        return False
    if doc.format_version is None:
        findings.warning(
            "version-missing",
            "format_version is missing; Choreonoid refuses such a file",
            doc.node.span if doc.node else None,
            "write 'format_version: 2.0'",
        )
    elif doc.format_version >= 2.1:
        findings.error(
            "version-unknown",
            f"format version {doc.format_version:g} is not known; the newest is 2.0",
            place_of(doc, "format_version", "formatVersion"),
        )
    elif doc.format_version >= 2.0 and doc.angle_unit == "radian":
        findings.error(
            "angle-unit",
            "angle_unit: radian is not allowed from format version 2.0 on",
            place_of(doc, "angle_unit", "angleUnit"),
            "write format_version: 1.0, or the angles in degrees",
        )
    if not doc.links:
        findings.error("links-missing", "the file has no links", place_of(doc, "links"))
        return False
    return True


def read_draft(doc: d.Body, anchors: dict[str, Value], context: Context) -> Draft:
    """Parts of all links, sub-bodies and tracks, in document order."""
    unit = doc.angle_unit
    reader = Reader(unit, context, Materials(unit, context), anchors)
    draft = Draft(extras=list(doc.rest))
    for link in doc.links:
        match link:
            case d.Link():
                draft.parts.append(part(link, reader))
            case d.ContinuousTrack():
                draft.parts.extend(track_parts(link, reader))
            case d.SubBody():
                _sub_body(link, reader, draft)
    draft.loops.extend(extra_joints(doc, unit, context))
    return draft


def _sub_body(doc: d.SubBody, reader: Reader, draft: Draft) -> None:
    """Another file's links under new names; its root takes this node's joint (facts A.13)."""
    if not doc.uri:
        return
    inner = enter(doc.uri, place_of(doc, "uri"), reader.context, "SubBody")
    parsed = parse_body(inner) if inner else None
    sub = bind_body(parsed[0], inner) if parsed and inner else None
    if inner is None or parsed is None or sub is None or not _header(sub, inner):
        return
    made = read_draft(sub, parsed[1], inner)
    if not made.parts:
        return
    root = _root_index(made.parts, sub)
    names = {p.name: f"{doc.prefix}{p.name}{doc.suffix}" for p in made.parts}
    device_prefix = doc.prefix if doc.device_prefix is None else doc.device_prefix
    for i, inner_part in enumerate(made.parts):
        p = _renamed(inner_part, names, doc, device_prefix)
        draft.parts.append(_grafted(p, doc, reader) if i == root else p)
    draft.loops.extend(
        replace(x, link_a=names.get(x.link_a, x.link_a), link_b=names.get(x.link_b, x.link_b))
        for x in made.loops
    )
    own = {k for k, _, _ in draft.extras}
    draft.extras += [item for item in made.extras if item[0] not in own]


def _root_index(parts: list[Part], doc: d.Body) -> int:
    for i, p in enumerate(parts):
        if p.name == doc.root_link if doc.root_link else not p.parent:
            return i
    return 0


def _renamed(p: Part, names: dict[str, str], doc: d.SubBody, device_prefix: str) -> Part:
    content = replace(
        p.content,
        devices=[replace(x, name=f"{device_prefix}{x.name}" if x.name else "") for x in p.content.devices],
    )
    return replace(
        p,
        name=names[p.name],
        parent=names.get(p.parent, p.parent),
        joint_name=f"{doc.prefix}{p.joint_name}{doc.suffix}" if p.joint_name else "",
        number=p.number + doc.joint_id_offset if p.number >= 0 else p.number,
        content=content,
    )


def _grafted(p: Part, doc: d.SubBody, reader: Reader) -> Part:
    """The sub-body's root with the SubBody node's own keys; the loader resets its ranges and
    rotor when the node does not give them (facts F.2, 7), and ignores mass keys."""
    given = part(doc, reader)
    ignored = [w for w in ("mass", "inertia", "center_of_mass") if w in doc.given]
    if ignored or given.content.bodies:
        reader.context.findings.warning(
            "sub-body-mass",
            f"SubBody '{doc.uri}': mass data here is ignored, as in Choreonoid; the sub-body's own counts",
            place_of(doc, *ignored) if ignored else (doc.node.span if doc.node else None),
        )
    here = doc.given
    content = replace(
        p.content,
        visuals=p.content.visuals + given.content.visuals,
        collisions=p.content.collisions + given.content.collisions,
        devices=p.content.devices + given.content.devices,
    )
    return replace(
        p,
        parent=given.parent,
        parent_at=given.parent_at,
        pose=Pose(
            given.pose.xyz if "translation" in here else p.pose.xyz,
            given.pose.quat if "rotation" in here else p.pose.quat,
        ),
        kind=given.kind if {"joint_type", "actuation_mode"} & here else p.kind,
        axis=given.axis if "joint_axis" in here else p.axis,
        number=given.number if "joint_id" in here else p.number,
        initial=given.initial if {"joint_angle", "joint_displacement"} & here else p.initial,
        limits=replace(
            given.limits, effort=given.limits.effort if "max_joint_effort" in here else p.limits.effort
        ),
        actuator=given.actuator,
        extras=p.extras + given.extras,
        content=content,
    )


# --- parts → robot --------------------------------------------------------------------


def assemble(draft: Draft, name: str, doc: d.Body, context: Context) -> Robot | None:
    """One robot from parts: names made sure of, tree checked, joints made."""
    parts = _named(draft.parts, context)
    root = _root(parts, doc, context)
    links: list[Link] = []
    joints: list[Joint] = []
    devices: list[Device] = []
    extras: list[Extra] = [Extra(format="body", node=Node("", draft.extras))] if draft.extras else []
    for p in parts:
        c = p.content
        links.append(
            Link(
                name=p.name,
                inertial=p.inertial,
                visuals=tuple(c.visuals),
                collisions=tuple(c.collisions),
                at=p.at,
            )
        )
        if p is not root:
            joints.append(_joint(p))
        leftover = list(p.extras) + [("elements", n, n.start) for n in c.kept]
        if p is root and (p.kind not in ("fixed", "free") or p.number >= 0):
            leftover += p.joint_items
        if leftover:
            extras.append(Extra(format="body", owner=f"links/{p.name}", node=Node("", leftover)))
        for made in c.devices:
            devices.append(replace(made, link=p.name))
    named = unique_names(devices, "device", context.findings)
    _device_extras(parts, named, extras)
    check_tree(links, joints, context.findings, {p.name: p.parent_at for p in parts})
    _joint_numbers(joints, context)
    base: Literal["fixed", "free"] | None = None
    if root is not None:
        base = _base(root, context)
    return Robot(
        name=name,
        links=tuple(links),
        joints=tuple(joints),
        loops=tuple(draft.loops),
        devices=tuple(named),
        base=base,
        pose=root.pose if root is not None else parts[0].pose,
        extras=tuple(extras),
    )


def _device_extras(parts: list[Part], devices: list[Device], extras: list[Extra]) -> None:
    """Leftover keys of devices, under the devices' final names."""
    start = 0
    for p in parts:
        for index, rest in p.content.device_extras:
            owner = f"devices/{devices[start + index].name}"
            extras.append(Extra(format="body", owner=owner, node=Node("", list(rest))))
        start += len(p.content.devices)


def _named(parts: list[Part], context: Context) -> list[Part]:
    """Unnamed links get a name and a finding; a name given twice is an error."""
    taken = {p.name for p in parts if p.name}
    seen: set[str] = set()
    out: list[Part] = []
    for i, p in enumerate(parts):
        if not p.name:
            name = f"link{i}"
            while name in taken:
                name += "_"
            taken.add(name)
            context.findings.warning("name-missing", f"a link has no name; it is called '{name}'", p.at)
            out.append(replace(p, name=name))
            continue
        if p.name in seen:
            context.findings.error("name-duplicate", f"duplicate link name '{p.name}'", p.at)
        seen.add(p.name)
        out.append(p)
    return out


def _root(parts: list[Part], doc: d.Body, context: Context) -> Part | None:
    if doc.root_link:
        for p in parts:
            if p.name == doc.root_link:
                return p
        context.findings.error(
            "root-unknown",
            f"root_link names '{doc.root_link}', but there is no such link",
            place_of(doc, "root_link", "rootLink"),
        )
    # The reference: the first link is the root; it cannot also have a parent.
    for p in parts:
        if not p.parent:
            return p
    return None


def _base(root: Part, context: Context) -> Literal["fixed", "free"]:
    if root.kind == "fixed":
        return "fixed"
    if root.kind != "free":
        context.findings.warning(
            "root-joint-type",
            f"root link '{root.name}' has joint type {root.kind}, but nothing to move against; "
            "it is taken as free, as in Choreonoid",
            root.at,
            "write joint_type: fixed or free",
        )
    return "free"


def _joint(p: Part) -> Joint:
    fixed = p.kind in ("fixed", "free")
    return Joint(
        name=p.joint_name or p.name,
        kind=p.kind,
        parent=p.parent,
        child=p.name,
        origin=p.pose,
        axis=p.axis,
        limits=Limits() if fixed and p.kind == "free" else p.limits,
        actuator=p.actuator,
        initial=p.initial,
        number=p.number if p.number >= 0 else None,
        at=p.at,
    )


def _joint_numbers(joints: list[Joint], context: Context) -> None:
    """Joint ids are unique; gaps in them make dummy joints in Choreonoid (facts A.6)."""
    first: dict[int, Joint] = {}
    for j in joints:
        if j.number is None:
            continue
        if j.number in first:
            context.findings.warning(
                "joint-id-duplicate",
                f"jointId {j.number} (joint_id) is used by '{first[j.number].name}' and '{j.name}'",
                j.at,
                "give each joint an id of its own",
            )
        first.setdefault(j.number, j)
    missing = (
        [n for n in range(max(first, default=-1) + 1) if n not in first] if len(first) < 100000 else []
    )
    if missing and max(first) < 100000:
        shown = ", ".join(map(str, missing[:8])) + (" …" if len(missing) > 8 else "")
        context.findings.info(
            "joint-id-gap", f"no joint has the id {shown}; Choreonoid fills each gap with an empty joint"
        )


def _with_rest(robot: Robot, doc: d.Body, context: Context) -> Robot:
    """Postures, groups and collision rules; they speak of joints and links by id and name."""
    kept: list[Item] = []
    if doc.body_handlers:
        kept += [
            i for i in (doc.node.items if doc.node else []) if i[0] in ("body_handlers", "bodyHandlers")
        ]
    if kept:
        extras = (Extra(format="body", node=Node("", kept)), *robot.extras)
        merged = [i for e in extras if not e.owner for i in e.node.items]
        others = tuple(e for e in extras if e.owner)
        robot = replace(robot, extras=(Extra(format="body", node=Node("", merged)), *others))
    return replace(
        robot,
        configurations=configurations(doc, robot, context),
        groups=groups(doc, robot, context),
        self_collision=self_collision(doc, robot, context),
    )


def _wrapper(doc: d.Body, context: Context) -> Robot | None:
    """A file that only adds to another model (facts A.15)."""
    inner = enter(doc.model_file or "", place_of(doc, "model_file", "modelFile"), context, "model_file")
    robot = context.load_robot(inner.path, inner) if inner else None
    if robot is None:
        return None
    extras = list(robot.extras)
    own: list[Item] = list(doc.rest)
    for key in ("geometry",):
        own += [i for i in (doc.node.items if doc.node else []) if i[0] == key]
    extras += _link_info(doc.link_info, robot, context)
    if own:
        extras.append(Extra(format="body", node=Node("", own)))
    robot = replace(robot, extras=tuple(extras), name=doc.name or robot.name)
    return _with_rest(robot, doc, context)


def _link_info(info: Any, robot: Robot, context: Context) -> list[Extra]:
    if not isinstance(info, Node):
        return []
    names = {link.name for link in robot.links}
    out: list[Extra] = []
    for name, value, start in info.items:
        if name not in names:
            context.findings.warning(
                "link-unknown",
                f"linkInfo names '{name}', but there is no such link",
                info.place(value, start),
            )
        elif isinstance(value, Node):
            out.append(Extra(format="body", owner=f"links/{name}", node=Node("", list(value.items))))
    return out
