"""Values of a file that an importer may take for others: poses and vectors near a joint or a link."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from unibody.formats.mjcf.engine import zeros_of
from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Joint, Link, Robot
from unibody.proof.reference import Reference

_SMALL = 1e-12


@dataclass(frozen=True, eq=False)
class Sources:
    """Poses and vectors by the words that name them beside an object, without those that are zero.

    ``anchors`` are the poses of a joint's parent and of its child in their bodies of MJCF.
    """

    poses: dict[str, Pose] = field(default_factory=dict)
    vectors: dict[str, Floats] = field(default_factory=dict)
    anchors: tuple[Pose, Pose] = (IDENTITY, IDENTITY)

    def add(self, name: str, pose: Pose | None) -> None:
        """Record a pose, if there is one."""
        if pose is None:
            return
        self.poses[name] = pose
        self.add_vector(name.replace("inertial frame", "center of mass"), np.array(pose.xyz))

    def add_vector(self, name: str, vector: Floats) -> None:
        """Record a vector that is not zero."""
        if float(np.abs(vector).max()) > _SMALL:
            self.vectors[name] = vector

    @property
    def turns(self) -> dict[str, Floats]:
        """The rotations (3, 3) of the poses that are turned."""
        found = {name: np.array(pose.rotation()) for name, pose in self.poses.items()}
        return {
            name: turn for name, turn in found.items() if float(np.abs(turn - np.eye(3)).max()) > _SMALL
        }


class Tree:
    """The joints above and below links, and poses at zero."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.links = {link.name: link for link in robot.links}
        self.order = {link.name: k for k, link in enumerate(robot.links)}
        self.joints = {joint.name: joint for joint in robot.joints}
        self.above = {joint.child: joint for joint in robot.joints}
        self.below: dict[str, list[Joint]] = {}
        for joint in robot.joints:
            self.below.setdefault(joint.parent, []).append(joint)

    def in_root(self, link: str) -> Pose:
        """The pose of a link in the root link, all joints at zero."""
        pose = IDENTITY
        for _ in self.robot.joints:
            joint = self.above.get(link)
            if joint is None:
                break
            pose, link = joint.origin @ pose, joint.parent
        return pose

    def neighbours(self, joint: Joint) -> Iterator[tuple[str, Joint]]:
        """The joints next to a joint in the list of joints."""
        joints = self.robot.joints
        at = joints.index(joint)
        if at > 0:
            yield "the joint before it in the file", joints[at - 1]
        if at + 1 < len(joints):
            yield "the joint after it in the file", joints[at + 1]


def inertial_frame(link: Link | None) -> Pose | None:
    """The frame of the inertia of a link as the file states it."""
    if link is None or link.inertial is None:
        return None
    own = link.inertial
    return Pose(own.com, own.axes or (1.0, 0.0, 0.0, 0.0))


def first_shape(link: Link | None) -> Pose | None:
    """The pose of the first shape of a link."""
    shapes = (*link.visuals, *link.collisions) if link is not None else ()
    return shapes[0].pose if shapes else None


def first_collision(link: Link | None) -> Pose | None:
    """The pose of the first collision shape of a link, where it is not that of its first shape."""
    shapes = link.collisions if link is not None else ()
    return shapes[0].pose if shapes and shapes[0].pose != first_shape(link) else None


def joint_sources(reference: Reference, tree: Tree, joint: Joint) -> Sources:
    """What is near a joint."""
    out = Sources(anchors=(reference.anchors[joint.parent], reference.anchors[joint.child]))
    parent, child = tree.links[joint.parent], tree.links[joint.child]
    out.add("its own origin", joint.origin)
    out.add("the inertial frame of its child", inertial_frame(child))
    out.add("the inertial frame of its parent", inertial_frame(parent))
    above = tree.above.get(joint.parent)
    if above is not None:
        out.add("the origin of the joint above", above.origin)
    out.add("the pose of its parent in the root link", tree.in_root(joint.parent))
    out.add("the pose of its child in the root link", tree.in_root(joint.child))
    below = tree.below.get(joint.child, [])
    if below:
        out.add("the origin of the joint below", below[0].origin)
    out.add("the first shape of its child", first_shape(child))
    out.add("the first collision shape of its child", first_collision(child))
    out.add("the first shape of its parent", first_shape(parent))
    out.add("the pose of the root link", tree.robot.pose)
    anchors = reference.anchors
    if anchors.get(joint.child) is not None:
        out.add("its anchor in the body", anchors[joint.child])
    if anchors.get(joint.parent) is not None:
        out.add("the anchor of the joint above", anchors[joint.parent])
    body = anchors[joint.parent] @ joint.origin @ anchors[joint.child].inverse()
    out.add("the pose of its body in that of its parent", body)
    for name, other in tree.neighbours(joint):
        if other is not above and other not in below:
            out.add(f"the origin of {name}", other.origin)
    x, y, z = joint.axis
    out.add_vector("its axis", np.array([x, y, z]))
    return out


def root_sources(tree: Tree) -> Sources:
    """What is near the root link."""
    root = tree.links[tree.robot.root]
    out = Sources()
    out.add("its own pose", tree.robot.pose)
    out.add("the inertial frame of the root link", inertial_frame(root))
    out.add("the first shape of the root link", first_shape(root))
    below = tree.below.get(root.name, [])
    if below:
        out.add("the origin of the first joint", below[0].origin)
    return out


def link_sources(reference: Reference, tree: Tree, link: Link) -> Sources:
    """What is near a link, in its own axes."""
    out = Sources()
    out.add("its inertial frame", inertial_frame(link))
    above = tree.above.get(link.name)
    if above is not None:
        out.add("the origin of the joint above", above.origin)
        out.add("the inertial frame of its parent", inertial_frame(tree.links[above.parent]))
        out.add("the pose of its parent in the root link", tree.in_root(above.parent))
    else:
        out.add("the pose of the root link", tree.robot.pose)
    out.add("the pose of the link in the root link", tree.in_root(link.name))
    if above is not None and tree.robot.pose != IDENTITY:
        out.add("the pose of the link in the world", tree.robot.pose @ tree.in_root(link.name))
    below = tree.below.get(link.name, [])
    if below:
        out.add("the origin of the joint below", below[0].origin)
    out.add("its first shape", first_shape(link))
    out.add("its first collision shape", first_collision(link))
    if reference.anchors.get(link.name) is not None:
        out.add("its pose in the body", reference.anchors[link.name])
    return out


def zeros_in(reference: Reference) -> dict[str, float]:
    """The coordinates of joints at their zeros in the file of the robot."""
    return {**zeros_of(reference.robot), **reference.zeros}


def other_inertials(tree: Tree, link: Link) -> dict[str, Inertial]:
    """The inertials of links near a link, by words."""
    out: dict[str, Inertial] = {}
    above = tree.above.get(link.name)
    parent = tree.links[above.parent] if above is not None else None
    below = tree.below.get(link.name, [])
    links = tree.robot.links
    at = [x.name for x in links].index(link.name)
    for words, other in (
        ("its parent", parent),
        ("its child", tree.links[below[0].child] if below else None),
        ("the link before it in the file", links[at - 1] if at else None),
        ("the link after it in the file", links[at + 1] if at + 1 < len(links) else None),
        ("the first link of the file", links[0]),
        ("the last link of the file", links[-1]),
    ):
        if other is not None and other.name != link.name and other.inertial is not None:
            out[words] = other.inertial
    return out


def breadth_first(joints: list[Joint]) -> list[Joint]:
    """Joints level by level."""
    depth = _depths(joints)
    return sorted(joints, key=lambda joint: depth[joint.name])


def depth_first(joints: list[Joint]) -> list[Joint]:
    """Joints branch by branch, in the order of the file."""
    children = {joint.child for joint in joints}
    out: list[Joint] = []
    stack = [joint for joint in reversed(joints) if joint.parent not in children]
    while stack:
        joint = stack.pop()
        out.append(joint)
        stack += [each for each in reversed(joints) if each.parent == joint.child]
    return out if len(out) == len(joints) else joints


def _depths(joints: list[Joint]) -> dict[str, int]:
    above = {joint.child: joint for joint in joints}
    out: dict[str, int] = {}
    for joint in joints:
        link, steps = joint.parent, 0
        while link in above:
            link, steps = above[link].parent, steps + 1
        out[joint.name] = steps
    return out
