"""The joints of groups."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.model.robot import Group, Robot, branches


def group_joints(robot: Robot, name: str) -> tuple[str, ...]:
    """Names of the joints of a group, in document order, fixed ones included; KeyError if it is unknown.

    As in MoveIt, a link stands for the joint above it, and a chain for the joints on its path. Unknown
    links, joints and groups are left out.

    >>> from unibody.model.robot import Joint, Link
    >>> joint = Joint(name="shoulder", kind="revolute", parent="base", child="arm")
    >>> links = (Link(name="base"), Link(name="arm"))
    >>> robot = Robot(name="r", links=links, joints=(joint,), groups=(Group(name="all", members=("arm",)),))
    >>> group_joints(robot, "all")
    ('shoulder',)
    """
    groups = {group.name: group for group in reversed(robot.groups)}
    if name not in groups:
        from unibody.text.near import suggestion

        raise KeyError(f"{robot.name!r} has no group {name!r}{suggestion(name, list(groups))}")
    found: set[str] = set()
    above = {joint.child: joint.name for joint in robot.joints}
    todo, seen = [groups[name]], set[str]()
    while todo:
        group = todo.pop()
        found.update(group.joint_members, _chains(robot, group))
        found.update(above[link] for link in group.members if isinstance(link, str) and link in above)
        todo += [member for member in group.members if isinstance(member, Group)]
        todo += _inner(group, groups, seen)
    return tuple(joint.name for joint in robot.joints if joint.name in found)


def _inner(group: Group, groups: Mapping[str, Group], seen: set[str]) -> list[Group]:
    new = [name for name in group.subgroups if name in groups and name not in seen]
    seen.update(new)
    return [groups[name] for name in new]


def _chains(robot: Robot, group: Group) -> set[str]:
    paths = (branches(robot.joints, chain.base_link, chain.tip_link) for chain in group.chains)
    return {joint.name for up, down in paths for joint in (*up, *down)}
