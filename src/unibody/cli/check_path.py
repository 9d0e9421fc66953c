"""Prove that a path touches nothing, or show where it does; and whether it keeps the limits of the joints.

The path is anybody's: a plan of MPK (.pln), a table of joint positions (.csv, .json), or a JointTrajectory
of ROS (.yaml, .json). Between its rows it goes straight in joint space, or in the normalized space for a
plan. Joints that the file does not have are at their initial positions.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from unibody.cli.options import finish, open_input
from unibody.cli.output import UsageError, emit, emit_data, report
from unibody.cli.world import add_world, read_world

if TYPE_CHECKING:
    from unibody.collision.motion import Motion, Space
    from unibody.collision.world import World
    from unibody.planning.coordinates import Outside

EXAMPLE = "unibody check-path scene.iv plan.pln"
CODES = """\
exit codes: 0 the path is proved free and keeps the limits, 1 it is not or does not, 2 wrong usage, or a
file could not be read
"""

#: How far beyond a limit, as a share of it or of a range, the rounded numbers of a file may be.
_ROUNDED = 1e-4


class _Path(NamedTuple):
    """Configurations (k, nq), their times (k,) in s if the file has them, and where lines are straight."""

    rows: Any
    times: Any | None
    space: Space


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_world(parser)
    parser.add_argument("path", metavar="PATH", help="the path: .pln, .csv, .json or .yaml")


def run(options: argparse.Namespace) -> int:
    """Print the verdict; return the exit code."""
    reading, world = read_world(options)
    if world is None:
        return finish(reading, options, found=False)
    path = _path(world, options)
    try:
        outside = _outside(world, path.rows)
        inside = world.inside(path.rows[0])
        found = world.path(path.rows, path.space)
    except ValueError as error:
        raise UsageError(f"{options.path}: {error}") from None
    count = max(len(path.rows) - 1, 1)
    hit = found.status == "hit" or bool(inside)
    if options.json:
        place = None if found.time is None else _place(found.time, count)
        emit_data(
            {
                "status": "hit" if hit else found.status,
                "pair": (inside[0] if inside and found.pair is None else found.pair),
                "time": _time(path, found),
                "segment": None if place is None else place[0],
                "share": None if place is None else place[1],
                "q": None if found.q is None else found.q.tolist(),
                "outside": None if outside is None else {"row": outside[0], "joint": outside[1].joint},
                "configurations": len(path.rows),
            }
        )
    else:
        words = [_verdict(found, path)]
        if inside and found.status != "hit":
            words = [f"hit: {inside[0][0]} is inside of {inside[0][1]} at the start"]
        if outside is not None:
            words.append(f"outside limits at configuration {outside[0] + 1}: {outside[1]} (rad or m)")
        emit(words)
    report(reading.findings, options.all_findings)
    return int(found.status != "free" or hit or outside is not None)


def _outside(world: World, rows: Any) -> tuple[int, Outside] | None:
    """The first configuration with a joint outside of its limits, from 0, and which one."""
    from unibody.planning.coordinates import coordinates_of

    coordinates = coordinates_of(world.mechanism, rows[0])
    for number, row in enumerate(rows):
        found = coordinates.outside(row, _ROUNDED)
        if found is not None:
            return number, found
    return None


def _verdict(found: Motion, path: _Path) -> str:
    """The verdict in words."""
    count = max(len(path.rows) - 1, 1)
    motions = f"{count} motion{'s' if count > 1 else ''}"
    if found.status == "free":
        return f"free: {motions} proved" if len(path.rows) > 1 else "free: one configuration, no motion"
    if found.status == "sampled":
        return f"sampled: nothing touches at samples {found.step:.3g} apart on {motions}, nothing is proved"
    assert found.time is not None
    number, share = _place(found.time, count)
    where = f"on motion {number + 1} of {count}, after {100.0 * share:.4g} % of it"
    time = _time(path, found)
    if time is not None:
        where = f"at {time:.6g} s, {where}"
    a, b = found.pair or ("something", "something")
    if found.status == "hit":
        return f"hit: {a} touches {b} {where}"
    return f"near: not decided, {a} comes within {found.within:.3g} m of {b} {where}"


def _place(time: float, count: int) -> tuple[int, float]:
    """The motion, from 0, and the share of it, of a time that counts in motions."""
    number = min(int(time), count - 1)
    return number, time - number


def _time(path: _Path, found: Motion) -> float | None:
    """The time of what was found (s), if the file has times."""
    import numpy as np

    if path.times is None or found.time is None:
        return None
    return float(np.interp(found.time, np.arange(len(path.times)), path.times))


def _path(world: World, options: argparse.Namespace) -> _Path:
    """The path of the file; UsageError if it has none."""
    from unibody.files.access import FileError
    from unibody.formats.mpk.plan import read_plan
    from unibody.mechanism.normalized_space import NormalizedSpaceError
    from unibody.page.motion import MotionError, read_motion
    from unibody.text.decode import decode
    from unibody.text.finding import Findings, TextError

    mechanism = world.mechanism
    name, how = open_input(options.path, options)
    files = how.files
    try:
        if name.lower().endswith(".pln"):
            plan = read_plan(name, files)
            if not plan.ok:
                raise UsageError(str(next(f for f in plan.findings if f.severity == "error")))
            space = mechanism.normalized_space
            if plan.points.shape[1] != space.n:
                raise UsageError(
                    f"{options.path}: its configurations have {plan.points.shape[1]} coordinates, "
                    f"the model has {space.n}; unibody plan-info lists them"
                )
            return _Path(space.to_joints(plan.points), None, "normalized")
        motion = read_motion(decode(files.read(name), name, Findings()).text, name, mechanism)
    except (MotionError, NormalizedSpaceError, ValueError) as error:
        raise UsageError(f"{options.path}: {error}") from None
    except (FileError, TextError) as error:
        raise UsageError(error.finding.message) from None
    return _Path(motion.configurations(mechanism), motion.times if motion.timed else None, "joints")
