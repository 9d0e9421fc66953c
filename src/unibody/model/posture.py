"""Postures by name: the positions of named configurations that can be used."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.model.groups import group_joints
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Configuration, Robot

Positions = Mapping[str, float | tuple[float, ...]]


def posture(robot: Robot, name: str) -> Positions:
    """The positions by joint of the configuration ``name``; KeyError if there is none.

    Of several with one name in one group the last one is used, as in MoveIt.

    >>> from unibody.model.robot import Joint, Link
    >>> links = (Link(name="base"), Link(name="arm"))
    >>> joint = Joint(name="turn", kind="revolute", parent="base", child="arm")
    >>> home = Configuration(name="home", positions=(("turn", 0.5),))
    >>> posture(Robot(name="r", links=links, joints=(joint,), configurations=(home,)), "home")
    {'turn': 0.5}
    """
    found = [each for each in robot.configurations if each.name == name]
    if not found:
        raise KeyError(name)
    return usable_positions(robot, [each for each in found if each.group == found[0].group][-1])


def usable_positions(robot: Robot, configuration: Configuration) -> Positions:
    """The positions of a configuration, without those that the checks of the model report as ignored.

    These are of unknown joints, of joints that are not in the group of the configuration, and with another
    number of values than the joint has positions.
    """
    sizes = {joint.name: KINDS[joint.kind].nq for joint in robot.joints}
    members = set(sizes)
    if configuration.group and any(group.name == configuration.group for group in robot.groups):
        members = set(group_joints(robot, configuration.group))
    return {
        name: values
        for name, values in configuration.by_joint.items()
        if name in members and sizes[name] == (len(values) if isinstance(values, tuple) else 1)
    }
