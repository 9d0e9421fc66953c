"""Reads an OpenHRP file as a robot: its Humanoid, or a single link with its shapes (facts B.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Literal

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document, Tagged, Unknown
from unibody.formats.extras import Extras
from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.assemble import assemble
from unibody.formats.openhrp.fixes import list_completed, protos_added
from unibody.formats.openhrp.links import Part, read_parts, report_scale
from unibody.formats.openhrp.nodes import leftovers, name_of, pose_of, two_names
from unibody.formats.placement import Placement
from unibody.formats.vrml97 import document as v
from unibody.formats.vrml97.expand import expand
from unibody.formats.vrml97.placement import placed
from unibody.formats.vrml97.read import Reader, Step, read_shapes, unfolded
from unibody.formats.vrml97.scope import PROTOS
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Link, Robot
from unibody.text.counted import listed
from unibody.text.node import Item, Node, Value
from unibody.text.source import Span

# Names listed in a finding.
_SHOWN_NAMES = 5


def expand_file(value: Value, context: Context) -> Node:
    """The tree of a file with PROTO, USE and Inline expanded, except for instances of OpenHRP's nodes."""
    root = value if isinstance(value, Node) else Node()
    made = expand(root, context, d.OWN, d.default_values)
    # a Humanoid without PROTO declarations is read, which no loader does (facts B.2)
    declared = {node.name for _, node, _ in root.items if isinstance(node, Node) and node.tag in PROTOS}
    missing = [name for name in ("Humanoid", "Joint", "Segment") if name not in declared]
    humanoid = next((n for _, n, _ in made.items if isinstance(n, Node) and n.tag == "Humanoid"), None)
    if missing and humanoid is not None:
        context.findings.warning(
            "proto-missing",
            f"undeclared PROTO {', '.join(missing)}; using the declarations of OpenHRP, but Choreonoid and "
            "OpenHRP reject the file",
            humanoid.span,
            "add OpenHRP's PROTO declarations at the beginning of the file",
            fix=protos_added(root),
        )
    return made


def bind_file(node: Node, context: Context) -> d.File:
    """The document of an expanded tree."""
    return bind(d.File, node, Binding(context.findings, watch=context.watch, nodes=d.NODES, null="NULL"))


def to_robot(doc: d.File, context: Context) -> Robot | None:
    """The robot of a file; without a Humanoid, one fixed link with its shapes."""
    statements = _top(doc.children)
    humanoids = [x for x in statements if isinstance(x, d.Humanoid)]
    if not humanoids:
        return _shapes_only(doc, statements, context)
    for other in humanoids[:-1]:
        context.findings.warning(
            "humanoid-several",
            f"Humanoid '{name_of(other)}' is ignored; using '{name_of(humanoids[-1])}', the last one, "
            "as in OpenHRP",
            other.at(),
            "write one Humanoid per file",
        )
    return _robot(humanoids[-1], statements, context)


def up_axis(doc: Document) -> Literal["y", "z"]:
    """The axis that points up: Z in files with nodes of OpenHRP, else Y (ISO/IEC 14772-1, 4.4.5)."""
    todo = [*doc.children] if isinstance(doc, d.File) else []
    own = tuple(d.OWN.values())
    while todo:
        match todo.pop():
            case node if isinstance(node, own):
                return "z"
            case v.Grouping(children=inner) | v.Inline(content=inner):
                todo += inner
            case v.Switch(choice=inner) | v.LOD(level=inner):
                todo += inner
    return "y"


def _top(children: Sequence[Tagged]) -> list[Tagged]:
    """The top-level nodes of a file, with those of inlined files."""
    out: list[Tagged] = []
    todo = list(reversed(children))
    while todo:
        doc = todo.pop()
        if isinstance(doc, v.Inline):
            todo.extend(reversed(unfolded(doc)))
        else:
            out.append(doc)
    return out


def _robot(humanoid: d.Humanoid, statements: list[Tagged], context: Context) -> Robot | None:
    parts = read_parts(humanoid, Reader(context))
    if parts[0].doc is None and len(parts) == 1 and not parts[0].content.segments:
        context.findings.error("links-missing", "Humanoid without Joints", humanoid.at("humanoid_body"))
        return None
    _check_lists(humanoid, parts, context)
    loops = [x for x in statements if isinstance(x, d.ExtraJoint)]
    name = name_of(humanoid) or PurePath(context.path).stem
    robot = assemble(name, parts, loops, _pose(humanoid, context), context)
    extras = Extras("openhrp")
    extras.add(_humanoid_items(humanoid, context))
    extras.add(_beside(statements, context))
    return replace(robot, extras=(*extras.made(), *robot.extras))


def _pose(humanoid: d.Humanoid, context: Context) -> Pose:
    """The pose of the Humanoid, which both loaders ignore."""
    if humanoid.scale != (1.0, 1.0, 1.0):
        report_scale(humanoid, context)
    if pose_of(humanoid) == IDENTITY:
        return IDENTITY
    context.findings.warning(
        "reference-differs",
        "translation and rotation of the Humanoid are applied, as in the reference; Choreonoid and OpenHRP "
        "ignore them",
        humanoid.at("translation", "rotation"),
        "set translation and rotation of the root Joint instead",
    )
    own = v.Transform(translation=humanoid.translation, rotation=humanoid.rotation, center=humanoid.center)
    return placed(Placement(), own).pose


# Fields of a Humanoid that the model cannot represent.
_KEPT = (
    "version",
    "info",
    "viewpoints",
    "sites",
    "link_connections",
    "bbox_center",
    "bbox_size",
    "scale",
    "scale_orientation",
)


def _humanoid_items(humanoid: d.Humanoid, context: Context) -> list[Item]:
    """The items of a Humanoid that the model cannot represent."""
    names = [*_KEPT]
    if pose_of(humanoid).quat[0] == 1.0:
        # without a rotation the center has no effect
        names.append("center")
    return two_names(humanoid, context.findings) + leftovers(humanoid, *names) + humanoid.rest


def _beside(statements: list[Tagged], context: Context) -> list[Item]:
    """The nodes beside the Humanoid; other nodes than those of a scene are reported."""
    out: list[Item] = []
    for doc in statements:
        if isinstance(doc, d.Humanoid | d.ExtraJoint):
            continue
        if isinstance(doc, v.MeshReference) and not doc.path:
            continue  # a missing file
        if not isinstance(doc, v.Kept | Unknown):
            context.findings.warning(
                "beside-humanoid",
                f"{doc.tag} beside the Humanoid; it is kept, but not part of the robot",
                doc.at(),
                f"put the {doc.tag} into a Segment",
            )
        if doc.node is not None:
            out.append(("", doc.node, doc.node.start))
    return out


def _check_lists(humanoid: d.Humanoid, parts: list[Part], context: Context) -> None:
    """Report Joints and Segments that the fields joints and segments do not list (the reference)."""
    joints = {id(part.doc): name_of(part.doc) for part in parts if part.doc is not None}
    segments = {id(x): name_of(x) for part in parts for x in part.content.segments}
    for key, all_nodes, written in (
        ("joints", joints, humanoid.joints),
        ("segments", segments, humanoid.segments),
    ):
        known = {id(x) for x in written}
        missing = [name for node, name in all_nodes.items() if node not in known]
        if missing:
            named = [name for name in missing if name]
            shown = listed((f"'{name}'" for name in named), _SHOWN_NAMES)
            if len(named) < len(missing):
                shown += f"{' and ' if named else ''}{len(missing) - len(named)} without a DEF name"
            complete = len(named) == len(missing) <= _SHOWN_NAMES
            context.findings.info(
                "humanoid-list",
                f"field {key} of the Humanoid does not list {shown}",
                humanoid.at(key),
                f"list all {key.capitalize()}: {key} [ USE … ]",
                subject=key,
                fix=list_completed(humanoid.at(key), key, named if complete else ()),
            )


def _shapes_only(doc: d.File, statements: list[Tagged], context: Context) -> Robot:
    """One fixed link with the shapes of a file without a Humanoid (facts B.4)."""
    own: list[Tagged] = []

    def foreign(step: Step) -> Sequence[Step]:
        """Read a node of OpenHRP like the body of its prototype."""
        own.append(step.doc)
        match step.doc:
            case d.Placed() | d.Device() as node:
                frame = v.Transform(translation=node.translation, rotation=node.rotation)
                return step.inner(getattr(node, "children", []), placed(step.at, frame))
            case d.Segment() | d.PointerSensor() as node:
                return step.inner(node.children)
            case d.Surface() as node:
                return step.inner(node.visual)
        return ()

    found = read_shapes(statements, Placement(), Reader(context), foreign)
    start = Span(doc.node.source, 0, 1) if doc.node is not None and doc.node.source is not None else None
    if own:
        message = f"{own[0].tag} without a Humanoid; only shapes are read, as fixed link 'Root'"
        context.findings.warning("shapes-only", message, start, "put the Joints into a Humanoid")
    elif found.visuals or found.collisions:
        context.findings.info("shapes-only", "no Humanoid; shapes are read as fixed link 'Root'", start)
    else:
        context.findings.warning("shapes-only", "no Humanoid and no shapes", start)
    extras = Extras("openhrp")
    extras.add([("", x.node, x.node.start) for x in found.kept if x.node is not None])
    link = Link(name="Root", visuals=tuple(found.visuals), collisions=tuple(found.collisions))
    name = PurePath(context.path).stem
    return Robot(name=name, links=(link,), base="fixed", extras=extras.made())
