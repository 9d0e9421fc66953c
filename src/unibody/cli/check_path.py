"""Prove that a path touches nothing, or show where it does.

The path is anybody's: a plan of MPK (.pln), a table of joint positions (.csv, .json), or a JointTrajectory
of ROS (.yaml, .json). Between its rows it goes straight in joint space, or in the normalized space for a
plan. Joints that the file does not have are at their initial positions.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from unibody.cli.options import finish, open_input
from unibody.cli.output import UsageError, emit, emit_data, report
from unibody.cli.world import add_world, read_world

if TYPE_CHECKING:
    from unibody.collision.motion import Motion, Space
    from unibody.collision.world import World

EXAMPLE = "unibody check-path scene.iv plan.pln"
CODES = """\
exit codes: 0 the path is proved free, 1 it is not, 2 wrong usage, or a file could not be read
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_world(parser)
    parser.add_argument("path", metavar="PATH", help="the path: .pln, .csv, .json or .yaml")


def run(options: argparse.Namespace) -> int:
    """Print the verdict; return the exit code."""
    reading, world = read_world(options)
    if world is None:
        return finish(reading, options, found=False)
    times, rows, space = _path(world, options)
    inside = world.inside(rows[0])
    try:
        found = world.path(rows, space)
    except ValueError as error:
        raise UsageError(f"{options.path}: {error}") from None
    time = None if found.time is None else _time(times, found.time)
    if inside and found.status != "hit":
        proved, words = False, f"hit: {inside[0][0]} is inside of {inside[0][1]} at the start"
    else:
        proved, words = found.status == "free", _verdict(found, time, len(rows))
    if options.json:
        emit_data(
            {
                "status": "hit" if inside else found.status,
                "pair": (inside[0] if inside and found.pair is None else found.pair),
                "time": time,
                "segment": None if found.time is None else int(found.time),
                "q": None if found.q is None else found.q.tolist(),
                "configurations": len(rows),
            }
        )
    else:
        emit([words])
    report(reading.findings, options.all_findings)
    return int(not proved)


def _verdict(found: Motion, time: float | None, count: int) -> str:
    """The verdict in words."""
    motions = f"{max(count - 1, 1)} motion{'s' if count > 2 else ''}"
    if found.status == "free":
        return f"free: {motions} proved"
    if found.status == "sampled":
        return f"sampled: nothing touches at samples {found.step:.3g} apart on {motions}, nothing is proved"
    assert time is not None
    assert found.time is not None
    where = (
        f"at {time:.6g} s, on motion {min(int(found.time) + 1, max(count - 1, 1))} of {max(count - 1, 1)}"
    )
    a, b = found.pair or ("something", "something")
    if found.status == "hit":
        return f"hit: {a} touches {b} {where}"
    return f"near: not decided, {a} comes within {found.within:.3g} m of {b} {where}"


def _time(times: Any, place: float) -> float:
    """The time of a place that counts in motions."""
    import numpy as np

    return float(np.interp(place, np.arange(len(times)), times))


def _path(world: World, options: argparse.Namespace) -> tuple[Any, Any, Space]:
    """Times (k,) in s, configurations (k, nq), and where lines are straight; UsageError for no path."""
    import numpy as np

    from unibody.files.access import FileError
    from unibody.formats.mpk.plan import read_plan
    from unibody.mechanism.normalized_space import NormalizedSpaceError
    from unibody.page.motion import MotionError, read_motion
    from unibody.text.decode import decode
    from unibody.text.finding import Findings, TextError

    mechanism = world.mechanism
    name, files = open_input(options.path, options)
    try:
        if name.lower().endswith(".pln"):
            plan = read_plan(name, files)
            if not plan.ok:
                raise UsageError(str(next(f for f in plan.findings if f.severity == "error")))
            space = mechanism.normalized_space
            return np.arange(len(plan), dtype=float), space.to_joints(plan.points), "normalized"
        motion = read_motion(decode(files.read(name), name, Findings()).text, name, mechanism)
    except (MotionError, NormalizedSpaceError, ValueError) as error:
        raise UsageError(f"{options.path}: {error}") from None
    except (FileError, TextError) as error:
        raise UsageError(error.finding.message) from None
    return motion.times, motion.configurations(mechanism), "joints"
