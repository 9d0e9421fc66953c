"""Plans of MPK (.pln) as motions: paths of normalized configurations."""

from __future__ import annotations

import math

import numpy as np

from unibody.formats.mpk.plan import format_plan, parse_plan
from unibody.mechanism import Mechanism
from unibody.mechanism.normalized_space import NormalizedSpaceError
from unibody.mechanism.tree import periodic_entries
from unibody.model.arrays import Floats
from unibody.motions.columns import columns_of
from unibody.motions.motion import Motion, MotionError, motion_of
from unibody.motions.notation import MotionFile, Written
from unibody.motions.representable import COMPLETE
from unibody.text.source import Span

# Positions (rad, m) of a plan and of the motion that it was written from differ by no more.
_ROUNDED = 1e-6


def is_plan(file: MotionFile) -> bool:
    """Whether the suffix is that of a plan."""
    return file.suffix == ".pln"


def read_plan(file: MotionFile) -> Motion | None:
    """Read a plan; joints without a coordinate are at their initial positions."""
    findings = file.findings
    before = len(findings.errors)
    plan = parse_plan(file.source, findings)
    if len(findings.errors) > before:
        return None
    try:
        return path_of(file.mechanism, plan.points, file.name)
    except MotionError as error:
        findings.error("control-columns", str(error), Span(file.source, 0, 1), "use a plan of this robot")
        return None


def path_of(mechanism: Mechanism, points: Floats, name: str = "plan") -> Motion:
    """The path of normalized configurations (k, n); MotionError for another number of coordinates."""
    try:
        space = mechanism.normalized_space
        if points.ndim != 2 or points.shape[1] != space.n:
            count = points.shape[-1] if points.ndim else 0
            raise MotionError(
                f"its configurations have {count} coordinates, the model has {space.n}; "
                "unibody plan-info lists them"
            )
        return motion_of(mechanism, space.to_lines(points), name=name, space="normalized")
    except NormalizedSpaceError as error:
        raise MotionError(str(error)) from None


def write_plan(motion: Motion, mechanism: Mechanism, suffix: str) -> Written:
    """The normalized configurations of a path."""
    if motion.times is not None:
        raise MotionError(f"a plan of MPK has no times; write its path(), or {COMPLETE}")
    q = motion.configurations(mechanism)
    try:
        space = mechanism.normalized_space
        points = space.from_joints(q)
    except NormalizedSpaceError as error:
        raise MotionError(str(error)) from None
    off = np.abs(space.to_joints(points) - q)
    turning = periodic_entries(mechanism.tree)
    off[:, turning] = np.abs(np.remainder(off[:, turning] + math.pi, 2.0 * math.pi) - math.pi)
    if off.max(initial=0.0) > _ROUNDED:
        name, _ = columns_of(mechanism)[int(off.max(axis=0).argmax())]
        raise MotionError(f"the coordinates of a plan of MPK do not move {name!r} like this; {COMPLETE}")
    return {suffix: format_plan(points).encode()}
