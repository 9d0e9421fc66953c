"""Writes configurations as keyframes, and joins those of a robot and of another one that is attached to it.

A keyframe has its values by place: positions and velocities in the order of the joints, controls and
activations in that of the actuators, poses in that of the mocap bodies. Those of the other robot, which it
does not state, are initial.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf.drives import activations, controls, total
from unibody.formats.mjcf.kept_elements import Kept, bound, uniform
from unibody.formats.mjcf.postures import Values, positions
from unibody.formats.mjcf.write_bodies import is_mocap, paired
from unibody.formats.mjcf.write_tree import BodyTree, PlannedJoint
from unibody.model.changes.joints import free_name
from unibody.model.equality import close
from unibody.model.facts import Difference
from unibody.model.joint_kind import KINDS
from unibody.model.pose import UNIT_QUATERNION, Pose
from unibody.model.robot import Configuration, Extra, Robot
from unibody.model.traverse import join
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float

_KEYFRAME = d.Keyframes.KEY
# The initial values of a list, by what they are of, in the order of the list.
_Initial = Mapping[tuple[str, str], Sequence[float]]


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
        old = _all_positions(tree, key.qpos)
        if node is None or not _says(tree, old, at):
            key.qpos = tuple(_qpos(tree, at, old))
        out.append(key)
    return out


def _all_positions(tree: BodyTree, kept: Sequence[float] | None) -> list[float] | None:
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


# --- what is kept of two robots ---------------------------------------------------------


def attached(made: Robot, robot: Robot, other: Robot) -> tuple[Robot, list[Difference]]:
    """The robot with one section of each kind, and keyframes that have a place for everything.

    Returns the values of keyframes of ``other`` whose places are not known, too.
    """
    at = next((i for i, e in enumerate(made.extras) if e.format == "mjcf" and not e.owner), -1)
    if at < 0:
        return made, []
    qpos, qvel, targets = _positions(made), _velocities(made), _targets(made)
    keys: list[Item] = []
    unplaced: list[Item] = []
    for part in (robot, other):
        for key in _keys(part):
            items = _by_joint(key.items, "qpos", _positions(part), qpos)
            items = _by_joint(items, "qvel", _velocities(part), qvel)
            for name, values, whole in zip(("mpos", "mquat"), _targets(part), targets, strict=True):
                items = _by_joint(items, name, values, whole)
            left: list[Item] = []
            for name, width in (("ctrl", controls), ("act", activations)):
                before = 0 if part is robot else _count(robot, width)
                total = _sum(_count(robot, width), _count(other, width))
                items = _by_actuator(items, name, before, total, left)
            keys.append((key.tag, Node(key.tag, items, key.source, key.start, key.end), -1))
            unplaced += [(key.tag, Node(key.tag, left), -1)] if left else []
    extra = made.extras[at]
    sections = [item for item in extra.node.items if item[0] != _KEYFRAME]
    sections += [(_KEYFRAME, Node(_KEYFRAME, keys), -1)] if keys else []
    extra = replace(uniform(replace(extra, node=Node(extra.node.tag, sections))), files=extra.files)
    postures = _postures(robot) | _postures(other)
    joints = [name for (kind, name), values in qpos.items() if kind == "joint" and len(values) == 1]
    configurations = (_whole(x, joints) if x.name in postures else x for x in made.configurations)
    out = replace(
        made,
        extras=(*made.extras[:at], extra, *made.extras[at + 1 :]),
        configurations=tuple(configurations),
    )
    if not unplaced:
        return out, []
    lost = Extra(format="mjcf", node=Node("", [(_KEYFRAME, Node(_KEYFRAME, unplaced), -1)]))
    return out, [Difference(join("extras", str(at)), "removed", lost, index=at)]


def _keys(robot: Robot) -> list[Node]:
    return Kept(robot).section(_KEYFRAME)


def _postures(robot: Robot) -> set[str]:
    """The names of the configurations that are keyframes."""
    names = [configuration.name for configuration in robot.configurations]
    return {n for n, key in zip(names, paired(names, _keys(robot)), strict=True) if key is not None}


def _whole(configuration: Configuration, joints: Sequence[str]) -> Configuration:
    """A configuration with a position of each hinge and slide, as a keyframe has them."""
    stated = dict(configuration.positions)
    places = dict(zip((name for name, _ in configuration.positions), configuration.places, strict=False))
    names = [*joints, *(name for name in stated if name not in set(joints))]
    return replace(
        configuration,
        positions=tuple((name, stated.get(name, 0.0)) for name in names),
        places=tuple(places.get(name) for name in names) if places else (),
    )


# --- values of joints -------------------------------------------------------------------


def _positions(robot: Robot) -> _Initial:
    """The initial positions by joint; those of a free base by its link."""
    out: dict[tuple[str, str], Sequence[float]] = {}
    for body in BodyTree(robot, Kept(robot)):
        placed = (*body.pose.xyz, *body.pose.quat)
        if body.is_free:
            out["base", body.name] = placed
        for planned in body.joints:
            count = KINDS[planned.joint.kind].nq
            ref = planned.kept.ref or 0.0
            initial = {1: (ref,), 4: UNIT_QUATERNION, 7: placed}.get(count, (0.0,) * count)
            out["joint", planned.joint.name] = initial
    return out


def _velocities(robot: Robot) -> _Initial:
    """The initial velocities by joint; those of a free base by its link."""
    kinds = {("joint", joint.name): joint.kind for joint in robot.joints}
    return {of: (0.0,) * KINDS[kinds.get(of, "free")].nv for of in _positions(robot)}


def _targets(robot: Robot) -> tuple[_Initial, _Initial]:
    """The positions and the rotations of the mocap bodies where they are at first."""
    kept = Kept(robot)
    bodies = [
        x for x in BodyTree(robot, kept) if x.link is not None and is_mocap(x, kept.body(x.link.name))
    ]
    positions: _Initial = {("body", x.name): x.pose.xyz for x in bodies}
    return positions, {("body", x.name): x.pose.quat for x in bodies}


def _by_joint(items: Sequence[Item], name: str, own: _Initial, whole: _Initial) -> list[Item]:
    """The items of a keyframe with the values of an attribute at their places in the whole robot."""
    out = list(items)
    for i, (key, value, start) in enumerate(out):
        if key != name or not isinstance(value, Word):
            continue
        rest = value.text.split()
        stated: dict[tuple[str, str], list[str]] = {}
        for of, initial in own.items():
            stated[of], rest = rest[: len(initial)], rest[len(initial) :]
        texts: list[str] = []
        for of, initial in whole.items():
            given = stated.get(of, [])
            texts += [*given, *map(format_float, initial[len(given) :])]
        out[i] = (key, Word(" ".join(texts)), start)
    return [item for item in out if item[0] != name or item[1] != Word("")]


# --- values of actuators ----------------------------------------------------------------


def _by_actuator(
    items: Sequence[Item], name: str, before: int | None, total: int | None, left: list[Item]
) -> list[Item]:
    """The items of a keyframe with the values of an attribute behind ``before`` others, ``total`` in all.

    Values whose place is not known are put into ``left``.
    """
    out: list[Item] = []
    for item in items:
        key, value, start = item
        if key != name or not isinstance(value, Word):
            out.append(item)
        elif before is None:
            left.append(item)
        else:
            texts = ["0"] * before + value.text.split()
            texts += ["0"] * ((total or 0) - len(texts))
            out.append((key, Word(" ".join(texts)), start))
    return out


def _count(robot: Robot, width: Callable[[Document], int | None]) -> int | None:
    """How many values the actuators of a robot have; None if it is not known of one."""
    return total((doc for section in Kept(robot).whole(a.Actuators) for doc in section.items), width)


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
