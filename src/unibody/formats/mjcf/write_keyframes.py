"""Writes configurations as keyframes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unibody.formats.mjcf import document as d
from unibody.formats.mjcf.kept_elements import Kept, bound
from unibody.formats.mjcf.postures import Values, positions
from unibody.formats.mjcf.write_bodies import paired
from unibody.formats.mjcf.write_tree import BodyTree, PlannedJoint
from unibody.model.changes.joints import free_name
from unibody.model.equality import close
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose


def key_elements(tree: BodyTree, kept: Kept) -> list[d.Key]:
    """A keyframe for each configuration, with what is kept of it: velocities, controls, activations."""
    robot = tree.robot
    names: set[str] = set()
    out = []
    nodes = paired([configuration.name for configuration in robot.configurations], kept.section("keyframe"))
    for configuration, node in zip(robot.configurations, nodes, strict=True):
        key = d.Key() if node is None else bound(d.Key, node)
        if node is None or key.name:
            stem = configuration.name
            if configuration.group is not None and stem in names:
                stem = f"{configuration.group}_{stem}"
            key.name = free_name(stem, names)
            key.given = {*key.given} - {"name"}
            names.add(key.name)
        at = positions(robot, configuration)
        old = _whole(tree, key.qpos)
        if node is None or not _says(tree, old, at):
            key.qpos = tuple(_qpos(tree, at, old))
        out.append(key)
    return out


def _whole(tree: BodyTree, kept: Sequence[float] | None) -> list[float] | None:
    """Kept positions of all joints: the last ones that a keyframe does not have are initial."""
    if kept is None or len(kept) > size_of(tree):
        return None
    return [*kept, *_qpos(tree, {}, None)[len(kept) :]]


def _qpos(tree: BodyTree, at: Mapping[str, Values], old: list[float] | None) -> list[float]:
    """All positions of MuJoCo; those that a configuration does not state are kept, or as in the file."""
    out: list[float] = []
    for body in tree:
        if body.is_free:
            out += _placed(old, len(out), body.pose)
        for planned in body.joints:
            out += _position(planned, at.get(planned.joint.name), old, len(out), body.pose)
    return out


def size_of(tree: BodyTree) -> int:
    """The number of positions of a model."""
    joints = sum(KINDS[planned.joint.kind].nq for body in tree for planned in body.joints)
    return joints + sum(KINDS["free"].nq for body in tree if body.is_free)


def _position(
    planned: PlannedJoint, value: Values | None, old: list[float] | None, place: int, pose: Pose
) -> Sequence[float]:
    kind = planned.joint.kind
    if KINDS[kind].nq == 1:
        ref = planned.kept.ref or 0.0
        return [(value[0] if value is not None and len(value) == 1 else 0.0) + ref]
    if kind == "free":
        return _placed(old, place, pose)
    if value is not None and len(value) == KINDS[kind].nq:
        return value
    return (1.0, 0.0, 0.0, 0.0) if old is None else old[place : place + KINDS[kind].nq]


def _placed(old: list[float] | None, place: int, pose: Pose) -> Sequence[float]:
    return [*pose.xyz, *pose.quat] if old is None else old[place : place + KINDS["free"].nq]


def _says(tree: BodyTree, qpos: Sequence[float] | None, at: Mapping[str, Values]) -> bool:
    """Whether a kept keyframe has the positions of hinges and slides that a configuration states."""
    place = 0
    for body in tree:
        place += KINDS["free"].nq if body.is_free else 0
        for planned in body.joints:
            if KINDS[planned.joint.kind].nq == 1:
                value = 0.0 if qpos is None else qpos[place] - (planned.kept.ref or 0.0)
                if not close(value, at[planned.joint.name][0]):
                    return False
            place += KINDS[planned.joint.kind].nq
    return True
