"""Frames in formats that have links only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from unibody.model.changes.joints import free_name
from unibody.model.robot import Joint, Link, Robot


def frames_as_links(robot: Robot, names: Collection[str]) -> Robot:
    """The robot with some of its frames as links without mass and shapes, each behind a fixed joint.

    Link and joint have the name of the frame, or a new one if another has it.

    >>> from unibody.model.robot import Frame
    >>> arm = Robot(name="arm", links=(Link(name="hand"),), frames=(Frame(name="tip", link="hand"),))
    >>> [(j.name, j.kind, j.parent, j.child) for j in frames_as_links(arm, {"tip"}).joints]
    [('tip', 'fixed', 'hand', 'tip')]
    """
    links, joints = {link.name for link in robot.links}, {joint.name for joint in robot.joints}
    made = [frame for frame in robot.frames if frame.name in names and frame.link in links]
    if not made:
        return robot
    more_links: list[Link] = []
    more_joints: list[Joint] = []
    for frame in made:
        link, joint = free_name(frame.name, links), free_name(frame.name, joints)
        links.add(link)
        joints.add(joint)
        more_links.append(Link(name=link))
        more_joints.append(
            Joint(name=joint, kind="fixed", parent=frame.link, child=link, origin=frame.pose)
        )
    gone = {id(frame) for frame in made}
    return replace(
        robot,
        links=(*robot.links, *more_links),
        joints=(*robot.joints, *more_joints),
        frames=tuple(frame for frame in robot.frames if id(frame) not in gone),
    )
