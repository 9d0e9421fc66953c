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
from unibody.formats.srdf.states import read_states
from unibody.model.groups import group_joints
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Robot, SelfCollision
from unibody.model.traverse import all_groups
from unibody.text.counted import listed

# Joints that a message lists.
_SHOWN = 8


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
    names.passive = {x.name for x in doc.items if isinstance(x, d.PassiveJoint)}
    groups = read_groups([x for x in doc.items if isinstance(x, d.Group)], names)
    grouped = replace(robot, groups=(*robot.groups, *groups))
    states = read_states([x for x in doc.items if isinstance(x, d.GroupState)], grouped, names)
    pairs = [x for x in doc.items if isinstance(x, PAIRS)]
    collision = _with_own(read_pairs(pairs, names), robot.self_collision)
    joints = _with_rotors([x for x in doc.items if isinstance(x, d.Rotors)], names)
    joints = tuple(
        replace(joint, passive=True) if joint.name in names.passive and KINDS[joint.kind].nq else joint
        for joint in joints
    )
    others = [x for x in doc.items if not isinstance(x, d.Group | d.GroupState)]
    for x in others:
        _check(x, grouped, names)
    _check_passive([x for x in others if isinstance(x, d.PassiveJoint)], names)
    out = replace(
        grouped,
        joints=joints,
        configurations=(*robot.configurations, *states),
        self_collision=collision,
        base=_base(robot, names),
    )
    for x in kept(others, out):
        names.keep(x)
    names.extras.add(doc.rest)
    return replace(out, extras=(*robot.extras, *names.extras.made()))


def _with_own(rules: SelfCollision, own: SelfCollision) -> SelfCollision:
    """The rules of an SRDF with the pairs that the URDF itself excludes."""
    known = {frozenset(pair) for pair in rules.disabled}
    more = tuple(pair for pair in own.disabled if frozenset(pair) not in known)
    return replace(rules, disabled=(*rules.disabled, *more)) if more else rules


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
    if x.child_link in names.children:
        names.context.findings.warning(
            "virtual-joint-child",
            f"{who}: child_link '{x.child_link}' must be the root link '{names.root}'; ignored, as in "
            "MoveIt",
            x.at("child_link"),
            f"write '{names.root}'",
            suggestion=names.root,
        )
    names.virtual.setdefault(x.name, (kind, x.child_link))


def _base(robot: Robot, names: Names) -> Literal["fixed", "free"] | None:
    """The base as the first virtual joint of the root says it; a planar one is neither fixed nor free."""
    for kind, link in names.virtual.values():
        if link not in names.children:
            return "free" if kind == "floating" else "fixed" if kind == "fixed" else robot.base
    return robot.base


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


def _check(x: object, robot: Robot, names: Names) -> None:
    """Report unknown names, and what MoveIt refuses, in elements that are kept as they are."""
    match x:
        case d.EndEffector():
            if names.link(described(x), x, "parent_link") and names.group(described(x), x, "group"):
                _check_end_effector(x, robot, names)
        case d.PassiveJoint():
            names.joint("passive_joint", x, "name")
        case d.JointProperty():
            names.joint("joint_property", x, "joint_name")
        case d.SphereApproximation():
            names.link("link_sphere_approximation", x, "link")


def _check_passive(docs: Sequence[d.PassiveJoint], names: Names) -> None:
    """Note passive joints that are fixed: they have no coordinate anyway."""
    found = [x for x in docs if x.name in names.joints and not KINDS[names.joints[x.name].kind].nq]
    if found:
        words = listed([f"'{x.name}'" for x in found], _SHOWN)
        verb = f"joint {words} is" if len(found) == 1 else f"joints {words} are"
        names.context.findings.info(
            "passive-joint-fixed",
            f"passive {verb} fixed, and without a coordinate anyway",
            found[0].at("name"),
            "remove the element, or correct the name",
        )


def _check_end_effector(x: d.EndEffector, robot: Robot, names: Names) -> None:
    """Report an end effector on a link of its own group, or with a parent group that has not the link."""
    who, findings = described(x), names.context.findings
    if x.parent_link in _links(robot, x.group or ""):
        # a limb and its tip, as Gepetto's robots have them, is no gripper in MoveIt either
        tips = {c.tip_link for each in robot.groups if each.name == x.group for c in each.chains}
        report = findings.info if x.parent_link in tips else findings.warning
        report(
            "end-effector-group",
            f"{who}: parent_link '{x.parent_link}' is in its own group '{x.group}'",
            x.at("parent_link"),
            "name the link that the group is attached to, or remove the link from the group",
        )
    if not x.parent_group or not names.group(who, x, "parent_group"):
        return
    if x.parent_group == x.group:
        findings.warning(
            "end-effector-group",
            f"{who}: group '{x.group}' cannot be its own parent_group",
            x.at("parent_group"),
            "name the group of the arm",
        )
    elif x.parent_link not in _links(robot, x.parent_group):
        findings.warning(
            "end-effector-group",
            f"{who}: parent_group '{x.parent_group}' does not contain parent_link '{x.parent_link}'",
            x.at("parent_group"),
            "add the link to the group, or name a group that contains it",
        )


def _links(robot: Robot, group: str) -> set[str]:
    """The links of a group as MoveIt counts them: those below its joints, and those that it lists."""
    joints = set(group_joints(robot, group))
    listed = (x for each in all_groups(robot) if each.name == group for x in each.members)
    return {j.child for j in robot.joints if j.name in joints} | {x for x in listed if isinstance(x, str)}
