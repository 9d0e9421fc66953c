"""Where the links of a file are, beside those of the robot, which are at the joints that turn them."""

from __future__ import annotations

from unibody.model.pose import Pose
from unibody.model.robot import Robot


def file_frames(robot: Robot) -> dict[str, Pose]:
    """The frame of each link of a file that is not that of the robot's link, in the latter.

    The reader keeps it as a frame with the name of the link; in robots of a scene that were made one, only
    one of the two names may have that of the robot before it.

    >>> from unibody.model.robot import Frame, Link
    >>> arm = Frame(name="arm", link="arm", pose=Pose((0.0, 0.0, 0.1)))
    >>> file_frames(Robot(name="r", links=(Link(name="arm"),), frames=(arm,)))["arm"].xyz
    (0.0, 0.0, 0.1)
    """
    return {
        frame.link: frame.pose
        for frame in robot.frames
        if frame.name.rpartition(":")[2] == frame.link.rpartition(":")[2]
        and (frame.name.endswith(frame.link) or frame.link.endswith(frame.name))
    }
