"""Plan a collision-free motion and certify every segment.

A state is JOINT=VALUE,JOINT=VALUE (other joints do not move); t:0.5,0.2,... for all normalized
coordinates; the name of a configuration of the model; or, for a goal, LINK@X,Y,Z[,ROLL,PITCH,YAW], the
pose of a link or frame (m, deg). Of several --goal, any one has to be reached. Obstacles are models, and
the other robots of a scene.

The path is shortened. It gets a time law if the robot has limits of velocity and acceleration, or
--velocity and --acceleration are given. -o writes it: .pln for MPK, .csv, .json, or with times also .yaml
(a JointTrajectory of ROS), .pos (OpenHRP), .seq (Choreonoid) or .npz. An equal --seed gives an equal path.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import RECORD, finish
from unibody.cli.output import UsageError, check_outputs, emit, emit_data, report, write_output
from unibody.cli.pages import add_page, check_page, show_page, wants_page
from unibody.cli.positions import POSITIONS, chosen_positions, has_positions
from unibody.cli.progress import Progress
from unibody.cli.quantity import positive, positive_value, whole
from unibody.cli.world import (
    add_world,
    bounds_of,
    group_of,
    group_option,
    read_world,
    resting_words,
    start_state,
    state,
)
from unibody.text.counted import counted
from unibody.text.hint import hint_text

if TYPE_CHECKING:
    from unibody.collision.world import World
    from unibody.formats.loader import Reading
    from unibody.mechanism import Mechanism
    from unibody.motions.motion import Motion
    from unibody.motions.notation import Notation
    from unibody.page.cloud import Cloud
    from unibody.planning.planner import PlanResult
    from unibody.text.finding import Finding

EXAMPLE = "unibody plan arm.rob --start Fore=0.5 --goal Turn=90deg,Fore=0 --view"
CODES = """\
exit codes: 0 a path was found, 1 there is none, or none was found, 2 wrong usage, or the model could not be
planned with
"""

_PLAN = ".pln"
_SECONDS = 10.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_world(parser)
    add(
        parser.add_argument_group("plan"),
        Option("--start STATE", "start of the path (default: JOINT=VALUE words, --set, --pose and --t)"),
        Option("--goal STATE", "end of the path; repeatable", many=True, required=True),
        group_option("move only the joints of this group, or these joints"),
        Option("--lock JOINT", "keep JOINT at its start position", many=True),
        Option(
            "--bounds JOINT=LOW:HIGH,…",
            "move a planar joint (x, y), a free joint or base (x, y, z) or a joint without limits within "
            "these bounds, e.g. drive=-3:3,-3:3; repeatable",
            many=True,
        ),
        Option(
            "--method {rrt-connect,sbl}",
            "the planner (default: rrt-connect; sbl is that of MPK)",
            default="rrt-connect",
        ),
        Option("--seed N", "seed of the planner (default: 0)", whole(0), default=0),
        Option(
            "--time-limit S",
            f"search for at most S seconds (default: {_SECONDS:g}, or unlimited with --iterations)",
            positive,
        ),
        Option("--iterations N", "number of iterations of the search", whole(0)),
        Option("--no-shorten", "do not shorten the path"),
    )
    add(parser, *POSITIONS)
    add(
        parser.add_argument_group("time law"),
        *(
            Option(
                f"--{name} LIMIT",
                f"limit of all joints, in rad or m per {unit}, or with a unit, such as 90deg",
                positive_value,
            )
            for name, unit in (("velocity", "s"), ("acceleration", "s²"), ("jerk", "s³"))
        ),
    )
    add(
        parser.add_argument_group("output"),
        Option("-o, --output FILE", "write the path: .pln, .csv, .yaml, …"),
        RECORD,
        Option(
            "--tree LINK",
            "show the positions of a link or frame in the search tree",
            needs="--view, --html, --png or --gif",
        ),
    )
    add_page(parser, "the plan")


def run(options: argparse.Namespace) -> int:
    """Plan, then write, show or print the path; return the exit code."""
    _check(options)
    reading, world = read_world(options)
    if world is None:
        return finish(reading, options, found=False)
    plan = _planned(world, options, reading.findings)
    if plan.path is None:
        if options.json:
            emit_data(_data(plan, None))
        else:
            emit([f"no path: {hint_text(plan.message, 'command')}"])
        if wants_page(options) or options.record is not None:
            _show(plan, None, reading, options)
        report(reading.findings, options.all_findings, computes=True)
        return 1
    motion, untimed = _timed(plan, options)
    if options.output is not None:
        for name, data in _written(plan, motion, options.output).items():
            write_output(name, data, options.overwrite)
    if wants_page(options) or options.record is not None:
        _show(plan, motion, reading, options)
    if not wants_page(options):
        if options.json:
            emit_data(_data(plan, motion))
        else:
            emit(_summary(plan, motion, untimed, options))
    report(reading.findings, options.all_findings, computes=True)
    return 0


def _check(options: argparse.Namespace) -> None:
    """UsageError for conflicting options, before any work is done."""
    if options.output is not None and _notation(options) is None:
        from unibody.motions.notations import BY_SUFFIX

        raise UsageError(f"-o {options.output}: a path is written as {', '.join(BY_SUFFIX)}")
    if options.start and has_positions(options):
        raise UsageError("--start is where the plan begins; it cannot be combined with other positions")
    check_page(options, (options.model,), prints="the plan")
    check_outputs((options.output, options.record), options.overwrite)


def _notation(options: argparse.Namespace) -> Notation | None:
    """The notation of -o."""
    from unibody.motions.notations import BY_SUFFIX

    return BY_SUFFIX.get(os.path.splitext(options.output or "")[1].lower())


def _start(mechanism: Mechanism, options: argparse.Namespace, findings: list[Finding]) -> Any:
    """Where the plan begins: --start, or the other options of positions; None for the initial positions."""
    from unibody.text.finding import Findings

    if options.start:
        return start_state(mechanism, options.start, options.degrees)
    if not has_positions(options):
        return None
    noted = Findings()
    start = chosen_positions(mechanism, options, noted)
    findings.extend(noted)
    return start


def _planned(world: World, options: argparse.Namespace, findings: list[Finding]) -> PlanResult:
    """The plan, with a progress bar; UsageError for states that the model does not have."""
    from unibody.mechanism.normalized_space import NormalizedSpaceError
    from unibody.planning.planner import plan
    from unibody.planning.shortening import shorten

    mechanism = world.mechanism
    time_limit = options.time_limit
    if time_limit is None and options.iterations is None:
        time_limit = _SECONDS
    bar = Progress()
    try:
        start = _start(mechanism, options, findings)
        goals = [state(mechanism, text, "--goal", options.degrees) for text in options.goal]
        found = plan(
            world,
            start,
            goals,
            options.method,
            seed=options.seed,
            time_limit=time_limit,
            iterations=options.iterations,
            progress=lambda share: bar.show("planning", share),
            group=group_of(mechanism, options.group),
            lock=options.lock,
            bounds=bounds_of(mechanism, options.bounds, options.degrees),
        )
        if found.path is not None and options.shorten:
            found = shorten(
                found,
                seed=options.seed,
                time_limit=time_limit,
                progress=lambda share: bar.show("shortening", share),
            )
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None
    except (NormalizedSpaceError, ValueError, TypeError) as error:
        raise UsageError(str(error)) from None
    finally:
        bar.end()
    return found


def _timed(plan: PlanResult, options: argparse.Namespace) -> tuple[Motion | None, str]:
    """The trajectory; or None, and which limit is missing."""
    from unibody.planning.timing import MissingLimitError, timed

    try:
        return timed(plan, options.velocity, options.acceleration, options.jerk), ""
    except ValueError as error:
        message = str(error)
        if isinstance(error, MissingLimitError):
            message = f"{error.problem}; pass --{error.limit}"
        given = (options.velocity, options.acceleration, options.jerk)
        notation = _notation(options)
        if (notation is not None and notation.needs_times) or any(limit is not None for limit in given):
            raise UsageError(message) from None
        return None, message


def _written(plan: PlanResult, motion: Motion | None, path: str) -> dict[str, bytes]:
    """The files of the path, or of its motion, by their names; UsageError if they cannot represent it."""
    from unibody.motions.motion import MotionError
    from unibody.motions.notations import format_motion

    base, suffix = os.path.splitext(path)
    given = motion if motion is not None and suffix.lower() != _PLAN else plan.motion
    try:
        files = format_motion(given, plan.world.mechanism, suffix)
    except MotionError as error:
        raise UsageError(f"-o {path}: {error}") from None
    return {path if each == suffix.lower() else base + each: data for each, data in files.items()}


def _show(plan: PlanResult, motion: Motion | None, reading: Reading, options: argparse.Namespace) -> None:
    """Write the record, and the page or picture."""
    from unibody.page.data import Origin
    from unibody.planning.recording import recorded

    record = recorded(plan, motion)
    if options.record is not None:
        write_output(options.record, record.packed(), options.overwrite)
    if wants_page(options):
        kind = reading.format
        origin = Origin(file=options.model, format=kind.title if kind else "", asker="command")
        layers = ("visual", "traces") if record.robot.frames else ("visual",)
        show_page(record, origin, reading.findings, options, layers=layers, workspace=_tree(plan, options))


def _tree(plan: PlanResult, options: argparse.Namespace) -> Cloud | None:
    """Where the search has taken a link or frame."""
    if options.tree is None:
        return None
    from unibody.page.cloud import Cloud
    from unibody.planning.recording import tree_edges, tree_points

    try:
        points = tree_points(plan, options.tree)
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None
    if not len(points):
        return None  # the straight line was free
    samples = sum(len(tree.q) for tree in plan.trees)
    return Cloud(points=points, frame=options.tree, samples=samples, search=True, edges=tree_edges(plan))


def _summary(
    plan: PlanResult, motion: Motion | None, untimed: str, options: argparse.Namespace
) -> list[str]:
    """The plan in words."""
    proved = "every line is proved free"
    if plan.status == "incomplete":
        proved = "every line is proved free but for what was not read"
    if plan.status == "sampled":
        proved = f"sampled every {plan.step:g} rad or m on the loops, nothing is proved"
    lines = [f"{len(plan.found)} configurations, length {plan.length:.3f}; {proved}"]
    lines += resting_words(plan.resting)
    if len(options.goal) > 1:
        lines.append(f"goal: {options.goal[plan.goal or 0]}")
    if motion is not None:
        stops = len(motion.stops)
        halts = f", {counted(stops, 'stop')} on the way" if stops else ""
        lines.append(f"takes {motion.duration:.3f} s{halts}")
    else:
        lines.append(f"no time law: {untimed}")
    if options.output is None:
        from unibody.motions.table import format_csv, table

        lines += format_csv(*table(plan.motion, plan.world.mechanism)).splitlines()
    else:
        lines.append(options.output)
    return lines


def _data(plan: PlanResult, motion: Motion | None) -> dict[str, Any]:
    from unibody.motions.table import table

    out: dict[str, Any] = {
        "reason": plan.reason,
        "message": hint_text(plan.message, "command"),
        "pair": plan.pair,
        "joint": plan.joint,
        "iterations": plan.iterations,
        "status": plan.status,
        "unread": [str(each) for each in plan.world.unread],
        "step": plan.step,
        "resting": [list(pair) for pair in plan.resting],
    }
    if plan.path is not None:
        out |= {
            "goal": plan.goal,
            "length": plan.length,
            "columns": table(plan.motion, plan.world.mechanism)[0],
            "path": plan.path.tolist(),
            "t": plan.points.tolist(),
        }
    if motion is not None:
        out |= {"duration": motion.duration, "stops": list(motion.stops)}
    return out
