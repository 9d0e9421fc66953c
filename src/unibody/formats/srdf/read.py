"""SRDF document and the robot of its URDF → the robot with groups, postures and collision pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from unibody.formats.format import Context
from unibody.formats.srdf import document as d
from unibody.formats.srdf.collisions import PAIRS, read_pairs
from unibody.formats.srdf.groups import read_groups
from unibody.formats.srdf.kept import kept
from unibody.formats.srdf.names import Names, described
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Configuration, Joint, Robot
from unibody.model.traverse import path_of


def combined(doc: d.Robot, robot: Robot, context: Context) -> Robot:
    """The robot of a URDF with what an SRDF file says of it.

    Entries that refer to unknown links, joints or groups are ignored with a warning, as in MoveIt; what the
    model cannot represent is kept in extras.
    """
    if doc.name is not None and doc.name != robot.name.strip():
        context.findings.warning(
            "srdf-robot",
            f"the SRDF is for the robot '{doc.name}', the URDF describes '{robot.name}'; it is used, as "
            "in MoveIt",
            doc.at("name"),
            "use the SRDF of this robot, or correct its name",
        )
    names = Names.of(robot, context)
    for x in doc.items:
        if isinstance(x, d.VirtualJoint):
            _add_virtual(x, names)
    groups = read_groups([x for x in doc.items if isinstance(x, d.Group)], names)
    states = [state for x in doc.items if isinstance(x, d.GroupState) and (state := _state(x, names))]
    pairs = [x for x in doc.items if isinstance(x, PAIRS)]
    collision = read_pairs(pairs, names)
    joints = _with_rotors([x for x in doc.items if isinstance(x, d.Rotors)], names)
    others = [x for x in doc.items if not isinstance(x, d.Group | d.GroupState)]
    for x in others:
        _check(x, names)
    out = replace(
        robot,
        joints=joints,
        groups=(*robot.groups, *groups),
        configurations=(*robot.configurations, *states),
        self_collision=collision,
        base=_base(robot, names),
    )
    for x in kept(others, out):
        names.keep(x)
    names.extras.add(doc.rest)
    return replace(out, extras=(*robot.extras, *names.extras.made()))


def _add_virtual(x: d.VirtualJoint, names: Names) -> None:
    who = described(x)
    if not (x.name and x.type and x.parent_frame and names.link(who, x, "child_link") and x.child_link):
        return
    kind = x.type.lower()
    if kind not in ("fixed", "floating", "planar"):
        names.context.findings.warning(
            "wrong-value",
            f"{who}: unknown type '{x.type}'; using fixed, as MoveIt does",
            x.at("type"),
            "write fixed, floating or planar",
        )
        kind = "fixed"
    names.virtual.setdefault(x.name, (kind, x.child_link))


def _base(robot: Robot, names: Names) -> Literal["fixed", "free"] | None:
    """The base as the first virtual joint of the root says it; a planar one is neither fixed nor free."""
    children = {joint.child for joint in robot.joints}
    for kind, link in names.virtual.values():
        if link not in children:
            return "free" if kind == "floating" else "fixed" if kind == "fixed" else robot.base
    return robot.base


def _state(x: d.GroupState, names: Names) -> Configuration | None:
    who = f"group_state '{x.name}'"
    if not (x.name and names.group(who, x, "group")):
        names.keep(x)
        return None
    positions: list[tuple[str, float]] = []
    for entry in x.joints:
        if entry.name not in names.virtual and names.joint(who, entry, "name") and entry.value is not None:
            joint = names.joints[entry.name or ""]
            positions += [(joint.name, value) for value in in_model_order(entry.value, joint)]
        else:
            names.keep(entry, "configurations", x.name)
    _check_limits(who, x, positions, names)
    names.extras.add(x.rest, "configurations", x.name)
    return Configuration(name=x.name, group=x.group, positions=tuple(positions), at=x.at())


def in_model_order(values: tuple[float, ...], joint: Joint) -> tuple[float, ...]:
    """The numbers of a joint; SRDF writes the w of a floating joint's quaternion last, the model first."""
    if joint.kind == "free" and len(values) == 7:
        return (*values[:3], values[6], *values[3:6])
    return values


def _check_limits(who: str, x: d.GroupState, positions: list[tuple[str, float]], names: Names) -> None:
    for name, value in positions:
        joint = names.joints[name]
        low, high = joint.limits.position
        if KINDS[joint.kind].nq == 1 and not low <= value <= high:
            names.context.findings.warning(
                "state-limits",
                f"{who}: joint '{name}' at {value:g} is outside its limits, {low:g} to {high:g}",
                x.at(),
                "correct the value, or the limits in the URDF",
                subject=path_of("configurations", x.name, "positions", name),
            )


def _with_rotors(docs: Sequence[d.Rotors], names: Names) -> tuple[Joint, ...]:
    """The joints with the rotor inertias (kg·m², called mass) and gear ratios of ``rotor_params``."""
    rotors = {
        rotor.name: rotor
        for x in docs
        for rotor in x.joints
        if names.joint(described(x), rotor, "name") and rotor.name in names.joints
    }
    out = []
    for joint in names.robot.joints:
        rotor = rotors.get(joint.name)
        actuator = joint.actuator
        if rotor is not None and rotor.gear_ratio is not None:
            actuator = replace(actuator, gear_ratio=rotor.gear_ratio)
        if rotor is not None and rotor.mass is not None:
            actuator = replace(actuator, rotor_inertia=rotor.mass)
        out.append(joint if actuator is joint.actuator else replace(joint, actuator=actuator))
    return tuple(out)


def _check(x: object, names: Names) -> None:
    """Report unknown names in elements that are kept as they are."""
    match x:
        case d.EndEffector():
            names.link(described(x), x, "parent_link")
            names.group(described(x), x, "group")
        case d.PassiveJoint():
            names.joint("passive_joint", x, "name")
        case d.JointProperty():
            names.joint("joint_property", x, "joint_name")
        case d.SphereApproximation():
            names.link("link_sphere_approximation", x, "link")
