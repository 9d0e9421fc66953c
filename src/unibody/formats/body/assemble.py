"""Assembles the parts of a body: unique names, the tree, the root and its joints."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal

from unibody.formats.body import document as d
from unibody.formats.body import fixes
from unibody.formats.body.links import Part, unmoved
from unibody.formats.extras import Extras, written
from unibody.formats.format import Context
from unibody.formats.tree import check_numbers, check_tree, joint_number, unique_names
from unibody.model.device import Device
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Limits, Link, Loop, Robot
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.node import Item


@dataclass(slots=True)
class Draft:
    """The parts, loops and extras of one file and its sub-bodies.

    ``docs`` are the documents of the file and its sub-bodies; earlier documents take precedence
    (facts A.13).
    """

    parts: list[Part] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    extras: list[Item] = field(default_factory=list)
    docs: list[d.Body] = field(default_factory=list)


def assemble(draft: Draft, name: str, doc: d.Body, context: Context) -> Robot | None:
    """Assemble the parts of a draft into a robot; None without parts."""
    if not draft.parts:
        return None  # reported by the tracks and sub-bodies
    parts = _named(draft.parts, context)
    root = _root(parts, doc, context)
    parts = _joints_named(parts, root, context)
    links: list[Link] = []
    joints: list[Joint] = []
    devices: list[Device] = []
    extras = Extras("body")
    extras.add(draft.extras)
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
        extras.add(p.extras, "links", p.name)
        extras.add([("elements", n, n.start) for n in c.kept], "links", p.name)
        if p is root:
            extras.add(_root_items(p), "links", p.name)
        elif not KINDS[p.kind].axes:
            extras.add([i for doc in p.docs for i in unmoved(doc)], "links", p.name)
        for made in c.devices:
            devices.append(replace(made, link=p.name))
    named = unique_names(devices, "device", context.findings, code="device-unnamed")
    _device_extras(parts, named, extras)
    check_tree(links, joints, context.findings, {p.name: p.parent_at for p in parts})
    check_numbers([(p.number, p.joint_name or p.name, p.at) for p in parts], context.findings)
    base: Literal["fixed", "free"] | None = None
    if root is not None:
        base = _base(root, context)
    return Robot(
        name=name,
        links=tuple(links),
        joints=tuple(joints),
        loops=tuple(unique_names(draft.loops, "loop", context.findings)),
        devices=tuple(named),
        base=base,
        pose=root.pose if root is not None else parts[0].pose,
        extras=extras.made(),
    )


_JOINT_FIELDS = (
    "joint_name",
    "joint_type",
    "joint_axis",
    "joint_id",
    "joint_range",
    "max_joint_velocity",
    "joint_velocity_range",
    "max_joint_effort",
    "joint_angle",
    "joint_displacement",
    "joint_axis_inertia",
    "rotor_inertia",
    "gear_ratio",
    "actuation_mode",
)


def _root_items(root: Part) -> list[Item]:
    """Joint keys of the root, which has no joint; a joint_type of fixed or free alone is its base type."""
    given = root.docs[0].given.intersection(_JOINT_FIELDS)
    return (
        [] if root.kind in ("fixed", "free") and given <= {"joint_type"} else written(root.docs[0], *given)
    )


def _device_extras(parts: list[Part], devices: list[Device], extras: Extras) -> None:
    """Add the extras of devices under their final names."""
    start = 0
    for p in parts:
        for index, rest in p.content.device_extras:
            extras.add(rest, "devices", devices[start + index].name)
        start += len(p.content.devices)


def _named(parts: list[Part], context: Context) -> list[Part]:
    """Name and report unnamed links."""
    taken = {p.name for p in parts if p.name}
    out: list[Part] = []
    for i, p in enumerate(parts):
        if not p.name:
            name = f"link{i}"
            while name in taken:
                name += "_"
            taken.add(name)
            context.findings.warning(
                "name-missing",
                f"unnamed link; using '{name}'",
                p.at,
                subject=path_of("links", name),
                fix=fixes.named(p.docs[0].node, name),
            )
            out.append(replace(p, name=name))
            continue
        out.append(p)
    return out


def _joints_named(parts: list[Part], root: Part | None, context: Context) -> list[Part]:
    """Name and report unnamed joints whose link is called like another joint.

    Choreonoid compares only the names that are written as ``joint_name`` (facts A.4).
    """
    written = {p.joint_name for p in parts if p.joint_name and p is not root}
    taken = written | {p.name for p in parts}
    out: list[Part] = []
    for p in parts:
        if p.joint_name or p.name not in written or p is root:
            out.append(p)
            continue
        name = f"{p.name}_2"
        while name in taken:
            name += "_"
        taken.add(name)
        context.findings.warning(
            "name-duplicate",
            f"link '{p.name}' has no joint_name, and '{p.name}' is the joint of another link; "
            f"naming its joint '{name}'",
            p.at,
            "write a joint_name",
            subject=path_of("joints", name),
        )
        out.append(replace(p, joint_name=name))
    return out


def _root(parts: list[Part], doc: d.Body, context: Context) -> Part | None:
    if doc.root_link:
        for p in parts:
            if p.name == doc.root_link:
                return p
        context.findings.error(
            "root-unknown",
            f"root_link refers to unknown link '{doc.root_link}'",
            doc.at("root_link"),
        )
    # reference: the root is the first link and has no parent
    for p in parts:
        if not p.parent:
            if p is not parts[0] and not doc.root_link:
                context.findings.warning(
                    "root-not-first",
                    f"root link '{p.name}' is not the first link; Choreonoid rejects the file",
                    p.at,
                    f"move the link to the front, or add root_link: {p.name}",
                    subject=path_of("links", p.name),
                    fix=fixes.root_link_added(doc.node, p.name),
                )
            return p
    return None


def _base(root: Part, context: Context) -> Literal["fixed", "free"]:
    if root.kind == "free":
        return "free"
    if root.kind != "fixed":
        context.findings.warning(
            "root-joint-type",
            f"root link '{root.name}' has joint type {root.kind} but no parent; "
            "using fixed, as in Choreonoid's dynamics",
            root.at,
            "write joint_type: fixed or free",
            fix=fixes.root_made_fixed(root.docs[0].node),
            subject=path_of("links", root.name),
        )
    return "fixed"


def _joint(p: Part) -> Joint:
    bare = not KINDS[p.kind].axes
    return Joint(
        name=p.joint_name or p.name,
        kind=p.kind,
        parent=p.parent,
        child=p.name,
        origin=p.pose,
        axis=(0.0, 0.0, 1.0) if bare else p.axis,
        limits=Limits() if bare else p.limits,
        actuator=p.actuator,
        initial=p.initial,
        number=joint_number(p.number, p.kind),
        at=p.at,
    )
