"""Writes a robot as an MPK document: one joint block per link, parents first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unibody.document.declare import Document
from unibody.formats.extras import leftovers
from unibody.formats.format import Writer
from unibody.formats.mpk import document as d
from unibody.formats.mpk.cannot import CANNOT
from unibody.formats.mpk.write_coordinates import Plan, parameters, planned
from unibody.formats.mpk.write_models import holds, with_models
from unibody.formats.tidy import tidy
from unibody.model import shape as s
from unibody.model.changes.joints import free_name, split_joints
from unibody.model.changes.shapes import capsules_split, planes_as_squares, upright, with_shapes
from unibody.model.pose import IDENTITY, ZERO, Pose
from unibody.model.robot import Frame, Joint, Link, Robot
from unibody.model.traverse import part, renamed
from unibody.text.node import Item, Row, Word

SIDECAR = "unibody"
_ODD = re.compile(r'[\s{}#"]+')


def changes(robot: Robot) -> Robot:
    """The robot with single joints, called as their links, and with shapes that Inventor knows."""
    out = split_joints(robot, ("ball", "universal", "planar", "screw", "track", "free"))
    return _called(with_shapes(out, _shape))


def _shape(shape: s.Shape) -> tuple[s.Shape, ...]:
    out: list[s.Shape] = [shape]
    for step in (upright, capsules_split, planes_as_squares):
        out = [new for old in out for new in step(old)]
    return tuple(out) if out != [shape] or out[0] is not shape else (shape,)


def _called(robot: Robot) -> Robot:
    """A name is one word, and a joint's is its link's; the link's is the joint's where another joint has
    that of the link."""
    links: dict[str, str] = {}
    own = {j.child: j.name for j in robot.joints}
    children = {j.name: j.child for j in robot.joints}
    taken = {link.name for link in robot.links}
    for link in robot.links:
        word = _ODD.sub("_", link.name) or "link"
        if children.get(word, link.name) != link.name:
            mover = _ODD.sub("_", own.get(link.name, ""))
            word = mover if mover and mover not in taken else free_name(word, {*taken, *children})
        if word != link.name:
            links[link.name] = free_name(word, taken)
            taken.add(links[link.name])
    out = renamed(robot, "links", links) if links else robot
    joints = {j.name: j.child for j in out.joints if j.name != j.child}
    return renamed(out, "joints", joints) if joints else out


def from_robot(robot: Robot) -> d.Robot:
    """The document of a robot whose shapes are one model file each."""
    out = d.Robot()
    plan = planned(robot)
    # a word in quotes holds everything
    extras = leftovers(robot, "mpk", lambda item: item)
    base = _implied(robot)
    by_child = {j.child: j for j in robot.joints}
    traced = {f.link for f in robot.frames if _is_own(f)}
    for link in _ordered(robot):
        if link.name != base:
            made = _joint(link, by_child.get(link.name), robot.pose, plan)
            made.parent = None if made.parent == base else made.parent
            made.trace_point = link.name in traced
            _keep(made, extras.get(f"links/{part(link.name)}", []))
            out.items.append(made)
    out.items += _traces(robot, base)
    pairs = list(checked_pairs(robot))
    if pairs:
        out.items.append(d.SelfCollision(pairs=[d.Pair(first=a, second=b) for a, b in pairs]))
    said = parameters(plan, extras)
    if said is not None:
        out.items.append(said)
    return out


def _keep(doc: d.Joint, extras: list[Item]) -> None:
    """Leftovers that mean nothing where they stand: those that would now mean something are left out."""
    for item in extras:
        bare = doc.model0 is None and doc.model1 is None
        still = not any(isinstance(t, d.Rot1 | d.Transl1) for t in doc.transforms)
        if (item[0] == "coll" and bare) or (item[0] == "param" and still):
            doc.rest.append(item)


# --- the tree -----------------------------------------------------------------------------


def _ordered(robot: Robot) -> Iterator[Link]:
    """Links in the order of their joints, but a parent before its children: MPK wants it so."""
    links = {link.name: link for link in robot.links}
    parents = {j.child: j.parent for j in robot.joints}
    done: set[str] = set()
    for name in (robot.root, *(j.child for j in robot.joints)):
        way = [name]
        while way[-1] not in done and way[-1] in parents:
            way.append(parents[way[-1]])
        for each in reversed(way):
            if each not in done:
                done.add(each)
                yield links[each]


def _implied(robot: Robot) -> str:
    """The root, if the reader adds it by itself below several roots, or below one that moves."""
    root = robot.link(robot.root)
    joints = [j for j in robot.joints if j.parent == root.name]
    others = {link.name for link in robot.links} - {root.name}
    spoken = {n for pair in checked_pairs(robot) for n in pair} | {f.link for f in robot.frames if f.trace}
    named = root.name == "base" or (root.name == free_name("base", others) and "base" in others)
    bare = not (root.visuals or root.collisions or root.collisions_alt) and robot.pose == IDENTITY
    moved = len(joints) > 1 or any(j.kind != "fixed" for j in joints)
    return root.name if named and bare and moved and root.name not in spoken else ""


def _joint(link: Link, joint: Joint | None, base: Pose, plan: Plan) -> d.Joint:
    """A frame that may move in its parent's, with its models; without a joint the root, where it stands."""
    out = d.Joint(name=link.name, transforms=_constant(base if joint is None else joint.origin))
    if joint is not None:
        out.parent = joint.parent
    if joint is not None and joint.name in plan.drives:
        out.param, drive = plan.drives[joint.name]
        if joint.kind == "revolute":
            out.transforms.append(d.Rot1(axis=joint.axis, min=drive.at_zero, max=drive.at_one))
        else:
            out.transforms.append(d.Transl1(direction=joint.axis, min=drive.at_zero, max=drive.at_one))
    out.model0, out.model1 = _file(link.visuals), _file(link.collisions_alt)
    out.coll = bool(link.collisions) or out.model0 is None
    return out


def _file(shapes: tuple[s.Shape, ...]) -> str | None:
    files = (x.geometry.uri for x in shapes if isinstance(x.geometry, s.MeshFile))
    return next(files, None)


def _constant(pose: Pose) -> list[d.ConstTransl | d.ConstRot]:
    """A pose as a translation, then a turn about an axis through where it leads."""
    out: list[d.ConstTransl | d.ConstRot] = []
    if pose.xyz != ZERO:
        out.append(d.ConstTransl(translation=pose.xyz))
    x, y, z, angle = map(tidy, pose.axis_angle())
    if angle:
        out.append(d.ConstRot(axis=(x, y, z), angle=angle))
    return out


def _is_own(frame: Frame) -> bool:
    """Whether a frame is the trace point of its link."""
    return frame.trace and frame.name == frame.link and frame.pose == IDENTITY


def _traces(robot: Robot, base: str) -> list[d.Joint]:
    """A block of its own for each other frame whose path is drawn."""
    out: list[d.Joint] = []
    taken = {link.name for link in robot.links}
    for frame in robot.frames:
        if frame.trace and not _is_own(frame):
            name = free_name(_ODD.sub("_", frame.name) or "trace", taken)
            taken.add(name)
            parent = None if frame.link == base else frame.link
            out.append(
                d.Joint(name=name, parent=parent, transforms=_constant(frame.pose), trace_point=True)
            )
    return out


def checked_pairs(robot: Robot) -> Iterator[tuple[str, str]]:
    """The pairs of links that are tested against each other; others than those listed have bodies."""
    rules = robot.self_collision
    out = {frozenset(pair) for pair in rules.disabled}
    yield from (p for p in rules.enabled if frozenset(p) not in out)
    if rules.default == "none":
        return
    out |= {frozenset(pair) for pair in rules.enabled}
    if rules.default == "not_adjacent":
        out |= {frozenset((j.parent, j.child)) for j in robot.joints}
    bodies = [link.name for link in robot.links if link.collisions]
    for k, a in enumerate(bodies):
        yield from ((a, b) for b in bodies[k + 1 :] if frozenset((a, b)) not in out)


def carry(doc: Document, lines: list[str]) -> None:
    """The lines, which become comments at the end of the file."""
    doc.rest.append((SIDECAR, Row([Word(line) for line in lines]), -1))


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    meshes=(".iv",),
    tag="robot",
    models=with_models,
)
