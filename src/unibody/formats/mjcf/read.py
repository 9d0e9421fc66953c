"""Reads an MJCF text as a robot."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import PurePath
from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.document.unbind import unbind
from unibody.formats.format import Context, Reader
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.asset_elements import name_of
from unibody.formats.mjcf.attachments import Attachments
from unibody.formats.mjcf.constraints import Constraints, needs_world, paired_geoms, self_collision
from unibody.formats.mjcf.conventions import Poses, check_ends, settings_of
from unibody.formats.mjcf.devices import cameras, frames, lights, model_names, sensors, take_scans
from unibody.formats.mjcf.document_constraints import JointEquality
from unibody.formats.mjcf.drives import check_controls, with_drives
from unibody.formats.mjcf.expand import ROOT, expand
from unibody.formats.mjcf.geoms import Geoms
from unibody.formats.mjcf.gravity import gravity_of
from unibody.formats.mjcf.joints import JointRecord, check_degrees, read_joints
from unibody.formats.mjcf.kept_elements import take
from unibody.formats.mjcf.keyframes import configurations, whole_keys
from unibody.formats.mjcf.leftovers import extras
from unibody.formats.mjcf.links import Assembly, chain_names, check_names, make_joints, make_links, unique
from unibody.formats.mjcf.masses import check_moving, read_mass, scaled
from unibody.formats.mjcf.simplify import discard_visual, fuse_static, referred
from unibody.formats.mjcf.springs import set_springs
from unibody.formats.mjcf.tree import BodyRecord, Scope, bodies
from unibody.formats.mjcf.unusable import leave_unusable
from unibody.formats.sidecar import apply
from unibody.formats.tree import unique_names
from unibody.model.changes.shapes import with_shapes
from unibody.model.pose import IDENTITY
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape
from unibody.text.node import Node, Value, Word
from unibody.text.source import Source
from unibody.text.xml import parser as xml

# The axes of a sequence of angles.
_LETTERS = 3


def to_robot(doc: d.Mujoco, context: Context) -> Robot | None:
    """Convert a document to a robot.

    A body at the top that only a free joint moves is the root, if it is the only one, and what the world
    has are its surroundings; else the world is the root.
    """
    lines, at = take(doc)
    scope = scope_of(doc, context.path, context)
    attach = Attachments(context, scope_of, _tree_of)
    records = bodies(scope, attach)
    scopes = [scope, *attach.scopes]
    for each_scope in scopes:
        each_scope.others = scopes
    docs = [each.doc for each in scopes]
    for each in docs:
        _leave_removed(each, context)
    check_degrees(records, context)
    leave_unusable(docs, records, context.findings)
    scans = take_scans(docs, records)
    parts = _assembly(records, docs, context)
    findings = context.findings
    constraints = Constraints(parts, context)
    sites = unique_names(frames(parts, context), "frame", findings)
    devices = [*cameras(parts, context), *lights(parts, context), *sensors(docs, parts, sites, scans)]
    keys = configurations(doc, attach.keys, parts, context)
    couplings = constraints.couplings(docs)  # before the joints, which it may lock
    joints = with_drives(make_joints(parts), docs, parts)
    check_controls(doc, docs, parts, context)
    devices = unique_names(devices, "device", findings)
    links = make_links(parts)
    around = links.pop(0) if parts.is_surrounded else None
    made = Robot(
        name=doc.model or PurePath(context.path).stem,
        links=tuple(links),
        joints=tuple(joints),
        loops=tuple(unique_names(constraints.loops(docs), "loop", findings)),
        couplings=tuple(couplings),
        devices=tuple(devices),
        frames=tuple(sites),
        configurations=tuple(unique_names(keys, "configuration", findings)),
        self_collision=self_collision(docs, parts),
        base="free" if parts.root and parts.joints[parts.root] else "fixed",
        pose=parts.bodies[parts.root].pose if parts.root else IDENTITY,
        surroundings=around,
        gravity=gravity_of(doc),
        extras=extras(
            scopes,
            parts,
            model_names(parts, sites, devices),
            context,
            whole_keys(attach.keys, parts),
        ),
    )
    return apply(made, lines, at, context)


def _tree_of(robot: Robot) -> Node:
    """The tree of a model of another format, whose mesh files are where they are.

    What only the writer adds is left out: MuJoCo computes the masses of links that state none, and has
    rules of contacts of its own.
    """
    from unibody.formats.mjcf.write import WRITER  # few files attach models of other formats

    fixed = replace(with_shapes(robot, _with_paths), base="fixed")
    document = WRITER.from_robot(WRITER.changes(fixed))
    assert isinstance(document, d.Mujoco)
    document.items = [item for item in document.items if not isinstance(item, d.Contact)]
    for section in document.items:
        for item in section.items if isinstance(section, d.Asset | d.Equalities) else []:
            if isinstance(item, assets.Mesh):
                item.inertia = assets.Mesh().inertia
            elif isinstance(item, JointEquality):
                item.solref, item.solimp = JointEquality().solref, JointEquality().solimp
    root = unbind(document, ROOT)
    root.items.append(("compiler", Node("compiler", [("inertiafromgeom", Word("auto"), -1)]), -1))
    return root


def _with_paths(shape: Shape) -> tuple[Shape, ...]:
    mesh = shape.geometry
    if isinstance(mesh, MeshFile) and mesh.path:
        return (replace(shape, geometry=replace(mesh, uri=os.path.abspath(mesh.path))),)
    return (shape,)


def scope_of(doc: d.Mujoco, path: str, context: Context) -> Scope:
    """The settings and the assets of a file."""
    settings = settings_of([item for item in doc.items if isinstance(item, d.Compiler)])
    if settings.coordinate == "global":
        context.findings.error(
            "coordinate-global",
            'coordinate="global" is not supported since MuJoCo 2.3.4',
            settings.coordinate_at,
            "load and save the file in MuJoCo 2.3.3",
        )
    if len(settings.eulerseq) != _LETTERS:
        context.findings.error(
            "wrong-value",
            f"eulerseq must be three letters, got '{settings.eulerseq}'; MuJoCo rejects the file",
            next((x.at("eulerseq") for x in doc.items if isinstance(x, d.Compiler) and x.eulerseq), None),
            "write three letters, such as xyz",
        )
    scope = Scope(doc, path, settings, Poses(settings, context))
    scope.way = (context.files.canonical(path),)
    for section in doc.items:
        for item in section.items if isinstance(section, d.Asset) else []:
            if isinstance(item, assets.Mesh | assets.Material | assets.Texture | assets.HeightField):
                scope.assets.setdefault((item.KEY, name_of(item)), item)
    return scope


def _leave_removed(doc: d.Mujoco, context: Context) -> None:
    """Leave out words that older versions of MuJoCo read, with a warning for each."""
    for holder in (doc, *doc.items):
        node = holder.node
        removed = [item for item in holder.rest if item[0] in holder.KNOWN] if node is not None else []
        for item in removed:
            assert node is not None
            context.findings.warning(
                "word-removed",
                f"'{item[0]}' in <{node.tag}> was removed from MuJoCo, which rejects the file; "
                "it is left out",
                node.item_span(item),
                "remove it",
            )
        if node is not None and removed:
            holder.rest = [item for item in holder.rest if item not in removed]
            items = [item for item in node.items if item not in removed]
            holder.node = Node(node.tag, items, node.source, node.start, node.end)


def _assembly(records: list[BodyRecord], docs: list[d.Mujoco], context: Context) -> Assembly:
    findings, settings = context.findings, records[0].scope.settings
    check_names([(body.name, body.at) for body in records], "link", findings)
    joints = [read_joints(body, context) for body in records]
    flat = [joint for own in joints for joint in own]
    check_names([(joint.name, joint.placed.at) for joint in flat], "joint", findings)
    for joint, name in zip(flat, unique([j.name for j in flat], "joint", findings), strict=True):
        joint.name = name
    is_fixed = [True]
    for i in range(1, len(records)):
        is_fixed.append(is_fixed[records[i].parent] and not joints[i])
    reader = Geoms(context, paired_geoms(docs))
    geoms = [
        [reader.read(placed, is_fixed[i], i == 0) for placed in body.geoms]
        for i, body in enumerate(records)
    ]
    for body in records:
        for placed in body.sites:
            if isinstance(placed.doc, b.Site):
                check_ends(placed.doc, findings)
                if placed.doc.fromto is not None:
                    placed.scope.poses.check_notation(placed.doc)
        for placed in body.others:
            if isinstance(placed.doc, b.Composite | b.Flexcomp):
                _report_soft(placed.doc, context)
    masses = [None if i == 0 else read_mass(body, geoms[i], context) for i, body in enumerate(records)]
    if settings.discardvisual or settings.fusestatic:
        names = referred(docs, records)
        if settings.discardvisual:
            geoms = discard_visual(docs, geoms, names)
        if settings.fusestatic:
            fuse_static(records, joints, geoms, masses, names)
    masses = scaled(masses, settings)
    set_springs(records, joints, masses, docs)
    names_of_links = unique([body.name for body in records], "body", findings)
    check_moving(records, [bool(own) for own in joints], masses, geoms, context)
    return Assembly(
        bodies=records,
        joints=joints,
        geoms=geoms,
        masses=masses,
        names=names_of_links,
        chains=chain_names(records, joints, names_of_links, context),
        root=0 if needs_world(docs) else _root(records, joints),
    )


def _report_soft(doc: b.Composite | b.Flexcomp, context: Context) -> None:
    if isinstance(doc, b.Composite):
        context.findings.warning(
            "soft-body-kept",
            "<composite> was removed in MuJoCo 4.0; kept as an extra, its bodies are not built",
            doc.at(),
            "write the bodies with <replicate>, or use <flexcomp>",
        )
    else:
        context.findings.warning(
            "soft-body-kept", "<flexcomp> is kept as an extra; its bodies are not built", doc.at()
        )


def _root(records: list[BodyRecord], joints: list[list[JointRecord]]) -> int:
    """The index of the root: the only body at the top if only a free joint moves it, else the world."""
    top = [i for i, body in enumerate(records) if body.parent == 0]
    if len(top) != 1 or any(joint.kind != "free" for joint in joints[top[0]]):
        return 0
    return top[0]


def _parse(source: Source, context: Context) -> Value:
    return xml.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    return expand(value, context)


def _bind(node: Node, context: Context) -> Document:
    binding = Binding(context.findings, repeat_last=False, watch=context.watch, xml=True, strict=True)
    return bind(d.Mujoco, node, binding)


def _to_robot(doc: Document, context: Context) -> Robot | None:
    return to_robot(cast(d.Mujoco, doc), context)


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    from unibody.text.xml.printer import print_xml  # a file that is read is rarely printed

    return print_xml(value)


READER = Reader(parse=_parse, expand=_expand, bind=_bind, to_robot=_to_robot, print=_print)
