"""The coordinates of carriers, the small bodies by which MuJoCo holds a loop that leaves a motion free.

They are not coordinates of the mechanism, but follow from it: they are how far the second end of the loop
is from the first one. ``formats.mjcf.carriers`` makes the carriers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from unibody.formats.mjcf.engine import axes, displacement, link_poses, moves_of
from unibody.mechanism import Mechanism
from unibody.model.arrays import Floats
from unibody.model.pose import Pose
from unibody.model.robot import Robot


@dataclass(frozen=True, kw_only=True, eq=False)
class Carrier:
    """A carrier of a loop: the frames of both ends, each with its link, and its joints in order.

    ``moves`` are the places of the joints in the displacement of the ends: along X, Y, Z, then about Y and
    X. ``start`` (5,) is the displacement where all joints of the robot are 0.
    """

    a: tuple[str, Pose]
    b: tuple[str, Pose]
    joints: tuple[str, ...]
    moves: tuple[int, ...]
    start: Floats

    def positions(self, mechanism: Mechanism, q: Floats) -> Floats:
        """The positions of the joints, (..., joints), for q of the mechanism (..., nq)."""
        relative = self._relative(mechanism, q)
        turn = relative[..., :3, :3]
        moved = np.zeros((*relative.shape[:-2], 5))
        moved[..., :3] = relative[..., :3, 3]
        moved[..., 3] = np.arctan2(-turn[..., 2, 0], turn[..., 0, 0])
        moved[..., 4] = np.arctan2(-turn[..., 1, 2], turn[..., 1, 1])
        return np.asarray((moved - self.start)[..., self.moves])

    def rates(self, mechanism: Mechanism, q: Floats, v: Floats) -> Floats:
        """The rates of the joints, (..., joints), for q (..., nq) and v (..., nv) of the mechanism."""
        relative = self._relative(mechanism, q)
        place, turn = relative[..., :3, 3], relative[..., :3, :3]
        back = np.swapaxes(np.asarray(mechanism.pose(q, self.a))[..., :3, :3], -1, -2)
        # the velocities of both ends, (..., 3) each, in the axes of the first one
        first, second = (np.asarray(mechanism.jacobian(q, end)) @ v[..., None] for end in (self.a, self.b))
        spin = (back @ first[..., 3:, :])[..., 0]
        along = (back @ (second - first)[..., :3, :])[..., 0] - np.cross(spin, place)
        turning = (back @ (second - first)[..., 3:, :])[..., 0]
        out = np.zeros((*along.shape[:-1], 5))
        out[..., :3] = along
        x, y = (np.cross(turning, turn[..., :, k]) for k in (0, 1))
        # the derivatives of the two angles, which are atan2 of entries of ``turn``
        out[..., 3] = _angle_rate(-turn[..., 2, 0], turn[..., 0, 0], -x[..., 2], x[..., 0])
        column = np.cross(turning, turn[..., :, 2])
        out[..., 4] = _angle_rate(-turn[..., 1, 2], turn[..., 1, 1], -column[..., 1], y[..., 1])
        return np.asarray(out[..., self.moves])

    def _relative(self, mechanism: Mechanism, q: Floats) -> Floats:
        """The second end in the frame of the first one, (..., 4, 4)."""
        first, second = (np.asarray(mechanism.pose(q, end)) for end in (self.a, self.b))
        return np.asarray(np.linalg.inv(first) @ second)


def carriers_of(robot: Robot, lowered: Robot) -> Iterator[Carrier]:
    """The carriers of a lowered robot."""
    meant = {loop.name: loop for loop in robot.loops}
    above = {joint.child: joint for joint in lowered.joints}
    zero: Mapping[str, Pose] = {}
    for loop in lowered.loops:
        given = meant[loop.name]
        if loop.link_a == given.link_a:
            continue
        zero = zero or link_poses(robot, {})
        joints: list[str] = []
        link = loop.link_a
        while link != given.link_a:
            joints.insert(0, above[link].name)
            link = above[link].parent
        a, b = (given.link_a, given.pose_a @ axes(given)), (loop.link_b, loop.pose_b)
        relative = (zero[a[0]] @ a[1]).inverse() @ zero[b[0]] @ b[1]
        yield Carrier(
            a=a,
            b=b,
            joints=tuple(joints),
            moves=moves_of(given.holds),
            start=np.array(displacement(given.holds, relative)),
        )


def _angle_rate(y: Floats, x: Floats, dy: Floats, dx: Floats) -> Floats:
    """The derivative of atan2(y, x); 0 where it is not determined."""
    size = x * x + y * y
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size > 0.0, (dy * x - y * dx) / size, 0.0)
