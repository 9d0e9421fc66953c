"""Trace curves: paths of a robot's trace frames along a plan."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism.forward_kinematics import forward_kinematics
from unibody.mechanism.frame import Frame
from unibody.mechanism.normalized_space import NormalizedSpace
from unibody.mechanism.tree import Tree
from unibody.model.arrays import Floats

# Configurations whose link poses are held in memory at a time.
_BLOCK = 4096


def trace_curves(
    tree: Tree, space: NormalizedSpace, frames: Mapping[str, Frame], plan: ArrayLike, step: float
) -> dict[str, Floats]:
    """Path (m, 3) in the world, in m, of each frame by its name, along a plan (k, n).

    The configurations of the plan are joined by straight segments; each is bisected until no coordinate
    changes by ``step`` or more between two points, as in MPK.
    """
    path = space.path(plan, step)
    out = {name: np.empty((len(path), 3)) for name in frames}
    for start in range(0, len(path), _BLOCK):
        part = slice(start, start + _BLOCK)
        poses = forward_kinematics(tree, space.to_joints(path[part]))
        for name, frame in frames.items():
            pose = poses[:, frame.link]
            out[name][part] = pose[:, :3, :3] @ frame.pose[:3, 3] + pose[:, :3, 3]
    return out
