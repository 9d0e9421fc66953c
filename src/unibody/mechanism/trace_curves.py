"""Trace curves: the paths of a robot's trace frames along a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism

# Configurations whose link poses are held at a time.
_BLOCK = 4096


def trace(mechanism: Mechanism, plan: ArrayLike, step: float = 0.01) -> dict[str, NDArray[np.float64]]:
    """The path (m, 3) in the world, in m, of each trace frame by its name, along a plan.

    ``plan`` holds normalized configurations (k, n), joined by straight segments; each is bisected
    until no coordinate changes by ``step`` or more between two points, as MPK does. A plan of another
    width is a ValueError, a step that is not positive or too small a NormalizedSpaceError.

    >>> from unibody.mechanism import assemble
    >>> from unibody.model.robot import Frame, Joint, Limits, Link, Robot
    >>> lift = Joint(name="lift", kind="prismatic", parent="base", child="car",
    ...              limits=Limits(position=(0.0, 4.0)))
    >>> links = (Link(name="base"), Link(name="car"))
    >>> lamp = Frame(name="lamp", link="car", trace=True)
    >>> robot = Robot(name="elevator", links=links, joints=(lift,), frames=(lamp,))
    >>> trace(assemble(robot), [[0.0], [1.0]], step=0.6)["lamp"][:, 2]
    array([0., 2., 4.])
    """
    frames = [frame for frame in mechanism.robot.frames if frame.trace]
    space = mechanism.normalized_space
    path = space.path(plan, step)
    links = {name: number for number, name in enumerate(mechanism.link_names)}
    out = {frame.name: np.empty((len(path), 3)) for frame in frames}
    for start in range(0, len(path), _BLOCK):
        part = slice(start, start + _BLOCK)
        poses = mechanism.forward_kinematics(space.to_joints(path[part]))
        for frame in frames:
            pose = poses[:, links[frame.link]]
            out[frame.name][part] = pose[:, :3, :3] @ np.array(frame.pose.xyz) + pose[:, :3, 3]
    return out
