"""Reads a Body document as a robot: the links of the file and of its sub-bodies in one tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from unibody.document.bind import Binding, bind
from unibody.formats.body import document as d
from unibody.formats.body import fixes
from unibody.formats.body.appearance import Materials
from unibody.formats.body.assemble import Draft, assemble
from unibody.formats.body.elements import Reader
from unibody.formats.body.expand import expand
from unibody.formats.body.links import Part, part, track_parts
from unibody.formats.body.mesh_parts import cut_out
from unibody.formats.body.resource import enter, read_source
from unibody.formats.body.sections import configurations, extra_joints, groups, with_collision_rules
from unibody.formats.extras import Extras, written
from unibody.formats.format import Context
from unibody.model.pose import Pose
from unibody.model.robot import Robot
from unibody.text.finding import Finding, TextError
from unibody.text.node import Node, Value
from unibody.text.yaml import parser as yaml


def expand_body(value: Value, context: Context) -> Node:
    """Expand the short forms of a body file; TextError if it is not a mapping."""
    if not isinstance(value, Node):
        message = "a body file must be a mapping (format: ChoreonoidBody, links: …)"
        raise TextError(Finding("not-a-mapping", "error", message))
    return expand(value, context.findings)


def bind_body(node: Node, context: Context) -> d.Body:
    """Bind an expanded body file."""
    return bind(d.Body, node, Binding(context.findings, watch=context.watch))


def _load(context: Context) -> tuple[d.Body, Mapping[str, Value]] | None:
    """Load another body file; returns its document and anchors, or None after a finding."""
    source = read_source(context)
    if source is None:
        return None
    try:
        root = yaml.parse(source, context.findings)
        doc = bind_body(expand_body(root, context), context)
        context.documents.append(doc)
        return doc, yaml.Anchors(root)
    except TextError as e:
        context.findings.append(e.finding)
        return None


def to_robot(doc: d.Body, anchors: Mapping[str, Value], context: Context) -> Robot | None:
    """Convert a body document to a robot; None after an error."""
    if doc.format is None and doc.model_file is not None:
        return _wrapper(doc, context)
    if not _header(doc, context):
        return None
    draft = read_draft(doc, anchors, context)
    name = doc.name or PurePath(context.path).stem
    robot = assemble(draft, name, doc, context)
    return None if robot is None else _with_rest(robot, draft.docs, context)


def _header(doc: d.Body, context: Context) -> bool:
    """Check format, version and angle unit (facts A.3, A.16); False after an error that ends reading."""
    findings = context.findings
    version = "1.0" if doc.angle_unit == "radian" else "2.0"
    if doc.format is None:
        findings.error(
            "format-missing",
            "format and model_file are missing",
            doc.at(),
            "start the file with 'format: ChoreonoidBody'",
            fix=fixes.format_added(doc.node, version),
        )
        return False
    if doc.format != "ChoreonoidBody":
        findings.error(
            "format-unknown",
            f"format is '{doc.format}', not ChoreonoidBody",
            doc.at("format"),
            "write 'format: ChoreonoidBody'",
        )
        return False
    if doc.format_version is None:
        findings.warning(
            "version-missing",
            "format_version is missing; Choreonoid rejects the file",
            doc.at(),
            "write 'format_version: 2.0'",
            fix=fixes.version_added(doc.node, version),
        )
    elif doc.format_version >= 2.1:
        findings.error(
            "version-unknown",
            f"unknown format version {doc.format_version:g} (latest known: 2.0)",
            doc.at("format_version"),
            fix=fixes.version_changed(doc.node, "2.0"),
        )
    elif doc.format_version >= 2.0 and doc.angle_unit == "radian":
        findings.error(
            "angle-unit",
            "angle_unit: radian is not allowed since format version 2.0",
            doc.at("angle_unit"),
            "use format_version: 1.0, or convert the angles to degrees",
            fix=fixes.version_changed(doc.node, "1.0"),
        )
    if not doc.links:
        findings.error("links-missing", "no links", doc.at("links"))
        return False
    return True


def read_draft(doc: d.Body, anchors: Mapping[str, Value], context: Context) -> Draft:
    """Read all links, sub-bodies and tracks, in document order."""
    unit = doc.angle_unit
    reader = Reader(unit, context, Materials(unit, context), anchors)
    draft = Draft(extras=written(doc, "body_handlers") + doc.rest, docs=[doc])
    foreign: set[int] = set()
    for link in doc.links:
        context.budget.spend(150, link.at())
        match link:
            case d.Link():
                draft.parts.append(part(link, reader))
            case d.ContinuousTrack():
                draft.parts.extend(track_parts(link, reader))
            case d.SubBody():
                before = len(draft.parts)
                _sub_body(link, reader, draft)
                foreign.update(map(id, draft.parts[before:]))
    draft.loops.extend(extra_joints(doc, {p.name for p in draft.parts}, len(draft.loops), context))
    cut_out(p.content for p in draft.parts if id(p) not in foreign)
    return draft


def _sub_body(doc: d.SubBody, reader: Reader, draft: Draft) -> None:
    """Add the renamed links of a sub-body; its root gets the joint of the node (facts A.13)."""
    if not doc.uri:
        return
    inner = enter(doc.uri, doc.at("uri"), reader.context, "SubBody")
    loaded = _load(inner) if inner is not None else None
    if inner is None or loaded is None or not _header(loaded[0], inner):
        return
    sub, anchors = loaded
    made = read_draft(sub, anchors, inner)
    inner.budget.spend(60 * len(made.parts), doc.at("uri"))
    if not made.parts:
        return
    root = _root_index(made.parts, sub)
    device_prefix = doc.prefix if doc.device_prefix is None else doc.device_prefix
    affixes = len(doc.prefix) + len(doc.suffix)
    lengths = [2 * affixes + len(x.name) + len(x.joint_name) for x in made.parts]
    lengths += [len(device_prefix) + len(x.name) for p in made.parts for x in p.content.devices]
    lengths += [affixes + len(x.name) for x in made.loops]
    for length in lengths:
        inner.files.meter.take_name(length, lambda: doc.at("prefix", "suffix", "device_prefix"))
    names = {p.name: f"{doc.prefix}{p.name}{doc.suffix}" for p in made.parts}
    for i, inner_part in enumerate(made.parts):
        p = _renamed(inner_part, names, doc, device_prefix)
        draft.parts.append(_grafted(p, doc, reader) if i == root else p)
    draft.loops.extend(
        replace(
            x,
            name=f"{doc.prefix}{x.name}{doc.suffix}",
            link_a=names.get(x.link_a, x.link_a),
            link_b=names.get(x.link_b, x.link_b),
        )
        for x in made.loops
    )
    draft.docs += made.docs
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
    """The root of a sub-body with the keys of its SubBody node.

    Ranges and rotor are reset unless the node sets them, and mass keys are ignored, as in Choreonoid
    (facts F.2, 7).
    """
    given = part(doc, reader, p.kind)
    ignored = [w for w in ("mass", "inertia", "center_of_mass") if w in doc.given]
    if ignored or given.content.bodies:
        reader.context.findings.warning(
            "sub-body-mass",
            f"SubBody '{doc.uri}': mass data of the node is ignored, as in Choreonoid",
            doc.at(*ignored),
        )
    here = doc.given
    content = replace(
        p.content,
        visuals=p.content.visuals + given.content.visuals,
        collisions=p.content.collisions + given.content.collisions,
        devices=p.content.devices + given.content.devices,
        device_extras=p.content.device_extras
        + [(len(p.content.devices) + i, rest) for i, rest in given.content.device_extras],
        kept=p.content.kept + given.content.kept,
    )
    return replace(
        p,
        docs=(*p.docs, doc),
        parent=given.parent,
        parent_at=given.parent_at,
        pose=Pose(
            given.pose.xyz if "translation" in here else p.pose.xyz,
            given.pose.quat if "rotation" in here else p.pose.quat,
        ),
        joint_name=given.joint_name or p.joint_name,
        kind=given.kind,
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


def _with_rest(robot: Robot, docs: list[d.Body], context: Context) -> Robot:
    """Add configurations, groups and collision rules, which refer to joints and links of all files."""
    rules = _first_with(docs, "collision_detection_rules") or _first_with(docs, "collision_detection")
    return replace(
        with_collision_rules(rules or docs[0], robot, context),
        configurations=configurations(_first_with(docs, "standard_pose") or docs[0], robot, context),
        groups=groups(_first_with(docs, "link_group") or docs[0], robot, context),
    )


def _first_with(docs: list[d.Body], name: str) -> d.Body | None:
    """The first document that sets a field; None if none does."""
    return next((doc for doc in docs if name in doc.given), None)


def _wrapper(doc: d.Body, context: Context) -> Robot | None:
    """Read a file that extends another model (facts A.15)."""
    inner = enter(doc.model_file or "", doc.at("model_file"), context, "model_file")
    robot = context.load_robot(inner.path, inner) if inner else None
    if robot is None:
        return None
    extras = Extras("body")
    extras.add(written(doc, "geometry", "body_handlers") + doc.rest)
    _link_info(doc.link_info, robot, extras, context)
    robot = replace(robot, extras=robot.extras + extras.made(), name=doc.name or robot.name)
    return _with_rest(robot, [doc], context)


def _link_info(info: Any, robot: Robot, extras: Extras, context: Context) -> None:
    """Add ``linkInfo: {LINK: {…}}`` to the extras of the links of the other model."""
    names = {link.name for link in robot.links}
    for name, value, start in info.items if isinstance(info, Node) else []:
        if name not in names:
            context.findings.warning(
                "link-unknown",
                f"linkInfo refers to unknown link '{name}'",
                info.place(value, start),
            )
        elif isinstance(value, Node):
            extras.add(value.items, "links", name)
