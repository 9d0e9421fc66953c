"""Joint maps of programs that cannot be asked, by their rules: Choreonoid and ros2_control.

Both have positions in rad and m and the zeros and directions of the file; what differs is the order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unibody.formats.loader import read_with
from unibody.formats.urdf.control import BLOCK, blocks
from unibody.formats.urdf.transmissions import Simple
from unibody.mechanism import assemble
from unibody.mechanism.tree import zero_configuration
from unibody.model.base import Base
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.robot import Joint, Robot
from unibody.proof.engines import CHOREONOID, ROS2_CONTROL, Engine
from unibody.proof.joint_map import JointMap, JointMapError, MappedActuator, MappedJoint
from unibody.proof.proving import Given, file_for
from unibody.proof.reference import places

# Joint ids are below this: Choreonoid makes a joint for each number.
_MOST = 10_000
# Kinds of joints that have one number in Choreonoid and in ros2_control.
_SINGLE: tuple[JointKind, ...] = ("revolute", "prismatic")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Slots:
    """The numbers of a program: the joints that have them, what is told of them, and by which rules.

    ``at`` are the places by joint, ``count`` is how many numbers there are, ``lacks`` says of joints why
    they have none, and ``base`` of a free base; ``details`` have the interfaces and actuators of joints.
    """

    at: Mapping[str, int]
    count: int
    rules: str
    base: str
    lacks: Mapping[str, str]
    details: Mapping[str, MappedJoint]
    notes: tuple[str, ...] = ()


def stated_map(engine: Engine, given: Given, base: Base, folder: str) -> JointMap:
    """The map of a program by its rules; JointMapError if the model has none.

    If the program does not read the file, one is written for it in the folder; SaveError.
    """
    slots = _RULES[engine.name](engine, given, base, folder)
    own = assemble(given.robot, base=base)
    return JointMap(
        robot=given.robot.name,
        engine=engine.name,
        title=engine.title,
        base=base,
        joints=tuple(_joints(own.robot, places(own), slots)),
        start=zero_configuration(own.tree),
        engine_start=np.zeros(slots.count),
        positions=math.nan,
        rotations=math.nan,
        stated=slots.rules,
        notes=slots.notes,
    )


def _joints(
    robot: Robot, where: Sequence[tuple[str, int, int, int, int]], slots: _Slots
) -> Iterator[MappedJoint]:
    """Each joint that moves, with its place in the numbers of the program."""
    kinds = {joint.name: joint.kind for joint in robot.joints}
    for name, at_q, size, at_v, size_v in where:
        if not size:
            continue
        kind: JointKind = kinds[name] if name else "free"
        plain = MappedJoint(
            joint=name,
            kind=kind,
            q=tuple(range(at_q, at_q + size)),
            v=tuple(range(at_v, at_v + size_v)),
        )
        if not name:
            yield replace(plain, reason=slots.base)
        elif kind not in _SINGLE:
            yield replace(plain, reason=f"a {kind} joint has no number of its own there")
        elif name not in slots.at:
            yield replace(plain, reason=slots.lacks.get(name, "there is no joint of this name"))
        else:
            place = (slots.at[name],)
            detail = slots.details.get(name, plain)
            yield replace(
                plain,
                name=name,
                engine_q=place,
                engine_v=place,
                unit=KINDS[kind].q_units[0],
                reason=slots.lacks.get(name, ""),
                commands=detail.commands,
                states=detail.states,
                actuator=detail.actuator,
            )


# --- Choreonoid ----------------------------------------------------------------------------------


def _by_ids(engine: Engine, given: Given, base: Base, folder: str) -> _Slots:
    """The order of joint ids; of joints without one, that of the links in the tree, after them.

    In URDF, revolute, continuous and prismatic joints have ids in the order of the file; others are fixed.
    """
    path, format = file_for(engine, given, base, folder)
    robot = given.robot if path == given.path else read_with(path, plain=True).robot
    assert robot is not None
    ids: dict[str, int] = {}
    taken = set[int]()
    lacks: dict[str, str] = {}
    in_tree = _in_tree(robot)
    numbered = [joint for joint in robot.joints if joint.kind in _SINGLE] if format == "urdf" else in_tree
    for index, joint in enumerate(numbered):
        number = index if format == "urdf" else joint.number
        if number is None or number < 0:
            continue
        if number >= _MOST:
            words = f"joint '{joint.name}' has the id {number}, which must be below {_MOST}"
            raise JointMapError(f"{engine.title}: {words}")
        if number in taken:
            lacks[joint.name] = f"another joint has its id {number}"
        else:
            ids[joint.name] = number
            taken.add(number)
    count = max(taken, default=-1) + 1
    missing = ", ".join(str(k) for k in range(count) if k not in taken)
    notes = [f"no joint has the id {missing}: an empty joint has the number"] if missing else []
    at = dict(ids)
    if format == "urdf":
        notes.append("the root link is free, whatever the file says")
        rules = "joint ids, which are those of moving joints in the order of the URDF file"
    else:
        rules = "joint ids of the file"
        for joint in in_tree:
            if joint.name not in at and joint.name not in lacks and joint.kind != "fixed":
                at[joint.name] = count
                count += 1
                lacks[joint.name] = "no joint id: after the numbered joints, in the list of all joints only"
    return _Slots(
        at=at,
        count=count,
        rules=rules,
        base="not in q: it is the position of the root link",
        lacks=lacks,
        details={},
        notes=tuple(notes),
    )


def _in_tree(robot: Robot) -> list[Joint]:
    """The joints in the order of links: each before those of its child, others in the order of the file."""
    below: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    out: list[Joint] = []
    todo = list(reversed(below.get(robot.root, [])))
    while todo:
        joint = todo.pop()
        out.append(joint)
        todo += reversed(below.get(joint.child, []))
    return out


# --- ros2_control --------------------------------------------------------------------------------

_ORDER = "a controller has the order of its parameter 'joints'; look up the joints of a JointState by name"


def _by_block(engine: Engine, given: Given, base: Base, folder: str) -> _Slots:
    """The order of joints in the blocks of the file."""
    found = blocks(given.robot)
    if not found:
        words = f"the model has no <{BLOCK}> block, which lists the joints of the hardware"
        raise JointMapError(f"{engine.title}: {words}")
    joints = {joint.name: joint for joint in given.robot.joints}
    at: dict[str, int] = {}
    details: dict[str, MappedJoint] = {}
    lacks = dict.fromkeys(joints, f"no <{BLOCK}> block has it")
    notes = [_ORDER]
    count = 0
    for block in found:
        notes += [
            f"transmission '{name}' connects several: its actuators have no numbers here"
            for name in block.coupled
        ]
        for each in block.joints:
            if each.name not in joints:
                notes.append(f"number {count} is of '{each.name}', which is no joint of the robot")
            elif each.name in at:
                notes.append(f"number {count} is of '{each.name}', too, as is number {at[each.name]}")
            else:
                at[each.name] = count
                lacks[each.name] = f"mimics {each.leader}" if each.leader else ""
                joint = joints[each.name]
                details[each.name] = MappedJoint(
                    joint=each.name,
                    kind=joint.kind,
                    q=(),
                    v=(),
                    commands=each.commands,
                    states=each.states,
                    actuator=_actuator(joint, block.drives.get(each.name)),
                )
            count += 1
    return _Slots(
        at=at,
        count=count,
        rules=f"the order of joints in the <{BLOCK}> block{'s' if len(found) > 1 else ''} of the file",
        base="not a joint of the hardware",
        lacks=lacks,
        details=details,
        notes=tuple(notes),
    )


def _actuator(joint: Joint, drive: Simple | None) -> MappedActuator | None:
    """The actuator of a joint, which is at q_actuator / ratio + offset."""
    if drive is None:
        return None
    own = joint.actuator
    ratio = own.gear_ratio if "gear_ratio" in drive.quantities and own.gear_ratio else 1.0
    offset = own.offset if "offset" in drive.quantities and own.offset else 0.0
    return MappedActuator(name=drive.actuator, scale=ratio, zero=0.0 - ratio * offset)


_RULES: Mapping[str, Callable[[Engine, Given, Base, str], _Slots]] = {
    CHOREONOID.name: _by_ids,
    ROS2_CONTROL.name: _by_block,
}
