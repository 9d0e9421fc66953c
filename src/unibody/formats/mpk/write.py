"""Writes a robot as an MPK document: one joint block per link, parents first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import field, replace

from unibody.document.declare import Document
from unibody.formats.copied import copied
from unibody.formats.extras import leftovers
from unibody.formats.format import Writer
from unibody.formats.mpk import document as d
from unibody.formats.mpk.cannot import CANNOT
from unibody.formats.mpk.coordinates import position
from unibody.formats.mpk.values import MOST_PARAMETERS
from unibody.formats.mpk.write_models import holds, with_models
from unibody.formats.tidy import tidy
from unibody.model import shape as s
from unibody.model.changes.joints import free_name, split_joints
from unibody.model.changes.shapes import as_surface, capsules_split, planes_as_squares, upright, with_shapes
from unibody.model.changes.surroundings import with_root
from unibody.model.collision import tested_pairs
from unibody.model.joint_kind import JointKind
from unibody.model.pose import IDENTITY, ZERO, Pose
from unibody.model.robot import Coordinate, Coupling, Drive, Frame, Joint, Limits, Link, Range, Robot
from unibody.model.traverse import part, renamed
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Row, Word
from unibody.text.number import parse_int

SIDECAR = "unibody"
_SPECIAL = re.compile(r'[\s{}#"]+')
_MOVING: tuple[JointKind, ...] = ("revolute", "prismatic")
#: Travel to each side of a prismatic joint without limits (m); the range of MPK's own robots.
UNLIMITED_TRAVEL = 10.0
# Larger limits count as infinite; differences of two such limits may overflow.
_HUGE = 1e18
_TURN = 2.0 * math.pi


def changes(robot: Robot) -> Robot:
    """Lower a robot to one-DOF joints, named after their links, and to shapes that Open Inventor has."""
    out = split_joints(with_root(robot), ("fixed", *_MOVING))
    return _with_block_names(with_shapes(out, _lowered))


def _lowered(shape: s.Shape) -> tuple[s.Shape, ...]:
    out: list[s.Shape] = [shape]
    for step in (as_surface, upright, capsules_split, planes_as_squares):
        out = [new for old in out for new in step(old)]
    return tuple(out) if out != [shape] or out[0] is not shape else (shape,)


def _with_block_names(robot: Robot) -> Robot:
    """Rename links to single words, and joints after their child links.

    A link whose name is taken by a joint elsewhere gets the name of its own joint instead.
    """
    new_names: dict[str, str] = {}
    joint_of = {j.child: j.name for j in robot.joints}
    children = {j.name: j.child for j in robot.joints}
    taken = {link.name for link in robot.links}
    for link in robot.links:
        word = _SPECIAL.sub("_", link.name) or "link"
        if children.get(word, link.name) != link.name:
            own_name = _SPECIAL.sub("_", joint_of.get(link.name, ""))
            word = own_name if own_name and own_name not in taken else free_name(word, {*taken, *children})
        if word != link.name:
            new_names[link.name] = free_name(word, taken)
            taken.add(new_names[link.name])
    out = renamed(robot, "links", new_names) if new_names else robot
    joints = {j.name: j.child for j in out.joints if j.name != j.child}
    return renamed(out, "joints", joints) if joints else out


def from_robot(robot: Robot) -> d.Robot:
    """The MPK document of a lowered robot with one model file per link (see ``with_models``)."""
    out = d.Robot()
    parameters = assign_parameters(robot)
    # every extra can be printed: a quoted word may hold any text
    extras = leftovers(robot, "mpk", lambda item: item)
    base = _implied_base(robot)
    by_child = {j.child: j for j in robot.joints}
    traced = {f.link for f in robot.frames if _is_link_trace(f)}
    for link in _parents_first(robot):
        if link.name != base:
            block = _joint(link, by_child.get(link.name), robot.pose, parameters)
            block.parent = None if block.parent == base else block.parent
            block.trace_point = link.name in traced
            _add_extras(block, extras.get(f"links/{part(link.name)}", []))
            out.items.append(block)
    out.items += _trace_joints(robot, base)
    pairs = list(tested_pairs(robot))
    if pairs:
        out.items.append(d.SelfCollision(pairs=[d.Pair(first=a, second=b) for a, b in pairs]))
    options = _parameter_block(parameters, extras)
    if options is not None:
        out.items.append(options)
    return out


def _add_extras(doc: d.Joint, extras: list[Item]) -> None:
    """Append ``coll`` and ``param`` extras to a block where they have no effect; others are dropped."""
    for item in extras:
        has_no_model = doc.model0 is None and doc.model1 is None
        is_fixed = not any(isinstance(t, d.Rot1 | d.Transl1) for t in doc.transforms)
        if (item[0] == "coll" and has_no_model) or (item[0] == "param" and is_fixed):
            doc.rest.append(item)


# --- the tree -----------------------------------------------------------------------------


def _parents_first(robot: Robot) -> Iterator[Link]:
    """Links in joint order, but every parent before its children, as MPK requires."""
    links = {link.name: link for link in robot.links}
    parents = {j.child: j.parent for j in robot.joints}
    done: set[str] = set()
    for name in (robot.root, *(j.child for j in robot.joints)):
        chain = [name]
        while chain[-1] not in done and chain[-1] in parents:
            chain.append(parents[chain[-1]])
        for ancestor in reversed(chain):
            if ancestor not in done:
                done.add(ancestor)
                yield links[ancestor]


def _implied_base(robot: Robot) -> str:
    """The name of the root if the reader adds it itself (see ``read._base``); "" otherwise."""
    root = robot.link(robot.root)
    joints = [j for j in robot.joints if j.parent == root.name]
    others = {link.name for link in robot.links} - {root.name}
    referenced = {n for pair in tested_pairs(robot) for n in pair} | {
        f.link for f in robot.frames if f.trace
    }
    has_default_name = root.name == "base" or (root.name == free_name("base", others) and "base" in others)
    is_empty = not (root.visuals or root.collisions or root.collisions_alt) and robot.pose == IDENTITY
    is_needed = len(joints) > 1 or any(j.kind != "fixed" for j in joints)
    return root.name if has_default_name and is_empty and is_needed and root.name not in referenced else ""


def _joint(link: Link, joint: Joint | None, base: Pose, parameters: Parameters) -> d.Joint:
    """The block of a link and its joint; ``joint`` None is the root, placed at ``base``."""
    out = d.Joint(name=link.name, transforms=_constant_transforms(base if joint is None else joint.origin))
    if joint is not None:
        out.parent = joint.parent
    if joint is not None and joint.name in parameters.drives:
        out.param, drive = parameters.drives[joint.name]
        if joint.kind == "revolute":
            out.transforms.append(d.Rot1(axis=joint.axis, min=drive.at_zero, max=drive.at_one))
        else:
            out.transforms.append(d.Transl1(direction=joint.axis, min=drive.at_zero, max=drive.at_one))
    out.model0, out.model1 = _model_file(link.visuals), _model_file(link.collisions_alt)
    out.coll = bool(link.collisions) or out.model0 is None
    return out


def _model_file(shapes: tuple[s.Shape, ...]) -> str | None:
    files = (x.geometry.uri for x in shapes if isinstance(x.geometry, s.MeshFile))
    return next(files, None)


def _constant_transforms(pose: Pose) -> list[d.ConstTransl | d.ConstRot]:
    """A pose as ConstTransl followed by ConstRot; identities are omitted."""
    out: list[d.ConstTransl | d.ConstRot] = []
    if pose.xyz != ZERO:
        out.append(d.ConstTransl(translation=pose.xyz))
    x, y, z, angle = map(tidy, pose.axis_angle())
    if angle:
        out.append(d.ConstRot(axis=(x, y, z), angle=angle))
    return out


def _is_link_trace(frame: Frame) -> bool:
    """Whether a frame is written as ``tracePoint`` of its link's block."""
    return frame.trace and frame.name == frame.link and frame.pose == IDENTITY


def _trace_joints(robot: Robot, base: str) -> list[d.Joint]:
    """A fixed joint block for every other traced frame."""
    out: list[d.Joint] = []
    taken = {link.name for link in robot.links}
    for frame in robot.frames:
        if frame.trace and not _is_link_trace(frame):
            name = free_name(_SPECIAL.sub("_", frame.name) or "trace", taken)
            taken.add(name)
            parent = None if frame.link == base else frame.link
            out.append(
                d.Joint(
                    name=name, parent=parent, transforms=_constant_transforms(frame.pose), trace_point=True
                )
            )
    return out


# --- parameters ----------------------------------------------------------------------------


def finite_limits(limits: Limits, is_revolute: bool) -> Range:
    """Position limits (rad or m) with infinite ones replaced: the range is then one turn or 20 m."""
    low, high = limits.position
    span = _TURN if is_revolute else 2.0 * UNLIMITED_TRAVEL
    if _is_finite(low):
        return (low, high) if _is_finite(high) else (low, low + span)
    return (high - span, high) if _is_finite(high) else (-span / 2.0, span / 2.0)


def _is_finite(value: float) -> bool:
    return abs(value) < _HUGE


@dataclass(slots=True)
class Parameters:
    """The parameter index and drive of each joint, and the coordinate of each index."""

    drives: dict[str, tuple[int, Drive]] = field(default_factory=dict)
    coordinates: dict[int, Coordinate] = field(default_factory=dict)

    def add(self, index: int, joint: str, limits: Range) -> None:
        """Drive a joint with a parameter; ``limits`` are its positions at t = 0 and t = 1."""
        self.drives[joint] = (index, Drive(joint=joint, at_zero=limits[0], at_one=limits[1]))

    @property
    def count(self) -> int:
        """The length of a configuration."""
        return max((index for index, _ in self.drives.values()), default=-1) + 1


def assign_parameters(robot: Robot) -> Parameters:
    """Assign a parameter to every moving joint.

    The robot's own coordinates come first, then the remaining joints in the order of their numbers; a
    coupled joint shares the parameter of its leader.
    """
    out = Parameters()
    moving = {j.name: j for j in robot.joints if j.kind in _MOVING}
    for c in sorted(robot.coordinates, key=lambda c: c.index):
        if c.index in out.coordinates or not 0 <= c.index < MOST_PARAMETERS:
            continue
        out.coordinates[c.index] = c
        for drive in c.drives:
            if drive.joint in moving and drive.joint not in out.drives:
                out.add(c.index, drive.joint, (drive.at_zero, drive.at_one))
    leaders = {name: _leader(name, robot.couplings, moving) for name in moving}
    free = [j for j in moving.values() if j.name not in out.drives and leaders[j.name] is None]
    for joint in sorted(free, key=_by_number):
        _add_free_joint(out, joint)
    for name, coupling in leaders.items():
        if name not in out.drives and coupling is not None:
            leader, ratio, offset = coupling
            index, drive = out.drives[leader]
            out.add(index, name, (ratio * drive.at_zero + offset, ratio * drive.at_one + offset))
    for joint in free:
        index, drive = out.drives[joint.name]
        driven = [(moving[n], x) for n, (k, x) in out.drives.items() if k == index]
        is_unlimited = not any(map(_is_finite, joint.limits.position))
        cyclic = is_unlimited and all(j.kind == "revolute" and _is_full_turn(x) for j, x in driven)
        out.coordinates[index] = Coordinate(
            index=index, cyclic=cyclic, default=default(drive, joint.initial)
        )
    return out


def _by_number(joint: Joint) -> tuple[bool, int]:
    """Sort key: numbered joints first, by number."""
    if joint.number is None or joint.number < 0:
        return True, 0
    return False, joint.number


def _add_free_joint(out: Parameters, joint: Joint) -> None:
    """Give a joint the next index that neither a joint nor an unused coordinate has."""
    taken = {index for index, _ in out.drives.values()}
    index = out.count
    while index in out.coordinates and index not in taken:
        index += 1
    out.add(index, joint.name, finite_limits(joint.limits, joint.kind == "revolute"))


def _is_full_turn(drive: Drive) -> bool:
    """Whether the range of a drive is a nonzero multiple of a full turn."""
    turns = (drive.at_one - drive.at_zero) / _TURN
    return round(turns) != 0 and math.isclose(turns, round(turns), rel_tol=1e-9)


def _leader(
    name: str, couplings: tuple[Coupling, ...], moving: dict[str, Joint]
) -> tuple[str, float, float] | None:
    """The last joint in the chain of couplings with the total ratio and offset; None for a free joint."""
    by_joint = {c.joint: c for c in reversed(couplings)}
    at, ratio, offset = name, 1.0, 0.0
    seen = {name}
    while at in by_joint:
        c = by_joint[at]
        ratio, offset = ratio * c.ratio, ratio * c.offset + offset
        at = c.leader
        if at in seen or at not in moving or not math.isfinite(ratio) or not math.isfinite(offset):
            return None
        seen.add(at)
    return None if at == name else (at, ratio, offset)


def default(drive: Drive, initial: float) -> float:
    """The parameter value with the fewest digits that puts a joint closest to its initial position.

    >>> default(Drive(joint="a", at_zero=-1.0, at_one=3.0), 0.0)
    0.25
    """
    width = drive.at_one - drive.at_zero
    if not width:
        return 0.5
    exact = min(max((initial - drive.at_zero) / width, 0.0), 1.0)
    goal = position(drive, exact)
    tolerance = 1e-15 * (1.0 + abs(goal))
    rounded = (float(f"{exact:.{digits}g}") for digits in range(1, 17))
    return next((t for t in rounded if abs(position(drive, t) - goal) <= tolerance), exact)


def _parameter_block(parameters: Parameters, extras: dict[str, list[Item]]) -> d.Parameters | None:
    """The ``param`` block with the options of the coordinates; None if all are the defaults."""
    out = d.Parameters()
    count = parameters.count
    for index, c in sorted(parameters.coordinates.items()):
        rest = extras.get(f"coordinates/{index}", [])
        is_default = replace(c, drives=(), at=None) == Coordinate(index=index)
        if index >= count or (is_default and not rest):
            continue
        doc = d.Parameter(
            index=index,
            cyclic=c.cyclic,
            passive=c.passive,
            frozen=c.frozen,
            weight=max(c.weight, 0.0),
            default=min(max(c.default, 0.0), 1.0),
        )
        doc.rest.extend(item for item in rest if not item[0])
        out.parameters.append(doc)
    for key, value, _ in extras.get("", []):
        node = copied(value) if key == "parameter" else None
        word = node.word("index") if isinstance(node, Node) else None
        if node is not None and word is not None and (parse_int(word) or 0) >= count:
            out.rest.append((key, node, -1))
    return out if out.parameters or out.rest else None


# --- the side-car ---------------------------------------------------------------------------


def carry(doc: Document, lines: list[str]) -> None:
    """Append the lines of the side-car; they are printed as comments at the end of the file."""
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
    one_name=True,
)
