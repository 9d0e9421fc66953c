"""Reads the states of groups as MoveIt does: one value for each position of the group's own joints."""

from __future__ import annotations

from collections.abc import Sequence

from unibody.formats.srdf import document as d
from unibody.formats.srdf.names import Names
from unibody.model.groups import group_joints
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Configuration, Joint, Robot
from unibody.model.traverse import path_of
from unibody.text.counted import listed
from unibody.text.source import Span

# Numbers of a virtual joint, by its type.
_VIRTUAL = {"fixed": 0, "planar": 3, "floating": 7}
# Joints that a message lists.
_SHOWN = 8


def read_states(docs: Sequence[d.GroupState], robot: Robot, names: Names) -> list[Configuration]:
    """The states of the groups of ``robot``, as they are written; what MoveIt ignores is reported."""
    out: list[Configuration] = []
    for x in docs:
        who = f"group_state '{x.name}'"
        if not (x.name and names.group(who, x, "group")):
            names.keep(x)
            continue
        if any(other.name == x.name and other.group == x.group for other in out):
            names.context.findings.warning(
                "state-twice",
                f"{who} of group '{x.group}' is defined twice; the later one is used, as in MoveIt",
                x.at(),
                "rename or remove one of them",
                subject=path_of("configurations", x.name),
            )
        out.append(_state(who, x, robot, names))
    return out


def _state(who: str, x: d.GroupState, robot: Robot, names: Names) -> Configuration:
    members = set(group_joints(robot, x.group or ""))
    positions: list[tuple[str, float]] = []
    places: list[Span | None] = []
    for entry in x.joints:
        if entry.name in names.virtual:
            _check_virtual(who, x, entry, names)
        elif names.joint(who, entry, "name") and entry.value is not None:
            joint = names.joints[entry.name or ""]
            if joint.name not in members:
                names.context.findings.warning(
                    "state-group",
                    f"{who}: joint '{joint.name}' is not in group '{x.group}'; ignored, as in MoveIt",
                    entry.at("name"),
                    "add the joint to the group, or remove the entry",
                    subject=path_of("configurations", x.name or "", "positions", joint.name),
                )
            values = in_model_order(entry.value, joint)
            positions += [(joint.name, value) for value in values]
            places += [entry.at("value")] * len(values)
            continue
        names.keep(entry, "configurations", x.name or "")
    names.extras.add(x.rest, "configurations", x.name or "")
    _check_complete(who, x, members - {entry.name or "" for entry in x.joints}, robot, names)
    return Configuration(
        name=x.name or "", group=x.group, positions=tuple(positions), at=x.at(), places=tuple(places)
    )


def _check_virtual(who: str, x: d.GroupState, entry: d.JointValue, names: Names) -> None:
    kind, _ = names.virtual[entry.name]
    found = len(entry.value or ())
    if entry.value is not None and (needed := _VIRTUAL[kind]) != found:
        names.context.findings.warning(
            "state-size",
            f"{who}: {kind} virtual joint '{entry.name}' has {needed or 'no'} "
            f"position{'s' * (needed != 1)}, got {found}; ignored, as in MoveIt",
            entry.at("value"),
            "remove the entry" if not needed else f"write {needed} values",
            subject=path_of("configurations", x.name or "", "positions", entry.name or ""),
        )


def _check_complete(who: str, x: d.GroupState, left: set[str], robot: Robot, names: Names) -> None:
    """Report a state without joints, or without some of the group's joints that are no followers."""
    followers = {coupling.joint for coupling in robot.couplings}
    missing = [
        f"'{j.name}'"
        for j in robot.joints
        if j.name in left and KINDS[j.kind].nq and j.name not in followers and j.name not in names.passive
    ]
    if not x.joints:
        names.context.findings.warning(
            "state-empty",
            f"{who} has no joints",
            x.at(),
            "give the positions of the joints, or remove it",
            subject=path_of("configurations", x.name or ""),
        )
    elif missing:
        names.context.findings.warning(
            "state-incomplete",
            f"{who} does not state {listed(missing, _SHOWN, 'joint')} of group '{x.group}'; "
            f"{'it stays where it is' if len(missing) == 1 else 'they stay where they are'}",
            x.at(),
            "add the joints, or make a group of those that are meant",
            subject=path_of("configurations", x.name or ""),
        )


def in_model_order(values: tuple[float, ...], joint: Joint) -> tuple[float, ...]:
    """The numbers of a joint; SRDF writes the w of a floating joint's quaternion last, the model first."""
    if joint.kind == "free" and len(values) == 7:
        return (*values[:3], values[6], *values[3:6])
    return values
