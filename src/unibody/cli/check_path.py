"""Prove that a path is collision-free and within joint limits, or show the first violation.

The path may come from any planner: a plan of MPK (.pln), a table of joint positions (.csv, .json), a
JointTrajectory of ROS (.yaml), a motion of Choreonoid (.seq) or OpenHRP (.pos), or a recorded run (.npz).
It is straight between its rows. Joints that the file lacks are at their initial positions.

Without a path, --start STATE tests one configuration and lists the pairs that touch.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import finish, open_input
from unibody.cli.output import UsageError, emit, emit_data, report
from unibody.cli.world import add_world, group_of, group_option, read_world, resting_words, start_state
from unibody.text.counted import counted, listed

if TYPE_CHECKING:
    from unibody.collision.motion import MotionCheck
    from unibody.collision.pairs import Pair
    from unibody.collision.world import World
    from unibody.motions.motion import Motion
    from unibody.planning.coordinates import Outside
    from unibody.planning.goals import Contacts
    from unibody.text.finding import Finding

EXAMPLE = "unibody check-path scene.iv plan.pln"
CODES = """\
exit codes: 0 the path is proved free and keeps the limits, 1 it is not or does not, 2 wrong usage, or a
file could not be read
"""

#: How far beyond a limit, as a share of it or of a range, the rounded numbers of a file may be.
_ROUNDED = 1e-4
#: A change of a joint, in rad or m, that is no rounding of a file.
_MOVED = 1e-6


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    world = add_world(parser)
    add(world, group_option("only the joints of this group, or these joints, may move along the path"))
    add(
        parser,
        Option("[PATH]", "the path: .pln, .csv, .yaml, .seq, .npz, …", keyword="path"),
        Option("--start STATE", "test one configuration instead of a path (see unibody plan)"),
    )


def run(options: argparse.Namespace) -> int:
    """Print the verdict; return the exit code."""
    if (options.path is None) == (options.start is None):
        raise UsageError("expected a path, or --start STATE for one configuration")
    if options.start is not None and options.group is not None:
        raise UsageError("--group is for a path; --start tests one configuration")
    reading, world = read_world(options)
    if world is None:
        return finish(reading, options, found=False)
    if options.start is not None:
        code = _tested(world, options)
        report(reading.findings, options.all_findings, computes=True)
        return code
    path = _path(world, options, reading.findings)
    if path is None:
        return finish(reading, options, found=False)
    try:
        rows = path.configurations(world.mechanism)
        other, resting = _beside(world, rows, options)
        world = world.without(resting) if resting else world
        outside = _outside(world, rows)
        inside = world.inside(rows[0])
        found = world.path(rows)
    except ValueError as error:
        raise UsageError(f"{options.path}: {error}") from None
    count = max(len(path) - 1, 1)
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
                "moved": None if other is None else {"row": other[0], "joint": other[1]},
                "resting": [list(pair) for pair in resting],
                "configurations": len(path),
                "unread": [str(each) for each in found.unread],
            }
        )
    else:
        words = [_verdict(found, path)]
        if inside and found.status != "hit":
            words = [f"hit: {inside[0][0]} is inside of {inside[0][1]} at the start"]
        if outside is not None:
            words.append(f"outside limits at configuration {outside[0] + 1}: {outside[1]} (rad or m)")
        if other is not None:
            row, name = other
            words.append(
                f"{name} must not move, since it is not in --group {options.group}; "
                f"it has moved at configuration {row + 1}"
            )
        words += resting_words(resting)
        emit(words)
    report(reading.findings, options.all_findings, computes=True)
    return int(found.status != "free" or hit or outside is not None or other is not None)


def _tested(world: World, options: argparse.Namespace) -> int:
    """Test the configuration of --start; return the exit code."""
    import numpy as np

    from unibody.planning.coordinates import coordinates_of
    from unibody.planning.goals import configuration, contacts

    mechanism = world.mechanism
    start = start_state(mechanism, options.start)
    try:
        q = configuration(mechanism, start, np.asarray(mechanism.initial, np.float64))
        found = contacts(world, q)
        outside = coordinates_of(mechanism, q).outside(q, _ROUNDED)
    except (KeyError, ValueError) as error:
        raise UsageError(f"--start {options.start}: {error.args[0]}") from None
    touching = list(dict.fromkeys((*(hit.pair for hit in found.hits), *found.inside)))
    status = "hit" if touching else "incomplete" if world.unread else "free"
    if options.json:
        emit_data(
            {
                "status": status,
                "pairs": [list(pair) for pair in touching],
                "q": q.tolist(),
                "outside": None if outside is None else outside.joint,
                "unread": [str(each) for each in world.unread],
            }
        )
    else:
        emit([*_contact_words(found), *([f"outside limits: {outside} (rad or m)"] if outside else [])])
        if not touching:
            unread = listed(map(str, world.unread), 3, separator="; ")
            emit(
                [
                    f"incomplete: nothing touches that was read; not read: {unread}"
                    if unread
                    else "free: nothing touches"
                ]
            )
    return int(status != "free" or outside is not None)


def _contact_words(found: Contacts) -> Iterator[str]:
    """A line for each pair that touches, or of which one is inside of the other."""
    for pair in dict.fromkeys(hit.pair for hit in found.hits):
        yield f"hit: {pair[0]} touches {pair[1]}"
    for inner, outer in found.inside:
        yield f"hit: {inner} is inside of {outer}"


def _beside(
    world: World, rows: Any, options: argparse.Namespace
) -> tuple[tuple[int, str] | None, tuple[Pair, ...]]:
    """The first configuration, from 0, in which a joint outside of the group has moved, and which joint.

    Also the pairs that touch at the start and that no joint of the group moves: they are not tested.
    """
    import numpy as np

    from unibody.mechanism.arguments import joint_masks
    from unibody.planning.coordinates import coordinates_of, rules_of, still_joints
    from unibody.planning.goals import contacts, resting_pairs

    if options.group is None:
        return None, ()
    mechanism = world.mechanism
    try:
        rules = rules_of(mechanism, group_of(mechanism, options.group))
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None
    follows = coordinates_of(mechanism, rows[0], rules).follows
    masks = {
        name: joint_masks(mechanism.tree, mechanism.names, [name])
        for name in still_joints(mechanism, rules.joints)
    }
    still = {name: of_v for name, (of_q, of_v) in masks.items() if not (of_q & follows).any()}
    moved = {mechanism.robot.root, *mechanism.joint_names} - still.keys()
    resting = resting_pairs(world, moved, contacts(world, rows[0]))
    changes = np.abs(np.asarray(mechanism.difference(rows[0], rows)))
    has_moved = {name: changes[:, of_v].max(axis=1, initial=0.0) > _MOVED for name, of_v in still.items()}
    first = [(int(rows_of.argmax()), name) for name, rows_of in has_moved.items() if rows_of.any()]
    return min(first, key=lambda each: each[0], default=None), resting


def _outside(world: World, rows: Any) -> tuple[int, Outside] | None:
    """The first configuration with a joint outside of its limits, from 0, and which one."""
    from unibody.planning.coordinates import coordinates_of

    coordinates = coordinates_of(world.mechanism, rows[0])
    for number, row in enumerate(rows):
        found = coordinates.outside(row, _ROUNDED)
        if found is not None:
            return number, found
    return None


def _verdict(found: MotionCheck, path: Motion) -> str:
    """The verdict in words."""
    count = max(len(path) - 1, 1)
    motions = counted(count, "motion")
    if found.status == "free":
        return f"free: {motions} proved" if len(path) > 1 else "free: one configuration, no motion"
    if found.status == "incomplete":
        return f"incomplete: {motions} proved but for {listed(map(str, found.unread), 3, separator='; ')}"
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


def _time(path: Motion, found: MotionCheck) -> float | None:
    """The time of what was found (s), if the file has times."""
    import numpy as np

    if path.times is None or found.time is None:
        return None
    return float(np.interp(found.time, np.arange(len(path.times)), path.times))


def _path(world: World, options: argparse.Namespace, findings: list[Finding]) -> Motion | None:
    """The path of the file; None with findings if it has none."""
    from unibody.motions.notations import read_motion
    from unibody.text.finding import Findings

    found = Findings()
    name, how = open_input(options.path, options)
    path = read_motion(name, world.mechanism, found, files=how.files)
    findings.extend(found)
    return path
