"""Plans the bodies of a robot: which links and joints each of them holds, and where their frames are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.conventions import Settings
from unibody.formats.mjcf.drives import drive_limits, reflected
from unibody.formats.mjcf.joints import MOST_FREEDOMS, TYPES, is_limited
from unibody.formats.mjcf.kept_elements import Kept
from unibody.model.base import WORLD, stated_base
from unibody.model.changes.joints import free_name
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, ZERO, Pose, Vector3, rotate
from unibody.model.robot import UNBOUNDED, Joint, Link, Robot
from unibody.text.dataclass import dataclass

# The kinds of joints of which one body may have several.
_CHAINED = frozenset(TYPES.values()) - {"free"}
# A kept anchor holds where it is the computed one up to rounding.
_NEAR = 1e-12
# Motions are the same below this share of one another, in rad and m; the smallest mass has no inertia for
# MuJoCo at such a distance.
_DEPENDENT = 1e-2


@dataclass(slots=True, kw_only=True)
class PlannedJoint:
    """A joint of a body: its anchor and axis in the frame of the body, and what is kept of it.

    ``is_driven`` tells that its effort limits are those of its kept actuators and its kept limits;
    ``armature`` is its own, without that of these actuators.
    """

    joint: Joint
    kept: b.Joint
    anchor: Vector3 = ZERO
    axis: Vector3 = (0.0, 0.0, 1.0)
    is_driven: bool = False
    armature: float = 0.0


@dataclass(slots=True, kw_only=True, eq=False)
class PlannedBody:
    """A body: its link, its pose in its parent, and the pose of the link in it.

    ``link`` of the world is the root link that is the world itself, or the surroundings; None if there are
    neither. ``name`` is the name in the file.
    ``is_free`` tells that the body is the root of a robot with a free base.
    """

    link: Link | None
    name: str
    parent: PlannedBody | None = None
    pose: Pose = IDENTITY
    link_pose: Pose = IDENTITY
    joints: list[PlannedJoint] = field(default_factory=list)
    children: list[PlannedBody] = field(default_factory=list)
    is_free: bool = False

    @property
    def moves(self) -> bool:
        """Whether it moves in its parent."""
        return bool(self.joints) or self.is_free

    def in_body(self, pose: Pose) -> Pose:
        """A pose in the link, in the frame of the body."""
        return pose if self.link_pose == IDENTITY else self.link_pose @ pose


class BodyTree:
    """The bodies of a robot, the world first, depth first."""

    def __init__(self, robot: Robot, kept: Kept) -> None:
        self.robot, self.kept = robot, kept
        self._links = {link.name: link for link in robot.links}
        self._below: dict[str, list[Joint]] = {}
        for joint in robot.joints:
            self._below.setdefault(joint.parent, []).append(joint)
        self._used = _referred(robot)
        root = self._links[robot.root]
        self.is_world = is_world(robot)
        names = [link.name for link in robot.links]
        self._names = {name: name for name in names}
        if not self.is_world and WORLD in self._names:
            self._names[WORLD] = free_name(f"{WORLD}_link", names)
        self.world = PlannedBody(link=root if self.is_world else robot.surroundings, name=WORLD)
        top = self.world
        if self.is_world:
            self.world.link_pose = robot.pose
        else:
            free = stated_base(robot, "fixed") == "free"
            top = PlannedBody(
                link=root, name=self._names[root.name], parent=top, pose=robot.pose, is_free=free
            )
            self.world.children.append(top)
        self.by_link: dict[str, PlannedBody] = {root.name: top}
        if robot.surroundings is not None:
            self.by_link.setdefault(WORLD, self.world)
        done: set[int] = set()  # links of one name have the same joints below, maybe those above
        todo = [top]
        while todo:
            body = todo.pop()
            for joint in self._below.get(body.link.name if body.link else "", []):
                if id(joint) not in done:
                    chain = self._chain(joint)
                    done.update(map(id, chain))
                    body.children.append(self._body(body, chain))
            todo += reversed(body.children)

    def __iter__(self) -> Iterator[PlannedBody]:
        todo = [self.world]
        while todo:
            body = todo.pop()
            yield body
            todo += reversed(body.children)

    def name_of(self, link: str) -> str:
        """The name of the body of a link; a link inside of a chain of joints has none of its own."""
        return self.by_link[link].name

    def _body(self, parent: PlannedBody, chain: Sequence[Joint]) -> PlannedBody:
        joints = [self._joint(j) for j in chain if j.kind != "fixed"]
        last = joints[-1].kept.pos if joints and chain[-1].kind != "free" else None
        anchor: Vector3 = ZERO if last is None else (last[0], last[1], last[2])
        # the frame of each link of the chain in that of the last one, all joints at 0
        frame = IDENTITY
        for k in range(len(joints) - 1, -1, -1):
            planned = joints[k]
            x, y, z = frame.xyz
            made: Vector3 = (x + anchor[0], y + anchor[1], z + anchor[2])
            given = planned.kept.pos
            if given is not None and all(abs(a - c) <= _NEAR for a, c in zip(made, given, strict=True)):
                made = (given[0], given[1], given[2])
            planned.anchor = made
            planned.axis = rotate(frame.quat, chain[k].axis)
            frame = frame @ chain[k].origin.inverse()
        link_pose = IDENTITY if anchor == ZERO else Pose(anchor)
        pose = parent.link_pose
        for joint in chain:
            pose = joint.origin if pose == IDENTITY else pose @ joint.origin
        if anchor != ZERO:
            pose = pose @ Pose((-anchor[0], -anchor[1], -anchor[2]))
        link = self._links[chain[-1].child]
        body = PlannedBody(
            link=link,
            name=self._names[link.name],
            parent=parent,
            pose=pose,
            link_pose=link_pose,
            joints=joints,
        )
        for joint in chain:
            self.by_link[joint.child] = body
        return body

    def _joint(self, joint: Joint) -> PlannedJoint:
        kept, drives = self.kept.joint(joint.name), self.kept.drives(joint.name)
        limits, settings = kept.actuatorfrcrange, Settings()
        own = UNBOUNDED
        if limits is not None and is_limited(kept.actuatorfrclimited, limits, settings):
            own = (limits[0], limits[1])
        is_driven = bool(drives) and drive_limits(drives, own, settings)[0] == joint.limits.effort
        armature = _without(joint.actuator.reflected_inertia, reflected(drives))
        return PlannedJoint(joint=joint, kept=kept, is_driven=is_driven, armature=armature)

    def _chain(self, first: Joint) -> list[Joint]:
        """The joints from a link to the next one that is more than the end of a joint."""
        chain = [first]
        while chain[-1].kind in _CHAINED and self._is_bare(chain[-1].child):
            following = self._below[chain[-1].child][0]
            if following.kind not in _CHAINED or following in chain:
                break
            longer = [*chain, following]
            if not _fits(longer):
                break
            chain = longer
        was_body = all(joint.child == f"{chain[-1].child}_{joint.name}" for joint in chain[:-1])
        while not was_body and _is_singular(chain):
            chain.pop()
        return chain

    def _is_bare(self, name: str) -> bool:
        """Whether a link is nothing but the connection of two joints."""
        link = self._links[name]
        shapes = (link.visuals, link.collisions, link.collisions_alt)
        return (
            link.inertial is None
            and not any(shapes)
            and name not in self._used
            and len(self._below.get(name, [])) == 1
        )


def is_world(robot: Robot) -> bool:
    """Whether the root link of a robot is the world itself, which has neither a mass nor a pose."""
    if robot.root != WORLD or stated_base(robot, "fixed") != "fixed" or robot.pose != IDENTITY:
        return False
    return robot.link(WORLD).inertial is None


def _fits(chain: list[Joint]) -> bool:
    """Whether the joints of a chain can be those of one body."""
    if sum(KINDS[joint.kind].nv for joint in chain) > MOST_FREEDOMS:
        return False
    kinds = [joint.kind for joint in chain]
    if "ball" not in kinds:
        return True
    first = kinds.index("ball")
    turned = any(joint.origin.quat != UNIT_QUATERNION for joint in chain[first + 1 :])
    return not turned and all(kind == "prismatic" for kind in kinds[first + 1 :])


def _is_singular(chain: list[Joint]) -> bool:
    """Whether joints of one body can hardly move it at zero by some motion, as two hinges on one axis.

    Its mass matrix is singular, whatever its mass is, and MuJoCo warns.
    """
    if len(chain) == 1:
        return False
    twists: list[NDArray[np.float64]] = []
    frame = np.eye(4)
    for joint in chain:
        frame = frame @ np.array(joint.origin.matrix())
        axes = frame[:3, :3] if joint.kind == "ball" else (frame[:3, :3] @ joint.axis)[:, None]
        along = axes if joint.kind == "prismatic" else np.cross(frame[:3, 3], axes, axisb=0, axisc=0)
        twists.append(np.vstack((np.zeros_like(axes) if joint.kind == "prismatic" else axes, along)))
    matrix = np.hstack(twists)
    return bool(np.linalg.matrix_rank(matrix, tol=_DEPENDENT * np.abs(matrix).max()) < matrix.shape[1])


def _referred(robot: Robot) -> set[str]:
    """The links that something besides joints refers to."""
    out = {device.link for device in robot.devices} | {frame.link for frame in robot.frames}
    for loop in robot.loops:
        out |= {loop.link_a, loop.link_b}
    return out


def _without(total: float, part: float) -> float:
    """What gives the total with a part, in few digits where these do; at least 0."""
    rest = float(f"{total - part:.12g}")
    return max(0.0, rest if rest + part == total else total - part)
