"""Lowers loops to what the equality constraints of MuJoCo hold: points and whole poses.

A ball loop is a `<connect>`, a hinge two of them on its axis, a fixed one a `<weld>`. MuJoCo has no
constraint that leaves a translation free, and none that holds only the twist. Such a loop gets a carrier: a
small body on the first link that moves as the loop allows, by slide and hinge joints. The second link is
held to it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import replace

from unibody.formats.mjcf.postures import Values, link_poses, positions
from unibody.formats.tidy import tidy
from unibody.model.changes.joints import X, Y, Z, free_name
from unibody.model.decomposition import transposed
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import JointKind
from unibody.model.pose import (
    IDENTITY,
    ZERO,
    Pose,
    Vector3,
    cross,
    from_axis_angle,
    matrix_quaternion,
    rotate,
    unit,
)
from unibody.model.robot import (
    BALL,
    FIXED,
    HINGE,
    Configuration,
    Frame,
    Holds,
    Joint,
    Link,
    Loop,
    Robot,
)
from unibody.text.dataclass import dataclass

#: The mass of a carrier as a part of that of the lighter one of the links that its loop joins. It adds this
#: to the robot; MuJoCo holds a lighter one less exactly: the error of the loop is inverse to it.
SHARE = 1e-3
#: The mass of a carrier in kg between links without mass.
LEAST_MASS = 1e-3
#: The distance in m of the two points that hold the axis of a hinge between links without size.
NEAR = 0.05
#: The end of the name of a carrier, after that of its loop.
CARRIER = "_carrier"
_SMALL = 1e-9


def held(robot: Robot, kept: Collection[str] = ()) -> Robot:
    """The robot with carriers and with a frame at each end of its loops, where the writer has its sites.

    Loops named in ``kept`` stay as they are. Loops that hold nothing are left out.
    """
    loops = [loop for loop in robot.loops if loop.name not in kept]
    if not loops:
        return robot
    robot = _with_masses(robot, {name for loop in loops for name in (loop.link_a, loop.link_b)})
    maker = _Maker(robot)
    out = [loop if loop.name in kept else maker.made(loop) for loop in robot.loops]
    return replace(
        robot,
        links=(*robot.links, *maker.links),
        joints=(*robot.joints, *maker.joints),
        loops=tuple(loop for loop in out if loop is not None),
        frames=(*robot.frames, *maker.frames),
        configurations=tuple(map(maker.posture, robot.configurations)),
    )


def _with_masses(robot: Robot, names: Collection[str]) -> Robot:
    """The robot with masses of those of the links that move without any, which MuJoCo holds softly.

    They get what a carrier gets of the nearest link with mass toward the root.
    """
    by_name = {link.name: link for link in robot.links}
    above = {joint.child: joint for joint in robot.joints}
    fixed: dict[str, list[str]] = {}
    for joint in robot.joints:
        if joint.kind == "fixed":
            fixed.setdefault(joint.parent, []).append(joint.child)
    made: dict[str, Link] = {}
    for end in sorted(names):
        # the link that moves, with all that is fixed to it
        name = end
        while name in above and above[name].kind == "fixed":
            name = above[name].parent
        lump = [name]
        for one in lump:
            lump += fixed.get(one, [])
        if name not in above or any(_mass(by_name[one]) > 0.0 for one in lump):
            continue
        size = math.dist(above[name].origin.xyz, ZERO)
        near = above[name].parent
        while _mass(by_name[near]) <= 0.0 and near in above:
            near = above[near].parent
        made[name] = replace(by_name[name], inertial=_inertial(_mass(by_name[near]), size))
    return replace(robot, links=tuple(made.get(link.name, link) for link in robot.links)) if made else robot


def _mass(link: Link) -> float:
    return 0.0 if link.inertial is None else link.inertial.mass


def _inertial(mass: float, distance: float) -> Inertial:
    """The inertial of a carrier on a link of this mass, whose points are held at a distance."""
    mass = float(f"{mass * SHARE:.1g}") if mass > 0.0 else LEAST_MASS
    moment = float(f"{mass * (distance or NEAR) ** 2:.1g}")
    return Inertial(mass=mass, inertia=((moment, 0.0, 0.0), (0.0, moment, 0.0), (0.0, 0.0, moment)))


def ends(loop: Loop, distance: float) -> Iterator[tuple[str, str, Pose]]:
    """Name, link and pose of the sites of a loop: two, for a hinge two more at a distance on the axis."""
    yield f"{loop.name}_a", loop.link_a, loop.pose_a
    yield f"{loop.name}_b", loop.link_b, loop.pose_b
    if loop.holds == HINGE:
        along = rotate(_back(loop.pose_a), loop.axis)
        for name, link, pose in (("a", loop.link_a, loop.pose_a), ("b", loop.link_b, loop.pose_b)):
            x, y, z = along
            yield f"{loop.name}_{name}2", link, pose @ Pose((x * distance, y * distance, z * distance))


def reach(robot: Robot, loop: Loop) -> float:
    """The distance in m of the points that hold the axis of a hinge: from the anchor to the center of mass.

    The farther the points, the smaller the error of the axis; at the size of the links it is that of the
    anchor. One digit, so that the file is readable.
    """
    by_name = {link.name: link for link in robot.links}
    sizes = []
    for name, pose in ((loop.link_a, loop.pose_a), (loop.link_b, loop.pose_b)):
        inertial = by_name[name].inertial
        com = ZERO if inertial is None else inertial.com
        sizes.append(math.dist(com, pose.xyz))
    size = max(sizes)
    return float(f"{size:.1g}") if math.isfinite(size) and size > _SMALL else NEAR


def _back(pose: Pose) -> tuple[float, float, float, float]:
    w, x, y, z = pose.quat
    return (w, -x, -y, -z)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Carrier:
    """A carrier: its loop, its joints in order, and the frames of its base and of the second anchor."""

    loop: Loop
    joints: tuple[Joint, ...]
    base: Pose
    end: Pose


class _Maker:
    """Makes carriers and frames with unique names."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.links: list[Link] = []
        self.joints: list[Joint] = []
        self.frames: list[Frame] = []
        self._carriers: list[_Carrier] = []
        self._taken = {link.name for link in robot.links} | {joint.name for joint in robot.joints}
        self._sites = {frame.name for frame in robot.frames} | {device.name for device in robot.devices}
        self._zero = link_poses(robot, {})

    def made(self, loop: Loop) -> Loop | None:
        """A loop as MJCF says it, None if it holds nothing."""
        if not loop.holds.forbidden:
            return None
        distance = reach(self.robot, loop)
        if loop.holds not in (BALL, HINGE, FIXED):
            loop = self._carried(loop, distance)
            distance = reach(replace(self.robot, links=(*self.robot.links, *self.links)), loop)
        present = {(frame.link, frame.pose) for frame in self.robot.frames}
        for wanted, link, pose in ends(loop, distance):
            if (link, pose) not in present:
                name = free_name(wanted, self._sites)
                self._sites.add(name)
                self.frames.append(Frame(name=name, link=link, pose=pose))
        return loop

    def _carried(self, loop: Loop, distance: float) -> Loop:
        holds, frame = loop.holds, axes(loop)
        base, end = loop.pose_a @ frame, loop.pose_b @ frame
        relative = self._relative(loop, base, end, {})
        offsets = tuple(map(tidy, displacement(holds, relative)))
        moves: list[tuple[str, JointKind, Vector3, Pose]] = []
        for word, axis, value, free in zip(
            "xyz", (X, Y, Z), offsets, (not holds.radial, not holds.radial, not holds.axial), strict=False
        ):
            if free:
                moves.append((word, "prismatic", axis, Pose(_scaled(axis, value))))
        if holds.twist and not holds.swing:
            # a universal joint holds the twist; the second axis is that of the second link
            for word, axis, value in zip(("about_y", "about_x"), (Y, X), offsets[3:], strict=True):
                moves.append((word, "revolute", axis, _turn(axis, value)))
        carrier = self._name(f"{loop.name}{CARRIER}")
        joints: list[Joint] = []
        parent, origin = loop.link_a, base
        for k, (word, kind, axis, first) in enumerate(moves):
            name = self._name(f"{loop.name}_{word}")
            child = carrier if k == len(moves) - 1 else self._name(f"{carrier}_{name}")
            joints.append(
                Joint(
                    name=name,
                    kind=kind,
                    parent=parent,
                    child=child,
                    origin=_rounded(origin @ first),
                    axis=axis,
                    at=loop.at,
                )
            )
            self.links.append(Link(name=child, at=loop.at))
            parent, origin = child, IDENTITY
        self.links[-1] = replace(self.links[-1], inertial=self._inertial(loop, distance))
        self.joints += joints
        self._carriers.append(_Carrier(loop=loop, joints=tuple(joints), base=base, end=end))
        left = FIXED if holds.twist else HINGE if holds.swing else BALL
        return replace(loop, link_a=carrier, pose_a=IDENTITY, pose_b=end, axis=Z, holds=left)

    def _name(self, name: str) -> str:
        made = free_name(name, self._taken)
        self._taken.add(made)
        return made

    def _inertial(self, loop: Loop, distance: float) -> Inertial:
        masses = [
            link.inertial.mass
            for link in self.robot.links
            if link.name in (loop.link_a, loop.link_b)
            and link.inertial is not None
            and link.inertial.mass > 0.0
        ]
        return _inertial(min(masses, default=0.0), distance)

    def _relative(self, loop: Loop, base: Pose, end: Pose, at: dict[str, Values]) -> Pose:
        """The anchor of the second link in that of the first one."""
        poses = self._zero if not at else link_poses(self.robot, at)
        return (poses[loop.link_a] @ base).inverse() @ poses[loop.link_b] @ end

    def posture(self, configuration: Configuration) -> Configuration:
        """The configuration with the positions of the carriers."""
        if not self._carriers or configuration.group is not None:
            return configuration
        at = positions(self.robot, configuration)
        more: list[tuple[str, float]] = []
        for carrier in self._carriers:
            holds = carrier.loop.holds
            now = displacement(holds, self._relative(carrier.loop, carrier.base, carrier.end, at))
            zero = displacement(holds, self._relative(carrier.loop, carrier.base, carrier.end, {}))
            moved = [now[place] - zero[place] for place in moves_of(holds)]
            more += [(joint.name, value) for joint, value in zip(carrier.joints, moved, strict=True)]
        return replace(configuration, positions=(*configuration.positions, *more))


def axes(loop: Loop) -> Pose:
    """A frame whose Z is the axis of a loop, in the frame of its anchors.

    The other axes are those of ``mechanism.loops``, to which a twist refers that is held without the swing.
    """
    along = unit(rotate(_back(loop.pose_a), loop.axis)) or Z
    if along == Z and not (loop.holds.twist and not loop.holds.swing):
        return IDENTITY  # any direction across the axis will do
    sizes = [abs(v) for v in along]
    least = (X, Y, Z)[sizes.index(min(sizes))]
    across = unit(cross(along, least)) or X
    return Pose(ZERO, matrix_quaternion(transposed((across, cross(along, across), along))))


def moves_of(holds: Holds) -> tuple[int, ...]:
    """The places in ``displacement`` of the joints of a carrier."""
    radial, axial = () if holds.radial else (0, 1), () if holds.axial else (2,)
    return (*radial, *axial, *((3, 4) if holds.twist and not holds.swing else ()))


def displacement(holds: Holds, relative: Pose) -> tuple[float, float, float, float, float]:
    """How far the free motions of a carrier are: along X, Y and Z, then about Y and X."""
    x, y, z = relative.xyz
    about_y = about_x = 0.0
    if holds.twist and not holds.swing:
        # R = Ry(a)·Rx(b): its first column is (cos a, 0, −sin a), its second row (0, cos b, −sin b)
        rows = relative.rotation()
        about_y = math.atan2(-rows[2][0], rows[0][0])
        about_x = math.atan2(-rows[1][2], rows[1][1])
    return (x, y, z, about_y, about_x)


def _scaled(v: Vector3, factor: float) -> Vector3:
    return (v[0] * factor, v[1] * factor, v[2] * factor)


def _turn(axis: Vector3, angle: float) -> Pose:
    quat = from_axis_angle(axis, angle)
    return IDENTITY if quat is None else Pose(ZERO, quat)


def _rounded(pose: Pose) -> Pose:
    x, y, z = map(tidy, pose.xyz)
    return Pose((x, y, z), pose.quat)
