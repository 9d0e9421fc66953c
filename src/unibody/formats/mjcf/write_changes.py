"""Lowers a robot to the joints and shapes of MJCF."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from unibody.formats.mjcf.acceptance import EXACT, accepted
from unibody.formats.mjcf.asset_elements import without_missing
from unibody.formats.mjcf.carriers import held
from unibody.formats.mjcf.kept_elements import Kept
from unibody.formats.mjcf.write_constraints import Equalities
from unibody.formats.mjcf.write_sensors import with_sites
from unibody.formats.mjcf.write_tree import FREEDOMS, BodyTree, is_world
from unibody.model import shape as s
from unibody.model.base import stated_base
from unibody.model.changes.joints import split_joints
from unibody.model.changes.shapes import baked, upright, with_shapes
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.robot import Link, Robot
from unibody.model.traverse import links_below

#: Half the size in m of a plane without bounds that moves, and the thickness of planes that move.
FAR, THIN = 50.0, 0.001


def changes(robot: Robot, inertias: str = EXACT) -> Robot:
    """Lower a robot to what MJCF has: four kinds of joints, three of loops, no planes that move.

    ``inertias`` is as in ``acceptance.accepted``.
    """
    top = robot.root if is_world(robot) else ""
    inner = {joint.name for joint in robot.joints if joint.kind == "free" and joint.parent != top}
    out = split_joints(robot, ("fixed", *FREEDOMS))
    if inner:
        # MuJoCo has free bodies at the top only
        others = {joint.name for joint in out.joints if joint.kind == "free"} - inner
        out = split_joints(out, KINDS.keys() - {"free"}, keep=others)
    out = with_shapes(out, _shape)
    fixed = _fixed(out)
    links = tuple(link if link.name in fixed else _without_planes(link) for link in out.links)
    out = replace(out, links=links)
    own = without_missing([extra for extra in out.extras if extra.format == "mjcf"])
    out = replace(out, extras=(*(extra for extra in out.extras if extra.format != "mjcf"), *own))
    out = held(with_sites(out), kept_loops(out))
    return accepted(out, inertias)


def kept_loops(robot: Robot) -> frozenset[str]:
    """The loops that kept elements of MJCF still say."""
    if not any(extra.format == "mjcf" for extra in robot.extras) or not robot.loops:
        return frozenset()
    kept = Kept(robot)
    return frozenset(Equalities(BodyTree(robot, kept), kept).kept_loops())


def new_loops(robot: Robot) -> frozenset[str]:
    """The loops that are written anew."""
    return frozenset(loop.name for loop in robot.loops) - kept_loops(robot)


def _shape(shape: s.Shape) -> tuple[s.Shape, ...]:
    return tuple(new for old in upright(shape) for new in baked(old))


def _fixed(robot: Robot) -> set[str]:
    """The links that do not move in the world."""
    if stated_base(robot, "fixed") == "free":
        return set()
    return links_below([robot.root], (joint for joint in robot.joints if joint.kind == "fixed"))


def _without_planes(link: Link) -> Link:
    sets: dict[str, Any] = {}
    for name in ("visuals", "collisions"):
        shapes = getattr(link, name)
        if any(isinstance(shape.geometry, s.Plane) for shape in shapes):
            sets[name] = tuple(map(_as_box, shapes))
    return replace(link, **sets) if sets else link


def _as_box(shape: s.Shape) -> s.Shape:
    """A plane as a thin box below it: MuJoCo rejects planes that move."""
    plane = shape.geometry
    if not isinstance(plane, s.Plane):
        return shape
    x, y = plane.half_size or (FAR, FAR)
    box = s.Box(size=(2.0 * x, 2.0 * y, THIN))
    return replace(shape, geometry=box, pose=shape.pose @ Pose((0.0, 0.0, -THIN / 2.0)))
