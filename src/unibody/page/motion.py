"""Motions as the page plays them: positions with times, in numbers of single precision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism.normalized_space import NormalizedSpaceError
from unibody.motions.motion import Motion, MotionError, motion_of

# Seconds between rows without times, and for a coordinate of a plan to cross its range.
_STEP, _CROSSING = 0.1, 2.0
# Sampling step of plans, as a fraction of a coordinate's range.
_PLAN_STEP = 0.01
# Most values of a motion.
_MAX_VALUES = 2_000_000
# Largest number of the page, which computes in single precision.
_MAX_FLOAT = float(np.finfo(np.float32).max)


def playable(motion: Motion, mechanism: Mechanism) -> Motion:
    """The motion with times: those of a plan by constant speed, of other paths ten rows a second.

    MotionError if it has no positions, or numbers that the page cannot show.
    """
    tracks = {joint.name for joint in mechanism.robot.joints if joint.kind == "track"}
    kept = [place for place, (name, _) in enumerate(motion.columns) if name not in tracks]
    if not kept:
        raise MotionError("only positions can be played; unibody simulate takes velocities and efforts")
    motion = motion.without_jerks()
    if len(kept) < len(motion.columns):
        motion = replace(
            motion, columns=tuple(motion.columns[i] for i in kept), q=motion.q[:, kept], rates=motion.rates
        )
    if motion.times is None:
        motion = (
            _at_constant_speed(motion, mechanism) if motion.space == "normalized" else motion.spaced(_STEP)
        )
    if motion.q.size > _MAX_VALUES:
        rows, columns = motion.q.shape
        raise MotionError(f"{rows} rows of {columns} numbers are too many: {_MAX_VALUES} is the limit")
    assert motion.times is not None
    if max(np.abs(motion.times).max(), np.abs(motion.q).max(initial=0.0)) > _MAX_FLOAT / 2:
        raise MotionError("the motion has numbers too large to be shown")
    return motion


def _at_constant_speed(motion: Motion, mechanism: Mechanism) -> Motion:
    """Rows along a path of a plan whose fastest coordinate has a constant speed."""
    q = motion.configurations(mechanism)
    try:
        space = mechanism.normalized_space
        path = space.path(space.from_joints(q), _PLAN_STEP)
        times = np.concatenate([[0.0], np.cumsum(space.largest(path[:-1], path[1:]))]) * _CROSSING
        return motion_of(mechanism, space.to_joints(path), times, name=motion.name)
    except NormalizedSpaceError as error:
        raise MotionError(str(error)) from None
