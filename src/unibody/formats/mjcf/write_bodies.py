"""Writes bodies with their joints, inertials and sites, and adapts inertias to what MuJoCo accepts."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.joints import TYPES
from unibody.formats.mjcf.kept_elements import Kept, KeptBody, bound
from unibody.formats.mjcf.write_tree import BodyTree, PlannedBody, PlannedJoint
from unibody.formats.tidy import steady_quaternion, steady_vector
from unibody.model.equality import close
from unibody.model.inertia import Inertial, matrix3, rotated
from unibody.model.joint_kind import KINDS
from unibody.model.pose import UNIT_QUATERNION, ZERO, Matrix3, Pose
from unibody.model.robot import Frame, Link, Range, Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Finding
from unibody.text.hint import Hint, Setting
from unibody.text.node import Node, Word

#: The inertial of a body that moves and has no mass.
LEAST = Inertial(mass=1e-9, inertia=((1e-12, 0.0, 0.0), (0.0, 1e-12, 0.0), (0.0, 0.0, 1e-12)))
_TYPES = {kind: word for word, kind in TYPES.items()}


def placed(doc: Any, pose: Pose) -> Any:
    """An element at a pose in its body."""
    doc.pos, doc.quat = steady_vector(pose.xyz), steady_quaternion(pose.quat)
    doc.given = {*doc.given} - {"pos", "quat"}
    return doc


def body_element(
    body: PlannedBody, kept: KeptBody, items: Sequence[Document], light: Collection[str]
) -> b.Body:
    """The element of a body with its joints, its inertial and then ``items``; its children are added later.

    ``light`` are the names of bodies that get the least mass.
    """
    out = bound(b.Body, Node("body", kept.attributes))
    if out.mocap and not is_mocap(body, kept):
        out.mocap = False
        out.given.discard("mocap")
    out.name = body.name
    placed(out, body.pose)
    link = body.link
    assert link is not None
    out.gravcomp = link.gravity_compensation or None
    if body.is_free:
        out.items.append(_free(kept))
    out.items += [joint_element(joint) for joint in body.joints]
    if body.name in light:
        out.items.append(inertial_element(_least(link.inertial), body.link_pose))
    elif link.inertial is not None and not link.inertial.unknown:
        out.items.append(inertial_element(link.inertial, body.link_pose))
    out.items += items
    return out


def is_mocap(body: PlannedBody, kept: KeptBody) -> bool:
    """Whether a body is moved by mocap: MuJoCo takes only one in the world without joints for it."""
    is_in_world = body.parent is not None and body.parent.parent is None
    is_held = is_in_world and not body.moves
    return is_held and _has_mocap(kept)


def lost_mocap(robot: Robot) -> list[str]:
    """The links of a lowered robot that mocap moved in their file, and does not as they are written."""
    kept, out = Kept(robot), []
    for body in BodyTree(robot, kept):
        if body.link is not None:
            own = kept.body(body.link.name)
            if _has_mocap(own) and not is_mocap(body, own):
                out.append(body.link.name)
    return out


def _has_mocap(kept: KeptBody) -> bool:
    return bound(b.Body, Node("body", kept.attributes)).mocap


def _free(kept: KeptBody) -> Document:
    """The free joint of the root."""
    node = kept.free[0] if kept.free else Node("freejoint")
    if node.tag == "joint":
        joint = bound(b.Joint, node)
        joint.type = "free"
        return joint
    return bound(b.FreeJoint, node)


# --- joints -----------------------------------------------------------------------------


def joint_element(planned: PlannedJoint) -> b.Joint | b.FreeJoint:
    """A joint of a body; the coordinate of MuJoCo is ``ref`` at the zero of the model's."""
    joint, out = planned.joint, planned.kept
    aligned = next((v for k, v, _ in out.rest if k == "align" and isinstance(v, Word)), None)
    if joint.kind == "free" and aligned is not None:
        return b.FreeJoint(name=joint.name, align=aligned.text, group=out.group)
    out.rest = [item for item in out.rest if item[0] != "align"]
    out.name, out.type = joint.name, _TYPES[joint.kind]
    out.given = {*out.given} - {"name", "type", "pos", "axis"}
    is_scalar = KINDS[joint.kind].nq == 1
    out.pos = None if planned.anchor == ZERO or joint.kind == "free" else steady_vector(planned.anchor)
    if is_scalar:
        out.axis = steady_vector(planned.axis)
        _limit(out, joint.limits.position)
    dynamics = joint.dynamics
    spring = _first(out.springdamper) > 0.0
    if not spring:
        out.damping = _with_first(out.damping, dynamics.damping)
        out.stiffness = _with_first(out.stiffness, dynamics.stiffness)
    out.frictionloss = dynamics.friction or None
    if dynamics.stiffness and is_scalar:
        out.springref = (dynamics.rest + (out.ref or 0.0)) or None
    out.armature = planned.armature or None
    if not planned.is_driven:
        _effort(out, joint.limits.effort)
    return out


def _first(values: tuple[float, ...] | None) -> float:
    return values[0] if values else 0.0


def _with_first(kept: tuple[float, ...] | None, value: float) -> tuple[float, ...] | None:
    """The kept polynomial with another first coefficient."""
    if kept is not None and len(kept) > 1:
        return (value, *kept[1:])
    return (value,) if value else None


def _limit(out: b.Joint, limits: Range) -> None:
    """Set the range; one that is empty has no meaning in MuJoCo."""
    ref = out.ref or 0.0
    low, high = limits
    if low < high and not (math.isinf(low) and math.isinf(high)):
        out.range, out.limited = (low + ref, high + ref), "auto"
        out.given = {*out.given} - {"limited"}


def _effort(out: b.Joint, effort: Range) -> None:
    out.actuatorfrcrange = out.actuatorfrcrange if out.actuatorfrclimited == "false" else None
    low, high = effort
    if low < high and not (math.isinf(low) and math.isinf(high)):
        out.actuatorfrcrange, out.actuatorfrclimited = effort, "auto"
        out.given = {*out.given} - {"actuatorfrclimited"}


# --- masses -----------------------------------------------------------------------------


def massless(tree: BodyTree) -> set[str]:
    """The bodies that move without mass, even with those that are fixed to them: MuJoCo rejects them."""
    bodies = [body for body in tree if body.parent is not None]
    heavy: set[int] = set()
    for body in reversed(bodies):
        inertial = body.link.inertial if body.link is not None else None
        if id(body) in heavy or (inertial is not None and (inertial.mass > 0.0 or inertial.unknown)):
            heavy.add(id(body))
            if not body.moves:
                heavy.add(id(body.parent))
    return {body.name for body in bodies if body.moves and id(body) not in heavy}


def _least(inertial: Inertial | None) -> Inertial:
    """The inertial of a body that moves without mass: its moments, if it has any, with the least mass."""
    if inertial is None or not np.any(inertial.inertia):
        return LEAST
    return replace(inertial, mass=LEAST.mass, inertia=balanced(raised(inertial.inertia)))


def inertial_element(inertial: Inertial, frame: Pose) -> b.Inertial:
    """The inertial of a link whose frame is ``frame`` in the body, which is not turned."""
    out = b.Inertial(mass=inertial.mass, pos=steady_vector(frame.apply(inertial.com)))
    matrix = inertial.inertia
    moments = np.array(matrix)
    if not np.any(moments - np.diag(moments.diagonal())):
        x, y, z = moments.diagonal().tolist()
        out.diaginertia = (x, y, z)
        return out
    if inertial.axes is not None and inertial.axes != UNIT_QUATERNION:
        turn = np.array(Pose(ZERO, inertial.axes).rotation())
        x, y, z = (turn.T @ moments @ turn).diagonal().tolist()
        again = rotated(((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)), Pose(ZERO, inertial.axes))
        near = np.allclose(again, moments, rtol=0.0, atol=1e-14 * float(np.abs(moments).max()))
        if near and all(map(close, np.ravel(again), moments.ravel())):
            out.diaginertia, out.quat = (x, y, z), steady_quaternion(inertial.axes)
            return out
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = matrix
    out.fullinertia = (xx, yy, zz, _mean(xy, yx), _mean(xz, zx), _mean(yz, zy))
    return out


def _mean(a: float, b: float) -> float:
    return a if a == b else a / 2.0 + b / 2.0


# --- sites ------------------------------------------------------------------------------


def site_elements(body: PlannedBody, frames: Sequence[Frame], kept: KeptBody) -> list[Document]:
    """The sites of a body: its frames, each with what is kept of its site."""
    out: list[Document] = []
    for frame, node in zip(frames, paired([f.name for f in frames], kept.sites), strict=True):
        site = b.Site() if node is None else bound(b.Site, node)
        site.name = frame.name
        site.given = {*site.given} - {"name"}
        out.append(placed(site, body.in_body(frame.pose)))
    return out


def paired(names: Sequence[str], kept: Sequence[Node]) -> list[Node | None]:
    """The kept element of each item by its name; one without a name belongs to the item in its place."""
    given = [node.word("name") for node in kept]
    if len(names) == len(kept) and all(g in (None, n) for g, n in zip(given, names, strict=True)):
        return list(kept)
    by_name = {name: node for name, node in zip(given, kept, strict=True) if name}
    return [by_name.get(name) for name in names]


def frames_by_link(tree: BodyTree) -> dict[str, list[Frame]]:
    """The frames of the robot by their link."""
    out: dict[str, list[Frame]] = {}
    for frame in tree.robot.frames:
        out.setdefault(frame.link, []).append(frame)
    return out


def kept_elements(kept: KeptBody) -> list[Document]:
    """The sites, cameras and lights of a body without a link, as they are kept."""
    return [
        *(bound(b.Site, node) for node in kept.sites),
        *(bound(b.Camera, node) for node in kept.cameras),
        *(bound(b.Light, node) for node in kept.lights),
    ]


def other_elements(kept: KeptBody) -> list[Document]:
    """What is kept of a body besides joints, geoms, sites, cameras and lights."""
    members = plan(b.Body).fields["items"].members
    return [bound(members[node.tag], node) for node in kept.others if node.tag in members]


# --- inertias that MuJoCo accepts, or the nearest ones ----------------------------------
#
# A body needs principal moments of which none exceeds the sum of the others, even where it is fixed to the
# world. A body that moves needs three positive moments, of its own or of a body that is fixed to it.

EXACT, NEAREST = "exact", "nearest"
#: The least moment in kg·m² that is written where MuJoCo rejects 0.
LEAST_MOMENT = 1e-12
# MuJoCo's smallest mass and moment of a body that moves.
_LEAST = 1e-15
# What MuJoCo computes as a moment of a matrix that is not diagonal is above 1e-14.
_LEAST_COMPUTED = 2e-14
# A change of a moment by this part is rounding, which needs no report.
_ROUNDING = 1e-9


def accepted(robot: Robot, inertias: str = EXACT) -> Robot:
    """The robot with inertias that MuJoCo accepts.

    With "exact" only what does not change its motion: the inertias of links that are fixed to the world,
    the last digits of others, and moments of zero. With "nearest" all of them: a moment that is too large
    becomes the sum of the others.
    """
    tree = BodyTree(robot, Kept(robot))
    still, light = _still(tree), _weightless(tree)
    made: dict[str, Link] = {}
    for link in robot.links:
        if link.inertial is None or link.inertial.unknown:
            continue
        near = replace(link.inertial, inertia=balanced(link.inertial.inertia))
        if link.name in light and near.mass > 0.0:
            near = replace(near, inertia=balanced(raised(near.inertia)))
        if near != link.inertial and (
            inertias == NEAREST or link.name in still or _is_rounding(link.inertial, near)
        ):
            made[link.name] = replace(link, inertial=near)
    if not made:
        return robot
    return replace(robot, links=tuple(made.get(link.name, link) for link in robot.links))


def rejected(robot: Robot) -> list[Finding]:
    """What MuJoCo rejects of the inertias of a lowered robot, with the remedy."""
    out: list[Finding] = []
    for link in robot.links:
        inertial = link.inertial
        if inertial is not None and balanced(inertial.inertia) != inertial.inertia:
            a, b, c = _moments(inertial.inertia)
            must = (
                "the principal moments must be positive"
                if not a > 0.0
                else "the largest principal moment must not exceed the sum of the others"
            )
            out.append(
                Finding(
                    "inertial-rejected",
                    "error",
                    f"link '{link.name}': {must}, got {a:g} {b:g} {c:g} (MuJoCo rejects the file)",
                    inertial.inertia_at or inertial.at or link.at,
                    Hint(
                        "correct them, or write the nearest that MuJoCo accepts: ",
                        Setting("inertias", value=NEAREST),
                    ),
                    subject=path_of("links", link.name, "inertial", "inertia"),
                )
            )
    return out


def balanced(inertia: Matrix3) -> Matrix3:
    """The nearest inertia that MuJoCo accepts; the same one if that is it.

    >>> balanced(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 2.0)))[2][2]
    2.0
    >>> round(balanced(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 3.0)))[2][2], 6)
    2.0
    """
    matrix = np.array(inertia)
    size = float(np.abs(matrix).max())
    if not np.isfinite(size) or size == 0.0:
        return inertia
    matrix = matrix / 2.0 + matrix.T / 2.0
    is_diagonal = not np.any(matrix - np.diag(matrix.diagonal()))
    if is_diagonal:
        a, b, c = sorted(matrix.diagonal().tolist())
        if a + b >= c:
            return inertia
    moments, axes = np.linalg.eigh(matrix)
    a, b, c = moments.tolist()
    # MuJoCo computes the moments of other matrices itself, with another rounding
    if not is_diagonal and a > max(_LEAST_COMPUTED, 1e-12 * c) and a + b >= c * (1.0 + 1e-12):
        return inertia
    a = max(a, min(LEAST_MOMENT, 1e-6 * c), 0.0 if is_diagonal else max(4e-12 * c, 2.0 * _LEAST_COMPUTED))
    b = max(a, b)
    c = max(b, min(c, (a + b) * (1.0 - 1e-10)))
    if is_diagonal:
        order = np.argsort(matrix.diagonal(), kind="stable")
        diagonal = np.zeros(3)
        diagonal[order] = a, b, c
        return matrix3(np.diag(diagonal))
    return matrix3(axes @ np.diag([a, b, c]) @ axes.T)


def _moments(inertia: Matrix3) -> tuple[float, float, float]:
    matrix = np.array(inertia)
    a, b, c = np.linalg.eigvalsh(matrix / 2.0 + matrix.T / 2.0).tolist()
    return a, b, c


def _is_rounding(before: Inertial, after: Inertial) -> bool:
    a, b = np.array(before.inertia), np.array(after.inertia)
    return bool(np.abs(a - b).max() <= max(2.0 * LEAST_MOMENT, _ROUNDING * np.abs(a).max()))


def raised(inertia: Matrix3) -> Matrix3:
    """The inertia with moments of at least LEAST_MOMENT."""
    matrix = np.array(inertia)
    moments, axes = np.linalg.eigh(matrix / 2.0 + matrix.T / 2.0)
    return matrix3(axes @ np.diag(np.maximum(moments, LEAST_MOMENT)) @ axes.T)


def _still(tree: BodyTree) -> Collection[str]:
    """The links that do not move in the world."""
    out: set[str] = set()
    still = {id(tree.world)}
    for body in tree:
        if body.parent is None or (id(body.parent) in still and not body.moves):
            still.add(id(body))
            if body.link is not None:
                out.add(body.link.name)
    return out


def _weightless(tree: BodyTree) -> Collection[str]:
    """Links with mass but without moments, on which it depends that a body that moves has any.

    What moves without mass gets one when its body is written.
    """
    bodies = list(tree)
    heavy = {id(body) for body in bodies if body.link is not None and _is_heavy(body.link.inertial)}
    massive: dict[int, str] = {}
    for body in reversed(bodies):
        inertial = body.link.inertial if body.link is not None else None
        if body.link is not None and inertial is not None and inertial.mass > _LEAST:
            massive[id(body)] = body.link.name
        if not body.moves and body.parent is not None:
            if id(body) in heavy:
                heavy.add(id(body.parent))
            if id(body) in massive:
                massive.setdefault(id(body.parent), massive[id(body)])
    return {
        massive[id(body)] for body in bodies if body.moves and id(body) not in heavy and id(body) in massive
    }


def _is_heavy(inertial: Inertial | None) -> bool:
    if inertial is None or not inertial.mass > _LEAST:
        return False
    return np.isfinite(np.array(inertial.inertia)).all() and _moments(inertial.inertia)[0] > _LEAST
